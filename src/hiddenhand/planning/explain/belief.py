"""The belief in words, and what the next observation would add to it.

How likely each value of each hidden variable is, and the likeliest states. What the next observation is worth is the
plan with it, less the best plan that may never depend on it. Without it nobody knows what is visible after the
action: the belief is then spread over all states that may have been reached, and only actions that are legal in every
one of them can be planned. From the step after that on, everything is observed again.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.planning.explain.question import PlanQuestion, amount, percent
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import World

MOST_TOLD = 3


@dataclass(frozen=True)
class Believed:
    """What is believed of the hidden variables."""

    marginals: dict[str, dict[str, float]]
    """The probability of each value of each hidden variable, in the order of the specification."""
    likeliest: list[tuple[str, float]]
    """All hidden states that are held possible, the likeliest first."""
    states: int
    """How many states are held possible."""

    def sentences(self) -> list[str]:
        if not self.marginals:
            return [Text("Nothing is hidden.")]
        if self.states == 1:
            return [Text("I am certain of what is hidden: {what}.", what=self.likeliest[0][0])]
        parts = [variable_text(name, values) for name, values in self.marginals.items()]
        if abs(self.likeliest[0][1] * self.states - 1.0) < 1e-9:
            return [
                Text(
                    "I hold {n} states possible, all equally likely. {parts}.",
                    n=self.states,
                    parts=Text.joined("; ", parts),
                )
            ]
        likeliest = [Text("{what} {share}", what=text, share=percent(p)) for text, p in self.likeliest[:MOST_TOLD]]
        return [
            Text("I hold {n} states possible. {parts}.", n=self.states, parts=Text.joined("; ", parts)),
            Text("The likeliest: {what}.", what=Text.joined(", ", likeliest)),
        ]

    def to_json(self) -> dict[str, Any]:
        return {
            "marginals": self.marginals,
            "likeliest": [{"state": text, "probability": p} for text, p in self.likeliest],
            "states": self.states,
        }


def believed(question: PlanQuestion) -> Believed:
    """What the belief of the question says."""
    belief = question.belief
    order = np.argsort(-belief, kind="stable")
    return Believed(
        marginals_of(question.world, belief),
        [(question.hidden(int(s)), float(belief[s])) for s in order if belief[s] > 0.0],
        int(np.count_nonzero(belief)),
    )


def marginals_of(world: World, belief: Floats) -> dict[str, dict[str, float]]:
    """The probability of each value of each hidden variable."""
    found = {axis.name: dict.fromkeys(axis.values, 0.0) for axis in world.hidden}
    for state in np.flatnonzero(belief).tolist():
        for axis, value in zip(world.hidden, world.states[state][1]):
            found[axis.name][value] += float(belief[state])
    return found


def variable_text(name: str, values: dict[str, float]) -> Text:
    """`where_is_vampire: place_Krakow 60.0 %, place_Gdansk 40.0 %`."""
    likely = sorted(((p, value) for value, p in values.items() if p > 0.0), key=lambda pair: -pair[0])
    if len(likely) == 1:
        return Text("{name}: certainly {value}", name=Text(name), value=Text(likely[0][1]))
    values_text = [Text("{value} {share}", value=Text(value), share=percent(p)) for p, value in likely]
    return Text("{name}: {values}", name=Text(name), values=Text.joined(", ", values_text))


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
        return [self.sentence()]

    def sentence(self) -> Text:
        worth = self.worth
        if worth is None:
            return Text(
                "What is seen after {action} cannot be left unused: no next action is legal whatever was seen.",
                action=Text(self.action),
            )
        if not self.blind_action:
            return Text("The next observation is worth nothing: no decision depends on it.")
        if worth <= 0.0:
            return Text(
                "The next observation is worth {worth}: {action} would be a best next action whatever is seen.",
                worth=amount(worth),
                action=Text(self.blind_action),
            )
        return Text(
            "The next observation is worth {worth}: without it the best plan would go on with {blind} in any "
            "case, and {action} would be worth {unused} instead of {used}.",
            worth=amount(worth),
            blind=Text(self.blind_action),
            action=Text(self.action),
            unused=amount(self.unused or 0.0),
            used=amount(self.used),
        )

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "worth": self.worth}


def next_observation(question: PlanQuestion, action: int) -> Information:
    """What seeing the outcome of a legal action is worth."""
    planner, left = question.planner, question.depth - 1
    name, used = question.action_name(action), float(question.advice.values[action])
    if left == 0 or not any(planner.model.legal_actions(f.belief) for f in planner.futures(question.belief, action)):
        return Information(name, used, used, "")
    reached = np.asarray(question.belief @ planner.model.transitions[action])
    if not planner.model.legal_actions(reached):
        return Information(name, used, None, "")
    blind = planner.plan(reached, left)
    at_once = planner.model.reward(question.belief, action)
    unused = min(used, at_once + planner.model.discount * blind.value)  # more knowledge never hurts but for rounding
    return Information(name, used, unused, question.action_name(blind.action))
