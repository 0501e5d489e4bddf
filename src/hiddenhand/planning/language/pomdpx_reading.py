"""Reads `.pomdpx` files: the factored form of a model in XML, as the solver SARSOP (its package APPL) reads it.

A state is a value of every state variable; what follows is given per variable, by tables (`TBL`) or decision diagrams
(`DD`) over the variables that it depends on. A variable that is `fullyObs` is seen as it is, before the first action
too; what is observed is then the values of these variables together with those of the observation variables. Rewards
are summed.

The factors are multiplied out into a `Pomdp`, sparsely: only what can happen is written down.
"""

from __future__ import annotations

from hiddenhand.core.errors import did_you_mean, one_of
from hiddenhand.planning.language.pomdpx_functions import read_function
from hiddenhand.planning.language.xml_elements import Element, parse_xml
from hiddenhand.planning.model.factored import MOST_STATES, Factor, Factored, FactorVariable, Multiplied, Names
from hiddenhand.planning.model.pomdp import Pomdp

CONDITIONAL = "CondProb"


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
            document.fail("expected <pomdpx>, found <{name}>", name=document.name)

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
                "the discount must be a number from 0 to 1, not {text}", text=repr(element.text.strip()[:40])
            )
        return discount

    # --- variables ---

    def variables(self) -> Names:
        element = self.document.one("Variable")
        states = element.all("StateVar")
        actions, observations = element.all("ActionVar"), element.all("ObsVar")
        if not states or not actions:
            element.fail("a model needs a <StateVar> and an <ActionVar>")
        names = Names(
            before=[FactorVariable(each.attribute("vnamePrev"), values_of(each, "s")) for each in states],
            after=[
                FactorVariable(each.attribute("vnameCurr"), values_of(each, "s"), each.attribute("vnamePrev"))
                for each in states
            ],
            seen=[each.attributes.get("fullyObs", "false").strip().lower() in ("true", "1") for each in states],
            actions=[FactorVariable(each.attribute("vname"), values_of(each, "a")) for each in actions],
            observations=[FactorVariable(each.attribute("vname"), values_of(each, "o")) for each in observations],
            rewards=[each.attribute("vname") for each in element.all("RewardVar")],
        )
        used = [v.name for v in (*names.before, *names.after, *names.actions, *names.observations)] + names.rewards
        twice = next((name for name in used if used.count(name) > 1), None)
        if twice is not None:
            element.fail("the variable {name} is declared twice", name=repr(twice))
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
                    element.fail("<{name}> says twice what {other} does", name=name, other=variable.name)
                found[variable.name] = function
        for variable in wanted:
            if variable.name not in found:
                self.document.fail("<{name}> does not say what {other} does", name=name, other=variable.name)
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
                            "there is no reward variable {name}{hint}; there are {rewards}",
                            name=repr(name),
                            hint=hint,
                            rewards=one_of(names.rewards),
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
                "the number of values must be from 1 to {most:,}, not {text}", most=MOST_STATES, text=repr(text[:40])
            )
        return tuple(f"{letter}{i}" for i in range(int(text)))
    values = tuple(element.one("ValueEnum").words())
    if not values or len(set(values)) < len(values):
        element.fail("a variable needs values, each of them once")
    return values


def in_order(functions: list[Factor], wanted: set[str]) -> list[Factor]:
    """The functions, each after those of the wanted variables that it depends on."""
    ready: list[Factor] = []
    done: set[str] = set()
    while len(ready) < len(functions):
        able = [f for f in functions if f not in ready and {p.name for p in f.given} & wanted <= done]
        if not able:
            waiting = next(f for f in functions if f not in ready)
            waiting.source.fail(
                "what {name} does depends on itself, by way of other variables", name=waiting.of[0].name
            )
        ready += able
        done |= {variable.name for f in able for variable in f.of}
    return ready
