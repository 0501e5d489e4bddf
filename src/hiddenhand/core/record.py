"""Record: a game on paper. Game, version, options, seed and actions give the whole game back, exactly."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from hiddenhand.core.errors import IllegalAction, RecordError
from hiddenhand.core.seeds import seed_from_json, seed_to_json
from hiddenhand.core.table import Table
from hiddenhand.core.text import Seat, Text

if TYPE_CHECKING:
    from hiddenhand.core.game import Game

FORMAT = "hiddenhand record"
SELDOM = ("given_up", "names", "notes", "rules", "file")
"""Fields that are only written where there is something to say."""


@dataclass(repr=False)
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
    given_up: list[Any] | None = None
    """Which seat could not go on, and why, where the game ended so."""
    names: list[str] | None = None
    """What the players are called, where that is known; `agents` says who decided for them."""
    notes: list[list[str]] | None = None
    """What each seat noted of each card, by the card's place in the deck."""
    rules: str | None = None
    """The fingerprint of the rules, of a game that comes from a file."""
    file: str | None = None
    """The path of that file when the game was played."""
    folder: Path | None = field(default=None, compare=False)
    """Where the record itself was found: the file of the game may lie beside it."""

    def __repr__(self) -> str:
        paid = "" if self.payoffs is None else ": " + " ".join(f"{payoff:+g}" for payoff in self.payoffs)
        return f"<Record of {self.game}, seed {self.seed}, {len(self.actions)} actions{paid}>"

    def replay(self, plies: int | None = None, game: Game | None = None) -> Table:
        """The table after so many plies (all of them by default), checked against the rules.

        `game`: where somebody has found it already, with its options.
        """
        if game is None:
            from hiddenhand.core.resolver import game_of_record

            game = game_of_record(self)
        if game.version != self.version:
            raise RecordError(
                "the record is of version {a} of {game}; this is {b}", a=self.version, game=self.game, b=game.version
            )
        table = Table(game, self.seed, rolls=False, dealt=self.dealt)
        for number, action in enumerate(self.actions[:plies], start=1):
            try:
                table.play(action)
            except IllegalAction as error:
                raise RecordError("move {n} of the record breaks the rules: {why}", n=number, why=error) from None
        if self.given_up is not None and len(table.history) == len(self.actions):
            seat, why = self.given_up
            if table.over or not 0 <= seat < game.players:
                raise RecordError("the record says that {who} gave up, which it could not", who=Seat(seat))
            table.give_up(seat, why)
        if table.over and self.payoffs is not None and table.payoffs() != self.payoffs:
            raise RecordError(
                "the record says the payoffs were {a}; replayed, {b}", a=self.payoffs, b=table.payoffs()
            )
        return table

    def to_json(self) -> dict[str, Any]:
        data = {"format": FORMAT, **asdict(self), "seed": seed_to_json(self.seed)}
        del data["folder"]
        return {name: value for name, value in data.items() if value is not None or name not in SELDOM}

    def is_of(self, game: Game) -> bool:
        """Whether this game was played, whatever its options; a game of a file is known by its rules."""
        if not game.origin.contents:
            return self.game == game.origin.spec
        return PurePath(self.game).name == game.origin.name and self.rules in (None, game.rules.key)

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


def read_record(data: object, where: str = "the record") -> Record:
    """A record from parsed JSON, its fields checked; in our own form, or in one that a game declares."""
    if isinstance(data, dict) and "format" not in data:
        from hiddenhand.core.resolver import record_format

        other = record_format(data)
        if other is not None:
            return other.read(data)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise RecordError('{where} is not a hiddenhand record (no "format": "{format}")', where=where, format=FORMAT)
    for name, (fits, kind) in FIELDS.items():
        if name in data and not fits(data[name]):
            raise RecordError("{where} is damaged: {name} must be {kind}", where=where, name=repr(name), kind=kind)
        if name not in data and name in NEEDED:
            raise RecordError("{where} is damaged: {name} is missing", where=where, name=repr(name))
    known = {name: data[name] for name in FIELDS if name in data}
    return Record(**{**known, "seed": seed_from_json(data["seed"])})


def whole(value: object) -> bool:
    """A whole number that a machine word holds."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def number(value: object) -> bool:
    return whole(value) or (isinstance(value, float) and math.isfinite(value))


def text(value: object) -> bool:
    """A text that can be written anywhere."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def option(value: object) -> bool:
    return text(value) or number(value) or isinstance(value, bool)


def list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


def or_nothing(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or fits(value)


FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "game": (text, Text("a text")),
    "version": (whole, Text("a whole number")),
    "options": (
        lambda value: isinstance(value, dict) and all(text(key) and option(value[key]) for key in value),
        Text("a table of names and values"),
    ),
    "seed": (lambda value: seed_from_json(value) is not None, Text("a seed")),
    "actions": (list_of(whole), Text("a list of whole numbers")),
    "moves": (list_of(text), Text("a list of texts")),
    "agents": (or_nothing(list_of(text)), Text("a list of texts")),
    "payoffs": (or_nothing(list_of(number)), Text("a list of numbers")),
    "opening": (lambda value: whole(value) and 0 <= value <= 10**6, Text("a whole number from 0 to a million")),
    "dealt": (or_nothing(list_of(whole)), Text("a list of cards, as whole numbers")),
    "given_up": (
        lambda value: isinstance(value, list) and len(value) == 2 and whole(value[0]) and text(value[1]),
        "a seat and why it gave up",
    ),
    "names": (or_nothing(list_of(text)), Text("a list of texts")),
    "notes": (or_nothing(list_of(list_of(text))), "a list of texts for every seat"),
    "rules": (text, Text("a text")),
    "file": (text, Text("a text")),
}
"""The one schema of records: what each field must be, and in words."""
NEEDED = ("game", "version", "options", "seed", "actions")


def load_record(path: str | Path) -> Record:
    """Read a record file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError("cannot read {path}: {why}", path=path, why=error.strerror) from None
    except UnicodeDecodeError:
        raise RecordError("{path} is not a text file", path=path) from None
    try:
        data = parse_json(text, str(path))
    except json.JSONDecodeError as error:
        message = Text(
            "{path} is not valid JSON: line {line} column {column}: {why}",
            path=path,
            line=error.lineno,
            column=error.colno,
            why=error.msg,
        )
        raise RecordError(message) from None
    record = read_record(data, str(path))
    record.folder = Path(path).absolute().parent
    return record


def parse_json(written: str, where: str) -> Any:
    """The meaning of a text in JSON; Python reads no number of thousands of digits, and says it in its own way."""
    try:
        return json.loads(written)
    except json.JSONDecodeError:
        raise
    except ValueError:
        raise RecordError(
            "{where} has a number with too many digits; a seed is the longest number of a record", where=where
        ) from None
