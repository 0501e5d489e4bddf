"""The catalogue: what the lobby offers. Games, their options, and who can play them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hiddenhand.core import resolver
from hiddenhand.core.game import Game
from hiddenhand.core.settings import Setting


def catalogue() -> list[dict[str, Any]]:
    """All games of the package."""
    return [describe(resolver.game(name)) for name in resolver.games()]


def describe(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "about": " ".join(game.about.partition("\n\n")[0].split()),
        "players": [game.fewest_players, game.most_players],
        "hidden": game.hidden,
        "chance": game.chance,
        "utility": game.utility,
        "options": {name: setting_to_json(setting) for name, setting in game.settings.items()},
        "agents": agents_of(game),
        "champion": resolver.champion(game),
    }


def agents_of(game: Game) -> list[dict[str, Any]]:
    """Everybody who can play this game with these options."""
    found = []
    for name, kind in sorted(resolver.agents(game).items()):
        settings: Mapping[str, Setting] = kind.settings_for(game) if hasattr(kind, "settings_for") else kind.settings
        found.append(
            {
                "name": name,
                "summary": kind.summary,
                "cheats": kind.cheats,
                "example": getattr(kind, "example", ""),
                "parameters": {key: setting_to_json(setting) for key, setting in settings.items()},
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
