"""A position of the game as the solver takes it."""

import numpy as np

from hiddenhand.games.snaps.cards import SEATS, bit
from hiddenhand.games.snaps.sides import total_with, trump_of
from hiddenhand.games.snaps.solver.bits import TRUMPS, WORTH, suit_of_card, trumps_on_top
from hiddenhand.games.snaps.solver.table import DEALS, forget
from hiddenhand.games.snaps.solver.tricks import (
    BEST,
    GENERATION,
    HANDS,
    HIGH,
    LEADER,
    LED,
    NEED,
    NEED_1,
    OTHERS,
    PENDING,
    POT,
    RELAXED,
    STRICT,
    TABLED,
    TAKEN,
    TAKER,
    new_deal,
)
from hiddenhand.games.snaps.state import ENOUGH, STATE, TRICKS
from hiddenhand.kernel import lowest_bit, room, rule


@rule
def new_state():
    """An array with room for one state: element 0."""
    return room(STATE, 1)


@rule
def place_of(s, seat):
    """0 for the chooser, 1 for who plays after him, and so on."""
    return (np.int64(seat) - s.chooser) * s.direction & 3


@rule
def card_bit(s, card):
    return trumps_on_top(bit(card), trump_of(s))


@rule
def load(s, m):
    """Read a state in which a card has been named: the hands, the sides, the score and the trick on the table.

    Returns the level at which it stands. While kontra is discussed it is the position before the first lead.
    """
    if m[GENERATION] >= DEALS - 1:
        forget(m)
    new_deal(m)
    load_sides(s, m)
    plays = np.int64(s.plays)
    first = plays & ~3
    leader = s.chooser
    if plays > first:
        leader = s.played_by[first]
    elif s.phase == TRICKS:
        leader = s.mover
    m[LEADER + (first >> 2)] = place_of(s, leader)
    load_trick(s, m, first, plays)
    return plays


@rule
def load_sides(s, m):
    trump = trump_of(s)
    plays = np.int64(s.plays)
    others = np.int64(0)
    taken = np.int64(0)
    pending = np.int64(0)
    for seat in range(SEATS):
        place = place_of(s, seat)
        m[HANDS + place] = trumps_on_top(s.hands[seat], trump)
        against = seat != s.chooser and seat != s.holder
        if against:
            others |= np.int64(1) << place
        else:
            pending += s.bonus[seat]
        if s.tricks[seat] > 0:
            taken |= np.int64(2) if against else np.int64(1)
    m[OTHERS] = others
    m[RELAXED] = s.relaxed
    m[STRICT] = 3 if s.strict_claim != 0 and s.auto_claim == 0 else 0
    m[TAKEN + (plays >> 2)] = taken
    m[PENDING + plays] = 0 if taken & 1 else pending
    m[NEED + plays] = ENOUGH - total_with(s, 0, s.holder, 0)
    m[NEED_1 + plays] = ENOUGH - total_with(s, 1, s.holder, 0)


@rule
def load_trick(s, m, first, plays):
    """The cards on the table, if any."""
    m[TABLED + plays] = 0
    if plays == first:
        return
    best = card_bit(s, s.played[first])
    suit = suit_of_card(best)
    taker = place_of(s, s.played_by[first])
    high, tabled, pot = best, best, WORTH[lowest_bit(best)]
    for i in range(first + 1, plays):
        card = card_bit(s, s.played[i])
        tabled |= card
        pot += WORTH[lowest_bit(card)]
        high = max(high, card & suit)
        if card & (suit | TRUMPS) > best:
            best = card
            taker = place_of(s, s.played_by[i])
    m[LED + (first >> 2)] = suit
    m[TABLED + plays] = tabled
    m[HIGH + plays] = high
    m[BEST + plays] = best
    m[TAKER + plays] = taker
    m[POT + plays] = pot
