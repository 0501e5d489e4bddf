"""Playing a range of games of a match: in compiled code if all agents are compiled policies, else at Python tables.

Both ways play exactly the same games. Game `number` of a match has its own seed, so a match can be cut into chunks at
any place, and the chunks can be played in any order and in any process.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from hiddenhand.core import resolver
from hiddenhand.core.agent import Agent, PolicyAgent
from hiddenhand.core.errors import Forfeit, UserError
from hiddenhand.core.game import Game, blank_state, match_loop, metrics_of
from hiddenhand.core.table import Table
from hiddenhand.core.text import Seat
from hiddenhand.kernel import CHANCE, game_seed, loop
from hiddenhand.kernel.loop import Seating, rows_of_bytes

Array = np.ndarray[Any, Any]

FIXED, ROTATE, DUPLICATE = "fixed", "rotate", "duplicate"
"""Who sits where from game to game."""


@dataclass(frozen=True)
class MatchJob:
    """A match as plain data, fit to travel to another process."""

    game: str
    options: tuple[tuple[str, Any], ...]
    agents: tuple[str, ...]
    seed: int
    seating: str
    records: int
    opening: int


@dataclass
class Chunk:
    """The games first, first + 1, ... of a match."""

    first: int
    payoffs: Array
    """float64[games, agents]: by agent, not by seat."""
    moves: Array
    """int64[games]: decisions taken."""
    metrics: Array
    """float64[games, measurements]"""
    records: dict[int, dict[str, Any]] = field(default_factory=dict)
    forfeits: dict[int, dict[str, Any]] = field(default_factory=dict)
    """By game: which agent could not go on, and why."""
    seconds: float = 0.0

    @property
    def count(self) -> int:
        return len(self.moves)


def empty_chunk(game: Game, first: int, count: int) -> Chunk:
    return Chunk(
        first, np.zeros((count, game.players)), np.zeros(count, np.int64), np.zeros((count, len(metrics_of(game))))
    )


class MatchRunner:
    """A game and its agents, ready to play."""

    marks: Mapping[str, str] = {}
    """What else makes a match played so this match, in a store."""

    def __init__(
        self, game: Game, agents: Sequence[Agent], seed: int, seating: str = FIXED, records: int = 0, opening: int = 0
    ) -> None:
        self.game = game
        self.agents = list(agents)
        self.seed = seed
        self.rotate = seating != FIXED
        self.deals_shared = game.players if seating == DUPLICATE else 1
        self.opening = opening
        self.records = records
        self.policies = [agent for agent in self.agents if isinstance(agent, PolicyAgent)]
        self.compiled = len(self.policies) == len(self.agents) and not game.rules.uncompiled

    def chunk(self, first: int, count: int) -> Chunk:
        """Play the games first .. first + count - 1."""
        start = time.perf_counter()
        chunk = empty_chunk(self.game, first, count)
        if self.compiled:
            self.run_loop(chunk)
        else:
            self.play_at_tables(chunk)
        chunk.seconds = time.perf_counter() - start
        return chunk

    def seating(self, chunk: Chunk) -> Seating:
        """Which games these are, and who sits where in them."""
        return Seating(
            np.uint64(self.seed),
            chunk.first,
            self.game.players,
            self.rotate,
            self.deals_shared,
            self.opening,
            self.game.longest,
        )

    def run_loop(self, chunk: Chunk) -> None:
        """All games of the chunk in one compiled call."""
        game, seating = self.game, self.seating(chunk)
        memories = rows_of_bytes([np.zeros(1, agent.policy.memory) for agent in self.policies])
        players = loop.PolicyTable(
            self.pointers, self.cheats, self.parameters, np.zeros((game.players, memories.shape[1] // 8), np.uint64)
        )
        results = loop.Results(chunk.payoffs, chunk.moves, chunk.metrics, np.zeros(4, np.int64))
        workspace = loop.new_workspace(blank_state(game), game.rules.view, game.players, game.most_actions)
        match_loop(game)(seating, players, workspace, results)
        kind, number, seat, action = results.fault.tolist()
        if kind == loop.ENDLESS:
            raise self.endless(number)
        if kind != loop.NOTHING:
            raise self.illegal(number, seat, action)

    @cached_property
    def pointers(self) -> Any:
        return loop.as_policies([agent.for_loop for agent in self.policies])

    @cached_property
    def cheats(self) -> Array:
        return np.array([int(agent.cheats) for agent in self.policies], np.int64)

    @cached_property
    def parameters(self) -> Array:
        """A row for each agent."""
        return rows_of_bytes([agent.parameters for agent in self.policies])

    @cached_property
    def drawn(self) -> Agent:
        """Who draws the moves of the opening."""
        return resolver.agent(self.game, "random")

    def play_at_tables(self, chunk: Chunk) -> None:
        """The games of the chunk, one after the other, at Python tables."""
        for row in range(chunk.count):
            number = chunk.first + row
            table = self.play_game(number)
            shift = self.shift(number)
            for seat, gain in enumerate(table.payoffs()):
                chunk.payoffs[row, (seat - shift) % self.game.players] = gain
            chunk.moves[row] = sum(mover >= 0 for mover in table.movers)
            chunk.metrics[row] = list(table.metrics().values())
            if table.given_up is not None:
                seat, why = table.given_up
                chunk.forfeits[number] = {"agent": (seat - shift) % self.game.players, "why": why}
            if number < self.records:
                chunk.records[number] = self.record_of(table, number)

    def play_game(self, number: int) -> Table:
        """One game at a Python table."""
        table = self.deal(number)
        shift = self.shift(number)
        table.company = self.company(shift)
        decisions = 0
        while not table.over:
            if len(table.history) >= self.game.longest:
                raise self.endless(number)
            seat = table.turn
            if seat == CHANCE:
                table.roll()
                continue
            decisions += 1
            agent = self.drawn if decisions <= self.opening else self.agents[(seat - shift) % self.game.players]
            try:
                action = table.ask(agent).action
            except Forfeit as fault:
                table.give_up(seat, str(fault))
                break
            if action not in table.legal_actions():
                raise self.illegal(number, seat, action)
            table.play(action)
        self.tell_result(table, shift)
        return table

    def tell_result(self, table: Table, shift: int) -> None:
        """Tell the result of a game to the agents that want to know it."""
        for seat in range(self.game.players):
            agent = self.agents[(seat - shift) % self.game.players]
            if type(agent).finished is not Agent.finished:  # a view costs time
                agent.finished(table.view(seat), table.payoffs())

    def deal(self, number: int) -> Table:
        seed = int(game_seed(np.uint64(self.seed), number // self.deals_shared))
        return Table(self.game, seed, rolls=False)

    def shift(self, number: int) -> int:
        """By how many seats the agents have moved on."""
        return number % self.game.players if self.rotate else 0

    def company(self, shift: int) -> list[str]:
        """The agents by seat, when they have moved on by `shift` seats."""
        seats = self.game.players
        return [str(self.agents[(seat - shift) % seats]) for seat in range(seats)]

    def record(self, number: int) -> dict[str, Any]:
        """The record of one game."""
        return self.record_of(self.play_game(number), number)

    def record_of(self, table: Table, number: int) -> dict[str, Any]:
        shift = self.shift(number)
        record = table.record(self.company(shift))
        record.opening = self.opening
        return record.to_json()

    def warm_up(self) -> None:
        """Compile what the games will need, so that no game has to wait for it."""
        if self.compiled:
            self.run_loop(empty_chunk(self.game, 0, 0))
            return
        table = self.deal(0)
        asked: set[int] = set()
        while not table.over and len(asked) < self.game.players and len(table.history) < self.game.longest:
            seat = table.turn
            if seat == CHANCE:
                table.roll()
                continue
            action = table.legal_actions()[0]
            if seat not in asked:
                asked.add(seat)
                with suppress(Forfeit):  # which is told of the games that count
                    action = table.ask(self.agents[seat]).action
                if action not in table.legal_actions():
                    raise self.illegal(0, seat, action)
            table.play(action)

    def illegal(self, number: int, seat: int, action: int) -> UserError:
        agent = self.agents[(seat - self.shift(number)) % self.game.players]
        return UserError(
            "{agent} chose the illegal action {action} in game {number} of {name} ({who})",
            agent=agent,
            action=action,
            number=number,
            name=self.game.name,
            who=Seat(seat),
        )

    def endless(self, number: int) -> UserError:
        return UserError(
            "game {number} of {name} is longer than it declares ({longest} plies)",
            number=number,
            name=self.game.name,
            longest=self.game.longest,
        )


def play_chunk(job: MatchJob, first: int, count: int) -> Chunk:
    """Play a chunk of a job, in whatever process this is."""
    return runner_of(job).chunk(first, count)


def warm_up(job: MatchJob) -> None:
    """Make this process ready for the job."""
    runner_of(job).warm_up()


class Latest(threading.local):
    """The job that this thread played last. Agents may be large and unfit to be shared: keep one set each."""

    job: MatchJob | None = None
    runner: MatchRunner


LATEST = Latest()


def runner_of(job: MatchJob) -> MatchRunner:
    """The players of a job."""
    if job != LATEST.job:
        game = resolver.game(job.game, dict(job.options))
        agents = [resolver.agent(game, text) for text in job.agents]
        LATEST.runner = MatchRunner(game, agents, job.seed, job.seating, job.records, job.opening)
        LATEST.job = job
    return LATEST.runner
