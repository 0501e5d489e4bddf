"""What may be seen if the plan is followed: the tree of likely futures, and the likeliest course of events.

The tree goes as far as a future is likely enough to matter; the course is the most probable sequence of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from hiddenhand.core.text import Text
from hiddenhand.planning.explain.question import PlanQuestion, changes, percent
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.planners.exact import Future

LEAST = 0.04
"""Futures that come about with a smaller probability are left out."""


@dataclass(frozen=True)
class PlannedStep:
    """What has been seen by then, and what the plan does next."""

    seen: str
    probability: float
    """Given what came before."""
    reached: float
    """That it comes so far at all."""
    payoff: float
    value: float
    """What the rest of the plan is worth from here."""
    action: str
    """What the plan does here; empty at its end."""
    following: list[PlannedStep]
    left_out: float
    """The probability of all that follows and is not shown, given that it comes so far."""


@dataclass(frozen=True)
class ActionFutures:
    """One action that can be taken now, and its likely futures."""

    action: str
    value: float
    advised: bool
    following: list[PlannedStep]
    left_out: float


@dataclass(frozen=True)
class Futures:
    """The tree from now on."""

    title: str
    now: Sequence[str]
    """What is visible now, one line for each input variable."""
    branches: list[ActionFutures]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def likely_futures(
    question: PlanQuestion, other: int | None = None, least: float = LEAST, chosen: int | None = None
) -> Futures:
    """The futures of the chosen action, which is the advised one unless another was looked up, and of another one."""
    world, advice = question.world, question.advice
    first = advice.action if chosen is None else chosen
    actions = [first] + ([] if other in (None, first) else [other])
    branches = []
    for action in actions:
        assert action is not None
        moments, left_out = following(
            question, question.belief, question.visible, action, question.depth - 1, 1.0, least
        )
        value = float(advice.values[action])
        branches.append(
            ActionFutures(question.action_name(action), value, action == first, moments, max(0.0, left_out))
        )
    seen = [
        Text(f"{axis.name}=>{value}") for axis, value in zip(world.inputs, world.visible_states[question.visible])
    ]
    title = Text(
        "{world}: {action} is worth {value:.6g} over {n} steps; likely futures",
        world=world.name,
        action=question.action_text(first),
        value=advice.values[first],
        n=question.depth,
    )
    return Futures(title, seen, branches)


def following(
    question: PlanQuestion, belief: Floats, visible: int, action: int, left: int, reached: float, least: float
) -> tuple[list[PlannedStep], float]:
    """The likely moments after an action, the likeliest first, and the probability of the others."""
    world, planner = question.world, question.planner
    moments = []
    for future in planner.futures(belief, action):
        share = reached * future.probability
        if share < least:
            continue
        planned = planner.plan(future.belief, left) if left and planner.model.legal_actions(future.belief) else None
        after: list[PlannedStep] = []
        left_out = 0.0
        if planned is not None:
            after, left_out = following(
                question, future.belief, future.observation, planned.action, left - 1, share, least
            )
        moments.append(
            PlannedStep(
                seen=changes(world, visible, future.observation),
                probability=future.probability,
                reached=share,
                payoff=float(world.payoffs[future.observation]),
                value=0.0 if planned is None else planned.value,
                action="" if planned is None else question.action_name(planned.action),
                following=after,
                left_out=max(0.0, left_out),
            )
        )
    shown = sum(moment.probability for moment in moments)
    return sorted(moments, key=lambda moment: -moment.probability), 1.0 - shown


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
class LikelyTrajectory:
    """The most probable sequence of observations under the plan."""

    events: list[Event]
    probability: float
    """That all of it happens just so."""
    payoff: float

    def sentences(self) -> list[str]:
        steps = Text.joined("; ", [step_text(event) for event in self.events])
        return [Text("The likeliest course, {chance}: {steps}.", chance=percent(self.probability), steps=steps)]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def step_text(event: Event) -> Text:
    """`listen (85.0 %: noticed=>growl_left, -1)`."""
    return Text(
        "{action} ({chance}: {seen}, {payoff:+g})" if event.payoff else "{action} ({chance}: {seen})",
        action=Text(event.action),
        chance=percent(event.probability),
        seen=event.seen,
        **({"payoff": event.payoff} if event.payoff else {}),
    )


class TrajectorySearch:
    """Finds the course by going through the plan once; what follows from a belief is remembered."""

    def __init__(self, question: PlanQuestion, first: int) -> None:
        """`first`: the action that the plan begins with."""
        self.planner, self.depth, self.first = question.planner, question.depth, first
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
        action = self.first if depth == self.depth else self.planner.plan(belief, depth).action
        found: tuple[float, int, Future | None] = (-1.0, action, None)
        for future in self.planner.futures(belief, action):
            chance = future.probability * self.best(future.belief, depth - 1)[0]
            if chance > found[0] * (1.0 + 1e-12):  # of equally likely ones the first, whatever rounding says
                found = (chance, action, future)
        return found


def likeliest_trajectory(question: PlanQuestion, action: int) -> LikelyTrajectory:
    """The most probable sequence of observations if this is done and then the plan is followed to its end."""
    world, finding = question.world, TrajectorySearch(question, action)
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
                action=question.action_name(action),
                seen=changes(world, visible, after),
                visible=world.visible_values(after),
                probability=future.probability,
                payoff=float(world.payoffs[after]),
            )
        )
        belief, visible = future.belief, after
    return LikelyTrajectory(events, probability, sum(event.payoff for event in events))
