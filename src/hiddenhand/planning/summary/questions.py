"""What a decision tree may ask: for a value of an input variable, or how likely a hidden one has a value."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hiddenhand.planning.belief_graph import Floats
from hiddenhand.planning.reachable import Reachable
from hiddenhand.planning.world import World

MOST_THRESHOLDS = 24
"""For each probability; where beliefs differ in more ways, only so many are tried, spread evenly over the beliefs."""


@dataclass(frozen=True, eq=False)
class Ask:
    """One yes-or-no question."""

    text: str
    answers: NDArray[np.bool_]
    """(N,) for every reachable belief."""


def possible_questions(world: World, reachable: Reachable) -> list[Ask]:
    """All questions that some beliefs answer with yes and some with no."""
    beliefs = reachable.planner.graph.rows(reachable.nodes)
    first_state = beliefs.indices[beliefs.indptr[:-1]]
    found = [*about_inputs(world, world.visible_of[first_state]), *about_hidden(world, beliefs)]
    return [ask for ask in found if 0 < ask.answers.sum() < len(reachable)]


def about_inputs(world: World, visible: NDArray[np.intp]) -> list[Ask]:
    found = []
    for place, axis in enumerate(world.inputs):
        values = np.array([names[place] for names in world.visible_states])[visible]
        found += [Ask(f"{axis.name}=>{value}", values == value) for value in asked(axis.values)]
    return found


def about_hidden(world: World, beliefs: NDArray[np.float64]) -> list[Ask]:
    found = []
    for place, axis in enumerate(world.hidden):
        for value in asked(axis.values):
            holds = np.array([float(hidden[place] == value) for _, hidden in world.states])
            chances = np.asarray(beliefs @ holds)
            for threshold in thresholds(chances):
                found.append(Ask(f"P({axis.name}=>{value}) >= {threshold:g}", chances >= threshold))
    return found


def asked(values: tuple[str, ...]) -> tuple[str, ...]:
    """Of two values only the last: no to the one is yes to the other."""
    return values[-1:] if len(values) == 2 else values


def thresholds(chances: Floats) -> list[float]:
    """Numbers with few digits that tell the probabilities apart."""
    levels = np.unique(np.round(chances, 9))
    if len(levels) > MOST_THRESHOLDS + 1:
        levels = np.unique(np.round(np.quantile(chances, np.linspace(0.0, 1.0, MOST_THRESHOLDS + 2)), 9))
    return [short_between(float(low), float(high)) for low, high in pairwise(levels)]


def short_between(low: float, high: float) -> float:
    """The number with the fewest decimals that lies above one number and not above another, near their middle."""
    middle = 0.5 * (low + high)
    for digits in range(1, 9):
        number = round(middle, digits)
        if low < number <= high:
            return number
    return middle
