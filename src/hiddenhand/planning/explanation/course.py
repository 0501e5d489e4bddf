"""The likeliest course of events: of all that may be seen if the plan is followed, the most probable sequence."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from hiddenhand.planning.belief_graph import Floats
from hiddenhand.planning.exact import Future
from hiddenhand.planning.explanation.question import Question, changes, percent


@dataclass(frozen=True)
class Event:
    """One step of the course."""

    action: str
    seen: str
    visible: dict[str, str]
    probability: float
    """Of this observation, given what came before."""
    payoff: float


@dataclass(frozen=True)
class Course:
    """The most probable sequence of observations under the plan."""

    events: list[Event]
    probability: float
    """That all of it happens just so."""
    payoff: float

    def sentences(self) -> list[str]:
        steps = "; ".join(f"{e.action} ({percent(e.probability)}: {e.seen}{paid(e.payoff)})" for e in self.events)
        return [f"The likeliest course, {percent(self.probability)}: {steps}."]

    def to_json(self) -> dict[str, Any]:
        return {
            "events": [asdict(event) for event in self.events],
            "probability": self.probability,
            "payoff": self.payoff,
        }


def paid(payoff: float) -> str:
    return f", {payoff:+g}" if payoff else ""


class Finding:
    """Finds the course by going through the plan once; what follows from a belief is remembered."""

    def __init__(self, question: Question) -> None:
        self.world, self.planner = question.world, question.planner
        self.known: dict[tuple[int, int], tuple[float, int, Future | None]] = {}

    def best(self, belief: Floats, depth: int) -> tuple[float, int, Future | None]:
        """How probable the likeliest course from here is, the planned action, and what is seen first."""
        key = (self.planner.graph.node(belief), depth)
        if key not in self.known:
            self.known[key] = self.find(belief, depth)
        return self.known[key]

    def find(self, belief: Floats, depth: int) -> tuple[float, int, Future | None]:
        if depth == 0 or not self.planner.model.legal_actions(belief):
            return 1.0, -1, None
        action = self.planner.decide(belief, depth).action
        found: tuple[float, int, Future | None] = (-1.0, action, None)
        for future in self.planner.futures(belief, action):
            chance = future.probability * self.best(future.belief, depth - 1)[0]
            if chance > found[0] * (1.0 + 1e-12):  # equal courses: the first one, whatever rounding says
                found = (chance, action, future)
        return found


def likeliest_course(question: Question) -> Course:
    """The most probable sequence of observations if the plan is followed to its end."""
    world, finding = question.world, Finding(question)
    events: list[Event] = []
    belief, visible = question.belief, question.visible
    probability = finding.best(belief, question.depth)[0]
    for left in range(question.depth, 0, -1):
        _, action, future = finding.best(belief, left)
        if future is None:
            break
        after = future.observation
        events.append(
            Event(
                question.action_name(action),
                changes(world, visible, after),
                dict(zip((axis.name for axis in world.inputs), world.visible_states[after])),
                future.probability,
                float(world.payoffs[after]),
            )
        )
        belief, visible = future.belief, after
    return Course(events, probability, sum(event.payoff for event in events))
