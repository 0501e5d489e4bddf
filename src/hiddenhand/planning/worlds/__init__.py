"""Worlds that come with the package, each a `.svarog` file, and models, each a `.pomdp` file.

A new file is a new world, here or beside a game.
"""

from __future__ import annotations

from pathlib import Path

from hiddenhand.core.errors import UserError, did_you_mean, one_of

PACKAGE = Path(__file__).parents[2]


def worlds() -> dict[str, Path]:
    """The file of every world in the package, by name."""
    return {file.stem: file for file in sorted(PACKAGE.rglob("*.svarog"))}


def models() -> dict[str, Path]:
    """The file of every model in Cassandra's format in the package, by name."""
    return {file.stem: file for file in sorted(PACKAGE.rglob("*.pomdp"))}


def world_file(name: str) -> Path:
    """The file of a world that comes with the package, or a file of the user (`./river.svarog`)."""
    known = worlds()
    if name in known:
        return known[name]
    path = Path(name).expanduser()
    if path.is_file():
        return path
    names = list(known)
    raise UserError(
        "there is no world or file {name}{hint}; worlds: {list}",
        name=repr(name),
        hint=did_you_mean(name, names),
        list=one_of(names),
    )
