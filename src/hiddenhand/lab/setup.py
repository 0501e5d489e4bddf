"""Setup: a match before its first game. What is wrong with it is said here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from hiddenhand.core import resolver
from hiddenhand.core.agent import Agent
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.lab.executors import Runner
from hiddenhand.lab.playing import Chunk, Job, Players, play_chunk, seated, warm_up
from hiddenhand.lab.result import DUPLICATE, FIXED

MOST_GAMES = 10**8
MOST_SEED = 2**64 - 1


class Setup:
    """A match that has been checked and can be played."""

    def __init__(
        self,
        game: Game | str,
        agents: Sequence[str | Agent],
        games: int,
        seed: int,
        seating: str,
        opening: int,
        records: int,
        options: dict[str, Any],
    ) -> None:
        self.game = resolver.game(game, **options).for_players(len(agents))
        seats = self.game.players
        if len(agents) != seats:
            were = "agent was" if len(agents) == 1 else "agents were"
            has = "1 seat" if seats == 1 else f"{seats} seats"
            raise UserError(f"{self.game.name} has {has}, but {len(agents)} {were} given")
        check_range("games", games, 1, MOST_GAMES)
        check_range("seed", seed, 0, MOST_SEED)
        check_range("opening", opening, 0, self.game.longest)
        check_range("records", records, 0, MOST_GAMES)
        self.seed = seed
        self.seating = seating
        self.opening = opening
        self.deals_shared = seats if seating == DUPLICATE else 1
        self.games = -(-games // self.deals_shared) * self.deals_shared
        self.records = min(records, self.games)
        self.job: Job | None = None
        self.players = self.seat(agents)
        self.agents = [str(agent) or type(agent).__name__ for agent in self.players.agents]

    def seat(self, agents: Sequence[str | Agent]) -> Players:
        rotate = self.seating != FIXED
        texts = [agent for agent in agents if isinstance(agent, str)]
        if len(texts) == len(agents):
            options = tuple(self.game.options.items())
            self.job = Job(
                self.game.spec,
                options,
                tuple(texts),
                self.seed,
                rotate,
                self.deals_shared,
                self.records,
                self.opening,
            )
            return seated(self.job)
        chosen = [resolver.agent(self.game, agent) if isinstance(agent, str) else agent for agent in agents]
        return Players(self.game, chosen, self.seed, rotate, self.deals_shared, self.records, self.opening)

    def specification(self) -> dict[str, Any]:
        """What makes this match this match: its identity in a store."""
        return {
            "game": self.game.spec,
            "rules": self.game.rules.key,
            "version": self.game.version,
            "options": dict(self.game.options),
            "agents": self.agents,
            "parameters": [dict(agent.values) for agent in self.players.agents],
            "seed": self.seed,
            "seating": self.seating,
            "opening": self.opening,
            "games": self.games,
        }

    def tasks(self, runner: Runner) -> tuple[Callable[[], None], Callable[[int, int], Chunk]]:
        """How a worker gets ready and how it plays a chunk."""
        if self.job is None or runner.here:
            return self.players.warm_up, self.players.chunk
        return partial(warm_up, self.job), partial(play_chunk, self.job)


def check_range(what: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise UserError(f"{what} must be a whole number from {low} to {high}, not {value}")
