"""Choosing: games and agents named by strangers. They get what the resolver of this server may open, and no more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.resolver import Resolver

LONGEST_OPTION = 4000


def chosen_game(resolver: Resolver, name: str, options: Mapping[str, Any]) -> Game:
    """A game with these options."""
    for option, value in options.items():
        if isinstance(value, str) and len(value) > LONGEST_OPTION:
            raise UserError(f"option {option} of {name} is too long")
    return resolver.game(name, **options)
