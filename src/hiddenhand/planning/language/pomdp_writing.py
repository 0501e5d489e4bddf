"""Writes `.pomdp` files, for other people's solvers. `cassandra` reads them back.

The format knows no illegal actions. Where an action is illegal the file lets it change nothing and pay so little that
no plan takes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from hiddenhand.planning.language.pomdp_reading import NAME, RESERVED
from hiddenhand.planning.model.pomdp import Array, Pomdp

KEYWORDS = {"T", "O", "R", "discount", "values", "states", "actions", "observations", "start", "include", "exclude"}


def write_pomdp(pomdp: Pomdp, title: str = "") -> str:
    """The model as the text of a file."""
    return "\n".join(lines(pomdp, title)) + "\n"


def lines(pomdp: Pomdp, title: str) -> Iterator[str]:
    yield from (f"# {line}" for line in title.splitlines())
    if not pomdp.legal.all():
        yield f"# An action that is illegal in a state changes nothing there and pays {number(penalty(pomdp))}."
    yield f"discount: {number(pomdp.discount)}"
    yield "values: reward"
    yield "states: " + " ".join(written(pomdp.states, "s"))
    yield "actions: " + " ".join(written(pomdp.actions, "a"))
    yield "observations: " + " ".join(written(pomdp.observations, "o"))
    yield "start: " + " ".join(number(chance) for chance in pomdp.start)
    for action in range(len(pomdp.actions)):
        yield ""
        legal = pomdp.legal[action]
        yield from entries("T", action, pomdp.transitions[action], legal)
        yield from (f"T: {action} : {state} : {state} 1.0" for state in np.flatnonzero(~legal))
        yield from entries("O", action, pomdp.observing[action], np.ones_like(legal))
        for state, reward in enumerate(pomdp.rewards[action]):
            value = reward if pomdp.legal[action, state] else penalty(pomdp)
            if value:
                yield f"R: {action} : {state} : * : * {number(value)}"


def entries(key: str, action: int, table: Any, rows: Array) -> Iterator[str]:
    """The entries of the chosen rows, bool (S,)."""
    for row in np.flatnonzero(rows):
        for place in range(table.indptr[row], table.indptr[row + 1]):
            yield f"{key}: {action} : {row} : {table.indices[place]} {number(table.data[place])}"


def penalty(pomdp: Pomdp) -> float:
    """So little that waiting is never worth it.

    With a discount, staying is worse than anything as soon as it pays less than the least payoff. Without one, a step
    may be worth as much as the whole spread of payoffs at every step after it.
    """
    payoffs = pomdp.rewards[pomdp.legal]
    least, most = float(payoffs.min(initial=0.0)), float(payoffs.max(initial=0.0))
    return least - 1.0 if pomdp.discount < 1.0 else least - 1000.0 * (most - least + 1.0)


def written(names: tuple[str, ...], letter: str) -> list[str]:
    """The names as the format allows them; numbered where that would make two alike."""
    result = [re.sub(r"[^\w-]", "_", name) for name in names]
    fits = all(NAME.match(name) and name not in RESERVED | KEYWORDS for name in result)
    return result if fits and len(set(result)) == len(result) else [f"{letter}{i}" for i in range(len(names))]


def number(value: float) -> str:
    """With a digit on both sides of the point, and nothing lost."""
    return np.format_float_positional(value, unique=True, trim="0")
