"""Reading small languages: a text as tokens, gone through once, with errors that say where and what was expected."""

from __future__ import annotations

import re
from typing import ClassVar, NamedTuple, NoReturn

from hiddenhand.core.errors import TextFault, line_and_column
from hiddenhand.core.text import Text, Value, text_of


class Token(NamedTuple):
    kind: str  # the name of its group in the pattern (word, number, sign), or end
    text: str
    at: int


class TokenReader:
    """Goes through the tokens from left to right. A language says what a token is, and reads them."""

    space: ClassVar[re.Pattern[str]]
    """What stands between tokens; it matches even nothing."""
    pattern: ClassVar[re.Pattern[str]]
    """One token; its groups are the kinds."""
    known_as: ClassVar[str]
    """The beginning of "a menu has no character '?'"."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = self.all_tokens()
        self.i = 0

    def all_tokens(self) -> list[Token]:
        tokens = []
        at = self.after_space(0)
        while at < len(self.text):
            found = self.pattern.match(self.text, at)
            if found is None:
                raise self.no_token(at)
            tokens.append(Token(found.lastgroup or "", found.group(), at))
            at = self.after_space(found.end())
        return [*tokens, Token("end", "", len(self.text))]

    def no_token(self, at: int) -> TextFault:
        """No token begins with what stands there."""
        return self.fault(at, "{here} no character {found}", here=self.known_as, found=repr(self.text[at]))

    def after_space(self, at: int) -> int:
        found = self.space.match(self.text, at)
        return at if found is None else found.end()

    @property
    def token(self) -> Token:
        return self.tokens[self.i]

    @property
    def word(self) -> str:
        """The present token in small letters if it is a word or a sign, else nothing."""
        return self.token.text.lower() if self.token.kind in ("word", "sign") else ""

    def fail(self, message: str, token: Token | None = None, /, **values: Value) -> NoReturn:
        raise self.fault((token or self.token).at, message, **values)

    def expected(self, what: str) -> NoReturn:
        ends = {"": Text("the end"), "\n": Text("the end of the line")}
        shown = ends.get(self.token.text, f'"{self.token.text}"')
        self.fail("expected {what}, not {found}", what=what, found=shown)

    def fault(self, at: int, message: str, /, **values: Value) -> TextFault:
        """A mistake at `column 12`, with the line where there are several."""
        said = text_of(message, values)
        line, column = line_and_column(self.text, at)
        place = (
            Text("line {line}, column {column}", line=line, column=column)
            if "\n" in self.text.rstrip()
            else Text("column {column}", column=column)
        )
        return TextFault(Text("{place}: {message}", place=place, message=said), line, column, said)
