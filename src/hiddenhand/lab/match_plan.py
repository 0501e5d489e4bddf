"""The plan of a match, and the match set up before its first game. What is wrong with it is said here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from numbers import Integral
from typing import Any

from hiddenhand.core import resolver
from hiddenhand.core.agent import Agent
from hiddenhand.core.devices import CPU, from_device
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game, for_players
from hiddenhand.core.settings import fingerprints
from hiddenhand.core.text import Text
from hiddenhand.lab.executors import Workers
from hiddenhand.lab.match_result import DUPLICATE, FIXED
from hiddenhand.lab.match_runner import Chunk, MatchJob, MatchRunner, play_chunk, warm_up

MOST_GAMES = 10**8
MOST_SEED = 2**64 - 1


@dataclass(frozen=True)
class MatchPlan:
    """Who plays what, how often and in which seats: all that decides the result of a match."""

    game: Game | str
    agents: Sequence[str | Agent]
    games: int = 100
    seed: int = 0
    seating: str = FIXED
    opening: int = 0
    """How many moves at the start of each game are drawn at random."""
    records: int = 0
    """How many games, from the first on, have their records kept."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the game."""


class Setup:
    """A match that has been checked and can be played."""

    def __init__(self, plan: MatchPlan, device: str = CPU) -> None:
        agents = plan.agents
        self.device = device
        self.game = for_players(resolver.game(plan.game, plan.options), len(agents))
        seats = self.game.players
        if len(agents) != seats:
            raise UserError(
                Text.plural(
                    "{game} has {seats}, but {n} agent was given",
                    "{game} has {seats}, but {n} agents were given",
                    n=len(agents),
                    game=self.game.name,
                    seats=Text.plural("{n} seat", "{n} seats", n=seats),
                )
            )
        check_range("games", plan.games, 1, MOST_GAMES)
        check_range("seed", plan.seed, 0, MOST_SEED)
        check_range("opening", plan.opening, 0, self.game.longest)
        check_range("records", plan.records, 0, MOST_GAMES)
        self.seed = plan.seed
        self.seating = plan.seating
        self.opening = plan.opening
        self.deals_shared = seats if plan.seating == DUPLICATE else 1
        self.games = -(-plan.games // self.deals_shared) * self.deals_shared
        self.records = min(plan.records, self.games)
        self.given = agents
        self.runner = self.new_runner()
        self.agents = [str(agent) or type(agent).__name__ for agent in self.runner.agents]

    @cached_property
    def job(self) -> MatchJob:
        """The match as plain data, for other processes and for a store; refused where it cannot be told in texts."""
        return MatchJob(
            resolver.text_of_game(self.game),
            tuple(self.game.options.items()),
            tuple(agent if isinstance(agent, str) else resolver.text_of(agent) for agent in self.given),
            self.seed,
            self.seating != FIXED,
            self.deals_shared,
            self.records,
            self.opening,
        )

    def require_texts(self) -> None:
        """Refuse agents and games that no other process and no reader of a store could be told of."""
        assert self.job is not None

    def new_runner(self) -> MatchRunner:
        """A runner in this process, with the very agents that were given where they are objects."""
        chosen = [resolver.agent(self.game, agent) if isinstance(agent, str) else agent for agent in self.given]
        rotate = self.seating != FIXED
        sit = MatchRunner if self.device == CPU else from_device(self.device, "match_runner_for")(chosen)
        return sit(self.game, chosen, self.seed, rotate, self.deals_shared, self.records, self.opening)

    def specification(self) -> dict[str, Any]:
        """What makes this match this match: its identity in a store."""
        return {
            "game": self.game.origin.spec,
            "rules": self.game.rules.key,
            "version": self.game.version,
            "options": dict(self.game.options),
            "agents": self.agents,
            "parameters": [dict(agent.values) for agent in self.runner.agents],
            "seed": self.seed,
            "seating": self.seating,
            "opening": self.opening,
            "games": self.games,
            **self.runner.marks,
            **self.files(),
        }

    def files(self) -> dict[str, Any]:
        """What is in the files that the game's options and the agents name, if any do."""
        options = fingerprints(self.game.options, self.game.settings)
        found = [options, *(resolver.contents_of(agent) for agent in self.runner.agents)]
        contents = {"file": self.game.origin.contents} if self.game.origin.contents else {}
        return {**contents, "files": found} if any(found) else contents

    def tasks(self, workers: Workers) -> tuple[Callable[[], None], Callable[[int, int], Chunk]]:
        """How a worker gets ready and how it plays a chunk."""
        if workers.here:
            return self.runner.warm_up, self.runner.chunk
        return partial(warm_up, self.job), partial(play_chunk, self.job)


def check_range(what: str, value: int, low: int, high: int) -> None:
    if not isinstance(value, Integral) or not low <= value <= high:
        raise UserError(
            Text(
                "{what} must be a whole number from {low} to {high}, not {value}",
                what=what,
                low=low,
                high=high,
                value=repr(value),
            )
        )
