"""Which card to name, and when to say kontra: hands are scored by a table of points."""

import numpy as np

from hiddenhand.games.snaps.cards import ACE, KING, NONE, OVER_KNAVE, PAIR, RANKS, SUIT, SUITS, TEN, bit, count, suit_mask
from hiddenhand.kernel import rule

DUO_LENGTH = np.array([0, 16, 32, 48, 48, 41, 41])
ALONE_LENGTH = np.array([-742, -610, -478, -346, -248, -285, -100])


@rule
def in_suit(hand, suit):
    return (hand >> (suit * RANKS)) & SUIT


@rule
def duo_score(hand, trump):
    """How well a suit would do as trumps with a partner, in hundredths of a stake."""
    cards = in_suit(hand, trump)
    score = 4 + DUO_LENGTH[count(cards)]
    score += 13 * (cards >> ACE & 1) + 14 * (cards >> TEN & 1) + 8 * (cards >> KING & 1) + 5 * (cards >> OVER_KNAVE & 1)
    if cards & PAIR == PAIR:
        score += 20
    for suit in range(SUITS):
        if suit != trump:
            side = in_suit(hand, suit)
            score += 17 * (side >> ACE & 1) + 2 * (side >> TEN & 1)
            if side & PAIR == PAIR:
                score += 15
            if side == 0:
                score += 5
    return score


@rule
def alone_score(hand, trump):
    """The same without a partner."""
    cards = in_suit(hand, trump)
    score = ALONE_LENGTH[count(cards)]
    score += 128 * (cards >> ACE & 1) + 102 * (cards >> TEN & 1) + 66 * (cards >> KING & 1) + 52 * (cards >> OVER_KNAVE & 1)
    if cards & PAIR == PAIR:
        score += 136
    if cards >> TEN == 3:
        score += 52
    for suit in range(SUITS):
        if suit != trump:
            side = in_suit(hand, suit)
            score += 134 * (side >> ACE & 1) + 20 * (side >> TEN & 1)
            if side & PAIR == PAIR:
                score += 75
            if side == 0:
                score += 64
    return score


@rule
def card_to_name(hand, x):
    best, trump = -10000, 0
    alone, lone = -10000, 0
    for suit in range(SUITS):
        score = min(duo_score(hand, suit), 95)
        if score > best:
            best, trump = score, suit
        score = alone_score(hand, suit)
        if score > alone and in_suit(hand, suit) != 0:
            alone, lone = score, suit
    if alone > best + 50 * (x >> 8 & 7):
        return highest_rank(hand, lone, 1)
    return highest_rank(hand, trump, 0)


@rule
def highest_rank(hand, suit, own):
    for rank in range(RANKS - 1, -1, -1):
        card = suit * RANKS + rank
        if hand >> card & 1 == own:
            return np.int64(card)
    return np.int64(suit * RANKS + ACE)


@rule
def defence_score(hand, trump):
    cards = (hand >> (trump * RANKS)) & suit_mask(0)
    score = 10 * count(cards)
    if cards >> ACE & 1:
        score += 10
    if cards >> TEN & 1:
        score += 7
    if cards & ((1 << KING) | (1 << OVER_KNAVE)):
        score += 3
    return score + 8 * count(hand & 0x820820)
