"""Tracking: the belief of somebody who acts and watches, step by step.

An observation that the model holds impossible is refused with a clear error that names it, and the belief stays as it
was.
"""

from __future__ import annotations

import numpy as np

from hiddenhand.core.errors import UserError, one_of
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import World


class Tracker:
    """A belief about one world, from a first look on."""

    def __init__(self, world: World, visible: int) -> None:
        self.world = world
        self.model = world.pomdp()
        self.visible = visible
        """What is visible now."""
        self.belief: Floats = world.uniform(visible)
        """(S,) over the possible states."""

    def watch(self, action: int, visible: int) -> float:
        """The action was taken, and this is visible now. Returns how likely that was."""
        try:
            belief, chance = self.model.after(self.belief, action, visible)
        except UserError as error:
            raise type(error)(f"{error}; the belief is kept") from None
        self.belief, self.visible = belief, visible
        return chance

    def legal_actions(self) -> list[int]:
        return [int(action) for action in np.flatnonzero(self.world.legal[self.visible])]

    def likely(self, most: int = 10) -> list[tuple[str, float]]:
        """The likeliest hidden states in words, with their probabilities."""
        order = np.argsort(-self.belief, kind="stable")[:most]
        return [
            (self.hidden_text(int(state)), float(self.belief[state])) for state in order if self.belief[state] > 0
        ]

    def hidden_text(self, state: int) -> str:
        names = [axis.name for axis in self.world.hidden]
        values = self.world.states[state][1]
        return one_of([f"{name}=>{value}" for name, value in zip(names, values)])
