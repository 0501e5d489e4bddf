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

from hiddenhand.core.errors import TextFault, line_and_column
from hiddenhand.core.text import Text, Value, text_of
from hiddenhand.core.token_reader import Token, TokenReader

MOVERS = {"max": 0, "min": 1, "a": 0, "b": 1, "c": 2, "d": 3, "chance": -2}
CHANCE = -2
LEAF = -1
LEVELS = 64
LARGEST = 1e12

SPACE = re.compile(r"(?:\s|#[^\n]*)*")
TOKEN = re.compile(
    r"(?P<sign>[()\[\]~!])|(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w:]))"
    r"|(?P<label>[\w+\-/]+:)|(?P<word>\w+)"
)


@dataclass
class ParsedNode:
    """One node of the tree as it was written."""

    mover: int
    place: tuple[int, int]
    """Its line and column."""
    label: str = ""
    payoffs: list[float] = field(default_factory=list)
    estimate: list[float] = field(default_factory=list)
    noisy: bool = False
    probability: float = 0.0
    children: list["ParsedNode"] = field(default_factory=list)


class TreeParser(TokenReader):
    """Reads one tree; `name` is what errors call it."""

    space, pattern = SPACE, TOKEN

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.level = 0
        super().__init__(text)

    def fault(self, at: int, message: str, /, **values: Value) -> TextFault:
        return TextFault.in_file(self.name, *line_and_column(self.text, at), text_of(message, values))

    def no_token(self, at: int) -> TextFault:
        return self.fault(at, "{sign} has no meaning here", sign=repr(self.text[at]))

    def wrong(self, expected: str, token: Token | None = None) -> TextFault:
        at = token or self.token
        found = Text("the end of the text") if at.kind == "end" else repr(at.text)
        return self.fault(at.at, "expected {what}, found {found}", what=expected, found=found)

    def take(self, kind: str, expected: str) -> Token:
        token = self.token
        if kind not in (token.kind, token.text):
            raise self.wrong(expected)
        self.i += 1
        return token

    def tree(self) -> ParsedNode:
        root = self.node()
        if self.token.kind != "end":
            raise self.wrong(Text("nothing after the tree"))
        return root

    def number(self) -> float:
        token = self.take("number", Text("a number"))
        if not abs(float(token.text)) <= LARGEST:
            raise self.wrong(Text("a number of at most {n:g}", n=LARGEST), token)
        return float(token.text)

    def payoffs(self) -> list[float]:
        if self.token.text != "[":
            return [self.number()]
        opening = self.take("[", "[")
        values = []
        while self.token.text != "]":
            values.append(self.number())
        self.take("]", "]")
        if not 2 <= len(values) <= 4:
            raise self.wrong(Text("two to four payoffs in brackets"), opening)
        return values

    def node(self) -> ParsedNode:
        token = self.token
        node = ParsedNode(LEAF, line_and_column(self.text, token.at))
        if token.kind == "number" or token.text == "[":
            node.payoffs = self.payoffs()
            return node
        self.take("(", Text("a number, [payoffs] or ("))
        if self.level == LEVELS:
            raise self.wrong(Text("at most {n} levels", n=LEVELS), token)
        self.level += 1
        who = Text("max, min, chance or a player A to D")
        head = self.take("word", who)
        if head.text.lower() not in MOVERS:
            raise self.wrong(who, head)
        node.mover = MOVERS[head.text.lower()]
        if self.token.text == "~":
            self.i += 1
            node.estimate = self.payoffs()
            node.noisy = self.token.text == "!"
            self.i += node.noisy
        while self.token.text != ")":
            node.children.append(self.child(node.mover))
        closing = self.take(")", ")")
        if not node.children:
            raise self.wrong(Text("at least one child"), closing)
        total = sum(child.probability for child in node.children)
        if node.mover == CHANCE and abs(total - 1.0) > 1e-9:
            self.fail(Text("the probabilities of this chance node sum to {n:g}, not 1", n=total), token)
        self.level -= 1
        return node

    def child(self, mover: int) -> ParsedNode:
        label = self.take("label", Text("a label")).text[:-1] if self.token.kind == "label" else ""
        probability = 0.0
        if mover == CHANCE:
            token = self.take("number", Text("a probability"))
            probability = float(token.text)
            if not 0.0 < probability <= 1.0:
                raise self.wrong(Text("a probability above 0 and at most 1"), token)
        child = self.node()
        child.label, child.probability = label, probability
        return child


def read_tree(text: str, name: str = "tree") -> ParsedNode:
    """The tree that is written in `text`."""
    return TreeParser(text, name).tree()
