"""What in the model a value rests on: the cases and probabilities of an action, and the payoffs they lead to."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.planning.explain.question import PlanQuestion, percent
from hiddenhand.planning.model.conditions import Conditions, every_state
from hiddenhand.planning.model.world import World


@dataclass(frozen=True)
class Ground:
    """One `probability` clause that was used."""

    action: str
    case: str
    name: str
    probability: float
    """As the specification states it."""
    weight: float
    """How probable it is, with this belief, that the step goes by this clause."""
    line: int
    """Where it stands in the file."""

    def text(self) -> Text:
        """`"heard rightly" 0.85, here 42.5 % (line 51)`."""
        if abs(self.weight - self.probability) < 1e-9:
            return Text('"{name}" {chance:g} (line {line})', name=self.name, chance=self.probability, line=self.line)
        return Text(
            '"{name}" {chance:g}, here {weight} (line {line})',
            name=self.name,
            chance=self.probability,
            weight=percent(self.weight),
            line=self.line,
        )


@dataclass(frozen=True)
class Paid:
    """One `payoff` block that applies to what may be reached."""

    name: str
    amount: float
    probability: float

    def text(self) -> Text:
        """`"the treasure" +10 (85.0 %)`."""
        return Text(
            '"{name}" {amount:+g} ({chance})',
            name=Text(self.name),
            amount=self.amount,
            chance=percent(self.probability),
        )


@dataclass(frozen=True)
class ModelClauses:
    """What the next step rests on."""

    clauses: list[Ground]
    payoffs: list[Paid]

    def sentences(self) -> list[str]:
        cases: dict[str, list[Text]] = {}
        for clause in self.clauses:
            cases.setdefault(clause.case, []).append(clause.text())
        lines: list[str] = [
            Text('From the model, case "{case}": {parts}.', case=case, parts=Text.joined(", ", parts))
            for case, parts in cases.items()
        ]
        if self.payoffs:
            paid = Text.joined(", ", [payoff.text() for payoff in self.payoffs])
            lines.append(Text("Payoffs that may follow at once: {parts}.", parts=paid))
        return lines

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def model_clauses_of(question: PlanQuestion, action: int) -> ModelClauses:
    """The clauses and payoffs that the next step of an action may use, in the order of the file."""
    return ModelClauses(clauses_used(question, action), payoffs_met(question, action))


def clauses_used(question: PlanQuestion, action: int) -> list[Ground]:
    world = question.world
    rows = world.transitions[action]
    weights: dict[tuple[int, int], Ground] = {}
    for state in np.flatnonzero(question.belief).tolist():
        for entry in range(rows.indptr[state], rows.indptr[state + 1]):
            case, clause = world.clauses[world.causes[action][entry]]
            place = (clause.place.line, clause.place.column)
            so_far = weights[place].weight if place in weights else 0.0
            weight = so_far + float(question.belief[state] * rows.data[entry])
            name = question.action_name(action)
            weights[place] = Ground(name, case.name, clause.name, clause.chance, weight, clause.place.line)
    return [weights[place] for place in sorted(weights)]


def payoffs_met(question: PlanQuestion, action: int) -> list[Paid]:
    world = question.world
    names, which = world.payoff_names, world.payoff_name_of
    found: dict[tuple[str, float], float] = {}
    for future in question.planner.futures(question.belief, action):
        if which[future.observation] >= 0:
            key = (names[which[future.observation]], float(world.payoffs[future.observation]))
            found[key] = found.get(key, 0.0) + future.probability
    return [Paid(name, value, probability) for (name, value), probability in found.items()]


def why_illegal(world: World, visible: int, action: int) -> list[str]:
    """The names of the cases that make an action illegal in a visible state."""
    conditions = Conditions(world.specification)
    seen = every_state(conditions, world.specification.of_kind("input")).take(np.array([visible]))
    meant = dict(zip((axis.name for axis in world.outputs), world.actions[action]))
    return [
        case.name
        for block in world.specification.actions
        if block.query.as_dict() == meant
        for case in block.cases
        if case.illegal and conditions.all_hold(case.requires, seen)[0]
    ]
