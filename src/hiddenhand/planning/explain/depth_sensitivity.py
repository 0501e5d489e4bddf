"""Whether deeper planning changes the advice, and whether shallower planning would have given it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text
from hiddenhand.planning.explain.question import PlanQuestion, amount, steps_text

DEEPER = 4


@dataclass(frozen=True)
class AtDepth:
    """The advice with another number of steps to go."""

    depth: int
    action: str
    value: float
    ties: list[str]


@dataclass(frozen=True)
class DepthSensitivity:
    """The advice at all depths up to some steps more than were asked for."""

    depth: int
    action: str
    depths: list[AtDepth]
    complete: bool
    """Whether all the depths could be planned."""

    @property
    def changes_at(self) -> int | None:
        """The least greater depth at which the action is no longer among the best."""
        for at in self.depths:
            if at.depth > self.depth and self.action not in at.ties:
                return at.depth
        return None

    @property
    def since(self) -> int:
        """The action is among the best from this depth to the one asked for."""
        since = self.depth
        for at in reversed(self.depths):
            if at.depth <= self.depth and self.action in at.ties:
                since = at.depth
            elif at.depth <= self.depth:
                break
        return since

    def sentences(self) -> list[str]:
        before = [at for at in self.depths if at.depth < self.depth]
        lines: list[str] = []
        if before and self.since == self.depth:
            lines.append(
                Text(
                    "Planning {steps} ahead I would have done otherwise: {action}.",
                    steps=steps_text(before[-1].depth),
                    action=Text(before[-1].action),
                )
            )
        elif before:
            lines.append(Text("So it is from {steps} ahead on.", steps=steps_text(self.since)))
        change, last = self.changes_at, self.depths[-1].depth
        if change is not None:
            other = next(at for at in self.depths if at.depth == change)
            lines.append(
                Text(
                    "Deeper planning changes the advice: {steps} ahead, {action} is better (worth {value}).",
                    steps=steps_text(change),
                    action=Text(other.action),
                    value=amount(other.value),
                )
            )
        elif last > self.depth:
            lines.append(Text("Deeper planning, up to {steps}, does not change the advice.", steps=steps_text(last)))
        if not self.complete:
            lines.append(
                Text(
                    "More than {steps} ahead could not be planned: too many beliefs come about.",
                    steps=steps_text(last),
                )
            )
        return lines

    def to_json(self) -> dict[str, Any]:
        return {
            "since": self.since,
            "changes_at": self.changes_at,
            "complete": self.complete,
            "depths": [asdict(at) for at in self.depths],
        }


def depth_sensitivity(question: PlanQuestion, action: int, deeper: int = DEEPER) -> DepthSensitivity:
    """The advice with 1, 2, ... steps to go, up to so many more than the question has."""
    found: list[AtDepth] = []
    complete = True
    for depth in range(1, question.depth + deeper + 1):
        try:
            advice = question.planner.plan(question.belief, depth)
        except UserError:
            if depth <= question.depth:
                raise
            complete = False
            break
        name = question.action_name
        found.append(AtDepth(depth, name(advice.action), advice.value, [name(tie) for tie in advice.ties]))
    return DepthSensitivity(question.depth, question.action_name(action), found, complete)
