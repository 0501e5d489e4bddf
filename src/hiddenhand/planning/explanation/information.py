"""What the next observation is worth: the plan with it, less the best plan that may never depend on it.

Without it nobody knows what is visible after the action. The belief is then spread over all states that may have been
reached, and only actions that are legal in every one of them can be planned. From the step after that on, everything
is observed again.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from hiddenhand.planning.explanation.question import Question, amount


@dataclass(frozen=True)
class Information:
    """The value of the next observation after the advised action."""

    action: str
    used: float
    """What the plan is worth that uses it."""
    unused: float | None
    """What the best plan is worth that may not depend on it; None if no action is legal in all cases."""
    blind_action: str
    """What that plan does after the advised action."""

    @property
    def worth(self) -> float | None:
        return None if self.unused is None else self.used - self.unused

    def sentences(self) -> list[str]:
        worth = self.worth
        if worth is None:
            return [
                f"What is seen after {self.action} cannot be left unused: no next action is legal whatever was seen."
            ]
        if not self.blind_action:
            return ["The next observation is worth nothing: no decision depends on it."]
        about = f"The next observation is worth {amount(worth)}"
        if worth <= 0.0:
            return [f"{about}: {self.blind_action} would be a best next action whatever is seen."]
        return [
            f"{about}: without it the best plan would go on with {self.blind_action} in any case, and {self.action} "
            f"would be worth {amount(self.unused or 0.0)} instead of {amount(self.used)}."
        ]

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "worth": self.worth}


def next_observation(question: Question, action: int) -> Information:
    """What seeing the outcome of a legal action is worth."""
    planner, left = question.planner, question.depth - 1
    name, used = question.action_name(action), float(question.advice.values[action])
    if left == 0 or not any(planner.model.legal_actions(f.belief) for f in planner.futures(question.belief, action)):
        return Information(name, used, used, "")
    reached = np.asarray(question.belief @ planner.model.transitions[action])
    if not planner.model.legal_actions(reached):
        return Information(name, used, None, "")
    blind = planner.decide(reached, left)
    at_once = planner.model.reward(question.belief, action)
    unused = min(used, at_once + planner.model.discount * blind.value)  # more knowledge never hurts but for rounding
    return Information(name, used, unused, question.action_name(blind.action))
