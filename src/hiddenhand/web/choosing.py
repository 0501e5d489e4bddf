"""Choosing: games and agents named by strangers. Nothing they write makes the server read a file or run code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hiddenhand.core import resolver
from hiddenhand.core.agent import Agent
from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.game import Game

LONGEST_OPTION = 4000
FILE_OPTION = "file"
WORD = re.compile(r"[a-z0-9_]{1,40}")


def chosen_game(name: str, options: Mapping[str, Any]) -> Game:
    """A game of the package with these options."""
    known = resolver.games()
    if name not in known:
        raise UserError(f"unknown game {name!r}{did_you_mean(name, known)}; games: {one_of(known)}")
    for option, value in options.items():
        if isinstance(value, str) and len(value) > LONGEST_OPTION:
            raise UserError(f"option {option} of {name} is too long")
        if option == FILE_OPTION and not named_example(str(value)):
            raise UserError(f"option {option} of {name} must be the name of an example; files are not read here")
    return resolver.game(name, **options)


def named_example(value: str) -> bool:
    """Whether this can only be the name of something in the package."""
    return WORD.fullmatch(value) is not None and not Path(value).exists()


def checked_text(text: str) -> str:
    """An agent's text, if it names no file."""
    if text.partition(":")[2].lstrip().startswith("@"):
        raise UserError("agents are not read from files here: write the text itself")
    return text


def chosen_agent(game: Game, text: str) -> Agent:
    """An agent by its text."""
    return resolver.agent(game, checked_text(text))
