"""Planning at the table, by trying things out: POMCP (D. Silver, J. Veness, "Monte-Carlo planning in large POMDPs").

From states that the belief holds possible, courses of events are imagined: as far as a tree of what was done and seen
goes, by the action that looks best or has been tried too little (UCB-V, J.-Y. Audibert et al., 2009: the more the
results of an action vary, the longer it is tried). Beyond the tree a state is worth what `hints` say of it; where
there are none, what one action throughout brings, the one that alone does best. Every course adds one node to the
tree. A node is worth what its best action is worth, not the mean of all that was tried there (T. Keller, M. Helmert,
2013): a blunder that was tried once costs nothing. No table of states is needed: only a `Simulator`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from math import prod
from typing import NamedTuple

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.kernel import below, derive, mix, rule, stream
from hiddenhand.planning.language.pomdpx_reading import Factored, Multiplied
from hiddenhand.planning.model.pomdp import Array, Floats, Pomdp
from hiddenhand.planning.model.simulator import (
    Factors,
    Part,
    Simulator,
    Tryable,
    any_legal,
    drawn_starts,
    is_legal,
    is_over,
    joined,
    move,
    row_of,
    simulator_of,
    weigh,
)
from hiddenhand.planning.planners.point_based.compiled_model import compiled_model
from hiddenhand.planning.planners.point_based.first_bounds import full_sight

MOST_HINTED = 300_000
"""States of a view that a hint is reckoned for."""
LONGEST = 30.0
"""Seconds for a hint."""
ALONE = 16
"""How often each action is tried alone, before the tree grows."""
MOST_DRAWS = 100
"""How often a whole crowd of first states is drawn, to find those that look like the true one."""
DOUBT = 0.3
"""The part of what is at stake that an action which was hardly tried is given the benefit of."""


class Tree(NamedTuple):
    """What was done and seen, from the present on. N nodes at most."""

    used: Array  # int64 (1,)
    visits: Array  # int64 (N,)
    worth: Array  # (N,): of the best that can be done from here on
    alone: Array  # (N,): what one action throughout brought
    tries: Array  # int64 (N, A)
    paid: Array  # (N, A): what the action paid at once, in all
    later: Array  # (N, A): what the nodes after it are worth, each as often as it was visited
    mean: Array  # (N, A): what the action brought when it was tried
    square: Array  # (N, A): the sum of squared deviations from it
    key: Array  # int64 (N, 3): the node before, what was done, what was seen
    places: Array  # int64: nodes by the hash of their keys; -1 where there is none


@dataclass(frozen=True)
class Tried:
    """What came of trying things out. All (A,)."""

    tries: Array
    mean: Array
    """What an action is worth, discounted, if the best is done after it; minus infinity where it was never tried."""
    error: Array
    """Half the width of the 95 % interval of what it brought, as if all courses had been equal from the start."""
    alone: int
    """The action that does best alone."""
    courses: int
    nodes: int

    @property
    def action(self) -> int:
        """The action to take: of those tried often, the best on average."""
        often = self.tries >= max(1, int(self.tries.max()) // 4)
        return int(np.where(often, self.mean, -np.inf).argmax())


def new_tree(actions: int, nodes: int) -> Tree:
    return Tree(
        np.zeros(1, dtype=np.int64),
        np.zeros(nodes, dtype=np.int64),
        np.zeros(nodes),
        np.full(nodes, -np.inf),
        np.zeros((nodes, actions), dtype=np.int64),
        np.zeros((nodes, actions)),
        np.zeros((nodes, actions)),
        np.zeros((nodes, actions)),
        np.zeros((nodes, actions)),
        np.full((nodes, 3), -1, dtype=np.int64),
        np.full(2 * nodes + 1, -1, dtype=np.int64),
    )


def try_out(
    simulator: Simulator, particles: Array, courses: int, depth: int, seed: int, hints: Factors | None = None
) -> Tried:
    """Imagine so many courses of at most so many steps, from states (n, slots) that the belief holds possible."""
    hints = joined([]) if hints is None else hints
    tree = new_tree(simulator.actions, courses + 1)
    tree.used[0] = 1
    rng = stream(seed)
    s = np.zeros(simulator.slots, dtype=np.int64)
    alone, stake = best_alone(simulator, particles, depth, s, rng)
    room = s, np.zeros((depth + 1, 2), dtype=np.int64), np.zeros(depth)
    imagine(simulator, particles, tree, (courses, int(alone), DOUBT * float(stake), hints), room, rng)
    tries = tree.tries[0]
    mean = (tree.paid[0] + simulator.discount * tree.later[0]) / np.maximum(tries, 1)
    deviation = np.sqrt(tree.square[0] / np.maximum(tries - 1, 1))
    return Tried(
        tries,
        np.where(tries > 0, mean, -np.inf),
        1.96 * deviation / np.sqrt(np.maximum(tries, 1)),
        int(alone),
        courses,
        int(tree.used[0]),
    )


@rule
def best_alone(simulator, particles, depth, s, rng):
    """The action that does best if nothing else is ever done where it is legal, and what is at stake: about the size
    of what that brings, or of the best single payoff that was seen."""
    best, best_mean, largest = -1, -np.inf, -np.inf
    for action in range(simulator.actions):
        total = 0.0
        for _ in range(ALONE):
            start_from(particles, s, rng)
            if action > 0 and not is_legal(simulator, s, action):
                total = -np.inf
                break
            value, highest = go_on(simulator, s, depth, action, rng)
            total += value
            largest = max(largest, highest)
        if total / ALONE > best_mean:
            best, best_mean = action, total / ALONE
    return best, max(abs(best_mean), largest, 1e-6)


@rule
def start_from(particles, s, rng):
    chosen = below(rng, len(particles))
    for k in range(len(s)):
        s[k] = particles[chosen, k]


@rule
def go_on(simulator, s, steps, alone, rng):
    """What one action throughout brings, and its best single payoff; where it is illegal, any legal one is done."""
    total, weight, highest = 0.0, 1.0, -np.inf
    for _ in range(steps):
        action = alone if is_legal(simulator, s, alone) else any_legal(simulator, s, rng)
        if action < 0:
            break
        _, payoff = move(simulator, s, action, rng)
        total += weight * payoff
        highest = max(highest, payoff)
        weight *= simulator.discount
    return total, highest


@rule
def imagine(simulator, particles, tree, how, room, rng):
    """Imagine courses; `how`: how many, the action of those who know no better, the benefit of the doubt, hints."""
    courses, alone, doubt, hints = how
    s, path, paid = room
    depth = len(paid)
    for _ in range(courses):
        start_from(particles, s, rng)
        node, steps = 0, 0
        path[0, 0] = 0
        while steps < depth:
            action = most_promising(simulator, tree, node, s, doubt)
            if action < 0:
                break
            seen, payoff = move(simulator, s, action, rng)
            path[steps, 1], paid[steps] = action, payoff
            steps += 1
            known = tree.used[0]
            node = node_after(tree, node, action, seen)
            path[steps, 0] = node
            if tree.used[0] > known:
                if len(hints.row):
                    tree.worth[node] = hinted(hints, s)
                else:
                    tree.alone[node], _ = go_on(simulator, s, depth - steps, alone, rng)
                    tree.worth[node] = tree.alone[node]
                break
        learn(simulator, tree, path, paid, steps)


@rule
def hinted(hints, s):
    """What the hints give a state, on average."""
    total = 0.0
    for f in range(len(hints.row)):
        low, _ = row_of(hints, f, s)
        total += hints.chance[low]
    return total / len(hints.row)


@rule
def learn(simulator, tree, path, paid, steps):
    """What a course of so many steps tells, from its end to its beginning."""
    last = path[steps, 0]
    before = tree.visits[last] * tree.worth[last]
    tree.visits[last] += 1
    for k in range(steps - 1, -1, -1):
        node, action, following = path[k, 0], path[k, 1], path[k + 1, 0]
        value = paid[k] + simulator.discount * tree.worth[following]
        tree.paid[node, action] += paid[k]
        tree.later[node, action] += tree.visits[following] * tree.worth[following] - before
        tree.tries[node, action] += 1
        change = value - tree.mean[node, action]
        tree.mean[node, action] += change / tree.tries[node, action]
        tree.square[node, action] += change * (value - tree.mean[node, action])
        before = tree.visits[node] * tree.worth[node]
        tree.visits[node] += 1
        best = tree.alone[node]
        for a in range(simulator.actions):
            if tree.tries[node, a] > 0:
                best = max(best, worth_of(simulator, tree, node, a))
        tree.worth[node] = best


@rule
def worth_of(simulator, tree, node, action):
    """What an action that was tried is worth, if the best is done after it."""
    return (tree.paid[node, action] + simulator.discount * tree.later[node, action]) / tree.tries[node, action]


@rule
def most_promising(simulator, tree, node, s, doubt):
    """The legal action that may be the best, or -1; what was never tried may be as good as anything here."""
    best, highest = -1, -np.inf
    logarithm = np.log(tree.visits[node] + 1.0)
    for action in range(simulator.actions):
        if not is_legal(simulator, s, action):
            continue
        n = tree.tries[node, action]
        if n == 0:
            hope = tree.worth[node] + doubt * (1.0 + logarithm)
        else:
            hope = worth_of(simulator, tree, node, action) + doubt * logarithm / n
            hope += np.sqrt(2.0 * tree.square[node, action] / n * logarithm / n)
        if hope > highest:
            best, highest = action, hope
    return best


@rule
def node_after(tree, node, action, seen):
    """The node that follows, made if it is new: there is room for one of each course."""
    places, key = tree.places, tree.key
    code = mix(mix(np.uint64(node)) ^ mix(np.uint64(action) + np.uint64(1)) ^ np.uint64(seen))
    place = np.int64(code % np.uint64(len(places)))
    while places[place] >= 0:
        found = places[place]
        if key[found, 0] == node and key[found, 1] == action and key[found, 2] == seen:
            return found
        place = place + 1 if place + 1 < len(places) else 0
    number = tree.used[0]
    places[place] = number
    key[number, 0], key[number, 1], key[number, 2] = node, action, seen
    tree.used[0] += 1
    return number


# --- hints ---


def hints_of(model: Tryable) -> Factors:
    """What states may be worth: to somebody who sees everything. None without a discount.

    A factored model is looked at through one hidden variable at a time, together with those that are seen; on average
    over these views. (The best of them would be too hopeful: there is always something good somewhere.) Views that do
    not stand by themselves are left out.
    """
    if not isinstance(model, Pomdp | Factored) or not 0.0 < model.discount < 1.0:
        return joined([])
    if isinstance(model, Pomdp):
        return joined([hint([1], [len(model.states)], model)])
    names, found = model.names, []
    sizes = [len(variable.values) for variable in names.before]
    seen = [i for i, is_seen in enumerate(names.seen) if is_seen]
    for views in [
        [i for i in range(len(sizes)) if i in seen or i == one] for one in range(len(sizes)) if one not in seen
    ]:
        part = view_of(model, views)
        if part is not None and prod(sizes[i] for i in views) <= MOST_HINTED:
            found.append(hint([1 + i for i in views], [sizes[i] for i in views], Multiplied(part).pomdp()))
    return joined(found)


def hint(slots: list[int], sizes: list[int], model: Pomdp) -> Part:
    """What the states of a model may be worth, as a function of the slots that make them up."""
    worth = full_sight(compiled_model(model), 1e-6, time.perf_counter() + LONGEST)
    return slots, sizes, -1, np.arange(len(worth) + 1), np.zeros(len(worth), np.int64), worth


def view_of(model: Factored, kept: list[int]) -> Factored | None:
    """The model with these state variables alone, and the rewards that depend on nothing else; None if they do."""
    names = model.names
    before, after = [names.before[i] for i in kept], [names.after[i] for i in kept]
    inside = {variable.name for variable in (*names.actions, *before, *after)}
    mine = {variable.name for variable in (*before, *after)}
    start = [f for f in model.start if {v.name for v in f.of} <= mine]
    moves = [f for f in model.moves if {v.name for v in f.of} <= mine]
    whole = [*start, *moves]
    if len(whole) < 2 * len(kept) or any(v.name not in inside for f in whole for v in f.given):
        return None
    rewards = [f for f in model.rewards if {v.name for v in f.given} <= inside]
    fewer = replace(names, before=before, after=after, seen=[names.seen[i] for i in kept], observations=[])
    return replace(model, names=fewer, start=start, moves=moves, sights=[], rewards=rewards)


# --- whole episodes, with a belief of particles ---


@dataclass(frozen=True)
class Episodes:
    """What episodes earned, discounted: one number each, and the mean with half its 95 % interval."""

    totals: Floats
    steps: int

    @property
    def mean(self) -> float:
        return float(self.totals.mean())

    @property
    def error(self) -> float:
        return float(1.96 * self.totals.std(ddof=1) / len(self.totals) ** 0.5)


@dataclass(frozen=True)
class Settings:
    """How whole episodes are played."""

    courses: int = 2000
    depth: int = 60
    particles: int = 2000
    steps: int = 100
    seed: int = 0


def play_episodes(model: Tryable, episodes: int, settings: Settings) -> Episodes:
    """Play so many episodes, each step by trying things out; the belief is a crowd of particles."""
    if episodes < 2:
        raise UserError(f"at least 2 episodes are needed to say how sure the mean is, not {episodes}")
    play = Play(model, simulator_of(model), hints_of(model), settings)
    totals = np.array([one_episode(play, derive(settings.seed, episode)) for episode in range(episodes)])
    return Episodes(totals, settings.steps)


class Play(NamedTuple):
    """What an episode is played with."""

    model: Tryable
    simulator: Simulator
    hints: Factors
    settings: Settings


def one_episode(play: Play, seed: int) -> float:
    model, simulator, hints, settings = play
    generator = np.random.default_rng(seed)
    truth = drawn_starts(model, 1, generator)[0]
    particles = particles_like(model, simulator, truth, settings.particles, generator)
    rng = stream(derive(seed, 0))
    total, weight = 0.0, 1.0
    for step in range(settings.steps):
        if is_over(simulator, truth):
            break
        tried = try_out(simulator, particles, settings.courses, settings.depth, derive(seed, 1 + step), hints)
        _, payoff = move(simulator, truth, tried.action, rng)
        total += weight * payoff
        weight *= simulator.discount
        track(simulator, particles, tried.action, truth, rng)
    return total


def particles_like(model: Tryable, simulator: Simulator, truth: Array, count: int, rng: np.random.Generator) -> Array:
    """(count, slots) first states that look like the truth, as far as they are seen before the first action."""
    watched = simulator.seen[simulator.seen <= 2 * simulator.variables] - simulator.variables

    def looks(states: Array) -> Array:
        """(n, what is seen) of states (n, slots)."""
        if isinstance(model, Pomdp):
            return states[:, :0] if model.seen_first is None else model.seen_first[states[:, 1:2]]
        return states[:, watched]

    alike = np.zeros((0, simulator.slots), dtype=np.int64)
    for _ in range(MOST_DRAWS):
        drawn = drawn_starts(model, count, rng)
        alike = np.concatenate((alike, drawn[(looks(drawn) == looks(truth[None])).all(axis=1)]))
        if len(alike) >= count:
            return alike[:count]
    few = alike if len(alike) else truth[None]
    return few[rng.integers(len(few), size=count)]


def track(simulator: Simulator, particles: Array, action: int, real: Array, rng: Array) -> None:
    """Move the particles (n, slots) on, and draw them anew by how well they fit what was seen, `real` (slots,).

    If none fits they stay what they became, but for the variables that are seen.
    """
    weights = np.zeros(len(particles))
    weigh_all(simulator, particles, action, real, weights, rng)
    whole = weights.sum()
    if whole <= 0.0:
        for slot in simulator.seen[simulator.seen <= 2 * simulator.variables]:
            particles[:, slot - simulator.variables] = real[slot]
        return
    points = (np.arange(len(weights)) + 0.5) / len(weights)
    particles[:] = particles[np.minimum(np.searchsorted(np.cumsum(weights) / whole, points), len(weights) - 1)]


@rule
def weigh_all(simulator, particles, action, real, weights, rng):
    for i in range(len(particles)):
        weights[i] = weigh(simulator, particles[i], action, real, rng)
