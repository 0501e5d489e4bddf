"""From rules written as functions to a Pomdp: how the textbook problems are made."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_array

from hiddenhand.planning.model.pomdp import Array, Pomdp

Chances = dict[int, float]


def build(
    names: tuple[list[str], list[str], list[str]],
    move: Callable[[int, int], Chances],
    see: Callable[[int, int], Chances],
    reward: Callable[[int, int], float],
    start: Array,
    discount: float = 0.95,
) -> Pomdp:
    """move(action, state), see(action, state reached) and reward(action, state); every action is legal everywhere.

    names: those of the states, of the actions and of the observations.
    """
    states, actions, observations = names
    count = len(states)
    return Pomdp(
        tuple(states),
        tuple(actions),
        tuple(observations),
        tuple(table([move(a, s) for s in range(count)], count) for a in range(len(actions))),
        tuple(table([see(a, s) for s in range(count)], len(observations)) for a in range(len(actions))),
        np.array([[reward(a, s) for s in range(count)] for a in range(len(actions))]),
        np.ones((len(actions), count), dtype=bool),
        start,
        discount,
    )


def table(rows: list[Chances], columns: int) -> csr_array:
    """A sparse array with these rows."""
    starts = np.cumsum([0] + [len(row) for row in rows])
    places = np.array([place for row in rows for place in row], dtype=np.int64)
    values = np.array([chance for row in rows for chance in row.values()], dtype=float)
    result = csr_array((values, places, starts), shape=(len(rows), columns))
    result.eliminate_zeros()
    result.sort_indices()
    return result


def add(chances: Chances, place: int, chance: float) -> None:
    """Give some more probability to a place."""
    chances[place] = chances.get(place, 0.0) + chance
