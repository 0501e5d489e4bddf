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
from hiddenhand.kernel import below, derive, mix, rule, stream
from hiddenhand.planning.model.factored import Factored
from hiddenhand.planning.model.pomdp import Array, Floats, Pomdp
from hiddenhand.planning.model.simulator import (
    Factors,
    Simulator,
    Tryable,
    amounts_part,
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
    """A tree of the root alone, with room for so many nodes."""
    return HistoryTree(
        used=np.ones(1, dtype=np.int64),
        visits=np.zeros(nodes, dtype=np.int64),
        value=np.zeros(nodes),
        default_value=np.full(nodes, -np.inf),
        prior_gap=np.zeros((nodes, actions)),
        action_visits=np.zeros((nodes, actions), dtype=np.int64),
        weight=np.zeros(nodes),
        child_weight=np.zeros((nodes, actions)),
        rewards=np.zeros((nodes, actions)),
        future_value=np.zeros((nodes, actions)),
        mean_return=np.zeros((nodes, actions)),
        squared_deviation=np.zeros((nodes, actions)),
        key=np.full((nodes, 3), -1, dtype=np.int64),
        slots=np.full(2 * nodes + 1, -1, dtype=np.int64),
    )


class Guide(NamedTuple):
    """What is known before the search: values of states, or subproblems and the belief about them."""

    state_values: Factors
    subproblems: Subproblems
    belief: Array  # (H,), see `Subproblems`
    exploration: float  # the exploration bonus, where there are subproblems


class SimulationSettings(NamedTuple):
    """What the simulations without subproblems have in common."""

    simulations: int  # their number
    default_action: int  # the action of constant rollouts
    exploration: float  # the exploration bonus


class SearchWorkspace(NamedTuple):
    """Arrays that every simulation writes anew. D: the most steps of a simulation."""

    s: Array  # int64 (slots,): the state of the world, see `Simulator`
    belief: Array  # (H,): what is believed in the simulation, see `Subproblems`
    path: Array  # int64 (D + 1, 2): the nodes that were passed, and the action taken in each
    rewards: Array  # (D,)
    done: Array  # bool (F,): see `joint_value`
    spare_s: Array  # int64 (slots,): the state after a sampled observation, see `expand`
    spare_belief: Array  # (H,): the belief after it


def search(
    simulator: Simulator, particles: Array, simulations: int, depth: int, seed: int, guide: Guide | None = None
) -> ActionEstimates:
    """Run simulations of at most `depth` steps from particles (n, slots); returns the estimates at the root."""
    guide = UNGUIDED if guide is None else guide
    guided = len(guide.belief) > 0
    tree = new_tree(simulator.actions, 1 + simulations * (1 + EXPANSION_SAMPLES if guided else 1))
    rng = stream(seed)
    s = np.zeros(simulator.slots, dtype=np.int64)
    workspace = SearchWorkspace(
        s=s,
        belief=guide.belief.copy(),
        path=np.zeros((depth + 1, 2), dtype=np.int64),
        rewards=np.zeros(depth),
        done=np.zeros(len(guide.subproblems.size), dtype=np.bool_),
        spare_s=s.copy(),
        spare_belief=guide.belief.copy(),
    )
    default_action = 0
    if guided:
        simulate_guided(simulator, guide, particles, tree, simulations, workspace, rng)
    else:
        default_action, stake = best_constant_action(simulator, particles, depth, s, rng)
        settings = SimulationSettings(simulations, int(default_action), EXPLORATION * float(stake))
        simulate(simulator, guide.state_values, particles, tree, settings, workspace, rng)
    tries = tree.action_visits[0]
    future_value = tree.future_value[0] / np.where(tries > 0, tree.child_weight[0], 1.0)
    mean = tree.rewards[0] / np.maximum(tries, 1) + simulator.discount * future_value
    deviation = np.sqrt(tree.squared_deviation[0] / np.maximum(tries - 1, 1))
    return ActionEstimates(
        visits=tries,
        mean=np.where(tries > 0, mean, -np.inf if tries.any() else 0.0),
        error=1.96 * deviation / np.sqrt(np.maximum(tries, 1)),
        default_action=int(default_action),
        simulations=simulations,
        nodes=int(tree.used[0]),
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
def simulate(simulator, state_values, particles, tree, settings, workspace, rng):
    """Run the simulations of a search without subproblems; `settings`: see `SimulationSettings`."""
    s, path, rewards = workspace.s, workspace.path, workspace.rewards
    depth = len(rewards)
    for _ in range(settings.simulations):
        sample_particle(particles, s, rng)
        node, steps, is_new = 0, 0, False
        path[0, 0] = 0
        while steps < depth and not is_new:
            action = select_action(simulator, tree, node, s, settings.exploration)
            if action < 0:
                break
            seen, rewards[steps] = move(simulator, s, action, rng)
            path[steps, 1] = action
            steps += 1
            known = tree.used[0]
            node = child_node(tree, node, action, seen)
            path[steps, 0] = node
            is_new = tree.used[0] > known
        if is_new:
            left = depth - steps
            value, default_value = leaf_value(simulator, state_values, s, left, settings.default_action, rng)
            tree.value[node], tree.default_value[node] = value, default_value
        backup(simulator, tree, path, rewards, steps, False)


@rule
def simulate_guided(simulator, guide, particles, tree, simulations, workspace, rng):
    """Run the simulations of a search with subproblems: the belief about them is updated along every simulation."""
    subproblems, start = guide.subproblems, guide.belief
    s, belief, path, rewards, done = workspace.s, workspace.belief, workspace.path, workspace.rewards, workspace.done
    depth = len(rewards)
    sample_particle(particles, s, rng)
    evaluate_node(subproblems, tree, 0, situation(subproblems, s), start, done)
    for _ in range(simulations):
        sample_particle(particles, s, rng)
        for k in range(len(belief)):
            belief[k] = start[k]
        sample_hidden(subproblems, belief, s, rng)
        node, steps, g = 0, 0, situation(subproblems, s)
        path[0, 0] = 0
        while steps < depth and not subproblems.terminal[g]:
            action = select_action(simulator, tree, node, s, guide.exploration)
            if action < 0:
                break
            untried = tree.action_visits[node, action] == 0
            if untried:
                expand(simulator, subproblems, tree, node, action, workspace, rng)
            payoff = reward_correction(subproblems, belief, action, g, s)
            seen, drawn = move(simulator, s, action, rng)
            path[steps, 1], rewards[steps] = action, payoff + drawn
            chance = update_belief(subproblems, belief, action, g, s)
            steps, g, known = steps + 1, situation(subproblems, s), tree.used[0]
            node = child_node(tree, node, action, seen)
            path[steps, 0] = node
            is_new = tree.used[0] > known
            if is_new:
                initialise_node(subproblems, tree, node, g, chance, belief, done)
            if untried or is_new:
                break
        backup(simulator, tree, path, rewards, steps, True)


@rule
def expand(simulator, subproblems, tree, node, action, workspace, rng):
    """Add nodes for some observations of an action that is tried for the first time, so that its value does not
    depend on luck."""
    present, believed, done = workspace.s, workspace.belief, workspace.done
    s, belief, g = workspace.spare_s, workspace.spare_belief, situation(subproblems, present)
    for _ in range(EXPANSION_SAMPLES):
        for k in range(len(s)):
            s[k] = present[k]
        for k in range(len(belief)):
            belief[k] = believed[k]
        sample_hidden(subproblems, belief, s, rng)
        seen, _ = move(simulator, s, action, rng)
        chance = update_belief(subproblems, belief, action, g, s)
        known = tree.used[0]
        following = child_node(tree, node, action, seen)
        if tree.used[0] > known:
            initialise_node(subproblems, tree, following, situation(subproblems, s), chance, belief, done)
        if tree.child_weight[node, action] > 0.999:
            break


@rule
def initialise_node(subproblems, tree, node, g, chance, belief, done):
    """Give a new node in situation g, which is reached with this chance, its value and its weight."""
    evaluate_node(subproblems, tree, node, g, belief, done)
    before, action = tree.key[node, 0], tree.key[node, 1]
    tree.weight[node] = chance
    tree.child_weight[before, action] += chance
    tree.future_value[before, action] += chance * tree.value[node]


@rule
def evaluate_node(subproblems, tree, node, g, belief, done):
    """The initial value of a node in situation g, and the prior gap of each action.

    An action that no plan asks for costs a step. An action of a plan that is less urgent delays the other plans."""
    tree.value[node], tree.default_value[node] = joint_value(subproblems, g, belief, done), 0.0
    if subproblems.terminal[g]:
        return
    first, greatest = most_urgent(subproblems, g, belief)
    for action in range(tree.action_visits.shape[1]):
        tree.prior_gap[node, action] = (subproblems.discount - 1.0) * abs(tree.value[node])
    tree.prior_gap[node, first] = 0.0
    tree.default_value[node] = -np.inf
    for f in range(len(subproblems.size)):
        value, _, _ = plan_for(subproblems, f, g, belief)
        tree.default_value[node] = max(tree.default_value[node], value)
        urgent, lost, _, action = urgency(subproblems, f, g, belief)
        if urgent > 0.0:
            tree.prior_gap[node, action] = max(tree.prior_gap[node, action], (urgent - greatest) * lost)


@rule
def leaf_value(simulator, state_values, s, steps, default_action, rng):
    """The initial value of a node where there are no subproblems, and its value without search: the value of its
    state, or what a constant rollout of at most so many steps brings."""
    if len(state_values.row):
        low, _ = row_of(state_values, 0, s)
        return state_values.chance[low], -np.inf
    value, _ = constant_rollout(simulator, s, steps, default_action, rng)
    return value, value


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
        return UNGUIDED._replace(state_values=joined([amounts_part([1], [len(value)], value)]))
    return UNGUIDED


UNGUIDED = Guide(state_values=joined([]), subproblems=NO_SUBPROBLEMS, belief=np.zeros(0), exploration=0.0)


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
            "at least 2 episodes are needed to say how sure the mean is, not {episodes}", episodes=episodes
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
