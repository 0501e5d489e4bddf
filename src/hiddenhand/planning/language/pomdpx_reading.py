"""Reads `.pomdpx` files: the factored form of a model in XML, as the solver SARSOP (its package APPL) reads it.

A state is a value of every state variable; what follows is given per variable, by tables (`TBL`) or decision diagrams
(`DD`) over the variables that it depends on. A variable that is `fullyObs` is seen as it is, before the first action
too; what is observed is then the values of these variables together with those of the observation variables. Rewards
are summed.

The factors are multiplied out into a `Pomdp`, sparsely: only what can happen is written down.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from hiddenhand.core.errors import did_you_mean, one_of
from hiddenhand.core.text import Text
from hiddenhand.planning.language.pomdp_reading import ROUNDED
from hiddenhand.planning.language.pomdpx_functions import Factor, FactorVariable, read_function
from hiddenhand.planning.language.xml_elements import Element, parse_xml
from hiddenhand.planning.model.pomdp import Array, Pomdp

MOST_STATES = 1_000_000
MOST_STEPS = 20_000_000
"""Steps of one action that are written down."""
CONDITIONAL = "CondProb"


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


def parse_pomdpx(text: bytes, name: str) -> Pomdp:
    """The model in a text, multiplied out; `name` is what errors call it."""
    return Multiplied(parse_factored(text, name)).pomdp()


def parse_factored(text: bytes, name: str) -> Factored:
    """The model in a text as it is written, however many states that makes."""
    return PomdpxReader(parse_xml(text, name)).read()


class PomdpxReader:
    """One document on its way to a model."""

    def __init__(self, document: Element) -> None:
        self.document = document
        if document.name.lower() != "pomdpx":
            document.fail(Text("expected <pomdpx>, found <{name}>", name=document.name))

    def read(self) -> Factored:
        discount = self.discount()
        names = self.variables()
        start = self.functions("InitialStateBelief", names.before, names.before)
        moves = self.functions("StateTransitionFunction", names.after, [*names.actions, *names.before, *names.after])
        sights = self.functions("ObsFunction", names.observations, [*names.actions, *names.after])
        rewards = self.rewards(names)
        return Factored(names, start, moves, sights, rewards, discount)

    def discount(self) -> float:
        element = self.document.one("Discount")
        try:
            discount = float(element.text)
        except ValueError:
            discount = -1.0
        if not 0.0 <= discount <= 1.0:
            element.fail(
                Text("the discount must be a number from 0 to 1, not {text}", text=repr(element.text.strip()[:40]))
            )
        return discount

    # --- variables ---

    def variables(self) -> Names:
        element = self.document.one("Variable")
        states = element.all("StateVar")
        actions, observations = element.all("ActionVar"), element.all("ObsVar")
        if not states or not actions:
            element.fail(Text("a model needs a <StateVar> and an <ActionVar>"))
        names = Names(
            [FactorVariable(each.attribute("vnamePrev"), values_of(each, "s")) for each in states],
            [
                FactorVariable(each.attribute("vnameCurr"), values_of(each, "s"), each.attribute("vnamePrev"))
                for each in states
            ],
            [each.attributes.get("fullyObs", "false").strip().lower() in ("true", "1") for each in states],
            [FactorVariable(each.attribute("vname"), values_of(each, "a")) for each in actions],
            [FactorVariable(each.attribute("vname"), values_of(each, "o")) for each in observations],
            [each.attribute("vname") for each in element.all("RewardVar")],
        )
        used = [v.name for v in (*names.before, *names.after, *names.actions, *names.observations)] + names.rewards
        twice = next((name for name in used if used.count(name) > 1), None)
        if twice is not None:
            element.fail(Text("the variable {name} is declared twice", name=repr(twice)))
        return names

    # --- functions ---

    def functions(self, name: str, wanted: list[FactorVariable], known: list[FactorVariable]) -> list[Factor]:
        """The function of every variable, in an order in which each comes after those that it depends on."""
        elements = [each for part in self.document.all(name) for each in part.all(CONDITIONAL)]
        found: dict[str, Factor] = {}
        for element in elements:
            function = read_function(element, wanted, known, "ProbTable")
            for variable in function.of:
                if variable.name in found:
                    element.fail(Text("<{name}> says twice what {other} does", name=name, other=variable.name))
                found[variable.name] = function
        for variable in wanted:
            if variable.name not in found:
                self.document.fail(Text("<{name}> does not say what {other} does", name=name, other=variable.name))
        return in_order(list(dict.fromkeys(found.values())), {v.name for v in wanted})

    def rewards(self, names: Names) -> list[Factor]:
        known = [*names.actions, *names.before, *names.after, *names.observations]
        found = []
        for part in self.document.all("RewardFunction"):
            for element in part.all("Func"):
                said = element.one("Var").words()
                for name in said:
                    if name not in names.rewards:
                        hint = did_you_mean(name, names.rewards)
                        element.fail(
                            Text(
                                "there is no reward variable {name}{hint}; there are {rewards}",
                                name=repr(name),
                                hint=hint,
                                rewards=one_of(names.rewards),
                            )
                        )
                found.append(read_function(element, [], known, "ValueTable"))
        return found


def values_of(element: Element, letter: str) -> tuple[str, ...]:
    """The values of a variable: named, or numbered."""
    numbered = element.all("NumValues")
    if numbered:
        text = numbered[0].text.strip()
        if not text.isdecimal() or not 0 < int(text) <= MOST_STATES:
            numbered[0].fail(
                Text(
                    "the number of values must be from 1 to {most:,}, not {text}",
                    most=MOST_STATES,
                    text=repr(text[:40]),
                )
            )
        return tuple(f"{letter}{i}" for i in range(int(text)))
    values = tuple(element.one("ValueEnum").words())
    if not values or len(set(values)) < len(values):
        element.fail(Text("a variable needs values, each of them once"))
    return values


def in_order(functions: list[Factor], wanted: set[str]) -> list[Factor]:
    """The functions, each after those of the wanted variables that it depends on."""
    ready: list[Factor] = []
    done: set[str] = set()
    while len(ready) < len(functions):
        able = [f for f in functions if f not in ready and {p.name for p in f.given} & wanted <= done]
        if not able:
            waiting = next(f for f in functions if f not in ready)
            waiting.element.fail(
                Text("what {name} does depends on itself, by way of other variables", name=waiting.of[0].name)
            )
        ready += able
        done |= {variable.name for f in able for variable in f.of}
    return ready


# --- multiplying out ---


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
            model.moves[0].element.fail(
                Text(
                    "the variables make {count:,} states; at most {most:,} can be written "
                    "down (`svarog online` plans without writing them down)",
                    count=self.count,
                    most=MOST_STATES,
                )
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
            named(names.before),
            named(names.actions),
            named(self.shown) if self.shown else ("nothing",),
            tuple(transitions),
            tuple(observing),
            np.array(rewards),
            np.ones((len(transitions), self.count), dtype=bool),
            start / start.sum(),
            self.model.discount,
            looks if watched else None,
            named(watched) if watched else (),
            self.model,
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
            function.element.fail(
                Text("the model is too large to be multiplied out; fewer variables or values would help")
            )
        chances = function.at(cases.columns, len(cases.weights))
        sums = chances.sum(axis=1)
        wrong = np.flatnonzero(np.abs(sums - 1.0) > ROUNDED)
        if len(wrong):
            given = ", ".join(f"{v.name} {v.values[int(cases.columns[v.name][wrong[0]])]}" for v in function.given)
            function.element.fail(
                Text(
                    "the probabilities of {name} given {given} sum to {sum:g}, not to 1"
                    if given
                    else "the probabilities of {name} sum to {sum:g}, not to 1",
                    name=function.of[0].name,
                    sum=sums[wrong[0]],
                    **({"given": given} if given else {}),
                )
            )
        chances /= sums[:, None]
        which, value = np.nonzero(chances)
        if len(which) > MOST_STEPS:
            function.element.fail(
                Text("the model has more than {most:,} steps of one action: too many to plan with", most=MOST_STEPS)
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
    return number


def named(variables: list[FactorVariable]) -> tuple[str, ...]:
    """All values of the variables together, in words."""
    if len(variables) == 1:
        return variables[0].values
    return tuple(
        " ".join(f"{variable.name}={value}" for variable, value in zip(variables, values))
        for values in product(*(variable.values for variable in variables))
    )
