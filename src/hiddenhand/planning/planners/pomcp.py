"""Planning at the table, by trying things out: POMCP (D. Silver, J. Veness, "Monte-Carlo planning in large POMDPs").

From states that the belief holds possible, courses of events are imagined: as far as a tree of what was done and seen
goes, by the action that looks best or has been tried too little (UCB-V, J.-Y. Audibert et al., 2009: the more the
results of an action vary, the longer it is tried). Every course adds one node to the tree. A node is worth what its
best action is worth, not the mean of all that was tried there (T. Keller, M. Helmert, 2013): a blunder that was tried
once costs nothing. No table of states is needed: only a `Simulator`.

What a new node is worth is the question. Where a factored model has aspects, their plans answer it, one after the
other (see `plan_order`), and say what to try first. What is believed of each hidden variable is reckoned along
every course: payoffs are those which the belief expects, a node counts by its chance and not by how often it was
drawn, and when an action is tried for the first time, most of what may follow is looked at. A state with a number is
worth what somebody gets who sees everything. Elsewhere it is what one action throughout brings, the one that alone
does best.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.kernel import below, derive, mix, rule, stream
from hiddenhand.planning.language.pomdpx_reading import Factored
from hiddenhand.planning.model.pomdp import Array, Floats, Pomdp
from hiddenhand.planning.model.simulator import (
    Factors,
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
from hiddenhand.planning.planners.factored.plan_order import most_urgent, urgency, worth_together
from hiddenhand.planning.planners.factored.subproblems import (
    NO_ASPECTS,
    Aspects,
    aspects_of,
    believe,
    draw_hidden,
    evened,
    plan_for,
    situation,
)
from hiddenhand.planning.planners.point_based.compiled_model import compiled_model
from hiddenhand.planning.planners.point_based.initial_bounds import full_sight

LONGEST = 30.0
"""Seconds for what states may be worth."""
ALONE = 16
"""How often each action is tried alone, before the tree grows."""
MOST_DRAWS = 100
"""How often a whole crowd of first states is drawn, to find those that look like the true one."""
DOUBT = 0.3
"""The part of what is at stake that an action which was hardly tried is given the benefit of."""
GUIDED_DOUBT = 0.01
"""The same, of the range of all that plans promise, where there are plans to go by."""
FORESEEN = 3
"""How often it is drawn what follows, when an action is tried for the first time."""


class HistoryTree(NamedTuple):
    """What was done and seen, from the present on. N nodes at most."""

    used: Array  # int64 (1,)
    visits: Array  # int64 (N,)
    worth: Array  # (N,): of the best that can be done from here on
    alone: Array  # (N,): what can be had without thinking: what one action throughout brought, or the best promise
    lean: Array  # (N, A): how much less an action promises than the best
    tries: Array  # int64 (N, A)
    weight: Array  # (N,): how often the node was visited, or its chance after the action before it where it is known
    known: Array  # (N, A): the weight of all nodes after an action
    paid: Array  # (N, A): what the action paid at once, in all
    later: Array  # (N, A): what the nodes after it are worth, each by its weight
    mean: Array  # (N, A): what the action brought when it was tried
    square: Array  # (N, A): the sum of squared deviations from it
    key: Array  # int64 (N, 3): the node before, what was done, what was seen
    places: Array  # int64: nodes by the hash of their keys; -1 where there is none


@dataclass(frozen=True)
class ActionEstimates:
    """What came of trying things out. All (A,)."""

    tries: Array
    mean: Array
    """What an action is worth, discounted, if the best is done after it; minus infinity where it was never tried, but
    0 where nothing matters any more."""
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


def new_tree(actions: int, nodes: int) -> HistoryTree:
    return HistoryTree(
        np.zeros(1, dtype=np.int64),
        np.zeros(nodes, dtype=np.int64),
        np.zeros(nodes),
        np.full(nodes, -np.inf),
        np.zeros((nodes, actions)),
        np.zeros((nodes, actions), dtype=np.int64),
        np.zeros(nodes),
        np.zeros((nodes, actions)),
        np.zeros((nodes, actions)),
        np.zeros((nodes, actions)),
        np.zeros((nodes, actions)),
        np.zeros((nodes, actions)),
        np.full((nodes, 3), -1, dtype=np.int64),
        np.full(2 * nodes + 1, -1, dtype=np.int64),
    )


class Guide(NamedTuple):
    """What is known before anything is tried: what states may be worth, or aspects and what is believed of them."""

    hints: Factors
    aspects: Aspects
    belief: Array  # (H,), see `Aspects`
    doubt: float  # the benefit of the doubt, where there are aspects


def try_out(
    simulator: Simulator, particles: Array, courses: int, depth: int, seed: int, guide: Guide | None = None
) -> ActionEstimates:
    """Imagine so many courses of at most so many steps, from states (n, slots) that the belief holds possible."""
    guide = UNGUIDED if guide is None else guide
    tree = new_tree(simulator.actions, 1 + courses * (1 + FORESEEN if len(guide.belief) else 1))
    tree.used[0] = 1
    rng = stream(seed)
    s = np.zeros(simulator.slots, dtype=np.int64)
    alone, doubt = 0, guide.doubt
    if not len(guide.belief):
        alone, stake = best_alone(simulator, particles, depth, s, rng)
        doubt = DOUBT * stake
    path = np.zeros((depth + 1, 2), dtype=np.int64), np.zeros(depth)
    done = np.zeros(len(guide.aspects.size), dtype=np.bool_)
    room = s, *path, guide.belief.copy(), done, (s.copy(), guide.belief.copy(), done)
    imagine(simulator, particles, tree, (courses, int(alone), float(doubt)), guide, room, rng)
    tries = tree.tries[0]
    later = tree.later[0] / np.where(tries > 0, tree.known[0], 1.0)
    mean = tree.paid[0] / np.maximum(tries, 1) + simulator.discount * later
    deviation = np.sqrt(tree.square[0] / np.maximum(tries - 1, 1))
    return ActionEstimates(
        tries,
        np.where(tries > 0, mean, -np.inf if tries.any() else 0.0),
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
def imagine(simulator, particles, tree, how, guide, room, rng):
    """Imagine courses; `how`: how many, the action of those who know no better, the benefit of the doubt."""
    courses, alone, doubt = how
    s, path, paid, belief, done, spare = room
    aspects, depth = guide.aspects, len(paid)
    guided = len(belief) > 0
    if guided:
        start_from(particles, s, rng)
        look_around(simulator.discount, aspects, tree, (0, situation(aspects, s)), guide.belief, done)
    for _ in range(courses):
        start_from(particles, s, rng)
        for k in range(len(belief)):
            belief[k] = guide.belief[k]
        draw_hidden(aspects, belief, s, rng)
        node, steps = 0, 0
        path[0, 0] = 0
        while steps < depth:
            g = situation(aspects, s)
            if guided and aspects.over[g]:
                break
            action = most_promising(simulator, tree, node, s, doubt)
            if action < 0:
                break
            fresh = tree.tries[node, action] == 0
            if guided and fresh:
                foresee(simulator, aspects, tree, (node, action, g), (s, belief), spare, rng)
            payoff = evened(aspects, belief, action, g, s)
            seen, drawn = move(simulator, s, action, rng)
            path[steps, 1], paid[steps] = action, payoff + drawn
            chance = believe(aspects, belief, action, g, s) if guided else 1.0
            steps += 1
            known = tree.used[0]
            node = node_after(tree, node, action, seen)
            path[steps, 0] = node
            if tree.used[0] > known:
                if guided:
                    count_in(simulator.discount, aspects, tree, node, (situation(aspects, s), chance), belief, done)
                else:
                    guess(simulator, guide.hints, tree, node, s, (depth - steps, alone), rng)
            if fresh or tree.used[0] > known:
                break
        learn(simulator, tree, path, paid, steps, guided)


@rule
def foresee(simulator, aspects, tree, what, now, spare, rng):
    """Look at some of what may be seen after an action that is tried for the first time, so that its worth is no
    matter of luck; `what`: the node, the action and the situation, `now`: the slots and the belief."""
    node, action, g = what
    s, belief, done = spare
    for _ in range(FORESEEN):
        for k in range(len(s)):
            s[k] = now[0][k]
        for k in range(len(belief)):
            belief[k] = now[1][k]
        draw_hidden(aspects, belief, s, rng)
        seen, _ = move(simulator, s, action, rng)
        chance = believe(aspects, belief, action, g, s)
        known = tree.used[0]
        following = node_after(tree, node, action, seen)
        if tree.used[0] > known:
            count_in(simulator.discount, aspects, tree, following, (situation(aspects, s), chance), belief, done)
        if tree.known[node, action] > 0.999:
            break


@rule
def count_in(discount, aspects, tree, node, what, belief, done):
    """Give a new node its worth and its weight; `what`: the situation, and the chance that it comes about."""
    g, chance = what
    look_around(discount, aspects, tree, (node, g), belief, done)
    before, action = tree.key[node, 0], tree.key[node, 1]
    tree.weight[node] = chance
    tree.known[before, action] += chance
    tree.later[before, action] += chance * tree.worth[node]


@rule
def look_around(discount, aspects, tree, where, belief, done):
    """What a new node may be worth, and how much less each action promises than the best; `where`: the node and the
    situation. What no plan asks for costs a step. What a plan asks for that is less urgent makes the others wait."""
    node, g = where
    tree.worth[node], tree.alone[node] = worth_together(aspects, g, belief, done), 0.0
    if aspects.over[g]:
        return
    first, greatest = most_urgent(aspects, g, belief)
    for action in range(tree.tries.shape[1]):
        tree.lean[node, action] = (discount - 1.0) * abs(tree.worth[node])
    tree.lean[node, first] = 0.0
    tree.alone[node] = -np.inf
    for f in range(len(aspects.size)):
        value, _, _ = plan_for(aspects, f, g, belief)
        tree.alone[node] = max(tree.alone[node], value)
        urgent, lost, _, action = urgency(aspects, f, g, belief)
        if urgent > 0.0:
            tree.lean[node, action] = max(tree.lean[node, action], (urgent - greatest) * lost)


@rule
def guess(simulator, hints, tree, node, s, how, rng):
    """What a new node may be worth where there are no aspects: what the hints give its state, or what one action
    brings for so many steps."""
    steps, alone = how
    if len(hints.row):
        low, _ = row_of(hints, 0, s)
        tree.worth[node] = hints.chance[low]
    else:
        tree.alone[node], _ = go_on(simulator, s, steps, alone, rng)
        tree.worth[node] = tree.alone[node]


@rule
def learn(simulator, tree, path, paid, steps, guided):
    """What a course of so many steps tells, from its end to its beginning. Where chances are not known, a node weighs
    as much as it was visited."""
    last = path[steps, 0]
    before = tree.weight[last] * tree.worth[last]
    tree.visits[last] += 1
    for k in range(steps - 1, -1, -1):
        node, action, following = path[k, 0], path[k, 1], path[k + 1, 0]
        if not guided:
            tree.weight[following] += 1.0
            tree.known[node, action] += 1.0
        value = paid[k] + simulator.discount * tree.worth[following]
        tree.paid[node, action] += paid[k]
        tree.later[node, action] += tree.weight[following] * tree.worth[following] - before
        tree.tries[node, action] += 1
        change = value - tree.mean[node, action]
        tree.mean[node, action] += change / tree.tries[node, action]
        tree.square[node, action] += change * (value - tree.mean[node, action])
        before = tree.weight[node] * tree.worth[node]
        tree.visits[node] += 1
        best = tree.alone[node]
        for a in range(simulator.actions):
            if tree.tries[node, a] > 0:
                best = max(best, worth_of(simulator, tree, node, a))
        tree.worth[node] = best


@rule
def worth_of(simulator, tree, node, action):
    """What an action that was tried is worth, if the best is done after it."""
    later = tree.later[node, action] / tree.known[node, action]
    return tree.paid[node, action] / tree.tries[node, action] + simulator.discount * later


@rule
def most_promising(simulator, tree, node, s, doubt):
    """The legal action that may be the best, or -1; what was never tried may be as good as anything here, but for
    what it promises less."""
    best, highest = -1, -np.inf
    logarithm = np.log(tree.visits[node] + 1.0)
    for action in range(simulator.actions):
        if not is_legal(simulator, s, action):
            continue
        n = tree.tries[node, action]
        if n == 0:
            hope = tree.worth[node] + tree.lean[node, action] + doubt * (1.0 + logarithm)
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


# --- what is known before ---


def guide_of(model: Tryable) -> Guide:
    """The aspects of a factored model, where they stand by themselves; what states may be worth to somebody who sees
    everything, where they are numbered. Nothing without a discount."""
    if isinstance(model, Factored):
        found = aspects_of(model)
        if found is not None:
            doubt = GUIDED_DOUBT * float(np.ptp(found.vectors))
            return UNGUIDED._replace(aspects=found, belief=found.start, doubt=doubt)
    if isinstance(model, Pomdp) and 0.0 < model.discount < 1.0:
        worth = full_sight(compiled_model(model), 1e-6, time.perf_counter() + LONGEST)
        rows = np.arange(len(worth) + 1), np.zeros(len(worth), np.int64), worth
        return UNGUIDED._replace(hints=joined([([1], [len(worth)], -1, *rows)]))
    return UNGUIDED


UNGUIDED = Guide(joined([]), NO_ASPECTS, np.zeros(0), 0.0)


# --- whole episodes ---


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
    """Play so many episodes, each step by trying things out; the belief is that of the aspects, or a crowd of
    particles."""
    if episodes < 2:
        raise UserError(f"at least 2 episodes are needed to say how sure the mean is, not {episodes}")
    play = EpisodeSetup(model, simulator_of(model), guide_of(model), settings)
    totals = np.array([one_episode(play, derive(settings.seed, episode)) for episode in range(episodes)])
    return Episodes(totals, settings.steps)


class EpisodeSetup(NamedTuple):
    """What an episode is played with."""

    model: Tryable
    simulator: Simulator
    guide: Guide
    settings: Settings


def one_episode(play: EpisodeSetup, seed: int) -> float:
    model, simulator, guide, settings = play
    generator = np.random.default_rng(seed)
    truth = drawn_starts(model, 1, generator)[0]
    belief = guide.belief.copy()
    guided = len(belief) > 0
    particles = np.zeros((1, simulator.slots), dtype=np.int64)
    if not guided:
        particles = particles_like(model, simulator, truth, settings.particles, generator)
    rng = stream(derive(seed, 0))
    total, weight = 0.0, 1.0
    for step in range(settings.steps):
        g = situation(guide.aspects, truth)
        if is_over(simulator, truth) or (guided and guide.aspects.over[g]):
            break
        if guided:
            particles[0, guide.aspects.seen] = truth[guide.aspects.seen]
        now = guide._replace(belief=belief)
        tried = try_out(simulator, particles, settings.courses, settings.depth, derive(seed, 1 + step), now)
        _, payoff = move(simulator, truth, tried.action, rng)
        total += weight * payoff
        weight *= simulator.discount
        if guided:
            believe(guide.aspects, belief, tried.action, g, truth)
        else:
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
