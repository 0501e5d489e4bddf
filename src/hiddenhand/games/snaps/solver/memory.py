"""What the solver remembers: positions that it has searched, and moves that were good.

The table of positions says what is known about a position between two tricks, for whatever points. Within a deal a
position is the cards still held (24 bits), the leader, and the pending bonus. That, with the question asked, is the
whole key, kept in full beside the number of the deal (the generation): an entry can be missing, but never wrong. Each
entry has two words, the key and what was found.

Which move is tried first: the last player of a trick knows who takes it: he gives the most points to his own side,
the fewest to the other. Everybody else begins with the move that the table recommends, and goes on with those that
were good elsewhere in the same deal (the history heuristic).
"""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS
from hiddenhand.games.snaps.solver.tricks import (
    TRUMPS,
    WORTH,
    all_hands,
    mover,
    side_of,
)
from hiddenhand.kernel import inlined, lowest_bit

# --- the table of positions -----------------------------------------------------------------------

SPREAD = 0x5BD1E995  # odd and below 2**31, as the key is: their product fits into 63 bits
DEALS = 1 << 31


@inlined
def key_of(m, p, question):
    return m.generation << 32 | question << 28 | m.pending[p] // 20 << 26 | m.leader[p >> 2] << CARDS | all_hands(m)


@inlined
def slot_of(m, key):
    """Where the entry with this key is, if it is."""
    return (key & 0x7FFFFFFF) * SPREAD >> 20 & (m.entries - 1)


# --- which move first -----------------------------------------------------------------------------

GOOD, BAD = 4, -1


@inlined
def choose(m, p, hint):
    """Take the most promising of the moves not tried yet at level p."""
    moves = m.moves[p]
    if moves & (moves - 1) == 0:
        card = moves
    elif hint & moves != 0:
        card = hint
    elif p & 3 == 3:
        card = last_in_trick(m, p, moves)
    else:
        card = most_successful(m, p, moves)
    m.moves[p] = moves ^ card
    return card


@inlined
def last_in_trick(m, p, moves):
    if side_of(m, m.taker[p]) == side_of(m, mover(m, p)):
        return richest(moves, 1)
    wins = moves & (m.led[p >> 2] | TRUMPS) & -(m.best[p] << 1)
    if wins != 0:
        return richest(wins, 1)
    return richest(moves, -1)


@inlined
def richest(moves, sign):
    """The card with the most points, or with the fewest if `sign` is -1."""
    best = np.int64(-100)
    chosen = np.int64(0)
    while moves != 0:
        card = moves & -moves
        worth = sign * WORTH[lowest_bit(card)]
        if worth > best:
            best = worth
            chosen = card
        moves ^= card
    return chosen


@inlined
def most_successful(m, p, moves):
    successes = m.history[p & 3, mover(m, p)]
    best = successes[lowest_bit(moves)]
    chosen = moves & -moves
    moves ^= chosen
    while moves != 0:
        card = moves & -moves
        score = successes[lowest_bit(card)]
        if score > best:
            best = score
            chosen = card
        moves ^= card
    return chosen


@inlined
def remember(m, p, card, how):
    """Note whether a move was good."""
    m.history[p & 3, mover(m, p), lowest_bit(card)] += how
