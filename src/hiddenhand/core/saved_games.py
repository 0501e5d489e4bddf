"""Saved games to learn from: the records in files and folders."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from hiddenhand.core.errors import RecordError, UserError
from hiddenhand.core.game import Game
from hiddenhand.core.record import Record, load_record


def saved_games(game: Game, sources: Sequence[str | Path]) -> list[Record]:
    """The records of this game in these files and folders, in the order of their names.

    A file must be a record of the game, and what it says must be legal. In a folder other files are left alone: the
    games that people save lie side by side.
    """
    found = []
    for source in map(Path, sources):
        if source.is_dir():
            records = [record for path in sorted(source.glob("*.json")) if (record := readable(path)) is not None]
            found += [record for record in records if record.is_of(game)]
        else:
            record = load_record(source)
            if not record.is_of(game):
                raise UserError(
                    "{source} is a record of {record}, not of {spec}",
                    source=source,
                    record=record.game,
                    spec=game.origin.name,
                )
            found.append(record)
    if not found:
        raise UserError(
            "there is no record of {spec} in {sources}", spec=game.origin.name, sources=", ".join(map(str, sources))
        )
    return found


def readable(path: Path) -> Record | None:
    """The record in a file, if it holds one."""
    try:
        return load_record(path)
    except RecordError:
        return None


def mark_of(records: Sequence[Record]) -> str:
    """A short name for what these records hold."""
    text = json.dumps([record.to_json() for record in records], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]
