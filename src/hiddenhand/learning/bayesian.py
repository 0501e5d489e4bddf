"""Bayesian optimisation: find the numbers for which an expensive, noisy function is largest, in few evaluations.

A model of the function is kept, built from all evaluations so far; the next point is the one where the model promises
most. There are two models:

parzen     tree-structured Parzen estimators, as optuna implements them (Bergstra et al., 2011): one density of the
           good points, one of the others, and new points where their ratio is high
gaussian   a Gaussian process (Rasmussen and Williams): the point of the greatest expected improvement among many
           drawn anywhere and around the best

What is random in a point comes from the seed and the number of the evaluation: a search that is stopped and told
again what it knew goes on as if it had not been.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import ndtr

from hiddenhand.kernel import derive

Array = np.ndarray[Any, Any]
Point = dict[str, float]

MODELS = ("parzen", "gaussian")
AROUND_THE_START = 24
"""Points near the start that are tried before the model is asked."""
ANYWHERE, AROUND_THE_BEST, BEST = 1000, 3000, 5
"""How many candidate points there are: anywhere, around the best points, and how many best points that are."""


class BayesianSearch:
    """A search for the best point within bounds, by one of MODELS."""

    def __init__(
        self, bounds: Mapping[str, tuple[float, float]], start: Point, seed: int, model: str = "parzen"
    ) -> None:
        self.seed = seed
        self.model: Parzen | Gaussian = Parzen(bounds) if model == "parzen" else Gaussian(bounds)
        self.first = [start, *near(start, bounds, seed)]
        self.evaluated: list[tuple[Point, float]] = []

    @property
    def done(self) -> int:
        """How many evaluations are known."""
        return len(self.evaluated)

    def propose(self) -> Point:
        """The next point to evaluate. Until `tell` it stays the same."""
        if self.done < len(self.first):
            return dict(self.first[self.done])
        return self.model.propose(self.evaluated, derive(self.seed, self.done) % 2**32)

    def tell(self, point: Point, value: float) -> None:
        """The next evaluation is done."""
        self.model.tell(point, value)
        self.evaluated.append((point, value))

    def best(self, count: int) -> list[Point]:
        """The points with the highest values."""
        ranked = sorted(self.evaluated, key=lambda evaluation: -evaluation[1])
        return [dict(point) for point, _ in ranked[:count]]

    def values(self) -> list[float]:
        """Every value, in order."""
        return [value for _, value in self.evaluated]


class Parzen:
    """Proposals by optuna."""

    def __init__(self, bounds: Mapping[str, tuple[float, float]]) -> None:
        import optuna
        from optuna.distributions import FloatDistribution

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.distributions = {name: FloatDistribution(low, high) for name, (low, high) in bounds.items()}
        self.study: Any = optuna.create_study(direction="maximize")

    def propose(self, evaluated: list[tuple[Point, float]], seed: int) -> Point:
        import optuna

        self.study.sampler = optuna.samplers.TPESampler(
            seed=seed, multivariate=False, constant_liar=False, n_startup_trials=0
        )
        trial = self.study.ask(self.distributions)
        self.study.tell(trial, state=optuna.trial.TrialState.FAIL)  # only what is told later counts for the model
        return dict(trial.params)

    def tell(self, point: Point, value: float) -> None:
        import optuna

        known = optuna.trial.create_trial(params=point, distributions=self.distributions, value=value)
        self.study.add_trial(known)


class Gaussian:
    """Proposals by a Gaussian process; it needs nothing but numpy and scipy."""

    def __init__(self, bounds: Mapping[str, tuple[float, float]]) -> None:
        self.names = list(bounds)
        self.low = np.array([low for low, _ in bounds.values()])
        self.width = np.array([high - low for low, high in bounds.values()])

    def propose(self, evaluated: list[tuple[Point, float]], seed: int) -> Point:
        draw = np.random.default_rng(seed)
        seen = np.array([[point[name] for name in self.names] for point, _ in evaluated])
        seen = (seen - self.low) / self.width
        process = GaussianProcess(seen, np.array([value for _, value in evaluated]))
        count = len(self.names)
        best = seen[np.argsort(-process.believes(seen)[0], kind="stable")[:BEST]]
        around = best[draw.integers(len(best), size=AROUND_THE_BEST)]
        moved = draw.random((AROUND_THE_BEST, count)) < draw.uniform(1.0 / count, 1.0, (AROUND_THE_BEST, 1))
        steps = draw.normal(size=(AROUND_THE_BEST, count)) * draw.uniform(0.01, 0.25, (AROUND_THE_BEST, 1))
        near_best = np.clip(around + moved * steps, 0.0, 1.0)
        candidates = np.vstack([draw.random((ANYWHERE, count)), near_best])
        chosen = candidates[int(process.expected_improvement(candidates).argmax())]
        return dict(zip(self.names, (self.low + self.width * chosen).tolist()))

    def tell(self, point: Point, value: float) -> None:
        """The model is fitted again from all evaluations for every suggestion."""


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


# ---- a Gaussian process

LENGTHS = (0.1, 0.2, 0.4, 0.7, 1.2, 2.0)
"""How near is near, in parts of the diagonal of the cube that the points lie in."""
NOISES = (0.01, 0.1, 0.3, 0.6)
"""The share of the values' variance that is noise."""


