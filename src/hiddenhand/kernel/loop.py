"""The compiled match loop: many games between compiled policies, without Python in between.

A policy is a compiled function `policy(view, seat, actions, memory, parameters, rng) -> action`:
the view record of its seat, the seat, its legal actions (int64, exactly as many as there are), its own memory
(int64, zeros at the start of a game), its parameters (float64) and a stream of random numbers for this decision.
A declared cheater receives the state record instead of the view.

Policies reach the loop as function pointers, so it is compiled once per game, whoever sits down.

Randomness, here and at every table: the deal draws from `split(table seed, 0)`; move p (1, 2, ...) from
`split(table seed, p)`; the policy that decides move p from the same number with the bits of DECISION turned over.
"""

from typing import Any

import numba
import numpy as np
from numba import types

from hiddenhand.kernel.binding import Rules, bind, generic
from hiddenhand.kernel.compiling import COMPILED, compiled, rule
from hiddenhand.kernel.contract import (
    CHANCE,
    OVER,
    deal,
    legal,
    measure,
    observe,
    odds,
    payoff,
    play,
    turn,
)
from hiddenhand.kernel.records import borrow, copy
from hiddenhand.kernel.rng import below, game_seed, pick, split

MOST_SEATS = 6
DECISION = 0x5851F42D4C957F2D
_DECISION = np.uint64(DECISION)

# What stopped the loop early: `fault` holds one of these, the game, the seat and the action.
NOTHING, ILLEGAL, ENDLESS = 0, 1, 2


@rule
def agent_in(seat, shift, seats):
    """Who sits there after so many rotations. (A remainder would be the slowest operation of a simple game.)"""
    return seat - shift if seat >= shift else seat - shift + seats


@generic
def play_games(
    blank,  # record[1]: the state before the deal, options filled in
    states,  # record[1]: room for the game in progress
    views,  # view record[1]: room for what the mover sees
    policies,  # MOST_SEATS pointers to policies, one per agent
    cheaters,  # MOST_SEATS pointers to policies that receive the state
    cheats,  # int64[agents]: 1 where the cheater is meant
    parameters,  # float64[agents, most]
    memories,  # int64[seats, most]
    seats,  # how many
    seed,  # uint64: of the match
    first,  # number of the first game
    rotate,  # whether agents move on by one seat from game to game
    deals_shared,  # games that share one deal: 1, or the number of seats for duplicate play
    opening,  # so many decisions at the start are drawn at random, whoever sits there
    longest,  # plies after which a game counts as endless
    payoffs,  # float64[games, agents] out
    moves,  # int64[games] out: decisions taken
    metrics,  # float64[games, measurements] out
    actions,  # int64[most actions]
    chances,  # float64[most actions]
    rng,  # uint64[1]
    fault,  # int64[4] out
):
    """Play len(moves) games, numbered from `first` on."""
    actions, chances, rng = borrow(actions), borrow(chances), borrow(rng)
    parameters, memories = borrow(parameters), borrow(memories)
    gains = np.zeros(seats)
    s = states[0]
    view = views[0]
    for g in range(len(moves)):
        number = first + g
        shift = number % seats if rotate else 0
        table_seed = game_seed(seed, number // deals_shared)
        copy(s, blank[0])
        for seat in range(seats):
            for i in range(memories.shape[1]):
                memories[seat, i] = 0
        rng[0] = split(table_seed, 0)
        deal(s, rng)
        decisions = 0
        ply = 0
        while True:
            seat = turn(s)
            if seat == OVER:
                break
            ply += 1
            if ply > longest:
                fault[0], fault[1], fault[2], fault[3] = ENDLESS, number, seat, 0
                return
            ply_seed = split(table_seed, ply)
            count = legal(s, actions)
            if seat == CHANCE:
                odds(s, chances)
                rng[0] = ply_seed
                action = actions[pick(rng, chances, count)]
            else:
                decisions += 1
                agent = agent_in(seat, shift, seats)
                rng[0] = ply_seed ^ _DECISION
                if decisions <= opening:
                    action = actions[below(rng, count)]
                elif cheats[agent] != 0:
                    action = cheaters[agent](s, seat, actions[:count], memories[seat], parameters[agent], rng)
                else:
                    observe(s, seat, view)
                    action = policies[agent](view, seat, actions[:count], memories[seat], parameters[agent], rng)
                found = False
                for i in range(count):
                    if actions[i] == action:
                        found = True
                        break
                if not found:
                    fault[0], fault[1], fault[2], fault[3] = ILLEGAL, number, seat, action
                    return
                rng[0] = ply_seed
            play(s, action, rng)
        payoff(s, gains)
        for seat in range(seats):
            payoffs[g, agent_in(seat, shift, seats)] = gains[seat]
        moves[g] = decisions
        measure(s, metrics[g])


def policy_signature(dtype: np.dtype[Any]) -> Any:
    """The compiled signature of a policy that looks at records of this type."""
    return types.int64(
        numba.from_dtype(dtype),
        types.int64,
        types.int64[::1],
        types.int64[::1],
        types.float64[::1],
        types.uint64[::1],
    )


def compile_policy(function: Any, dtype: np.dtype[Any]) -> Any:
    """The policy as the loop takes it: compiled for exactly this type of view (or state)."""
    plain = getattr(function, "py_func", function)
    return compiled(plain, policy_signature(dtype)) if COMPILED else plain


def match_loop(rules: Rules, state: np.dtype[Any], view: np.dtype[Any]) -> Any:
    """`play_games`, compiled for one game."""
    if not COMPILED:
        return bind(play_games, rules)
    states = types.Array(numba.from_dtype(state), 1, "C")
    views = types.Array(numba.from_dtype(view), 1, "C")
    signature = types.void(
        states,
        states,
        views,
        types.UniTuple(types.FunctionType(policy_signature(view)), MOST_SEATS),
        types.UniTuple(types.FunctionType(policy_signature(state)), MOST_SEATS),
        types.int64[::1],
        types.float64[:, ::1],
        types.int64[:, ::1],
        types.int64,
        types.uint64,
        types.int64,
        types.boolean,
        types.int64,
        types.int64,
        types.int64,
        types.float64[:, ::1],
        types.int64[::1],
        types.float64[:, ::1],
        types.int64[::1],
        types.float64[::1],
        types.uint64[::1],
        types.int64[::1],
    )
    return bind(play_games, rules, signature)
