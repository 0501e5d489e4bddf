"""The plan of a match, and the match set up before its first game. What is wrong with it is said here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Annotated, Any, ClassVar

from hiddenhand.core import resolver
from hiddenhand.core.agent import Agent
from hiddenhand.core.devices import CPU, from_device
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import for_players
from hiddenhand.core.processes import Workers
from hiddenhand.core.settings import fingerprints
from hiddenhand.core.text import Text
from hiddenhand.lab.match_runner import DUPLICATE, FIXED, ROTATE, Chunk, MatchJob, MatchRunner, play_chunk, warm_up
from hiddenhand.lab.plans import (
    MOST_GAMES,
    OPENING,
    SEED,
    GamePlan,
    PageField,
    PlanParameter,
    agents_parameter,
    check_range,
)

SEATINGS = {FIXED: Text("as given"), ROTATE: Text("seats rotate"), DUPLICATE: Text("every deal in every seating")}


@dataclass(frozen=True)
class MatchPlan(GamePlan):
    """Who plays what, how often and in which seats: all that decides the result of a match."""

    has_games: ClassVar[bool] = True
    agents: Annotated[Sequence[str | Agent], agents_parameter("line_up")]
    games: Annotated[
        int,
        PlanParameter(
            "How many games to play.",
            1,
            MOST_GAMES,
            flags=("--games", "-n"),
            page=PageField(Text("games"), most=20_000, usual=500),
        ),
    ] = 100
    seed: Annotated[int, SEED] = 0
    seating: Annotated[
        str,
        PlanParameter(
            "Who sits where from game to game: fixed, rotate, or duplicate.",
            choices=tuple(SEATINGS),
            metavar="HOW",
            short={
                ROTATE: (ROTATE, "Agents move on by one seat from game to game."),
                DUPLICATE: (DUPLICATE, "Every deal in every seating; N is rounded up to whole deals."),
            },
            page=PageField(Text("seating"), "choice", choices=SEATINGS, usual=ROTATE),
        ),
    ] = FIXED
    opening: Annotated[int, OPENING] = 0
    records: Annotated[
        int,
        PlanParameter(
            "Keep the records of the first N games.",
            0,
            MOST_GAMES,
            page=PageField(Text("games to look at"), most=20, usual=6),
        ),
    ] = 0
    device: Annotated[
        str,
        PlanParameter("cpu, or cuda: on a graphics card (compiled policies, search on a network).", metavar="DEVICE"),
    ] = CPU

    def __post_init__(self) -> None:
        super().__post_init__()
        self.set(game=for_players(self.game, len(self.agents)))


class Setup:
    """A match that has been checked and can be played."""

    def __init__(self, plan: MatchPlan) -> None:
        agents = plan.agents
        self.device = plan.device
        self.game = plan.game
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
        check_range("opening", plan.opening, 0, self.game.longest)
        self.seed = plan.seed
        self.seating = plan.seating
        self.opening = plan.opening
        self.given = agents
        self.deals_shared = seats if plan.seating == DUPLICATE else 1
        self.games = -(-plan.games // self.deals_shared) * self.deals_shared
        self.records = min(plan.records, self.games)
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
            self.seating,
            self.records,
            self.opening,
        )

    def require_texts(self) -> None:
        """Refuse agents and games that no other process and no reader of a store could be told of."""
        assert self.job is not None

    def new_runner(self) -> MatchRunner:
        """A runner in this process, with the very agents that were given where they are objects."""
        chosen = [resolver.agent(self.game, agent) if isinstance(agent, str) else agent for agent in self.given]
        for agent in chosen:
            if not hasattr(agent, "decide"):
                raise UserError("an agent is a text or an Agent, not {what}", what=repr(agent))
        sit = MatchRunner if self.device == CPU else from_device(self.device, "match_runner_for")(chosen)
        return sit(self.game, chosen, self.seed, self.seating, self.records, self.opening)

    def specification(self) -> dict[str, Any]:
        """What makes this match this match: its identity in a store."""
        return {
            "game": self.game.origin.name,
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
