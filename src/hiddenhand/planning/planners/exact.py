"""The exact planner: the definition of a good action, reckoned with every belief once.

With n steps to go, an action is worth its expected immediate payoff and what the best continuation is worth over all
that may be observed next (Q); a belief is worth its best legal action (V); with no steps to go everything is worth
nothing:

    Q(b, a, n) = R(b, a) + discount * sum over observations o of P(o | b, a) * V(b after a and o, n - 1)
    V(b, n)    = max over legal a of Q(b, a, n),    V(b, 0) = 0

For a `World` the payoff R(b, a) is that of the visible states reached, as Svarog has it: the payoff of the present
one is not counted, that of each visible state reached is. A belief in which no action is legal is an end: worth
nothing.

The best action is the first one, in the order of actions, whose Q is within `TIE` of the largest: rounding then
cannot decide between equals, and the plan says that there was a tie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hiddenhand.core.errors import UserError
from hiddenhand.planning.model.belief_graph import MEMORY, MOST_BELIEFS, BeliefGraph, Nodes
from hiddenhand.planning.model.pomdp import Floats, Pomdp
from hiddenhand.planning.model.world import World
from hiddenhand.planning.planners.protocol import Plan, checked_depth, plan_by_values


@dataclass(frozen=True)
class Future:
    """One thing that may be observed after an action."""

    observation: int
    """The number of the observation: for a `World`, of the visible state reached."""
    probability: float
    belief: Floats
    """(S,) the belief that follows."""


class ExactPlanner:
    """Plans in one model, a `Pomdp` or a `World`, and remembers every belief and value it has reckoned.

    A belief is an array (S,) over the model's states (for a `World`: its possible states, as `World.uniform` gives
    it). Actions and observations are numbers; an observation of a `World` is the number of a visible state.

        planner = ExactPlanner(world)
        plan = planner.plan(belief, horizon=4)         # action, value, values of all actions, ties
        planner.value(belief, depth=4)                 # V
        planner.values(belief, depth=4)                # Q of all actions, (A,)
        planner.futures(belief, plan.action)           # what may be observed, how likely, and the beliefs after
        belief = planner.after(belief, action, seen)   # UserError if that cannot be observed; nothing is changed
        planner.plan_all(beliefs, depth=4)           # the same for many beliefs at once, much faster
        planner.forget()                               # begin from scratch

    `memory` (in megabytes) and `most_beliefs` are bounds: a plan that would need more is refused with a UserError.
    """

    def __init__(
        self,
        model: Pomdp | World,
        discount: float | None = None,
        most_beliefs: int = MOST_BELIEFS,
        memory: float = MEMORY,
    ) -> None:
        pomdp = model if isinstance(model, Pomdp) else model.pomdp()
        self.model = pomdp if discount is None else pomdp.with_discount(discount)
        self.graph = BeliefGraph(self.model, most_beliefs, memory)
        self.forget()

    def forget(self) -> None:
        """Drop all that is remembered."""
        self.graph.forget()
        self.worth: list[Floats] = [np.zeros(0)]
        """V of every node with 0, 1, 2, ... steps to go; NaN where it has not been needed yet."""

    # --- one belief ---

    def plan(self, belief: ArrayLike, horizon: int) -> Plan:
        """The best action for a belief (S,) with `horizon` steps to go."""
        return self.plan_all([belief], horizon)[0]

    def value(self, belief: ArrayLike, depth: int) -> float:
        """V(belief, depth)."""
        return float(self.worths(np.array([self.graph.node(belief)]), checked_depth(depth))[0])

    def values(self, belief: ArrayLike, depth: int) -> Floats:
        """Q(belief, action, depth) of all actions, (A,); -inf where illegal."""
        found: Floats = self.action_values(np.array([self.graph.node(belief)]), checked_depth(depth))[0]
        return found

    def futures(self, belief: ArrayLike, action: int) -> list[Future]:
        """All that may be observed after a legal action, in the order of observations."""
        node = self.graph.node(belief)
        self.model.require_legal(self.graph.belief(node), action)
        edges = self.graph.edges(np.array([node]))
        return [
            Future(int(observation), float(probability), self.graph.belief(following))
            for observation, probability, following, by in zip(
                edges.observation, edges.probability, edges.following, edges.action
            )
            if by == action
        ]

    def after(self, belief: ArrayLike, action: int, observation: int) -> Floats:
        """The belief after an action and what was observed then."""
        return self.model.after(np.asarray(belief, dtype=np.float64), action, observation)[0]

    # --- many beliefs at once ---

    def plan_all(self, beliefs: Sequence[ArrayLike] | Floats, depth: int) -> list[Plan]:
        """The best action for each of the beliefs (n, S)."""
        nodes = self.graph.nodes_of(beliefs)
        values = self.action_values(nodes, checked_depth(depth))
        dead = np.flatnonzero(~np.isfinite(values).any(axis=1))
        if len(dead):
            state = int(np.argmax(self.graph.belief(nodes[dead[0]])))
            raise UserError("no action is legal in {states}", states=self.model.states[state])
        return [plan_by_values(row, depth) for row in values]

    def action_values(self, nodes: Nodes, depth: int) -> Floats:
        """Q of all actions at nodes of the graph, (n, A); -inf where illegal."""
        if depth == 0:
            self.graph.expand(nodes)
            return np.where(np.isfinite(self.graph.rewards.all[nodes]), 0.0, -np.inf)
        edges = self.graph.edges(nodes)
        worth = self.worths(edges.following, depth - 1)
        actions = len(self.model.actions)
        sums = np.bincount(
            edges.source * actions + edges.action, edges.probability * worth, minlength=len(nodes) * actions
        )
        found: Floats = self.graph.rewards.all[nodes] + self.model.discount * sums.reshape(-1, actions)
        return found

    def worths(self, nodes: Nodes, depth: int) -> Floats:
        """V of nodes, (n,). First down, to find the beliefs that matter with fewer steps to go; then up again."""
        wanted: list[Nodes] = []
        for left in range(depth, 0, -1):
            needed = np.unique(nodes if left == depth else self.graph.edges(wanted[-1]).following)
            wanted.append(needed[np.isnan(self.known(left)[needed])])
            if not len(wanted[-1]):
                break
        for left in range(depth + 1 - len(wanted), depth + 1):
            missing = wanted[depth - left]
            if len(missing):
                best = self.action_values(missing, left).max(axis=1)
                self.known(left)[missing] = np.where(np.isfinite(best), best, 0.0)
        return self.known(depth)[nodes]

    def known(self, left: int) -> Floats:
        """V of all nodes with `left` steps to go, NaN where unknown."""
        while len(self.worth) <= left:
            self.worth.append(np.zeros(0))
        missing = len(self.graph) - len(self.worth[left])
        if missing > 0:
            more = np.full(max(missing, len(self.graph) // 2), np.nan if left else 0.0)
            self.worth[left] = np.concatenate((self.worth[left], more))
        return self.worth[left]
