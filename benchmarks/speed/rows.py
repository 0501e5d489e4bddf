"""A row of a table of speed, and how its numbers are measured: the best of three, each for a second or more."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from hiddenhand.core.game import Game
from hiddenhand.lab.match import match

SECONDS = 1.0
"""How long each measurement lasts at least."""


@dataclass
class Row:
    """One line of the table: how much per second, ours and theirs."""

    job: str
    unit: str
    ours: float
    peer: str
    theirs: float | None
    wanted: float | None = None
    """How many times faster we mean to be."""

    @property
    def ratio(self) -> float | None:
        return self.ours / self.theirs if self.theirs else None

    def to_json(self) -> dict[str, object]:
        return {**vars(self), "ratio": self.ratio}


def per_second(work: Callable[[], int], seconds: float = SECONDS) -> float:
    """How many units `work` does in a second: called again and again for at least so long, the best of three."""
    best = 0.0
    for _ in range(3):
        done, start = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - start) < seconds / 3:
            done += work()
        best = max(best, done / elapsed)
    return best


def games_per_second(game: Game, agent: str) -> float:
    """How many games of self-play a match plays in a second, compilation left out; the best of three."""
    count = 64
    while (result := match(game, [agent] * game.players, games=count, seed=1)).seconds < SECONDS / 3:
        count *= 2
    again = (match(game, [agent] * game.players, games=count, seed=seed) for seed in (2, 3))
    return max(result.games_per_second, *(r.games_per_second for r in again))
