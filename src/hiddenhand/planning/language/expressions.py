"""Expressions: every one that stands somewhere in the knowledge of a specification."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hiddenhand.planning.language import syntax


def expressions(specification: syntax.Specification) -> Iterator[syntax.Expression]:
    """Every expression of the knowledge, inner ones too."""
    for item in specification.knowledge:
        if isinstance(item, syntax.Function):
            yield from of_statements(item.body)
        elif isinstance(item, syntax.Impossible | syntax.Payoff):
            yield from of_conditions(item.requires)
        elif isinstance(item, syntax.Action):
            for case in item.cases:
                yield from of_conditions(case.requires)
                for probability in case.probabilities:
                    yield from of_conditions(probability.requires)


def of_statements(body: Iterable[syntax.Statement]) -> Iterator[syntax.Expression]:
    for statement in body:
        if isinstance(statement, syntax.Return):
            yield from within(statement.expression)
        else:
            yield from of_conditions([statement.condition])
            yield from of_statements(statement.body)


def of_conditions(conditions: Iterable[syntax.Logical]) -> Iterator[syntax.Expression]:
    for condition in conditions:
        if isinstance(condition, syntax.Equal):
            yield from within(condition.left)
            yield from within(condition.right)
        elif isinstance(condition, syntax.Not):
            yield from of_conditions([condition.part])
        else:
            yield from of_conditions(condition.parts)


def within(expression: syntax.Expression) -> Iterator[syntax.Expression]:
    yield expression
    if isinstance(expression, syntax.Call):
        for argument in expression.arguments:
            yield from within(argument)
