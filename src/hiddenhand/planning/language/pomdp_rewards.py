"""The rewards of a `.pomdp` file, R(action, state, next state, observation), folded into what a state and action pay.

A file gives rewards with `*` for "all", and the last statement that covers an entry counts. The full table would be
far too large. So statements are sorted by which of their four places are `*`, and every entry that can occur is
looked up once per kind of statement: the latest one found wins.
"""

from __future__ import annotations

from itertools import compress

import numpy as np
from scipy.sparse import csr_array

from hiddenhand.planning.model.pomdp import Array

Places = tuple[Array, Array, Array, Array]
Kind = tuple[bool, ...]
"""Which of the four places of a statement are given."""
Tables = dict[Kind, tuple[Array, Array, Array]]
LARGEST_PIECE = 4_000_000  # entries looked up at once


class Rewards:
    """Statements in the order they were read; shape: the numbers of actions, states, states, observations."""

    def __init__(self, shape: tuple[int, int, int, int]) -> None:
        self.shape = shape
        self.time = 0
        # per kind: keys, times and values
        self.kinds: dict[Kind, list[tuple[Array, Array, Array]]] = {}
        self.single: dict[Kind, dict[int, tuple[int, float]]] = {}

    def add(self, places: list[int | None], value: float) -> None:
        """One statement with four places, None for `*`."""
        kind, key = self.key_of(places)
        self.time += 1
        self.single.setdefault(kind, {})[key] = (self.time, value)

    def add_block(self, places: list[int | None], values: Array) -> None:
        """A row over observations or a matrix over next states and observations, after two or three places."""
        kind, key = self.key_of(places)
        keys = key * values.size + np.arange(values.size)
        self.time += 1
        times = np.full(values.size, self.time)
        self.kinds.setdefault((*kind, *(True,) * values.ndim), []).append((keys, times, values.ravel()))

    def key_of(self, places: list[int | None]) -> tuple[Kind, int]:
        """Which of the first places are given, and these as one number."""
        key = 0
        for place, size in zip(places, self.shape):
            if place is not None:
                key = key * size + place
        return tuple(place is not None for place in places), key

    def expected(self, transitions: tuple[csr_array, ...], observing: tuple[csr_array, ...]) -> Array:
        """The expected payoff per action and state, float (A, S)."""
        tables = self.sorted_tables()
        actions, states = self.shape[0], self.shape[1]
        needs_sight = any(kind[3] for kind in tables)
        needs_target = needs_sight or any(kind[2] for kind in tables)
        result = np.zeros((actions, states))
        for action, (moves, sights) in enumerate(zip(transitions, observing)):
            if not needs_target:
                rows = np.arange(states)
                nothing = np.zeros(states, dtype=np.int64)
                result[action] = self.look_up(tables, (np.full(states, action), rows, nothing, nothing))
                continue
            mean = np.diff(sights.indptr).mean() if needs_sight else 1.0
            step = max(1, int(LARGEST_PIECE * states / (moves.nnz * max(mean, 1.0) + 1.0)))
            for low in range(0, states, step):
                piece = self.piece(tables, (action, low), moves[low : low + step], sights if needs_sight else None)
                result[action, low : low + step] = piece
        return result

    def piece(self, tables: Tables, place: tuple[int, int], moves: csr_array, seen: csr_array | None) -> Array:
        """The expected payoff of an action in the states from one on, `place`. `moves`: where it leads from these,
        `seen`: what is observed then, where it matters."""
        steps = moves.tocoo()
        rows, targets, chances = steps.row.astype(np.int64), steps.col.astype(np.int64), steps.data
        sights = np.zeros(len(rows), dtype=np.int64)
        if seen is not None:
            counts = np.diff(seen.indptr)[targets]
            begin = np.repeat(seen.indptr[targets] - np.cumsum(counts) + counts, counts)
            entries = begin + np.arange(counts.sum())
            rows, targets, chances = (np.repeat(part, counts) for part in (rows, targets, chances))
            sights, chances = seen.indices[entries].astype(np.int64), chances * seen.data[entries]
        values = self.look_up(tables, (np.full(len(rows), place[0]), rows + place[1], targets, sights))
        return np.bincount(rows, weights=chances * values, minlength=moves.shape[0])

    def sorted_tables(self) -> Tables:
        """Per kind the keys in order, each once, with the time and the value of the last statement."""
        tables = {}
        for kind in {**self.kinds, **self.single}:
            parts = list(self.kinds.get(kind, []))
            single = self.single.get(kind, {})
            if single:
                said = np.array(list(single.values()))
                parts.append((np.array(list(single)), said[:, 0].astype(np.int64), said[:, 1]))
            keys, times, values = (np.concatenate(column) for column in zip(*parts))
            order = np.lexsort((times, keys))
            keys, times, values = keys[order], times[order], values[order]
            last = np.append(keys[1:] != keys[:-1], True)
            tables[kind] = keys[last], times[last], values[last]
        return tables

    def look_up(self, tables: Tables, entries: Places) -> Array:
        """The reward of every entry; zero where no statement covers it."""
        latest = np.zeros(len(entries[0]), dtype=np.int64)
        result = np.zeros(len(entries[0]))
        for kind, (keys, times, values) in tables.items():
            wanted = np.zeros(len(latest), dtype=np.int64)
            for places, size in compress(zip(entries, self.shape), kind):
                wanted = wanted * size + places
            found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            newer = (keys[found] == wanted) & (times[found] > latest)
            latest[newer] = times[found][newer]
            result[newer] = values[found][newer]
        return result