class GaussianProcess:
    """The posterior of a smooth, noisy function, given some of its values (Rasmussen and Williams).

    All values of the function are jointly normal; the nearer two points are, the more alike their values (Matérn's
    kernel with 5/2). The length scale and the share of noise are those of a grid under which the observations are
    most likely. Beside the mean stands the standard deviation, so that one can ask where the function may be larger
    than anything seen yet: the expected improvement.

    points   (n, d), each number from 0 to 1
    values   (n,)
    """

    def __init__(self, points: Array, values: Array) -> None:
        self.points = points
        self.middle, self.scale = values.mean(), values.std() or 1.0
        self.heights = (values - self.middle) / self.scale
        apart = distances(points, points) / np.sqrt(points.shape[1])
        fits = [(self.likelihood(apart, length, noise), length, noise) for length in LENGTHS for noise in NOISES]
        _, self.length, self.noise = max(fits)
        self.factor = cho_factor(self.covariance(apart, self.length, self.noise), lower=True)
        self.weights = cho_solve(self.factor, self.heights)

    @staticmethod
    def covariance(apart: Array, length: float, noise: float) -> Array:
        """Of the observations."""
        return (1.0 - noise) * matern(apart / length) + noise * np.eye(len(apart))

    def likelihood(self, apart: Array, length: float, noise: float) -> float:
        """The logarithm of how likely the observations are, less a constant."""
        lower, _ = factor = cho_factor(self.covariance(apart, length, noise), lower=True)
        return float(-0.5 * self.heights @ cho_solve(factor, self.heights) - np.log(np.diag(lower)).sum())

    def believes(self, points: Array) -> tuple[Array, Array]:
        """(mean, standard deviation) of the function itself at these points, without the noise."""
        apart = distances(points, self.points) / np.sqrt(points.shape[1])
        shared = (1.0 - self.noise) * matern(apart / self.length)
        mean = shared @ self.weights
        variance = (1.0 - self.noise) - (shared * cho_solve(self.factor, shared.T).T).sum(axis=1)
        return self.middle + self.scale * mean, self.scale * np.sqrt(np.maximum(variance, 1e-12))

    def expected_improvement(self, points: Array) -> Array:
        """By how much each point is expected to surpass what is believed of the best one observed."""
        best = self.believes(self.points)[0].max()
        mean, sd = self.believes(points)
        steps = (mean - best) / sd
        found: Array = (mean - best) * ndtr(steps) + sd * np.exp(-0.5 * steps**2) / np.sqrt(2.0 * np.pi)
        return found


def distances(first: Array, second: Array) -> Array:
    squares = (first**2).sum(axis=1)[:, None] + (second**2).sum(axis=1)[None, :] - 2.0 * first @ second.T
    found: Array = np.sqrt(np.maximum(squares, 0.0))
    return found


def matern(apart: Array) -> Array:
    """How alike two values are, by the distance of their points: 1 at no distance."""
    far = np.sqrt(5.0) * apart
    found: Array = (1.0 + far + far**2 / 3.0) * np.exp(-far)
    return found
