"""Factored models: a state is a value of every variable, and a step is a function for each variable.

They are read from `.pomdpx` files (`language/pomdpx_reading.py`). The factors are multiplied out into a `Pomdp`,
sparsely: only what can happen is written down.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, NoReturn, Protocol

import numpy as np
from scipy.sparse import csr_array

from hiddenhand.core.text import Value
from hiddenhand.planning.model.pomdp import ROUNDED, Array, Pomdp

MOST_STATES = 1_000_000
MOST_STEPS = 20_000_000
"""Steps of one action that are written down."""


class Source(Protocol):
    """Where a function is written, for the errors that it leads to."""

    def fail(self, message: str, /, **values: Value) -> NoReturn:
        """Refuse the model for this reason, told with the place in the file."""


@dataclass(frozen=True)
class FactorVariable:
    """A variable and its values, in order."""

    name: str
    values: tuple[str, ...]
    former: str = ""
    """The name of the same variable before the step."""


@dataclass(frozen=True, eq=False)
class Factor:
    """The probabilities of some variables, given others; a reward is of no variable."""

    of: tuple[FactorVariable, ...]
    given: tuple[FactorVariable, ...]
    table: Array
    """One dimension for each variable that is given, and a last one for all values of the others together."""
    source: Source

    def at(self, columns: dict[str, Array], count: int) -> Array:
        """(count, K) the numbers in each case, by what the given variables are in it."""
        if not self.given:
            return np.repeat(self.table.reshape(1, -1), count, axis=0)
        return np.array(self.table[tuple(columns[variable.name] for variable in self.given)])


@dataclass(frozen=True, eq=False)
class Factored:
    """A model as it is written: what each variable does, in an order in which each comes after what it depends on."""

    names: Names
    start: list[Factor]
    moves: list[Factor]
    sights: list[Factor]
    rewards: list[Factor]
    discount: float


@dataclass(frozen=True)
class Names:
    """The variables of a model by kind, in the order of the file."""

    before: list[FactorVariable]
    after: list[FactorVariable]
    seen: list[bool]
    """Whether each state variable is seen as it is."""
    actions: list[FactorVariable]
    observations: list[FactorVariable]
    rewards: list[str]


@dataclass
class Cases:
    """Weighted cases: what each variable that is known so far is in each of them, by its number."""

    weights: Array
    columns: dict[str, Array]

    def take(self, which: Array, weights: Array) -> Cases:
        return Cases(weights, {name: column[which] for name, column in self.columns.items()})


class Multiplied:
    """The factors of a model multiplied out."""

    def __init__(self, model: Factored) -> None:
        names = self.names = model.names
        self.model = model
        self.sizes = [len(variable.values) for variable in names.before]
        self.count = prod(self.sizes)
        if self.count > MOST_STATES:
            model.moves[0].source.fail(
                "the variables make {count:,} states; at most {most:,} can be written "
                "down (`svarog online` plans without writing them down)",
                count=self.count,
                most=MOST_STATES,
            )
        watched = [variable for variable, seen in zip(names.after, names.seen) if seen]
        self.shown = [*watched, *names.observations]

    def pomdp(self) -> Pomdp:
        names = self.names
        transitions, observing, rewards = [], [], []
        states = np.unravel_index(np.arange(self.count), self.sizes)
        for values in product(*(range(len(variable.values)) for variable in names.actions)):
            done = {v.name: np.full(self.count, value) for v, value in zip(names.actions, values)}
            before = Cases(
                np.ones(self.count),
                {**done, **{v.name: c for v, c in zip(names.before, states)}, "from": np.arange(self.count)},
            )
            after = spread_by(self.model.moves, before)
            transitions.append(self.table(after, after.columns["from"], names.after, self.count))
            there = Cases(np.ones(self.count), {**done, **{v.name: c for v, c in zip(names.after, states)}})
            there.columns["from"] = np.arange(self.count)
            seen = spread_by(self.model.sights, there)
            size = prod(len(variable.values) for variable in self.shown)
            observing.append(self.table(seen, seen.columns["from"], self.shown, size))
            rewards.append(self.expected(before, after))
        first = spread_by(self.model.start, Cases(np.ones(1), {}))
        start = np.zeros(self.count)
        np.add.at(start, number_of(names.before, first), first.weights)
        watched = [variable for variable, seen_too in zip(names.before, names.seen) if seen_too]
        here = Cases(np.ones(self.count), {v.name: c for v, c in zip(names.before, states)})
        looks = number_of(watched, here)
        return Pomdp(
            states=named(names.before),
            actions=named(names.actions),
            observations=named(self.shown) if self.shown else ("nothing",),
            transitions=tuple(transitions),
            observing=tuple(observing),
            rewards=np.array(rewards),
            legal=np.ones((len(transitions), self.count), dtype=bool),
            start=start / start.sum(),
            discount=self.model.discount,
            seen_first=looks if watched else None,
            first_sights=named(watched) if watched else (),
            factored=self.model,
        )

    def table(self, cases: Cases, rows: Array, variables: list[FactorVariable], size: int) -> csr_array:
        """The cases as a sparse array, its rows summing to one."""
        result = csr_array((cases.weights, (rows, number_of(variables, cases))), shape=(self.count, size))
        result.sum_duplicates()
        result.data /= np.repeat(np.asarray(result.sum(axis=1)), np.diff(result.indptr))
        return result

    def expected(self, before: Cases, after: Cases) -> Array:
        """(S,) what an action pays on average."""
        total = np.zeros(self.count)
        later = {variable.name for variable in self.names.after}
        seen = {variable.name for variable in self.names.observations}
        joint: Cases | None = None
        for function in self.model.rewards:
            given = {variable.name for variable in function.given}
            if given & seen and joint is None:
                joint = spread_by(self.model.sights, after)
            cases = joint if given & seen and joint is not None else after if given & later else before
            amounts = cases.weights * function.at(cases.columns, len(cases.weights))[:, 0]
            total += np.bincount(cases.columns["from"], amounts, minlength=self.count)
        return total


def spread_by(functions: list[Factor], cases: Cases) -> Cases:
    """Every case once for each thing that the functions allow, with its probability."""
    for function in functions:
        values = prod(len(variable.values) for variable in function.of)
        if len(cases.weights) * values > 5 * MOST_STEPS:
            function.source.fail("the model is too large to be multiplied out; fewer variables or values would help")
        chances = function.at(cases.columns, len(cases.weights))
        sums = chances.sum(axis=1)
        wrong = np.flatnonzero(np.abs(sums - 1.0) > ROUNDED)
        if len(wrong):
            given = ", ".join(f"{v.name} {v.values[int(cases.columns[v.name][wrong[0]])]}" for v in function.given)
            function.source.fail(
                "the probabilities of {name} given {given} sum to {sum:g}, not to 1"
                if given
                else "the probabilities of {name} sum to {sum:g}, not to 1",
                name=function.of[0].name,
                sum=sums[wrong[0]],
                **({"given": given} if given else {}),
            )
        chances /= sums[:, None]
        which, value = np.nonzero(chances)
        if len(which) > MOST_STEPS:
            function.source.fail(
                "the model has more than {most:,} steps of one action: too many to plan with", most=MOST_STEPS
            )
        cases = cases.take(which, cases.weights[which] * chances[which, value])
        for variable, column in zip(function.of, np.unravel_index(value, [len(v.values) for v in function.of])):
            cases.columns[variable.name] = column
    return cases


def number_of(variables: list[FactorVariable], cases: Cases) -> Array:
    """The place of each case in the product of the variables."""
    number: Any = np.zeros(len(cases.weights), dtype=np.int64)
    for variable in variables:
        number = number * len(variable.values) + cases.columns[variable.name]
    found: Array = number
    return found


def named(variables: list[FactorVariable]) -> tuple[str, ...]:
    """All values of the variables together, in words."""
    if len(variables) == 1:
        return variables[0].values
    return tuple(
        " ".join(f"{variable.name}={value}" for variable, value in zip(variables, values))
        for values in product(*(variable.values for variable in variables))
    )
