"""The first bounds on a discounted value, before any belief is looked at.

From below: fixed plans that look at nothing ("always this action; where it is illegal, the first legal one"). Their
values are exact lower bounds, one vector over the states each (Hauskrecht, 2000).

From above: the fast informed bound (same paper), which lets the planner see the state from the next step on but not
before acting; it starts from the value with full sight and only falls, so it may be stopped at any time.

With a discount near 1 values spread slowly, so they are found by solving equations, however well that goes in the
time there is. What comes of it is then made safe: values V that one step of thought changes by no more than d (for
the worse) are wrong by no more than d / (1 - discount), and are moved by that much. From there on all sweeps move
monotonically, so that every stage is a true bound.
"""

from __future__ import annotations

import time

import numpy as np
from scipy.sparse import csr_array, eye_array

from hiddenhand.kernel import rule
from hiddenhand.planning.model.pomdp import Array
from hiddenhand.planning.planners.point_based.compiled_model import LEAST, CompiledModel, inner

MOST_SWEEPS = 100_000
MOST_POLICIES = 200
MOST_STEPS = 1000
ENTRIES_AT_ONCE = 2_000_000
"""Work of a sweep between two looks at the clock."""


def fixed_plans(model: CompiledModel, precision: float, deadline: float) -> tuple[Array, Array]:
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
        now = time.perf_counter()
        until = now + (deadline - now) / (actions - action)
        table, payoffs = followed(model, choices[action])
        found = solved(model.discount, table, payoffs, until)
        fall = max(0.0, float((found - payoffs - model.discount * (table @ found)).max()))
        found = np.where(any_legal, found - fall / (1.0 - model.discount), 0.0)
        values[action] = np.maximum(values[action], found)
        for _ in range(MOST_SWEEPS):
            if time.perf_counter() > until or follow(model, choices[action], values[action]) <= precision:
                break
    return values, choices


def followed(model: CompiledModel, choices: Array) -> tuple[csr_array, Array]:
    """Where a plan that fixes an action per state leads, (S, S), and what it pays, (S,); nothing where it is over."""
    states = np.arange(len(choices))
    goes = choices >= 0
    action = np.maximum(choices, 0)
    starts, ends = model.move_start[action, states], model.move_start[action, states + 1]
    lengths = np.where(goes, ends - starts, 0)
    before = np.cumsum(lengths) - lengths
    places = np.repeat(starts - before, lengths) + np.arange(int(lengths.sum()))
    moves = model.moves[places]
    rows = np.append(before, lengths.sum())
    table = csr_array((moves["chance"], moves["place"], rows), shape=(len(states), len(states)))
    return table, np.where(goes, model.rewards[action, states], 0.0)


def solved(discount: float, table: csr_array, payoffs: Array, deadline: float, guess: Array | None = None) -> Array:
    """About the values of a plan, (S,): those that its payoffs and steps agree with.

    By BiCGSTAB (H. van der Vorst, 1992), as long as it goes well; what it has then is made safe like anything else.
    """
    equations = eye_array(len(payoffs), format="csr") - discount * table
    values = np.zeros_like(payoffs) if guess is None else guess
    residual = shadow = payoffs - equations @ values
    enough = max(1e-26, 1e-24 * float(inner(payoffs, payoffs)))
    direction = image = np.zeros_like(payoffs)
    rho = alpha = omega = np.asarray(1.0)
    with np.errstate(all="ignore"):
        for _ in range(MOST_STEPS):
            if inner(residual, residual) <= enough or time.perf_counter() > deadline:
                break
            before, rho = rho, inner(shadow, residual)
            direction = residual + rho / before * alpha / omega * (direction - omega * image)
            image = equations @ direction
            alpha = rho / inner(shadow, image)
            half = residual - alpha * image
            turned = equations @ half
            omega = inner(turned, half) / np.maximum(inner(turned, turned), LEAST)
            further = values + alpha * direction + omega * half
            if not np.isfinite(further).all():
                break
            values, residual = further, half - omega * turned
    return values


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


