"""The sequence form of a game: information sets, sequences, and what every pair of sequences pays.

A *sequence* of a seat is one of its information sets with one of the actions there, or the empty sequence before its
first decision. With perfect recall a seat's own sequences form a tree, and a strategy, however many nodes the tree of
the game has, is one probability for each sequence. What a seat expects is linear in the *realization plan* of each
seat, x[sequence] = the product of its probabilities on the way there:

    payoff = sum over the finished histories z of chance(z) * payoff(z) * x0[last sequence of seat 0] * x1[...] * ...

The gradient of that in the plan of one seat is all that a best response, regret minimisation or mirror descent needs:
one sum over the histories, then one pass over the seat's own sequences. D. Koller, N. Megiddo and B. von Stengel,
"Efficient computation of equilibria for extensive two-person games" (1996).

Information sets are numbered seat by seat and parents come first, so that a loop upwards over the numbers of a seat
meets every information set after the one above it, and a loop downwards before it. Sequence p is the empty one of
seat p; the sequences of information set i are start[i] to start[i + 1].
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.text import Seat
from hiddenhand.kernel import digest, new_records, rule

Floats = np.ndarray[Any, np.dtype[np.float64]]
Integers = np.ndarray[Any, np.dtype[np.int64]]


class FormArrays(NamedTuple):
    """What compiled code reads of a sequence form.

    Row r of the sparse matrix of payoffs belongs to sequence r: its entries are row[r] to row[r + 1]. Of each entry
    `others` are the last sequences of the other seats, `gain` is the odds of chance times what the seat gets,
    `chance` the odds alone."""

    bounds: Integers  # [players + 1]: the information sets of seat p are bounds[p] to bounds[p + 1]
    start: Integers  # [information sets + 1]
    above: np.ndarray[Any, Any]  # int32[information sets]: the sequence of the same seat that leads there
    row: Integers  # [sequences + 1]
    others: np.ndarray[Any, Any]  # int32[entries, players - 1]
    gain: np.ndarray[Any, Any]  # [entries]
    chance: np.ndarray[Any, Any]  # [entries]
    # where the rows are not sequences but lists of them (see `world_lists`): those of seat p, and what is in each
    list_bounds: Integers
    list_begin: Integers
    listed: np.ndarray[Any, Any]  # int32: sequences
    list_sums: Floats  # room for one number for each list


@dataclass(eq=False)
class SequenceForm:
    """A game in sequence form; `arrays` is what the algorithms work on, the rest says what the numbers mean."""

    game: Game
    arrays: Any
    keys: np.ndarray[Any, np.dtype[np.uint64]]
    """Of every information set: the fingerprint of the seat's view."""
    actions: np.ndarray[Any, Any]
    """Of every sequence but the empty ones, which have -1: its action."""
    views: np.recarray[Any, Any]
    """Of every information set: what its seat sees."""
    states: np.recarray[Any, Any]
    """Of every information set: a state that looks so; empty where there are too many."""
    histories: int
    """How many finished histories there are."""
    zero_sum: bool
    ordered: Any = field(init=False)

    def __post_init__(self) -> None:
        self.ordered = np.argsort(self.keys, kind="stable")

    def __repr__(self) -> str:
        return (
            f"<SequenceForm of {self.game.name}: {self.infos:,} information sets, {self.sequences:,} sequences, "
            f"{self.histories:,} finished histories>"
        )

    @property
    def players(self) -> int:
        return len(self.arrays.bounds) - 1

    @property
    def infos(self) -> int:
        return len(self.keys)

    @property
    def sequences(self) -> int:
        return len(self.actions)

    @property
    def size(self) -> int:
        """Bytes of memory, about."""
        arrays = [*self.arrays, *vars(self).values()]
        return sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))

    def seat_of(self, info: int) -> int:
        return int(np.searchsorted(self.arrays.bounds, info, side="right")) - 1

    def slots(self, info: int) -> slice:
        """The sequences of an information set."""
        return slice(int(self.arrays.start[info]), int(self.arrays.start[info + 1]))

    def own(self, seat: int) -> slice:
        """The sequences of a seat, its empty one left out."""
        first, end = self.arrays.bounds[seat : seat + 2]
        return slice(int(self.arrays.start[first]), int(self.arrays.start[end]))

    def number(self, seat: int, view: np.record) -> int:
        """The information set of a seat with this view record."""
        return find(self.game, self.keys, self.ordered, seat, view)

    def uniform(self) -> Floats:
        """The strategy that plays every action of an information set with the same probability."""
        sizes = np.diff(self.arrays.start)
        return np.concatenate([np.ones(self.players), np.repeat(1.0 / sizes, sizes)])

    def normalised(self, weights: Floats) -> Floats:
        """Weights of the sequences as a strategy; uniform where an information set has none."""
        strategy = np.ones(self.sequences)
        normalise(self.arrays.start, weights, strategy)
        return strategy


