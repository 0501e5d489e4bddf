"""What players know of their hands, and what follows for their next move."""

import numpy as np

from hiddenhand.games.hanabi.deduction import (
    OF_COLOURS,
    OF_RANKS,
    by_hints,
    count_covered,
    count_unseen,
    left_cards,
    single,
    surely,
)
from hiddenhand.games.hanabi.rules import CARDS, NONE, RANKS, SLOTS
from hiddenhand.kernel import rule

SEATS = 5


@rule
def deduce(v, owner, me, letter, counts, known):
    """Write into known[owner, slot] what its cards can be, as far as seat `me` is sure that the owner knows.

    Hints, then counting, and then counting the cards that are known by now: as many slots as there are copies of a
    card, all known to be that card, leave none for the other slots. `counts`: room for 25 numbers; afterwards the
    copies that the owner cannot see. By the letter of the thesis only the cards that lie open are counted.
    """
    if letter != 0:
        count_covered(v, counts)
    else:
        count_unseen(v, owner, me, counts)
    left = left_cards(counts)
    for slot in range(SLOTS):
        known[owner, slot] = by_hints(v, owner, slot) & left
    for _ in range(SLOTS):
        changed = False
        for slot in range(SLOTS):
            if single(known[owner, slot]):
                changed |= exclude(known, owner, known[owner, slot], counts)
        if not changed:
            break


@rule
def exclude(known, owner, only, counts):
    """If the slots known to be a card (`only`, a set of one) account for all its copies, no other slot is that card.

    Whether that told anything.
    """
    copies = 0
    for slot in range(SLOTS):
        if known[owner, slot] == only:
            copies += 1
    for card in range(CARDS):
        if only == 1 << card and copies < counts[card]:
            return False
    changed = False
    for slot in range(SLOTS):
        if known[owner, slot] != only and known[owner, slot] & only != 0:
            known[owner, slot] &= ~only
            changed = True
    return changed


@rule
def deduce_all(v, me, letter, counts, known):
    """`deduce` for every seat: known[seat, slot], 0 where there is no card. counts: the copies I do not see."""
    for seat in range(SEATS):
        for slot in range(SLOTS):
            known[seat, slot] = 0
    for seat in range(np.int64(v.players)):
        if seat != me:
            deduce(v, seat, me, letter, counts, known)
    deduce(v, me, me, letter, counts, known)


@rule
def named_cards(kind, value):
    """The cards that a hint names."""
    return OF_RANKS[1 << value] if kind == 1 else OF_COLOURS[1 << value]


@rule
def lowest_rank(cards):
    """The lowest rank (0 for the ones) in a set of cards that is not empty."""
    rank = 0
    while rank < RANKS - 1 and cards & OF_RANKS[1 << rank] == 0:
        rank += 1
    return rank


# ---- what an owner does with a hand
#
# Here `cards` is a row: what each of the five slots can be, 0 where there is no card.


@rule
def lowest_within(cards, part):
    """Of the slots that are surely in `part`, the one that can be of the lowest rank, the oldest if several; NONE."""
    best, lowest = NONE, RANKS
    for slot in range(SLOTS):
        if surely(cards[slot], part) and lowest_rank(cards[slot]) < lowest:
            best, lowest = slot, lowest_rank(cards[slot])
    return best


@rule
def oldest_within(cards, part):
    """The oldest slot that is surely in `part`, or NONE."""
    for slot in range(SLOTS):
        if surely(cards[slot], part):
            return slot
    return NONE


@rule
def spare_slot(cards, touched, useless, critical, letter):
    """The slot to give up: the oldest that is surely useless; or else untouched, or by the letter of the thesis not
    wholly known; or else not surely critical; or else the oldest of all."""
    best, least = 0, 4
    for slot in range(SLOTS):
        if cards[slot] == 0:
            continue
        cost = 3
        if surely(cards[slot], useless):
            cost = 0
        elif (letter == 0 and touched[slot] == 0) or (letter != 0 and not single(cards[slot])):
            cost = 1
        elif not surely(cards[slot], critical):
            cost = 2
        if cost < least:
            best, least = slot, cost
    return best
