"""How a deal of snaps came about: the hands as they were dealt, and all that was said and played since."""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS, HAND, NONE, OVER_KNAVE, PAIR, RANKS, SEATS, SUITS, bit, of_suit
from hiddenhand.games.snaps.state import (
    CHOOSING,
    DOST,
    KONTRA,
    KONTRA_ROUND,
    MARRIAGE,
    MARRIAGE_AND_CLAIM,
    PASS,
    REKONTRA,
    REKONTRA_ROUND,
    after,
    begin,
)
from hiddenhand.kernel import UNTOLD, copy, rule


@rule
def rewind(s, first, actions):
    if s.phase != CHOOSING and 0 < s.choose_after < HAND:
        return UNTOLD  # which cards the chooser had seen is forgotten
    return retrace(s, first, actions)


@rule
def retrace(s, first, actions):
    """`rewind`, whatever the chooser had seen when he named a card: nothing, if it is not known."""
    copy(first, s)
    if s.phase == CHOOSING:
        return 0
    for i in range(s.plays):
        first.hands[s.played_by[i]] |= bit(s.played[i])
    if s.choose_after == HAND:
        first.seen_first = first.hands[s.chooser]
    begin(first)
    actions[0] = s.named
    n = write_answers(s, actions, 1)
    for i in range(s.plays):
        announced = i & 3 == 0 and s.announced[i >> 2] != 0
        actions[n] = s.played[i] + MARRIAGE if announced else s.played[i]
        n += 1
    if s.plays & 3 == 0 and s.plays < CARDS and s.announced[s.plays >> 2] != 0:
        actions[n] = marriage_shown(s) + (MARRIAGE if s.claimant == NONE else MARRIAGE_AND_CLAIM)
        return n + 1
    if s.claimant != NONE:
        actions[n] = DOST
        return n + 1
    return n


@rule
def write_answers(s, actions, n):
    """The answers of both rounds, kontra and rekontra, from action n on; returns where the next one goes."""
    passes = SEATS - 1
    if s.phase == KONTRA_ROUND:
        passes = s.answers
    elif s.doubled_by != NONE:
        passes = seats_before(s, after(s, s.chooser), s.doubled_by, NONE)
    n = write_round(actions, n, passes, s.doubled_by, KONTRA)
    if s.doubled_by == NONE or s.with_rekontra == 0:
        return n
    passes = SEATS - 1
    if s.phase == REKONTRA_ROUND:
        passes = s.answers
    elif s.redoubled_by != NONE:
        passes = seats_before(s, s.chooser, s.redoubled_by, s.doubled_by)
    return write_round(actions, n, passes, s.redoubled_by, REKONTRA)


@rule
def seats_before(s, seat, last, unasked):
    """How many are asked from this seat on before the last, one of them not being asked."""
    n = 0
    while seat != last:
        if seat != unasked:
            n += 1
        seat = after(s, seat)
    return n


@rule
def write_round(actions, n, passes, speaker, word):
    for _ in range(passes):
        actions[n] = PASS
        n += 1
    if speaker != NONE:
        actions[n] = word
        n += 1
    return n


@rule
def marriage_shown(s):
    """The over of the marriage that ended the deal as it was announced: its two cards are still in the hand.

    With which of them the mover would have led is not kept, and makes no difference.
    """
    for suit in range(SUITS):
        if of_suit(np.int64(s.shows[s.mover]), suit) & PAIR == PAIR:
            return suit * RANKS + OVER_KNAVE
    return NONE
