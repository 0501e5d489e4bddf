"""A point-based plan as an agent of every world: it plans for ever, with a discount, and says what it may miss.

For every belief that it meets it narrows the bounds anew, from that belief on, by so many walks: the same belief
gives the same decision. What it decided it remembers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Decision
from hiddenhand.core.game import Game
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.planners.point_based.solver import solve
from hiddenhand.planning.planners.protocol import Plan, plan_by_values
from hiddenhand.planning.play.model_reasons import told
from hiddenhand.planning.play.planner_agent import MEMORY_SETTING
from hiddenhand.planning.play.world_rules import belief_in, world_of

LONGEST = 600.0
"""Seconds for one decision: never reached but on a machine that does little else."""
MOST_REMEMBERED = 10_000


class PointBasedAgent(Agent):
    """Acts on the best of many plans, each good at some belief."""

    name = "point_based"
    summary = Text("plans for ever at the beliefs that matter, and knows how far it may be from the best")
    settings = {
        "discount": Setting(0.95, Text("what a payoff one step later is worth"), low=0.01, high=0.999),
        "walks": Setting(100, Text("how often it thinks its way into the future for a move"), low=1, ceiling=1000),
        "memory": MEMORY_SETTING,
    }

    discount: float
    walks: int
    memory: float

    def __init__(self, game: Game, **values: Any) -> None:
        super().__init__(game, **values)
        self.world = world_of(game)
        self.model = self.world.pomdp().with_discount(self.discount)
        self.plans: dict[bytes, Plan] = {}

    def plan(self, belief: Floats) -> Plan:
        key = np.round(belief, 12).tobytes()
        if key not in self.plans:
            if len(self.plans) >= MOST_REMEMBERED:
                self.plans.clear()
            solution = solve(self.model.begun(belief), seconds=LONGEST, memory=self.memory, walks=self.walks)
            values = np.full(len(self.model.actions), -np.inf)
            for action, value in solution.action_values(belief).items():
                values[action] = value
            self.plans[key] = replace(plan_by_values(values, None), bounds=solution.value_bounds(belief))
        return self.plans[key]

    def decide(self, view: View) -> Decision:
        plan = self.plan(belief_in(self.world, view.record))
        return Decision(plan.action, view.text(plan.action), plan.value)

    def explain(self, view: View) -> Decision:
        belief = belief_in(self.world, view.record)
        named = replace(self.model, actions=tuple(" ".join(values) for values in self.world.actions))
        return told(named, belief, self.plan(belief))
