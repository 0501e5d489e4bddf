"""Transitions: where an action leads, clause by clause, written down only for what can happen.

For one action the cases are tried in the order of the file; the first one whose conditions hold decides, and in it
the first `probability` whose conditions hold gives the chance of that next state. Nothing here goes through all pairs
of states. Instead the conditions of a clause are used to find the next states: `terminal value x == ...` pins x down
as soon as the other side is known, a condition of which all is known sifts, and only a variable that no condition
pins down is spread over its values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hiddenhand.planning.language import syntax
from hiddenhand.planning.model.conditions import Conditions, NotYetKnown, Situations

MOST_AT_ONCE = 1_000_000


@dataclass(frozen=True)
class ClauseSteps:
    """What one `probability` clause allows: pairs of a present state and the next one."""

    case: syntax.Case
    probability: syntax.Probability
    sources: NDArray[np.intp]
    targets: Situations
    """Its columns ("terminal", variable) hold the next states."""


@dataclass(frozen=True)
class Decided:
    """The states in which a case decides what the action does, whatever comes next."""

    case: syntax.Case
    sources: NDArray[np.intp]


class TransitionFinder:
    """All the steps of one action from the given states."""

    def __init__(self, conditions: Conditions, variables: tuple[syntax.Variable, ...], states: Situations) -> None:
        self.conditions = conditions
        self.variables = variables
        self.domains = {variable.name: conditions.domain(variable) for variable in variables}
        self.states = states

    def of(self, cases: tuple[syntax.Case, ...], sources: NDArray[np.intp]) -> Iterator[ClauseSteps | Decided]:
        """The steps from these states. Cases that make the action illegal say nothing about where it leads."""
        undecided = sources
        earlier: list[syntax.Case] = []
        """Cases before this one that look at the next state: they decide for some next states only."""
        for case in cases:
            if case.illegal or not len(undecided):
                continue
            now, later = self.looking_ahead(case, self.states.take(undecided))
            chosen = undecided[now]
            for i, probability in enumerate(case.probabilities):
                wanted = later + parts_of(probability.requires)
                unwanted = [c.requires for c in earlier] + [p.requires for p in case.probabilities[:i]]
                for pieces, targets in self.pairs(chosen, wanted, unwanted):
                    yield ClauseSteps(case, probability, pieces, targets)
            if later:
                earlier.append(case)
                continue
            yield Decided(case, chosen)
            undecided = undecided[~now]

    def looking_ahead(
        self, case: syntax.Case, states: Situations
    ) -> tuple[NDArray[np.bool_], tuple[syntax.Logical, ...]]:
        """Where a case may apply by what is known now, and the conditions that need the next state as well."""
        now = np.ones(states.count, dtype=np.bool_)
        later = []
        for part in parts_of(case.requires):
            left = np.flatnonzero(now)
            if not len(left):
                break
            try:
                now[left] = self.conditions.hold(part, states.take(left))
            except NotYetKnown:
                later.append(part)
        return now, tuple(later)

    def pairs(
        self,
        sources: NDArray[np.intp],
        wanted: tuple[syntax.Logical, ...],
        unwanted: list[tuple[syntax.Logical, ...]],
    ) -> Iterator[tuple[NDArray[np.intp], Situations]]:
        """Present and next states for which all the wanted conditions hold and none of the unwanted groups does."""
        if not len(sources):
            return
        pairs = self.pinned(sources, self.states.take(sources), wanted)
        if pairs is None:
            middle = len(sources) // 2
            yield from self.pairs(sources[:middle], wanted, unwanted)
            yield from self.pairs(sources[middle:], wanted, unwanted)
            return
        origin, found = pairs
        for group in unwanted:
            keep = np.flatnonzero(~self.conditions.all_hold(group, found))
            origin, found = origin[keep], found.take(keep)
        if len(origin):
            yield origin, found

    def pinned(
        self, sources: NDArray[np.intp], found: Situations, wanted: tuple[syntax.Logical, ...]
    ) -> tuple[NDArray[np.intp], Situations] | None:
        """The pairs that fulfil the conditions, or None if that would be too many at once."""
        origin = sources
        waiting = list(wanted)
        while found.count:
            origin, found, blocked_by = self.use(waiting, origin, found)
            free = [v.name for v in self.variables if ("terminal", v.name) not in found.columns]
            if not free:
                break
            name = blocked_by or free[0]
            if found.count * len(self.domains[name]) > MOST_AT_ONCE and len(sources) > 1:
                return None
            found, position = found.spread(("terminal", name), self.domains[name])
            origin = origin[position]
        return origin, found

    def use(
        self, waiting: list[syntax.Logical], origin: NDArray[np.intp], found: Situations
    ) -> tuple[NDArray[np.intp], Situations, str | None]:
        """Use up the conditions that can be used, and name a variable that the first of the others waits for."""
        blocked_by = None
        progress = True
        while progress and found.count:
            progress = False
            blocked_by = None
            for condition in tuple(waiting):
                try:
                    keep = np.flatnonzero(self.conditions.hold(condition, found))
                    found = found.take(keep)
                except NotYetKnown as unknown:
                    pinned = self.pin(condition, found)
                    if pinned is None:
                        blocked_by = blocked_by or unknown.variable
                        continue
                    keep, found = pinned
                origin = origin[keep]
                waiting.remove(condition)
                progress = True
        return origin, found, blocked_by

    def pin(self, condition: syntax.Logical, found: Situations) -> tuple[NDArray[np.intp], Situations] | None:
        """Use `terminal value x == ...` to find x: which pairs remain and what they are, or None if it is no help."""
        if not isinstance(condition, syntax.Equal):
            return None
        for side, other in ((condition.left, condition.right), (condition.right, condition.left)):
            if not isinstance(side, syntax.StateValue) or side.when != "terminal":
                continue
            name = ("terminal", side.variable)
            if name in found.columns:
                continue
            try:
                numbers = self.conditions.values(other, found)
            except NotYetKnown:
                continue
            keep = np.flatnonzero(np.isin(numbers, self.domains[side.variable]))
            return keep, found.take(keep).with_column(name, numbers[keep])
        return None


def parts_of(requires: tuple[syntax.Logical, ...]) -> tuple[syntax.Logical, ...]:
    """The conditions one by one, `and` taken apart."""
    return tuple(
        part
        for condition in requires
        for part in (condition.parts if isinstance(condition, syntax.And) else (condition,))
    )
