"""What a game offers to the laboratory: its learners, its models, its agents whose parameters can be tuned."""

from __future__ import annotations

from typing import Any

from hiddenhand.core.game import Game
from hiddenhand.core.policy import Policy
from hiddenhand.core.resolver import Resolver, offered
from hiddenhand.lab.evolving import OPPONENT
from hiddenhand.lab.tuning import tunable
from hiddenhand.learning.evolution import ModelKind, Polishable
from hiddenhand.planning.play.world_rules import WORLDS
from hiddenhand.web.schemas.lab import LabInfo, LearnerInfo, ModelInfo, TunableInfo


def offers(resolver: Resolver, game: Game) -> LabInfo:
    """In a lane: learners and models are loaded for it."""
    learners = [learner(kind) for kind in offered(game.learners).values()]
    models = [model(game, name, kind) for name, kind in offered(game.models).items()]
    agents = resolver.agents(game)
    tuned = [
        TunableInfo(agent=name, parameters=list(tunable(kind.settings)))
        for name, kind in sorted(agents.items())
        if isinstance(kind, Policy) and tunable(kind.settings)
    ]
    possible = {"train": learners, "tune": tuned, "evolve": models, "precalculate": game.rules in WORLDS}
    return LabInfo.model_validate(
        {
            "game": game.spec,
            "kinds": ["match", "tournament", *(kind for kind, some in possible.items() if some)],
            "learners": learners,
            "models": models,
            "tunable": tuned,
            "opponent": OPPONENT if OPPONENT in agents else resolver.champion(game),
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
