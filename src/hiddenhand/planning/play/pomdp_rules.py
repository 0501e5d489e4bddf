"""The compiled rules of a general model that is played as a game: one seat, so many steps, a belief the rules keep.

Whoever plays sees what was observed last, and never the state. Nor does he see what he was paid: that would tell him
more than the observation. What he may believe follows from all that he observed and did, by Bayes' rule; so the rules
carry the belief along, and with it what has been gained on average if the state is this one. The true state and the
true gain are the only secrets.

As for worlds, the tables are constants of the rules and reach them as the variables of the function around them.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.kernel import OVER, Rules, pick, record_type, rule
from hiddenhand.planning.model.pomdp import Pomdp, SparseRows, sparse_rows
from hiddenhand.planning.play.world_rules import drawn, evaluate, payoff

NOTHING = -1

MODELS: WeakKeyDictionary[Rules, Pomdp] = WeakKeyDictionary()
"""The models that games were made of, by the games' rules."""


def model_of(game: Game) -> Pomdp:
    """The model that a game was made of."""
    if game.rules not in MODELS:
        raise UserError("{name} is no game of a .pomdp model", name=game.name)
    return MODELS[game.rules]


def record_types(model: Pomdp) -> tuple[np.dtype, np.dtype]:
    """The records of the state and of the view."""
    states = len(model.states)
    shown = [
        ("steps", "i8"),  # how many there are
        ("step", "i8"),  # how many are over
        ("discount", "f8"),
        ("weight", "f8"),  # what a payoff of this step counts
        ("seen", "i8"),  # the last observation, or NOTHING
        ("belief", "f8", (states,)),
        ("gain", "f8", (states,)),  # what was gained so far on average, if the state is this one
    ]
    return record_type([("truth", "i8"), ("gained", "f8"), *shown]), record_type(shown)


def rules_of(model: Pomdp) -> tuple[Any, ...]:
    """The rules of the contract."""
    starts, targets, chances = sparse_rows(model.transitions)
    sight_starts, sight_columns, sight_chances = sparse_rows(model.observing)
    start = np.ascontiguousarray(model.start, dtype=np.float64)
    looks = np.zeros(len(start), np.int64) if model.seen_first is None else model.seen_first.astype(np.int64)
    rewards = np.ascontiguousarray(model.rewards, dtype=np.float64)
    allowed = np.ascontiguousarray(model.legal)

    @rule
    def deal(s, rng):
        s.truth = pick(rng, start, len(start))
        s.gained = 0.0
        s.step = 0
        s.weight = 1.0
        s.seen = NOTHING
        begin_belief(s, start, looks)

    @rule
    def turn(s):
        """An episode ends with its last step, or where nothing can be done."""
        if s.step < s.steps:
            for action in range(allowed.shape[0]):
                if allowed[action, s.truth]:
                    return 0
        return OVER

    @rule
    def legal(s, out):
        """All states that a belief holds possible agree on it."""
        n = 0
        for action in range(allowed.shape[0]):
            if allowed[action, s.truth]:
                out[n] = action
                n += 1
        return n

    @rule
    def play(s, action, rng):
        row = action * len(start)
        steps, sights = SparseRows(starts, targets, chances), SparseRows(sight_starts, sight_columns, sight_chances)
        s.gained += s.weight * rewards[action, s.truth]
        s.truth = drawn(steps, row + s.truth, rng)
        s.seen = drawn(sights, row + s.truth, rng)
        update_belief(s, row, rewards[action], steps, sights)
        s.weight *= s.discount
        s.step += 1

    return deal, turn, legal, play, payoff, evaluate, observe, redeal


@rule
def begin_belief(s, start, looks):
    """The belief before the first step: the states that look like the true one, by the chances of the start."""
    total = 0.0
    for i in range(len(start)):
        s.belief[i] = start[i] if looks[i] == looks[s.truth] else 0.0
        s.gain[i] = 0.0
        total += s.belief[i]
    for i in range(len(start)):
        s.belief[i] /= total


@rule
def update_belief(s, row, rewards, steps, sights):
    """Bayes' rule: the belief, and the gain on average in each state, once `s.seen` was observed.

    row       that of the first state in `steps` and `sights`, for the action that was done
    rewards   of that action, by state
    """
    states = len(rewards)
    reached = np.zeros(states)
    gained = np.zeros(states)
    for i in range(states):
        if s.belief[i] > 0.0:
            so_far = s.gain[i] + s.weight * rewards[i]
            for entry in range(steps.starts[row + i], steps.starts[row + i + 1]):
                reached[steps.columns[entry]] += s.belief[i] * steps.chances[entry]
                gained[steps.columns[entry]] += s.belief[i] * steps.chances[entry] * so_far
    total = 0.0
    for i in range(states):
        s.belief[i] = 0.0
        s.gain[i] = 0.0
        if reached[i] > 0.0:
            chance = chance_of(sights, row + i, s.seen)
            if chance > 0.0:
                s.belief[i] = reached[i] * chance
                s.gain[i] = gained[i] / reached[i]
                total += s.belief[i]
    for i in range(states):
        s.belief[i] /= total


@rule
def observe(s, seat, view):
    view.steps = s.steps
    view.step = s.step
    view.discount = s.discount
    view.weight = s.weight
    view.seen = s.seen
    for i in range(len(s.belief)):
        view.belief[i] = s.belief[i]
        view.gain[i] = s.gain[i]


@rule
def redeal(s, seat, rng):
    """A state that the belief holds possible; of the gain what it is on average there."""
    s.truth = pick(rng, s.belief, len(s.belief))
    s.gained = s.gain[s.truth]


@rule
def chance_of(rows, row, column):
    """An entry of a row, which is 0 where it is not stored."""
    for entry in range(rows.starts[row], rows.starts[row + 1]):
        if rows.columns[entry] == column:
            return rows.chances[entry]
    return 0.0
