"""A plan followed to its end: all beliefs that it leads to, how likely each is, and what is met on the way.

Layer t holds the beliefs after t steps. The first action is given, those after it are the planner's. Only what the
plan itself does is in it, so it is small where the planner's own tree is large.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hiddenhand.planning.explain.facts import BETTER, Fact, best_known, holds_at, strength_at
from hiddenhand.planning.explain.question import PlanQuestion
from hiddenhand.planning.model.belief_graph import Nodes
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.planners.protocol import among_best

END = -1


@dataclass(frozen=True)
class Layer:
    """The k beliefs that are possible after t steps, and the E observations that may follow."""

    nodes: Nodes
    """(k,) in the planner's graph."""
    actions: Nodes
    """(k,) what the plan does there; END where it is over."""
    source: Nodes
    """(E,) the place among the nodes."""
    observation: Nodes
    probability: Floats
    following: Nodes
    """(E,) the place among the nodes of the next layer."""


@dataclass(frozen=True)
class Tries:
    """The first moments at which a payoff may follow at once. All (m,)."""

    nodes: Nodes
    reached: Floats
    """How likely it comes to this moment, with no such moment before it."""
    chance: Floats
    """That the payoff follows."""
    steps: Nodes
    """How many steps were made before."""


@dataclass(frozen=True)
class Reached:
    """Something that may come about."""

    chance: float
    steps: float
    """The mean number of steps until then, if it happens."""


