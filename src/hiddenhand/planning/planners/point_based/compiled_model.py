"""A Pomdp as plain arrays, for compiled code, and one step of a belief in it.

A belief is an array of records, state and chance, with the states in ascending order and no chance of zero.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from hiddenhand.kernel import record_type, rule
from hiddenhand.planning.model.pomdp import Array, Pomdp

CHANCE_OF = record_type([("place", "i8"), ("chance", "f8")])
LEAST = 1e-150
"""A smaller chance counts as none: the product of two others is never too small to be a number."""


def records(dtype: np.dtype[Any], *shape: int) -> Array:
    """Empty records, read as attributes in compiled code and in plain Python alike."""
    return np.zeros(shape, dtype).view(np.recarray)


class CompiledModel(NamedTuple):
    """S states, A actions, Z observations; row s of an action's table lies from start[action, s] on."""

    discount: float
    move_start: Array  # int64 (A, S + 1): the rows of `moves`
    moves: Array  # CHANCE_OF a state reached by an action from a state
    see_start: Array  # int64 (A, S + 1): the rows of `sights`
    sights: Array  # CHANCE_OF an observation after an action that led to a state
    rewards: Array  # (A, S): what an action pays on average
    legal: Array  # bool (A, S)
    observations: int  # Z


class ActionOutcomes(NamedTuple):
    """What may follow an action: per observation z the joint chances of z and each state, from start[z] on."""

    start: Array  # int64 (Z + 1,)
    joint: Array  # CHANCE_OF a state
    reached: Array  # (S,): a scratch array, zero between calls


def inner(one: Array, other: Array) -> Array:
    """The inner products of vectors, or of the rows of `one` with `other`, always added up in the same order.

    A BLAS adds up in the order that its processor likes, and its last digit decides between actions that are equally
    good: with it a plan would depend on the machine.
    """
    return np.asarray((one * other).sum(axis=-1))


def compiled_model(pomdp: Pomdp) -> CompiledModel:
    move_start, moves = stacked(pomdp.transitions)
    see_start, sights = stacked(pomdp.observing)
    return CompiledModel(
        discount=float(pomdp.discount),
        move_start=move_start,
        moves=moves,
        see_start=see_start,
        sights=sights,
        rewards=np.ascontiguousarray(pomdp.rewards, dtype=np.float64),
        legal=np.ascontiguousarray(pomdp.legal, dtype=np.bool_),
        observations=len(pomdp.observations),
    )


def stacked(tables: tuple[csr_array, ...]) -> tuple[Array, Array]:
    """The sparse tables of all actions one after the other, without entries that are zero."""
    tables = tuple(table.copy() for table in tables)
    for table in tables:
        table.sum_duplicates()
        table.data[table.data < LEAST] = 0.0
        table.eliminate_zeros()
    before = np.cumsum([0] + [table.nnz for table in tables])
    starts = np.array([table.indptr.astype(np.int64) + low for table, low in zip(tables, before)])
    entries = records(CHANCE_OF, int(before[-1]))
    entries["place"] = np.concatenate([table.indices for table in tables])
    entries["chance"] = np.concatenate([table.data for table in tables])
    return np.ascontiguousarray(starts), entries


def sparse_belief(belief: Array) -> Array:
    """A belief over all states, float (S,), as records."""
    places = np.flatnonzero(belief >= LEAST)
    result = records(CHANCE_OF, len(places))
    result["place"] = places
    result["chance"] = belief[places] / belief[places].sum()
    return result


def new_outcomes(model: CompiledModel) -> ActionOutcomes:
    states = model.rewards.shape[1]
    longest = int((model.see_start[:, -1] - model.see_start[:, 0]).max())
    return ActionOutcomes(
        start=np.zeros(model.observations + 1, dtype=np.int64),
        joint=records(CHANCE_OF, longest),
        reached=np.zeros(states),
    )


@rule
def look_ahead(model, belief, action, after, outcomes):
    """Fill the outcomes of the action; `after`: the states that it may lead to, ascending."""
    reached, start, joint = outcomes.reached, outcomes.start, outcomes.joint
    for i in range(len(belief)):
        s, chance = belief[i].place, belief[i].chance
        for k in range(model.move_start[action, s], model.move_start[action, s + 1]):
            reached[model.moves[k].place] += chance * model.moves[k].chance
    for z in range(model.observations + 1):
        start[z] = 0
    for s in after:
        if reached[s] >= LEAST:
            for k in range(model.see_start[action, s], model.see_start[action, s + 1]):
                start[model.sights[k].place + 1] += 1
    for z in range(model.observations):
        start[z + 1] += start[z]
    for s in after:
        if reached[s] >= LEAST:
            for k in range(model.see_start[action, s], model.see_start[action, s + 1]):
                z = model.sights[k].place
                joint[start[z]].place = s
                joint[start[z]].chance = reached[s] * model.sights[k].chance
                start[z] += 1
        reached[s] = 0.0
    for z in range(model.observations, 0, -1):
        start[z] = start[z - 1]
    start[0] = 0
