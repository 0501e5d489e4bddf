"""The 24 cards of snaps as numbers and as bits: card = 6 * suit + rank, bit `1 << card` of a mask.

Suits: hearts, leaves, acorns, bells. Ranks from low to high: nine, under, over, king, ten, ace: the ten outranks the
king.
"""

import numpy as np

from hiddenhand.kernel import rule

SUITS = 4
RANKS = 6
CARDS = SUITS * RANKS
SEATS = 4
HAND = CARDS // SEATS
NONE = -1

NINE, UNDER, OVER_KNAVE, KING, TEN, ACE = range(RANKS)
VALUES = np.array([0, 2, 3, 4, 10, 11] * SUITS)  # points of each card: 30 in a suit, 120 in all
ALL = (1 << CARDS) - 1
SUIT = (1 << RANKS) - 1  # the mask of hearts; shifted by 6 * suit, of any suit
PAIR = (1 << KING) | (1 << OVER_KNAVE)  # of hearts: the two cards of a marriage


@rule
def bit(card):
    return np.int64(1) << np.int64(card)


@rule
def suit_of(card):
    return np.int64(card) // RANKS


@rule
def suit_mask(suit):
    return np.int64(SUIT) << (np.int64(suit) * RANKS)


@rule
def above(card):
    """The cards of the same suit that are higher."""
    return suit_mask(suit_of(card)) & ~(bit(card + 1) - 1)


@rule
def count(mask):
    """How many cards are in a mask."""
    mask = np.int64(mask)
    n = 0
    while mask != 0:
        mask &= mask - 1
        n += 1
    return n


@rule
def lowest(mask):
    """The lowest card of a mask that is not empty."""
    low = np.int64(mask) & -np.int64(mask)
    card = 0
    while low > 1:
        low >>= 1
        card += 1
    return card


@rule
def points_in(mask):
    """The points of the cards in a mask."""
    total = 0
    for card in range(CARDS):
        if np.int64(mask) >> card & 1:
            total += VALUES[card]
    return total


@rule
def mate(card):
    """The other card of a marriage."""
    return card + 1 if card % RANKS == OVER_KNAVE else card - 1
