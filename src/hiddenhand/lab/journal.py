"""The books of a match: the sheet collects the results, the journal writes them to the store in time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenhand.lab.chunking import Gap
from hiddenhand.lab.playing import Chunk, empty_chunk
from hiddenhand.lab.result import MatchResult
from hiddenhand.lab.setup import Setup

if TYPE_CHECKING:
    from hiddenhand.lab.store import Store

WRITE_EVERY = 2.0
"""Seconds of work that a killed process loses at most."""


class Sheet:
    """The results of a match as they come in."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.all = empty_chunk(setup.game, 0, setup.games)
        self.known = np.zeros(setup.games, np.bool_)
        self.records: dict[int, dict[str, Any]] = {}
        self.seconds = 0.0

    @property
    def done(self) -> int:
        return int(np.count_nonzero(self.known))

    def add(self, chunk: Chunk) -> None:
        rows = slice(chunk.first, chunk.first + chunk.count)
        self.all.payoffs[rows] = chunk.payoffs
        self.all.moves[rows] = chunk.moves
        self.all.metrics[rows] = chunk.metrics
        self.known[rows] = True
        self.records |= chunk.records

    def gaps(self) -> list[Gap]:
        """The stretches of games not yet played."""
        edges = np.flatnonzero(np.diff(np.concatenate(([True], self.known, [True])).astype(np.int8)))
        return [(int(first), int(end)) for first, end in edges.reshape(-1, 2)]

    def result(self) -> MatchResult:
        numbers = np.flatnonzero(self.known)
        rows: Any = slice(None) if len(numbers) == len(self.known) else numbers
        return MatchResult(
            game=self.setup.game,
            agents=self.setup.agents,
            seed=self.setup.seed,
            seating=self.setup.seating,
            opening=self.setup.opening,
            wanted=self.setup.games,
            seconds=self.seconds,
            numbers=numbers,
            payoffs=self.all.payoffs[rows],
            moves=self.all.moves[rows],
            metrics=self.all.metrics[rows],
            records=[self.records[n] for n in sorted(self.records) if n < self.setup.records],
        )


class Journal:
    """Writes chunks to the store every few seconds, and keeps the time."""

    def __init__(self, sheet: Sheet, store: Store | None, resume: bool) -> None:
        self.sheet = sheet
        self.store = store
        self.waiting: list[Chunk] = []
        self.before = 0.0
        self.started: float | None = None
        self.written = time.perf_counter()
        if store is not None:
            self.open(store, resume)

    def open(self, store: Store, resume: bool) -> None:
        from hiddenhand.lab.store import key_of

        specification = self.sheet.setup.specification()
        self.key = key_of(specification)
        store.begin(specification, resume)
        if resume:
            game = self.sheet.setup.game
            chunks, self.before = store.load(self.key, game.players, len(game.metrics))
            for chunk in chunks:
                self.sheet.add(chunk)
            self.sheet.seconds = self.before

    def start_clock(self) -> None:
        self.started = time.perf_counter()

    def add(self, chunk: Chunk) -> None:
        self.waiting.append(chunk)
        if time.perf_counter() - self.written > WRITE_EVERY:
            self.write()

    def write(self) -> None:
        if self.started is not None:
            self.sheet.seconds = self.before + time.perf_counter() - self.started
        if self.store is not None and self.waiting:
            self.store.write(self.key, joined(self.waiting), self.sheet.done, self.sheet.seconds)
        self.waiting = []
        self.written = time.perf_counter()

    def close(self, result: MatchResult) -> None:
        if self.store is not None:
            self.store.finish(self.key, result.to_json(), self.sheet.records)


def joined(chunks: list[Chunk]) -> list[Chunk]:
    """The same games in as few chunks as possible."""
    result: list[list[Chunk]] = []
    for chunk in sorted(chunks, key=lambda chunk: chunk.first):
        if result and result[-1][-1].first + result[-1][-1].count == chunk.first:
            result[-1].append(chunk)
        else:
            result.append([chunk])
    return [
        Chunk(
            run[0].first,
            np.concatenate([chunk.payoffs for chunk in run]),
            np.concatenate([chunk.moves for chunk in run]),
            np.concatenate([chunk.metrics for chunk in run]),
            {number: record for chunk in run for number, record in chunk.records.items()},
        )
        for run in result
    ]
