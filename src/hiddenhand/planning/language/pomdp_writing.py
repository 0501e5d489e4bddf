"""Writes `.pomdp` files, for other people's solvers. `pomdp_reading` reads them back.

The format knows no illegal actions and no ends. Where an action is illegal the file lets it change nothing and pay so
little that no plan takes it. Where no action is legal it is over: every action stays there and pays nothing, so that
the file is worth what the world is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_array

from hiddenhand.planning.language.pomdp_reading import RESERVED
from hiddenhand.planning.model.pomdp import Array, Pomdp

KEYWORDS = {"T", "O", "R", "discount", "values", "states", "actions", "observations", "start", "include", "exclude"}
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")
"""What every program that reads such files takes for a name."""


def write_pomdp(pomdp: Pomdp, title: str = "") -> str:
    """The model as the text of a file."""
    return "\n".join(lines(pomdp, title)) + "\n"


def lines(pomdp: Pomdp, title: str) -> Iterator[str]:
    yield from (f"# {line}" for line in title.splitlines())
    ends = ~pomdp.legal.any(axis=0)
    illegal = ~pomdp.legal & ~ends
    loss = penalty(pomdp)
    if illegal.any():
        yield f"# An action that is illegal in a state changes nothing there and pays {number(loss)}."
    if ends.any():
        yield "# Where it is over, every action stays and pays nothing."
    yield f"discount: {number(pomdp.discount)}"
    yield "values: reward"
    yield "states: " + " ".join(written(pomdp.states, "s"))
    yield "actions: " + " ".join(written(pomdp.actions, "a"))
    yield "observations: " + " ".join(written(pomdp.observations, "o"))
    yield "start: " + " ".join(number(chance) for chance in pomdp.start)
    for action in range(len(pomdp.actions)):
        yield ""
        legal = pomdp.legal[action]
        seen = np.diff(pomdp.observing[action].indptr) > 0
        yield from entries("T", action, pomdp.transitions[action], legal)
        yield from (f"T: {action} : {state} : {state} 1.0" for state in np.flatnonzero(~legal))
        yield from entries("O", action, pomdp.observing[action], seen)
        yield from (f"O: {action} : {state} : 0 1.0" for state in np.flatnonzero(~seen))
        for state, reward in enumerate(np.where(illegal[action], loss, np.where(ends, 0.0, pomdp.rewards[action]))):
            if reward:
                yield f"R: {action} : {state} : * : * {number(reward)}"


def entries(key: str, action: int, table: csr_array, rows: Array) -> Iterator[str]:
    """The entries of the chosen rows, bool (S,)."""
    for row in np.flatnonzero(rows):
        for place in range(table.indptr[row], table.indptr[row + 1]):
            yield f"{key}: {action} : {row} : {table.indices[place]} {number(table.data[place])}"


def penalty(pomdp: Pomdp) -> float:
    """So little that waiting is never worth it.

    With a discount, staying is worse than anything as soon as it pays less than the least payoff, if what is observed
    meanwhile is nothing new. If it may be, or without a discount, a step is worth at most the whole spread of payoffs
    at every step after it.
    """
    payoffs = pomdp.rewards[pomdp.legal]
    least, most = float(payoffs.min(initial=0.0)), float(payoffs.max(initial=0.0))
    if pomdp.discount < 1.0 and shows_the_same(pomdp):
        return least - 1.0
    steps = min(1000.0, 1.0 / max(1.0 - pomdp.discount, 1e-9))
    return least - steps * (most - least + 1.0)


def shows_the_same(pomdp: Pomdp) -> bool:
    """Whether a state shows one thing only, whatever was done: then looking again tells nothing."""
    first = pomdp.observing[0]
    return all(
        table is first or (table.shape == first.shape and abs(table - first).nnz == 0) for table in pomdp.observing
    ) and bool((np.diff(first.indptr) <= 1).all())


def written(names: tuple[str, ...], letter: str) -> list[str]:
    """The names as the format allows them; numbered where that would make two alike."""
    result = [re.sub(r"[^A-Za-z0-9-]+", "_", name).strip("_-") for name in names]
    result = [name if NAME.match(name) else f"{letter}_{name}" for name in result]
    fits = all(NAME.match(name) and name not in RESERVED | KEYWORDS for name in result)
    return result if fits and len(set(result)) == len(result) else [f"{letter}{i}" for i in range(len(names))]


def number(value: float) -> str:
    """With a digit on both sides of the point, and nothing lost."""
    return np.format_float_positional(value, unique=True, trim="0")
