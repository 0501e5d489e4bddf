"""Statistics of a match: mean, standard deviation, 95 % interval and a histogram as text."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

Numbers = np.ndarray[Any, Any]

LEVEL = 0.95
NORMAL = 1.959963984540054
"""95 % of a normal distribution lie within so many standard deviations of its mean."""

FEW = 12
"""Up to so many distinct values, a histogram has one line for each."""


@dataclass(frozen=True)
class Summary:
    """What is known of a mean. One observation says nothing about spread: the last three are then None."""

    count: int
    mean: float
    sd: float | None
    low: float | None
    high: float | None

    @property
    def interval(self) -> list[float | None]:
        return [self.low, self.high]


def summarise(values: Numbers, observations: Numbers | None = None) -> Summary:
    """Mean and standard deviation of the values, and Student's 95 % interval for the mean.

    `observations`: what is independent, where the values themselves are not: for games that share a deal, the
    mean of each deal. The interval comes from these; they must have the same mean as the values.
    """
    if len(values) == 0:
        return Summary(0, math.nan, None, None, None)
    independent = values if observations is None else observations
    mean = float(np.mean(values))
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else None
    if len(independent) < 2:
        return Summary(len(values), mean, sd, None, None)
    error = float(np.std(independent, ddof=1)) / math.sqrt(len(independent))
    half = student(len(independent) - 1) * error
    return Summary(len(values), mean, sd, mean - half, mean + half)


@lru_cache(maxsize=256)
def student(freedom: int) -> float:
    """The t with which 95 % of Student's distribution lie between -t and t."""
    if freedom > 200:
        return student_far(freedom)
    low, high = 0.0, math.pi / 2
    for _ in range(80):
        middle = (low + high) / 2
        if share_within(middle, freedom) < LEVEL:
            low = middle
        else:
            high = middle
    return math.sqrt(freedom) * math.tan((low + high) / 2)


def share_within(angle: float, freedom: int) -> float:
    """The share of Student's distribution within t = sqrt(freedom) * tan(angle).

    For whole degrees of freedom this is a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4).
    """
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2 == 1
    term = cosine if odd else 1.0
    total = 0.0
    for step in range(freedom // 2):
        total += term
        upper, lower = (2 * step + 2, 2 * step + 3) if odd else (2 * step + 1, 2 * step + 2)
        term *= cosine * cosine * upper / lower
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def student_far(freedom: int) -> float:
    """The same for many degrees of freedom, as a correction of the normal value (26.7.5)."""
    z = NORMAL
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def histogram(columns: list[Numbers], names: list[str], width: int = 96) -> str:
    """How often each value occurs, one column per name; many distinct values are put into bins."""
    values = np.unique(np.concatenate(columns))
    if len(values) == 0:
        return ""
    if len(values) <= FEW:
        labels = [f"{value:g}" for value in values]
        counts = [[int(np.sum(column == value)) for value in values] for column in columns]
    else:
        edges = np.linspace(values[0], values[-1], FEW + 1)
        labels = [f"{low:.4g} to {high:.4g}" for low, high in pairwise(edges)]
        counts = [np.histogram(column, edges)[0].tolist() for column in columns]
    bar = max(6, min(24, width // len(columns) - 12))
    cells = [[f"{share_bar(n, sum(of), bar)}" for n in of] for of in counts]
    return "\n".join(in_columns([["payoff", *labels], *([name, *of] for name, of in zip(names, cells))]))


def share_bar(count: int, total: int, width: int) -> str:
    share = count / total if total else 0.0
    return f"{share:6.1%} " + "#" * round(share * width)


def in_columns(columns: list[list[str]], flush: str = "") -> list[str]:
    """Lines made of columns; `flush` has a < (left) or > (right) for each of them."""
    widths = [max(map(len, column)) for column in columns]
    sides = flush or ">" + "<" * (len(columns) - 1)
    return [
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths)).rstrip()
        for row in zip(*columns)
    ]
