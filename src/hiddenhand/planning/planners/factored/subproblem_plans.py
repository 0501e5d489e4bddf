"""A plan for a small model in which everything is seen but one variable: point-based value iteration.

The same points, which are beliefs about the hidden variable, are used in every situation. Each has an alpha vector
there: the value of a plan by the true value of the variable (J. Pineau, G. Gordon, S. Thrun, 2003). Backups of all
points are repeated until no vector improves.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np

from hiddenhand.kernel import rule
from hiddenhand.planning.model.pomdp import Array
from hiddenhand.planning.planners.point_based.compiled_model import CompiledModel
from hiddenhand.planning.planners.point_based.initial_bounds import fixed_plans

POINTS = 24
"""Points besides the certainties."""
MOST_SWEEPS = 200
LONGEST = 10.0
"""Seconds for the fixed plans that the work begins with."""
PRECISE = 1e-4
"""The part of the greatest value that a sweep must gain for another one."""

EPSILON = 10.0
"""A plan has nothing left to gain when it gains less than so many times the tolerance of the sweeps."""


class PointVectors(NamedTuple):
    """The vectors that are being improved: one for each of P points in each of G situations."""

    points: Array  # (P, n): beliefs about the hidden variable
    values: Array  # (G, P, n): what the plan of a vector is worth, by the true value of the variable
    action: Array  # int64 (G, P): the first action of that plan


class BackupWorkspace(NamedTuple):
    """Arrays that every look ahead writes anew. Z: the number of observations."""

    joint: Array  # (Z, n): the joint chance of an observation and a value of the variable
    trial: Array  # int64 (Z,): the vector to go on with after each observation
    chosen: Array  # int64 (Z,): the same for the best action so far


def new_workspace(model: CompiledModel, size: int) -> BackupWorkspace:
    none = np.zeros(model.observations, dtype=np.int64)
    return BackupWorkspace(joint=np.zeros((model.observations, size)), trial=none, chosen=none.copy())


class SubproblemPlan(NamedTuple):
    """Vectors for G situations, those of a situation one after the other, V in all."""

    vectors: Array  # (V, n)
    vector_actions: Array  # int64 (V,): the first action of each vector's plan
    delay: Array  # (V, n): what a payoff is worth that waits until the plan is through, see `waiting`
    ending: Array  # int64 (V, n): the situation in which it then is, most likely
    counts: list[int]  # how many there are for each situation
    least: Array  # (G,): the least that they promise at any point
    epsilon: float  # a gain above `least` that is not larger than this counts as none


def plan_subproblem(model: CompiledModel, size: int, count: int) -> SubproblemPlan:
    """The plan for a model whose state is g * n + x, where only x is hidden; `count`: the number of points."""
    situations = model.legal.shape[1] // size
    plans, _ = fixed_plans(model, 1e-6, time.perf_counter() + LONGEST)
    plans = plans.reshape(-1, situations, size)
    points = chosen_points(size, count)
    vector_actions = np.einsum("agx,px->agp", plans, points).argmax(axis=0)
    values = plans[vector_actions, np.arange(situations)[:, None]]
    vectors = PointVectors(points=points, values=values, action=vector_actions)
    actions, workspace = different(model), new_workspace(model, size)
    enough = PRECISE * max(float(np.abs(values).max()), 1e-9)
    for sweep in range(MOST_SWEEPS):
        if improve(model, vectors, sweep % 2 == 0, actions, workspace) <= enough:
            break
    value = np.einsum("gpx,qx->gqp", values, points)
    least = value.max(axis=2).min(axis=1)
    epsilon = EPSILON * enough
    delay, ending = waiting(model, vectors, values.max(axis=2) <= least[:, None] + epsilon)
    kept = [np.unique(row) for row in value.argmax(axis=2)]

    def joined(of: Array) -> Array:
        return np.concatenate([of[g, some] for g, some in enumerate(kept)])

    return SubproblemPlan(
        vectors=joined(values),
        vector_actions=joined(vector_actions),
        delay=joined(delay),
        ending=joined(ending),
        counts=[len(some) for some in kept],
        least=least,
        epsilon=epsilon,
    )


def waiting(model: CompiledModel, vectors: PointVectors, through: Array) -> tuple[Array, Array]:
    """For every vector of every situation (G, P, n) what a payoff is worth that waits until the plan is through, and
    the situation in which that most likely happens; -1 where it never does. `through`, bool (G, P): the plan gives
    nothing that could not be had whatever is believed, so that something else may be done as well."""
    size = vectors.points.shape[1]
    delay = np.repeat(np.where(through, 1.0, 0.0)[..., None], size, axis=2)
    ending = np.repeat(np.where(through, np.arange(len(through))[:, None], -1)[..., None], size, axis=2)
    workspace = new_workspace(model, size)
    for sweep in range(MOST_SWEEPS):
        if wait(model, vectors, delay, ending, sweep % 2 == 0, workspace) <= PRECISE:
            break
    return delay, ending


def different(model: CompiledModel) -> Array:
    """int64: the actions, without those that do what an earlier one does."""
    found: dict[bytes, int] = {}
    for action in range(len(model.legal)):
        parts = [model.rewards[action]]
        for starts, entries in ((model.move_start[action], model.moves), (model.see_start[action], model.sights)):
            parts += [starts - starts[0], entries[starts[0] : starts[-1]]]
        found.setdefault(b"".join(part.tobytes() for part in parts), action)
    return np.array(list(found.values()), dtype=np.int64)


def chosen_points(size: int, count: int) -> Array:
    """(count, n) beliefs: the certainties, the even one, and of some at random those that are farthest from all that
    were chosen before."""
    others = np.random.default_rng(1).dirichlet(np.full(size, 0.5), 100 * count)
    chosen = [*np.eye(size), np.full(size, 1.0 / size)]
    far = np.min([np.abs(others - point).sum(axis=1) for point in chosen], axis=0)
    while len(chosen) < count:
        chosen.append(others[far.argmax()])
        far = np.minimum(far, np.abs(others - chosen[-1]).sum(axis=1))
    return np.array(chosen)


@rule
def improve(model, vectors, forwards, actions, workspace):
    """Make every vector better by a step of thought, if that can be; the greatest gain."""
    greatest = 0.0
    situations = len(vectors.values)
    for k in range(situations):
        g = k if forwards else situations - 1 - k
        for p in range(len(vectors.points)):
            greatest = max(greatest, back_up(model, vectors, g, p, actions, workspace))
    return greatest


@rule
def back_up(model, vectors, g, p, actions, workspace):
    """One step of thought at point p in situation g; how much better its vector got there."""
    belief, values, chosen = vectors.points[p], vectors.values, workspace.chosen
    size = len(belief)
    now, best, best_action = 0.0, -np.inf, -1
    for x in range(size):
        now += belief[x] * values[g, p, x]
    for k in range(len(actions)):
        action = actions[k]
        if not model.legal[action, g * size]:
            continue
        value = look(model, belief, values, g, action, workspace)
        if value > best:
            best, best_action = value, action
            for z in range(len(chosen)):
                chosen[z] = workspace.trial[z]
    if best <= now + 1e-12:
        return 0.0
    shares = model.observations // len(values)
    updated = np.zeros(size)
    for x in range(size):
        state = g * size + x
        updated[x] = model.rewards[best_action, state]
        for j in range(model.move_start[best_action, state], model.move_start[best_action, state + 1]):
            to = model.moves[j].place
            for i in range(model.see_start[best_action, to], model.see_start[best_action, to + 1]):
                z = model.sights[i].place
                chance = model.moves[j].chance * model.sights[i].chance
                updated[x] += model.discount * chance * values[z // shares, chosen[z], to % size]
    for x in range(size):
        values[g, p, x] = updated[x]
    vectors.action[g, p] = best_action
    return best - now


@rule
def look(model, belief, values, g, action, workspace):
    """What an action is worth in situation g; `workspace.trial` is then the vector to go on with after each
    observation."""
    joint, trial = workspace.joint, workspace.trial
    size = len(belief)
    shares = model.observations // len(values)
    value = 0.0
    for x in range(size):
        state = g * size + x
        value += belief[x] * model.rewards[action, state]
        for j in range(model.move_start[action, state], model.move_start[action, state + 1]):
            to = model.moves[j].place
            for i in range(model.see_start[action, to], model.see_start[action, to + 1]):
                z = model.sights[i].place
                trial[z] = -1
                joint[z, to % size] += belief[x] * model.moves[j].chance * model.sights[i].chance
    for x in range(size):
        state = g * size + x
        for j in range(model.move_start[action, state], model.move_start[action, state + 1]):
            to = model.moves[j].place
            for i in range(model.see_start[action, to], model.see_start[action, to + 1]):
                z = model.sights[i].place
                if trial[z] >= 0:
                    continue
                best = -np.inf
                for p in range(values.shape[1]):
                    total = 0.0
                    for y in range(size):
                        total += joint[z, y] * values[z // shares, p, y]
                    if total > best:
                        best, trial[z] = total, p
                value += model.discount * best
                for y in range(size):
                    joint[z, y] = 0.0
    return value


@rule
def wait(model, vectors, delay, ending, forwards, workspace):
    """Reckon once more how long plans take, and where they end; the greatest change."""
    situations, size, chosen = len(vectors.values), vectors.points.shape[1], workspace.trial
    shares = model.observations // situations
    greatest = 0.0
    for k in range(situations):
        g = k if forwards else situations - 1 - k
        for p in range(len(vectors.points)):
            if delay[g, p, 0] == 1.0:
                continue
            action = vectors.action[g, p]
            look(model, vectors.points[p], vectors.values, g, action, workspace)
            for x in range(size):
                total, likeliest, end = 0.0, 0.0, -1
                state = g * size + x
                for j in range(model.move_start[action, state], model.move_start[action, state + 1]):
                    to = model.moves[j].place
                    for i in range(model.see_start[action, to], model.see_start[action, to + 1]):
                        z = model.sights[i].place
                        chance = model.moves[j].chance * model.sights[i].chance
                        total += model.discount * chance * delay[z // shares, chosen[z], to % size]
                        if chance > likeliest:
                            likeliest, end = chance, ending[z // shares, chosen[z], to % size]
                greatest = max(greatest, abs(total - delay[g, p, x]))
                delay[g, p, x], ending[g, p, x] = total, end
    return greatest
