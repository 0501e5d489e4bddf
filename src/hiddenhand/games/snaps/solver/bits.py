"""Sets of cards as bits, with the trumps on top: the arithmetic under the solver.

A card is one bit. The suits are exchanged so that trumps are bits 18 to 23: then a card beats another in a trick if
it is of the suit led or a trump, and its bit is higher. Counting bits takes one instruction of the processor each.
"""

import numpy as np

from hiddenhand.games.snaps.cards import PAIR, RANKS, SUIT, SUITS, VALUES
from hiddenhand.kernel import inlined, lowest_bit

TRUMP_SUIT = SUITS - 1
TRUMPS = SUIT << (TRUMP_SUIT * RANKS)
OVERS = sum((PAIR & -PAIR) << (RANKS * suit) for suit in range(SUITS))
WORTH = VALUES.astype(np.int64)  # points of each card


@inlined
def suit_of_card(card):
    """The mask of the suit that a card (a bit) belongs to."""
    return np.int64(SUIT) << (lowest_bit(card) // RANKS * RANKS)


@inlined
def points(mask):
    total = 0
    while mask != 0:
        total += WORTH[lowest_bit(mask)]
        mask &= mask - 1
    return total


@inlined
def pairs(hand):
    """The kings and overs that make marriages in this hand."""
    return (hand >> 1 & hand & OVERS) * 3


@inlined
def trumps_on_top(mask, trump):
    """A mask with the suit `trump` exchanged for the top one; doing it twice changes nothing."""
    mask = np.int64(mask)
    low = np.int64(trump) * RANKS
    high = TRUMP_SUIT * RANKS
    difference = (mask >> low ^ mask >> high) & SUIT
    return mask ^ (difference << low | difference << high) if low != high else mask
