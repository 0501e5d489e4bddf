"""Bayesian optimisation: find the numbers for which an expensive, noisy function is largest, in few evaluations.

A model of the function is kept, built from all evaluations so far; the next point is the one where the model promises
most. The model is that of tree-structured Parzen estimators, as optuna implements it (Bergstra et al., 2011): one
density of the good points, one of the others, and new points where their ratio is high.

What is random in a point comes from the seed and the number of the evaluation: a search that is stopped and told
again what it knew goes on as if it had not been.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from hiddenhand.kernel import derive

Point = dict[str, float]

AROUND_THE_START = 24
"""Points near the start that are tried before the model is asked."""


class Search:
    """A search for the best point within bounds."""

    def __init__(self, bounds: Mapping[str, tuple[float, float]], start: Point, seed: int) -> None:
        import optuna
        from optuna.distributions import FloatDistribution

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.seed = seed
        self.distributions = {name: FloatDistribution(low, high) for name, (low, high) in bounds.items()}
        self.study: Any = optuna.create_study(direction="maximize")
        self.first = [start, *near(start, bounds, seed)]
        self.evaluated: list[tuple[Point, float]] = []

    @property
    def done(self) -> int:
        """How many evaluations are known."""
        return len(self.evaluated)

    def propose(self) -> Point:
        """The next point to evaluate. Until `tell` it stays the same."""
        import optuna

        if self.done < len(self.first):
            return dict(self.first[self.done])
        seed = derive(self.seed, self.done) % 2**32
        self.study.sampler = optuna.samplers.TPESampler(
            seed=seed, multivariate=False, constant_liar=False, n_startup_trials=0
        )
        trial = self.study.ask(self.distributions)
        self.study.tell(trial, state=optuna.trial.TrialState.FAIL)  # only what is told later counts for the model
        return dict(trial.params)

    def tell(self, point: Point, value: float) -> None:
        """The next evaluation is done."""
        import optuna

        known = optuna.trial.create_trial(params=point, distributions=self.distributions, value=value)
        self.study.add_trial(known)
        self.evaluated.append((point, value))

    def best(self, count: int) -> list[Point]:
        """The points with the highest values."""
        ranked = sorted(self.evaluated, key=lambda evaluation: -evaluation[1])
        return [dict(point) for point, _ in ranked[:count]]

    def values(self) -> list[float]:
        """Every value, in order."""
        return [value for _, value in self.evaluated]


def near(
    start: Point, bounds: Mapping[str, tuple[float, float]], seed: int, count: int = AROUND_THE_START
) -> list[Point]:
    """Points around the start, a few of whose numbers are moved: the first things worth trying."""
    draw = random.Random(seed)
    points = []
    for _ in range(count):
        point = dict(start)
        for name in draw.sample(sorted(bounds), k=max(1, len(bounds) // 5)):
            low, high = bounds[name]
            point[name] = min(high, max(low, point[name] + draw.gauss(0.0, 0.12 * (high - low))))
        points.append(point)
    return points
