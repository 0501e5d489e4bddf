"""Conditions: whether the `requires` of a specification hold, and which states are possible by them.

A situation is a state before an action and, as far as it is known yet, the state after it. `Situations` hold one
array of values for each variable, so that a condition is reckoned for many situations at once. Values, strings and
the names of variables are all numbered in one list, so that things of different kinds are never equal.

The language's rules: `and` and `or` stop at the first part that decides; a function looks a name up among its own
parameters, then among those of the functions that called it, then among the values; a function that ends without
`return` gives nothing, and a comparison with nothing is false.

Possible states are those that no `impossible` block rules out, in the order of the language: variables are added one
by one, the last one running fastest and values in their global order. A block is applied as soon as all that it looks
at is there, so that most of the product is never written down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text
from hiddenhand.planning.language import syntax
from hiddenhand.planning.language.syntax import Fault

Numbers = NDArray[np.int32]
Column = tuple[str, str]
"""("initial" or "terminal", variable), or ("parameter 3", name) for a parameter at the third level of calls."""

NOTHING = -1
MOST_CALLS = 40
MOST_STATES = 4_000_000


class TooManyStates(UserError):
    """A world has too many states to list them."""


class NotYetKnown(Exception):
    """A condition looks at a variable of the next state that nothing has pinned down so far."""

    def __init__(self, variable: str) -> None:
        self.variable = variable


@dataclass(frozen=True)
class Situations:
    """Many situations side by side: for each column one array with a number for each situation."""

    count: int
    columns: Mapping[Column, Numbers]
    bound: tuple[Mapping[str, str | None], ...] = ()
    """The calls under way, innermost last: the variable that each parameter stands for, or None for a value."""

    def take(self, which: NDArray[Any]) -> Situations:
        """Some of them, chosen by a mask or by positions."""
        columns = {name: column[which] for name, column in self.columns.items()}
        count = int(which.sum()) if which.dtype == np.bool_ else len(which)
        return replace(self, count=count, columns=columns)

    def with_column(self, name: Column, numbers: Numbers) -> Situations:
        return replace(self, columns={**self.columns, name: numbers})

    def spread(self, name: Column, domain: Numbers) -> tuple[Situations, NDArray[np.intp]]:
        """Each situation once for every value of a new column, and the position that each one had."""
        position = np.repeat(np.arange(self.count), len(domain))
        spread = self.take(position)
        return spread.with_column(name, np.tile(domain, self.count)), position


@dataclass(frozen=True)
class Conditions:
    """The conditions of one specification, ready to be asked."""

    specification: syntax.Specification
    functions: Mapping[str, syntax.Function] = field(init=False)
    numbers: dict[tuple[str, str], int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "functions", self.specification.functions)
        values = {("value", value.name): i for i, value in enumerate(self.specification.values)}
        object.__setattr__(self, "numbers", values)

    def number(self, kind: str, name: str) -> int:
        """The number of a value, a text or a variable's name; new ones are added to the list."""
        return self.numbers.setdefault((kind, name), len(self.numbers))

    def domain(self, variable: syntax.Variable) -> Numbers:
        """The numbers of a variable's values, in the global order of values."""
        return np.array(sorted(self.number("value", value.name) for value in variable.values), dtype=np.int32)

    def all_hold(self, requires: tuple[syntax.Logical, ...], of: Situations) -> NDArray[np.bool_]:
        """Where every one of the conditions holds."""
        return self.hold(syntax.And(requires), of)

    def hold(self, condition: syntax.Logical, of: Situations) -> NDArray[np.bool_]:
        """Where the condition holds: one truth value for each situation."""
        if isinstance(condition, syntax.Equal):
            left = self.values(condition.left, of)
            found: NDArray[np.bool_] = (left == self.values(condition.right, of)) & (left != NOTHING)
            return found
        if isinstance(condition, syntax.Not):
            return ~self.hold(condition.part, of)
        # Parts are tried only where the earlier ones left it open.
        undecided = isinstance(condition, syntax.And)
        result = np.full(of.count, undecided)
        for part in condition.parts:
            still = np.flatnonzero(result == undecided)
            if len(still):
                result[still] = self.hold(part, of.take(still) if len(still) < of.count else of)
        return result

    def values(self, expression: syntax.Expression, of: Situations) -> Numbers:
        """The number of the expression's value in each situation."""
        if isinstance(expression, syntax.StateValue):
            return self.state_value(expression, of)
        if isinstance(expression, syntax.Call):
            return self.call(expression, of)
        if isinstance(expression, syntax.StringLiteral):
            return np.full(of.count, self.number("text", expression.text), dtype=np.int32)
        return self.name(expression, of)

    def name(self, expression: syntax.Name, of: Situations) -> Numbers:
        for level in range(len(of.bound) - 1, -1, -1):
            if expression.name in of.bound[level]:
                variable = of.bound[level][expression.name]
                if variable is None:
                    return of.columns[f"parameter {level}", expression.name]
                return np.full(of.count, self.number("variable", variable), dtype=np.int32)
        return np.full(of.count, self.number("value", expression.name), dtype=np.int32)

    def variable_named(self, name: str, of: Situations) -> str:
        for level in reversed(of.bound):
            if name in level:
                return level[name] or name
        return name

    def state_value(self, expression: syntax.StateValue, of: Situations) -> Numbers:
        variable = self.variable_named(expression.variable, of)
        column = of.columns.get((expression.when, variable))
        if column is None:
            raise NotYetKnown(variable)
        return column

    def call(self, call: syntax.Call, of: Situations) -> Numbers:
        function = self.functions[call.function]
        level = len(of.bound)
        if level >= MOST_CALLS:
            message = Text(
                'the function "{name}" calls itself more than {n} times; does it ever end?',
                name=call.function,
                n=MOST_CALLS,
            )
            raise Fault(self.specification.file, call.place, message)
        bound: dict[str, str | None] = {}
        columns = dict(of.columns)
        for parameter, argument in zip(function.parameters, call.arguments):
            if parameter.kind == "variable":
                assert isinstance(argument, syntax.Name)
                bound[parameter.name] = self.variable_named(argument.name, of)
            else:
                bound[parameter.name] = None
                columns[f"parameter {level}", parameter.name] = self.values(argument, of)
        result, _ = self.run(function.body, Situations(of.count, columns, (*of.bound, bound)))
        return result

    def run(self, body: tuple[syntax.Statement, ...], of: Situations) -> tuple[Numbers, NDArray[np.bool_]]:
        """What the statements return in each situation, and whether they returned at all."""
        result = np.full(of.count, NOTHING, dtype=np.int32)
        returned = np.zeros(of.count, dtype=np.bool_)
        for statement in body:
            left = np.flatnonzero(~returned)
            if not len(left):
                break
            here = of.take(left)
            if isinstance(statement, syntax.Return):
                result[left] = self.values(statement.expression, here)
                returned[left] = True
            elif isinstance(statement, syntax.If):
                inside = left[self.hold(statement.condition, here)]
                if len(inside):
                    result[inside], returned[inside] = self.run(statement.body, of.take(inside))
        return result, returned


