"""The compiled match loop: many games between compiled policies, without Python in between.

A policy is a compiled function `policy(view, seat, actions, memory, parameters, rng) -> action`:
the view record of its seat, the seat, its legal actions (int64, exactly as many as there are), its own memory
(a record of its own type, zeros at the start of a game), its parameters (a record too) and a stream of random numbers
for this decision. A declared cheater receives the state record instead of the view.

Policies reach the loop as addresses of machine code, and their memories and parameters as bytes, so that the loop is
compiled once for a game and serves all policies.

Randomness, here and at every table: the deal draws from `split(table seed, 0)`; move p (1, 2, ...) from
`split(table seed, p)`; the policy that decides move p from `decision_seed(key of its seat, p)` (see `rng.seat_keys`).
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.kernel.binding import generic
from hiddenhand.kernel.contract import CHANCE, OVER, deal, legal, measure, observe, odds, payoff, play, turn
from hiddenhand.kernel.records import copy, new_records, unowned
from hiddenhand.kernel.rng import below, decision_seed, game_seed, pick, seat_keys, split, stream
from hiddenhand.kernel.rule import Mode, NotCompiled, Rule, inlined, instruction, rule

# What stopped the loop early: `fault` holds one of these, the game, the seat and the action.
NOTHING, ILLEGAL, ENDLESS = 0, 1, 2

Array = np.ndarray[Any, Any]


class Seating(NamedTuple):
    """Which games are played, and who sits where."""

    seed: Any  # uint64: of the match
    first: int  # number of the first game
    seats: int
    rotate: bool  # whether agents move on by one seat from game to game
    deals_shared: int  # games that share one deal: 1, or the number of seats for duplicate play
    opening: int  # how many decisions at the start are drawn at random, for all seats
    longest: int  # plies after which a game counts as endless


class PolicyTable(NamedTuple):
    """The policies, one per agent."""

    policies: Any  # int64[agents]: addresses (uncompiled: the functions themselves)
    cheats: Array  # int64[agents]: 1 where it receives the state
    parameters: Array  # uint8[agents, most]: records as bytes
    memories: Array  # uint64[seats, most]: likewise, in words, which are cleared faster


class Results(NamedTuple):
    """What the games came to."""

    payoffs: Array  # float64[games, agents]
    moves: Array  # int64[games]: decisions taken
    metrics: Array  # float64[games, measurements]
    fault: Array  # int64[4]


class LoopWorkspace(NamedTuple):
    """Space to work in, one of each."""

    blank: Any  # record[1]: the state before the deal, options filled in
    states: Any  # record[1]: the game in progress
    views: Any  # view record[1]: what the mover sees
    gains: Array  # float64[seats]
    actions: Array  # int64[most actions]
    chances: Array  # float64[most actions]
    rng: Array  # uint64[1]
    keys: Array  # uint64[seats]: to the randomness of each seat


def new_workspace(blank: np.recarray[Any, Any], view: np.dtype[Any], seats: int, most_actions: int) -> LoopWorkspace:
    """Space for the games of one kind, dealt from this blank state."""
    return LoopWorkspace(
        blank,
        new_records(blank.dtype, 1),
        new_records(view, 1),
        np.zeros(seats),
        np.zeros(most_actions, np.int64),
        np.zeros(most_actions),
        stream(0),
        np.zeros(seats, np.uint64),
    )


AT_ADDRESS: dict[int, Callable[..., int]] = {}
"""Policies as plain Python, by the address of their machine code, where some callers may not be compiled yet."""


@instruction
def ask(policy, record, seat, actions, memory, parameters, rng):
    """Call a policy: its address, and its memory and parameters as bytes."""
    function = policy if callable(policy) else AT_ADDRESS[int(policy)]
    return function(record, seat, actions, memory, parameters, rng)


@ask.generates
def call_address(typing_context, policy, record, seat, actions, memory, parameters, rng):  # noqa: PLR0913  (what `ask` takes)
    from numba import from_dtype

    from hiddenhand.kernel.numba_compat import cgutils, types

    unknown = from_dtype(np.dtype([("word", "i8")]))  # a record reaches a function as its address, whatever its type
    kinds = (record, types.int64, actions, unknown, unknown, rng)

    def generate(context, builder, signature, arguments):
        function = context.call_conv.get_function_type(types.int64, kinds)
        pointer = builder.inttoptr(arguments[0], function.as_pointer())
        values = list(arguments[1:])
        for place in (3, 4):
            array = context.make_array(signature.args[place + 1])(context, builder, value=values[place])
            values[place] = builder.bitcast(array.data, context.get_value_type(unknown))
        status, action = context.call_conv.call_function(builder, pointer, types.int64, kinds, values)
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return action

    return types.int64(types.int64, record, types.int64, actions, memory, parameters, rng), generate


def ply_seed(table_seed: np.uint64, ply: int) -> np.uint64:
    """Where what chance does at a ply draws from: `split`, or `nothing` in a game where chance only deals."""
    raise NotImplementedError


@rule
def nothing(table_seed, ply):
    return np.uint64(0)


@rule
def agent_in(seat, shift, seats):
    """The agent in a seat after some rotations. (A remainder would be the slowest operation of a simple game.)"""
    return seat - shift if seat >= shift else seat - shift + seats


@inlined
def clear(memories, gains):
    """Nobody remembers or has won anything."""
    for seat in range(len(gains)):
        gains[seat] = 0.0
        for i in range(memories.shape[1]):
            memories[seat, i] = 0


@inlined
def is_among(action, actions, count):
    """Whether an action is one of the first `count`."""
    for i in range(count):
        if actions[i] == action:
            return True
    return False


@generic
def play_games(seating, players, workspace, results):
    """Play len(results.moves) games, numbered from `seating.first` on."""
    actions, chances, rng = unowned(workspace.actions), unowned(workspace.chances), unowned(workspace.rng)
    parameters, memories = unowned(players.parameters), unowned(players.memories)
    policies, cheats = players.policies, players.cheats
    payoffs, moves, metrics, fault = results.payoffs, results.moves, results.metrics, results.fault
    seats, gains, keys = seating.seats, workspace.gains, unowned(workspace.keys)
    s = workspace.states[0]
    view = workspace.views[0]
    for g in range(len(moves)):
        number = seating.first + g
        shift = number % seats if seating.rotate else 0
        table_seed = game_seed(seating.seed, number // seating.deals_shared)
        copy(s, workspace.blank[0])
        clear(memories, gains)
        seat_keys(table_seed, keys)
        rng[0] = split(table_seed, 0)
        deal(s, rng)
        decisions = 0
        ply = 0
        while True:
            seat = turn(s)
            if seat == OVER:
                break
            ply += 1
            if ply > seating.longest:
                fault[0], fault[1], fault[2], fault[3] = ENDLESS, number, seat, 0
                return
            chance_seed = ply_seed(table_seed, ply)
            count = legal(s, actions)
            if seat == CHANCE:
                odds(s, chances)
                rng[0] = chance_seed
                action = actions[pick(rng, chances, count)]
            else:
                decisions += 1
                agent = agent_in(seat, shift, seats)
                rng[0] = decision_seed(keys[seat], ply)
                memory, own = memories[seat], parameters[agent]
                if decisions <= seating.opening:
                    action = actions[below(rng, count)]
                elif cheats[agent] != 0:
                    action = ask(policies[agent], s, seat, actions[:count], memory, own, rng)
                else:
                    observe(s, seat, view)
                    action = ask(policies[agent], view, seat, actions[:count], memory, own, rng)
                if not is_among(action, actions, count):
                    fault[0], fault[1], fault[2], fault[3] = ILLEGAL, number, seat, action
                    return
                rng[0] = chance_seed
            play(s, action, rng)
        payoff(s, gains)
        for seat in range(seats):
            payoffs[g, agent_in(seat, shift, seats)] = gains[seat]
        moves[g] = decisions
        measure(s, metrics[g])


def policy_for_loop(
    policy: Rule, looks_at: np.dtype[Any], memory: np.dtype[Any], parameters: np.dtype[Any]
) -> int | Callable[..., int]:
    """A policy as the loop calls it: an address; or uncompiled, a function that reads the bytes as records."""

    def of_bytes(record: np.record, seat: int, actions: Array, kept: Array, own: Array, rng: Array) -> int:
        mine, given = record_in(kept, memory), record_in(own, parameters)
        return int(policy(record, seat, actions, mine, given, rng))

    if Rule.mode is Mode.PLAIN:
        return of_bytes
    try:
        address: int = policy.entry.address(types_of_policy(looks_at, memory, parameters))
    except NotCompiled:  # another process is still at it
        return of_bytes
    AT_ADDRESS[address] = of_bytes
    return address


@cache
def types_of_policy(looks_at: np.dtype[Any], memory: np.dtype[Any], parameters: np.dtype[Any]) -> tuple[Any, ...]:
    """What a policy takes, as Numba sees it. To ask for that takes longer than many a decision."""
    from numba import from_dtype, types

    view, kept, own = (from_dtype(record) for record in (looks_at, memory, parameters))
    return view, types.int64, types.int64[::1], kept, own, types.uint64[::1]


def as_policies(pointers: Sequence[Any]) -> Array | list[Callable[..., int]]:
    """The field `PolicyTable.policies`: addresses if the policies are compiled, else the Python functions."""
    if any(callable(pointer) for pointer in pointers):
        return list(pointers)
    return np.array(pointers, np.int64)


def record_in(row: Array, dtype: np.dtype[Any]) -> np.record:
    """The record that begins a row of bytes or words."""
    record: np.record = row.view(np.uint8)[: dtype.itemsize].view(dtype).view(np.recarray)[0]
    return record


def rows_of_bytes(records: Sequence[Any]) -> Array:
    """Records of several types as the rows of one array of bytes, each row a whole number of words."""
    width = max(record.dtype.itemsize for record in records)
    rows = np.zeros((len(records), width + -width % 8), np.uint8)
    for row, record in zip(rows, records, strict=True):
        row[: record.dtype.itemsize] = np.frombuffer(record.tobytes(), np.uint8)
    return rows
