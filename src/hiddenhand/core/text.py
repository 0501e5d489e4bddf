"""Text: a sentence that remembers how it was made, so that it can be told in another language and with other names.

    Text("{who} takes the trick with {card}", who=Seat(2), card=Text("the ace of hearts"))
    Text.plural("{n} world is left", "{n} worlds are left", n=12)

A Text is a `str`, its English sentence with seats as the program numbers them (`seat 2`). Whoever shows it to people
renders it for that reader: `render(text, Reader("pl", ["Ala", "Jan", "Ewa"]))`. Then seats have the names of their
players (`player 3` where nobody has a name), numbers are written as the language writes them, and the sentence is the
one that the catalogues have for the template (see `hiddenhand.core.catalogue`).

Values are numbers, seats, other texts, and strings that are the same in all languages. A place may say how its value
is written: `{share:.0%}`, `{value:+.2f}`, and `{who:C}` for a capital letter at the beginning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from hiddenhand.core.catalogue import ENGLISH, Catalogue, catalogue

CAPITAL = "C"
"""The format of a value that begins with a capital letter."""
PLACE = re.compile(r"\{(\w+)(?::([^{}]*))?\}|\{\{|\}\}")
"""A place in a template, or a brace that stands for itself."""

TEXT, SEAT = "$text", "$seat"
"""How a Text and a Seat are known in plain data."""

Value = Any
"""What stands in a place: a number, a Seat, a Text, or a string that no language changes."""


class Seat(NamedTuple):
    """A player of a game, by seat, counted from 0; people read the name of whoever sits there."""

    number: int

    def __str__(self) -> str:
        return f"seat {self.number}"


@dataclass(frozen=True)
class Reader:
    """Whoever reads: in which language, and what the players are called, by seat.

    words   what a game brings of its own: by English template, the same in this language
    """

    language: str = ENGLISH
    names: Sequence[str] = ()
    words: Mapping[str, str] = field(default_factory=dict)

    def name(self, seat: int) -> str:
        """What the player in a seat is called."""
        if 0 <= seat < len(self.names):
            return self.names[seat]
        return Text("player {number}", number=seat + 1).render(self)

    @property
    def catalogue(self) -> Catalogue:
        return catalogue(self.language)


class Text(str):
    """An English sentence that knows its template and its values."""

    template: str
    several: str
    """The template for more than one thing; empty where nothing is counted."""
    values: Mapping[str, Value]
    names_seats: bool
    """Whether it speaks of a seat, so that it reads otherwise where the players have names."""

    def __new__(cls, template: str, /, **values: Value) -> Text:
        return cls.made(template, "", values)

    @classmethod
    def plural(cls, one: str, several: str, /, n: float, **values: Value) -> Text:
        """A sentence that depends on a number: its form for one thing, and for several."""
        return cls.made(one, several, {"n": n, **values})

    @classmethod
    def joined(cls, separator: str, parts: Iterable[str]) -> Text:
        """Several texts in one, with the same between them in all languages: a comma, a space, a semicolon."""
        listed = list(parts)
        template = separator.replace("{", "{{").replace("}", "}}").join(f"{{{place}}}" for place in letters(listed))
        return cls.made(template, "", dict(zip(letters(listed), listed)))

    @classmethod
    def made(cls, template: str, several: str, values: Mapping[str, Value]) -> Text:
        """The text of these templates and values."""
        plain = {name: simple(value) for name, value in values.items()}
        form = several if several and plain["n"] != 1 else template
        text = str.__new__(cls, filled(form, plain, english) if "{" in form or "}" in form else form)
        text.template, text.several, text.values = template, several, plain
        text.names_seats = any(
            value.names_seats if isinstance(value, Text) else isinstance(value, Seat) for value in plain.values()
        )
        return text

    def __add__(self, other: str) -> Text:
        return Text.joined("", [self, other])

    def __radd__(self, other: str) -> Text:
        return Text.joined("", [other, self])

    def __reduce__(self) -> tuple[Any, ...]:
        return Text.made, (self.template, self.several, dict(self.values))

    def render(self, reader: Reader) -> str:
        """The sentence for somebody who reads it."""
        if reader.language == ENGLISH and not self.names_seats and not reader.words:
            return str.__str__(self)
        template = reader.words.get(self.template)
        if template is None:
            known = reader.catalogue
            if self.several:
                template = known.get_plural(self.template, self.several, self.values["n"])
            else:
                template = known.get(self.template)
        if "{" not in template and "}" not in template:
            return template
        return filled(template, self.values, lambda value, form: shown(value, form, reader))


def text_of(message: str, values: Mapping[str, Value]) -> str:
    """What a message says: a template is filled; a text, or a string that is no template, stays as it is."""
    if isinstance(message, Text) or (not values and ("{" in message or "}" in message)):
        return message
    return Text.made(message, "", values)


def simple(value: object) -> Value:
    """A value as a text keeps it: what an error says, a number of NumPy's as Python's own, all else as a string."""
    if isinstance(value, str | int | float | Seat):
        return value
    if isinstance(value, Exception):
        return next((each for each in value.args if isinstance(each, Text)), str(value))  # what a UserError says
    return value.item() if hasattr(value, "item") else str(value)


def letters(parts: Sequence[Any]) -> list[str]:
    """Names of places for parts that are joined."""
    return [f"p{number}" for number in range(len(parts))]


def with_strings(text: str, change: Callable[[str], str]) -> str:
    """The same text with every string among its values changed, its own sentence as it is; a plain string changed."""
    if not isinstance(text, Text):
        return change(text)
    values = {
        name: with_strings(each, change) if isinstance(each, str) else each for name, each in text.values.items()
    }
    return Text.made(text.template, text.several, values)


def to_data(value: object) -> Any:
    """The same with every Text as plain data, so that it can go to another process as JSON; `from_data` reads it."""
    if isinstance(value, Text):
        data = {TEXT: value.template, "values": to_data(dict(value.values))}
        return data | ({"several": value.several} if value.several else {})
    if isinstance(value, Seat):
        return {SEAT: value.number}
    if isinstance(value, dict):
        return {key: to_data(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [to_data(each) for each in value]
    return value


def from_data(data: object) -> Any:
    """What `to_data` wrote, tuples as lists."""
    if isinstance(data, list):
        return [from_data(each) for each in data]
    if not isinstance(data, dict):
        return data
    if TEXT in data:
        return Text.made(data[TEXT], data.get("several", ""), from_data(data["values"]))
    if SEAT in data:
        return Seat(data[SEAT])
    return {key: from_data(each) for key, each in data.items()}


# ---- filling places


def filled(template: str, values: Mapping[str, Value], written: Any) -> str:
    """A template with its values in their places; `written(value, form)` writes one."""
    return "".join(
        [part if isinstance(part, str) else str(written(values[part[0]], part[1])) for part in parts_of(template)]
    )


@lru_cache(maxsize=8192)
def parts_of(template: str) -> tuple[str | tuple[str, str], ...]:
    """What a template consists of: words, and places with the name of their value and its format."""
    parts: list[str | tuple[str, str]] = []
    end = 0
    for found in PLACE.finditer(template):
        parts.append(template[end : found.start()])
        parts.append(found[0][0] if found[1] is None else (found[1], found[2] or ""))
        end = found.end()
    return tuple(part for part in (*parts, template[end:]) if part)


def english(value: Value, form: str) -> str:
    """A value in English, seats as the program numbers them."""
    if form == CAPITAL:
        return capitalised(str(value))
    return format(value, form) if form else str(value)


def shown(value: Value, form: str, reader: Reader) -> str:
    """A value for somebody who reads it."""
    if isinstance(value, (bool, int, float)):
        return reader.catalogue.number(english(value, form))
    text = render(value, reader)
    return capitalised(text) if form == CAPITAL else format(text, form)


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


# ---- rendering


def render(value: object, reader: Reader) -> Any:
    """What a reader is shown: texts in lists and dicts are rendered, everything else stays as it is."""
    if isinstance(value, Text):
        return value.render(reader)
    if isinstance(value, Seat):
        return reader.name(value.number)
    if isinstance(value, dict):
        return {key: render(each, reader) for key, each in value.items()}
    if isinstance(value, list):
        return [render(each, reader) for each in value]
    if isinstance(value, tuple):
        rendered = [render(each, reader) for each in value]
        return type(value)(*rendered) if hasattr(value, "_fields") else tuple(rendered)
    return value
