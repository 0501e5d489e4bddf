"""The belief in words: how likely each value of each hidden variable is, and the likeliest states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hiddenhand.planning.belief_graph import Floats
from hiddenhand.planning.explanation.question import Question, percent
from hiddenhand.planning.world import World

MOST_STATES = 10
MOST_TOLD = 3


@dataclass(frozen=True)
class Believed:
    """What is believed of the hidden variables."""

    marginals: dict[str, dict[str, float]]
    """The probability of each value of each hidden variable, in the order of the specification."""
    likeliest: list[tuple[str, float]]
    """The likeliest hidden states, best first."""
    states: int
    """How many states are held possible."""

    def sentences(self) -> list[str]:
        if not self.marginals:
            return ["Nothing is hidden."]
        if self.states == 1:
            return [f"I am certain of what is hidden: {self.likeliest[0][0]}."]
        parts = [variable_text(name, values) for name, values in self.marginals.items()]
        if abs(self.likeliest[0][1] * self.states - 1.0) < 1e-9:
            return [f"I hold {self.states} states possible, all equally likely. {'; '.join(parts)}."]
        shown = ", ".join(f"{text} {percent(p)}" for text, p in self.likeliest[:MOST_TOLD])
        return [f"I hold {self.states} states possible. {'; '.join(parts)}.", f"The likeliest: {shown}."]

    def to_json(self) -> dict[str, Any]:
        return {
            "marginals": self.marginals,
            "likeliest": [{"state": text, "probability": p} for text, p in self.likeliest],
            "states": self.states,
        }


def believed(question: Question, most: int = MOST_STATES) -> Believed:
    """What the belief of the question says."""
    belief = question.belief
    order = np.argsort(-belief, kind="stable")[:most]
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


def variable_text(name: str, values: dict[str, float]) -> str:
    """`where_is_vampire: place_Krakow 60.0 %, place_Gdansk 40.0 %`."""
    likely = sorted(((p, value) for value, p in values.items() if p > 0.0), key=lambda pair: -pair[0])
    if len(likely) == 1:
        return f"{name}: certainly {likely[0][1]}"
    return f"{name}: " + ", ".join(f"{value} {percent(p)}" for p, value in likely)
