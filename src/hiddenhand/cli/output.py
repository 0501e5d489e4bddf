"""What commands print: results on stdout, complaints on stderr, in the language of whoever reads."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hiddenhand.core.catalogue import ENGLISH, languages
from hiddenhand.core.errors import UserError, one_of
from hiddenhand.core.text import Reader, Text, render

if TYPE_CHECKING:
    from hiddenhand.core.decision import Decision
    from hiddenhand.core.game import Game

reader = Reader(ENGLISH)
"""Whoever reads what this process prints."""


def begin() -> None:
    """A command begins: its reader speaks the language of the environment."""
    global reader
    reader = Reader(os.environ.get("HIDDENHAND_LANGUAGE", ENGLISH))


def speak(language: str) -> str:
    """From now on print in this language."""
    global reader
    if language:
        if language not in languages():
            known = one_of([Text("{what} ({n})", what=code, n=name) for code, name in languages().items()])
            raise UserError("there is no language {code}; there are: {list}", code=language, list=known)
        reader = Reader(language)
    return language


def add_words(catalogues: Mapping[str, Mapping[str, str]]) -> None:
    """From now on things have the names that a world gives them, by language."""
    global reader
    reader = replace(reader, words=catalogues.get(reader.language, {}))


def add_words_of(game: Game) -> None:
    """The same for a game that is a world."""
    worlds = sys.modules.get("hiddenhand.planning.play.world_game")
    if worlds is not None:  # without it there is no world
        add_words(worlds.own_words(game))


def language() -> str:
    """The language that is spoken now, by its code."""
    return reader.language


def say(text: str = "") -> None:
    """Print a text as its reader sees it."""
    print(rendered(text))


def say_all(texts: Iterable[str]) -> None:
    """Print texts, a line each."""
    for text in texts:
        print(rendered(text).rstrip())


def say_decision(agent: str, decision: Decision) -> None:
    """What an agent would do, and why."""
    first, *more = decision.lines()
    say_all([Text("{agent} says: {move}", agent=agent, move=first), *more])


def rendered(text: str) -> str:
    """A text in the language of whoever reads, with players counted from 1."""
    return str(render(text, reader))


def print_json(document: object) -> None:
    """Exactly one JSON document on stdout; in English, seats are numbered as programs do, from 0."""
    told = document if reader.language == ENGLISH else render(document, reader)
    print(json.dumps(told, indent=1, ensure_ascii=False, allow_nan=False))


def write_file(path: Path, text: str) -> None:
    """Write a file, or say in one line why it cannot be written."""
    try:
        path.expanduser().write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError("cannot write {path}: {error}", path=path, error=error.strerror or error) from None


def complain(message: str, status: int, word: str = "error:") -> int:
    """One line on stderr; the exit status to end with."""
    print(word, " ".join(rendered(message).split()), file=sys.stderr)
    return status


def print_table(rows: Sequence[tuple[str, ...]], flush: str = "") -> None:
    """Rows in columns, flush left unless told otherwise."""
    from hiddenhand.lab.tables import in_columns

    print("\n".join(in_columns(rows, flush)))
