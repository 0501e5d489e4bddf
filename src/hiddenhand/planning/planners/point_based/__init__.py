"""Bounds on what a discounted model is worth, found at the beliefs that matter: a point-based solver as a planner."""

from __future__ import annotations

from numpy.typing import ArrayLike

from hiddenhand.planning.model.belief_graph import checked
from hiddenhand.planning.model.pomdp import Pomdp
from hiddenhand.planning.model.world import World
from hiddenhand.planning.planners.point_based.solver import PointBasedSolution, solve
from hiddenhand.planning.planners.protocol import Plan


class PointBasedPlanner:
    """Plans for ever, by bounds that were narrowed once, from the first belief that it is asked about."""

    def __init__(
        self,
        model: Pomdp | World,
        discount: float | None = None,
        precision: float = 0.001,
        seconds: float = 60.0,
        memory: float = 1000.0,
    ) -> None:
        pomdp = model if isinstance(model, Pomdp) else model.pomdp()
        self.model = pomdp if discount is None else pomdp.with_discount(discount)
        self.precision, self.seconds, self.memory = precision, seconds, memory
        self.solution: PointBasedSolution | None = None

    def plan(self, belief: ArrayLike, horizon: int) -> Plan:
        """The action that is worth most at least. It is planned for ever, whatever the horizon."""
        now = checked(belief, self.model)
        if self.solution is None:
            model = self.model.begun(now)
            self.solution = solve(model, precision=self.precision, seconds=self.seconds, memory=self.memory)
        return self.solution.plan(now)
