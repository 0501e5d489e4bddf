"""The functions of a `.pomdpx` file: a number for every combination of values of some variables.

A table (`TBL`) has entries; each names a value per variable, `*` for any, or `-` for all of them in turn, and gives
the numbers for these. A later entry overrides an earlier one, and what no entry covers is 0. A decision diagram
(`DD`) asks for one variable after the other until it comes to a number.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from hiddenhand.core.errors import did_you_mean, one_of
from hiddenhand.core.text import Text
from hiddenhand.planning.language.xml_elements import Element
from hiddenhand.planning.model.factored import Factor, FactorVariable
from hiddenhand.planning.model.pomdp import Array

LARGEST = 20_000_000
"""Numbers in one function."""
NOTHING = "null"


def read_function(
    element: Element, wanted: list[FactorVariable], known: list[FactorVariable], numbers: str
) -> Factor:
    """The function in a `CondProb` or a `Func`; `wanted`: of which variables it may be, none for a reward."""
    of = find(element.one("Var"), wanted) if wanted else ()
    said = element.one("Parent")
    given = () if said.words() == [NOTHING] else find(said, known)
    if {variable.name for variable in of} & {variable.name for variable in given}:
        said.fail("what {name} does cannot depend on itself", name=of[0].name)
    variables = (*given, *of)
    size = prod(len(variable.values) for variable in variables)
    if size > LARGEST:
        element.fail("this function has {size:,} numbers; at most {most:,} can be read", size=size, most=LARGEST)
    table = np.zeros([len(variable.values) for variable in variables])
    parameter = element.one("Parameter")
    kind = parameter.attributes.get("type", "TBL").strip()
    if kind == "TBL":
        for entry in parameter.all("Entry"):
            fill_entry(table, entry, variables, numbers)
    elif kind == "DD":
        Diagram(parameter, variables, table).fill()
    else:
        parameter.fail("functions of type TBL and DD are read, not {kind}", kind=repr(kind))
    if of and (table.min(initial=0.0) < 0.0 or table.max(initial=0.0) > 1.0 + 1e-6):
        element.fail("the probabilities of {name} must be from 0 to 1", name=of[0].name)
    return Factor(of, given, table.reshape([*table.shape[: len(given)], -1]), element)


def find(element: Element, known: list[FactorVariable]) -> tuple[FactorVariable, ...]:
    """The variables that an element names."""
    by_name = {variable.name: variable for variable in known}
    found = []
    for name in element.words():
        if name not in by_name:
            names = list(by_name)
            hint = did_you_mean(name, names)
            element.fail(
                "the variable {name} cannot stand here{hint}; these can: {names}",
                name=repr(name[:40]),
                hint=hint,
                names=one_of(names, 12),
            )
        found.append(by_name[name])
    if not found:
        element.fail("<{name}> names no variable", name=element.name)
    return tuple(found)


def place_of(value: str, variable: FactorVariable, element: Element) -> int:
    """The place of a value, by its name or its number."""
    if value in variable.values:
        return variable.values.index(value)
    if value.isdecimal() and int(value) < len(variable.values):
        return int(value)
    names = list(variable.values)
    element.fail(
        "{name} has no value {value}{hint}; it has {list}",
        name=variable.name,
        value=repr(value[:40]),
        hint=did_you_mean(value, names),
        list=one_of(names, 12),
    )


# --- tables ---


def fill_entry(table: Array, entry: Element, variables: tuple[FactorVariable, ...], numbers: str) -> None:
    """Write the numbers of one entry into the table."""
    instance = entry.one("Instance")
    words = instance.words()
    if len(words) != len(variables):
        names = one_of([variable.name for variable in variables])
        instance.fail(
            "an instance needs a value, * or - for each of {names}; {n} are given", names=names, n=len(words)
        )
    places: list[Any] = []
    shape: list[int] = []
    for word, variable in zip(words, variables):
        if word == "-":
            shape.append(len(variable.values))
        elif word == "*":
            shape.append(1)
        places.append(slice(None) if word in ("-", "*") else place_of(word, variable, instance))
    content = entry.one(numbers)
    spread = [size for size, word in zip(shape, [w for w in words if w in ("-", "*")]) if word == "-"]
    table[tuple(places)] = values_in(content, spread).reshape(shape)


def values_in(content: Element, spread: list[int]) -> Array:
    """The numbers of a table over the variables that are marked with `-`."""
    words = content.words()
    if words == ["uniform"] and spread:
        return np.full(spread, 1.0 / spread[-1])
    if words == ["identity"]:
        if len(spread) != 2 or spread[0] != spread[1]:
            content.fail("identity needs two variables marked with -, with as many values each")
        return np.eye(spread[0])
    count = prod(spread)
    try:
        found = np.array([float(word) for word in words])
    except ValueError:
        wrong = next(word for word in words if not is_number(word))
        content.fail(
            Text.plural(
                "expected {n} number; {wrong} is none",
                "expected {n} numbers; {wrong} is none",
                n=count,
                wrong=repr(wrong[:40]),
            )
        )
    if len(found) != count:
        content.fail(
            Text.plural(
                "expected {n} number, found {found}", "expected {n} numbers, found {found}", n=count, found=len(found)
            )
        )
    if not np.isfinite(found).all():
        content.fail("the numbers must be finite")
    return found


def is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


# --- decision diagrams ---


class Diagram:
    """A decision diagram on its way into a table."""

    def __init__(self, parameter: Element, variables: tuple[FactorVariable, ...], table: Array) -> None:
        self.variables, self.table = variables, table
        self.axis = {variable.name: place for place, variable in enumerate(variables)}
        self.root = parameter.one("DAG")
        self.templates = {each.attribute("id"): each for each in parameter.all("SubDAGTemplate")}
        self.within: list[str] = []

    def fill(self) -> None:
        self.inside(self.root, (slice(None),) * len(self.variables))

    def inside(self, element: Element, places: tuple[Any, ...]) -> None:
        """What an element holds, for the values that are fixed in the places."""
        if len(element.children) != 1:
            element.fail("<{name}> needs one thing inside, not {n}", name=element.name, n=len(element.children))
        child = element.children[0]
        if child.name == "Terminal":
            self.table[places] = float(values_in(child, [])[0])
        elif child.name == "Node":
            axis = self.axis_of(child)
            for edge in child.all("Edge"):
                self.inside(edge, self.fixed(places, axis, edge))
        elif child.name == "SubDAG":
            self.sub_diagram(child, places)
        else:
            child.fail("<{name}> cannot stand in a diagram", name=child.name)

    def axis_of(self, element: Element) -> int:
        name = element.attribute("var")
        if name not in self.axis:
            names = list(self.axis)
            element.fail(
                "the variable {name} is not of this function{hint}; {list}",
                name=repr(name),
                hint=did_you_mean(name, names),
                list=one_of(names),
            )
        return self.axis[name]

    def fixed(self, places: tuple[Any, ...], axis: int, element: Element) -> tuple[Any, ...]:
        value = place_of(element.attribute("val"), self.variables[axis], element)
        return (*places[:axis], value, *places[axis + 1 :])

    def sub_diagram(self, element: Element, places: tuple[Any, ...]) -> None:
        kind = element.attribute("type")
        if kind == "deterministic":
            axis = self.axis_of(element)
            self.table[places] = 0.0
            self.table[self.fixed(places, axis, element)] = 1.0
        elif kind == "uniform":
            self.table[places] = 1.0 / len(self.variables[self.axis_of(element)].values)
        elif kind == "persistent":
            self.persistent(element, places)
        elif kind == "template":
            name = element.attribute("idref")
            if name not in self.templates:
                element.fail(
                    "there is no template {name}; there are {list}",
                    name=repr(name),
                    list=one_of(list(self.templates)) or Text("none"),
                )
            if name in self.within:
                element.fail("the template {name} holds itself", name=repr(name))
            self.within.append(name)
            self.inside(self.templates[name], places)
            self.within.pop()
        else:
            element.fail(
                "a sub-diagram is deterministic, uniform, persistent or a template, not {kind}", kind=repr(kind)
            )

    def persistent(self, element: Element, places: tuple[Any, ...]) -> None:
        """The variable stays what it was."""
        axis = self.axis_of(element)
        variable = self.variables[axis]
        if variable.former not in self.axis:
            element.fail("{name} cannot stay what it was: it does not depend on what it was", name=variable.name)
        former = self.axis[variable.former]
        self.table[places] = 0.0
        for value in range(len(variable.values)):
            if places[former] in (slice(None), value):
                at = list(places)
                at[former] = at[axis] = value
                self.table[tuple(at)] = 1.0
