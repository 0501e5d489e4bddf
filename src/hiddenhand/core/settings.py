"""Settings: the options of a game and the parameters of an agent, written as text, checked in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.files import AnyFile, Files, fingerprint
from hiddenhand.core.text import Text

FILE, AGENT = "file", "agent"
LARGEST = 2**62
"""No number that somebody sets is as large, nor infinite."""


@dataclass(frozen=True)
class Setting:
    """One value that a user may set: its kind is that of its default (bool, int, float or str).

    With kind="file" it is the path of a file; the choices are then names of files that come with the package, and an
    empty default stands for none. With kind="agent" it is the text of another agent, in brackets if that has commas;
    the suggestions are then words that stand for something else. `ceiling`: the most that strangers may ask of a
    server, where the cost grows with the value. `suggestions`: values that a text is often given; `several`: names of
    which a text may hold some, separated by commas. `former`: values that had other names, then and now; records of
    that time have them. `presets`: of an option whose every value stands for values of other options; it sets those
    that are not given beside it, and is not kept itself. `formerly`: the name of the setting in the release before,
    which is still understood.
    """

    default: Any
    help: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[Any, ...] | None = None
    kind: str = ""
    ceiling: float | None = None
    suggestions: tuple[str, ...] = ()
    several: tuple[str, ...] = ()
    former: Mapping[str, str] = field(default_factory=dict, hash=False)
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)
    formerly: str = ""

    def __post_init__(self) -> None:
        if self.kind not in ("", FILE, AGENT) or (self.kind and not isinstance(self.default, str)):
            raise TypeError(
                f"the kind of a setting is left out, or {FILE!r} or {AGENT!r} with a default that is text"
            )

    def read(self, value: object, what: str) -> Any:
        """The value, of the right kind and within its range, or a clear error."""
        value = self.former.get(value, value) if isinstance(value, str) else value
        if self.names_file(value):
            try:
                return str(AnyFile().find(str(value)))
            except UserError as error:
                raise UserError("{what} must be {kind}: {why}", what=what, kind=self.allowed(), why=error) from None
        kind = type(self.default)
        try:
            result = as_bool(value) if kind is bool else kind(value)
            if kind in (int, float) and not abs(result) < LARGEST:
                raise ValueError(value)
        except (TypeError, ValueError, OverflowError):
            raise UserError(
                "{what} must be {kind}, not {value}", what=what, kind=self.allowed(), value=repr(value)
            ) from None
        if kind is int and isinstance(value, float) and value != result:
            raise UserError("{what} must be {kind}, not {value}", what=what, kind=self.allowed(), value=repr(value))
        if self.kind == FILE:
            return result
        too_low = self.low is not None and result < self.low
        too_high = self.high is not None and result > self.high
        if too_low or too_high or (self.choices is not None and result not in self.choices):
            raise UserError("{what} must be {kind}, not {value}", what=what, kind=self.allowed(), value=value)
        return result

    def names_file(self, value: object) -> bool:
        """Whether this value makes somebody open a file of a user's."""
        return self.kind == FILE and str(value) not in (self.default, *(self.choices or ()))

    def names_agent(self, value: object) -> bool:
        """Whether this value stands for another agent."""
        return self.kind == AGENT and str(value) not in (self.default, *self.suggestions)

    def for_strangers(self) -> Setting:
        """The same setting as it is offered to people who do not pay for it."""
        if self.ceiling is None:
            return self
        return replace(self, high=self.ceiling if self.high is None else min(self.high, self.ceiling))

    def number(self, value: str | float) -> np.generic:
        """The value as compiled code gets it: text as its place among the choices."""
        if isinstance(self.default, str):
            assert self.choices is not None
            return np.int64(self.choices.index(value))
        return np.float64(value) if isinstance(self.default, float) else np.int64(value)

    def allowed(self) -> str:
        """What may stand here, in words."""
        names = one_of([str(choice) for choice in self.choices or ()])
        if self.kind == FILE:
            return Text("a file or one of {list}", list=names) if self.choices else Text("a file")
        if self.choices is not None:
            return Text("one of {list}", list=names)
        if self.kind == AGENT:
            return Text("an agent")
        kind = KINDS[type(self.default)]
        if self.low is not None and self.high is not None:
            return Text("{kind} from {a:g} to {b:g}", kind=kind, a=self.low, b=self.high)
        if self.low is not None:
            return Text("{kind} of at least {n:g}", kind=kind, n=self.low)
        return kind


KINDS: dict[type, str] = {
    bool: Text("yes or no"),
    int: Text("a whole number"),
    float: Text("a number"),
    str: Text("text"),
}
"""What values of a type are, in words."""

WORDS = {"option": Text("option"), "parameter": Text("parameter"), "setting": Text("setting")}
"""What a setting is called: of a game, of an agent, and of a learner."""


def as_bool(value: object) -> bool:
    words = {"yes": True, "true": True, "1": True, "on": True, "no": False, "false": False, "0": False, "off": False}
    word = str(value).lower()
    if word not in words:
        raise ValueError(value)
    return words[word]


def read_settings(given: Mapping[str, Any], known: Mapping[str, Setting], owner: str, word: str) -> dict[str, Any]:
    """All settings, the given ones checked, the others at their defaults. `word` is 'option' or 'parameter'."""
    given = by_present_names(given, known)
    for name in given:
        if name not in known:
            names = list(known)
            values = {"owner": owner, "word": WORDS[word], "name": repr(name), "hint": did_you_mean(name, names)}
            if not names:
                raise UserError("{owner} has no {word} {name}; it has no {word}s", **values)
            raise UserError("{owner} has no {word} {name}{hint}; it has: {list}", **values, list=one_of(names))
    return {
        name: setting.read(given[name], Text("{word} {name} of {owner}", word=WORDS[word], name=name, owner=owner))
        if name in given
        else setting.default
        for name, setting in known.items()
    }


def by_present_names(given: Mapping[str, Any], known: Mapping[str, Setting]) -> dict[str, Any]:
    """The same values; a setting that is given by its name of the release before has its present one."""
    present = {setting.formerly: name for name, setting in known.items() if setting.formerly}
    return {name if name in known else present.get(name, name): value for name, value in given.items()}


def find_files(given: Mapping[str, Any], known: Mapping[str, Setting], files: Files) -> dict[str, Any]:
    """The same values, with every file that they name found where `files` may look."""
    return {
        name: str(files.find(str(value))) if name in known and known[name].names_file(value) else value
        for name, value in by_present_names(given, known).items()
    }


def fingerprints(values: Mapping[str, Any], known: Mapping[str, Setting]) -> dict[str, str]:
    """What is in the files that these values name."""
    return {
        name: fingerprint(value) for name, value in values.items() if name in known and known[name].names_file(value)
    }


def parse_pairs(text: str, owner: str, word: str) -> dict[str, str]:
    """Read `depth=6,time=0.5`; what stands in brackets belongs together."""
    pairs: dict[str, str] = {}
    for part in filter(None, (p.strip() for p in outside_brackets(text))):
        name, equals, value = part.partition("=")
        if not equals or not name or not value:
            raise UserError(
                "{word}s of {owner} are written name=value, separated by commas; {part} is not",
                word=word,
                owner=owner,
                part=repr(part),
            )
        pairs[name.strip()] = value.strip()
    return pairs


def outside_brackets(text: str) -> list[str]:
    """The parts between commas that are in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts
