"""A point-based plan followed in simulated episodes: what it earns, beside what it promises.

The truth is drawn from the first belief and moved by the model; whoever follows the plan sees the observations alone,
and what is seen before the first action.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log
from typing import NamedTuple

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.kernel import rule, split, stream, uniform
from hiddenhand.planning.model.pomdp import Array
from hiddenhand.planning.planners.point_based.alpha_vectors import Vectors, best_vector
from hiddenhand.planning.planners.point_based.compiled_model import (
    CHANCE_OF,
    look_ahead,
    new_outcomes,
    records,
    sparse_belief,
)
from hiddenhand.planning.planners.point_based.solver import PointBasedSolution
from hiddenhand.planning.planners.point_based.supports import Groups, group_at, states_after

MOST_STEPS = 20_000
REST = 1e-4
"""The part of all there is to earn that may lie beyond the last step."""


class VectorPolicy(NamedTuple):
    """What is followed; see `PointBasedSolution`."""

    groups: Groups
    vectors: Vectors
    choices: Array  # int64 (A, S): what the fixed plans do


@dataclass(frozen=True)
class Earned:
    """What the episodes earned, discounted; mean and half the width of its 95 % interval."""

    mean: float
    error: float
    episodes: int
    steps: int
    rest: float
    """What at most lies beyond the last step of an episode, for better or worse."""


def follow_plan(solution: PointBasedSolution, episodes: int, seed: int = 0) -> Earned:
    """Follow the plan in `episodes` simulated episodes."""
    if episodes < 2:
        raise UserError(
            "at least 2 episodes are needed to say how sure the mean is, not {episodes}", episodes=episodes
        )
    pomdp = solution.pomdp
    model = solution.model
    steps = min(MOST_STEPS, ceil(log(REST) / log(pomdp.discount)))
    plan = VectorPolicy(solution.groups, solution.vectors, solution.fixed_choices)
    beginnings = pomdp.beginnings()
    chances, starts = np.array([c for c, _ in beginnings]), [sparse_belief(belief) for _, belief in beginnings]
    begun = np.random.default_rng(seed).choice(len(starts), size=episodes, p=chances / chances.sum())
    now, outcomes = records(CHANCE_OF, len(pomdp.states)), new_outcomes(model)
    totals = np.zeros(episodes)
    for episode in range(episodes):
        start, rng = starts[begun[episode]], stream(split(seed, episode))
        totals[episode] = one_episode(model, plan, start, now, outcomes, steps, rng)
    largest = float(np.abs(pomdp.rewards[pomdp.legal]).max(initial=0.0))
    rest = pomdp.discount**steps * largest / (1.0 - pomdp.discount)
    error = 1.96 * float(totals.std(ddof=1)) / episodes**0.5
    return Earned(mean=float(totals.mean()), error=error, episodes=episodes, steps=steps, rest=float(rest))


@rule
def one_episode(model, plan, start, now, outcomes, steps, rng):
    """What one episode earns, discounted."""
    count = len(start)
    for i in range(count):
        now[i].place, now[i].chance = start[i].place, start[i].chance
    truth = now[drawn(now, 0, count, rng)].place
    total, weight = 0.0, 1.0
    for _ in range(steps):
        group = group_at(plan.groups, now[:count])
        action = chosen(model, plan, group, now[:count])
        if action < 0:
            break
        total += weight * model.rewards[action, truth]
        weight *= model.discount
        moved = drawn(model.moves, model.move_start[action, truth], model.move_start[action, truth + 1], rng)
        truth = model.moves[moved].place
        seen = drawn(model.sights, model.see_start[action, truth], model.see_start[action, truth + 1], rng)
        observed = model.sights[seen].place
        look_ahead(model, now[:count], action, states_after(plan.groups, group, plan.vectors.plans, action), outcomes)
        begin, end = outcomes.start[observed], outcomes.start[observed + 1]
        count = end - begin
        whole = 0.0
        for i in range(begin, end):
            whole += outcomes.joint[i].chance
        for i in range(count):
            now[i].place = outcomes.joint[begin + i].place
            now[i].chance = outcomes.joint[begin + i].chance / whole
    return total


@rule
def chosen(model, plan, group, belief):
    """The action of the vector that is worth most; where it is illegal, that of its fixed plan. -1: it is over."""
    best, _ = best_vector(plan.groups, plan.vectors, group, belief)
    state, action = belief[0].place, plan.vectors.action[group, best]
    if model.legal[action, state]:
        return action
    return plan.choices[best if best < plan.vectors.plans else plan.vectors.safest, state]


@rule
def drawn(entries, low, high, rng):
    """A place from low to high, with the chances of the entries there."""
    point = uniform(rng)
    for k in range(low, high - 1):
        point -= entries[k].chance
        if point < 0.0:
            return k
    return high - 1
