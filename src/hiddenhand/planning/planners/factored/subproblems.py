"""The subproblems of a factored model: one hidden variable at a time, each together with all that is seen.

Where hidden variables are independent of one another, the belief about each can be kept by itself and exactly,
however many states they make together. Each subproblem is also a small model of its own, for which a plan is made in
advance (see `subproblem_plans`). Together these plans say what to do, though not what is best: at every step, what
the subproblem that promises most asks for.

All subproblems stand by themselves, or there are none: no variable moves by a hidden one other than itself, and
nothing is observed that tells of two of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import NamedTuple

import numpy as np

from hiddenhand.kernel import inlined, rule, uniform
from hiddenhand.planning.model.factored import Factored, FactorVariable, Multiplied
from hiddenhand.planning.model.pomdp import Array
from hiddenhand.planning.planners.factored.subproblem_plans import POINTS, plan_subproblem
from hiddenhand.planning.planners.point_based.compiled_model import CompiledModel, compiled_model

MOST_STATES = 20_000
"""States of one subproblem that a plan is made for."""
SCENARIOS = 8
"""Joint values of the hidden variables over which the value of all plans together is averaged."""
INTEGERS, NUMBERS, STARTS = np.zeros(0, np.int64), np.zeros(0), np.zeros(1, np.int64)


class Subproblems(NamedTuple):
    """F subproblems in G situations, which are all that can be seen. State g * n + x of a subproblem: situation g,
    hidden value x. Row first_row[f] + action * G * n + state of the tables is about that state of a subproblem."""

    discount: float = 1.0  # that of the model
    seen: Array = INTEGERS  # int64: the slots of what is seen
    seen_sizes: Array = INTEGERS  # int64: their numbers of values
    hidden: Array = INTEGERS  # int64 (F,): the slot of the hidden variable
    size: Array = INTEGERS  # int64 (F,): n, the number of its values
    first: Array = STARTS  # int64 (F + 1,): where its chances lie in a belief (H,)
    observed_first: Array = STARTS  # int64 (F + 1,): where the two lists begin that follow
    observed: Array = INTEGERS  # int64: the slots of the observations that tell of it
    observed_sizes: Array = INTEGERS  # int64: their numbers of values
    start: Array = NUMBERS  # (H,): what is believed to begin with
    first_row: Array = INTEGERS  # int64 (F,): where its rows begin
    move_start: Array = STARTS  # int64 (rows + 1,): where the moves of a row begin
    move_to: Array = INTEGERS  # int64: the state that a move leads to
    move_chance: Array = NUMBERS  # that of the move
    see_start: Array = STARTS  # int64 (rows + 1,): where the observations of a row begin
    see_what: Array = INTEGERS  # int64: what those observations show, as one number
    see_chance: Array = NUMBERS  # that of the observation
    rewards: Array = NUMBERS  # (rows,): what the action pays on average
    idle: Array = np.zeros((0, 0), np.bool_)  # bool (F, A): the action tells nothing of it and leaves it as it is
    pays: Array = np.zeros((0, 0), np.bool_)  # bool (F, A): what the action pays may depend on it
    terminal: Array = np.zeros(0, np.bool_)  # bool (G,): nothing changes any more, and nothing is paid
    vector_start: Array = STARTS  # int64 (F * G + 1,): the number of the first vector of a subproblem in a situation
    vector_place: Array = INTEGERS  # int64 (F,): where the vectors of a subproblem begin
    vectors: Array = NUMBERS  # n values each
    delay: Array = NUMBERS  # the same: what a payoff is worth that waits until the plan is through
    ending: Array = INTEGERS  # int64, the same: the situation in which it most likely is then; -1: none
    vector_actions: Array = INTEGERS  # int64: the action of each vector
    least: Array = NUMBERS  # (G,): the least that a plan may promise in a situation, whatever is believed
    epsilon: Array = NUMBERS  # (1,): a gain that is not larger than this counts as none
    scenarios: Array = np.zeros((0, 0))  # (K, F): ranks of the values of hidden variables, see `plan_order`


NO_SUBPROBLEMS = Subproblems()


def subproblems_of(model: Factored) -> Subproblems | None:
    """The subproblems of a model with their plans, if they stand by themselves and are not too large."""
    names = model.names
    seen = [i for i, is_seen in enumerate(names.seen) if is_seen]
    hidden = [i for i, is_seen in enumerate(names.seen) if not is_seen]
    sizes = np.array([len(variable.values) for variable in names.before])
    situations = int(prod(sizes[seen].tolist()))
    if not 0.0 < model.discount < 1.0 or not hidden or len(names.actions) != 1:
        return None
    if int(sizes[hidden].max()) * situations > MOST_STATES:
        return None
    parts = [part for part in (subproblem_of(model, [*seen, one]) for one in hidden) if part is not None]
    if len(parts) < len(hidden):
        return None
    order = [*names.actions, *names.before, *names.after, *names.observations]
    slot = {variable.name: place for place, variable in enumerate(order)}
    told = [[variable for function in part.sights for variable in function.of] for part in parts]
    models = [compiled_model(Multiplied(part).pomdp()) for part in parts]
    everything = {id(f) for part in parts for f in part.rewards} == {id(f) for f in model.rewards}
    return Subproblems(
        discount=model.discount,
        seen=1 + np.array(seen, dtype=np.int64),
        seen_sizes=sizes[seen],
        hidden=1 + np.array(hidden, dtype=np.int64),
        size=sizes[hidden],
        first=running(sizes[hidden]),
        observed_first=running([len(some) for some in told]),
        observed=np.array([slot[v.name] for some in told for v in some], dtype=np.int64),
        observed_sizes=np.array([len(v.values) for some in told for v in some], dtype=np.int64),
        start=np.concatenate([start_of(part) for part in parts]),
        **tables_of(models, situations, everything),
        **plans_of(models, sizes[hidden].tolist()),
        scenarios=scenarios_for(len(hidden)),
    )


def start_of(part: Factored) -> Array:
    """(n,) what is believed of the hidden variable to begin with."""
    one = next(f for f in part.start if f.of[0] == part.names.before[-1])
    return np.asarray(one.table.reshape(-1) / one.table.sum())


def tables_of(models: list[CompiledModel], situations: int, everything: bool) -> dict[str, Array]:
    """The fields of `Subproblems` from `first_row` to `terminal`; `everything`: no payoff is left out of all."""
    sizes = [model.legal.shape[1] // situations for model in models]
    rewards = [model.rewards.reshape(-1, situations, size) for model, size in zip(models, sizes)]
    moves = [(model.move_start, model.moves["place"], model.moves["chance"]) for model in models]
    shown = [model.sights["place"] % (model.observations // situations) for model in models]
    sights = [(model.see_start, what, model.sights["chance"]) for model, what in zip(models, shown)]
    terminal = np.array([terminal_in(model, size) for model, size in zip(models, sizes)]).all(axis=0)
    move_start, move_to, move_chance = joined(moves)
    see_start, see_what, see_chance = joined(sights)
    return {
        "first_row": running([model.legal.size for model in models])[:-1],
        "move_start": move_start,
        "move_to": move_to,
        "move_chance": move_chance,
        "see_start": see_start,
        "see_what": see_what,
        "see_chance": see_chance,
        "rewards": np.concatenate([amounts.ravel() for amounts in rewards]),
        "idle": np.array([idle_in(model, size) for model, size in zip(models, sizes)]),
        "pays": np.array([np.ptp(amounts, axis=2).max(axis=1) > 0.0 for amounts in rewards]),
        "terminal": np.asarray(terminal & everything),
    }


def plans_of(models: list[CompiledModel], sizes: list[int]) -> dict[str, Array]:
    """The fields of `Subproblems` from `vector_start` to `epsilon`."""
    plans = [plan_subproblem(model, size, POINTS + size) for model, size in zip(models, sizes)]
    return {
        "vector_start": running([count for plan in plans for count in plan.counts]),
        "vector_place": running([plan.vectors.size for plan in plans])[:-1],
        "vectors": np.concatenate([plan.vectors.ravel() for plan in plans]),
        "delay": np.concatenate([plan.delay.ravel() for plan in plans]),
        "ending": np.concatenate([plan.ending.ravel() for plan in plans]),
        "vector_actions": np.concatenate([plan.vector_actions for plan in plans]),
        "least": np.min([plan.least for plan in plans], axis=0),
        "epsilon": np.array([max(plan.epsilon for plan in plans)]),
    }


def scenarios_for(count: int) -> Array:
    """(SCENARIOS, F) ranks of hidden values, from 0 to 1: for each variable all ranks, in an order of its own."""
    rng = np.random.default_rng(1)
    return np.array([(rng.permutation(SCENARIOS) + 0.5) / SCENARIOS for _ in range(count)]).T.copy()


def subproblem_of(model: Factored, kept: list[int]) -> Factored | None:
    """The model with these state variables alone, the last of them hidden, and the rewards that depend on nothing
    else; None if it does not stand by itself."""
    names = model.names
    before, after = [names.before[i] for i in kept], [names.after[i] for i in kept]
    mine = {variable.name for variable in (*before, *after)}
    one = {before[-1].name, after[-1].name}
    inside = mine | {variable.name for variable in names.actions}
    start = [f for f in model.start if names_in(f.of) & mine]
    moves = [f for f in model.moves if names_in(f.of) & mine]
    sights = [f for f in model.sights if names_in(f.given) & one]
    others = [f for f in (*model.start, *model.moves) if f not in start and f not in moves]
    independent = (
        all(names_in((*f.of, *f.given)) <= inside for f in moves)
        and all(names_in(f.given) <= inside for f in sights)
        and not any(names_in(f.given) & one for f in others)
        and not any(len(names_in((*f.of, *f.given))) > 1 and names_in((*f.of, *f.given)) & one for f in start)
    )
    if not independent or any(not names_in(f.given) <= mine for f in start):
        return None
    fewer = replace(
        names,
        before=before,
        after=after,
        seen=[names.seen[i] for i in kept],
        observations=[variable for function in sights for variable in function.of],
    )
    rewards = [f for f in model.rewards if names_in(f.given) <= inside]
    return replace(model, names=fewer, start=start, moves=moves, sights=sights, rewards=rewards)


def names_in(variables: Sequence[FactorVariable]) -> set[str]:
    return {variable.name for variable in variables}


def running(counts: Sequence[int] | Array) -> Array:
    """int64: where each of some things begins that lie one after the other, and where the last one ends."""
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def joined(tables: list[tuple[Array, Array, Array]]) -> tuple[Array, Array, Array]:
    """Tables with starts (A, S + 1), one after the other: where rows begin, and their entries."""
    starts, entries = [np.zeros(1, np.int64)], 0
    for start, _, chances in tables:
        starts.append(start[:, 1:].ravel() + entries)
        entries += len(chances)
    return np.concatenate(starts), np.concatenate([t[1] for t in tables]), np.concatenate([t[2] for t in tables])


@rule
def idle_in(model, size):
    """bool (A,): whether an action leaves the hidden value as it is in every situation, and nothing tells of it."""
    actions, states = model.legal.shape
    idle = np.ones(actions, dtype=np.bool_)
    for action in range(actions):
        for state in range(states):
            if idle[action] and not as_the_first(model, action, state, size):
                idle[action] = False
    return idle


@rule
def as_the_first(model, action, state, size):
    """Whether in this state an action does and shows what it does with the first hidden value, and keeps its own."""
    other, x = state - state % size, state % size
    low, high = model.move_start[action, state], model.move_start[action, state + 1]
    base = model.move_start[action, other]
    if model.move_start[action, other + 1] - base != high - low:
        return False
    for k in range(high - low):
        to, there = model.moves[low + k].place, model.moves[base + k].place
        if there % size != 0 or to != there + x or model.moves[low + k].chance != model.moves[base + k].chance:
            return False
        begin, end = model.see_start[action, to], model.see_start[action, to + 1]
        alike = model.see_start[action, there]
        if model.see_start[action, there + 1] - alike != end - begin:
            return False
        for j in range(end - begin):
            if model.sights[begin + j].place != model.sights[alike + j].place:
                return False
            if model.sights[begin + j].chance != model.sights[alike + j].chance:
                return False
    return True


@rule
def terminal_in(model, size):
    """bool (G,): the situations in which no action changes or pays anything."""
    actions, states = model.legal.shape
    terminal = np.ones(states // size, dtype=np.bool_)
    for action in range(actions):
        for state in range(states):
            low, high = model.move_start[action, state], model.move_start[action, state + 1]
            if model.rewards[action, state] != 0.0 or high - low != 1 or model.moves[low].place != state:
                terminal[state // size] = False
    return terminal


# --- following ---


@rule
def situation(subproblems, s):
    """What is seen, as one number, by what is in the slots."""
    number = 0
    for k in range(len(subproblems.seen)):
        number = number * subproblems.seen_sizes[k] + s[subproblems.seen[k]]
    return number


@rule
def plan_for(subproblems, f, g, belief):
    """What the plan of a subproblem is worth in a situation, the number of its vector, and where its values are."""
    size, low = subproblems.size[f], subproblems.first[f]
    number = f * len(subproblems.terminal) + g
    place = subproblems.vector_place[f] - size * subproblems.vector_start[f * len(subproblems.terminal)]
    best, chosen = -np.inf, 0
    for p in range(subproblems.vector_start[number], subproblems.vector_start[number + 1]):
        total, at = 0.0, place + p * size
        for x in range(size):
            total += belief[low + x] * subproblems.vectors[at + x]
        if total > best:
            best, chosen = total, p
    return best, chosen, place + chosen * size


@rule
def update_belief(subproblems, belief, action, before, s):
    """What is believed after an action, (H,), by what is now in the slots; `before`: the situation it was done in.
    Returns how likely it was to see that, as far as it is told by a subproblem.

    Nothing is learned from what could not be."""
    now = situation(subproblems, s)
    led = transition_probability(subproblems, belief, action, before, now)
    whole = led
    for f in range(len(subproblems.size)):
        if not subproblems.idle[f, action]:
            whole *= update_subproblem(subproblems, f, belief, action, before, now, s) / led
    return whole


@inlined
def transition_probability(subproblems, belief, action, before, now):
    """The probability of a change of situation by an action: that of the first subproblem, since all agree."""
    size, total = subproblems.size[0], 0.0
    for x in range(size):
        row = subproblems.first_row[0] + (action * len(subproblems.terminal) + before) * size + x
        for k in range(subproblems.move_start[row], subproblems.move_start[row + 1]):
            if subproblems.move_to[k] // size == now:
                total += belief[subproblems.first[0] + x] * subproblems.move_chance[k]
    return total if total > 0.0 else 1.0


@inlined
def update_subproblem(subproblems, f, belief, action, before, now, s):
    """Learn of one subproblem; how likely it was to see that."""
    size, low = subproblems.size[f], subproblems.first[f]
    shown = 0
    for k in range(subproblems.observed_first[f], subproblems.observed_first[f + 1]):
        shown = shown * subproblems.observed_sizes[k] + s[subproblems.observed[k]]
    block = subproblems.first_row[f] + action * size * len(subproblems.terminal)
    after, whole = np.zeros(size), 0.0
    for x in range(size):
        row = block + before * size + x
        for k in range(subproblems.move_start[row], subproblems.move_start[row + 1]):
            to = subproblems.move_to[k]
            if to // size != now or belief[low + x] == 0.0:
                continue
            for j in range(subproblems.see_start[block + to], subproblems.see_start[block + to + 1]):
                if subproblems.see_what[j] == shown:
                    chance = belief[low + x] * subproblems.move_chance[k] * subproblems.see_chance[j]
                    after[to % size] += chance
                    whole += chance
    if whole > 0.0:
        for x in range(size):
            belief[low + x] = after[x] / whole
    return whole


@rule
def sample_hidden(subproblems, belief, s, rng):
    """Draw what is hidden, as it is believed."""
    for f in range(len(subproblems.size)):
        x, point = 0, uniform(rng)
        while x < subproblems.size[f] - 1:
            point -= belief[subproblems.first[f] + x]
            if point < 0.0:
                break
            x += 1
        s[subproblems.hidden[f]] = x


@rule
def reward_correction(subproblems, belief, action, g, s):
    """What is paid on average by what is believed, less what is paid by what is in the slots: as far as that depends
    on what is hidden."""
    difference = 0.0
    for f in range(len(subproblems.size)):
        if subproblems.pays[f, action]:
            row = subproblems.first_row[f] + (action * len(subproblems.terminal) + g) * subproblems.size[f]
            for x in range(subproblems.size[f]):
                difference += belief[subproblems.first[f] + x] * subproblems.rewards[row + x]
            difference -= subproblems.rewards[row + s[subproblems.hidden[f]]]
    return difference
