"""Sets of cards as bits, with the trumps on top: the arithmetic under the solver.

A card is one bit. The suits are exchanged so that trumps are bits 18 to 23: then a card beats another in a trick if
it is of the suit led or a trump, and its bit is higher. Counting bits takes one instruction of the processor each.
"""

import numpy as np

from hiddenhand.games.snaps.cards import PAIR, RANKS, SUIT, SUITS, VALUES
from hiddenhand.kernel import COMPILED, rule
from hiddenhand.kernel.compiling import inlined

TRUMP_SUIT = SUITS - 1
TRUMPS = SUIT << (TRUMP_SUIT * RANKS)
OVERS = sum((PAIR & -PAIR) << (RANKS * suit) for suit in range(SUITS))
WORTH = VALUES.astype(np.int64)  # points of each card

if COMPILED:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def number(typing_context, card):
        """Which bit it is, of a mask that is not 0: the lowest."""

        def generate(context, builder, signature, arguments):
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), generate

    @intrinsic
    def _zeros_above(typing_context, mask):
        def generate(context, builder, signature, arguments):
            return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), generate

    @intrinsic
    def size(typing_context, mask):
        """How many cards are in a mask."""

        def generate(context, builder, signature, arguments):
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    @rule
    def highest(mask):
        """The highest card (as a bit) of a mask that is not 0."""
        return np.int64(1) << (63 - _zeros_above(mask))

else:

    def number(card):
        card = int(card)
        return (card & -card).bit_length() - 1

    def size(mask):
        return int(mask).bit_count()

    def highest(mask):
        return np.int64(1) << (int(mask).bit_length() - 1)


@inlined
def suit_of_card(card):
    """The mask of the suit that a card (a bit) belongs to."""
    return np.int64(SUIT) << (number(card) // RANKS * RANKS)


@inlined
def points(mask):
    total = 0
    while mask != 0:
        total += WORTH[number(mask)]
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
