"""What the laboratory can do with a game, and whether an order to it can be carried out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import Evolvable, Learners
from hiddenhand.core.game import Game
from hiddenhand.core.policy import Policy
from hiddenhand.core.resolver import Resolver
from hiddenhand.core.text import Text
from hiddenhand.lab.tuning import tunable
from hiddenhand.learning.evolution import ModelKind, Polishable
from hiddenhand.planning.play.world_rules import WORLDS
from hiddenhand.web.schemas.http import chosen_game
from hiddenhand.web.schemas.lab import (
    EvolveBody,
    ExperimentBody,
    LabInfo,
    LearnerInfo,
    MatchBody,
    ModelInfo,
    PrecalculateBody,
    TournamentBody,
    TrainBody,
    TunableInfo,
    TuneBody,
)
from hiddenhand.web.tables.registry import TableRegistry


def offers(resolver: Resolver, game: Game) -> LabInfo:
    """In a thread: what the game offers; its learners and models are loaded for it."""
    learners = [learner(kind) for kind in game.extra(Learners, Learners({})).loaded().values()]
    evolvable = game.extra(Evolvable, Evolvable({}))
    models = [model(game, name, kind) for name, kind in evolvable.loaded().items()]
    agents = resolver.agents(game)
    tuned = [
        TunableInfo(agent=name, parameters=list(tunable(kind.settings)))
        for name, kind in sorted(agents.items())
        if isinstance(kind, Policy) and tunable(kind.settings)
    ]
    possible = {"train": learners, "tune": tuned, "evolve": models, "precalculate": game.rules in WORLDS}
    return LabInfo.model_validate(
        {
            "game": game.origin.spec,
            "kinds": ["match", "tournament", *(kind for kind, some in possible.items() if some)],
            "learners": learners,
            "models": models,
            "tunable": tuned,
            "opponent": evolvable.opponent or resolver.champion(game),
        }
    )


def learner(kind: Any) -> LearnerInfo:
    return LearnerInfo(
        name=kind.name,
        summary=kind.summary,
        games=kind.games,
        step=kind.step,
        opponent=kind.opponent,
        teacher=getattr(kind, "teacher", None),
    )


def model(game: Game, name: str, kind: ModelKind) -> ModelInfo:
    return ModelInfo(
        name=name,
        summary=kind.summary,
        settings={
            setting: [str(choice) for choice in of.choices or ()]
            for setting, of in kind.settings.items()
            if of.choices
        },
        polishable=isinstance(kind.of(game, **{key: of.default for key, of in kind.settings.items()}), Polishable),
    )


# ---- whether an order can be carried out: in a thread, before it is queued


def check(tables: TableRegistry, order: ExperimentBody) -> Game:
    """The game of an order; a UserError if the game, an agent, a learner or a model that it names does not exist."""
    game = chosen_game(tables.resolver, order.game, order.options)
    CHECKS[type(order)](tables, game, order)
    return game


def check_agents(tables: TableRegistry, game: Game, order: Any) -> None:
    for text in order.agents:
        tables.checked(game, text)


def check_train(tables: TableRegistry, game: Game, order: TrainBody) -> None:
    from hiddenhand.lab.training import TrainingPlan, find_learner

    find_learner(TrainingPlan(game, order.learner, order.games, order.seed, order.teacher))
    if order.teacher is not None:
        tables.checked(game, order.teacher)


def check_tune(tables: TableRegistry, game: Game, order: TuneBody) -> None:
    from hiddenhand.lab.tuning import tunable

    tables.checked(game, order.agent)
    kind = tables.resolver.find_kind(game, order.agent).kind
    if not isinstance(kind, Policy) or not tunable(kind.settings):
        raise UserError(Text("{agent} has no parameters that could be tuned", agent=order.agent[:100]))


def check_evolve(tables: TableRegistry, game: Game, order: EvolveBody) -> None:
    from hiddenhand.lab.evolution.plan import find_model, require_polishable

    model = find_model(game, order.model)
    if order.polish:
        require_polishable(model, order.model)
    for text in order.opponents:
        tables.checked(game, text)


def check_precalculate(tables: TableRegistry, game: Game, order: PrecalculateBody) -> None:
    from hiddenhand.planning.play.world_rules import world_of

    world_of(game).require_sound()


CHECKS: dict[type[ExperimentBody], Callable[[TableRegistry, Game, Any], None]] = {
    MatchBody: check_agents,
    TournamentBody: check_agents,
    TrainBody: check_train,
    TuneBody: check_tune,
    EvolveBody: check_evolve,
    PrecalculateBody: check_precalculate,
}
