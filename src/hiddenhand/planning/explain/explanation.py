"""Everything that can be said about one planned decision, gathered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hiddenhand.core.errors import IllegalAction, one_of
from hiddenhand.core.text import Text
from hiddenhand.planning.explain.belief import Believed, Information, believed, next_observation
from hiddenhand.planning.explain.depth_sensitivity import DepthSensitivity, depth_sensitivity
from hiddenhand.planning.explain.futures import LikelyTrajectory, likeliest_trajectory
from hiddenhand.planning.explain.headline import Headline, PlanPath, headline_of, path_of, rivals_of
from hiddenhand.planning.explain.model_clauses import ModelClauses, model_clauses_of, why_illegal
from hiddenhand.planning.explain.question import PlanQuestion, amount, steps_text
from hiddenhand.planning.explain.sensitivity import Robustness, robustness
from hiddenhand.planning.explain.why_not import Contrast, contrast
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import World
from hiddenhand.planning.planners.exact import ExactPlanner


@dataclass(frozen=True)
class Explanation:
    """One decision and its reasons."""

    headline: Headline
    path: PlanPath
    visible: dict[str, str]
    depth: int
    discount: float
    action: str
    """What is done, and what all the reasons are about: the advised action, or another one that was looked up."""
    value: float
    values: dict[str, float]
    """What every legal action is worth, in the order of actions."""
    ties: list[str]
    """All actions that are as good as the best; more than one: a tie."""
    runner_up: str | None
    """The best of the other legal actions."""
    gap: float | None
    """By how much the runner-up is worse; negative where it is better than what was looked up."""
    belief: Believed
    contrast: Contrast | None
    trajectory: LikelyTrajectory
    information: Information
    robustness: Robustness
    depth_sensitivity: DepthSensitivity
    model_clauses: ModelClauses

    def verdict(self) -> Text:
        """The advice and its margin."""
        worth = self.worth()
        equals = [Text(name) for name in self.ties if name != self.action]
        if not self.best:
            return Text(
                "{worth}, {less} less than the best, {other}.",
                worth=worth,
                less=amount(-(self.gap or 0.0)),
                other=Text(self.runner_up or ""),
            )
        if equals:
            return Text(
                "{worth}. It is a tie: {others} would be just as good; the first in order is chosen."
                if self.action == self.ties[0]
                else "{worth}. It is a tie: {others} would be just as good; what was looked up is chosen.",
                worth=worth,
                others=Text.joined(", ", equals),
            )
        if self.runner_up is None:
            return Text("{worth}; nothing else is legal.", worth=worth)
        assert self.gap is not None
        return Text(
            "{worth}, {more} more than the runner-up, {other}.",
            worth=worth,
            more=amount(self.gap),
            other=Text(self.runner_up),
        )

    def worth(self) -> Text:
        """What the action is worth, and over how many steps."""
        action, value, steps = Text(self.action), amount(self.value), steps_text(self.depth)
        if self.discount == 1.0:
            return Text("{action} is worth {value} over {steps}", action=action, value=value, steps=steps)
        return Text(
            "{action} is worth {value} over {steps}, discount {discount:g}",
            action=action,
            value=value,
            steps=steps,
            discount=self.discount,
        )

    @property
    def best(self) -> bool:
        """Whether nothing else is worth more."""
        return self.action in self.ties

    def sentences(self) -> list[str]:
        """The reasons in words, the most important first."""
        return [
            self.headline.sentence(),
            self.verdict(),
            *self.path.sentences(),
            *self.belief.sentences(),
            *(self.contrast.sentences() if self.contrast is not None else []),
            *self.trajectory.sentences(),
            *self.information.sentences(),
            # What would change the advice says nothing of an action that is not advised, but was looked up.
            *(self.robustness.sentences() + self.depth_sensitivity.sentences() if self.best else []),
            *self.model_clauses.sentences(),
        ]

    def to_json(self) -> dict[str, Any]:
        return {
            "headline": self.headline.to_json(),
            "way": self.path.to_json(),
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
            "likeliest_course": self.trajectory.to_json(),
            "next_observation": self.information.to_json(),
            "change_of_belief": self.robustness.to_json(),
            "other_depths": self.depth_sensitivity.to_json(),
            "model": self.model_clauses.to_json(),
        }


def explain_plan(
    world: World, belief: Floats, horizon: int, why_not: str | None = None, discount: float | None = None
) -> Explanation:
    """The best action in a world for a belief (S,) and a horizon, with its reasons."""
    return explain(PlanQuestion(world, ExactPlanner(world, discount), belief, horizon), why_not)


def explain(question: PlanQuestion, why_not: str | None = None, chosen: int | None = None) -> Explanation:
    """What is done in a situation and its reasons; `why_not` names an action to compare it with.

    Without that name it is compared with the best action that is worth less. `chosen` is what is done, if it is
    another action than the advised one because it was looked up; one that is worth less is compared with the best.
    """
    advice = question.advice
    name = question.action_name
    action = advice.action if chosen is None else chosen
    rest = [other for other in question.legal if other != action]
    runner_up = max(rest, key=lambda other: (float(advice.values[other]), -other), default=None)
    other = rival(question, action, why_not)
    return Explanation(
        headline=headline_of(question, action),
        path=path_of(question, action),
        visible=question.world.visible_values(question.visible),
        depth=question.depth,
        discount=question.planner.model.discount,
        action=name(action),
        value=float(advice.values[action]),
        values={name(legal): float(advice.values[legal]) for legal in question.legal},
        ties=[name(tie) for tie in advice.ties],
        runner_up=None if runner_up is None else name(runner_up),
        gap=None if runner_up is None else float(advice.values[action] - advice.values[runner_up]),
        belief=believed(question),
        contrast=None if other is None else contrast(question, action, other),
        trajectory=likeliest_trajectory(question, action),
        information=next_observation(question, action),
        robustness=robustness(question),
        depth_sensitivity=depth_sensitivity(question, action),
        model_clauses=model_clauses_of(question, action),
    )


def rival(question: PlanQuestion, action: int, why_not: str | None) -> int | None:
    """What an action is compared with: what somebody asks about, unless that is the action itself; else the best if
    the action is not, or the best of what is worth less, if anything is."""
    asked = action if why_not is None else question.action_named(why_not)
    if asked == action:
        best = action in question.advice.ties
        return next(iter(rivals_of(question)), None) if best else question.advice.action
    if asked not in question.legal:
        cases = ", ".join(f'"{case}"' for case in why_illegal(question.world, question.visible, asked))
        legal = one_of([question.action_name(a) for a in question.legal])
        raise IllegalAction(
            "{action} is not legal here ({cases}); legal: {legal}",
            action=question.action_name(asked),
            cases=cases,
            legal=legal,
        )
    return asked
