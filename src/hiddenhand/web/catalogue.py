"""The catalogue: what the lobby offers. Games, their options, and who can play them."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.resolver import Resolver, settings_of
from hiddenhand.core.settings import Setting


def catalogue(resolver: Resolver) -> list[dict[str, Any]]:
    """All games of the package, and those that the server's owner allows; a file that is no game is left out."""
    found = []
    for name in resolver.games():
        with suppress(UserError):
            found.append(describe(resolver, resolver.game(name)))
    return found


def describe(resolver: Resolver, game: Game) -> dict[str, Any]:
    return {
        "name": game.spec,
        "title": game.title,
        "about": " ".join(game.about.partition("\n\n")[0].split()),
        "players": [game.fewest_players, game.most_players],
        "hidden": game.hidden,
        "chance": game.chance,
        "utility": game.utility,
        "options": {name: setting_to_json(setting) for name, setting in game.settings.items()},
        "agents": agents_of(resolver, game),
        "champion": resolver.champion(game),
    }


def agents_of(resolver: Resolver, game: Game) -> list[dict[str, Any]]:
    """Everybody who can play this game with these options."""
    found = []
    for name, kind in sorted(resolver.agents(game).items()):
        found.append(
            {
                "name": name,
                "summary": kind.summary,
                "cheats": kind.cheats,
                "example": getattr(kind, "example", ""),
                "parameters": {key: setting_to_json(setting) for key, setting in settings_of(kind, game).items()},
            }
        )
    return found


def setting_to_json(setting: Setting) -> dict[str, Any]:
    return {
        "default": setting.default,
        "allowed": setting.allowed(),
        "choices": None if setting.choices is None else list(setting.choices),
        "low": setting.low,
        "high": setting.high,
        "help": setting.help,
    }
