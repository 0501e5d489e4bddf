"""What a page may ask of the laboratory, checked strictly, with ceilings for strangers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import Field

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.policy import Policy
from hiddenhand.web.schemas.http import GameName, Options, Seed, chosen_game
from hiddenhand.web.schemas.socket import AgentText, Strict
from hiddenhand.web.tables.registry import Hall

MOST_AGENTS = 12
Games = Annotated[int, Field(ge=1, le=20_000)]
Opening = Annotated[int, Field(ge=0, le=100)]
Agents = Annotated[list[AgentText], Field(min_length=1, max_length=MOST_AGENTS)]
Word = Annotated[str, Field(min_length=1, max_length=200)]


class LabOrder(Strict):
    """What every experiment has."""

    game: GameName
    options: Options = Field(default_factory=dict)
    seed: Seed = 0


class MatchOrder(LabOrder):
    """One agent for each seat."""

    agents: Agents
    games: Games = 100
    opening: Opening = 0
    seating: Literal["fixed", "rotate", "duplicate"] = "fixed"
    records: Annotated[int, Field(ge=0, le=20)] = 6


class TournamentOrder(LabOrder):
    """Every agent meets every other."""

    agents: Agents
    games: Games = 100
    opening: Opening = 0
    records: Annotated[int, Field(ge=0, le=5)] = 1


class TrainOrder(LabOrder):
    """A learner of the game learns from so many games."""

    learner: Word
    games: Annotated[int, Field(ge=1, le=500_000)] = 20_000
    teacher: AgentText | None = None


class TuneOrder(LabOrder):
    """Better numbers for the parameters of an agent."""

    agent: AgentText
    evaluations: Annotated[int, Field(ge=2, le=400)] = 60
    games: Annotated[int, Field(ge=2, le=2000)] = 200


class EvolveOrder(LabOrder):
    """The genomes of a model evolve."""

    model: Word
    opponents: Annotated[list[AgentText], Field(min_length=1, max_length=4)]
    runs: Annotated[int, Field(ge=1, le=4)] = 1
    generations: Annotated[int, Field(ge=1, le=200)] = 30
    mutants: Annotated[int, Field(ge=1, le=20)] = 10
    games: Annotated[int, Field(ge=1, le=1000)] = 100
    hall: Annotated[int, Field(ge=0, le=10)] = 0
    polish: Annotated[int, Field(ge=0, le=3)] = 0


class PrecalculateOrder(LabOrder):
    """The best action for a grid of beliefs in every visible state of a world."""

    depth: Annotated[int, Field(ge=1, le=12)] = 4
    granularity: Annotated[int, Field(ge=2, le=10)] = 2


ORDERS: dict[str, type[LabOrder]] = {
    "match": MatchOrder,
    "tournament": TournamentOrder,
    "train": TrainOrder,
    "tune": TuneOrder,
    "evolve": EvolveOrder,
    "precalculate": PrecalculateOrder,
}
"""The kinds of experiments."""


# ---- whether an order can be carried out: in a lane, before anybody waits for it


def check(hall: Hall, order: LabOrder) -> Game:
    """The game of an order; refused if there is no such one, or nobody there to do what is asked for."""
    game = chosen_game(hall.resolver, order.game, order.options)
    CHECKS[type(order)](hall, game, order)
    return game


def check_agents(hall: Hall, game: Game, order: Any) -> None:
    for text in order.agents:
        hall.checked(game, text)


def check_train(hall: Hall, game: Game, order: TrainOrder) -> None:
    from hiddenhand.lab.training import TrainingPlan, find_learner

    find_learner(TrainingPlan(game, order.learner, order.games, order.seed, order.teacher))
    if order.teacher is not None:
        hall.checked(game, order.teacher)


def check_tune(hall: Hall, game: Game, order: TuneOrder) -> None:
    from hiddenhand.lab.tuning import tunable

    hall.checked(game, order.agent)
    kind = hall.resolver.find_kind(game, order.agent).kind
    if not isinstance(kind, Policy) or not tunable(kind.settings):
        raise UserError(f"{order.agent[:100]} has no parameters that could be tuned")


def check_evolve(hall: Hall, game: Game, order: EvolveOrder) -> None:
    from hiddenhand.lab.evolving.plan import find_model, require_polishable

    model = find_model(game, order.model)
    if order.polish:
        require_polishable(model, order.model)
    for text in order.opponents:
        hall.checked(game, text)


def check_precalculate(hall: Hall, game: Game, order: PrecalculateOrder) -> None:
    from hiddenhand.planning.play.world_rules import world_of

    world_of(game).require_sound()


CHECKS: dict[type[LabOrder], Callable[[Hall, Game, Any], None]] = {
    MatchOrder: check_agents,
    TournamentOrder: check_agents,
    TrainOrder: check_train,
    TuneOrder: check_tune,
    EvolveOrder: check_evolve,
    PrecalculateOrder: check_precalculate,
}