class PlanRollout:
    """What the advised plan leads to if it begins with this action."""

    def __init__(self, question: PlanQuestion, action: int) -> None:
        self.question = question
        self.world, self.planner = question.world, question.planner
        graph = self.planner.graph
        nodes = np.array([graph.node(question.belief)])
        actions = np.array([action])
        self.layers: list[Layer] = []
        for left in range(question.depth, 0, -1):
            edges = graph.edges(nodes)
            kept = edges.action == actions[edges.source]
            following, place = np.unique(edges.following[kept], return_inverse=True)
            observation, probability = edges.observation[kept], edges.probability[kept]
            self.layers.append(Layer(nodes, actions, edges.source[kept], observation, probability, place))
            nodes, actions = following, self.planned(following, left - 1)
        nothing = np.zeros(0, dtype=np.intp)
        self.layers.append(Layer(nodes, np.full(len(nodes), END), nothing, nothing, np.zeros(0), nothing))

    def planned(self, nodes: Nodes, left: int) -> Nodes:
        """(k,) the planner's actions at the nodes with `left` steps to go."""
        if not len(nodes) or not left:
            return np.full(len(nodes), END)
        values = self.planner.action_values(nodes, left)
        over = ~np.isfinite(values).any(axis=1)
        return np.where(over, END, np.argmax(among_best(values), axis=1))

    # --- what is met ---

    def paid(self) -> dict[int, float]:
        """What each payoff, by its place among the names, brings on average, discounted."""
        world, discount = self.world, self.planner.model.discount
        found: dict[int, float] = {}
        here: Floats = np.ones(1)
        for step, layer in enumerate(self.layers[:-1]):
            weights = here[layer.source] * layer.probability
            for name in np.unique(world.payoff_name_of[layer.observation]).tolist():
                met = world.payoff_name_of[layer.observation] == name
                amount = float(weights[met] @ world.payoffs[layer.observation[met]])
                found[name] = found.get(name, 0.0) + discount**step * amount
            here = summed(layer.following, weights, self.layers[step + 1].nodes)
        return found

    def at_once(self) -> dict[int, tuple[float, float]]:
        """The payoffs, by their places among the names, that the first step may bring: how likely each is, and what
        it brings on average."""
        world, first = self.world, self.layers[0]
        names = world.payoff_name_of[first.observation]
        amounts = first.probability * world.payoffs[first.observation]
        return {
            name: (float(first.probability[names == name].sum()), float(amounts[names == name].sum()))
            for name in np.unique(names).tolist()
        }

    def learns(self, fact: Fact, payoff: int) -> bool:
        """Whether, before the payoff is tried, anything that is seen tells more of a hidden variable than was known
        without it; what the actions themselves make of the variable is not learnt."""
        place = [axis.name for axis in self.world.hidden].index(fact.variable)
        here: Floats = np.ones(1)
        for layer, after in zip(self.layers, self.layers[1:]):
            pays = self.world.payoff_name_of[layer.observation] == payoff
            tried = summed(layer.source[pays], layer.probability[pays], layer.nodes) > 0.0
            here = np.where(tried | (layer.actions == END), 0.0, here)
            for place_in_layer in np.flatnonzero(here).tolist():
                belief = self.planner.graph.belief(int(layer.nodes[place_in_layer]))
                reached = np.asarray(belief @ self.world.transitions[int(layer.actions[place_in_layer])])
                seen = layer.source == place_in_layer
                known = sum(
                    p * strength_at(self.question, fact, int(after.nodes[node]))
                    for p, node in zip(layer.probability[seen].tolist(), layer.following[seen].tolist())
                )
                if known > best_known(self.world, reached)[place] + BETTER:
                    return True
            here = summed(layer.following, here[layer.source] * layer.probability, after.nodes)
        return False

    def first_tries(self, payoff: int) -> Tries:
        """The first moments at which the plan does something that may bring a payoff at once."""
        here: Floats = np.ones(1)
        found: list[tuple[Nodes, Floats, Floats, Nodes]] = []
        for step, layer in enumerate(self.layers[:-1]):
            pays = self.world.payoff_name_of[layer.observation] == payoff
            chance = summed(layer.source[pays], layer.probability[pays], layer.nodes)
            tried = (chance > 0.0) & (here > 0.0)
            found.append((layer.nodes[tried], here[tried], chance[tried], np.full(int(tried.sum()), step)))
            weights = np.where(tried, 0.0, here)[layer.source] * layer.probability
            here = summed(layer.following, weights, self.layers[step + 1].nodes)
        nodes, reached, chances, steps = (np.concatenate(parts) for parts in zip(*found))
        return Tries(nodes, reached, chances, steps)

    def reaches(self, fact: Fact) -> Reached:
        """How likely a fact is true at some moment after now, and after how many steps on average."""
        here: Floats = np.ones(1)
        met = steps = 0.0
        for step, (layer, after) in enumerate(zip(self.layers, self.layers[1:]), 1):
            weights = here[layer.source] * layer.probability
            here = summed(layer.following, weights, after.nodes)
            true = holds_at(self.question, fact, after.nodes)
            met += float(here[true].sum())
            steps += step * float(here[true].sum())
            here = np.where(true, 0.0, here)
        return Reached(met, steps / met if met > 0.0 else np.inf)

    def gains(self, fact: Fact) -> float:
        """How true a fact is after the first step, on average."""
        first, after = self.layers[0], self.layers[1]
        chances = summed(first.following, first.probability, after.nodes)
        return float(sum(p * strength_at(self.question, fact, int(n)) for p, n in zip(chances.tolist(), after.nodes)))

    def meets(self, payoff: int) -> Reached:
        """How likely a payoff is met at least once, and after how many steps on average."""
        here: Floats = np.ones(1)
        met = steps = 0.0
        for step, (layer, after) in enumerate(zip(self.layers, self.layers[1:]), 1):
            weights = here[layer.source] * layer.probability
            pays = self.world.payoff_name_of[layer.observation] == payoff
            met += float(weights[pays].sum())
            steps += step * float(weights[pays].sum())
            here = summed(layer.following, np.where(pays, 0.0, weights), after.nodes)
        return Reached(met, steps / met if met > 0.0 else np.inf)


def summed(places: Nodes, weights: Floats, nodes: Nodes) -> Floats:
    """(k,) the sum of the weights at each place."""
    sums: Floats = np.bincount(places, weights, minlength=len(nodes)).astype(np.float64)
    return sums
