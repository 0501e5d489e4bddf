"""Duels: many variants of one compiled agent, each a row of parameters, against the same few opponents.

An opponent is an agent, or another variant. The code of the agent is compiled once and serves all its variants. The
opponent sits in all other seats, and the seats change from game to game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game, metrics_of
from hiddenhand.core.processes import Workers
from hiddenhand.lab.match_runner import ROTATE, Chunk, MatchRunner

PORTION = 1000  # games that are played at a time

Row = np.ndarray[Any, Any]


class Score(NamedTuple):
    """The outcome of some games between a variant and its opponents."""

    wins: int
    """Games won, a shared victory counted as won."""
    points: float
    """The sum of the victory points if the game measures them, otherwise of the payoffs."""
    sole: int = 0
    """Games won alone."""

    def plus(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.points + other.points, self.sole + other.sole)


@dataclass(frozen=True)
class Duel:
    """Who plays what against whom, as plain data that can travel to another process."""

    game: str
    options: tuple[tuple[str, Any], ...]
    agent: str
    """The text of any variant."""
    opponents: tuple[str, ...]
    variants: bool = False
    """Whether variants are opponents too."""


class Lot(NamedTuple):
    """A variant and the games that it plays: the first `games` games of the match with this seed."""

    row: bytes
    """Its parameters: the bytes of a record."""
    seed: int
    games: int
    opponent: int | bytes = 0
    """The place of an agent among the opponents, or the parameters of another variant."""


class Duels:
    """Plays lots of games, and remembers their scores."""

    def __init__(self, duel: Duel, workers: Workers) -> None:
        self.duel = duel
        self.workers = workers
        self.known: dict[Lot, Score] = {}

    def warm_up(self) -> None:
        warm_up(self.duel)  # here first: others then find the compiled code
        if not self.workers.here:
            self.workers.prepare(Preparation(self.duel))

    def scores(self, lots: Sequence[Lot]) -> list[Score]:
        """The scores of the lots, in their order; those known already are not played again."""
        new = [lot for lot in dict.fromkeys(lots) if lot not in self.known]
        portions = [
            (lot, self.workers.submit(play_portion, self.duel, lot, first, min(PORTION, lot.games - first)))
            for lot in new
            for first in range(0, lot.games, PORTION)
        ]
        totals = {lot: Score(0, 0.0) for lot in new}
        for lot, future in portions:
            totals[lot] = totals[lot].plus(future.result())
        self.known |= totals
        return [self.known[lot] for lot in lots]


@dataclass(frozen=True)
class Preparation:
    """Makes a process ready for a duel."""

    duel: Duel

    def __call__(self) -> None:
        warm_up(self.duel)


@lru_cache(maxsize=16)
def runner_for(game_name: str, options: tuple[tuple[str, Any], ...], agent: str, opponent: str) -> MatchRunner:
    """The game with its agents, compiled."""
    game = resolver.game(game_name, dict(options))
    agents = [resolver.agent(game, agent), *([resolver.agent(game, opponent)] * (game.players - 1))]
    runner = MatchRunner(game, agents, seed=0, seating=ROTATE)
    if not runner.compiled:
        raise UserError("a duel needs a compiled opponent, and {opponent} is none", opponent=opponent)
    return runner


def runner_against(duel: Duel, opponent: int | bytes) -> MatchRunner:
    text = duel.agent if isinstance(opponent, bytes) else duel.opponents[opponent]
    return runner_for(duel.game, duel.options, duel.agent, text)


def warm_up(duel: Duel) -> None:
    for opponent in range(len(duel.opponents)):
        runner_against(duel, opponent).warm_up()
    if duel.variants:
        runner_against(duel, b"").warm_up()


def play_portion(duel: Duel, lot: Lot, first: int, count: int) -> Score:
    """Some games of a lot."""
    runner = runner_against(duel, lot.opponent)
    others = lot.opponent if isinstance(lot.opponent, bytes) else runner.policies[1].parameters.tobytes()
    table = np.zeros((runner.game.players, max(len(lot.row), len(others))), np.uint8)
    table[1:, : len(others)] = np.frombuffer(others, np.uint8)
    table[0, : len(lot.row)] = np.frombuffer(lot.row, np.uint8)
    runner.parameters = table
    runner.seed = lot.seed
    chunk = runner.chunk(first, count)
    mine, best_other = chunk.payoffs[:, 0], chunk.payoffs[:, 1:].max(axis=1)
    alone = (mine > 0.0) & (best_other < 0.0)
    return Score(int((mine >= 0.0).sum()), points(runner.game, chunk), int(alone.sum()))


def points(game: Game, chunk: Chunk) -> float:
    """The sum of what the first agent scored in all games of a chunk."""
    if "points_0" not in metrics_of(game):
        return float(chunk.payoffs[:, 0].sum())
    numbers = np.arange(chunk.count)
    seats = (chunk.first + numbers) % game.players
    return float(chunk.metrics[numbers, metrics_of(game).index("points_0") + seats].sum())
