"""Endgames: tables that know the value of every position with few pieces, made backwards from the end.

One byte a position, its code: DRAW, or in how many moves whoever moves wins or has lost with the best play of both,
plus one. So an even code is a win, an odd one a loss, and 1 means that the mover has lost already. A game that has
such tables says what makes them (`define(endgames=...)`), and gives a rule `endgame` that finds a position in them.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.files import read_arrays
from hiddenhand.core.text import Text
from hiddenhand.kernel import rule

if TYPE_CHECKING:
    from hiddenhand.core.game import Game

DRAW, LOST, NOTHING = 0, 1, 255
UNKNOWN = -1
A_MOVE = 1e-12
"""What a move more costs a winner, so that a search takes the shortest way: too little to be told from a win."""
EXPECTED = 0.9
"""The value of a win that may come too late for the rules of the game, when it is near."""


@rule
def better_code(first, second):
    """The better of two codes for whoever moves: a quick win, a slow one, a draw, a slow loss, a quick one."""
    return first if liking(first) >= liking(second) else second


@rule
def liking(code):
    if code == UNKNOWN:
        return -2000
    if code == DRAW:
        return 0
    return 1000 - code if code % 2 == 0 else code - 1000


@rule
def value_of_code(code, settled):
    """What a code is worth to whoever moves."""
    if code == DRAW:
        return 0.0
    value = 1.0 - A_MOVE * code if settled else EXPECTED - 0.001 * code
    return value if code % 2 == 0 else -value


def told(code: int) -> str:
    """A code in words."""
    if code == DRAW:
        return Text("a draw")
    moves = Text.plural("{n} move", "{n} moves", n=code - 1)
    if code % 2 == 0:
        return Text("a win in {moves}", moves=moves)
    return Text("lost in {moves}", moves=moves) if code > LOST else Text("lost")


def write_endgames(path: str | Path, game: Game, codes: np.ndarray[Any, Any]) -> None:
    """Keep a table, compressed."""
    with Path(path).open("wb") as file:
        np.savez_compressed(file, game=game.name, version=game.version, codes=codes)


def read_endgames(path: str | Path, game: Game) -> np.ndarray[Any, Any]:
    """The table in a file; refused if it is for another game. It is read once, since it may be large."""
    found = Path(path)
    try:
        written = found.stat().st_mtime_ns
    except OSError as error:
        raise UserError("{path} cannot be read: {why}", path=path, why=error.strerror) from None
    name, version, codes = read_once(found, written)
    if name != game.name or version != game.version:
        raise UserError(
            "{path} has endgames of {name}, version {version}, not of {game}, version {expected}",
            path=path,
            name=name,
            version=version,
            game=game.name,
            expected=game.version,
        )
    return codes


@lru_cache(maxsize=2)
def read_once(path: Path, written: int) -> tuple[str, int, np.ndarray[Any, Any]]:
    found = read_arrays(path, "game", "version", "codes")
    return str(found["game"]), int(found["version"]), np.ascontiguousarray(found["codes"], np.uint8)
