"""Learners: what every one of them has, and what some have besides.

A game declares its learners by name (`extras=(Learners({"td": "module:Class"}),)`). A training gives a learner its
games lesson by lesson, tries out now and then what it has learned, and keeps its arrays (see `lab.training`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.processes import Workers
from hiddenhand.core.record import Record
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text

TRIAL_GAMES = 2000
TEST_GAMES = 8000
"""Against an opponent."""


class Learner:
    """The base class of learners: made with `Kind(game, seed, games, **settings)`.

    A learner must have `learn`, `snapshot`, `restore`, `save` and `player`; all else has a default.
    """

    name: str = ""
    summary: str = ""
    games: int = 0
    """How many games it thinks right."""
    step: int = 1000
    """How many games a lesson has."""
    unit: str = Text("games")
    """What it counts."""
    suffix: str = ".npz"
    """How the name of its file ends."""
    settings: Mapping[str, Setting] = {}
    """What can be chosen of how it learns; given to it by name."""
    opponent: str = ""
    """Against whom it is tried out; empty in a game that is played together."""
    teacher: str | None = None
    """Whom it watches, if it learns from a teacher; then it is given one by this name."""
    takes_workers: ClassVar[bool] = False
    """Whether it can let other processes play for it."""
    workers: Workers | None = None
    """Those processes."""
    learns_from_records: ClassVar[bool] = False
    """Whether it can learn from saved games, by `from_records`."""
    tries: int = 20
    """How often it is tried out in the second half of a training."""
    opening: int = 0
    """How many moves at the start of a tried game are drawn at random."""
    trial_games: int = TRIAL_GAMES
    test_games: int | None = None
    """Games of the test in the end; None: as is usual."""

    card: Mapping[str, Any] = {}
    """What is known of it in the end: the command that made it, and how it did in the test."""

    game: Game
    seed: int
    wanted: int
    """Games to learn from in all."""
    done: int = 0
    """Games learned from so far."""

    def __init__(self, game: Game, seed: int, games: int, **settings: Any) -> None:
        self.game, self.seed, self.wanted, self.done = game, seed, games, 0

    def learn(self, games: int) -> np.ndarray[Any, Any] | None:
        """Learn from this many games; where it plays with itself alone, their scores. 0 games: get compiled."""
        raise NotImplementedError

    def snapshot(self) -> Mapping[str, Any]:
        """Everything that is needed to go on, as arrays."""
        raise NotImplementedError

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Become what a snapshot says."""
        raise NotImplementedError

    def save(self, path: Path) -> None:
        """Write what was learned to a file that an agent reads."""
        raise NotImplementedError

    def player(self, best: bool = False) -> Agent:
        """The agent that plays as was learned; `best`: as it was when it did best."""
        raise NotImplementedError

    @property
    def observed(self) -> int:
        """How many games it has learned from, for the result."""
        return self.done

    def after_trial(self, mean: float) -> None:
        """Told how well it has done in a trial."""

    def remarks(self) -> list[str]:
        """What else is to be said of the training in the end."""
        return []

    def team(self, player: Agent) -> list[Agent]:
        """Who sits where when it is tried out, in a game that is played together."""
        return [player] * self.game.players

    @classmethod
    def from_records(cls, game: Game, seed: int, records: Sequence[Record], teacher: str | None) -> Learner:
        """The learner that learns from saved games."""
        raise UserError("{learner} does not learn from saved games", learner=cls.name)


def completed(kind: type) -> type[Learner]:
    """A class of learners that may have been written without the base class: with what it leaves out."""
    return kind if issubclass(kind, Learner) else type(kind.__name__, (kind, Learner), {})
