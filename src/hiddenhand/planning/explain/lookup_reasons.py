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
        return [Text.joined(" ", [self.answer(), self.agreement()]), *self.votes()]

    def answer(self) -> Text:
        """What the stored beliefs say."""
        found = self.found
        stored = len(found.entries.values)
        if found.entry is None:
            return Text(
                "I looked it up ({rule}): {action} wins the vote of {n} stored beliefs, whose weighted mean is worth "
                "{value}.",
                rule=Text(found.rule.replace("_", " ")),
                action=self.question.action_text(found.action),
                n=stored,
                value=amount(found.value),
            )
        distance = float(found.distances[found.entry])
        return Text(
            "I looked it up ({rule}): {action}, worth {value} as stored. Of {n} stored beliefs one is this very "
            "belief."
            if distance < 1e-9
            else "I looked it up ({rule}): {action}, worth {value} as stored. Of {n} stored beliefs the nearest is "
            "{distance} away.",
            rule=Text(found.rule.replace("_", " ")),
            action=self.question.action_text(found.action),
            value=amount(found.value),
            n=stored,
            distance=amount(distance),
        )

    def agreement(self) -> Text:
        advice, found = self.question.advice, self.found
        if found.action in advice.ties:
            return Text("The exact plan agrees.")
        loss = advice.value - float(advice.values[found.action])
        return Text(
            "The exact plan would be {other}, {better} better.",
            other=self.question.action_text(advice.action),
            better=amount(loss),
        )

    def votes(self) -> list[str]:
        """The sum of each action, the largest first."""
        found = self.found
        if found.entry is not None:
            return []
        named = sorted(set(found.entries.actions.tolist()), key=lambda action: -float(found.scores[action]))
        votes = Text.joined("; ", [self.vote_for(action) for action in named])
        return [Text("The votes: {votes}.", votes=votes)]

    def vote_for(self, action: int) -> Text:
        """`A 23.5702 = 10 / 0.424264`."""
        found = self.found
        places = np.flatnonzero((found.entries.actions == action) & (found.weights > 0.0)).tolist()
        terms = [self.term(place) for place in places[:MOST_TERMS]]
        terms += [Text("{n} more", n=len(places) - MOST_TERMS)] if len(places) > MOST_TERMS else []
        name, score = self.question.action_text(action), amount(float(found.scores[action]))
        if not terms:
            return Text("{action} {score}", action=name, score=score)
        return Text("{action} {score} = {terms}", action=name, score=score, terms=Text.joined(" + ", terms))

    def term(self, place: int) -> Text:
        found = self.found
        value = amount(float(found.entries.values[place]))
        if found.rule != "inverse_distance":
            return Text("{value} * {weight}", value=value, weight=amount(float(found.weights[place])))
        distance = amount(float(found.distances[place]))
        if self.constant == 0.0:
            return Text("{value} / {distance}", value=value, distance=distance)
        return Text("{value} / ({constant:g} + {distance})", value=value, constant=self.constant, distance=distance)

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
