"""Which side wins with open cards: a search for a yes or a no.

Both sides lack some points (`need`). A side that lacks none when one of its players is to move claims and has won;
otherwise the last trick decides. With every answer come the bounds of its proof: it stays true as long as the winners
lack at most `most` points and the losers at least `least`, because more points never hurt (whoever has them can play
as before, and claim earlier). So one entry in the table of positions answers for many scores, and a card just as
strong as one that has failed need not be tried if the difference in points keeps within the bounds.

For the same reason a marriage is always announced: the search leaves the other choice out.

To announce and to claim is one action, unless the rules forbid it: then the side has its bit in `strict`, the search
goes on, and the claim comes with that side's next turn.
"""

from hiddenhand.games.snaps.cards import CARDS
from hiddenhand.games.snaps.solver.memory import BAD, GOOD, choose, key_of, remember, slot_of
from hiddenhand.games.snaps.solver.tricks import (
    ALWAYS,
    FOUND,
    KEY,
    LAST_TRICK,
    WORTH,
    advance,
    alike,
    duties,
    mover,
    points,
    side_of,
    sure_cards,
    take_back,
    taker_of_last,
)
from hiddenhand.kernel import inlined, lowest_bit, rule

UNDECIDED = -1
ANY = 200  # a bound that always holds: nobody lacks so much
BYTE = 255


@rule
def winning_side(m, root, first, question):
    """The side that wins from level `root` on: 0 is the chooser's. Side `first` wins with its first trick, if not -1.

    `question` (0 to 7) tells entries of the table apart that are about other needs or another `first`.
    """
    p = root
    while True:
        m.nodes += 1
        winner, most, least, hint = look(m, p, root, first, question)
        while winner != UNDECIDED or m.moves[p] == 0:
            if winner == UNDECIDED:
                winner = 1 - side_of(m, mover(m, p))
                most = m.most[p]
                least = m.least[p]
                store(m, p, question, winner, most, least)
            if p == root:
                return winner
            p -= 1
            take_back(m, p)
            winner, most, least = judge(m, p, question, winner, most, least)
            hint = 0
        advance(m, p, choose(m, p, hint), ALWAYS)
        p += 1


@inlined
def look(m, p, root, first, question):
    """Begin with level p: the winner if that is clear (otherwise UNDECIDED), its bounds, a recommended move."""
    side = side_of(m, mover(m, p))
    if m.need[side, p] <= 0:
        return side, 0, 1, 0
    if p & 3 == 0:
        return look_between_tricks(m, p, side, first, question)
    if p & 3 == 1 and p > root and m.gain[p - 1] != 0:
        leaders = m.gainer[p - 1]
        if m.need[leaders, p] <= 0 and m.strict >> leaders & 1 == 0:
            return leaders, 0, 1, 0
    begin(m, p)
    return UNDECIDED, 0, 0, 0


@inlined
def look_between_tricks(m, p, side, first, question):
    """`look` where `side` is to lead and lacks points."""
    if first >= 0 and m.taken[p >> 2] >> first & 1:
        return first, ANY, 1, 0
    they_claim = m.need[1 - side, p] <= 0  # as soon as it is their turn
    if p == CARDS:
        return side, ANY, 1, 0  # who would lead now took the last trick
    if p == LAST_TRICK:
        if they_claim:
            return 1 - side, 0, 1, 0
        return side_of(m, taker_of_last(m, p)), ANY, 1, 0
    hint = 0
    if not they_claim:
        winner, most, least, hint = recall(m, p, question)
        if winner != UNDECIDED:
            return winner, most, least, hint
        most = surely_won(m, p)
        if m.need[side, p] <= most:
            return side, most, 1, 0
    begin(m, p)
    return UNDECIDED, 0, 0, hint


@inlined
def begin(m, p):
    m.moves[p] = duties(m, p, m.hands[mover(m, p)])
    m.most[p] = ANY
    m.least[p] = 1


@inlined
def surely_won(m, p):
    """Points that the leader is sure of; ANY if he takes every trick."""
    leader = mover(m, p)
    sure = sure_cards(m, leader)
    return ANY if sure == m.hands[leader] else points(sure)


@inlined
def judge(m, p, question, winner, most, least):
    """The card tried at level p is answered: is the level? Otherwise UNDECIDED."""
    if m.gain[p] != 0:
        if winner == m.gainer[p]:
            most += m.gain[p]
        else:
            least += m.gain[p]
    card = m.card[p]
    if winner == side_of(m, mover(m, p)):
        remember(m, p, card, GOOD)
        store(m, p, question, winner, most, least)
        return winner, most, least
    remember(m, p, card, BAD)
    m.most[p] = min(m.most[p], most)
    m.least[p] = max(m.least[p], least)
    if m.moves[p] != 0:
        strike_out(m, p, card, winner, most, least)
    return UNDECIDED, 0, 0


@inlined
def strike_out(m, p, card, winner, most, least):
    """Leave out cards as strong as one that failed: the same proof holds if their points keep within its bounds.

    To exchange two cards moves the difference of their points at most once to each side, at any time.
    """
    same = m.moves[p] & alike(m, p, card)
    while same != 0:
        other = same & -same
        same ^= other
        moved = abs(WORTH[lowest_bit(other)] - WORTH[lowest_bit(card)])
        winners_need = m.need[winner, p]
        losers_need = m.need[1 - winner, p]
        if winners_need + moved <= most and losers_need - moved >= least:
            m.moves[p] ^= other
            m.most[p] = min(m.most[p], most - moved)
            m.least[p] = max(m.least[p], least + moved)


@inlined
def recall(m, p, question):
    """What the table says of level p, as `look` does. An entry has two bounds for each side that may win."""
    key = key_of(m, p, question)
    slot = slot_of(m, key)
    if m.table[slot, KEY] != key:
        return UNDECIDED, 0, 0, 0
    found = m.table[slot, FOUND]
    need, need_1 = m.need[0, p], m.need[1, p]
    if need <= found & BYTE and need_1 >= found >> 8 & BYTE:
        return 0, found & BYTE, found >> 8 & BYTE, 0
    if need_1 <= found >> 16 & BYTE and need >= found >> 24 & BYTE:
        return 1, found >> 16 & BYTE, found >> 24 & BYTE, 0
    return UNDECIDED, 0, 0, found >> 32


@inlined
def store(m, p, question, winner, most, least):
    """Keep an answer between two tricks, and the move if it won."""
    if p & 3 != 0 or m.need[0, p] <= 0 or m.need[1, p] <= 0:
        return
    key = key_of(m, p, question)
    slot = slot_of(m, key)
    found = m.table[slot, FOUND]
    if m.table[slot, KEY] != key:
        m.table[slot, KEY] = key
        found = 0
    bounds = min(most, ANY) | min(least, BYTE) << 8
    found = found & ~(0xFFFF << 16 * winner) | bounds << 16 * winner
    if winner == side_of(m, mover(m, p)):
        found = found & 0xFFFFFFFF | m.card[p] << 32
    m.table[slot, FOUND] = found
