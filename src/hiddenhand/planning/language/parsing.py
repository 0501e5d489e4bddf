"""Parsing: the text of a Svarog file becomes a tree, or one clear line that says where it stopped making sense.

The language is that of Svarog 0.0.9 by Paweł Biernacki, in the four fixed sections that `grammar.lark` spells out. As
there, a character that means nothing is passed over, and so is everything between the cases of an action that is no
case; here it is remembered, and `check` reports it. What the parser found becomes the tree of `syntax`, one small
method of `TreeBuilder` for each rule of the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer_NonRecursive, v_args
from lark.exceptions import UnexpectedToken, VisitError
from lark.tree import Meta

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text
from hiddenhand.planning.language import syntax
from hiddenhand.planning.language.names import check_names
from hiddenhand.planning.language.syntax import (
    Assignment,
    BeliefCase,
    Fault,
    Query,
    SourcePosition,
    Specification,
    StoredBelief,
)
from hiddenhand.planning.language.words import words_in

SPOKEN = {
    "NAME": Text("a name"),
    "STRING": Text("a string in double quotes"),
    "FLOAT": Text("a number with a decimal point (such as 1.0)"),
    "INT": Text("a whole number"),
    "$END": Text("the end of the file"),
}
MOST_EXPECTED = 8
MOST_DIGITS = 9
ITEMS = ("ACTION", "FUNCTION", "IMPOSSIBLE", "PAYOFF", "PRECALCULATED")
"""What begins an item of the knowledge."""
AMOUNTS = ("amount_of_possible_states", "max_amount_of_beliefs")
TOO_COMPLEX = object()
EMPTY = object()
"""A stored belief without an action, as an estimate prints it: it stores nothing."""
ENTRY = re.compile(r"(\{[^{}]*\})\s*:\s*([^\s;]+)\s*;")
ASSIGNMENT = re.compile(r"(\w+)\s*=>\s*(\w+)")


def read_file(path: str | Path, old: bool = False) -> Specification:
    """The file as a tree, its names checked; `old` allows stored actions without their values."""
    try:
        content = Path(path).expanduser().read_bytes()
    except OSError as error:
        raise UserError("{path} cannot be read: {why}", path=path, why=error.strerror or error) from None
    return read_text(decoded(content, str(path)), str(path), old)


def decoded(content: bytes, file: str) -> str:
    """The text of a file. A byte that is no UTF-8 becomes a character that means nothing: it may be in a comment."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        if b"\0" in content:
            raise UserError(
                "{file} is not a text file: byte {start} is no UTF-8", file=file, start=error.start
            ) from None
        return content.decode(errors="replace")


def read_text(text: str, file: str = "<text>", old: bool = False) -> Specification:
    """The text as a tree, its names checked; `file` is what errors call it, `old` is as for a file."""
    tree, skipped = parsed(text, file)
    try:
        specification = TreeBuilder(file, skipped).transform(tree)
    except VisitError as error:
        raise error.orig_exc from None
    assert isinstance(specification, Specification)
    if not old:
        require_values(specification)
    check_names(specification)
    return replace(specification, words=words_in(text))


class EverythingIsAToken:
    """Keeps the terminals that no rule uses, so that a mistake can be called by its name."""

    always_accept = ("RESERVED", "UNCLOSED", "UNKNOWN")

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return stream


@cache
def parser() -> Lark:
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        start="specification",
        parser="lalr",
        lexer="basic",
        postlex=EverythingIsAToken(),
        maybe_placeholders=False,
    )


def place_of(token: Token) -> SourcePosition:
    return SourcePosition(token.line or 0, token.column or 0)


def parsed(text: str, file: str) -> tuple[Any, tuple[tuple[str, SourcePosition], ...]]:
    """What the grammar finds in the text, and what was passed over."""
    parse: Any = parser().parse_interactive(text)  # lark declares no types for what it offers here
    skipped: list[tuple[str, SourcePosition]] = []
    longest: Token | None = None  # the last string that runs over several lines
    stray: Token | None = None  # the first word in the last action that is no case
    try:
        for token in parse.lexer_thread.lex(parse.parser_state):
            if token.type == "UNKNOWN":
                skipped.append((str(token), place_of(token)))
                continue
            if token.type == "STRING" and "\n" in token:
                longest = token
            try:
                parse.feed_token(token)
                stray = None if token.type in ITEMS else stray
            except UnexpectedToken:
                if token.type == "UNCLOSED" or "STRAY" not in parse.accepts():
                    raise
                skipped.append((shortened(str(token)), place_of(token)))
                stray = stray or (None if token == ";" else token)
        return parse.feed_eof(), tuple(skipped)
    except UnexpectedToken as error:
        if longest is not None and longest.end_line == error.token.line:
            raise unclosed(longest, file) from None  # it ended where another one was meant to begin
        if stray is not None:
            accepted = {"CASE", "RBRACE"}
            message = Text("expected {what}, not {found}", what=expected(accepted), found=found(stray, accepted))
            raise Fault(file, place_of(stray), message) from None
        raise unexpected(error, parse.accepts(), text, file) from None


