"""Record: a game on paper. Game, version, options, seed and actions give the whole game back, exactly."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiddenhand.core.errors import IllegalAction, RecordError
from hiddenhand.core.table import Table

if TYPE_CHECKING:
    from hiddenhand.core.game import Game

FORMAT = "hiddenhand record"


@dataclass
class Record:
    """What has to be kept of a game."""

    game: str
    version: int
    options: dict[str, Any]
    seed: int
    actions: list[int]
    moves: list[str] = field(default_factory=list)
    """The actions as text, for readers."""
    agents: list[str] | None = None
    payoffs: list[float] | None = None
    opening: int = 0
    """So many decisions at the start were drawn at random, whoever sat there."""
    dealt: list[int] | None = None
    """The cards as they lay, where they do not come from the seed."""

    def replay(self, plies: int | None = None, game: Game | None = None) -> Table:
        """The table after so many plies (all of them by default), checked against the rules.

        `game`: where somebody has found it already, with its options.
        """
        if game is None:
            from hiddenhand.core.resolver import game as find_game

            game = find_game(self.game, **self.options)
        if game.version != self.version:
            raise RecordError(f"the record is of version {self.version} of {self.game}; this is {game.version}")
        table = Table(game, self.seed, rolls=False, dealt=self.dealt)
        for number, action in enumerate(self.actions[:plies], start=1):
            try:
                table.play(action)
            except IllegalAction as error:
                raise RecordError(f"move {number} of the record breaks the rules: {error}") from None
        if table.over and self.payoffs is not None and table.payoffs() != self.payoffs:
            raise RecordError(f"the record says the payoffs were {self.payoffs}; replayed, {table.payoffs()}")
        return table

    def to_json(self) -> dict[str, Any]:
        return {"format": FORMAT, **asdict(self)}

    def save(self, path: str | Path) -> None:
        Path(path).write_text(json.dumps(self.to_json(), indent=1) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class RecordFormat:
    """Records as others write them; a game declares such forms (`formats`)."""

    recognises: Callable[[Any], bool]
    """Whether parsed JSON has this form."""
    read: Callable[[Any], Record]
    write: Callable[[Record, list[str]], Any]
    """Given the names of the players too."""


def read_record(data: Any, where: str = "the record") -> Record:
    """A record from parsed JSON, its fields checked; in our own form, or in one that a game declares."""
    if isinstance(data, dict) and "format" not in data:
        from hiddenhand.core.resolver import record_format

        other = record_format(data)
        if other is not None:
            return other.read(data)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise RecordError(f'{where} is not a hiddenhand record (no "format": "{FORMAT}")')
    kinds = {"game": str, "version": int, "options": dict, "seed": int, "actions": list}
    for name, kind in kinds.items():
        if not isinstance(data.get(name), kind):
            raise RecordError(f"{where} is damaged: {name!r} is missing or not of the right kind")
    if not all(isinstance(action, int) for action in data["actions"]):
        raise RecordError(f"{where} is damaged: 'actions' must be whole numbers")
    dealt = data.get("dealt")
    if dealt is not None and not (isinstance(dealt, list) and all(isinstance(card, int) for card in dealt)):
        raise RecordError(f"{where} is damaged: 'dealt' must be a list of cards")
    known = {name: data[name] for name in Record.__dataclass_fields__ if name in data}
    return Record(**known)


def load_record(path: str | Path) -> Record:
    """Read a record file."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordError(f"{path} is not a text file") from None
    except json.JSONDecodeError as error:
        message = f"{path} is not valid JSON: line {error.lineno} column {error.colno}: {error.msg}"
        raise RecordError(message) from None
    return read_record(data, str(path))
