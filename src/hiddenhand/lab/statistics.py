"""Statistics of a match: mean, standard deviation, 95 % interval and a histogram as text."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.lab.tables import in_columns

Numbers = np.ndarray[Any, Any]

NORMAL = 1.959963984540054
"""95 % of a normal distribution lie within this many standard deviations of its mean."""
STUDENT = (
    12.70620474,
    4.30265273,
    3.18244631,
    2.77644511,
    2.57058184,
    2.44691185,
    2.36462425,
    2.30600414,
    2.26215716,
    2.22813885,
    2.20098516,
    2.17881283,
    2.16036866,
    2.14478669,
    2.13144955,
    2.11990530,
    2.10981558,
    2.10092204,
    2.09302405,
    2.08596345,
    2.07961384,
    2.07387307,
    2.06865761,
    2.06389856,
    2.05953855,
    2.05552944,
    2.05183052,
    2.04840714,
    2.04522964,
    2.04227246,
)
"""Student's t for 1, 2, ... degrees of freedom."""

FEW = 12
"""A histogram has one line for each distinct value if there are no more than this."""


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
    """The t with which 95 % of Student's distribution lie between -t and t, to seven digits.

    By hand, since scipy takes a sixth of a second to import and every match needs it: a table, and beyond it the
    expansion around the normal distribution (Fisher and Cornish, 1960).
    """
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    z, t = NORMAL, NORMAL
    t += (z**3 + z) / (4 * freedom)
    t += (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    t += (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    return t + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * freedom**4)


def wilson(share: float, games: int) -> list[float]:
    """A 95 % interval for a probability, from the share of independent games in which it came true (Wilson, 1927).

    Unlike the share give or take two standard errors it stays between 0 and 1, and is no point where the share is.
    """
    if not games:
        return [0.0, 1.0]
    spread = NORMAL**2 / games
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread**2 / 4) / (1 + spread)
    return [max(0.0, middle - half), min(1.0, middle + half)]


REPETITIONS = 2000
"""How often a bootstrap draws the runs anew."""


class Aggregate(NamedTuple):
    """What several runs say together, and its 95 % interval; numbers, or arrays of one number a point."""

    value: Any
    low: Any
    high: Any


def interquartile_mean(values: Numbers) -> Any:
    """The mean of the middle half of the values along the first axis: a quarter of them is left out at either end."""
    ordered, cut = np.sort(values, axis=0), len(values) // 4
    return ordered[cut : len(ordered) - cut].mean(axis=0)


def aggregated(scores: Numbers, repetitions: int = REPETITIONS, seed: int = 0) -> Aggregate:
    """The interquartile mean of several runs at several tasks, and its 95 % interval by a stratified bootstrap.

    scores   (runs, tasks) or (runs, tasks, points); points, such as those of a curve, are aggregated one by one

    The runs of each task are drawn anew among themselves. Few runs of training say little, and one that failed or had
    luck moves their mean far; this is how to tell that honestly (Agarwal et al., 2021).
    """
    runs, tasks = scores.shape[:2]
    rng = np.random.default_rng(seed)
    drawn = rng.integers(runs, size=(repetitions, runs, tasks))
    again = [interquartile_mean(pooled(scores[rows, np.arange(tasks)])) for rows in drawn]
    low, high = np.percentile(again, [2.5, 97.5], axis=0)
    return Aggregate(interquartile_mean(pooled(scores)), low, high)


def pooled(scores: Numbers) -> Numbers:
    """All runs of all tasks in one row."""
    return scores.reshape(-1, *scores.shape[2:])


HOLDS, FAILS, NOT_SHOWN = "holds", "does not hold", "not shown"
Interval = tuple[float, float]


def verdict(margins: Iterable[Interval]) -> str:
    """Whether a statement holds that says that some quantities are positive, by the 95 % interval of each."""
    known = list(margins)
    if any(high < 0.0 for _, high in known):
        return FAILS
    return HOLDS if all(low > 0.0 for low, _ in known) else NOT_SHOWN


def ahead(first: Numbers, second: Numbers) -> Interval:
    """By how much the mean of the first is above that of the second, as an interval. Values in the same place belong
    to the same deal."""
    difference = summarise(first - second)
    if difference.low is None or difference.high is None:
        return -math.inf, math.inf
    return difference.low, difference.high


def wider(first: Numbers, second: Numbers) -> Interval:
    """How much greater the standard deviation of the first is than that of the second, as an interval of the
    logarithm of their ratio: by the spread of the squared deviations, so that it holds for other than normal values.
    """
    if min(np.ptp(first), np.ptp(second)) == 0.0:
        return -math.inf, math.inf
    middle = math.log(np.std(first, ddof=1) / np.std(second, ddof=1))
    half = NORMAL * math.sqrt(sum(error_of_log_deviation(values) ** 2 for values in (first, second)))
    return middle - half, middle + half


def error_of_log_deviation(values: Numbers) -> float:
    """The standard error of the logarithm of a standard deviation."""
    squares = (values - values.mean()) ** 2
    return float(np.std(squares) / (2 * squares.mean() * math.sqrt(len(values))))


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
        labels = [Text("{low:.4g} to {high:.4g}", low=low, high=high) for low, high in pairwise(edges)]
        counts = [np.histogram(column, edges)[0].tolist() for column in columns]
    bar = max(6, min(24, width // len(columns) - 12))
    cells = [[f"{share_bar(n, sum(of), bar)}" for n in of] for of in counts]
    rows = [["payoff", *names], *([label, *row] for label, row in zip(labels, zip(*cells)))]
    return "\n".join(in_columns(rows, ">" + "<" * len(names)))


def share_bar(count: int, total: int, width: int) -> str:
    share = count / total if total else 0.0
    return f"{share:6.1%} " + "#" * round(share * width)
