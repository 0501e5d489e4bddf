"""A match as work for the runner: chunks of games of about half a second, and every worker supplied with them."""

from __future__ import annotations

import math
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any

import numpy as np

from hiddenhand.core.processes import Workers
from hiddenhand.core.text import Text
from hiddenhand.lab.executors import losses_reported
from hiddenhand.lab.match_plan import Setup
from hiddenhand.lab.match_result import MatchResult
from hiddenhand.lab.match_runner import Chunk, empty_chunk
from hiddenhand.lab.runner import RECORD, Parts

AIM = 0.5
"""Seconds that a chunk should take: short enough for a lively progress bar and a prompt Ctrl-C."""

GROWTH = 8
MOST = 1 << 20

Gap = tuple[int, int]
"""Games still to play: the first, and the one after the last."""


class MatchWork:
    """The games of a match, as they are finished."""

    kind = "match"
    unit: str = Text("games")
    result_type = None  # it is kept game by game

    def __init__(self, setup: Setup, workers: Workers) -> None:
        if not workers.here:
            setup.require_texts()
        self.setup = setup
        self.workers = workers
        self.all = empty_chunk(setup.game, 0, setup.games)
        self.known = np.zeros(setup.games, np.bool_)
        self.records: dict[int, dict[str, Any]] = {}
        self.forfeits: dict[int, dict[str, Any]] = {}
        self.unkept: list[Chunk] = []
        """What no snapshot has had yet."""
        self.pace = ChunkSize(setup.deals_shared)
        self.waiting: list[Gap] = []
        self.under_way: set[Future[Chunk]] = set()

    @property
    def plan(self) -> dict[str, Any]:
        return self.setup.specification()

    @property
    def done(self) -> int:
        return int(np.count_nonzero(self.known))

    @property
    def wanted(self) -> int:
        return self.setup.games

    @property
    def over(self) -> bool:
        return bool(self.known.all()) and self.missing_record is None

    @property
    def missing_record(self) -> int | None:
        """A game whose record is wanted and was not made when it was played."""
        return next((number for number in range(self.setup.records) if number not in self.records), None)

    def prepare(self) -> None:
        get_ready, self.play = self.setup.tasks(self.workers)
        self.waiting = self.gaps()
        if self.waiting:
            self.setup.runner.warm_up()  # here first: others then find the compiled code
            if not self.workers.here:
                self.workers.prepare(get_ready)

    def step(self) -> list[Chunk]:
        """The chunks that are finished next; when all games are played, the record of one."""
        if not self.waiting and not self.under_way:
            number = self.missing_record
            assert number is not None
            chunk = empty_chunk(self.setup.game, 0, 0)
            chunk.records[number] = self.setup.runner.record(number)
            return [chunk]
        with losses_reported():
            while self.waiting and len(self.under_way) < self.workers.capacity:
                self.under_way.add(self.workers.submit(self.play, *self.next_range()))
            finished, self.under_way = wait(self.under_way, return_when=FIRST_COMPLETED)
            return [future.result() for future in finished]

    def next_range(self) -> tuple[int, int]:
        """Take the next chunk off the front of what is waiting: its first game and its size."""
        first, end = self.waiting.pop(0)
        left = end - first + sum(stop - start for start, stop in self.waiting)
        count = min(self.pace.share(left, self.workers.capacity), end - first)
        if first + count < end:
            self.waiting.insert(0, (first + count, end))
        return first, count

    def add(self, piece: list[Chunk]) -> None:
        for chunk in piece:
            if chunk.count:
                self.pace.learn(chunk)
            self.enter(chunk)
        self.unkept += piece

    def enter(self, chunk: Chunk) -> None:
        rows = slice(chunk.first, chunk.first + chunk.count)
        self.all.payoffs[rows] = chunk.payoffs
        self.all.moves[rows] = chunk.moves
        self.all.metrics[rows] = chunk.metrics
        self.known[rows] = True
        self.records |= chunk.records
        self.forfeits |= chunk.forfeits

    def gaps(self) -> list[Gap]:
        """The stretches of games not yet played."""
        edges = np.flatnonzero(np.diff(np.concatenate(([True], self.known, [True])).astype(np.int8)))
        return [(int(first), int(end)) for first, end in edges.reshape(-1, 2)]

    def snapshot(self) -> Parts:
        parts: dict[str, dict[str, Any]] = {}
        for chunk in joined(self.unkept):
            if chunk.count:
                part: dict[str, Any] = {"payoffs": chunk.payoffs, "moves": chunk.moves, "metrics": chunk.metrics}
                if chunk.forfeits:
                    part["forfeits"] = {str(number): forfeit for number, forfeit in chunk.forfeits.items()}
                parts[f"games {chunk.first} to {chunk.first + chunk.count - 1}"] = part
            parts |= {f"{RECORD}{number}": record for number, record in chunk.records.items()}
        self.unkept = []
        return parts

    def restore(self, parts: Parts) -> None:
        for name, part in parts.items():
            if name.startswith(RECORD):
                self.records[int(name.removeprefix(RECORD))] = dict(part)
            else:
                forfeits = {int(number): forfeit for number, forfeit in part.get("forfeits", {}).items()}
                first, arrays = int(name.split()[1]), (part["payoffs"], part["moves"], part["metrics"])
                self.enter(Chunk(first, *arrays, forfeits=forfeits))

    def result(self, seconds: float) -> MatchResult:
        numbers = np.flatnonzero(self.known)
        rows: Any = slice(None) if len(numbers) == len(self.known) else numbers
        setup = self.setup
        return MatchResult(
            game=setup.game,
            agents=setup.agents,
            seed=setup.seed,
            seating=setup.seating,
            opening=setup.opening,
            wanted=setup.games,
            seconds=seconds,
            numbers=numbers,
            payoffs=self.all.payoffs[rows],
            moves=self.all.moves[rows],
            metrics=self.all.metrics[rows],
            records=[self.records[n] for n in sorted(self.records) if n < setup.records],
            forfeits=self.forfeits,
        )


class ChunkSize:
    """Learns from each chunk how large the next should be. `unit`: games that stay together (one deal)."""

    def __init__(self, unit: int) -> None:
        self.unit = unit
        self.size = unit

    def learn(self, chunk: Chunk) -> None:
        fitting = int(AIM * chunk.count / max(chunk.seconds, 1e-9))
        largest = min(GROWTH * self.size, MOST)
        self.size = max(self.unit, min(fitting, largest) // self.unit * self.unit)

    def share(self, left: int, capacity: int) -> int:
        """The size of the next chunk, if so many games are left and so many chunks may be under way."""
        fair = math.ceil(left / capacity / self.unit) * self.unit
        return max(self.unit, min(self.size, fair))


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
            {number: forfeit for chunk in run for number, forfeit in chunk.forfeits.items()},
        )
        for run in result
    ]