def require_values(specification: Specification) -> None:
    """Raise a `Fault` that says how to mend a file whose stored actions have no values."""
    for section in specification.precalculated:
        for state in section.states:
            for belief in state.beliefs:
                if belief.value is None:
                    file = specification.file
                    mend = (
                        f"hiddenhand svarog precalculate {file} --depth {section.depth} "
                        f"--granularity {section.granularity} --output NEW.svarog"
                    )
                    message = Text(
                        "this stored action has no value, as Svarog wrote it before 0.0.9; to mend the file, reckon "
                        "the values anew: {command}",
                        command=mend,
                    )
                    raise Fault(file, belief.place, message)


def unexpected(error: UnexpectedToken, accepted: set[str], text: str, file: str) -> Fault:
    """What was expected and what stood there instead."""
    token = error.token
    if token.type == "UNCLOSED":
        return unclosed(token, file)
    place = end_of(text) if token.type == "$END" else place_of(token)
    return Fault(file, place, "expected {what}, not {found}", what=expected(accepted), found=found(token, accepted))


def unclosed(token: Token, file: str) -> Fault:
    first = str(token).partition("\n")[0]
    return Fault(file, place_of(token), "a string has no closing quote: {text}", text=shortened(first))


def expected(accepted: set[str]) -> str:
    """The terminals that could have come here, in words."""
    spelt = {t.name: t.pattern.value for t in parser().terminals if t.pattern.type == "str"}
    words = sorted(SPOKEN.get(name) or f'"{spelt[name]}"' for name in accepted if name in SPOKEN or name in spelt)
    if len(words) > MOST_EXPECTED:
        words = words[:MOST_EXPECTED] + ["..."]
    if len(words) == 1:
        return words[0]
    return Text("{list} or {last}", list=Text.joined(", ", words[:-1]), last=words[-1])


def found(token: Token, accepted: set[str]) -> str:
    if token.type == "$END":
        return Text("the end of the file")
    if token.type == "STORED_BELIEF":
        return '"on"'
    text = shortened(" ".join(str(token).split()))
    if "NAME" in accepted and str(token).isidentifier():
        return Text('the reserved word "{word}"', word=text)
    return text if text.startswith('"') else f'"{text}"'


