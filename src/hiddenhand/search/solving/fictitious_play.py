"""Fictitious play: in every round each seat plays a best response to the average of what the others have played.

The averages approach an equilibrium in a zero-sum game of two. They are averages of realization plans, as behaviour
in a game with several decisions must be averaged: J. Heinrich, M. Lanctot and D. Silver, "Fictitious self-play in
extensive-form games" (2015); G. Brown, "Iterative solution of games by fictitious play" (1951).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hiddenhand.kernel import rule
from hiddenhand.search.solving.sequence_form import (
    Floats,
    SequenceForm,
    add_best,
    add_gradient,
    reach_sequences,
)


class Averages(NamedTuple):
    """What fictitious play keeps, one number for every sequence."""

    plan: Floats  # the average realization plan
    response: Floats
    reply: Floats  # its realization plan
    gradient: Floats


@rule
def iterate(form, sums, first, iterations):
    """The rounds from number `first` on: seat after seat, each answering what there is by then."""
    players = len(form.bounds) - 1
    for t in range(first, first + iterations):
        for me in range(players):
            add_gradient(me, form, form.gain, sums.plan, sums.gradient)
            add_best(me, form, sums.gradient, sums.response)
            reach_sequences(me, form, sums.response, sums.reply)
            for s in range(form.start[form.bounds[me]], form.start[form.bounds[me + 1]]):
                sums.plan[s] += (sums.reply[s] - sums.plan[s]) / (t + 1)


class FictitiousPlay:
    """Fictitious play in progress; the first plan is the uniform one."""

    def __init__(self, form: SequenceForm) -> None:
        self.form = form
        self.iteration = 0
        plan, uniform = np.ones(form.sequences), form.uniform()
        for seat in range(form.players):
            reach_sequences(seat, form.arrays, uniform, plan)
        self.sums = Averages(plan, *np.ones((3, form.sequences)))

    def run(self, iterations: int) -> None:
        iterate(self.form.arrays, self.sums, self.iteration + 1, iterations)
        self.iteration += iterations

    def strategy(self) -> Floats:
        return self.form.normalised(self.sums.plan)
