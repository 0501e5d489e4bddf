"""A model that is drawn from and never written down: one step of the world, for planners that only try things out.

All that there is has a slot: the action, every state variable before the step and after it, every observation
variable. What a variable becomes is drawn from a row of chances, and which row that is follows from the slots that it
depends on. A model with numbered states is the case of one variable; a `.pomdpx` file has many, and may have more
states than could ever be counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import NamedTuple, Protocol

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.kernel import below, inlined, rule, uniform
from hiddenhand.planning.model.factored import Factor, Factored, FactorVariable
from hiddenhand.planning.model.pomdp import ROUNDED, Array, Pomdp, sparse_rows

ACTION = 0
"""The slot of the action."""


class Factors(NamedTuple):
    """Functions one after the other: function f reads the slots given[first[f]:first[f + 1]]."""

    first: Array  # int64 (F + 1,)
    given: Array  # int64: slots
    sizes: Array  # int64: the number of values of each of these
    row: Array  # int64 (F,): the number of the function's first row
    slot: Array  # int64 (F,): what it writes; -1 for a reward
    start: Array  # int64: where each row begins
    value: Array  # int64: what it may become
    chance: Array  # float64: with what chance; for a reward, the amount


class Simulator(NamedTuple):
    """How a world moves. B state variables: slots 1..B before the step, B + 1..2B after it, then the observations."""

    discount: float
    actions: int
    variables: int  # B
    slots: int
    seen: Array  # int64: the slots that are observed
    seen_sizes: Array  # int64: their numbers of values
    moves: Factors
    sights: Factors
    rewards: Factors
    span: Array  # int64 (3, A, 2): of moves, sights and rewards the first that an action needs and where they end
    legal: Array  # bool (A, S) for a model with numbered states; (0, 0): see `illegal`
    illegal: Factors  # per action 1 where it is illegal; none: everything is legal everywhere


class GenerativeModel(Protocol):
    """A model that brings its own simulator."""

    @property
    def discount(self) -> float: ...

    def simulator(self) -> Simulator: ...

    def starts(self, count: int, rng: np.random.Generator) -> Array:
        """(count, slots) first states, drawn."""
        ...


Tryable = Pomdp | Factored | GenerativeModel


def simulator_of(model: Tryable) -> Simulator:
    if isinstance(model, Pomdp):
        return of_pomdp(model)
    return of_factored(model) if isinstance(model, Factored) else model.simulator()


def whole(actions: int, functions: int) -> Array:
    """All functions, whatever the action."""
    return np.tile(np.array([0, functions], dtype=np.int64), (actions, 1))


MOVES, SIGHTS, REWARDS = range(3)
"""Places in `Simulator.span`."""


def of_pomdp(model: Pomdp) -> Simulator:
    states, actions, seen = len(model.states), len(model.actions), len(model.observations)
    sizes = [actions, states]
    amounts = np.where(model.legal, model.rewards, 0.0).ravel()
    return Simulator(
        discount=float(model.discount),
        actions=actions,
        variables=1,
        slots=4,
        seen=np.array([3]),
        seen_sizes=np.array([seen]),
        moves=joined([FactorRows([0, 1], sizes, 2, *sparse_rows(model.transitions))]),
        sights=joined([FactorRows([0, 2], sizes, 3, *sparse_rows(model.observing))]),
        rewards=joined([amounts_part([0, 1], sizes, amounts)]),
        span=np.array([whole(actions, 1)] * 3),
        legal=np.ascontiguousarray(model.legal),
        illegal=joined([]),
    )


def of_factored(model: Factored) -> Simulator:
    names = model.names
    if len(names.actions) != 1:
        raise UserError("trying out needs one action variable; this model has {n}", n=len(names.actions))
    actions = len(names.actions[0].values)
    order = [*names.actions, *names.before, *names.after, *names.observations]
    slot = {variable.name: place for place, variable in enumerate(order)}
    watched = [*(v for v, seen in zip(names.after, names.seen) if seen), *names.observations]
    moves, move_span = by_action(model.moves, actions, slot)
    sights, sight_span = by_action(model.sights, actions, slot)
    rewards, reward_span = by_action(model.rewards, actions, slot)
    return Simulator(
        discount=float(model.discount),
        actions=actions,
        variables=len(names.before),
        slots=len(order),
        seen=np.array([slot[variable.name] for variable in watched], dtype=np.int64),
        seen_sizes=np.array([len(variable.values) for variable in watched], dtype=np.int64),
        moves=moves,
        sights=sights,
        rewards=rewards,
        span=np.array([move_span, sight_span, reward_span]),
        legal=np.zeros((0, 0), dtype=np.bool_),
        illegal=joined([]),
    )


def by_action(functions: Sequence[Factor], actions: int, slot: dict[str, int]) -> tuple[Factors, Array]:
    """For each action the functions that do something then, and where they lie, int64 (A, 2)."""
    always = {id(f): written(f, slot) for f in functions}
    parts: list[FactorRows] = []
    span = []
    for action in range(actions):
        first = len(parts)
        for function in functions:
            if all(slot[variable.name] != ACTION for variable in function.given):
                parts.append(always[id(function)])
            elif (left := without_action(function, action, slot)) is not None:
                parts.append(written(left, slot))
        span.append((first, len(parts)))
    return joined(parts), np.array(span, dtype=np.int64).reshape(actions, 2)


def without_action(function: Factor, action: int, slot: dict[str, int]) -> Factor | None:
    """What a function is once the action is known; None if it changes and pays nothing then."""
    place = [slot[variable.name] for variable in function.given].index(ACTION)
    given = (*function.given[:place], *function.given[place + 1 :])
    table = function.table.take(action, axis=place)
    if not function.of and not table.any():
        return None
    former = [variable.name for variable in given]
    if len(function.of) == 1 and function.of[0].former in former:
        same = np.moveaxis(table, former.index(function.of[0].former), -2)
        if (same == np.eye(same.shape[-1])).all():
            return None
    rows = table.reshape(-1, table.shape[-1])
    if (rows == rows[0]).all():
        return replace(function, given=(), table=rows[0])
    return replace(function, given=given, table=table)


class FactorRows(NamedTuple):
    """One function of `Factors`."""

    given: list[int]  # the slots that it reads
    sizes: list[int]  # the number of values of each of these
    slot: int  # what it writes; -1 for a reward
    start: Array  # int64 (rows + 1,): where each row begins
    value: Array  # int64: what it may become
    chance: Array  # float64: with what chance; for a reward, the amount


def amounts_part(given: list[int], sizes: list[int], amounts: Array) -> FactorRows:
    """A function that writes nothing, and has one amount a row."""
    return FactorRows(given, sizes, -1, np.arange(len(amounts) + 1), np.zeros(len(amounts), np.int64), amounts)


def chances_part(given: list[int], sizes: list[int], slot: int, table: Array) -> FactorRows:
    """A function as rows of chances (rows, values), without what cannot be."""
    rows, columns = np.nonzero(table)
    starts = np.searchsorted(rows, np.arange(len(table) + 1))
    return FactorRows(given, sizes, slot, starts, columns, table[rows, columns] / table.sum(axis=1)[rows])


def written(function: Factor, slot: dict[str, int]) -> FactorRows:
    given = [slot[variable.name] for variable in function.given]
    sizes = [len(variable.values) for variable in function.given]
    table = function.table.reshape(prod(sizes), -1)
    if not function.of:
        return amounts_part(given, sizes, table[:, 0])
    if len(function.of) > 1:
        function.source.fail("trying out needs a function for each variable; this one is of several")
    require_sums(function, function.of[0], table)
    return chances_part(given, sizes, slot[function.of[0].name], table)


def require_sums(function: Factor, variable: FactorVariable, table: Array) -> None:
    wrong = np.flatnonzero(np.abs(table.sum(axis=1) - 1.0) > ROUNDED)
    if len(wrong):
        total = table.sum(axis=1)[wrong[0]]
        function.source.fail(
            "the probabilities of {name} sum to {sum:g} in a case, not to 1", name=variable.name, sum=total
        )


def joined(parts: Sequence[FactorRows]) -> Factors:
    """The functions one after the other; a table that several share is kept once."""
    tables: dict[int, FactorRows] = {id(part.start): part for part in parts}
    lengths = [len(part.start) - 1 for part in tables.values()]
    row_of_table = dict(zip(tables, np.cumsum([0, *lengths]).tolist()))
    entries = np.cumsum([0, *(len(part.value) for part in tables.values())])
    starts = [part.start[1:] + before for part, before in zip(tables.values(), entries)]
    return Factors(
        first=np.cumsum([0, *(len(part.given) for part in parts)]).astype(np.int64),
        given=np.array([slot for part in parts for slot in part.given], dtype=np.int64),
        sizes=np.array([size for part in parts for size in part.sizes], dtype=np.int64),
        row=np.array([row_of_table[id(part.start)] for part in parts], dtype=np.int64),
        slot=np.array([part.slot for part in parts], dtype=np.int64),
        start=np.concatenate([[0], *starts]).astype(np.int64),
        value=np.concatenate([np.zeros(0), *(part.value for part in tables.values())]).astype(np.int64),
        chance=np.concatenate([np.zeros(0), *(part.chance for part in tables.values())]).astype(np.float64),
    )


def drawn_starts(model: Tryable, count: int, rng: np.random.Generator) -> Array:
    """(count, slots) first states, drawn."""
    if not isinstance(model, Pomdp | Factored):
        return model.starts(count, rng)
    simulator = simulator_of(model)
    particles = np.zeros((count, simulator.slots), dtype=np.int64)
    if isinstance(model, Pomdp):
        particles[:, 1] = rng.choice(len(model.states), size=count, p=model.start)
        return particles
    names = [variable.name for variable in model.names.before]
    known: dict[str, Array] = {}
    for function in model.start:
        chances = function.at(known, count)
        sums = np.cumsum(chances / chances.sum(axis=1)[:, None], axis=1)
        value = np.minimum((sums <= rng.random(count)[:, None]).sum(axis=1), chances.shape[1] - 1)
        for variable, column in zip(function.of, np.unravel_index(value, [len(v.values) for v in function.of])):
            known[variable.name] = np.asarray(column)
    for place, name in enumerate(names):
        particles[:, 1 + place] = known[name]
    return particles


@inlined
def row_of(factors, f, s):
    """Where in the entries the row of a function begins and ends, by what is in the slots."""
    row = 0
    for k in range(factors.first[f], factors.first[f + 1]):
        row = row * factors.sizes[k] + s[factors.given[k]]
    row += factors.row[f]
    return factors.start[row], factors.start[row + 1]


@rule
def draw_all(factors, span, s, rng):
    """Draw what each of the functions from span[0] to span[1] writes."""
    for f in range(span[0], span[1]):
        low, high = row_of(factors, f, s)
        point = uniform(rng) if high > low + 1 else 0.0
        k = low
        while k < high - 1:
            point -= factors.chance[k]
            if point < 0.0:
                break
            k += 1
        s[factors.slot[f]] = factors.value[k]


@rule
def move(simulator, s, action, rng):
    """One step: s becomes what it is then. Returns what is observed, as a number, and the payoff."""
    move_on(simulator, s, action, rng)
    draw_all(simulator.sights, simulator.span[SIGHTS, action], s, rng)
    paid = 0.0
    for f in range(simulator.span[REWARDS, action, 0], simulator.span[REWARDS, action, 1]):
        low, _ = row_of(simulator.rewards, f, s)
        paid += simulator.rewards.chance[low]
    seen = observed(simulator, s)
    settle(simulator, s)
    return seen, paid


@rule
def move_on(simulator, s, action, rng):
    """Draw the state after an action; what no function writes stays as it is."""
    s[ACTION] = action
    for k in range(1, simulator.variables + 1):
        s[simulator.variables + k] = s[k]
    draw_all(simulator.moves, simulator.span[MOVES, action], s, rng)


@rule
def settle(simulator, s):
    """What was after the step is now before the next."""
    for k in range(1, simulator.variables + 1):
        s[k] = s[simulator.variables + k]


@rule
def observed(simulator, s):
    """What is observed, as one number."""
    code = np.int64(0)
    for k in range(len(simulator.seen)):
        code = code * simulator.seen_sizes[k] + s[simulator.seen[k]]
    return code


@rule
def is_legal(simulator, s, action):
    if simulator.legal.shape[0]:
        return simulator.legal[action, s[1]]
    if len(simulator.illegal.row) == 0:
        return True
    low, _ = row_of(simulator.illegal, action, s)
    return simulator.illegal.chance[low] == 0.0


@rule
def is_over(simulator, s):
    """Whether nothing can be done."""
    for action in range(simulator.actions):
        if is_legal(simulator, s, action):
            return False
    return True


@rule
def any_legal(simulator, s, rng):
    """A legal action at random, or -1."""
    chosen, count = -1, 0
    for action in range(simulator.actions):
        if is_legal(simulator, s, action):
            count += 1
            if below(rng, count) == 0:
                chosen = action
    return chosen


@rule
def weigh(simulator, s, action, real, rng):
    """Move a particle as the world might have moved, and return how well that fits what was really observed.

    `real`: the slots of what was observed. Variables that are seen as they are must be the same; for the others the
    chance of that observation counts.
    """
    move_on(simulator, s, action, rng)
    weight = 1.0
    for k in range(len(simulator.seen)):
        place = simulator.seen[k]
        if place <= 2 * simulator.variables and s[place] != real[place]:
            weight = 0.0
    for f in range(simulator.span[SIGHTS, action, 0], simulator.span[SIGHTS, action, 1]):
        wanted, chance = real[simulator.sights.slot[f]], 0.0
        s[simulator.sights.slot[f]] = wanted
        low, high = row_of(simulator.sights, f, s)
        for k in range(low, high):
            if simulator.sights.value[k] == wanted:
                chance = simulator.sights.chance[k]
        weight *= chance
    settle(simulator, s)
    return weight