def informed_bound(model: CompiledModel, precision: float, deadline: float) -> Array:
    """The fast informed bound per action and state, float (A, S); minus infinity where the action is illegal."""
    now = time.perf_counter()
    best = full_sight(model, precision, now + (deadline - now) / 2)
    actions, states = model.legal.shape
    values = np.full((actions, states), -np.inf)
    with_sight(model, best, values)
    entries = len(model.moves) * max(1, len(model.sights) // max(1, states * actions)) * actions
    step = max(1, int(states * ENTRIES_AT_ONCE / max(1, entries)))
    for _ in range(MOST_SWEEPS):
        fell = 0.0
        for low in range(0, states, step):
            if time.perf_counter() > deadline:
                return values
            fell = max(fell, informed(model, values, low, min(low + step, states)))
        if fell <= precision:
            break
    return values


def full_sight(model: CompiledModel, precision: float, deadline: float) -> Array:
    """At least the value of every state for a planner that sees it, (S,): policies that improve on one another."""
    states = model.legal.shape[1]
    any_legal = model.legal.any(axis=0)
    highest = max(0.0, float(model.rewards[model.legal].max(initial=0.0))) / (1.0 - model.discount)
    found = np.zeros(states)
    better, choices = np.zeros(states), np.full(states, -1)
    for _ in range(MOST_POLICIES):
        improved(model, found, better, choices)
        if np.abs(better - found).max(initial=0.0) <= precision or time.perf_counter() > deadline:
            break
        table, payoffs = followed(model, choices)
        found = solved(model.discount, table, payoffs, deadline, better.copy())
    improved(model, found, better, choices)
    rise = max(0.0, float((better - found)[any_legal].max(initial=0.0)))
    found = np.where(any_legal, np.minimum(found + rise / (1.0 - model.discount), highest), 0.0)
    for _ in range(MOST_SWEEPS):
        improved(model, found, better, choices)
        fell = float((found - better).max(initial=0.0))
        np.minimum(found, better, out=found)
        if fell <= precision or time.perf_counter() > deadline:
            break
    return found


@rule
def improved(model, values, better, choices):
    """One step of thought with full sight: every state's best action and its worth; -1 and 0 where it is over."""
    actions, states = model.legal.shape
    for s in range(states):
        best, chosen = 0.0, -1
        for a in range(actions):
            if not model.legal[a, s]:
                continue
            total = 0.0
            for k in range(model.move_start[a, s], model.move_start[a, s + 1]):
                total += model.moves[k].chance * values[model.moves[k].place]
            value = model.rewards[a, s] + model.discount * total
            if chosen < 0 or value > best:
                best, chosen = value, a
        better[s], choices[s] = best, chosen


@rule
def with_sight(model, best, values):
    """What each legal action is worth if every state is seen from then on, and is worth `best`."""
    actions, states = model.legal.shape
    for s in range(states):
        for a in range(actions):
            if model.legal[a, s]:
                total = 0.0
                for k in range(model.move_start[a, s], model.move_start[a, s + 1]):
                    total += model.moves[k].chance * best[model.moves[k].place]
                values[a, s] = model.rewards[a, s] + model.discount * total


@rule
def informed(model, values, low, high):
    """One sweep of the fast informed bound through the states from low to high; returns the greatest fall.

    After action a from state s and observation z the next action is chosen knowing s, a and z, but not s'.
    """
    actions = values.shape[0]
    seen = np.zeros((model.observations, actions))
    weight = np.zeros(model.observations)
    touched = np.zeros(model.observations, dtype=np.int64)
    greatest = 0.0
    for s in range(low, high):
        for a in range(actions):
            if not model.legal[a, s]:
                continue
            count = 0
            for k in range(model.move_start[a, s], model.move_start[a, s + 1]):
                to = model.moves[k].place
                for j in range(model.see_start[a, to], model.see_start[a, to + 1]):
                    z = model.sights[j].place
                    chance = model.moves[k].chance * model.sights[j].chance
                    if chance == 0.0:
                        continue
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
