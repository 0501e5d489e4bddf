"""Syntax: a Svarog file as a tree of plain values.

Every node knows its place in the file; two trees are equal when they say the same, wherever it stands. Names are kept
as they were written: what they mean is the business of `names`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Literal

from hiddenhand.core.errors import TextFault
from hiddenhand.core.text import Text, text_of
from hiddenhand.planning.language.words import Words


@dataclass(frozen=True, slots=True)
class SourcePosition:
    """Where something stands, both counted from 1."""

    line: int = 0
    column: int = 0


NOWHERE = SourcePosition()


class Fault(TextFault):
    """One mistake, as `FILE:LINE:COLUMN: what is wrong`."""

    def __init__(self, file: str, place: SourcePosition, message: str, /, **values: object) -> None:
        said = text_of(message, values)
        told = Text(
            "{file}:{line}:{column}: {message}", file=file, line=place.line, column=place.column, message=said
        )
        super().__init__(told, place.line, place.column, said)
        self.file = file
        self.place = place


@dataclass(frozen=True, slots=True)
class Node:
    """Something that is written in a file, and where."""

    place: SourcePosition = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


# --- expressions ---


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A bare name: a value, a parameter, or a variable that is handed to a function."""

    name: str


@dataclass(frozen=True, slots=True)
class StringLiteral(Node):
    """A string, without its quotes."""

    text: str


@dataclass(frozen=True, slots=True)
class StateValue(Node):
    """`initial value x` (before the action) or `terminal value x` (after it)."""

    when: Literal["initial", "terminal"]
    variable: str


@dataclass(frozen=True, slots=True)
class Call(Node):
    function: str
    arguments: tuple[Expression, ...]


Expression = Name | StringLiteral | StateValue | Call


@dataclass(frozen=True, slots=True)
class Equal(Node):
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Not(Node):
    part: Logical


@dataclass(frozen=True, slots=True)
class And(Node):
    """All parts hold; they are tried from left to right. No part is itself an `And`."""

    parts: tuple[Logical, ...]


@dataclass(frozen=True, slots=True)
class Or(Node):
    """Some part holds; they are tried from left to right. No part is itself an `Or`."""

    parts: tuple[Logical, ...]


Logical = Equal | Not | And | Or


# --- knowledge ---


@dataclass(frozen=True, slots=True)
class Return(Node):
    expression: Expression


@dataclass(frozen=True, slots=True)
class If(Node):
    condition: Logical
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Evaluated(Node):
    """An expression alone: what it is worth is forgotten at once."""

    expression: Expression


Statement = Return | If | Evaluated


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    kind: Literal["variable", "value"]
    name: str


@dataclass(frozen=True, slots=True)
class Function(Node):
    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Assignment(Node):
    """`variable=>value`."""

    variable: str
    value: str
    value_place: SourcePosition = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Query(Node):
    """`{x=>a, y=>b}`: a visible state, a hidden one, a whole one or an action."""

    assignments: tuple[Assignment, ...]

    def as_dict(self) -> dict[str, str]:
        return {a.variable: a.value for a in self.assignments}


@dataclass(frozen=True, slots=True)
class Impossible(Node):
    """States for which all the conditions hold cannot occur."""

    name: str
    requires: tuple[Logical, ...]


@dataclass(frozen=True, slots=True)
class Payoff(Node):
    """What reaching a visible state is worth, if all the conditions hold for it."""

    name: str
    amount: float
    requires: tuple[Logical, ...]


@dataclass(frozen=True, slots=True)
class Probability(Node):
    name: str
    chance: float
    requires: tuple[Logical, ...]


@dataclass(frozen=True, slots=True)
class Case(Node):
    name: str
    requires: tuple[Logical, ...]
    illegal: bool
    probabilities: tuple[Probability, ...]


@dataclass(frozen=True, slots=True)
class Action(Node):
    """What one action does, case by case."""

    query: Query
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class BeliefCase(Node):
    """One state of a belief and its probability."""

    query: Query
    probability: float


@dataclass(frozen=True, slots=True)
class StoredBelief(Node):
    """The best action for one belief and what it is worth; Svarog before 0.0.9 did not store what it is worth."""

    cases: tuple[BeliefCase, ...]
    action: Query
    value: float | None


@dataclass(frozen=True, slots=True)
class StoredState(Node):
    """Everything precalculated for one visible state."""

    query: Query
    amount_of_possible_states: float | None
    max_amount_of_beliefs: float | None
    too_complex: bool
    beliefs: tuple[StoredBelief, ...]


@dataclass(frozen=True, slots=True)
class Precalculated(Node):
    depth: int
    granularity: int
    states: tuple[StoredState, ...]


Knowledge = Function | Impossible | Payoff | Action | Precalculated


# --- commands ---


@dataclass(frozen=True, slots=True)
class Loop(Node):
    """Advise step by step: read what is visible, print the belief and the best action."""

    depth: int


@dataclass(frozen=True, slots=True)
class TestCommand(Node):
    """Report the rows of probabilities that do not sum to one, of all states or of one."""

    query: Query | None = None


@dataclass(frozen=True, slots=True)
class Shown(Node):
    """One thing that `cout` prints."""

    what: Literal["knowledge", "visible states", "states", "perkun", "result", "eol", "estimate", "precalculate"]
    depth: int = 0
    granularity: int = 0
    query: Query | None = None


@dataclass(frozen=True, slots=True)
class Cout(Node):
    shown: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class GivenInput(Node):
    """`input {...};`: the visible state of the problem to solve."""

    query: Query


@dataclass(frozen=True, slots=True)
class GivenBelief(Node):
    """`belief {...};`: the belief of the problem to solve."""

    cases: tuple[BeliefCase, ...]


@dataclass(frozen=True, slots=True)
class GivenAction(Node):
    """`action {...};`: the action whose worth is asked for."""

    query: Query


@dataclass(frozen=True, slots=True)
class Solve(Node):
    depth: int


Command = Loop | TestCommand | Cout | GivenInput | GivenBelief | GivenAction | Solve


# --- the whole ---


@dataclass(frozen=True, slots=True)
class Value(Node):
    name: str


@dataclass(frozen=True, slots=True)
class Variable(Node):
    kind: Literal["input", "output", "hidden"]
    name: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Specification:
    """A whole file.

    `skipped` holds the characters that mean nothing in the language and were passed over; `words` what its comments
    say of how people call things.
    """

    values: tuple[Value, ...]
    variables: tuple[Variable, ...]
    knowledge: tuple[Knowledge, ...]
    commands: tuple[Command, ...]
    file: str = field(default="<text>", compare=False)
    skipped: tuple[tuple[str, SourcePosition], ...] = field(default=(), compare=False, repr=False)
    words: Words = field(default=Words(), compare=False, repr=False)

    def of_kind(self, kind: str) -> tuple[Variable, ...]:
        """The input, hidden or output variables, in the order of their declaration."""
        return tuple(v for v in self.variables if v.kind == kind)

    @property
    def functions(self) -> dict[str, Function]:
        return {item.name: item for item in self.knowledge if isinstance(item, Function)}

    @property
    def impossible(self) -> tuple[Impossible, ...]:
        return tuple(item for item in self.knowledge if isinstance(item, Impossible))

    @property
    def payoffs(self) -> tuple[Payoff, ...]:
        return tuple(item for item in self.knowledge if isinstance(item, Payoff))

    @property
    def actions(self) -> tuple[Action, ...]:
        return tuple(item for item in self.knowledge if isinstance(item, Action))

    @property
    def precalculated(self) -> tuple[Precalculated, ...]:
        return tuple(item for item in self.knowledge if isinstance(item, Precalculated))


def nodes(specification: Specification) -> Iterator[Node]:
    """Everything that the knowledge says, inner nodes too, without what was precalculated."""
    waiting: list[object] = [item for item in specification.knowledge if not isinstance(item, Precalculated)]
    while waiting:
        found = waiting.pop()
        if isinstance(found, tuple):
            waiting += found
        elif isinstance(found, Node):
            yield found
            waiting += [getattr(found, each.name) for each in fields(found)]
