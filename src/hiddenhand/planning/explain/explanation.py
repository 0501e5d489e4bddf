"""Everything that can be said about one planned decision, gathered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hiddenhand.core.errors import IllegalAction, one_of
from hiddenhand.planning.explain.belief import Believed, Information, believed, next_observation
from hiddenhand.planning.explain.cases_used import Grounds, grounds_of, why_illegal
from hiddenhand.planning.explain.flips import Firmness, firmness
from hiddenhand.planning.explain.futures import Course, likeliest_course
from hiddenhand.planning.explain.headline import Headline, Way, headline_of, rivals_of, way_of
from hiddenhand.planning.explain.other_depths import Horizon, other_depths
from hiddenhand.planning.explain.question import Question, amount, steps_text
from hiddenhand.planning.explain.why_not import Contrast, contrast
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import World
from hiddenhand.planning.planners.exact import ExactPlanner


@dataclass(frozen=True)
class Explanation:
    """One decision and its reasons."""

    headline: Headline
    way: Way
    visible: dict[str, str]
    depth: int
    discount: float
    action: str
    value: float
    values: dict[str, float]
    """What every legal action is worth, in the order of actions."""
    ties: list[str]
    """All actions that are as good as the best; more than one: a tie."""
    runner_up: str | None
    gap: float | None
    """By how much the runner-up is worse."""
    belief: Believed
    contrast: Contrast | None
    course: Course
    information: Information
    firmness: Firmness
    horizon: Horizon
    grounds: Grounds

    def verdict(self) -> str:
        """The advice and its margin."""
        ahead = f"over {steps_text(self.depth)}" + ("" if self.discount == 1.0 else f", discount {self.discount:g}")
        worth = f"{self.action} is worth {amount(self.value)} {ahead}"
        equals = [name for name in self.ties if name != self.action]
        if equals:
            return f"{worth}. It is a tie: {one_of(equals)} would be just as good; the first in order is chosen."
        if self.runner_up is None:
            return f"{worth}; nothing else is legal."
        assert self.gap is not None
        return f"{worth}, {amount(self.gap)} more than the runner-up, {self.runner_up}."

    def sentences(self) -> list[str]:
        """The reasons in words, the most important first."""
        return [
            self.headline.sentence(),
            self.verdict(),
            *self.way.sentences(),
            *self.belief.sentences(),
            *(self.contrast.sentences() if self.contrast is not None else []),
            *self.course.sentences(),
            *self.information.sentences(),
            *self.firmness.sentences(),
            *self.horizon.sentences(),
            *self.grounds.sentences(),
        ]

    def to_json(self) -> dict[str, Any]:
        return {
            "headline": self.headline.to_json(),
            "way": self.way.to_json(),
            "visible": self.visible,
            "depth": self.depth,
            "discount": self.discount,
            "action": self.action,
            "value": self.value,
            "values": self.values,
            "ties": self.ties,
            "tied": len(self.ties) > 1,
            "runner_up": self.runner_up,
            "gap": self.gap,
            "belief": self.belief.to_json(),
            "why_not": None if self.contrast is None else self.contrast.to_json(),
            "likeliest_course": self.course.to_json(),
            "next_observation": self.information.to_json(),
            "change_of_belief": self.firmness.to_json(),
            "other_depths": self.horizon.to_json(),
            "model": self.grounds.to_json(),
        }


def explain_plan(
    world: World, belief: Floats, horizon: int, why_not: str | None = None, discount: float | None = None
) -> Explanation:
    """What is best in a world with this belief (S,) and so many steps to go, and why."""
    return explain(Question(world, ExactPlanner(world, discount), belief, horizon), why_not)


def explain(question: Question, why_not: str | None = None, chosen: int | None = None) -> Explanation:
    """The advice for a question and its reasons; `why_not` names an action to compare it with.

    Without that name it is compared with the best action that is worth less. `chosen` is what the headline is about,
    if it is another action that is as good as the advised one.
    """
    advice = question.advice
    name = question.action_name
    other = next(iter(rivals_of(question)), None) if why_not is None else rival(question, why_not)
    return Explanation(
        headline=headline_of(question, chosen),
        way=way_of(question, chosen),
        visible=dict(
            zip((axis.name for axis in question.world.inputs), question.world.visible_states[question.visible])
        ),
        depth=question.depth,
        discount=question.planner.model.discount,
        action=name(advice.action),
        value=advice.value,
        values={name(action): float(advice.values[action]) for action in question.legal},
        ties=[name(action) for action in advice.ties],
        runner_up=None if advice.runner_up is None else name(advice.runner_up),
        gap=None if advice.runner_up is None else advice.gap,
        belief=believed(question),
        contrast=None if other is None else contrast(question, advice.action, other),
        course=likeliest_course(question),
        information=next_observation(question, advice.action),
        firmness=firmness(question),
        horizon=other_depths(question, advice.action),
        grounds=grounds_of(question, advice.action),
    )


def rival(question: Question, why_not: str) -> int | None:
    """The action that somebody asks about; the advised one itself meets the best that is worth less, if any is."""
    action = question.action_named(why_not)
    if action == question.advice.action:
        return next(iter(rivals_of(question)), None)
    if action not in question.legal:
        cases = ", ".join(f'"{case}"' for case in why_illegal(question.world, question.visible, action))
        legal = one_of([question.action_name(a) for a in question.legal])
        raise IllegalAction(f"{question.action_name(action)} is not legal here ({cases}); legal: {legal}")
    return action
