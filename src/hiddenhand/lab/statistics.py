"""Statistics of a match: mean, standard deviation, 95 % interval and a histogram as text."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from hiddenhand.lab.tables import in_columns

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


def student(freedom: int) -> float:
    """The t with which 95 % of Student's distribution lie between -t and t."""
    from scipy.special import stdtrit  # here: it takes a tenth of a second to import

    return float(stdtrit(freedom, (1.0 + LEVEL) / 2.0))


def wilson(share: float, games: int) -> list[float]:
    """A 95 % interval for a probability, from how often it came true (Wilson, 1927)."""
    from scipy.stats import binomtest  # here: it takes half a second to import

    interval = binomtest(round(share * games), games).proportion_ci(LEVEL, method="wilson")
    return [float(interval.low), float(interval.high)]


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
    rows = [["payoff", *names], *([label, *row] for label, row in zip(labels, zip(*cells)))]
    return "\n".join(in_columns(rows, ">" + "<" * len(names)))


def share_bar(count: int, total: int, width: int) -> str:
    share = count / total if total else 0.0
    return f"{share:6.1%} " + "#" * round(share * width)