def every_state(conditions: Conditions, variables: tuple[syntax.Variable, ...]) -> Situations:
    """The whole product of these variables."""
    return without(conditions, variables, ())


def possible_states(conditions: Conditions, variables: tuple[syntax.Variable, ...]) -> Situations:
    """The states over these variables that can occur."""
    return without(conditions, variables, conditions.specification.impossible)


def without(
    conditions: Conditions, variables: tuple[syntax.Variable, ...], impossible: tuple[syntax.Impossible, ...]
) -> Situations:
    states = Situations(1, {})
    open_blocks = list(impossible)
    for variable in (None, *variables):
        if variable is not None:
            domain = conditions.domain(variable)
            if states.count * len(domain) > MOST_STATES:
                raise TooManyStates(
                    Text(
                        "{file}: the world has more than {n} states; fewer variables, fewer values "
                        "or more `impossible` blocks would help",
                        file=conditions.specification.file,
                        n=MOST_STATES,
                    )
                )
            states, _ = states.spread(("initial", variable.name), domain)
        for block in tuple(open_blocks):
            try:
                ruled_out = conditions.all_hold(block.requires, states)
            except NotYetKnown:
                continue
            open_blocks.remove(block)  # what was known decided it: more variables cannot change the answer
            if ruled_out.any():
                states = states.take(np.flatnonzero(~ruled_out))
    return states