def key_of(view: np.record, seat: int) -> np.uint64:
    """The fingerprint by which an information set is found."""
    key: np.uint64 = np.uint64(digest(view, seat)) or np.uint64(1)
    return key


def find(game: Game, keys: Any, ordered: Any, seat: int, view: np.record) -> int:
    """The number of the information set in which a seat sees this, in a list of keys and its order."""
    clean = new_records(view.dtype, 1)
    clean[0] = view
    key = key_of(clean[0], seat)
    place = int(np.searchsorted(keys, key, sorter=ordered))
    if place == len(keys) or keys[ordered[place]] != key:
        raise UserError("{who} has nothing to decide in this position of {name}", who=Seat(seat), name=game.name)
    return int(ordered[place])


# ---- the passes that all methods share


@rule
def reach_sequences(me, form, strategy, plan):
    """The realization plan of a seat: the product of its probabilities on the way to every sequence of its own."""
    plan[me] = 1.0
    for info in range(form.bounds[me], form.bounds[me + 1]):
        reach = plan[form.above[info]]
        for s in range(form.start[info], form.start[info + 1]):
            plan[s] = reach * strategy[s]


@rule
def clear_gradient(me, form, gradient):
    gradient[me] = 0.0
    for s in range(form.start[form.bounds[me]], form.start[form.bounds[me + 1]]):
        gradient[s] = 0.0


@rule
def add_rows(form, first, end, weights, plan, gradient):
    """gradient[row] += the entries of each row, times what the other seats do to get there."""
    if form.others.shape[1] == 1:
        for r in range(first, end):
            total = 0.0
            for k in range(form.row[r], form.row[r + 1]):
                total += weights[k] * plan[form.others[k, 0]]
            gradient[r] += total
    else:
        for r in range(first, end):
            total = 0.0
            for k in range(form.row[r], form.row[r + 1]):
                product = np.float64(weights[k])
                for j in range(form.others.shape[1]):
                    product *= plan[form.others[k, j]]
                total += product
            gradient[r] += total


@rule
def add_gradient(me, form, weights, plan, gradient):
    """What the histories that end directly behind each sequence of a seat pay it. `weights`: form.gain, or
    form.chance for the odds alone."""
    clear_gradient(me, form, gradient)
    if len(form.listed) == 0:
        add_rows(form, me, me + 1, weights, plan, gradient)
        add_rows(form, form.start[form.bounds[me]], form.start[form.bounds[me + 1]], weights, plan, gradient)
    else:
        add_lists(me, form, weights, plan, gradient)


