"""XML as a small tree in which every element knows its line, and from which nothing but the text itself is read.

A document type, with which a short text can swell without end or name other files, is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NoReturn
from xml.parsers import expat

from hiddenhand.core.errors import TextFault
from hiddenhand.core.text import Value, text_of

DEEPEST = 2000


@dataclass
class Element:
    """One element: its name, what is written in it, and where."""

    name: str
    attributes: dict[str, str]
    line: int
    column: int
    source: str
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, name: str) -> list[Element]:
        """The elements of that name directly inside."""
        return [child for child in self.children if child.name == name]

    def one(self, name: str) -> Element:
        """The only element of that name directly inside."""
        found = self.all(name)
        if len(found) != 1:
            self.fail("expected one <{name}> in <{parent}>, found {n}", name=name, parent=self.name, n=len(found))
        return found[0]

    def attribute(self, name: str) -> str:
        if name not in self.attributes:
            self.fail("<{name}> needs the attribute {attribute}", name=self.name, attribute=name)
        return self.attributes[name].strip()

    def words(self) -> list[str]:
        return self.text.split()

    def fail(self, message: str, /, **values: Value) -> NoReturn:
        fail(self.source, self.line, self.column, message, **values)


def fail(source: str, line: int, column: int, message: str, /, **values: Value) -> NoReturn:
    raise TextFault.in_file(source, line, column, text_of(message, values))


def parse_xml(text: bytes, source: str) -> Element:
    """The outermost element of a document."""
    return Parser(source).parse(text)


class Parser:
    """Builds the tree while the text is read."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.expat: Any = expat.ParserCreate()
        self.expat.buffer_text = True
        self.expat.StartElementHandler = self.begin
        self.expat.EndElementHandler = self.end
        self.expat.CharacterDataHandler = self.character_data
        self.expat.StartDoctypeDeclHandler = self.refuse
        self.expat.EntityDeclHandler = self.refuse
        self.open: list[Element] = []
        self.outermost: Element | None = None

    def parse(self, text: bytes) -> Element:
        try:
            self.expat.Parse(text, True)
        except (expat.ExpatError, LookupError, ValueError) as error:
            code = getattr(error, "code", None)
            why = expat.ErrorString(code) if code else str(error)
            fail(
                self.source,
                self.expat.CurrentLineNumber,
                self.expat.CurrentColumnNumber + 1,
                "no XML: {why}",
                why=why,
            )
        assert self.outermost is not None
        return self.outermost

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        line, column = self.expat.CurrentLineNumber, self.expat.CurrentColumnNumber + 1
        element = Element(name, attributes, line, column, self.source)
        if len(self.open) >= DEEPEST:
            element.fail("more than {most} elements lie in one another", most=DEEPEST)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.outermost = element
        self.open.append(element)

    def end(self, name: str) -> None:
        self.open.pop()

    def character_data(self, text: str) -> None:
        self.open[-1].text += text

    def refuse(self, *_: Any) -> NoReturn:
        line, column = self.expat.CurrentLineNumber, self.expat.CurrentColumnNumber + 1
        fail(self.source, line, column, "a document type (<!DOCTYPE ...>) is not read; leave it out")
