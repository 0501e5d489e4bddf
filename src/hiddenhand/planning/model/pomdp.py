"""Pomdp: a world with hidden states, as every planner and solver here sees it.

In state s an action pays `rewards[action, s]` on average, leads to s' with probability `transitions[action][s, s']`,
and then shows observation z with probability `observing[action][s', z]`. The planner never sees the state: it keeps
a belief, a probability for every state, and `after` is how the belief changes (Bayes' rule).

Payoffs are always maximised. Whether an action is legal is known from what is visible: all states that a belief holds
possible agree on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from hiddenhand.core.errors import IllegalAction, UserError, did_you_mean, one_of
from hiddenhand.core.text import Text

if TYPE_CHECKING:
    from hiddenhand.planning.model.factored import Factored

Array = np.ndarray[Any, Any]
Floats = NDArray[np.float64]
ROUNDED = 0.002
"""A row of probabilities that is written with three digits per number may be this far from one."""


@dataclass(frozen=True, eq=False)
class Pomdp:
    """A model with S states, A actions and Z observations.

    transitions: per action a sparse (S, S) array, a row per state left; observing: per action a sparse (S, Z) array,
    a row per state reached; rewards: float (A, S), the expected immediate payoff; legal: bool (A, S); start: float
    (S,), the first belief. Rows sum to one where the action is legal. `discount` is 1 for a finite horizon without.
    seen_first: int (S,), where something is seen before the first action too; states with the same number look alike,
    and `first_sights` has what it is for each number, in words.
    """

    states: tuple[str, ...]
    actions: tuple[str, ...]
    observations: tuple[str, ...]
    transitions: tuple[csr_array, ...]
    observing: tuple[csr_array, ...]
    rewards: Array
    legal: Array
    start: Array
    discount: float = 1.0
    seen_first: Array | None = None
    first_sights: tuple[str, ...] = ()
    factored: Factored | None = None
    """What it was multiplied out of, a `Factored`, if it was."""

    def __str__(self) -> str:
        return (
            f"{len(self.states)} states, {len(self.actions)} actions, {len(self.observations)} observations, "
            f"discount {self.discount:g}"
        )

    def with_discount(self, discount: float) -> Pomdp:
        """The same world under another discount."""
        if not 0.0 <= discount <= 1.0:
            raise UserError("a discount must be a number from 0 to 1, not {discount}", discount=discount)
        return replace(self, discount=float(discount))

    def beginnings(self) -> list[tuple[float, Array]]:
        """The possible initial beliefs with their probabilities, after what is seen before the first action."""
        if self.seen_first is None:
            return [(1.0, self.start)]
        parts = [
            np.where(self.seen_first == what, self.start, 0.0)
            for what in np.unique(self.seen_first[self.start > 0.0])
        ]
        return [(float(part.sum()), part / part.sum()) for part in parts]

    def first_sight(self, belief: Array) -> str:
        """What is seen before the first action with this belief; empty if nothing is.

        Raises a UserError for a belief in states that look different: what is visible is known."""
        if self.seen_first is None:
            return ""
        looks = [self.first_sights[number] for number in np.unique(self.seen_first[belief > 0.0])]
        if len(looks) > 1:
            raise UserError("a belief can hold only states that look alike, not {looks}", looks=one_of(looks))
        return str(looks[0])

    def beginning(self, sight: str) -> Array:
        """The initial belief after this was seen before the first action: the values of the visible variables."""
        if self.seen_first is None:
            raise UserError("nothing is visible in this model before the first action; leave --start out")
        possible = {self.first_sight(belief): belief for _, belief in self.beginnings()}
        wanted = [value.rpartition("=")[2] for value in sight.replace(",", " ").split()]
        for name, belief in possible.items():
            if [value.rpartition("=")[2] for value in name.split()] == wanted:
                return belief
        raise UserError(
            "the model never begins with {sight} visible; it begins with {possible}",
            sight=repr(sight),
            possible=one_of(list(possible)),
        )

    def begun(self, belief: Array) -> Pomdp:
        """The same world from this belief on."""
        return replace(self, start=belief, seen_first=None, first_sights=())

    def action_named(self, name: str) -> int:
        return place_of(name, self.actions, "action")

    def observation_named(self, name: str) -> int:
        return place_of(name, self.observations, "observation")

    def belief_in(self, name: str) -> Array:
        """Certainty of one state."""
        belief = np.zeros(len(self.states))
        belief[place_of(name, self.states, "state")] = 1.0
        return belief

    def legal_actions(self, belief: Array) -> list[int]:
        """The actions that are legal in every state that the belief holds possible, in order."""
        return [int(action) for action in np.flatnonzero(self.legal[:, belief > 0.0].all(axis=1))]

    def reward(self, belief: Array, action: int) -> float:
        """The expected immediate payoff."""
        self.require_legal(belief, action)
        return float(self.rewards[action] @ belief)

    def chances(self, belief: Array, action: int) -> Array:
        """The probability of every observation, float (Z,)."""
        self.require_legal(belief, action)
        return np.asarray((belief @ self.transitions[action]) @ self.observing[action])

    def after(self, belief: Array, action: int, observation: int) -> tuple[Array, float]:
        """The belief once the observation was made, and how probable that observation was."""
        self.require_legal(belief, action)
        reached = belief @ self.transitions[action]
        seen = self.observing[action][:, [observation]].toarray()[:, 0]
        joint = np.asarray(reached * seen)
        probability = float(joint.sum())
        if probability <= 0.0:
            raise UserError(self.impossible(belief, action, observation))
        return joint / probability, probability

    def impossible(self, belief: Array, action: int, observation: int) -> str:
        """What is wrong with an observation that cannot be made, and which ones can."""
        possible = [self.observations[z] for z in np.flatnonzero(self.chances(belief, action) > 0.0)]
        return Text(
            "the observation {seen} is impossible after {action} with this belief; possible: {list}",
            seen=self.observations[observation],
            action=self.actions[action],
            list=one_of(possible),
        )

    def require_legal(self, belief: Array, action: int) -> None:
        legal = self.legal_actions(belief)
        if action not in legal:
            names = one_of([self.actions[a] for a in legal]) if legal else "none"
            raise IllegalAction(
                "the action {action} is not legal here; legal: {names}", action=self.actions[action], names=names
            )

    def simulate(self, state: int, action: int, rng: np.random.Generator) -> tuple[int, int, float]:
        """One step of the world itself: the next state, what is observed, the payoff."""
        following = draw(self.transitions[action], state, rng)
        return following, draw(self.observing[action], following, rng), float(self.rewards[action, state])


def place_of(name: str, names: tuple[str, ...], what: str) -> int:
    if name not in names:
        raise UserError(
            "there is no {what} {name}{hint}; {what}s: {list}",
            what=what,
            name=repr(name),
            hint=did_you_mean(name, list(names)),
            list=one_of(list(names)),
        )
    return names.index(name)


class SparseRows(NamedTuple):
    """Sparse rows, one after the other: row r has the columns and chances from starts[r] up to starts[r + 1]."""

    starts: Array  # int64
    columns: Array  # int64
    chances: Array


def sparse_rows(tables: Sequence[csr_array]) -> SparseRows:
    """The sparse tables of the actions joined: the row of action a and state s is number a * S + s."""
    lengths = np.concatenate([np.diff(table.indptr) for table in tables])
    return SparseRows(
        starts=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        columns=np.concatenate([table.indices for table in tables]).astype(np.int64),
        chances=np.concatenate([table.data for table in tables]).astype(np.float64),
    )


def draw(table: csr_array, row: int, rng: np.random.Generator) -> int:
    """A column of a sparse row, drawn with the row's probabilities."""
    low, high = table.indptr[row], table.indptr[row + 1]
    sums = np.cumsum(table.data[low:high])
    place = int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))
    return int(table.indices[low + min(place, high - low - 1)])
