"""Question: one decision that is to be explained, and the words for what occurs in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import Axis, World
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.protocol import Plan


@dataclass(frozen=True, eq=False)
class PlanQuestion:
    """Which action is best for a belief (S,) with `depth` steps to go?"""

    world: World
    planner: ExactPlanner
    belief: Floats
    depth: int

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise UserError("a decision needs at least 1 step to go, not {depth}", depth=self.depth)
        if len(np.unique(self.world.visible_of[self.belief > 0.0])) != 1:
            raise UserError("a belief holds possible only states of one visible state: what is visible is known")

    @cached_property
    def visible(self) -> int:
        return int(self.world.visible_of[int(np.argmax(self.belief))])

    @cached_property
    def advice(self) -> Plan:
        return self.planner.plan(self.belief, self.depth)

    @property
    def legal(self) -> list[int]:
        return [int(action) for action in np.flatnonzero(self.world.legal[self.visible])]

    # --- words ---

    def action_name(self, action: int) -> str:
        """An action as a player writes it: its values."""
        return " ".join(self.world.actions[action])

    def action_named(self, name: str) -> int:
        """The action that a player wrote, with or without the language's braces."""
        values = [part.rpartition("=>")[2] for part in name.strip("{} ").replace(",", " ").split()]
        return self.world.action(values)

    def action_text(self, action: int) -> Text:
        """The same for people: a world's words take its place."""
        return Text(self.action_name(action))

    def seen(self, visible: int) -> Text:
        """The visible variables that differ from the present visible state."""
        return changes(self.world, self.visible, visible)

    def hidden(self, state: int) -> Text:
        """The hidden part of a state."""
        return state_text(self.world.hidden, self.world.states[state][1])


def state_text(axes: Sequence[Axis], values: Sequence[str]) -> Text:
    """The values of variables as `variable=>value`, in braces and with commas between, as the language writes it;
    a world's words take their places."""
    facts = [Text(f"{axis.name}=>{value}") for axis, value in zip(axes, values)]
    return Text("{{{facts}}}", facts=Text.joined(", ", facts))


def changes(world: World, before: int, after: int) -> Text:
    """The input variables whose values differ."""
    changed = [
        Text(f"{axis.name}=>{new}")
        for axis, old, new in zip(world.inputs, world.visible_states[before], world.visible_states[after])
        if old != new
    ]
    return Text.joined(", ", changed) if changed else Text("nothing that is visible changes")


def steps_text(count: int) -> Text:
    return Text.plural("{n} step", "{n} steps", n=count)


def percent(probability: float) -> Text:
    """A probability that is never rounded to certainty."""
    if 1e-9 < probability < 0.0005:
        return Text("under 0.1 %")
    if 0.9995 < probability < 1.0 - 1e-9:
        return Text("over 99.9 %")
    return Text("{share:.1f} %", share=100.0 * probability)


def amount(value: float) -> Text:
    """A value as text, with no negative zero."""
    return Text("{value:.6g}", value=value + 0.0)
