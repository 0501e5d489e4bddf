"""Problems that the literature measures solvers on, built from their maps and rules."""

from __future__ import annotations

from collections.abc import Callable

from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.planning.model.pomdp import Pomdp
from textbook.hallway import hallway, hallway2
from textbook.rock_sample import rock_sample
from textbook.tag import tag
from textbook.tiger import tiger

AN_HOUR = 3600.0
"""Seconds for a solver that only a hang comes to: its precision or the number of its walks ends it."""

PROBLEMS: dict[str, Callable[[], Pomdp]] = {
    "tiger": tiger,
    "hallway": hallway,
    "hallway2": hallway2,
    "tag": tag,
    "rock_sample_4_4": lambda: rock_sample(4),
    "rock_sample_5_5": lambda: rock_sample(5),
    "rock_sample_7_8": lambda: rock_sample(7),
}


def problem(name: str) -> Pomdp:
    """The problem of that name."""
    if name not in PROBLEMS:
        names = list(PROBLEMS)
        raise UserError(
            f"no textbook problem is called {name!r}{did_you_mean(name, names)}; there are {one_of(names)}"
        )
    return PROBLEMS[name]()


__all__ = ["PROBLEMS", "hallway", "hallway2", "problem", "rock_sample", "tag", "tiger"]
