"""Work to be timed: random deals solved, possible deals counted and drawn, in compiled loops."""

import numpy as np

from hiddenhand.belief.deals import draw_deal
from hiddenhand.games.snaps.cards import CARDS, RANKS, SUIT, SUITS, count, points_in
from hiddenhand.games.snaps.knowledge import possible_deals
from hiddenhand.games.snaps.rules import name_card
from hiddenhand.games.snaps.solver import solve
from hiddenhand.games.snaps.state import deal
from hiddenhand.kernel import rule


@rule
def sensible_card(hand):
    """The highest card that is missing in the longest suit of a hand; of equally long ones, in the richest."""
    best = -1
    named = 0
    for suit in range(SUITS):
        held = np.int64(hand) >> (RANKS * suit) & SUIT
        strength = 100 * count(held) + points_in(held)
        if strength > best:
            best = strength
            named = RANKS * suit
            for rank in range(RANKS):
                if held >> rank & 1 == 0:
                    named = RANKS * suit + rank
    return named


@rule
def solve_deals(s, deals, objective, memory, rng):
    """Deal, name a sensible card and solve, so many times; returns the sum of the values."""
    total = 0
    for _ in range(deals):
        deal(s, rng)
        name_card(s, sensible_card(s.hands[s.chooser]))
        total += solve(s, objective, memory)
    return total


@rule
def count_deals(s, seat, times):
    """Count the deals that a seat holds possible, so many times; returns the number."""
    total = 0.0
    for _ in range(times):
        total = possible_deals(s, seat).total
    return total


@rule
def draw_deals(s, seat, deals, rng):
    """Draw so many of the deals that a seat holds possible; returns a number that depends on all of them."""
    possible = possible_deals(s, seat)
    owners = np.empty(CARDS, np.int64)
    total = 0
    for _ in range(deals):
        draw_deal(possible.weights, possible.slots, possible.ways, rng, owners)
        total += owners[0]
    return total
