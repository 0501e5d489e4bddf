"""Planning to any depth over the beliefs that can come about.

From given starts often only a few hundred beliefs can be reached, however long one plays (Dorban: 906 from all 120
visible states). They are then the states of an ordinary, fully visible decision process, and backward induction over
them reckons exactly what any number of steps is worth, what a policy earns, and what it loses against the best one:
no sampling, no depth limit. (Exactly: beliefs that agree to twelve decimals count as one, which is also why endless
evidence, as in the tiger problem, comes to an end.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from hiddenhand.core.errors import UserError
from hiddenhand.planning.model.belief_graph import MEMORY, MOST_BELIEFS, Nodes
from hiddenhand.planning.model.pomdp import Floats, Pomdp
from hiddenhand.planning.model.world import World
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.protocol import Plan, among_best, checked_depth, plan_by_values

MOST_SWEEPS = 100_000

Policy = NDArray[np.intp]
"""(N,) the action at every reachable belief; -1 where none is legal."""


@dataclass(frozen=True)
class Settled:
    """A policy that has been proved good enough, and the proof in numbers."""

    policy: Policy
    depth: int
    """How many steps ahead it plans at every step."""
    values: Floats
    """(N,) what the policy earns; for endless play, what it earns at least."""
    loss: float
    """No reachable belief loses more than this against the best plan there is."""


class Reachable:
    """The beliefs that can be reached from the starts by any actions: N of them, the starts first.

    A UserError says so if they are more than the planner allows.
    """

    def __init__(self, planner: ExactPlanner, starts: Sequence[ArrayLike] | Floats | csr_array) -> None:
        self.planner = planner
        first = planner.graph.nodes_of(starts)
        self.nodes = closure(planner, first)
        place = np.full(len(planner.graph), -1)
        place[self.nodes] = np.arange(len(self.nodes))
        self.starts = place[first]
        """The place of each start among the N."""
        edges = planner.graph.edges(self.nodes)
        self.actions = len(planner.model.actions)
        self.steps = csr_array(
            (edges.probability, (edges.source * self.actions + edges.action, place[edges.following])),
            shape=(len(self.nodes) * self.actions, len(self.nodes)),
        )
        """(N * A, N) where each action leads from each belief."""
        self.rewards = planner.graph.rewards.all[self.nodes]
        """(N, A) -inf where illegal."""
        self.ends = ~np.isfinite(self.rewards).any(axis=1)

    def __len__(self) -> int:
        return len(self.nodes)

    def belief(self, place: int) -> Floats:
        return self.planner.graph.belief(self.nodes[place])

    # --- the best plan ---

    def action_values(self, worth: Floats) -> Floats:
        """(N, A) what each action is worth if the beliefs after it are worth (N,)."""
        discount = self.planner.model.discount
        found: Floats = self.rewards + discount * (self.steps @ worth).reshape(len(self), self.actions)
        return found

    def best(self, action_values: Floats) -> Floats:
        return np.where(self.ends, 0.0, action_values.max(axis=1))

    def values(self, horizon: int) -> Floats:
        """(N,) what the best plan for this many steps earns."""
        worth = np.zeros(len(self))
        for _ in range(horizon):
            worth = self.best(self.action_values(worth))
        return worth

    def plan(self, horizon: int) -> tuple[list[Policy], Floats]:
        """The best plan: the policy for each step, the first step first, and what it earns, (N,)."""
        policies: list[Policy] = []
        worth = np.zeros(len(self))
        for _ in range(horizon):
            values = self.action_values(worth)
            policies.append(self.first_best(values))
            worth = self.best(values)
        return policies[::-1], worth

    def first_best(self, action_values: Floats) -> Policy:
        """The first of the best actions everywhere."""
        return np.where(self.ends, -1, np.argmax(among_best(action_values), axis=1))

    # --- policies ---

    def replanning(self, depth: int) -> Policy:
        """The policy of an agent that plans `depth` steps ahead at every step."""
        return self.first_best(self.action_values(self.values(depth - 1)))

    def earned(self, policy: Policy, horizon: int) -> Floats:
        """(N,) what following one policy for this many steps earns on average."""
        rows = np.arange(len(self)) * self.actions + np.maximum(policy, 0)
        rewards = np.where(self.ends, 0.0, self.rewards[np.arange(len(self)), np.maximum(policy, 0)])
        steps = self.steps[rows]
        worth = np.zeros(len(self))
        for _ in range(horizon):
            worth = rewards + self.planner.model.discount * (steps @ worth)
        return worth

    def settle(self, horizon: int, tolerance: float = 1e-6) -> Settled:
        """The least depth at which replanning is as good as the best plan for all the steps, and its policy.

        As good: at no reachable belief, with any number of steps up to the horizon left to play, does it lose more
        than the tolerance; with fewer steps left than the depth, it plans just those. Both plans are reckoned to the
        end, so this is a proof.
        """
        if self.planner.model.discount < 1.0:
            return self.settle_discounted(tolerance)
        best = [np.zeros(len(self))]
        for _ in range(horizon):
            best.append(self.best(self.action_values(best[-1])))
        for depth in range(1, horizon + 1):
            policy = self.first_best(self.action_values(best[depth - 1]))
            worth, loss = best[depth], 0.0
            for left in range(depth + 1, horizon + 1):
                worth = self.step(policy, worth)
                loss = max(loss, float((best[left] - worth).max()))
                if loss > tolerance:
                    break
            else:
                return Settled(policy, depth, worth, loss)
        raise AssertionError("planning for the whole horizon loses nothing")

    def settle_discounted(self, tolerance: float = 1e-6) -> Settled:
        """For endless play with a discount: the least depth at which replanning provably loses no more than that.

        If one more step of planning changes the values by between low and high, the policy of that step earns at
        least low / (1 - discount) more than the last values say, discounted once, and no policy more than high /
        (1 - discount) (MacQueen's bounds).
        """
        discount = self.planner.model.discount
        worth = np.zeros(len(self))
        for depth in range(1, MOST_SWEEPS + 1):
            values = self.action_values(worth)
            change = self.best(values) - worth
            worth = worth + change
            share = discount / (1.0 - discount)
            loss = share * float(change.max() - change.min())
            if loss <= tolerance:
                return Settled(self.first_best(values), depth, worth + share * float(change.min()), loss)
        raise UserError(
            "{most} steps ahead are not enough for a loss of at most {tolerance:g}; allow more loss",
            most=MOST_SWEEPS,
            tolerance=tolerance,
        )

    def step(self, policy: Policy, worth: Floats) -> Floats:
        """(N,) what one step by the policy is worth, and then (N,)."""
        values = self.action_values(worth)[np.arange(len(self)), np.maximum(policy, 0)]
        return np.where(self.ends, 0.0, values)


class ReachablePlanner:
    """Plans over all beliefs that can come about from those it was asked about, for any number of steps."""

    def __init__(
        self,
        model: Pomdp | World,
        discount: float | None = None,
        most_beliefs: int = MOST_BELIEFS,
        memory: float = MEMORY,
    ) -> None:
        self.exact = ExactPlanner(model, discount, most_beliefs, memory)
        self.model = self.exact.model
        self.reachable: Reachable | None = None
        self.places: dict[int, int] = {}
        """The place among the reachable beliefs, by the node of the graph."""
        self.worth: list[Floats] = []
        """(N,) what the beliefs are worth with 0, 1, 2, ... steps to go."""

    def plan(self, belief: ArrayLike, horizon: int) -> Plan:
        """The best action for a belief (S,) with `horizon` steps to go."""
        place = self.place_of(belief)
        reachable = self.reachable
        assert reachable is not None
        if reachable.ends[place]:
            raise UserError(
                "no action is legal in {place}", place=self.model.states[int(np.argmax(reachable.belief(place)))]
            )
        if checked_depth(horizon) == 0:
            return plan_by_values(np.where(np.isfinite(reachable.rewards[place]), 0.0, -np.inf), 0)
        while len(self.worth) < horizon:
            self.worth.append(reachable.best(reachable.action_values(self.worth[-1])))
        return plan_by_values(reachable.action_values(self.worth[horizon - 1])[place], horizon)

    def place_of(self, belief: ArrayLike) -> int:
        """Where the belief stands among those that can come about, which are found first if need be."""
        node = self.exact.graph.node(belief)
        if node not in self.places:
            before = [] if self.reachable is None else [self.reachable.belief(s) for s in self.reachable.starts]
            self.reachable = Reachable(self.exact, [*before, self.exact.graph.belief(node)])
            self.places = {int(n): place for place, n in enumerate(self.reachable.nodes)}
            self.worth = [np.zeros(len(self.reachable))]
        return self.places[node]


def closure(planner: ExactPlanner, starts: Nodes) -> Nodes:
    """The nodes that can be reached from the starts, those included, in the order of first meeting."""
    reached = [starts[np.sort(np.unique(starts, return_index=True)[1])]]
    seen = np.zeros(0, dtype=np.bool_)
    while len(reached[-1]):
        following = np.unique(planner.graph.edges(reached[-1]).following)
        seen = np.concatenate((seen, np.zeros(len(planner.graph) - len(seen), dtype=np.bool_)))
        seen[reached[-1]] = True
        reached.append(following[~seen[following]])
    return np.concatenate(reached)


def from_all_starts(planner: ExactPlanner, world: World) -> Reachable:
    """All beliefs that can be reached from the uniform belief of any visible state."""
    return Reachable(planner, world.all_uniform())
