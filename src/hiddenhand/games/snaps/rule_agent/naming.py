"""Which card to name, and when to say kontra: hands are scored by a table of points."""

import numpy as np

from hiddenhand.games.snaps.cards import ACE, KING, OVER_KNAVE, PAIR, RANKS, SUITS, TEN, bit, count, suit_mask
from hiddenhand.kernel import rule


@rule
def trump_score(hand, suit):
    """How good a suit would be as trumps."""
    cards = (hand >> (suit * RANKS)) & suit_mask(0)
    score = 10 * count(cards)
    if cards >> ACE & 1:
        score += 10
    if cards >> TEN & 1:
        score += 7
    if cards & PAIR == PAIR:
        score += 20
    return score + side_score(hand, suit)


@rule
def side_score(hand, trump):
    score = 0
    for suit in range(SUITS):
        if suit != trump:
            cards = (hand >> (suit * RANKS)) & suit_mask(0)
            if cards >> ACE & 1:
                score += 8
            if cards & PAIR == PAIR:
                score += 8
    return score


@rule
def card_to_name(hand):
    best, trump = -1, 0
    for suit in range(SUITS):
        score = trump_score(hand, suit)
        if score > best:
            best, trump = score, suit
    for rank in range(RANKS - 1, -1, -1):
        card = trump * RANKS + rank
        if hand & bit(card) == 0:
            return card
    return np.int64(trump * RANKS + ACE)


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
    return score + side_score(hand, trump)
