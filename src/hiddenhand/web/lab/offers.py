"""What the laboratory can do with a game, and whether an order to it can be carried out."""

from __future__ import annotations

from hiddenhand.core.extras import Evolvable, Learners
from hiddenhand.core.game import Game
from hiddenhand.core.policy import Policy
from hiddenhand.core.resolver import Resolver
from hiddenhand.lab.tuning import tunable
from hiddenhand.lab.work_kinds import work_kind, work_kinds
from hiddenhand.learning.evolution import ModelKind, Polishable
from hiddenhand.learning.learner import Learner, completed
from hiddenhand.web.schemas.http import chosen_game
from hiddenhand.web.schemas.lab import ExperimentBody, LabInfo, LearnerInfo, ModelInfo, TunableInfo, asked
from hiddenhand.web.tables.registry import TableRegistry


def offers(resolver: Resolver, game: Game) -> LabInfo:
    """In a thread: what the game offers; its learners and models are loaded for it."""
    learners = [learner(completed(kind)) for kind in game.extra(Learners, Learners({})).loaded().values()]
    evolvable = game.extra(Evolvable, Evolvable({}))
    models = [model(game, name, kind) for name, kind in evolvable.loaded().items()]
    agents = resolver.agents(game)
    tuned = [
        TunableInfo(agent=name, parameters=list(tunable(kind.settings)))
        for name, kind in sorted(agents.items())
        if isinstance(kind, Policy) and tunable(kind.settings)
    ]
    return LabInfo.model_validate(
        {
            "game": game.origin.spec,
            "kinds": [kind.name for kind in work_kinds() if kind.page is not None and kind.page.offered(game)],
            "learners": learners,
            "models": models,
            "tunable": tuned,
            "opponent": evolvable.opponent or resolver.champion(game),
        }
    )


def learner(kind: type[Learner]) -> LearnerInfo:
    return LearnerInfo(
        name=kind.name,
        summary=kind.summary,
        games=kind.games,
        step=kind.step,
        opponent=kind.opponent,
        teacher=kind.teacher,
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

AGENT_INPUTS = ("agent", "agents", "line_up", "opponents", "teacher", "tunable")


def check(tables: TableRegistry, name: str, order: ExperimentBody) -> Game:
    """The game of an order; a UserError if the game, or what it names for this kind of work, does not exist."""
    game = chosen_game(tables.resolver, order.game, order.options)
    kind = work_kind(name)
    for field, page in asked(kind):
        given = getattr(order, field.name)
        if page.input in AGENT_INPUTS and given is not None:
            for text in [given] if isinstance(given, str) else given:
                tables.checked(game, text)
    assert kind.page is not None
    kind.page.require(game, order)
    return game
