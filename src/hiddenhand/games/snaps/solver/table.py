"""The table of positions: what is known about a position between two tricks, for whatever points.

Within a deal a position is the cards still held (24 bits), the leader, and the pending bonus. That, with the question
asked, is the whole key, kept in full beside the number of the deal (the generation): an entry can be missing, but
never wrong. Each entry has two words, the key and what was found.
"""

from hiddenhand.games.snaps.cards import CARDS
from hiddenhand.games.snaps.solver.tricks import GENERATION, LEADER, PENDING, TABLE, all_hands
from hiddenhand.kernel import inlined, rule

SPREAD = 0x5BD1E995  # odd and below 2**31, as the key is: their product fits into 63 bits
NOTHING = -1
DEALS = 1 << 31


@inlined
def key_of(m, p, question):
    return (
        m[GENERATION] << 32
        | question << 28
        | m[PENDING + p] // 20 << 26
        | m[LEADER + (p >> 2)] << CARDS
        | all_hands(m)
    )


@inlined
def slot_of(m, key):
    """Where the entry with this key is, if it is."""
    entries = (len(m) - TABLE) >> 1
    return TABLE + (((key & 0x7FFFFFFF) * SPREAD >> 20 & (entries - 1)) << 1)


@rule
def forget(m):
    """Empty the table and begin to count deals again."""
    for i in range(TABLE, len(m)):
        m[i] = 0
    m[GENERATION] = 0
