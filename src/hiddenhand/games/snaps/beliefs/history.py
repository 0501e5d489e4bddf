"""The past of a deal, read from a view: every decision that was made, as the one who made it saw the table.

What is public is the same in every world that agrees with the view. So one such world is played again, and the state
before each move is kept; whose hand it was is filled in later, for each hand that is thinkable.
"""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS, NONE, SEATS, bit
from hiddenhand.games.snaps.rules import play
from hiddenhand.games.snaps.state import (
    CHOOSING,
    KONTRA,
    KONTRA_ROUND,
    MARRIAGE,
    PASS,
    REKONTRA,
    REKONTRA_ROUND,
    STATE,
    begin,
)
from hiddenhand.kernel import copy, room, rule

MOST_DECISIONS = 1 + 3 + 3 + CARDS


@rule
def new_states(n):
    """Room for n states."""
    return room(STATE, n)


@rule
def past_decisions(view, hands, rng, past, actions):
    """Write past[i], the state before move i, and actions int64[i]; returns the number of moves so far.

    hands int64[4] are the hands now, in any world that agrees with the view; past has room for one state more than
    MOST_DECISIONS, which is worked on.
    """
    s = past[MOST_DECISIONS]
    copy(s, view)
    for seat in range(SEATS):
        s.hands[seat] = hands[seat]
    for i in range(view.plays):
        s.hands[view.played_by[i]] |= bit(view.played[i])
    begin(s)
    n = 0
    while True:
        action = next_action(s, view)
        if action == NONE:
            return n
        copy(past[n], s)
        actions[n] = action
        n += 1
        play(s, action, rng)


@rule
def next_action(s, view):
    """What the mover did next on the way from state s to the view; NONE when it is reached."""
    if s.phase == CHOOSING:
        return np.int64(view.named)
    if s.phase == KONTRA_ROUND:
        if s.mover == view.doubled_by:
            return np.int64(KONTRA)
        return np.int64(NONE if view.phase == KONTRA_ROUND and s.answers == view.answers else PASS)
    if s.phase == REKONTRA_ROUND:
        if s.mover == view.redoubled_by:
            return np.int64(REKONTRA)
        return np.int64(NONE if view.phase == REKONTRA_ROUND and s.answers == view.answers else PASS)
    if s.plays == view.plays:
        return np.int64(NONE)
    announced = s.plays & 3 == 0 and view.announced[s.plays >> 2] != 0
    return np.int64(view.played[s.plays]) + (MARRIAGE if announced else 0)
