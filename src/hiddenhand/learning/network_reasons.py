"""What can honestly be said of a decision that a network made: it has no reasons in words.

There is the number that it gives to every action; and for each group of its inputs, how far the chosen action stays
ahead of the others when the group is blotted out (set to 0).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.text import Text
from hiddenhand.core.view import View

Array = np.ndarray[Any, Any]

MOST_TOLD = 3
CLEAR = 0.01  # a smaller change is not worth telling


@dataclass(frozen=True)
class Listening:
    """The inputs of a network in a position, and how its outputs are to be read."""

    inputs: Array
    answer: Callable[[Array], Array]
    """What it says of the legal actions, given such inputs: a number for each."""
    groups: Mapping[str, Array]
    """The places of the inputs that are about one thing, by what that is."""
    told: Callable[[float], str]
    """A value as people read it."""
    opening: Callable[[str, str], str]
    """opening(action, value): the first sentence, about the action chosen and its value."""
    chances: bool = False
    """Whether what it says are chances of the actions; else they are the payoffs that it expects."""

    def without(self, places: Array) -> Array:
        """What it says with some inputs blotted out."""
        inputs = self.inputs.copy()
        inputs[places] = 0.0
        return self.answer(inputs)


def explain(view: View, action: int, listening: Listening) -> Decision:
    """The decision for `action`, explained."""
    decision = Decision(action, view.action_name(action))
    if len(view.legal_actions()) == 1:
        decision.alternatives = [Alternative(action, view.action_name(action))]
        decision.reasons = [Text("It is the only legal action.")]
        return decision
    told, values = listening.told, listening.answer(listening.inputs)
    chosen = view.legal_actions().index(action)
    decision.alternatives = [Alternative(a, view.action_name(a)) for a in view.legal_actions()]
    for alternative, value in zip(decision.alternatives, values.tolist()):
        if listening.chances:
            alternative.chance = value
        else:
            alternative.value = value
    decision.value = decision.alternatives[chosen].value
    second = best_but(values, chosen)
    preferred = values[chosen] >= values[second]
    decision.reasons = [
        listening.opening(view.action_name(action), told(values[chosen])),
        Text(
            'Next comes "{move}" with {value}.' if preferred else 'It is not the likeliest: "{move}" has {value}.',
            move=view.action_name(view.legal_actions()[second]),
            value=told(values[second]),
        ),
        *(what_mattered(view, listening, values, chosen) if preferred else []),
        Text(
            "These are the estimates of a network: it has learned them and cannot say more about "
            "where they come from."
        ),
    ]
    return decision


def best_but(values: Array, chosen: int) -> int:
    """The index of the best of the others."""
    others = np.array(values, float)
    others[chosen] = -np.inf
    return int(np.argmax(others))


def lead(values: Array, chosen: int) -> float:
    """How far the chosen one is ahead of the best of the others."""
    return float(values[chosen] - values[best_but(values, chosen)])


def what_mattered(view: View, listening: Listening, values: Array, chosen: int) -> list[str]:
    """The groups of inputs without which the choice would be less clear, the weightiest first."""
    full = lead(values, chosen)
    changes = []
    for name, places in listening.groups.items():
        if np.any(listening.inputs[places] != 0.0):
            without = listening.without(places)
            changes.append((full - lead(without, chosen), name, without))
    changes.sort(key=lambda change: -change[0])
    told = [what_without(view, chosen, full, *change) for change in changes[:MOST_TOLD] if change[0] > CLEAR]
    return told or [Text("No single thing that I look at decides it: without any of them I would do the same.")]


def what_without(view: View, chosen: int, full: float, change: float, name: str, values: Array) -> str:
    best = int(np.argmax(values))
    if best != chosen:
        return Text(
            'It hangs on {what}: with that blotted out, I would prefer "{move}".',
            what=name,
            move=view.action_name(view.legal_actions()[best]),
        )
    return Text(
        "It rests on {what}: with that blotted out, its lead falls from {a:.2f} to {b:.2f}.",
        what=name,
        a=full,
        b=full - change,
    )