@rule
def add_lists(me, form, weights, plan, gradient):
    """The same where the rows are lists: the other seat's lists are summed up once, and each of mine adds once."""
    other, sums = 1 - me, form.list_sums
    for row in range(form.list_bounds[other], form.list_bounds[other + 1]):
        total = 0.0
        for k in range(form.list_begin[row], form.list_begin[row + 1]):
            total += plan[form.listed[k]]
        sums[row] = total
    for row in range(form.list_bounds[me], form.list_bounds[me + 1]):
        total = 0.0
        for k in range(form.row[row], form.row[row + 1]):
            total += weights[k] * sums[form.others[k, 0]]
        for k in range(form.list_begin[row], form.list_begin[row + 1]):
            gradient[form.listed[k]] += total


@rule
def add_values(me, form, strategy, gradient):
    """From the end to the root: gradient[s] becomes what follows sequence s, if the seat goes on by the strategy."""
    for info in range(form.bounds[me + 1] - 1, form.bounds[me] - 1, -1):
        value = 0.0
        for s in range(form.start[info], form.start[info + 1]):
            value += strategy[s] * gradient[s]
        gradient[form.above[info]] += value


@rule
def add_best(me, form, gradient, response):
    """The same if the seat goes on as well as it can; `response` becomes that strategy, which never mixes."""
    for info in range(form.bounds[me + 1] - 1, form.bounds[me] - 1, -1):
        best = form.start[info]
        for s in range(form.start[info], form.start[info + 1]):
            response[s] = 0.0
            if gradient[s] > gradient[best]:
                best = s
        response[best] = 1.0
        gradient[form.above[info]] += gradient[best]


@rule
def normalise(start, weights, strategy):
    for info in range(len(start) - 1):
        total = 0.0
        for s in range(start[info], start[info + 1]):
            total += weights[s]
        for s in range(start[info], start[info + 1]):
            strategy[s] = weights[s] / total if total > 0.0 else 1.0 / (start[info + 1] - start[info])


# ---- what a strategy is worth


class Evaluation(NamedTuple):
    """What a strategy is worth in a game, seat by seat, and what its best responses are."""

    values: list[float]
    """What every seat expects if all follow the strategy."""
    best: list[float]
    """What every seat expects if it alone plays a best response."""
    responses: Floats
    """The best responses, as one strategy."""

    @property
    def nash_conv(self) -> float:
        """What the seats could gain by a best response, added up."""
        return sum(best - value for best, value in zip(self.best, self.values))

    @property
    def exploitability(self) -> float:
        """The mean of that over the seats; in a zero-sum game of two, what a perfect opponent wins a game from it."""
        return self.nash_conv / len(self.values)


def evaluate(form: SequenceForm, strategy: Floats) -> Evaluation:
    """Exact values and best responses of a strategy."""
    plan, sums, again = np.empty((3, form.sequences))
    responses, found = np.ones(form.sequences), np.empty((2, form.players))
    evaluate_seats(form.arrays, strategy, (plan, sums, again), responses, found)
    return Evaluation(found[0].tolist(), found[1].tolist(), responses)


@rule
def evaluate_seats(form, strategy, workspace, responses, found):
    """found: what every seat expects, and what by its best response. One function, so that it is compiled once."""
    plan, sums, again = workspace
    players = len(form.bounds) - 1
    for me in range(players):
        reach_sequences(me, form, strategy, plan)
    for me in range(players):
        add_gradient(me, form, form.gain, plan, sums)
        again[me] = sums[me]
        for s in range(form.start[form.bounds[me]], form.start[form.bounds[me + 1]]):
            again[s] = sums[s]
        add_values(me, form, strategy, again)
        add_best(me, form, sums, responses)
        found[0, me] = again[me]
        found[1, me] = sums[me]


@rule
def follow_sequences(form, strategy, plan, gains, chances):
    """For every sequence what follows it for its seat, and how likely the others let the game come there."""
    players = len(form.bounds) - 1
    for me in range(players):
        reach_sequences(me, form, strategy, plan)
    for me in range(players):
        add_gradient(me, form, form.gain, plan, gains)
        add_values(me, form, strategy, gains)
        add_gradient(me, form, form.chance, plan, chances)
        add_values(me, form, strategy, chances)
