"""By how many points the chooser's side comes out ahead with open cards, if every trick is played and nobody claims.

The search answers whether that side gets at least `need[0] - need[1]` points more than the others from here on, and
with which margin at least (yes) or at most (no) the proof holds. The margin from a position on does not depend on
what was won before, so the table of positions keeps a lower and an upper bound. A few such questions, each starting
from the answer of the last, close in on the exact margin (MTD(f), A. Plaat and others, 1996).

To announce a marriage costs nothing, so it is always announced. A card just as strong as one that has failed is left
out if the difference in points, counted twice, cannot save it.
"""

from hiddenhand.games.snaps.solver.memory import BAD, GOOD, choose, key_of, remember, slot_of
from hiddenhand.games.snaps.solver.tricks import (
    ALWAYS,
    FOUND,
    KEY,
    LAST_TRICK,
    TRUMPS,
    WORTH,
    advance,
    alike,
    all_hands,
    duties,
    mover,
    pairs,
    points,
    side_of,
    sure_cards,
    take_back,
    taker_of_last,
)
from hiddenhand.kernel import count_bits, inlined, lowest_bit, rule

UNDECIDED, NO, YES = -1, 1, 0  # the side that has its way
FAR = 1000  # more than any margin
QUESTION = 7
WORD = 0xFFFF


@rule
def exact_margin(m, root, guess):
    """Points of the chooser's side less those of the others from level `root` on; a good guess saves time."""
    need, need_1 = m.need[0, root], m.need[1, root]
    m.need[1, root] = 0
    low, high = -FAR, FAR
    margin = guess
    while low < high:
        m.need[0, root] = margin + 1 if margin == low else margin
        answer, margin = reaches(m, root)
        if answer == YES:
            low = margin
        else:
            high = margin
    m.need[0, root], m.need[1, root] = need, need_1
    return low


@rule
def reaches(m, root):
    """YES or NO, and the margin that is proved."""
    p = root
    while True:
        m.nodes += 1
        answer, margin, hint = look(m, p)
        while answer != UNDECIDED or m.moves[p] == 0:
            if answer == UNDECIDED:
                answer = 1 - side_of(m, mover(m, p))
                margin = m.most[p]
                store(m, p, answer, margin)
            if p == root:
                return answer, margin
            p -= 1
            take_back(m, p)
            answer, margin = judge(m, p, answer, margin)
            hint = 0
        advance(m, p, choose(m, p, hint), ALWAYS)
        p += 1


@inlined
def look(m, p):
    """Begin with level p: the answer if it is clear (otherwise UNDECIDED), its margin, a recommended move."""
    hint = 0
    if p & 3 == 0:
        target = m.need[0, p] - m.need[1, p]
        if p >= LAST_TRICK:
            margin = last_trick(m, p) if p == LAST_TRICK else 0
            return YES if margin >= target else NO, margin, 0
        low, high, hint = recall(m, p)
        if low >= target:
            return YES, low, 0
        if high < target:
            return NO, high, 0
        low, high = static_bounds(m, p)
        if low >= target:
            return YES, low, 0
        if high < target:
            return NO, high, 0
    m.moves[p] = duties(m, p, m.hands[mover(m, p)])
    m.most[p] = FAR if side_of(m, mover(m, p)) == NO else -FAR
    return UNDECIDED, 0, hint


@inlined
def last_trick(m, p):
    gain = points(all_hands(m))
    return -gain if side_of(m, taker_of_last(m, p)) == 1 else gain + m.pending[p]


@inlined
def static_bounds(m, p):
    """Bounds of the margin by the points still to be won and the tricks that the leader is sure of."""
    left = points(all_hands(m))
    low = -left - marriages(m, 1)
    high = left + marriages(m, 0) + m.pending[p]
    leader = mover(m, p)
    sure = sure_cards(m, leader)
    if sure == m.hands[leader]:
        return (left + m.pending[p], high) if side_of(m, leader) == 0 else (low, -left)
    if sure != 0:
        gain = 2 * points(sure)
        if side_of(m, leader) == 0:
            low += gain + m.pending[p]
        else:
            high -= gain
    return low, high


@inlined
def marriages(m, side):
    """The most that a side can still announce."""
    bonus = 0
    for place in range(4):
        if side_of(m, place) == side:
            married = pairs(m.hands[place])
            bonus += 10 * (count_bits(married) + count_bits(married & TRUMPS))
    return bonus


@inlined
def judge(m, p, answer, margin):
    """The card tried at level p is answered: is the level? Otherwise UNDECIDED."""
    margin += m.gain[p] if m.gainer[p] == 0 else -m.gain[p]
    card = m.card[p]
    if answer == side_of(m, mover(m, p)):
        remember(m, p, card, GOOD)
        store(m, p, answer, margin)
        return answer, margin
    remember(m, p, card, BAD)
    fall_back(m, p, answer, margin)
    if m.moves[p] != 0:
        strike_out(m, p, card, answer, margin)
    return UNDECIDED, 0


@inlined
def fall_back(m, p, answer, margin):
    """What the mover gets if all his moves fail: the best of them."""
    m.most[p] = min(m.most[p], margin) if answer == YES else max(m.most[p], margin)


@inlined
def strike_out(m, p, card, answer, margin):
    """Leave out cards as strong as one that failed if the exchange of their points cannot change the answer."""
    target = m.need[0, p] - m.need[1, p]
    same = m.moves[p] & alike(m, p, card)
    while same != 0:
        other = same & -same
        same ^= other
        moved = 2 * abs(WORTH[lowest_bit(other)] - WORTH[lowest_bit(card)])
        bound = margin - moved if answer == YES else margin + moved
        if (bound >= target) == (answer == YES):
            m.moves[p] ^= other
            fall_back(m, p, answer, bound)


@inlined
def recall(m, p):
    """The bounds of the margin in the table, and a recommended move."""
    key = key_of(m, p, QUESTION)
    slot = slot_of(m, key)
    if m.table[slot, KEY] != key:
        return -FAR, FAR, 0
    found = m.table[slot, FOUND]
    return (found & WORD) - FAR, (found >> 16 & WORD) - FAR, found >> 32


@inlined
def store(m, p, answer, margin):
    """Keep a bound between two tricks, and the move if it was the one that gave it."""
    if p & 3 != 0:
        return
    key = key_of(m, p, QUESTION)
    slot = slot_of(m, key)
    found = m.table[slot, FOUND]
    if m.table[slot, KEY] != key:
        m.table[slot, KEY] = key
        found = 2 * FAR << 16
    if answer == YES:
        found = found & ~WORD | margin + FAR
    else:
        found = found & ~(WORD << 16) | margin + FAR << 16
    if answer == side_of(m, mover(m, p)):
        found = found & 0xFFFFFFFF | m.card[p] << 32
    m.table[slot, FOUND] = found