def shortened(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[:most] + "..."


def end_of(text: str) -> SourcePosition:
    """The place after the last thing that is not blank."""
    rest = text.rstrip()
    return SourcePosition(rest.count("\n") + 1, len(rest) - (rest.rfind("\n") + 1) + 1)


BEGUN: dict[str, Callable[..., syntax.Node]] = {
    "returned": syntax.Return,
    "conditional": syntax.If,
    "test": syntax.TestCommand,
    "cout": syntax.Cout,
    "given_input": syntax.GivenInput,
    "given_belief": syntax.GivenBelief,
    "given_action": syntax.GivenAction,
}
"""The rules that are a keyword and the fields of a node."""
SEVERAL = ("cout", "given_belief")
"""Those whose only field is everything after the keyword."""


@v_args(inline=True)
class TreeBuilder(Transformer_NonRecursive[Token, Any]):
    """Builds one specification."""

    def __init__(self, file: str, skipped: tuple[tuple[str, SourcePosition], ...]) -> None:
        super().__init__()
        self.file = file
        self.skipped = skipped
        self.stored_beliefs = StoredBeliefs()

    def __default__(self, data: str, children: list[Any], meta: Meta) -> object:
        """A keyword and what it begins; without a keyword, several things of one kind."""
        if data not in BEGUN:
            return tuple(children)
        keyword, *rest = children
        fields = [tuple(rest)] if data in SEVERAL else rest
        return BEGUN[data](*fields, place=place_of(keyword))

    def specification(
        self,
        values: tuple[syntax.Value, ...],
        variables: tuple[syntax.Variable, ...],
        knowledge: tuple[syntax.Knowledge, ...],
        *commands: syntax.Command,
    ) -> syntax.Specification:
        return syntax.Specification(values, variables, knowledge, commands, self.file, self.skipped)

    # --- values and variables ---

    def values(self, _: Token, *lines: tuple[syntax.Value, ...]) -> tuple[syntax.Value, ...]:
        return tuple(value for line in lines for value in line)

    def value_line(self, *names: Token) -> tuple[syntax.Value, ...]:
        return tuple(syntax.Value(str(name), place=place_of(name)) for name in names)

    def variables(self, _: Token, *lines: tuple[syntax.Variable, ...]) -> tuple[syntax.Variable, ...]:
        return tuple(variable for line in lines for variable in line)

    def variable_line(self, kind: Token, *found: tuple[Token, Any]) -> tuple[syntax.Variable, ...]:
        return tuple(syntax.Variable(kind.value, str(name), values, place=place_of(name)) for name, values in found)

    def variable(self, name: Token, *values: Token) -> tuple[Token, tuple[syntax.Value, ...]]:
        return name, self.value_line(*values)

    # --- knowledge ---

    def function(self, name: Token, *rest: Any) -> syntax.Function:
        return syntax.Function(str(name), rest[:-1], rest[-1], place=place_of(name))

    def parameter(self, kind: Token, name: Token) -> syntax.Parameter:
        return syntax.Parameter(kind.value, str(name), place=place_of(name))

    def evaluated(self, expression: syntax.Expression) -> syntax.Evaluated:
        return syntax.Evaluated(expression, place=expression.place)

    def impossible(self, keyword: Token, name: Token, *requires: Any) -> syntax.Impossible:
        return syntax.Impossible(label(name), requires, place=place_of(keyword))

    def payoff(self, keyword: Token, name: Token, amount: Token, *requires: Any) -> syntax.Payoff:
        return syntax.Payoff(label(name), self.number(amount), requires, place=place_of(keyword))

    def action(self, keyword: Token, query: syntax.Query, *cases: syntax.Case) -> syntax.Action:
        return syntax.Action(query, cases, place=place_of(keyword))

    def case(self, keyword: Token, name: Token, *items: Any) -> syntax.Case:
        probabilities = tuple(item for item in items if isinstance(item, syntax.Probability))
        illegal = any(isinstance(item, Token) for item in items)
        requires = tuple(item for item in items if not isinstance(item, syntax.Probability | Token))
        return syntax.Case(label(name), requires, illegal, probabilities, place=place_of(keyword))

    def probability(self, keyword: Token, name: Token, chance: Token, *requires: Any) -> syntax.Probability:
        return syntax.Probability(label(name), self.number(chance, 0.0, 1.0), requires, place=place_of(keyword))

    # --- precalculated knowledge ---

    def precalculated(self, keyword: Token, depth: Token, granularity: Token, *states: Any) -> syntax.Precalculated:
        return syntax.Precalculated(self.depth(depth), self.granularity(granularity), states, place=place_of(keyword))

    def stored_state(self, keyword: Token, query: syntax.Query, *items: object) -> syntax.StoredState:
        amounts: dict[str, float] = dict(item for item in items if isinstance(item, tuple))
        beliefs = tuple(item for item in items if isinstance(item, syntax.StoredBelief))
        possible_states, most_beliefs = (amounts.get(name) for name in AMOUNTS)
        too_complex = TOO_COMPLEX in items
        return syntax.StoredState(query, possible_states, most_beliefs, too_complex, beliefs, place=place_of(keyword))

    def amount(self, name: Token, number: Token) -> tuple[str, float]:
        if name not in AMOUNTS:
            message = Text("expected {what}, not {found}", what=" or ".join(AMOUNTS), found=shortened(str(name)))
            raise Fault(self.file, place_of(name), message)
        return str(name), self.number(number)

    def too_complex(self) -> object:
        return TOO_COMPLEX

    def stored_belief(self, keyword: Token, *rest: Any) -> object:
        cases = tuple(item for item in rest if isinstance(item, syntax.BeliefCase))
        if len(rest) == len(cases):
            return EMPTY
        action, *value = rest[len(cases) :]
        return syntax.StoredBelief(cases, action, self.number(value[0]) if value else None, place=place_of(keyword))

    def stored_belief_at_once(self, whole: Token) -> syntax.StoredBelief:
        return self.stored_beliefs.read(str(whole), place_of(whole))

    def belief_case(self, keyword: Token, query: syntax.Query, probability: Token) -> syntax.BeliefCase:
        return syntax.BeliefCase(query, self.number(probability), place=place_of(keyword))

    def query(self, brace: Token, *assignments: syntax.Assignment) -> syntax.Query:
        return syntax.Query(assignments, place=place_of(brace))

    def assignment(self, variable: Token, value: Token) -> syntax.Assignment:
        return syntax.Assignment(str(variable), str(value), place_of(value), place=place_of(variable))

    # --- expressions ---

    def logical(self, *parts: syntax.Logical) -> syntax.Or:
        flat = [inner for part in parts for inner in (part.parts if isinstance(part, syntax.Or) else (part,))]
        return syntax.Or(tuple(flat), place=parts[0].place)

    def conjunction(self, *parts: syntax.Logical) -> syntax.And:
        flat = [inner for part in parts for inner in (part.parts if isinstance(part, syntax.And) else (part,))]
        return syntax.And(tuple(flat), place=parts[0].place)

    def equal(self, left: syntax.Expression, right: syntax.Expression) -> syntax.Equal:
        return syntax.Equal(left, right, place=left.place)

    def negation(self, part: syntax.Logical) -> syntax.Not:
        return syntax.Not(part, place=part.place)

    def state_value(self, when: Token, variable: Token) -> syntax.StateValue:
        return syntax.StateValue(when.value, str(variable), place=place_of(variable))

    def call(self, function: Token, *arguments: syntax.Expression) -> syntax.Call:
        return syntax.Call(str(function), arguments, place=place_of(function))

    def name(self, name: Token) -> syntax.Name:
        return syntax.Name(str(name), place=place_of(name))

    def text(self, text: Token) -> syntax.StringLiteral:
        return syntax.StringLiteral(unquoted(text), place=place_of(text))

    # --- commands ---

    def loop(self, keyword: Token, depth: Token) -> syntax.Loop:
        return syntax.Loop(self.depth(depth), place=place_of(keyword))

    def shown(self, what: Token, *rest: Any) -> syntax.Shown:
        word: Any = "visible states" if what.type == "VISIBLE" else what.value
        if not rest:
            return syntax.Shown(word, place=place_of(what))
        query = rest[2] if len(rest) > 2 else None
        return syntax.Shown(word, self.depth(rest[0]), self.granularity(rest[1]), query, place=place_of(what))

    def solve(self, keyword: Token, depth: Token) -> syntax.Solve:
        return syntax.Solve(self.depth(depth), place=place_of(keyword))

    # --- numbers ---

    def number(self, token: Token, low: float | None = None, high: float | None = None) -> float:
        value = float(token)
        if not isfinite(value):
            raise Fault(self.file, place_of(token), "the number {number} is too large", number=token)
        if low is not None and high is not None and not low <= value <= high:
            raise Fault(
                self.file,
                place_of(token),
                "a probability lies between {a} and {b}, {value} does not",
                a=low,
                b=high,
                value=token,
            )
        return value

    def whole(self, token: Token, what: str, least: int) -> int:
        if len(token) > MOST_DIGITS or int(token) < least:
            raise Fault(
                self.file,
                place_of(token),
                "{what} must be a whole number of at least {least}, not {given}",
                what=what,
                least=least,
                given=token[:20],
            )
        return int(token)

    def depth(self, token: Token) -> int:
        return self.whole(token, Text("the depth of planning"), 0)

    def granularity(self, token: Token) -> int:
        return self.whole(token, Text("the granularity"), 2)


def unquoted(token: Token) -> str:
    """What a string says: without its quotes, and without the backslashes before quotes and backslashes in it."""
    return re.sub(r'\\(["\\])', r"\1", str(token)[1:-1])


def label(token: Token) -> str:
    """A name for people: on one line, wherever the file breaks it."""
    text = unquoted(token)
    return " ".join(text.split()) if "\n" in text else text


class StoredBeliefs:
    """Reads the regular blocks `on belief (...) {...}` of one file, quickly.

    The grammar recognises such a block as a whole, so its form is known to be right; here it is taken apart. The same
    states and actions return thousands of times and are kept once, with the place where they first stood: an unknown
    name among them is thus reported where a reader of the file meets it first.
    """

    def __init__(self) -> None:
        self.queries: dict[str, Query] = {}

    def read(self, text: str, place: SourcePosition) -> StoredBelief:
        """The block that starts at this place. Its last entry is the action, the others are states."""
        entries = list(ENTRY.finditer(text))
        cases = []
        for entry in entries[:-1]:
            query = self.query(entry[1], text, entry.start(), place)
            cases.append(BeliefCase(query, float(entry[2]), place=moved(place, text, entry.start())))
        last = entries[-1]
        action = self.query(last[1], text, last.start(), place)
        return StoredBelief(tuple(cases), action, float(last[2]), place=place)

    def query(self, written: str, text: str, start: int, place: SourcePosition) -> Query:
        known = self.queries.get(written)
        if known is None:
            assignments = tuple(
                Assignment(
                    m[1],
                    m[2],
                    value_place=moved(place, text, start + m.start(2)),
                    place=moved(place, text, start + m.start(1)),
                )
                for m in ASSIGNMENT.finditer(written)
            )
            known = self.queries[written] = Query(assignments, place=moved(place, text, start))
        return known


def moved(place: SourcePosition, text: str, offset: int) -> SourcePosition:
    """The place `offset` characters after the start of the text, which itself stands at `place`."""
    lines = text.count("\n", 0, offset)
    if not lines:
        return SourcePosition(place.line, place.column + offset)
    return SourcePosition(place.line + lines, offset - text.rfind("\n", 0, offset))
