"""Ratings: how strong each agent is, from who beat whom, by the model of Bradley and Terry.

The model says that i beats j with probability 1 / (1 + 10 ** ((rating j - rating i) / 400)): the Elo scale.
The ratings are those that make the observed results most likely; a tie counts as half a win for each. The
95 % intervals come from the Fisher information. They take all games as independent: ties make them a little
too wide, games that share a deal or a table a little too narrow.

One number for each agent cannot tell a cycle, in which a beats b, b beats c and c beats a. Nash averaging can
(Balduzzi, Tuyls, Perolat and Graepel, 2018): two players each choose an agent to play for them, and the weights are
those of the equilibrium of greatest entropy. A copy of an agent shares its weight, and an agent that only beats the
weak has none. `alpha_rank` (Omidshafiei et al., 2019) asks OpenSpiel.

An agent that won everything would be rated infinitely high. Only where the results leave a rating open like
this, every pair of agents is given one tie that was never played; `prior` then says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.lab.match_runner import Array
from hiddenhand.lab.statistics import NORMAL

ELO = 400.0 / math.log(10.0)
STEPS = 200
LONGEST_STEP = 1.0


@dataclass(frozen=True)
class Ratings:
    """Ratings on the Elo scale, with half the width of their 95 % intervals."""

    values: list[float]
    margins: list[float]
    anchor: int | None
    """The agent rated 0; None: the mean of all is 0."""
    prior: bool


def rate(wins: Array, anchor: int | None = None) -> Ratings:
    """Rate agents by wins[i, j], how often i beat j, ties counted as halves."""
    scores = np.array(wins, np.float64)
    np.fill_diagonal(scores, 0.0)
    prior = not settled(scores)
    if prior:
        scores += 0.5 * (1.0 - np.eye(len(scores)))
    strengths = most_likely(scores)
    covariance = np.linalg.pinv(information(scores, strengths), hermitian=True)
    spread = np.diag(covariance).copy()
    if anchor is not None:
        strengths = strengths - strengths[anchor]
        spread += covariance[anchor, anchor] - 2.0 * covariance[anchor]
    margins = NORMAL * ELO * np.sqrt(np.maximum(spread, 0.0))
    return Ratings((ELO * strengths).tolist(), margins.tolist(), anchor, prior)


@dataclass(frozen=True)
class NashAverage:
    """How much each agent counts in the equilibrium, and what it gets on average against that mixture."""

    weights: list[float]
    values: list[float]


SMALL = 1e-6
"""Weights below this are nothing but the tolerance of the linear programs."""


def nash_average(advantages: Array) -> NashAverage:
    """The symmetric equilibrium of greatest entropy; advantages[i, j] = -advantages[j, i]: what i gets against j."""
    from scipy.linalg import null_space
    from scipy.optimize import linprog, minimize

    count = len(advantages)
    game = advantages / max(float(np.abs(advantages).max(initial=0.0)), 1e-300)
    total = np.ones((1, count))
    most = [linprog(-row, A_ub=game, b_ub=np.zeros(count), A_eq=total, b_eq=[1.0]).x for row in np.eye(count)]
    inside = np.mean(most, axis=0)  # a mixture of equilibria is one too: this one has everybody that any of them has
    support = inside > SMALL
    inside = np.where(support, inside, 0.0) / inside[support].sum()
    start, rest = inside[support], game[~support][:, support]
    free = null_space(np.vstack([game[support][:, support], np.ones(len(start))]), rcond=SMALL)

    def mixture(shift: Array) -> Array:
        found: Array = np.maximum(start + free @ shift, 1e-12)
        return found

    if free.shape[1]:

        def slack(shift: Array) -> Array:
            return np.append(-rest @ (start + free @ shift), start + free @ shift)

        found = minimize(
            lambda shift: mixture(shift) @ np.log(mixture(shift)),
            np.zeros(free.shape[1]),
            jac=lambda shift: free.T @ (1.0 + np.log(mixture(shift))),
            constraints={"type": "ineq", "fun": slack},
            options={"ftol": 1e-12},
        )
        inside[support] = mixture(found.x)
    weights = inside / inside.sum()
    return NashAverage(weights.tolist(), (advantages @ weights).tolist())


def alpha_rank(advantages: Array, alpha: float = 100.0) -> list[float]:
    """How much of the time a population of such agents spends with each of them, by OpenSpiel's alpha-rank.

    `alpha`: how strong selection is, where the largest of the advantages counts as 1.
    """
    try:
        from open_spiel.python.egt import alpharank
    except ImportError:
        raise UserError('alpha-rank needs OpenSpiel: pip install "hiddenhand[bridges]"') from None
    with np.errstate(over="ignore"):
        shares = alpharank.compute([advantages / np.abs(advantages).max()], alpha=alpha)[2]
    return [float(share) for share in shares]


def settled(scores: Array) -> bool:
    """Whether finite ratings exist: from every agent a chain of wins leads to every other."""
    reach = (scores > 0) | np.eye(len(scores), dtype=np.bool_)
    for _ in range(len(scores)):
        reach = (reach.astype(np.int64) @ reach.astype(np.int64)) > 0
    return bool(reach.all())


def most_likely(scores: Array) -> Array:
    """The strengths (natural logarithms, mean 0) of greatest likelihood, by Newton's method."""
    strengths = np.zeros(len(scores))
    for _ in range(STEPS):
        expected = (scores + scores.T) * beats(strengths)
        slope = (scores - expected).sum(axis=1)
        step = np.linalg.pinv(information(scores, strengths), hermitian=True) @ slope
        largest = float(np.abs(step).max(initial=0.0))
        strengths = strengths + step * min(1.0, LONGEST_STEP / max(largest, 1e-300))
        if largest < 1e-12:
            break
    found: Array = strengths - strengths.mean()
    return found


def beats(strengths: Array) -> Array:
    """The probability that the row beats the column."""
    found: Array = 1.0 / (1.0 + np.exp(strengths[None, :] - strengths[:, None]))
    return found


def information(scores: Array, strengths: Array) -> Array:
    """The Fisher information of the strengths."""
    chance = beats(strengths)
    weights = (scores + scores.T) * chance * (1.0 - chance)
    np.fill_diagonal(weights, 0.0)
    return np.diag(weights.sum(axis=1)) - weights
