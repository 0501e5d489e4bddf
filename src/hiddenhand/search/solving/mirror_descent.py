"""Magnetic mirror descent: every policy moves a little towards its better actions, and is drawn back to a magnet.

At every information set, with q the value of each action against the present policies of the others,

    log policy' = (log policy + eta * q + eta * alpha * log magnet) / (1 + eta * alpha) + constant

and the magnet follows slowly: magnet' ~ magnet^0.95 * policy'^0.05. The last policy itself approaches an
equilibrium; no average is needed. S. Sokota and others, "A unified approach to reinforcement learning, quantal
response equilibria, and two-player zero-sum games" (2023), whose settings these are: eta = 0.1, alpha = 1."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hiddenhand.kernel import rule
from hiddenhand.search.solving.sequence_form import (
    Floats,
    SequenceForm,
    add_gradient,
    add_values,
    reach_sequences,
)

ETA, ALPHA, MOVING = 0.1, 1.0, 0.05
LEAST = 1e-200
"""A probability never falls below this, so that its logarithm is a number."""


class Magnets(NamedTuple):
    """What mirror descent keeps, one number for every sequence."""

    policy: Floats
    plan: Floats
    magnet: Floats
    gradient: Floats
    chance: Floats  # the gradient of the odds: how likely the others let the game come behind each sequence


@rule
def descend(me, form, sums, eta, alpha, moving):
    """One step of one seat; `gradient` and `chance` already hold what follows each sequence."""
    policy, magnet = sums.policy, sums.magnet
    for info in range(form.bounds[me], form.bounds[me + 1]):
        first, end = form.start[info], form.start[info + 1]
        reach, most = 0.0, -np.inf
        for s in range(first, end):
            reach += policy[s] * sums.chance[s]
        if reach <= 0.0:
            continue
        for s in range(first, end):
            pull = np.log(policy[s]) + eta * alpha * np.log(magnet[s])
            policy[s] = (pull + eta * sums.gradient[s] / reach) / (1.0 + eta * alpha)
            most = max(most, policy[s])
        total, pulled = 0.0, 0.0
        for s in range(first, end):
            policy[s] = np.exp(policy[s] - most)
            total += policy[s]
        for s in range(first, end):
            policy[s] = max(policy[s] / total, LEAST)
            magnet[s] = magnet[s] ** (1.0 - moving) * policy[s] ** moving
            pulled += magnet[s]
        for s in range(first, end):
            magnet[s] = max(magnet[s] / pulled, LEAST)


@rule
def iterate(form, sums, iterations):
    """All seats at once."""
    players = len(form.bounds) - 1
    for _ in range(iterations):
        for me in range(players):
            add_gradient(me, form, form.gain, sums.plan, sums.gradient)
            add_gradient(me, form, form.chance, sums.plan, sums.chance)
            add_values(me, form, sums.policy, sums.gradient)
            add_values(me, form, sums.policy, sums.chance)
        for me in range(players):
            descend(me, form, sums, ETA, ALPHA, MOVING)
            reach_sequences(me, form, sums.policy, sums.plan)


class MirrorDescent:
    """Magnetic mirror descent in progress."""

    def __init__(self, form: SequenceForm) -> None:
        self.form = form
        self.iteration = 0
        policy, plan = form.uniform(), np.ones(form.sequences)
        for seat in range(form.players):
            reach_sequences(seat, form.arrays, policy, plan)
        self.sums = Magnets(policy, plan, policy.copy(), *np.zeros((2, form.sequences)))

    def run(self, iterations: int) -> None:
        iterate(self.form.arrays, self.sums, iterations)
        self.iteration += iterations

    def strategy(self) -> Floats:
        """The last policy."""
        return self.form.normalised(self.sums.policy)
