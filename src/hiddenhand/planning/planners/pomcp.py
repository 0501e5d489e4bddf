"""Online planning by simulation: POMCP (D. Silver, J. Veness, "Monte-Carlo planning in large POMDPs").

Simulations start in states drawn from the belief. Inside the tree of histories (actions and observations) they take
the action with the best upper confidence bound (UCB-V, J.-Y. Audibert et al., 2009: the more the returns of an action
vary, the longer it is tried). Every simulation adds one node to the tree. The value of a node is that of its best
action, not the mean of all returns (T. Keller, M. Helmert, 2013), so that a blunder that was tried once costs
nothing. No table of states is needed: only a `Simulator`.

A new node needs an initial value. Where a factored model has subproblems, their plans give it, one after the other
(see `plan_order`), and say which action to try first. The belief about each hidden variable is then updated along
every simulation: rewards are those that the belief expects, a node is weighted by its chance and not by how often it
was drawn, and when an action is tried for the first time, most of its observations are expanded. A state with a
number has the value for somebody who sees everything. Elsewhere the initial value is that of one action throughout,
the action that does best so.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text
from hiddenhand.kernel import below, derive, mix, rule, stream
from hiddenhand.planning.model.factored import Factored
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
from hiddenhand.planning.planners.factored.plan_order import joint_value, most_urgent, urgency
from hiddenhand.planning.planners.factored.subproblems import (
    NO_SUBPROBLEMS,
    Subproblems,
    plan_for,
    reward_correction,
    sample_hidden,
    situation,
    subproblems_of,
    update_belief,
)
from hiddenhand.planning.planners.point_based.compiled_model import compiled_model
from hiddenhand.planning.planners.point_based.initial_bounds import full_sight

LONGEST = 30.0
"""Seconds for the values of states under full sight."""
CONSTANT_ROLLOUTS = 16
"""Rollouts of each constant policy, before the tree grows."""
MOST_DRAWS = 100
"""How often a whole crowd of first states is drawn, to find those that look like the true one."""
EXPLORATION = 0.3
"""The exploration bonus, as a part of what is at stake."""
GUIDED_EXPLORATION = 0.01
"""The same where there are plans for subproblems: as a part of the range of their values."""
EXPANSION_SAMPLES = 3
"""How many observations are sampled when an action is tried for the first time."""


class HistoryTree(NamedTuple):
    """The tree of histories (actions and observations) from the present on. N nodes at most, A actions."""

    used: Array  # int64 (1,): how many nodes there are
    visits: Array  # int64 (N,)
    value: Array  # (N,): of the best action
    default_value: Array  # (N,): without search: what one action throughout brought, or the best value of a plan
    prior_gap: Array  # (N, A): by how much an action is expected to be worse than the best, before it is tried
    action_visits: Array  # int64 (N, A)
    weight: Array  # (N,): how often the node was visited, or its chance after the action before it where it is known
    child_weight: Array  # (N, A): the weight of all nodes after an action
    rewards: Array  # (N, A): the sum of the immediate rewards of an action
    future_value: Array  # (N, A): the sum of the values of the nodes after it, each by its weight
    mean_return: Array  # (N, A): of the simulations that took the action
    squared_deviation: Array  # (N, A): the sum of squared deviations from it
    key: Array  # int64 (N, 3): the node before, the action, the observation
    slots: Array  # int64: nodes by the hash of their keys; -1 where there is none


@dataclass(frozen=True)
class ActionEstimates:
    """What the search found out about each action at the root. Arrays are (A,)."""

    visits: Array
    mean: Array
    """The value of an action, discounted, if the best is done after it; minus infinity where it was never tried, but
    0 where nothing matters any more."""
    error: Array
    """Half the width of the 95 % interval of its return, as if all simulations had been alike from the start."""
    default_action: int
    """The action that does best if nothing else is ever done."""
    simulations: int
    nodes: int

    @property
    def action(self) -> int:
        """The action to take: of those tried often, the best on average."""
        often = self.visits >= max(1, int(self.visits.max()) // 4)
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
    """What is known before the search: values of states, or subproblems and the belief about them."""

    state_values: Factors
    subproblems: Subproblems
    belief: Array  # (H,), see `Subproblems`
    exploration: float  # the exploration bonus, where there are subproblems


def search(
    simulator: Simulator, particles: Array, simulations: int, depth: int, seed: int, guide: Guide | None = None
) -> ActionEstimates:
    """Run simulations of at most `depth` steps from particles (n, slots); returns the estimates at the root."""
    guide = UNGUIDED if guide is None else guide
    tree = new_tree(simulator.actions, 1 + simulations * (1 + EXPANSION_SAMPLES if len(guide.belief) else 1))
    tree.used[0] = 1
    rng = stream(seed)
    s = np.zeros(simulator.slots, dtype=np.int64)
    default_action, exploration = 0, guide.exploration
    if not len(guide.belief):
        default_action, stake = best_constant_action(simulator, particles, depth, s, rng)
        exploration = EXPLORATION * stake
    path = np.zeros((depth + 1, 2), dtype=np.int64), np.zeros(depth)
    done = np.zeros(len(guide.subproblems.size), dtype=np.bool_)
    workspace = s, *path, guide.belief.copy(), done, (s.copy(), guide.belief.copy(), done)
    simulate(
        simulator, particles, tree, (simulations, int(default_action), float(exploration)), guide, workspace, rng
    )
    tries = tree.action_visits[0]
    future_value = tree.future_value[0] / np.where(tries > 0, tree.child_weight[0], 1.0)
    mean = tree.rewards[0] / np.maximum(tries, 1) + simulator.discount * future_value
    deviation = np.sqrt(tree.squared_deviation[0] / np.maximum(tries - 1, 1))
    return ActionEstimates(
        tries,
        np.where(tries > 0, mean, -np.inf if tries.any() else 0.0),
        1.96 * deviation / np.sqrt(np.maximum(tries, 1)),
        int(default_action),
        simulations,
        int(tree.used[0]),
    )


@rule
def best_constant_action(simulator, particles, depth, s, rng):
    """The action that does best if nothing else is ever done where it is legal, and what is at stake: about the size
    of its return, or of the best single payoff that was seen."""
    best, best_mean, largest = -1, -np.inf, -np.inf
    for action in range(simulator.actions):
        total = 0.0
        for _ in range(CONSTANT_ROLLOUTS):
            sample_particle(particles, s, rng)
            if action > 0 and not is_legal(simulator, s, action):
                total = -np.inf
                break
            value, highest = constant_rollout(simulator, s, depth, action, rng)
            total += value
            largest = max(largest, highest)
        if total / CONSTANT_ROLLOUTS > best_mean:
            best, best_mean = action, total / CONSTANT_ROLLOUTS
    return best, max(abs(best_mean), largest, 1e-6)


@rule
def sample_particle(particles, s, rng):
    chosen = below(rng, len(particles))
    for k in range(len(s)):
        s[k] = particles[chosen, k]


@rule
def constant_rollout(simulator, s, steps, default_action, rng):
    """The return of one action throughout, and its best single payoff; where it is illegal, any legal one is done."""
    total, weight, highest = 0.0, 1.0, -np.inf
    for _ in range(steps):
        action = default_action if is_legal(simulator, s, default_action) else any_legal(simulator, s, rng)
        if action < 0:
            break
        _, payoff = move(simulator, s, action, rng)
        total += weight * payoff
        highest = max(highest, payoff)
        weight *= simulator.discount
    return total, highest


@rule
def simulate(simulator, particles, tree, how, guide, workspace, rng):
    """Run the simulations; `how`: (their number, the action of constant rollouts, the exploration bonus)."""
    simulations, default_action, exploration = how
    s, path, rewards, belief, done, spare = workspace
    subproblems, depth = guide.subproblems, len(rewards)
    guided = len(belief) > 0
    if guided:
        sample_particle(particles, s, rng)
        evaluate_node(simulator.discount, subproblems, tree, (0, situation(subproblems, s)), guide.belief, done)
    for _ in range(simulations):
        sample_particle(particles, s, rng)
        for k in range(len(belief)):
            belief[k] = guide.belief[k]
        sample_hidden(subproblems, belief, s, rng)
        node, steps = 0, 0
        path[0, 0] = 0
        while steps < depth:
            g = situation(subproblems, s)
            if guided and subproblems.terminal[g]:
                break
            action = select_action(simulator, tree, node, s, exploration)
            if action < 0:
                break
            untried = tree.action_visits[node, action] == 0
            if guided and untried:
                expand(simulator, subproblems, tree, (node, action, g), (s, belief), spare, rng)
            payoff = reward_correction(subproblems, belief, action, g, s)
            seen, drawn = move(simulator, s, action, rng)
            path[steps, 1], rewards[steps] = action, payoff + drawn
            chance = update_belief(subproblems, belief, action, g, s) if guided else 1.0
            steps += 1
            known = tree.used[0]
            node = child_node(tree, node, action, seen)
            path[steps, 0] = node
            if tree.used[0] > known:
                if guided:
                    initialise_node(
                        simulator.discount, subproblems, tree, node, (situation(subproblems, s), chance), belief, done
                    )
                else:
                    evaluate_leaf(simulator, guide.state_values, tree, node, s, (depth - steps, default_action), rng)
            if untried or tree.used[0] > known:
                break
        backup(simulator, tree, path, rewards, steps, guided)


@rule
def expand(simulator, subproblems, tree, what, now, spare, rng):
    """Add nodes for some observations of an action that is tried for the first time, so that its value does not
    depend
    on luck; `what`: (the node, the action, the situation), `now`: (the slots, the belief)."""
    node, action, g = what
    s, belief, done = spare
    for _ in range(EXPANSION_SAMPLES):
        for k in range(len(s)):
            s[k] = now[0][k]
        for k in range(len(belief)):
            belief[k] = now[1][k]
        sample_hidden(subproblems, belief, s, rng)
        seen, _ = move(simulator, s, action, rng)
        chance = update_belief(subproblems, belief, action, g, s)
        known = tree.used[0]
        following = child_node(tree, node, action, seen)
        if tree.used[0] > known:
            initialise_node(
                simulator.discount, subproblems, tree, following, (situation(subproblems, s), chance), belief, done
            )
        if tree.child_weight[node, action] > 0.999:
            break


@rule
def initialise_node(discount, subproblems, tree, node, what, belief, done):
    """Give a new node its value and its weight; `what`: (the situation, its probability)."""
    g, chance = what
    evaluate_node(discount, subproblems, tree, (node, g), belief, done)
    before, action = tree.key[node, 0], tree.key[node, 1]
    tree.weight[node] = chance
    tree.child_weight[before, action] += chance
    tree.future_value[before, action] += chance * tree.value[node]


@rule
def evaluate_node(discount, subproblems, tree, where, belief, done):
    """The initial value of a node, and the prior gap of each action; `where`: (the node, the situation).

    An action that no plan asks for costs a step. An action of a plan that is less urgent delays the other plans."""
    node, g = where
    tree.value[node], tree.default_value[node] = joint_value(subproblems, g, belief, done), 0.0
    if subproblems.terminal[g]:
        return
    first, greatest = most_urgent(subproblems, g, belief)
    for action in range(tree.action_visits.shape[1]):
        tree.prior_gap[node, action] = (discount - 1.0) * abs(tree.value[node])
    tree.prior_gap[node, first] = 0.0
    tree.default_value[node] = -np.inf
    for f in range(len(subproblems.size)):
        value, _, _ = plan_for(subproblems, f, g, belief)
        tree.default_value[node] = max(tree.default_value[node], value)
        urgent, lost, _, action = urgency(subproblems, f, g, belief)
        if urgent > 0.0:
            tree.prior_gap[node, action] = max(tree.prior_gap[node, action], (urgent - greatest) * lost)


@rule
def evaluate_leaf(simulator, state_values, tree, node, s, how, rng):
    """The initial value of a node where there are no subproblems: that of its state, or of a constant rollout.

    how   (the steps of the rollout, its action)
    """
    steps, default_action = how
    if len(state_values.row):
        low, _ = row_of(state_values, 0, s)
        tree.value[node] = state_values.chance[low]
    else:
        tree.default_value[node], _ = constant_rollout(simulator, s, steps, default_action, rng)
        tree.value[node] = tree.default_value[node]


@rule
def backup(simulator, tree, path, rewards, steps, guided):
    """Back up the returns of a simulation, from its last step to its first.

    Where the chances of observations are not known, the weight of a node is its number of visits."""
    last = path[steps, 0]
    before = tree.weight[last] * tree.value[last]
    tree.visits[last] += 1
    for k in range(steps - 1, -1, -1):
        node, action, following = path[k, 0], path[k, 1], path[k + 1, 0]
        if not guided:
            tree.weight[following] += 1.0
            tree.child_weight[node, action] += 1.0
        value = rewards[k] + simulator.discount * tree.value[following]
        tree.rewards[node, action] += rewards[k]
        tree.future_value[node, action] += tree.weight[following] * tree.value[following] - before
        tree.action_visits[node, action] += 1
        change = value - tree.mean_return[node, action]
        tree.mean_return[node, action] += change / tree.action_visits[node, action]
        tree.squared_deviation[node, action] += change * (value - tree.mean_return[node, action])
        before = tree.weight[node] * tree.value[node]
        tree.visits[node] += 1
        best = tree.default_value[node]
        for a in range(simulator.actions):
            if tree.action_visits[node, a] > 0:
                best = max(best, action_value(simulator, tree, node, a))
        tree.value[node] = best


@rule
def action_value(simulator, tree, node, action):
    """The value of an action that was tried, if the best is done after it."""
    future_value = tree.future_value[node, action] / tree.child_weight[node, action]
    return tree.rewards[node, action] / tree.action_visits[node, action] + simulator.discount * future_value


@rule
def select_action(simulator, tree, node, s, exploration):
    """The legal action with the best upper confidence bound, or -1 if none is legal.

    An action that was never tried has the value of the node, less its prior gap."""
    best, highest = -1, -np.inf
    logarithm = np.log(tree.visits[node] + 1.0)
    for action in range(simulator.actions):
        if not is_legal(simulator, s, action):
            continue
        n = tree.action_visits[node, action]
        if n == 0:
            bound = tree.value[node] + tree.prior_gap[node, action] + exploration * (1.0 + logarithm)
        else:
            bound = action_value(simulator, tree, node, action) + exploration * logarithm / n
            bound += np.sqrt(2.0 * tree.squared_deviation[node, action] / n * logarithm / n)
        if bound > highest:
            best, highest = action, bound
    return best


@rule
def child_node(tree, node, action, seen):
    """The node that follows, made if it is new."""
    places, key = tree.slots, tree.key
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
    """The subproblems of a factored model, if they are independent; the values of numbered states under full sight.

    Without a discount there is nothing of this."""
    if isinstance(model, Factored):
        found = subproblems_of(model)
        if found is not None:
            exploration = GUIDED_EXPLORATION * float(np.ptp(found.vectors))
            return UNGUIDED._replace(subproblems=found, belief=found.start, exploration=exploration)
    if isinstance(model, Pomdp) and 0.0 < model.discount < 1.0:
        value = full_sight(compiled_model(model), 1e-6, time.perf_counter() + LONGEST)
        rows = np.arange(len(value) + 1), np.zeros(len(value), np.int64), value
        return UNGUIDED._replace(state_values=joined([([1], [len(value)], -1, *rows)]))
    return UNGUIDED


UNGUIDED = Guide(joined([]), NO_SUBPROBLEMS, np.zeros(0), 0.0)


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
class EpisodeSettings:
    """How whole episodes are played."""

    simulations: int = 2000
    depth: int = 60
    particles: int = 2000
    steps: int = 100
    seed: int = 0


def play_episodes(model: Tryable, episodes: int, settings: EpisodeSettings) -> Episodes:
    """Play episodes with POMCP at every step; the belief is that of the subproblems, or a set of particles."""
    if episodes < 2:
        raise UserError(
            Text("at least 2 episodes are needed to say how sure the mean is, not {episodes}", episodes=episodes)
        )
    play = EpisodeSetup(model, simulator_of(model), guide_of(model), settings)
    totals = np.array([one_episode(play, derive(settings.seed, episode)) for episode in range(episodes)])
    return Episodes(totals, settings.steps)


class EpisodeSetup(NamedTuple):
    """What an episode is played with."""

    model: Tryable
    simulator: Simulator
    guide: Guide
    settings: EpisodeSettings


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
        g = situation(guide.subproblems, truth)
        if is_over(simulator, truth) or (guided and guide.subproblems.terminal[g]):
            break
        if guided:
            particles[0, guide.subproblems.seen] = truth[guide.subproblems.seen]
        now = guide._replace(belief=belief)
        estimates = search(simulator, particles, settings.simulations, settings.depth, derive(seed, 1 + step), now)
        _, payoff = move(simulator, truth, estimates.action, rng)
        total += weight * payoff
        weight *= simulator.discount
        if guided:
            update_belief(guide.subproblems, belief, estimates.action, g, truth)
        else:
            update_particles(simulator, particles, estimates.action, truth, rng)
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


def update_particles(simulator: Simulator, particles: Array, action: int, real: Array, rng: Array) -> None:
    """One step of a particle filter: propagate the particles (n, slots), weight them by the likelihood of what was
    seen, `real` (slots,), and resample them.

    If no particle has any likelihood, they are kept, and the variables that are seen are set to what was seen.
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
