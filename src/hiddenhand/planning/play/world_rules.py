"""The compiled rules of a world that is played as a game: one seat, so many steps, and a belief that the rules keep.

Whoever plays sees the visible state and what it pays. What he may believe of the hidden one follows from all that he
saw and did, by Bayes' rule; so the rules carry it along, and the true state is the only secret.

The tables of a world are constants of its rules. They reach the rules as the variables of the function around them,
because Numba's cache tells such functions apart by the contents of those variables: worlds share one text and never
each other's compiled code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.kernel import OVER, Rules, below, pick, record_type, rule, uniform
from hiddenhand.planning.model.pomdp import SparseRows, sparse_rows
from hiddenhand.planning.model.world import World

ANYWHERE = -1


@dataclass(frozen=True, eq=False)
class WorldTables:
    """A world as plain arrays. V visible states, S possible states, A actions."""

    first: np.ndarray
    """(V + 1,) where the states of each visible state begin."""
    visible_of: np.ndarray
    """(S,)"""
    possible: np.ndarray
    """The visible states that can occur."""
    payoffs: np.ndarray
    """(V,)"""
    reason: np.ndarray
    """(V,) the place of the payoff's name among the names of all payoffs, or -1."""
    legal: np.ndarray
    """(V, A)"""
    starts: np.ndarray
    """(A * S + 1,) where the steps of action a in state s begin: at place a * S + s."""
    targets: np.ndarray
    chances: np.ndarray


def tables_of(world: World) -> WorldTables:
    """The tables of a world, its rows of probabilities checked."""
    world.require_sound()
    rows = sparse_rows(world.transitions)
    return WorldTables(
        first=world.first.astype(np.int64),
        visible_of=world.visible_of.astype(np.int64),
        possible=np.flatnonzero(world.possible).astype(np.int64),
        payoffs=world.payoffs.astype(np.float64),
        reason=world.payoff_name_of,
        legal=np.ascontiguousarray(world.legal),
        starts=rows.starts,
        targets=rows.columns,
        chances=rows.chances,
    )


def record_types(world: World) -> tuple[np.dtype, np.dtype]:
    """The records of the state and of the view."""
    most = int(np.diff(world.first).max())
    shown = [
        ("steps", "i8"),  # how many there are
        ("step", "i8"),  # how many are over
        ("visible", "i8"),  # the visible state
        ("gained", "f8"),  # the payoffs so far
        ("belief", "f8", (most,)),  # of the possible states of the visible state, in their order
        ("tally", "i8", (max(1, len(world.payoff_names)),)),  # how often each payoff came
    ]
    return record_type([("truth", "i8"), ("start", "i8"), *shown]), record_type(shown)


def rules_of(tables: WorldTables) -> dict[str, Any]:
    """The rules of the contract, by name."""
    first, visible_of, possible = tables.first, tables.visible_of, tables.possible
    payoffs, reason, allowed = tables.payoffs, tables.reason, tables.legal
    starts, targets, chances = tables.starts, tables.targets, tables.chances
    most = int(np.diff(first).max())  # states that look alike

    @rule
    def deal(s, rng):
        """Any visible state, unless one was asked for; then any state that looks like it."""
        s.visible = possible[below(rng, len(possible))] if s.start == ANYWHERE else s.start
        count = first[s.visible + 1] - first[s.visible]
        s.truth = first[s.visible] + below(rng, count)
        begin(s, count)

    @rule
    def turn(s):
        """An episode ends with its last step, or where nothing can be done."""
        if s.step < s.steps:
            for action in range(allowed.shape[1]):
                if allowed[s.visible, action]:
                    return 0
        return OVER

    @rule
    def legal(s, out):
        n = 0
        for action in range(allowed.shape[1]):
            if allowed[s.visible, action]:
                out[n] = action
                n += 1
        return n

    @rule
    def play(s, action, rng):
        states = len(visible_of)
        steps = SparseRows(starts, targets, chances)
        s.truth = drawn(steps, action * states + s.truth, rng)
        after = visible_of[s.truth]
        learn(s, np.zeros(most), action * states + first[s.visible], after, first, visible_of, steps)
        s.visible = after
        s.step += 1
        s.gained += payoffs[after]
        if reason[after] >= 0:
            s.tally[reason[after]] += 1

    @rule
    def redeal(s, seat, rng):
        s.truth = first[s.visible] + pick(rng, s.belief, first[s.visible + 1] - first[s.visible])

    rules = (deal, turn, legal, play, payoff, evaluate, observe, redeal, measure)
    return {function.__name__: function for function in rules}


@rule
def begin(s, count):
    """An episode begins; `count` states look alike, and none of them is likelier than another."""
    for i in range(len(s.belief)):
        s.belief[i] = 1.0 / count if i < count else 0.0
    s.step = 0
    s.gained = 0.0
    for i in range(len(s.tally)):
        s.tally[i] = 0


@rule
def payoff(s, out):
    out[0] = s.gained


@rule
def evaluate(s, out):
    """What has been gained is certain, and of what will be gained nothing is known."""
    out[0] = s.gained


@rule
def observe(s, seat, view):
    view.steps = s.steps
    view.step = s.step
    view.visible = s.visible
    view.gained = s.gained
    for i in range(len(s.belief)):
        view.belief[i] = s.belief[i]
    for i in range(len(s.tally)):
        view.tally[i] = s.tally[i]


@rule
def measure(s, out):
    for i in range(len(out)):
        out[i] = s.tally[i]


WORLDS: WeakKeyDictionary[Rules, World] = WeakKeyDictionary()
"""The worlds that games were made of, by the games' rules."""


def world_of(game: Game) -> World:
    """The world that a game was made of."""
    if game.rules not in WORLDS:
        raise UserError("{name} is no world of the Svarog language", name=game.name)
    return WORLDS[game.rules]


def belief_in(world: World, record: np.record) -> NDArray[np.float64]:
    """(S,) the belief that a state or a view of the world's game holds."""
    belief = np.zeros(len(world.states))
    inside = world.states_of(int(record.visible))
    belief[inside.start : inside.stop] = record.belief[: len(inside)]
    return belief


@rule
def drawn(rows, row, rng):
    """A column of this row, with the row's chances."""
    point = uniform(rng)
    for entry in range(rows.starts[row], rows.starts[row + 1] - 1):
        point -= rows.chances[entry]
        if point < 0.0:
            return rows.columns[entry]
    return rows.columns[rows.starts[row + 1] - 1]


@rule
def learn(s, new, row, after, first, visible_of, steps):
    """Bayes' rule: the belief once the visible state `after` was seen. `row`: that of the first possible state.

    new   zeros, as many as the belief has
    """
    total = 0.0
    for i in range(first[s.visible + 1] - first[s.visible]):
        if s.belief[i] > 0.0:
            for entry in range(steps.starts[row + i], steps.starts[row + i + 1]):
                target = steps.columns[entry]
                if visible_of[target] == after:
                    chance = s.belief[i] * steps.chances[entry]
                    new[target - first[after]] += chance
                    total += chance
    for i in range(len(new)):
        s.belief[i] = new[i] / total
