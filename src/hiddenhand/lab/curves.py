"""Curves: how work goes, step by step, as plain numbers that a page or a figure draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.lab.statistics import Numbers, student

MOST_POINTS = 200
"""The most points of a curve; a screen could not show more of them."""


class CurvePoint(NamedTuple):
    """A value that was measured after `step` steps, with its 95 % interval if there is one."""

    step: float
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Curve:
    """One line: its name, what is counted from left to right, what is measured, and the points."""

    name: str
    across: str
    upwards: str
    points: list[CurvePoint]

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"points": [list(point) for point in thinned(self.points)]}


@dataclass(frozen=True)
class SoFar:
    """What there is of work that is not finished: a line on it, and its curves."""

    text: str
    curves: list[Curve] = field(default_factory=list)

    def progress_curves(self) -> list[Curve]:
        return self.curves

    def to_json(self) -> str:
        return self.text

    def __str__(self) -> str:
        return self.text


def thinned(points: Sequence[CurvePoint]) -> list[CurvePoint]:
    """At most MOST_POINTS of them, evenly taken, the last one always."""
    if len(points) <= MOST_POINTS:
        return list(points)
    places = np.linspace(0, len(points) - 1, MOST_POINTS).round().astype(int)
    return [points[place] for place in places]


def running_mean(observations: Numbers, apart: int) -> list[CurvePoint]:
    """The mean of the first observations, of a few more, ... of all, each with Student's 95 % interval.

    The very first say so little that their intervals would dwarf all others: some of them come together.
    `apart`: how many games an observation stands for.
    """
    total = len(observations)
    if total == 0:
        return []
    first = min(total, max(2, min(5, total // 2), total // 20))
    counts = np.unique(np.linspace(first, total, MOST_POINTS).round().astype(int))
    middle = observations.mean()  # subtracted, so that squares of large numbers lose no digits
    apart_from_it = observations - middle
    means = np.cumsum(apart_from_it)[counts - 1] / counts
    squares = np.cumsum(apart_from_it**2)[counts - 1]
    points = []
    for count, mean, square in zip(counts.tolist(), means.tolist(), squares.tolist()):
        if count < 2:
            points.append(CurvePoint(count * apart, middle + mean))
            continue
        variance = max(0.0, square - count * mean**2) / (count - 1)
        half = student(count - 1) * (variance / count) ** 0.5
        points.append(CurvePoint(count * apart, middle + mean, middle + mean - half, middle + mean + half))
    return points
