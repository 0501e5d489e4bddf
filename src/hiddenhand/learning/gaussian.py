"""A Gaussian process: what a smooth, noisy function may be like, given some of its values (Rasmussen and Williams).

Any values of the function are believed to be normal together, and the nearer two points are, the more alike their
values (Matérn's kernel with 5/2). How near is near, and how noisy the values are, is taken from a grid: what makes
the observations most likely. Beside a belief stands its standard deviation, so that one can ask where the function
may be larger than anything seen yet: the expected improvement.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import ndtr

Array = np.ndarray[Any, Any]

LENGTHS = (0.1, 0.2, 0.4, 0.7, 1.2, 2.0)
"""How near is near, in parts of the diagonal of the cube that the points lie in."""
NOISES = (0.01, 0.1, 0.3, 0.6)
"""The share of the values' variance that is noise."""


class GaussianProcess:
    """What is believed after these observations.

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
        return (mean - best) * ndtr(steps) + sd * np.exp(-0.5 * steps**2) / np.sqrt(2.0 * np.pi)


def distances(first: Array, second: Array) -> Array:
    squares = (first**2).sum(axis=1)[:, None] + (second**2).sum(axis=1)[None, :] - 2.0 * first @ second.T
    return np.sqrt(np.maximum(squares, 0.0))


def matern(apart: Array) -> Array:
    """How alike two values are, by the distance of their points: 1 at no distance."""
    far = np.sqrt(5.0) * apart
    return (1.0 + far + far**2 / 3.0) * np.exp(-far)
