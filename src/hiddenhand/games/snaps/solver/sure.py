"""Tricks that a leader is sure of, without any search."""

import numpy as np

from hiddenhand.games.snaps.cards import RANKS, SEATS, SUIT
from hiddenhand.games.snaps.solver.bits import TRUMP_SUIT, TRUMPS
from hiddenhand.games.snaps.solver.tricks import HANDS
from hiddenhand.kernel import count_bits, highest_of, inlined


@inlined
def sure_cards(m, leader):
    """Cards with which the leader can take a trick each, whatever the others do.

    The trumps above all others; and if these draw every trump there is, his other trumps, and in each suit the cards
    above all others.
    """
    hand = m[HANDS + leader]
    rest = np.int64(0)
    longest = 0
    for i in range(1, SEATS):
        other = m[HANDS + ((leader + i) & 3)]
        rest |= other
        longest = max(longest, count_bits(other & TRUMPS))
    sure = on_top(hand, rest, TRUMPS)
    if count_bits(sure) < longest:
        return sure
    sure |= hand & TRUMPS
    for suit in range(TRUMP_SUIT):
        sure |= on_top(hand, rest, np.int64(SUIT) << (suit * RANKS))
    return sure


@inlined
def on_top(hand, rest, suit):
    """The cards of a suit that are above all of the rest."""
    below = rest & suit
    if below == 0:
        return hand & suit
    return hand & suit & -(highest_of(below) << 1)
