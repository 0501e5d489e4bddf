"""What was looked up, and how: the distances to what is stored, and the votes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.planning.explain.question import PlanQuestion, amount
from hiddenhand.planning.planners.lookup import LookupAdvice

MOST_TERMS = 4


@dataclass(frozen=True, eq=False)
class LookedUp:
    """The stored entries that were asked, and what came of it."""

    question: PlanQuestion
    found: LookupAdvice
    constant: float

    def sentences(self) -> list[str]:
        """What was found, how, and whether the exact plan agrees."""
        return [f"{self.told()} {self.agreement()}", *self.votes()]

    def told(self) -> str:
        found = self.found
        name, rule = self.question.action_name(found.action), found.rule.replace("_", " ")
        stored = len(found.entries.values)
        if found.entry is None:
            return (
                f"I looked it up ({rule}): {name} wins the vote of {stored} stored beliefs, whose weighted mean is "
                f"worth {amount(found.value)}."
            )
        distance = float(found.distances[found.entry])
        where = (
            Text("one is this very belief")
            if distance < 1e-9
            else Text("the nearest is {distance} away", distance=amount(distance))
        )
        return (
            f"I looked it up ({rule}): {name}, worth {amount(found.value)} as stored. Of {stored} stored beliefs "
            f"{where}."
        )

    def agreement(self) -> str:
        advice, found = self.question.advice, self.found
        if found.action in advice.ties:
            return Text("The exact plan agrees.")
        loss = advice.value - float(advice.values[found.action])
        return Text(
            "The exact plan would be {other}, {better} better.",
            other=self.question.action_name(advice.action),
            better=amount(loss),
        )

    def votes(self) -> list[str]:
        """The sum of each action, the largest first."""
        found = self.found
        if found.entry is not None:
            return []
        named = sorted(set(found.entries.actions.tolist()), key=lambda action: -float(found.scores[action]))
        return ["The votes: " + "; ".join(self.vote_for(action) for action in named) + "."]

    def vote_for(self, action: int) -> str:
        """`A 23.5702 = 10 / 0.424264`."""
        found = self.found
        places = np.flatnonzero((found.entries.actions == action) & (found.weights > 0.0)).tolist()
        parts = [self.term(place) for place in places[:MOST_TERMS]]
        parts += [f"{len(places) - MOST_TERMS} more"] if len(places) > MOST_TERMS else []
        score = f"{self.question.action_name(action)} {amount(float(found.scores[action]))}"
        return Text("{a} = {b}", a=score, b=" + ".join(parts)) if parts else score

    def term(self, place: int) -> str:
        found = self.found
        value = amount(float(found.entries.values[place]))
        if found.rule != "inverse_distance":
            return f"{value} * {amount(float(found.weights[place]))}"
        distance = amount(float(found.distances[place]))
        return f"{value} / {distance}" if self.constant == 0.0 else f"{value} / ({self.constant:g} + {distance})"

    def to_json(self) -> dict[str, Any]:
        found, question = self.found, self.question
        states = question.world.states_of(question.visible)
        return {
            "rule": found.rule,
            "action": question.action_name(found.action),
            "value": found.value,
            "as_stored": found.entry is not None,
            "scores": {
                question.action_name(action): float(found.scores[action])
                for action in np.flatnonzero(np.isfinite(found.scores)).tolist()
            },
            "entries": [
                {
                    "belief": {
                        question.hidden(state): float(p)
                        for state, p in zip(states, found.entries.beliefs[place])
                        if p > 0.0
                    },
                    "action": question.action_name(int(found.entries.actions[place])),
                    "value": float(found.entries.values[place]),
                    "distance": float(found.distances[place]),
                    "weight": float(found.weights[place]),
                }
                for place in range(len(found.entries.values))
            ],
        }
