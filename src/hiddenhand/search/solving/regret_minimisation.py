"""Counterfactual regret minimisation in its variants: CFR, CFR+, linear CFR, DCFR, PCFR+, DCFR+ and PDCFR+.

After every iteration ask, at every information set: how much better would each action have been than what I did?
That is its *instantaneous regret* r; it counts as much as chance and the other seats let the game come there. Then
play in proportion to the positive part of the *cumulative regrets* R. The average of all strategies, weighted by
own reach, approaches an equilibrium in a zero-sum game of two. The variants differ in three lines:

    R      = R * discount(t, sign of R) + r, in the "plus" variants never below 0
    policy ~ max(R, 0); in the predictive ones max(R * discount(t + 1) + r, 0): the last regret is the forecast
    average += t ** gamma * own reach * policy

All but CFR update the seats in turn, so that seat 1 already answers the new policy of seat 0; CFR updates both at
once. Everything is done in sequence form: one product with the matrix of payoffs and one pass up and down the seat's
own sequences for every update.

M. Zinkevich and others, "Regret minimization in games with incomplete information" (2007), CFR; O. Tammelin,
"Solving large imperfect information games using CFR+" (2014); N. Brown and T. Sandholm, "Solving
imperfect-information games via discounted regret minimization" (2019), linear CFR and DCFR; G. Farina, C. Kroer and
T. Sandholm, "Faster game solving via predictive Blackwell approachability" (2021), PCFR+; H. Xu and others,
"Minimizing weighted counterfactual regret with optimistic online mirror descent" (2024), DCFR+ and PDCFR+."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hiddenhand.kernel import rule
from hiddenhand.search.solving.sequence_form import Floats, SequenceForm, add_gradient, reach_sequences


@dataclass(frozen=True)
class Variant:
    """What makes one variant of CFR."""

    gamma: float
    """Iteration t has the weight t ** gamma in the average."""
    discount: Callable[[int], tuple[float, float]] = lambda t: (1.0, 1.0)
    """What positive and negative cumulative regrets are multiplied by, before iteration t adds to them."""
    plus: bool = False
    """Whether cumulative regrets never fall below 0."""
    predictive: bool = False
    """Whether the last regret is taken as a forecast of the next."""
    alternating: bool = True
    """Whether the seats are updated in turn."""


def fading(t: int, alpha: float, shift: float = 1.0) -> float:
    """The discount of iteration t: from 0 at first towards 1."""
    return float((t - 1) ** alpha / ((t - 1) ** alpha + shift))


VARIANTS = {
    "cfr": Variant(gamma=0, alternating=False),
    "cfr+": Variant(gamma=1, plus=True),
    # regrets with the weight t, all divided by t: the policy is the same
    "linear-cfr": Variant(gamma=1, discount=lambda t: ((t - 1) / t, (t - 1) / t)),
    "dcfr": Variant(gamma=2, discount=lambda t: (fading(t, 1.5), 0.5)),
    "pcfr+": Variant(gamma=2, plus=True, predictive=True),
    "dcfr+": Variant(gamma=4, discount=lambda t: (fading(t, 1.5, 1.5), 0.0), plus=True),
    "pdcfr+": Variant(gamma=5, discount=lambda t: (fading(t, 2.3), 0.0), plus=True, predictive=True),
}


class Sums(NamedTuple):
    """What a solver keeps, one number for every sequence."""

    policy: Floats
    plan: Floats  # the realization plan of the policy
    regrets: Floats
    average: Floats  # the realization plans so far, each with its weight
    gradient: Floats


class Schedule(NamedTuple):
    """The numbers of some iterations, one row each."""

    positive: Floats
    negative: Floats
    forecast: Floats  # the discount of positive regrets in the next iteration
    weight: Floats


@rule
def update_policy(me, form, sums, discounts, plus, predictive):
    """One seat's regrets and its new policy, from the gradient of its plan. discounts: those of this iteration."""
    positive, negative, forecast, weight = discounts
    policy, plan, regrets, gradient = sums.policy, sums.plan, sums.regrets, sums.gradient
    for info in range(form.bounds[me + 1] - 1, form.bounds[me] - 1, -1):
        first, end = form.start[info], form.start[info + 1]
        value = 0.0
        for s in range(first, end):
            value += policy[s] * gradient[s]
        gradient[form.above[info]] += value
        total = 0.0
        for s in range(first, end):
            regret = gradient[s] - value
            kept = regrets[s] * (positive if regrets[s] > 0.0 else negative) + regret
            if plus and kept < 0.0:
                kept = 0.0
            regrets[s] = kept
            wish = kept * forecast + regret if predictive else kept
            policy[s] = wish if wish > 0.0 else 0.0
            total += policy[s]
        for s in range(first, end):
            policy[s] = policy[s] / total if total > 0.0 else 1.0 / (end - first)
    for info in range(form.bounds[me], form.bounds[me + 1]):
        reach = plan[form.above[info]]
        for s in range(form.start[info], form.start[info + 1]):
            sums.average[s] += weight * plan[s]
            plan[s] = reach * policy[s]


@rule
def iterate(form, sums, schedule, plus, predictive, alternating):
    """As many iterations as the schedule has rows."""
    players = len(form.bounds) - 1
    for me in range(players):
        reach_sequences(me, form, sums.policy, sums.plan)
    for i in range(len(schedule.weight)):
        discounts = schedule.positive[i], schedule.negative[i], schedule.forecast[i], schedule.weight[i]
        if not alternating:
            for me in range(players):
                add_gradient(me, form, form.gain, sums.plan, sums.gradient)
        for me in range(players):
            if alternating:
                add_gradient(me, form, form.gain, sums.plan, sums.gradient)
            update_policy(me, form, sums, discounts, plus, predictive)


class RegretMinimiser:
    """A variant of CFR in progress."""

    def __init__(self, form: SequenceForm, method: str = "cfr+") -> None:
        self.form = form
        self.variant = VARIANTS[method]
        self.iteration = 0
        self.sums = Sums(form.uniform(), np.ones(form.sequences), *np.zeros((3, form.sequences)))

    def schedule(self, iterations: int) -> Schedule:
        """The numbers of the next iterations."""
        v = self.variant
        steps = range(self.iteration + 1, self.iteration + iterations + 1)
        rows = [(*v.discount(t), v.discount(t + 1)[0], float(t) ** v.gamma) for t in steps]
        return Schedule(*np.array(rows).T.copy())

    def run(self, iterations: int) -> None:
        v = self.variant
        iterate(self.form.arrays, self.sums, self.schedule(iterations), v.plus, v.predictive, v.alternating)
        self.iteration += iterations

    def update(self, me: int) -> None:
        """The part of the next iteration that is one seat's, where the seats are updated in turn."""
        v, arrays, sums = self.variant, self.form.arrays, self.sums
        for seat in range(self.form.players):
            reach_sequences(seat, arrays, sums.policy, sums.plan)
        add_gradient(me, arrays, arrays.gain, sums.plan, sums.gradient)
        discounts = tuple(float(column[0]) for column in self.schedule(1))
        update_policy(me, arrays, sums, discounts, v.plus, v.predictive)

    def strategy(self) -> Floats:
        """The average strategy so far: this, not the last one, approaches the equilibrium."""
        return self.form.normalised(self.sums.average)
