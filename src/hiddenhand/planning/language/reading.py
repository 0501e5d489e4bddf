"""Reading: the text of a Svarog file becomes a tree, or one clear line that says where it stopped making sense.

The language is that of Svarog 0.0.9 by Paweł Biernacki, in the four fixed sections that `grammar.lark` spells out. As
there, a character that means nothing is passed over; here it is remembered, and `check` reports it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from hiddenhand.core.errors import UserError
from hiddenhand.planning.language.building import Builder
from hiddenhand.planning.language.faults import Fault
from hiddenhand.planning.language.resolving import resolve
from hiddenhand.planning.language.syntax import Place, Specification

SPOKEN = {
    "NAME": "a name",
    "STRING": "a string in double quotes",
    "FLOAT": "a number with a decimal point (such as 1.0)",
    "INT": "a whole number",
    "$END": "the end of the file",
}
MOST_EXPECTED = 8


def read_file(path: str | Path) -> Specification:
    """The file as a tree, its names checked."""
    try:
        text = Path(path).expanduser().read_bytes().decode()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not a text file: byte {error.start} is no UTF-8") from None
    return read_text(text, str(path))


def read_text(text: str, file: str = "<text>") -> Specification:
    """The text as a tree, its names checked; `file` is what errors call it."""
    from lark.exceptions import UnexpectedToken, VisitError

    parse = parser().parse_interactive(text)
    skipped: list[tuple[str, Place]] = []
    try:
        for token in parse.lexer_thread.lex(parse.parser_state):
            if token.type == "UNKNOWN":
                skipped.append((str(token), place_of(token)))
            else:
                parse.feed_token(token)
        tree = parse.feed_eof()
    except UnexpectedToken as error:
        raise unexpected(error, parse.accepts(), text, file) from None
    try:
        specification = Builder(file, tuple(skipped)).transform(tree)
    except VisitError as error:
        raise error.orig_exc from None
    assert isinstance(specification, Specification)
    resolve(specification)
    return specification


class EverythingIsAToken:
    """Keeps the terminals that no rule uses, so that a mistake can be called by its name."""

    always_accept = ("RESERVED", "UNCLOSED", "UNKNOWN")

    def process(self, stream: Iterator[Any]) -> Iterator[Any]:
        return stream


@cache
def parser() -> Any:
    from lark import Lark

    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        start="specification",
        parser="lalr",
        lexer="basic",
        postlex=EverythingIsAToken(),
        maybe_placeholders=False,
    )


def place_of(token: Any) -> Place:
    return Place(token.line, token.column)


def unexpected(error: Any, accepted: set[str], text: str, file: str) -> Fault:
    """What was expected and what stood there instead."""
    token = error.token
    if token.type == "UNCLOSED":
        return Fault(file, place_of(token), f"a string has no closing quote: {shortened(str(token))}")
    place = end_of(text) if token.type == "$END" else place_of(token)
    return Fault(file, place, f"expected {expected(accepted)}, not {found(token, accepted)}")


def expected(accepted: set[str]) -> str:
    """The terminals that could have come here, in words."""
    spelt = {t.name: t.pattern.value for t in parser().terminals if t.pattern.type == "str"}
    words = sorted(SPOKEN.get(name) or f'"{spelt[name]}"' for name in accepted if name in SPOKEN or name in spelt)
    if len(words) > MOST_EXPECTED:
        words = words[:MOST_EXPECTED] + ["..."]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def found(token: Any, accepted: set[str]) -> str:
    if token.type == "$END":
        return "the end of the file"
    if token.type == "STORED_BELIEF":
        return '"on"'
    text = shortened(str(token))
    if "NAME" in accepted and str(token).isidentifier():
        return f'the reserved word "{text}"'
    return text if text.startswith('"') else f'"{text}"'


def shortened(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[:most] + "..."


def end_of(text: str) -> Place:
    """The place after the last thing that is not blank."""
    rest = text.rstrip()
    return Place(rest.count("\n") + 1, len(rest) - (rest.rfind("\n") + 1) + 1)
