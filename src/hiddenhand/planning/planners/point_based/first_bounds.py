"""The first bounds on a discounted value, before any belief is looked at.

From below: fixed plans that look at nothing ("always this action; where it is illegal, the first legal one"). Their
values are exact lower bounds, one vector over the states each (Hauskrecht, 2000).

From above: the fast informed bound (same paper), which lets the planner see the state from the next step on but not
before acting; it starts from the value with full sight and only falls, so it may be stopped at any time.

All iterations start on the safe side and move monotonically, so that every stage is a true bound.
"""

from __future__ import annotations

import time

import numpy as np

from hiddenhand.kernel import rule
from hiddenhand.planning.model.pomdp import Array
from hiddenhand.planning.planners.point_based.compiled_model import Model

MOST_SWEEPS = 100_000


def fixed_plans(model: Model, precision: float, deadline: float) -> tuple[Array, Array]:
    """The value of "always this action" per action and state, float (A, S), and the action each plan takes, (A, S).

    Where no action is legal everything is over: value 0 and action -1.
    """
    actions = len(model.legal)
    any_legal = model.legal.any(axis=0)
    fallback = np.where(any_legal, model.legal.argmax(axis=0), -1)
    choices = np.where(model.legal, np.arange(actions)[:, None], fallback[None, :])
    lowest = min(0.0, float(model.rewards[model.legal].min(initial=0.0))) / (1.0 - model.discount)
    values = np.where(any_legal, lowest, 0.0) * np.ones((actions, 1))
    for action in range(actions):
        for _ in range(MOST_SWEEPS):
            if follow(model, choices[action], values[action]) <= precision or time.perf_counter() > deadline:
                break
    return values, choices


@rule
def follow(model, choices, values):
    """One sweep of a plan that fixes an action per state; returns the greatest rise."""
    greatest = 0.0
    for s in range(len(values)):
        action = choices[s]
        if action < 0:
            continue
        total = 0.0
        for k in range(model.move_start[action, s], model.move_start[action, s + 1]):
            total += model.moves[k].chance * values[model.moves[k].place]
        value = model.rewards[action, s] + model.discount * total
        if value > values[s]:
            greatest = max(greatest, value - values[s])
            values[s] = value
    return greatest


def informed_bound(model: Model, precision: float, deadline: float) -> Array:
    """The fast informed bound per action and state, float (A, S); minus infinity where the action is illegal."""
    highest = max(0.0, float(model.rewards[model.legal].max(initial=0.0))) / (1.0 - model.discount)
    values = np.where(model.legal, highest, -np.inf)
    for sweep in (full_sight, informed):
        for _ in range(MOST_SWEEPS):
            if sweep(model, values) <= precision or time.perf_counter() > deadline:
                break
    return values


@rule
def best_or_over(values, s):
    """The best action's value in a state; 0 where none is legal."""
    best = -np.inf
    for a in range(values.shape[0]):
        best = max(best, values[a, s])
    return 0.0 if best == -np.inf else best


@rule
def full_sight(model, values):
    """One sweep of value iteration for a planner that sees every state; returns the greatest fall."""
    actions, states = values.shape
    greatest = 0.0
    for s in range(states):
        for a in range(actions):
            if not model.legal[a, s]:
                continue
            total = 0.0
            for k in range(model.move_start[a, s], model.move_start[a, s + 1]):
                total += model.moves[k].chance * best_or_over(values, model.moves[k].place)
            value = model.rewards[a, s] + model.discount * total
            if value < values[a, s]:
                greatest = max(greatest, values[a, s] - value)
                values[a, s] = value
    return greatest


@rule
def informed(model, values):
    """One sweep of the fast informed bound; returns the greatest fall.

    After action a from state s and observation z the next action is chosen knowing s, a and z, but not s'.
    """
    actions, states = values.shape
    seen = np.zeros((model.observations, actions))
    weight = np.zeros(model.observations)
    touched = np.zeros(model.observations, dtype=np.int64)
    greatest = 0.0
    for s in range(states):
        for a in range(actions):
            if not model.legal[a, s]:
                continue
            count = 0
            for k in range(model.move_start[a, s], model.move_start[a, s + 1]):
                to = model.moves[k].place
                for j in range(model.see_start[a, to], model.see_start[a, to + 1]):
                    z = model.sights[j].place
                    chance = model.moves[k].chance * model.sights[j].chance
                    if weight[z] == 0.0:
                        touched[count] = z
                        count += 1
                    weight[z] += chance
                    for then in range(actions):
                        seen[z, then] += chance * values[then, to]
            total = 0.0
            for i in range(count):
                z = touched[i]
                best = -np.inf
                for then in range(actions):
                    best = max(best, seen[z, then])
                    seen[z, then] = 0.0
                weight[z] = 0.0
                total += 0.0 if best == -np.inf else best
            value = model.rewards[a, s] + model.discount * total
            if value < values[a, s]:
                greatest = max(greatest, values[a, s] - value)
                values[a, s] = value
    return greatest
