"""Written rules as a record, which compiled code can follow, and back.

exact                       1 if the chances are exact ones, 0 for those of the knowledge base
word, cards                 of each line; END as a word stands behind the last
tests, first_test           how many comparisons must hold for it, and where they begin
kind, who, which, card,     of each comparison: its quantity, the place of its sign in COMPARISONS, and what it is
comparison, number          compared with
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.games.snaps.own_rules.language import (
    BANDS,
    CHANCES,
    RuleCondition,
    RuleQuantity,
    WrittenRule,
    WrittenRules,
)

MOST_LINES = 64
MOST_TESTS = 128
END = -1


def parameters_of(rules: WrittenRules) -> dict[str, Any]:
    """The fields of the record."""
    lines: list[tuple[int, ...]] = []
    tests: list[tuple[float, ...]] = []
    for line in rules.lines:
        first = len(tests)
        for condition in line.conditions:
            about = condition.quantity
            for comparison, number in condition.tests():
                tests.append((about.kind, about.who, about.sort, about.card, comparison, number))
        lines.append((line.word, line.cards, len(tests) - first, first))
    if len(lines) > MOST_LINES:
        raise UserError(
            "there are too many rules: {n} lines, and there is room for {most}", n=len(lines), most=MOST_LINES
        )
    if len(tests) > MOST_TESTS:
        raise UserError(
            "there are too many rules: {n} conditions, and there is room for {most}", n=len(tests), most=MOST_TESTS
        )
    table = np.full((4, MOST_LINES + 1), END, np.int64)
    table[:, : len(lines)] = np.array(lines, np.int64).T
    compared = np.zeros((6, MOST_TESTS))
    if tests:
        compared[:, : len(tests)] = np.array(tests).T
    names = ("kind", "who", "which", "card", "comparison")
    return {
        "exact": np.int64(rules.belief == "exact"),
        **dict(zip(("word", "cards", "tests", "first_test"), table)),
        **{name: compared[i].astype(np.int64) for i, name in enumerate(names)},
        "number": compared[5],
    }


def rules_of(parameters: np.record) -> WrittenRules:
    """The rules that such a record stands for. A band is recognised by its bounds."""
    lines = []
    for at in range(MOST_LINES):
        if parameters.word[at] == END:
            break
        first = int(parameters.first_test[at])
        tests = [test_of(parameters, first + i) for i in range(int(parameters.tests[at]))]
        lines.append(WrittenRule(int(parameters.word[at]), int(parameters.cards[at]), tuple(conditions_of(tests))))
    return WrittenRules(tuple(lines), "exact" if parameters.exact else "table")


def test_of(parameters: np.record, at: int) -> tuple[RuleQuantity, int, float]:
    about = RuleQuantity(*(int(parameters[name][at]) for name in ("kind", "who", "which", "card")))
    return about, int(parameters.comparison[at]), float(parameters.number[at])


def conditions_of(tests: list[tuple[RuleQuantity, int, float]]) -> Iterator[RuleCondition]:
    """The conditions that were written."""
    at = 0
    while at < len(tests):
        about, comparison, number = tests[at]
        band = next((word for word, bounds in BANDS.items() if is_band(tests[at : at + len(bounds)], bounds)), "")
        yield RuleCondition(about, band=band) if band else RuleCondition(about, comparison, number)
        at += len(BANDS[band]) if band else 1


def is_band(tests: list[tuple[RuleQuantity, int, float]], bounds: tuple[tuple[int, float], ...]) -> bool:
    """Whether these comparisons, all of one chance, are the bounds of a band."""
    about = tests[0][0]
    same = about.kind in CHANCES and all(test[0] == about for test in tests)
    return same and tuple(test[1:] for test in tests) == bounds
