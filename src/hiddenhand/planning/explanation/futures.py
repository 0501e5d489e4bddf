"""The tree of likely futures: what may be seen if the plan is followed, as far as it is likely enough to matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hiddenhand.planning.belief_graph import Floats
from hiddenhand.planning.explanation.question import Question, changes

LEAST = 0.04
"""Futures that come about with a smaller probability are left out."""


@dataclass(frozen=True)
class Moment:
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
    following: list[Moment]
    left_out: float
    """The probability of all that follows and is not shown, given that it comes so far."""

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "following": [moment.to_json() for moment in self.following]}


@dataclass(frozen=True)
class Branch:
    """One action that can be taken now, and its likely futures."""

    action: str
    value: float
    advised: bool
    following: list[Moment]
    left_out: float

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "following": [moment.to_json() for moment in self.following]}


@dataclass(frozen=True)
class Futures:
    """The tree from now on."""

    title: str
    now: list[str]
    """What is visible now, one line for each input variable."""
    branches: list[Branch]

    def to_json(self) -> dict[str, Any]:
        return {"title": self.title, "now": self.now, "branches": [branch.to_json() for branch in self.branches]}


def likely_futures(question: Question, other: int | None = None, least: float = LEAST) -> Futures:
    """The futures of the advised action and, if one is given, of another one."""
    world, advice = question.world, question.advice
    name = question.action_name(advice.action)
    actions = [advice.action] + ([] if other in (None, advice.action) else [other])
    branches = []
    for action in actions:
        assert action is not None
        moments, left_out = following(
            question, question.belief, question.visible, action, question.depth - 1, 1.0, least
        )
        value = float(advice.values[action])
        branches.append(
            Branch(question.action_name(action), value, action == advice.action, moments, max(0.0, left_out))
        )
    seen = [f"{axis.name}=>{value}" for axis, value in zip(world.inputs, world.visible_states[question.visible])]
    title = f"{world.name}: {name} is worth {advice.value:.6g} over {question.depth} steps; likely futures"
    return Futures(title, seen, branches)


def following(
    question: Question, belief: Floats, visible: int, action: int, left: int, reached: float, least: float
) -> tuple[list[Moment], float]:
    """The likely moments after an action, the likeliest first, and the probability of the others."""
    world, planner = question.world, question.planner
    moments = []
    for future in planner.futures(belief, action):
        share = reached * future.probability
        if share < least:
            continue
        planned = planner.decide(future.belief, left) if left and planner.model.legal_actions(future.belief) else None
        after: list[Moment] = []
        left_out = 0.0
        if planned is not None:
            after, left_out = following(
                question, future.belief, future.observation, planned.action, left - 1, share, least
            )
        moments.append(
            Moment(
                changes(world, visible, future.observation),
                future.probability,
                share,
                float(world.payoffs[future.observation]),
                0.0 if planned is None else planned.value,
                "" if planned is None else question.action_name(planned.action),
                after,
                max(0.0, left_out),
            )
        )
    shown = sum(moment.probability for moment in moments)
    return sorted(moments, key=lambda moment: -moment.probability), 1.0 - shown
