"""The planner as an agent of every world that is played as a game: a plan, or what was looked up, with reasons.

It plans so many steps ahead at every step, or as many as are left; what it decided for a belief it remembers. With a
file of precalculated knowledge it looks the belief up instead, by one of the rules of `lookup`, and plans only where
the file says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.game import Game
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.planning.explain.explanation import Explanation, explain
from hiddenhand.planning.explain.lookup_reasons import LookedUp
from hiddenhand.planning.explain.question import PlanQuestion
from hiddenhand.planning.model.belief_graph import MEMORY
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import World
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.lookup import CONSTANT, PAIRS, RULES, LookupPlanner
from hiddenhand.planning.planners.point_based.solver import solve
from hiddenhand.planning.planners.protocol import Plan, Planner
from hiddenhand.planning.play.model_reasons import told
from hiddenhand.planning.play.world_rules import belief_in, world_of

MOST_DEPTH = 50
MOST_REMEMBERED = 500_000
"""The most beliefs in the planner's memory; when there are more, it is emptied."""

MEMORY_SETTING = Setting(500.0, Text("the megabytes that its plans may take"), low=1.0, high=1e6, ceiling=500.0)

SETTINGS: Mapping[str, Setting] = {
    "depth": Setting(4, Text("how many steps it plans ahead"), low=1, high=MOST_DEPTH),
    "discount": Setting(1.0, Text("what a payoff one step later is worth"), low=0.0, high=1.0),
    "knowledge": Setting("", Text("a file of plans made in advance, to look actions up in"), kind="file"),
    "lookup": Setting(
        "document",
        Text(
            "how it reads that file for a belief that is not in it: as Svarog's document or program "
            "says, or by one rule"
        ),
        choices=(*PAIRS, *RULES),
    ),
    "constant": Setting(
        CONSTANT, Text("what is added to a distance where plans made in advance vote by their distance"), low=0.0
    ),
    "memory": MEMORY_SETTING,
}


@dataclass
class PlanDecision(Decision):
    """A decision with all the reasons of a planner."""

    explanation: Explanation | None = None
    looked_up: LookedUp | None = None

    def to_json(self) -> dict[str, Any]:
        document = super().to_json()
        if self.looked_up is not None:
            document["looked_up"] = self.looked_up.to_json()
        if self.explanation is not None:
            document["explanation"] = self.explanation.to_json()
        return document


@dataclass(eq=False)
class Decider:
    """Decides in one world, and remembers what it has planned or read. Its settings are `SETTINGS`."""

    world: World
    depth: int = 4
    discount: float = 1.0
    knowledge: str = ""
    lookup: str = "document"
    constant: float = CONSTANT
    memory: float = MEMORY

    def __post_init__(self) -> None:
        self.exact = ExactPlanner(self.world, self.discount, memory=self.memory)
        self.stored = (
            LookupPlanner(self.world, self.knowledge, self.lookup, self.exact, self.constant)
            if self.knowledge
            else None
        )
        self.planner: Planner = self.exact if self.stored is None else self.stored

    def plan(self, belief: Floats, left: int) -> Plan:
        """The plan for a belief (S,) with `left` steps left to play."""
        if len(self.exact.graph) > MOST_REMEMBERED:
            self.exact.forget()
        return self.planner.plan(belief, min(self.depth, left))

    # --- reasons ---

    def question(self, belief: Floats, left: int) -> PlanQuestion:
        """What is to be decided, with a planner of its own: the beliefs that it tries will not come again."""
        return PlanQuestion(
            self.world, ExactPlanner(self.exact.model, memory=self.exact.graph.memory), belief, min(self.depth, left)
        )

    def reasons(self, belief: Floats, left: int, why_not: str | None = None) -> PlanDecision:
        """The decision with everything that can be said about it; `why_not` names an action to compare it with."""
        question = self.question(belief, left)
        action, advice, name = self.plan(belief, left).action, question.advice, question.action_text
        explanation = explain(question, why_not, action)
        equals = set(advice.ties) - {action} if action in advice.ties else set()
        looked_up = self.looked_up(question)
        reasons = explanation.sentences()
        if looked_up is not None:  # after the headline
            reasons[1:1] = looked_up.sentences()
        return PlanDecision(
            action,
            name(action),
            float(advice.values[action]),
            alternatives=[
                Alternative(a, name(a), float(advice.values[a]), Text("as good") if a in equals else "")
                for a in question.legal
            ],
            belief=explanation.belief.likeliest,
            reasons=reasons,
            line=[Text(event.action) for event in explanation.trajectory.events],
            counts={"depth": question.depth, "beliefs": len(question.planner.graph)},
            explanation=explanation,
            looked_up=looked_up,
        )

    def looked_up(self, question: PlanQuestion) -> LookedUp | None:
        """How the plan was looked up; None if it was computed."""
        if self.stored is None:
            return None
        found = self.stored.found(question.belief, question.depth)
        return None if found is None else LookedUp(question, found, self.stored.constant)


class PlannerAgent(Agent):
    """Acts on the exact plan for its belief."""

    name = "planner"
    summary = Text("plans exactly, so many steps ahead, with its belief of what is hidden")
    settings = SETTINGS

    def __init__(self, game: Game, **values: Any) -> None:
        super().__init__(game, **values)
        self.world = world_of(game)
        self.decider = Decider(self.world, **self.values)
        self.decided: dict[tuple[bytes, int], int] = {}
        """The action by visible state and belief, and by the steps left as far as they matter."""

    def decide(self, view: View) -> Decision:
        record = view.record
        left = min(int(record.steps - record.step), self.decider.depth)
        key = (np.append(np.round(record.belief, 12), record.visible).tobytes(), left)
        if key not in self.decided:
            self.decided[key] = self.decider.plan(belief_in(self.world, record), left).action
        action = self.decided[key]
        return PlanDecision(action, view.action_name(action))

    def explain(self, view: View) -> Decision:
        return self.reasons(view)

    def reasons(self, view: View, why_not: str | None = None) -> PlanDecision:
        """The decision with everything that can be said about it; `why_not` names an action to compare it with."""
        left = int(view.record.steps - view.record.step)
        decision = self.decider.reasons(belief_in(self.world, view.record), left, why_not)
        decision.text = view.action_name(decision.action)
        for alternative in decision.alternatives:
            alternative.text = view.action_name(alternative.action)
        return decision


# ---- a point-based plan as an agent

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
            self.plans[key] = solution.plan(belief)
        return self.plans[key]

    def decide(self, view: View) -> Decision:
        plan = self.plan(belief_in(self.world, view.record))
        return Decision(plan.action, view.action_name(plan.action), plan.value)

    def explain(self, view: View) -> Decision:
        belief = belief_in(self.world, view.record)
        named = replace(self.model, actions=tuple(" ".join(values) for values in self.world.actions))
        return told(named, belief, self.plan(belief))
