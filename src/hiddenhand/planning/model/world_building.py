"""Building a world: a specification is evaluated once, for everything that can occur and nothing else."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from hiddenhand.core.errors import UserError
from hiddenhand.planning.language import read_file, syntax
from hiddenhand.planning.language.pomdp_reading import read_pomdp
from hiddenhand.planning.model.conditions import Conditions, Situations, every_state, possible_states
from hiddenhand.planning.model.pomdp import Pomdp
from hiddenhand.planning.model.transitions import Decided, TransitionFinder
from hiddenhand.planning.model.world import Axis, Clause, Names, World
from hiddenhand.planning.worlds import world_file


def read_model(name: str | Path) -> World | Pomdp:
    """The world of ours of that name, or the world or the model of a file."""
    return read_pomdp(name) if str(name).lower().endswith((".pomdp", ".pomdpx")) else read_world(name)


def read_world(name: str | Path) -> World:
    """The world of ours of that name, or of a file."""
    return build_world(read_file(world_file(name) if isinstance(name, str) else name))


def build_world(specification: syntax.Specification) -> World:
    """Evaluate a specification: everything that can occur, once."""
    try:
        return WorldBuilder(specification).world()
    except RecursionError:
        raise UserError("{file}: its functions call each other too deeply", file=specification.file) from None


class WorldBuilder:
    """One specification on its way to a world."""

    def __init__(self, specification: syntax.Specification) -> None:
        self.specification = specification
        self.conditions = Conditions(specification)
        self.inputs = specification.of_kind("input")
        self.hidden = specification.of_kind("hidden")
        self.outputs = specification.of_kind("output")
        self.seen = every_state(self.conditions, self.inputs)
        self.possible = possible_states(self.conditions, self.inputs + self.hidden)
        if not self.possible.count:
            raise UserError("{file}: every state is impossible", file=specification.file)
        self.visible_of, self.codes = self.numbered(self.possible, "initial")
        self.actions = tuple(product(*(self.axis(v).values for v in self.outputs)))

    def world(self) -> World:
        legal = self.legal()
        payoffs, payoff_names, payoff_name_of = self.payoffs()
        clauses: list[Clause] = []
        steps = [self.steps(a, legal[self.visible_of, a], clauses) for a in range(len(self.actions))]
        return World(
            specification=self.specification,
            values=tuple(v.name for v in self.specification.values),
            inputs=tuple(map(self.axis, self.inputs)),
            hidden=tuple(map(self.axis, self.hidden)),
            outputs=tuple(map(self.axis, self.outputs)),
            visible_states=self.names(self.seen, self.inputs),
            states=list(zip(self.visible_of.tolist(), self.names(self.possible, self.hidden))),
            visible_of=self.visible_of,
            actions=self.actions,
            payoffs=payoffs,
            payoff_names=payoff_names,
            payoff_name_of=payoff_name_of,
            legal=legal,
            transitions=tuple(s[0] for s in steps),
            clauses=tuple(clauses),
            causes=tuple(s[1] for s in steps),
            lost=np.array([s[2] for s in steps]),
            decided_by=tuple(s[3] for s in steps),
            first=np.searchsorted(self.visible_of, np.arange(self.seen.count + 1)),
        )

    def axis(self, variable: syntax.Variable) -> Axis:
        values = self.specification.values
        return Axis(variable.name, variable.kind, tuple(values[i].name for i in self.conditions.domain(variable)))

    def names(self, states: Situations, variables: tuple[syntax.Variable, ...]) -> list[Names]:
        """The values of these variables in each state, as names."""
        values = np.array([v.name for v in self.specification.values], dtype=object)
        columns = [values[states.columns["initial", v.name]].tolist() for v in variables]
        return list(zip(*columns)) if columns else [()] * states.count

    def numbered(self, states: Situations, when: str) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
        """The number of each state's visible state, and a code of the whole state that ascends in their order."""
        code = np.zeros(states.count, dtype=np.int64)
        visible = code
        for i, variable in enumerate(self.inputs + self.hidden):
            domain = self.conditions.domain(variable)
            code = code * len(domain) + np.searchsorted(domain, states.columns[when, variable.name])
            if i == len(self.inputs) - 1:
                visible = code
        return visible.astype(np.intp), code

    def payoffs(self) -> tuple[NDArray[np.float64], Names, NDArray[np.int64]]:
        """What each visible state pays, the names of all payoffs, and the place of its name; without any, 0 and -1.

        The last block that matches counts.
        """
        names = tuple(dict.fromkeys(block.name for block in self.specification.payoffs))
        amounts = np.zeros(self.seen.count)
        name_of = np.full(self.seen.count, -1, np.int64)
        for block in self.specification.payoffs:
            matches = self.conditions.all_hold(block.requires, self.seen)
            amounts[matches] = block.amount
            name_of[matches] = names.index(block.name)
        return amounts, names, name_of

    def cases(self, action: int) -> tuple[syntax.Case, ...]:
        """The cases of all blocks about this action, in the order of the file."""
        meant = dict(zip((v.name for v in self.outputs), self.actions[action]))
        return tuple(c for block in self.specification.actions if block.query.as_dict() == meant for c in block.cases)

    def legal(self) -> NDArray[np.bool_]:
        """(V, A): an action is legal unless a case says that it is not."""
        legal = np.ones((self.seen.count, len(self.actions)), dtype=np.bool_)
        for action in range(len(self.actions)):
            for case in self.cases(action):
                if case.illegal:
                    legal[self.conditions.all_hold(case.requires, self.seen), action] = False
        return legal

    def steps(
        self, action: int, legal: NDArray[np.bool_], clauses: list[Clause]
    ) -> tuple[Any, NDArray[np.intp], NDArray[np.float64], dict[int, syntax.Case]]:
        """The transitions of one action, their causes, what is lost to impossible states, and who decides where."""
        count = self.possible.count
        finder = TransitionFinder(self.conditions, self.inputs + self.hidden, self.possible)
        before, after, chances, causes = [], [], [], []
        lost = np.zeros(count)
        decided_by: dict[int, syntax.Case] = {}
        for found in finder.of(self.cases(action), np.flatnonzero(legal)):
            if isinstance(found, Decided):
                decided_by.update(dict.fromkeys(found.sources.tolist(), found.case))
                continue
            if not clauses or clauses[-1][1] is not found.probability:
                clauses.append((found.case, found.probability))
            _, codes = self.numbered(found.targets, "terminal")
            target = np.minimum(np.searchsorted(self.codes, codes), count - 1)
            exists = self.codes[target] == codes
            np.add.at(lost, found.sources[~exists], found.probability.chance)
            if found.probability.chance > 0.0:
                before.append(found.sources[exists])
                after.append(target[exists])
                chances.append(np.full(len(before[-1]), found.probability.chance))
                causes.append(np.full(len(before[-1]), len(clauses) - 1))
        return *table(count, before, after, chances, causes), lost, decided_by


def table(
    count: int,
    before: list[NDArray[np.intp]],
    after: list[NDArray[np.intp]],
    chances: list[NDArray[np.float64]],
    causes: list[NDArray[np.intp]],
) -> tuple[Any, NDArray[np.intp]]:
    """The transitions as a sparse array sorted by rows and columns, and the cause of each of its entries."""
    if not before:
        return csr_array((count, count)), np.zeros(0, dtype=np.intp)
    rows, columns = np.concatenate(before), np.concatenate(after)
    order = np.lexsort((columns, rows))
    starts = np.searchsorted(rows[order], np.arange(count + 1))
    entries = np.concatenate(chances)[order]
    return csr_array((entries, columns[order], starts), shape=(count, count)), np.concatenate(causes)[order]
