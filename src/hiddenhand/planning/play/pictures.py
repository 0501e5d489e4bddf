"""Worlds and models as pictures: how far the episode is, what is seen, and bars for what may be believed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from hiddenhand.core.picture import Amounts, Chances, Picture, amounts, chances
from hiddenhand.core.text import Text
from hiddenhand.planning.model.pomdp import Floats, Pomdp
from hiddenhand.planning.model.world import World

Functions = tuple[Callable[..., Any], ...]
MOST_SHOWN = 12


def world_pictures(world: World, seen: Callable[[np.record], Mapping[str, str]]) -> Functions:
    """`picture`, `open_picture` and `verb_and_objects` of any world; `seen` gives what is visible, by name."""

    def picture(view: np.record, seat: int) -> Picture:
        shown: dict[str, str] = {spaced(name): spaced(value) for name, value in seen(view).items()}
        found: Picture = {
            "episode": episode(view, Text("payoff"), float(view.gained)),
            "seen": amounts(Text("you see"), shown),
        }
        states = world.states_of(int(view.visible))
        for place, axis in enumerate(world.hidden):
            found[f"belief {axis.name}"] = believed(world, place, axis.name, states, view.belief)
        return found

    def open_picture(s: np.record, seat: int) -> Picture:
        _, hidden = world.states[int(s.truth)]
        truth: dict[str, str] = {spaced(axis.name): spaced(value) for axis, value in zip(world.hidden, hidden)}
        return {**picture(s, seat), "truth": amounts(Text("the truth"), truth)}

    def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
        return spaced(" ".join(world.actions[action])), []

    return picture, open_picture, verb_and_objects


def model_pictures(model: Pomdp, seen: Callable[[np.record], str], least: float) -> Functions:
    """The same for a general model."""

    def picture(view: np.record, seat: int) -> Picture:
        so_far = float(np.dot(view.belief, view.gain)) + 0.0
        likely = {model.states[i]: float(chance) for i, chance in enumerate(view.belief) if chance >= least}
        return {
            "episode": episode(view, Text("payoff on average"), so_far),
            "seen": amounts("", {Text("seen"): seen(view)}),
            "belief": chances(Text("belief"), likely, MOST_SHOWN),
        }

    def open_picture(s: np.record, seat: int) -> Picture:
        truth: dict[str, str] = {
            Text("state"): model.states[int(s.truth)],
            Text("payoff"): Text("{payoff:+g}", payoff=s.gained),
        }
        return {**picture(s, seat), "truth": amounts(Text("the truth"), truth)}

    def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
        return model.actions[action].replace("_", " ").replace("-", " "), []

    return picture, open_picture, verb_and_objects


def episode(view: np.record, name: str, gained: float) -> Amounts:
    step = Text("{ply} of {last}", ply=view.step, last=view.steps)
    shown: dict[str, str] = {Text("step"): step, name: Text("{payoff:+.6g}", payoff=gained)}
    return amounts("", shown)


def believed(world: World, place: int, name: str, states: Sequence[int], belief: Floats) -> Chances:
    """How likely each value of one hidden variable is."""
    likely: dict[str, float] = {}
    for i, state in enumerate(states):
        value = spaced(world.states[state][1][place])
        likely[value] = likely.get(value, 0.0) + float(belief[i])
    return chances(spaced(name), likely)


def spaced(name: str) -> Text:
    """A name of the language as people write it; a world's words take its place."""
    return Text(name.replace("_", " "))
