"""Arguments and options that several commands share."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hiddenhand.core.errors import UserError
from hiddenhand.core.files import data_folder

if TYPE_CHECKING:
    pass

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game, or the path of a game's .py file.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; may be repeated."),
]
Workers = Annotated[int, typer.Option("--workers", "-w", metavar="N", help="Processes to play in.")]
ClusterAddress = Annotated[
    str | None, typer.Option("--cluster", metavar="ADDRESS", help='A Dask scheduler to play on, or "local".')
]
StoreUrl = Annotated[
    str | None, typer.Option("--store", metavar="URL", help="Where results are kept: a file or an SQLAlchemy URL.")
]
NoStore = Annotated[bool, typer.Option("--no-store", help="Keep nothing.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on from what the store has of this.")]
Position = Annotated[
    str | None,
    typer.Option("--position", metavar="TEXT", help="Begin in this position: its text, or a file with it."),
]
Moves = Annotated[
    str, typer.Option("--moves", metavar="MOVES", help="Play these moves first, separated by spaces or commas.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def read_options(texts: list[str] | None, game: str) -> dict[str, Any]:
    """Read `--option players=3 --option hand=5`."""
    pairs: dict[str, Any] = {}
    for text in texts or []:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UserError("an option of {value} is written name=value; {text} is not", value=game, text=repr(text))
        if name in pairs:
            raise UserError("option {name} of {value} was given twice", name=name, value=game)
        pairs[name] = value  # the value may contain anything, commas too
    return pairs


def begun_at(options: dict[str, Any], position: str | None) -> dict[str, Any]:
    """The options with the position where a game begins, which may be in a file."""
    if position is None:
        return options
    from hiddenhand.core.positions import POSITION

    if POSITION in options:
        raise UserError("the position was given twice")
    with suppress(OSError, ValueError):  # a text may be too long for a name, or hold what no name can
        if Path(position).is_file():
            position = Path(position).read_text(encoding="utf-8")
    return {**options, POSITION: position}


def games_folder() -> Path:
    """Where finished games are kept: beside the store, if that is a file."""
    store = os.environ.get("HIDDENHAND_STORE", "")
    return (Path(store).expanduser().parent if store and "://" not in store else data_folder()) / "games"
