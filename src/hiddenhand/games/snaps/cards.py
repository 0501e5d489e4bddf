"""The 24 cards of snaps as numbers and as bits, and what they do in a trick.

A card is 6 * suit + rank, and bit `1 << card` of a mask. Suits: hearts, leaves, acorns, bells. Ranks from low to
high: nine, under, over, king, ten, ace: the ten outranks the king.

A follower who has the suit led must play it, and must beat the highest card of that suit in the trick if he can. One
who has not must trump, and must beat the highest trump in the trick if he can. One who has neither plays what he
likes. The duties hold even when the partner is winning. With `relaxed`, the suit led need not be beaten once
somebody has trumped. A trick is described by the suit led, the highest card of that suit in it, and its highest trump
(NONE if there is none, or if trumps were led).
"""

from typing import Any

import numpy as np

from hiddenhand.kernel import count_bits, lowest_bit, rule

Array = np.ndarray[Any, Any]

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
def of_suit(hand, suit):
    """The cards of a suit, as if they were hearts."""
    return (hand >> (suit * RANKS)) & SUIT


@rule
def above(card):
    """The cards of the same suit that are higher."""
    return suit_mask(suit_of(card)) & ~(bit(card + 1) - 1)


@rule
def count(mask):
    """How many cards are in a mask."""
    return count_bits(np.int64(mask))


@rule
def lowest(mask):
    """The lowest card of a mask that is not empty."""
    return lowest_bit(np.int64(mask))


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


# --- a trick --------------------------------------------------------------------------------------


@rule
def best_cards(played, first, plays, trump):
    """(suit led, highest card of it, highest trump) of the trick that began with played[first]."""
    led = suit_of(played[first])
    high = np.int64(played[first])
    high_trump = np.int64(NONE)
    for i in range(first + 1, plays):
        card = np.int64(played[i])
        if suit_of(card) == led:
            high = max(high, card)
        elif suit_of(card) == trump:
            high_trump = max(high_trump, card)
    return led, high, high_trump


@rule
def allowed(hand, led, high, high_trump, trump, relaxed):
    """The cards of a hand that its owner may play as a follower."""
    hand = np.int64(hand)
    follows = hand & suit_mask(led)
    if follows != 0:
        better = follows & above(high)
        if better != 0 and not (relaxed != 0 and high_trump != NONE):
            return better
        return follows
    trumps = hand & suit_mask(trump)
    if trumps != 0:
        if high_trump != NONE and trumps & above(high_trump) != 0:
            return trumps & above(high_trump)
        return trumps
    return hand


@rule
def revealed(card, led, high, high_trump, trump, relaxed):
    """The cards that a follower who plays `card` cannot hold."""
    if suit_of(card) == led:
        if card > high or (relaxed != 0 and high_trump != NONE):
            return np.int64(0)
        return above(high)
    missing = suit_mask(led)
    if suit_of(card) != trump:
        return missing | suit_mask(trump)
    if high_trump != NONE and card < high_trump:
        return missing | above(high_trump)
    return missing


@rule
def trick_winner(played, first, trump):
    """Which of the four cards from played[first] on wins: 0 for the leader's."""
    best = 0
    for i in range(1, 4):
        if beats(played[first + i], played[first + best], trump):
            best = i
    return best


@rule
def beats(card, other, trump):
    """Whether a later card beats an earlier one."""
    if suit_of(card) == suit_of(other):
        return card > other
    return suit_of(card) == trump
