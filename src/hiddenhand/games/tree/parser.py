"""Reads a game tree from text, with errors that name line and column.

    # comments run to the end of the line
    (max
       left:  (chance 0.5 (min 2 4) 0.5 (min 7 4))
       right: (min ~3 6 0))

A node is a number (the payoff of MAX, MIN gets the opposite), a list of payoffs in brackets ([3 1 2], one per
player), or a list that begins with who moves: `max`, `min`, `chance`, or the players `A` to `D`. Children may be
labelled. Those of `chance` are preceded by their probabilities. `~3` after the head is EVAL's opinion of the node,
used when a search is cut off there; `~3!` says that EVAL is not to be trusted there (the node is not quiet).
"""

import re
from dataclasses import dataclass, field

from hiddenhand.core.errors import TextFault
from hiddenhand.core.text import Text

MOVERS = {"max": 0, "min": 1, "a": 0, "b": 1, "c": 2, "d": 3}
CHANCE = -2
LEAF = -1
LEVELS = 64
LARGEST = 1e12

TOKEN = re.compile(
    r"(?P<space>\s+|\#[^\n]*)|(?P<open>\()|(?P<close>\))|(?P<left>\[)|(?P<right>\])|(?P<estimate>~)|(?P<noisy>!)"
    r"|(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w:]))|(?P<label>[\w+\-/]+:)|(?P<word>\w+)"
)


@dataclass
class ParsedNode:
    """One node of the tree as it was written."""

    mover: int
    line: int
    column: int
    label: str = ""
    payoffs: list[float] = field(default_factory=list)
    estimate: list[float] = field(default_factory=list)
    noisy: bool = False
    probability: float = 0.0
    children: list["ParsedNode"] = field(default_factory=list)


@dataclass
class TreeToken:
    kind: str
    text: str
    line: int
    column: int


def tokens(text: str, name: str) -> list[TreeToken]:
    """The text cut into words and signs, the end of the text as the last token."""
    found: list[TreeToken] = []
    position, line, start = 0, 1, 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            raise fault(
                name, line, position - start + 1, Text("{sign} has no meaning here", sign=repr(text[position]))
            )
        kind, word = str(match.lastgroup), match.group()
        if kind != "space":
            found.append(TreeToken(kind, word, line, position - start + 1))
        if "\n" in word:
            line += word.count("\n")
            start = position + word.rindex("\n") + 1
        position = match.end()
    found.append(TreeToken("end", Text("the end of the text"), line, position - start + 1))
    return found


def fault(name: str, line: int, column: int, message: str) -> TextFault:
    """A mistake in the text of a tree, which errors call `name`."""
    said = Text("{file}, line {line}, column {column}: {what}", file=name, line=line, column=column, what=message)
    return TextFault(said, line, column, message)


class TreeParser:
    """Reads one tree from a list of tokens."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.tokens = tokens(text, name)
        self.next = 0
        self.level = 0

    def wrong(self, expected: str, token: TreeToken | None = None) -> TextFault:
        at = token or self.tokens[self.next]
        found = at.text if at.kind == "end" else repr(at.text)
        return fault(
            self.name, at.line, at.column, Text("expected {what}, found {found}", what=expected, found=found)
        )

    def take(self, kind: str, expected: str) -> TreeToken:
        token = self.tokens[self.next]
        if token.kind != kind:
            raise self.wrong(expected)
        self.next += 1
        return token

    def at(self, kind: str) -> bool:
        return self.tokens[self.next].kind == kind

    def tree(self) -> ParsedNode:
        root = self.node()
        if not self.at("end"):
            raise self.wrong(Text("nothing after the tree"))
        return root

    def number(self) -> float:
        token = self.take("number", Text("a number"))
        if not abs(float(token.text)) <= LARGEST:
            raise self.wrong(Text("a number of at most {n:g}", n=LARGEST), token)
        return float(token.text)

    def payoffs(self) -> list[float]:
        if not self.at("left"):
            return [self.number()]
        opening = self.take("left", "[")
        values = []
        while not self.at("right"):
            values.append(self.number())
        self.take("right", "]")
        if not 2 <= len(values) <= 4:
            raise self.wrong(Text("two to four payoffs in brackets"), opening)
        return values

    def node(self) -> ParsedNode:
        token = self.tokens[self.next]
        if token.kind in ("number", "left"):
            return ParsedNode(LEAF, token.line, token.column, payoffs=self.payoffs())
        self.take("open", Text("a number, [payoffs] or ("))
        if self.level == LEVELS:
            raise self.wrong(Text("at most {n} levels", n=LEVELS), token)
        self.level += 1
        head = self.take("word", Text("max, min, chance or a player A to D"))
        mover = CHANCE if head.text.lower() == "chance" else MOVERS.get(head.text.lower())
        if mover is None:
            raise self.wrong(Text("max, min, chance or a player A to D"), head)
        node = ParsedNode(mover, token.line, token.column)
        if self.at("estimate"):
            self.next += 1
            node.estimate = self.payoffs()
            if self.at("noisy"):
                self.next += 1
                node.noisy = True
        while not self.at("close"):
            node.children.append(self.child(mover))
        closing = self.take("close", ")")
        if not node.children:
            raise self.wrong(Text("at least one child"), closing)
        total = sum(child.probability for child in node.children)
        if mover == CHANCE and abs(total - 1.0) > 1e-9:
            message = Text("the probabilities of this chance node sum to {n:g}, not 1", n=total)
            raise fault(self.name, token.line, token.column, message)
        self.level -= 1
        return node

    def child(self, mover: int) -> ParsedNode:
        label = self.take("label", Text("a label")).text[:-1] if self.at("label") else ""
        probability = 0.0
        if mover == CHANCE:
            token = self.tokens[self.next]
            probability = float(self.take("number", Text("a probability")).text)
            if not 0.0 < probability <= 1.0:
                raise self.wrong(Text("a probability above 0 and at most 1"), token)
        child = self.node()
        child.label = label
        child.probability = probability
        return child


def read_tree(text: str, name: str = "tree") -> ParsedNode:
    """The tree that is written in `text`."""
    return TreeParser(text, name).tree()
