"""How long precalculation would take: beliefs to reckon, the time of some of them measured, and what that makes.

The document of Svarog reckons so, with one second for a belief: all 2 ** 32 - 1 beliefs over 32 states would take 138
years (of 360 days; of 365 they are 136). So it stores only the 32 certainties.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from time import process_time
from typing import Any

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.planning.model.world import World
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.knowledge import estimate, stored_beliefs

SAMPLE = 20
"""Beliefs that are timed for each number of possible states."""
UNITS = (365.0 * 86400.0, 86400.0, 3600.0, 60.0, 1.0)
"""The seconds of a year, a day, an hour, a minute and a second."""


@dataclass(frozen=True)
class Forecast:
    """What there is to reckon and how long it takes, in seconds."""

    stored: int
    """Beliefs that are reckoned and stored."""
    seconds: float
    """For all of them, on one core."""
    whole: float
    """Beliefs of all the grids, if none were called too complex."""
    whole_seconds: float
    largest: float
    """Beliefs of the largest grid."""
    largest_states: int
    largest_seconds: float
    each: float
    """Seconds for a belief of that grid."""

    def lines(self) -> list[str]:
        return [
            Text("{n} beliefs to reckon: about {time} on one core", n=self.stored, time=lasting(self.seconds)),
            Text(
                "without the limit {n} beliefs: about {time}", n=count(self.whole), time=lasting(self.whole_seconds)
            ),
            Text(
                "the largest grid alone, {states} states, has {n}: {time} at {each} each, {slow} at 1 second each",
                states=self.largest_states,
                n=count(self.largest),
                time=lasting(self.largest_seconds),
                each=lasting(self.each),
                slow=lasting(self.largest),
            ),
        ]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def forecast(world: World, depth: int, granularity: int, most: int) -> Forecast:
    """Reckon a few beliefs of every size, and from their time that of all."""
    units = estimate(world, granularity, most)
    times: dict[int, float] = {}
    for unit in units:
        if unit.possible_states not in times:
            times[unit.possible_states] = timed(world, unit.visible, depth)
    largest = max(units, key=lambda unit: unit.grid_size)
    return Forecast(
        stored=sum(unit.stored for unit in units),
        seconds=sum(unit.stored * times[unit.possible_states] for unit in units),
        whole=sum(unit.grid_size for unit in units),
        whole_seconds=sum(unit.grid_size * times[unit.possible_states] for unit in units),
        largest=largest.grid_size,
        largest_states=largest.possible_states,
        largest_seconds=largest.grid_size * times[largest.possible_states],
        each=times[largest.possible_states],
    )


def timed(world: World, visible: int, depth: int) -> float:
    """Seconds for one belief of a visible state, planned from scratch together with a few others."""
    states = world.states_of(visible)
    rng = np.random.default_rng(0)
    beliefs = np.zeros((SAMPLE, len(world.states)))
    certain = stored_beliefs(len(states), 2, too_complex=True)
    chosen = rng.random((SAMPLE, len(states))) < 0.5
    chosen[:, 0] |= ~chosen.any(axis=1)
    beliefs[:, states.start : states.stop] = (chosen @ certain) / chosen.sum(axis=1, keepdims=True)
    planner = ExactPlanner(world)
    begun = process_time()
    planner.plan_all(beliefs, depth)
    return (process_time() - begun) / SAMPLE


def lasting(seconds: float) -> Text:
    """A time in the unit that suits it: `136 years`."""
    length = next((length for length in UNITS if seconds >= length), None)
    if length is None:
        return Text("{n:.2g} ms", n=1000.0 * seconds)
    number = seconds / length
    shown = count(number) if number >= 100.0 else Text("{n:.2g}", n=number)
    n = float(f"{number:.2g}")
    match UNITS.index(length):
        case 0:
            return Text.plural("{count} year", "{count} years", n=n, count=shown)
        case 1:
            return Text.plural("{count} day", "{count} days", n=n, count=shown)
        case 2:
            return Text.plural("{count} hour", "{count} hours", n=n, count=shown)
        case 3:
            return Text.plural("{count} minute", "{count} minutes", n=n, count=shown)
    return Text.plural("{count} second", "{count} seconds", n=n, count=shown)


def count(number: float) -> Text:
    """A large number as people read it."""
    return Text("{n:,.0f}" if number < 1e15 else "{n:.3g}", n=number)
