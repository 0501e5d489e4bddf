"""A model of a game from its text."""

from __future__ import annotations

from typing import Any

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.game import Game
from hiddenhand.core.settings import parse_pairs, read_settings
from hiddenhand.learning.evolution import Model, ModelKind


def find_model(game: Game, text: str) -> Model[Any]:
    """A model from its text: `seasonal`, `ranks:playing=random`."""
    name, _, rest = text.partition(":")
    kinds: dict[str, ModelKind] = resolver.offered(game.models)
    if name not in kinds:
        have = f"models: {one_of(list(kinds))}" if kinds else "it has none"
        raise UserError(f"{game.name} has no model {name!r}{did_you_mean(name, list(kinds))}; {have}")
    kind = kinds[name]
    return kind.of(game, **read_settings(parse_pairs(rest, name, "setting"), kind.settings, name, "setting"))
