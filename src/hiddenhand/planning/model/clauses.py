"""A Svarog world that is drawn from clause by clause, and whose states are never written down.

For an action the clause is drawn first: which `probability` of which case applies depends on the few variables that
the conditions look at. Then each variable of the next state is drawn, by the conditions of that clause that look at
it. What a condition looks at is read off the specification, following the calls of functions.

A table is made for each of these draws, over the variables that it depends on, so that a world may have any number of
states as long as each condition looks at few of them. What is refused: cases that look at the next state, clauses
that leave more values to one state than to another, and conditions that look at too much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from hiddenhand.core.errors import UserError, one_of
from hiddenhand.core.text import Value
from hiddenhand.kernel import rule, stream
from hiddenhand.planning.language import syntax
from hiddenhand.planning.model.conditions import Column, Conditions, Situations
from hiddenhand.planning.model.pomdp import Array
from hiddenhand.planning.model.simulator import (
    MOVES,
    FactorRows,
    Simulator,
    amounts_part,
    any_legal,
    chances_part,
    joined,
    move,
    whole,
)
from hiddenhand.planning.model.transitions import parts_of

MOST_ROWS = 1_000_000
MOST_TRIES = 100_000
SUM_TOLERANCE = 1e-5
TRIED = 2000
"""Steps at random that look for a state in which the probabilities are wrong."""


@dataclass(frozen=True)
class Clauses:
    """The clauses of a specification as a simulator; `start` is the first visible state, or any that is possible."""

    specification: syntax.Specification
    discount: float = 0.95
    start: tuple[str, ...] | None = None

    def simulator(self) -> Simulator:
        made = ClauseTables(self.specification).simulator(self.discount)
        require_sums(made, self)
        return made

    def starts(self, count: int, rng: np.random.Generator) -> Array:
        """(count, slots) first states: what is seen is the first that is possible, what is hidden is drawn."""
        return first_states(ClauseTables(self.specification), self.start, count, rng)


class ClauseTables:
    """One specification on its way to a simulator. Slots: the action, B variables, B afterwards, and the clause."""

    def __init__(self, specification: syntax.Specification) -> None:
        self.specification = specification
        self.conditions = Conditions(specification)
        self.variables = specification.of_kind("input") + specification.of_kind("hidden")
        self.domains = {v.name: self.conditions.domain(v) for v in self.variables}
        self.slot = {("initial", v.name): 1 + i for i, v in enumerate(self.variables)}
        self.slot |= {("terminal", v.name): 1 + len(self.variables) + i for i, v in enumerate(self.variables)}
        self.clause_slot = 1 + 2 * len(self.variables)
        outputs = specification.of_kind("output")
        names = [[v.name for v in sorted(out.values, key=self.order)] for out in outputs]
        self.actions = [dict(zip((v.name for v in outputs), some)) for some in product(*names)]

    def order(self, value: syntax.Value) -> int:
        return self.conditions.number("value", value.name)

    def simulator(self, discount: float) -> Simulator:
        parts: list[FactorRows] = []
        span = []
        for action in range(len(self.actions)):
            first = len(parts)
            parts += self.moves(action)
            span.append((first, len(parts)))
        inputs = self.specification.of_kind("input")
        return Simulator(
            discount=discount,
            actions=len(self.actions),
            variables=len(self.variables),
            slots=self.clause_slot + 1,
            seen=np.array([self.slot["terminal", v.name] for v in inputs], dtype=np.int64),
            seen_sizes=np.array([len(self.domains[v.name]) for v in inputs], dtype=np.int64),
            moves=joined(parts),
            sights=joined([]),
            rewards=joined([self.payoffs()]),
            span=np.array([span, whole(len(span), 0), whole(len(span), 1)], dtype=np.int64),
            legal=np.zeros((0, 0), dtype=np.bool_),
            illegal=joined([self.illegal(action) for action in range(len(self.actions))]),
        )

    def cases(self, action: int) -> list[syntax.Case]:
        """The cases of all blocks about this action, in the order of the file."""
        meant = self.actions[action]
        return [c for block in self.specification.actions if block.query.as_dict() == meant for c in block.cases]

    # --- what an action does ---

    def moves(self, action: int) -> list[FactorRows]:
        """The draw of the clause, then that of each variable."""
        cases = [case for case in self.cases(action) if not case.illegal]
        for case in cases:
            if any(when == "terminal" for when, _ in self.looks_at(case.requires)):
                self.fail(case.place, "trying out needs cases that look at the present state alone")
        clauses = [Clause(self, case, probability) for case in cases for probability in case.probabilities]
        draws = [self.variable(place, variable.name, clauses) for place, variable in enumerate(self.variables)]
        return [self.clause(cases, clauses), *draws]

    def clause(self, cases: list[syntax.Case], clauses: list[Clause]) -> FactorRows:
        """Which clause applies: a row of chances for each state of what the conditions look at. A row that does not
        sum to 1 leads to a clause that there is not, the last."""
        given = self.in_order(c for case in cases for c in self.looks_at(case.requires))
        given = self.in_order([*given, *(c for clause in clauses for c in self.looks_at(clause.now))])
        states = self.all_of(given)
        chances = np.zeros((states.count, len(clauses) + 1))
        undecided = np.ones(states.count, dtype=np.bool_)
        place = 0
        for case in cases:
            chosen = undecided & self.conditions.all_hold(case.requires, states)
            undecided &= ~chosen
            for clause in clauses[place : place + len(case.probabilities)]:
                applies = chosen & self.conditions.all_hold(clause.now, states)
                chances[applies, place] = clause.probability.chance * clause.ways
                place += 1
        wrong = np.abs(chances.sum(axis=1) - 1.0) > SUM_TOLERANCE
        chances[wrong] = np.eye(len(clauses) + 1)[-1]
        return self.written(given, self.clause_slot, chances)

    def variable(self, place: int, name: str, clauses: list[Clause]) -> FactorRows:
        """What a variable becomes: a row for each clause and each state of what its conditions look at."""
        given = self.in_order(c for clause in clauses for c in self.looks_at(clause.of[place]))
        given = [c for c in given if c != ("terminal", name)]
        states = self.all_of(given, len(clauses) + 1)
        rows, _ = states.spread(("terminal", name), self.domains[name])
        allowed = np.zeros((len(clauses) + 1, states.count, len(self.domains[name])))
        for number, clause in enumerate(clauses):
            fits = self.conditions.all_hold(clause.of[place], rows)
            allowed[number] = fits.reshape(states.count, -1)
            counts = allowed[number].sum(axis=1)
            meant = self.conditions.all_hold(clause.now, states) if self.knows(given, clause.now) else counts > 0
            if len(np.unique(counts[meant])) > 1 or not counts.any():
                self.fail(
                    clause.probability.place,
                    "trying out needs as many values of {name} in every state; here it depends on the state",
                    name=name,
                )
            clause.ways *= int(counts.max())
        allowed[allowed.sum(axis=2) == 0, 0] = 1.0  # never drawn
        part = self.written(given, self.slot["terminal", name], allowed.reshape(-1, allowed.shape[2]))
        return part._replace(given=[self.clause_slot, *part.given], sizes=[len(clauses) + 1, *part.sizes])

    def knows(self, given: list[Column], requires: tuple[syntax.Logical, ...]) -> bool:
        return set(self.looks_at(requires)) <= set(given)

    # --- payoffs and legality ---

    def payoffs(self) -> FactorRows:
        """What the state that is reached pays: the last block that matches counts."""
        given = self.in_order(c for block in self.specification.payoffs for c in self.looks_at(block.requires))
        states = self.all_of(given)
        amounts = np.zeros(states.count)
        for block in self.specification.payoffs:
            amounts[self.conditions.all_hold(block.requires, states)] = block.amount
        return amounts_part([self.slot["terminal", name] for _, name in given], self.sizes(given), amounts)

    def illegal(self, action: int) -> FactorRows:
        """1 where the action is illegal, 0 where it is not."""
        cases = [case for case in self.cases(action) if case.illegal]
        given = self.in_order(c for case in cases for c in self.looks_at(case.requires))
        states = self.all_of(given)
        barred = np.zeros(states.count)
        for case in cases:
            barred[self.conditions.all_hold(case.requires, states)] = 1.0
        return amounts_part([self.slot[column] for column in given], self.sizes(given), barred)

    # --- tables over what conditions look at ---

    def sizes(self, given: list[Column]) -> list[int]:
        return [len(self.domains[name]) for _, name in given]

    def all_of(self, given: list[Column], times: int = 1) -> Situations:
        """All states of some variables, the last one running fastest."""
        rows = prod(self.sizes(given)) * times
        if rows > MOST_ROWS:
            names = one_of([name for _, name in given])
            raise UserError(
                "{file}: conditions of one action look at {names} together, which have {rows:,} "
                "states; at most {most:,} can be tabled",
                file=self.specification.file,
                names=names,
                rows=rows,
                most=MOST_ROWS,
            )
        states = Situations(1, {})
        for column in given:
            states, _ = states.spread(column, self.domains[column[1]])
        return states

    def written(self, given: list[Column], slot: int, table: Array) -> FactorRows:
        return chances_part([self.slot[column] for column in given], self.sizes(given), slot, table)

    def in_order(self, columns: Iterator[Column] | Sequence[Column]) -> list[Column]:
        return sorted(set(columns), key=lambda column: self.slot[column])

    def looks_at(self, requires: Sequence[syntax.Logical]) -> list[Column]:
        """The variables that conditions look at, before or after the step."""
        found: set[Column] = set()
        seen: set[tuple[str, tuple[tuple[str, str], ...]]] = set()
        waiting: list[tuple[object, dict[str, str]]] = [(condition, {}) for condition in requires]
        while waiting:
            thing, bound = waiting.pop()
            if isinstance(thing, syntax.StateValue):
                found.add((thing.when, bound.get(thing.variable, thing.variable)))
            elif isinstance(thing, syntax.Call):
                function = self.conditions.functions[thing.function]
                inner = dict(bound)
                for parameter, argument in zip(function.parameters, thing.arguments):
                    if parameter.kind == "variable" and isinstance(argument, syntax.Name):
                        inner[parameter.name] = bound.get(argument.name, argument.name)
                    else:
                        waiting.append((argument, bound))
                key = (function.name, tuple(sorted(inner.items())))
                if key not in seen:
                    seen.add(key)
                    waiting += [(statement, inner) for statement in function.body]
            elif isinstance(thing, syntax.Equal):
                waiting += [(thing.left, bound), (thing.right, bound)]
            elif isinstance(thing, syntax.Not):
                waiting.append((thing.part, bound))
            elif isinstance(thing, syntax.And | syntax.Or):
                waiting += [(part, bound) for part in thing.parts]
            elif isinstance(thing, syntax.Return):
                waiting.append((thing.expression, bound))
            elif isinstance(thing, syntax.If):
                waiting += [(thing.condition, bound), *((statement, bound) for statement in thing.body)]
        return sorted(found)

    def fail(self, place: syntax.SourcePosition, message: str, /, **values: Value) -> None:
        raise syntax.Fault(self.specification.file, place, message, **values)


class Clause:
    """One `probability` of a case, its conditions sorted by what they look at."""

    def __init__(self, tables: ClauseTables, case: syntax.Case, probability: syntax.Probability) -> None:
        self.case, self.probability = case, probability
        self.ways = 1
        """To how many next states it gives its chance."""
        now: list[syntax.Logical] = []
        of: list[list[syntax.Logical]] = [[] for _ in tables.variables]
        for part in parts_of(probability.requires):
            after = [tables.slot[c] for c in tables.looks_at([part]) if c[0] == "terminal"]
            # a condition that looks at several next values is left to the last of them
            (of[max(after) - 1 - len(tables.variables)] if after else now).append(part)
        self.now = tuple(now)
        self.of = [tuple(some) for some in of]


# --- first states, and whether the probabilities are right ---


def first_states(tables: ClauseTables, start: tuple[str, ...] | None, count: int, rng: np.random.Generator) -> Array:
    """(count, slots) states that are possible and look alike: the first that do in order, or those that `start`
    names the visible values of."""
    inputs = tables.specification.of_kind("input")
    domains = [tables.domains[v.name] for v in inputs]
    wanted: Iterator[tuple[int, ...]] = product(*(range(len(domain)) for domain in domains))
    if start is not None:
        names = [[value.name for value in sorted(v.values, key=tables.order)] for v in inputs]
        for variable, values, value in zip(inputs, names, start):
            if value not in values:
                raise UserError(
                    'the variable "{name}" has no value "{value}"; it has: {list}',
                    name=variable.name,
                    value=value,
                    list=one_of(values),
                )
        if len(start) != len(inputs):
            raise UserError("a visible state has {n} values, not {given}", n=len(inputs), given=len(start))
        wanted = iter([tuple(values.index(value) for values, value in zip(names, start))])
    for tried, visible in enumerate(wanted, start=1):
        hidden = drawn_hidden(tables, visible, count, rng)
        if len(hidden) == count:
            return hidden
        if tried * count > MOST_TRIES * 100:
            break
    raise UserError(
        "{file}: no possible state was found to begin with; name one with --start", file=tables.specification.file
    )


def drawn_hidden(tables: ClauseTables, visible: tuple[int, ...], count: int, rng: np.random.Generator) -> Array:
    """States with these visible values, the hidden ones uniform among those that are possible; fewer than `count`
    if they are too rare to be found."""
    found = np.zeros((0, tables.clause_slot + 1), dtype=np.int64)
    tries = 0
    while len(found) < count and (len(found) or tries < MOST_TRIES):
        some = np.zeros((max(count, 1000), tables.clause_slot + 1), dtype=np.int64)
        columns = {}
        for place, variable in enumerate(tables.variables):
            domain = tables.domains[variable.name]
            value = (
                np.full(len(some), visible[place])
                if place < len(visible)
                else rng.integers(len(domain), size=len(some))
            )
            some[:, 1 + place] = value
            columns["initial", variable.name] = domain[value]
        states = Situations(len(some), columns)
        possible = np.ones(len(some), dtype=np.bool_)
        for block in tables.specification.impossible:
            possible &= ~tables.conditions.all_hold(block.requires, states)
        found = np.concatenate((found, some[possible]))
        tries += len(some)
    return found[:count]


def require_sums(simulator: Simulator, world: Clauses) -> None:
    """Walk at random, and refuse a world in which that leads to a state where the probabilities do not sum to 1."""
    starts = world.starts(16, np.random.default_rng(0))
    lost = int(lost_by(simulator, starts, TRIED, stream(1)))
    if lost >= 0:
        action = " ".join(ClauseTables(world.specification).actions[lost].values())
        raise UserError(
            "{file}: the probabilities of {action} do not sum to 1 in a state that comes about",
            file=world.specification.file,
            action=action,
        )


@rule
def lost_by(simulator, starts, steps, rng):
    """The action that led nowhere, or -1."""
    s = starts[0].copy()
    for step in range(steps):
        if step % 50 == 0:
            s[:] = starts[(step // 50) % len(starts)]
        action = any_legal(simulator, s, rng)
        if action < 0:
            s[:] = starts[step % len(starts)]
            continue
        move(simulator, s, action, rng)
        first = simulator.span[MOVES, action, 0]
        # the clause that there is not is the last value of the first draw
        if s[simulator.slots - 1] == last_value(simulator.moves, first + 1):
            return action
    return -1


@rule
def last_value(factors, f):
    """The greatest value of the first thing that a function looks at."""
    return factors.sizes[factors.first[f]] - 1
