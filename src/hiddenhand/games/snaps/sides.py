"""Who plays with whom, who may be the partner as far as a seat can tell, and the points of a side."""

import numpy as np

from hiddenhand.games.snaps.cards import NONE, SEATS, bit, suit_of
from hiddenhand.games.snaps.state import ENOUGH, FINISHED
from hiddenhand.kernel import rule


@rule
def after(s, seat):
    """Who plays after this seat."""
    return np.int64((seat + s.direction) & 3)


@rule
def trump_of(s):
    return suit_of(s.named)


@rule
def side_with(s, seat, holder):
    """The side of a seat if `holder` had the named card: 0 is the chooser's."""
    return 0 if seat == s.chooser or seat == holder else 1


@rule
def side(s, seat):
    return side_with(s, seat, s.holder)


@rule
def total_with(s, which, holder, more):
    """The points of a side if `holder` had the named card, with `more` of a bonus just announced.

    A bonus counts once the side has taken a trick.
    """
    points = 0
    bonus = more
    tricks = 0
    for seat in range(SEATS):
        if side_with(s, seat, holder) == which:
            points += s.points[seat]
            bonus += s.bonus[seat]
            tricks += s.tricks[seat]
    return points + bonus if tricks > 0 else points


@rule
def possible_holders(s, seat):
    """A mask of seats: who may have been dealt the named card, as far as this seat can tell."""
    if s.holder != NONE and (s.holder == seat or s.phase == FINISHED):
        return np.int64(1) << s.holder
    card = s.named
    for i in range(s.plays):
        if s.played[i] == card:
            return np.int64(1) << s.played_by[i]
    mask = np.int64(0)
    for other in range(SEATS):
        if s.shows[other] & bit(card):
            return np.int64(1) << other
        if other != seat and s.lacks[other] & bit(card) == 0:
            mask |= np.int64(1) << other
    return mask


@rule
def best_total(s, seat, more):
    """The most points that this seat's side can have, as far as it can tell, with `more` of a bonus.

    Exact from 66 on; below that a number below 66.
    """
    everything = more
    for other in range(SEATS):
        everything += s.points[other] + s.bonus[other]
    if everything < ENOUGH:
        return everything  # not yet worth a closer look
    holders = possible_holders(s, seat)
    best = 0
    for holder in range(SEATS):
        if holders >> holder & 1:
            best = max(best, total_with(s, side_with(s, seat, holder), holder, more))
    return best
