"""All deals that agree with what a seat knows, one by one, and what the moves are worth in each with open cards.

The deals are numbered (`belief.deals`), so that any stretch of them can be added up by itself: in another process,
with a break in between, or as an even sample: the list is cut into equal parts, and one deal of each is taken.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hiddenhand.belief.deals import HANDS, count_ways, new_ways, numbered_deal
from hiddenhand.games.snaps.cards import CARDS, SEATS
from hiddenhand.games.snaps.knowledge import give, unseen_cards
from hiddenhand.games.snaps.solver import WIN, new_memory, new_state, solve, solve_moves
from hiddenhand.kernel import below, copy, rule, split

SAMPLE = 1


@rule
def count_possible(view, seat):
    """How many deals agree with what the seat knows, once a card is named."""
    cards = np.empty(CARDS, np.int64)
    weights = np.empty((CARDS, HANDS))
    slots = np.empty(HANDS, np.int64)
    n = unseen_cards(view, seat, cards, weights, slots)
    return np.int64(count_ways(weights, slots, new_ways(n, slots)))


@rule
def number_of(i, worlds, total):
    """The number of deal i in an even sample: a fixed but irregular choice in its part of the list."""
    low, high = i * total // worlds, (i + 1) * total // worlds
    if high - low == 1:
        return low
    rng = np.empty(1, np.uint64)
    rng[0] = split(SAMPLE, i)
    return low + below(rng, high - low)


@rule
def list_deals(view, seat, begin, end, worlds, hands):
    """Write the deals `begin` to `end` of an even sample of `worlds`: hands int64[end - begin, 4]."""
    cards = np.empty(CARDS, np.int64)
    weights = np.empty((CARDS, HANDS))
    slots = np.empty(HANDS, np.int64)
    owners = np.empty(CARDS, np.int64)
    n = unseen_cards(view, seat, cards, weights, slots)
    ways = new_ways(n, slots)
    total = np.int64(count_ways(weights, slots, ways))
    world = new_state()
    copy(world[0], view)
    for i in range(begin, end):
        numbered_deal(weights, slots, ways, number_of(i, worlds, total), owners)
        give(world[0], seat, cards, owners, n)
        for other in range(SEATS):
            hands[i - begin, other] = world[0].hands[other]


@rule
def add_values(view, seat, actions, begin, end, worlds, sums, won, holders):
    """Solve the deals `begin` to `end` of an even sample of `worlds` (or of all), for the side of the mover.

    Adds to sums[a] what actions[a] is worth and to won[a] the deals that it wins, and to holders[p] the deals in
    which p has the named card. Without actions sums[0] and won[0] are for the play to come. All int64.
    """
    cards = np.empty(CARDS, np.int64)
    weights = np.empty((CARDS, HANDS))
    slots = np.empty(HANDS, np.int64)
    owners = np.empty(CARDS, np.int64)
    values = np.empty(max(1, len(actions)), np.int64)
    n = unseen_cards(view, seat, cards, weights, slots)
    ways = new_ways(n, slots)
    total = np.int64(count_ways(weights, slots, ways))
    memory = new_memory(view.plays)
    world = new_state()
    copy(world[0], view)
    for i in range(begin, end):
        numbered_deal(weights, slots, ways, number_of(i, worlds, total), owners)
        give(world[0], seat, cards, owners, n)
        holder = np.int64(world[0].holder)
        if len(actions) > 0:
            solve_moves(world[0], actions, len(actions), WIN, memory, values)
        else:
            value = solve(world[0], WIN, memory)
            values[0] = value if seat == view.chooser or seat == holder else -value
        for a in range(len(values)):
            sums[a] += values[a]
            won[a] += 1 if values[a] > 0 else 0
        holders[holder] += 1


@dataclass
class Average:
    """What was added up: the values of the actions in so many of the possible deals."""

    possible: int
    worlds: int
    """How many deals are wanted: all, or an even sample."""
    done: int
    sums: np.ndarray[Any, Any]
    won: np.ndarray[Any, Any]
    holders: np.ndarray[Any, Any]

    @property
    def means(self) -> list[float]:
        return (self.sums / self.done).tolist()

    def add(self, part: "Average") -> None:
        self.done += part.done
        self.sums += part.sums
        self.won += part.won
        self.holders += part.holders


def new_average(view, seat, actions, most=None):
    """Nothing added up yet, of all possible deals or of an even sample of `most`."""
    possible = int(count_possible(view, seat))
    sums, won = np.zeros((2, max(1, len(actions))), np.int64)
    return Average(
        possible, possible if most is None else min(possible, most), 0, sums, won, np.zeros(SEATS, np.int64)
    )


def part_of_average(view, seat, actions, worlds, begin, end):
    """The deals `begin` to `end` alone: what one of several processes adds up. `actions` is int64[n]."""
    part = new_average(view, seat, actions, worlds)
    add_values(view, seat, actions, begin, end, worlds, part.sums, part.won, part.holders)
    part.done = end - begin
    return part


def averaging_steps(view, seat, actions, most=None, step=1000) -> Iterator[Average]:
    """Add up all possible deals (or `most`), `step` at a time: yields the average so far after each step."""
    average = new_average(view, seat, actions, most)
    for begin in range(0, average.worlds, step):
        end = min(begin + step, average.worlds)
        average.add(part_of_average(view, seat, actions, average.worlds, begin, end))
        yield average
