"""What can be deduced in Hanabi: the status of every card, and what a player can know about a hand.

A card is a number, colour * 5 + rank - 1; a set of cards is a number whose bit i stands for card i, so that "this
card is surely playable" is one operation: possible & ~playable == 0. `v` is a view (or a state: the fields are the
same).

What a card can be follows from hints (`colours`, `ranks`) and from counting: a card all copies of which lie open
cannot be in the hand. Counting depends on who counts. A player sees every hand but its own; when I ask what another player
knows, I can rely only on the hands that both of us see, because I do not know what it sees in mine.
"""

import numpy as np

from hiddenhand.kernel import rule

COLOURS = 5
RANKS = 5
CARDS = 25
SLOTS = 5
SEATS = 5
NONE = -1
COPIES = np.array([3, 2, 2, 2, 1] * COLOURS)
NOBODY = -1

# Sets of cards, by colour and by rank, and by hint: what a mask of colours or ranks leaves.
OF_COLOURS = np.array([sum(1 << card for card in range(CARDS) if mask >> (card // 5) & 1) for mask in range(32)])
OF_RANKS = np.array([sum(1 << card for card in range(CARDS) if mask >> (card % 5) & 1) for mask in range(32)])


@rule
def reachable(v, colour):
    """The highest rank that this pile can still reach."""
    for rank in range(np.int64(v.piles[colour]), RANKS):
        card = colour * RANKS + rank
        if v.discarded[card] == COPIES[card]:
            return rank
    return RANKS


@rule
def playable_cards(v):
    """The cards that can be played now."""
    found = 0
    for colour in range(COLOURS):
        if v.piles[colour] < RANKS:
            found |= 1 << (colour * RANKS + np.int64(v.piles[colour]))
    return found


@rule
def useless_cards(v):
    """The cards that can never be played any more: their rank is on the pile, or something before them is lost."""
    found = 0
    for colour in range(COLOURS):
        top = reachable(v, colour)
        for rank in range(RANKS):
            if rank < v.piles[colour] or rank >= top:
                found |= 1 << (colour * RANKS + rank)
    return found


@rule
def critical_cards(v):
    """The cards that are not useless and of which one copy is left."""
    found = 0
    for card in range(CARDS):
        if v.discarded[card] == COPIES[card] - 1:
            found |= 1 << card
    return found & ~useless_cards(v)


@rule
def count_unseen(v, first, second, counts):
    """How many copies of each card lie neither open nor in a hand, the hands of `first` and `second` left out.

    What I know of my own hand: count_unseen(v, me, me, counts). What I am sure that another knows of its own:
    count_unseen(v, other, me, counts).
    """
    for card in range(CARDS):
        counts[card] = COPIES[card] - v.discarded[card]
    for colour in range(COLOURS):
        for rank in range(np.int64(v.piles[colour])):
            counts[colour * RANKS + rank] -= 1
    for seat in range(np.int64(v.players)):
        if seat != first and seat != second:
            for slot in range(np.int64(v.hand_size)):
                if v.hands[seat, slot] != NONE:
                    counts[v.hands[seat, slot]] -= 1


@rule
def left_cards(counts):
    """The set of cards of which a copy is unseen."""
    found = 0
    for card in range(CARDS):
        if counts[card] > 0:
            found |= 1 << card
    return found


@rule
def by_hints(v, seat, slot):
    """What the hints alone allow a card to be."""
    return OF_COLOURS[v.colours[seat, slot]] & OF_RANKS[v.ranks[seat, slot]]


@rule
def share(cards, part, counts):
    """The chance that a card, known to be one of `cards`, is in `part`, by the unseen copies."""
    inside = 0
    total = 0
    for card in range(CARDS):
        if (cards >> card) & 1:
            total += counts[card]
            if (part >> card) & 1:
                inside += counts[card]
    if total == 0:
        return 0.0
    return inside / total


@rule
def touched_slots(v, target, kind, value):
    """The slots (as bits) that a hint would touch: kind 0 names a colour, kind 1 a rank (less one)."""
    found = 0
    for slot in range(np.int64(v.hand_size)):
        card = np.int64(v.hands[target, slot])
        if card != NONE:
            named = card % RANKS if kind == 1 else card // RANKS
            if named == value:
                found |= 1 << slot
    return found


@rule
def deduce(v, owner, me, counts, known):
    """Write into known[owner] what its cards can be, as far as seat `me` is sure that the owner knows.

    Hints, then counting, and then counting the cards that are known by now: as many slots as there are copies of a
    card, all known to be that card, leave none for the other slots. `counts`: room for 25 numbers; afterwards the
    copies that the owner cannot see.
    """
    count_unseen(v, owner, me, counts)
    left = left_cards(counts)
    for slot in range(SLOTS):
        known[owner, slot] = by_hints(v, owner, slot) & left
    for _ in range(SLOTS):
        changed = False
        for slot in range(SLOTS):
            cards = known[owner, slot]
            if cards != 0 and cards & (cards - 1) == 0:
                changed |= exclude(known, owner, cards, counts)
        if not changed:
            break


@rule
def exclude(known, owner, single, counts):
    """If all copies of a single card are accounted for by slots known to be it, no other slot is; did that tell?"""
    copies = 0
    for slot in range(SLOTS):
        if known[owner, slot] == single:
            copies += 1
    for card in range(CARDS):
        if single == 1 << card and copies < counts[card]:
            return False
    changed = False
    for slot in range(SLOTS):
        if known[owner, slot] != single and known[owner, slot] & single != 0:
            known[owner, slot] &= ~single
            changed = True
    return changed


@rule
def deduce_all(v, me, counts, known):
    """`deduce` for every seat; counts[me] are then the copies that I do not see."""
    for seat in range(SEATS):
        for slot in range(SLOTS):
            known[seat, slot] = 0
    for seat in range(np.int64(v.players)):
        if seat != me:
            deduce(v, seat, me, counts, known)
    deduce(v, me, me, counts, known)


@rule
def named_cards(kind, value):
    """The cards that a hint names."""
    return OF_RANKS[1 << value] if kind == 1 else OF_COLOURS[1 << value]


@rule
def oldest_spare(v, seat, known, critical):
    """The slot to give up when nothing better is known: the oldest card that no hint touched; if all were touched,
    the oldest that is not surely critical; otherwise the oldest."""
    for slot in range(SLOTS):
        if known[seat, slot] != 0 and v.touched[seat, slot] == 0:
            return slot
    for slot in range(SLOTS):
        if known[seat, slot] != 0 and known[seat, slot] & ~critical != 0:
            return slot
    return 0


@rule
def oldest_within(known, seat, cards):
    """The oldest slot that can only hold one of these cards, or NONE."""
    for slot in range(SLOTS):
        if known[seat, slot] != 0 and known[seat, slot] & ~cards == 0:
            return slot
    return NONE


# ---- exact chances
#
# The copies in a hand are different cards, so what one slot holds says something about the others. In how many ways
# can the unseen copies be laid into the slots so that each agrees with its hints? By Moebius inversion over the
# partitions of the slots: the sum, over all partitions into blocks, of the product over the blocks of
# (-1)^(k-1) (k-1)! times the number of copies that suit all k slots of the block. Five slots have 52 partitions.


def partitions_of(slots):
    """All partitions of a list of slots into blocks, as lists of bit masks."""
    if not slots:
        return [[]]
    first, rest = 1 << slots[0], partitions_of(slots[1:])
    found = []
    for blocks in rest:
        found.append([first, *blocks])
        for i in range(len(blocks)):
            found.append([*blocks[:i], blocks[i] | first, *blocks[i + 1 :]])
    return found


def moebius(blocks):
    product = 1
    for block in blocks:
        size = block.bit_count()
        product *= (-1) ** (size - 1) * [1, 1, 2, 6, 24][size - 1]
    return product


PARTITIONS = partitions_of(list(range(SLOTS)))
BLOCKS = np.array([[*blocks, *[0] * (SLOTS - len(blocks))] for blocks in PARTITIONS])
SIGNS = np.array([float(moebius(blocks)) for blocks in PARTITIONS])
FREE = (1 << CARDS) - 1


@rule
def ways(suiting):
    """In how many ways the slots can be filled; suiting[block] is how many copies suit all slots of a block."""
    total = 0.0
    for p in range(len(SIGNS)):
        product = SIGNS[p]
        for i in range(SLOTS):
            if BLOCKS[p, i] == 0:
                break
            product *= suiting[BLOCKS[p, i]]
        total += product
    return total


@rule
def count_suiting(cards, counts, suiting):
    """For every set of slots: how many unseen copies suit all of them; cards[slot] is what a slot can be."""
    for block in range(1, 1 << SLOTS):
        common = FREE
        for slot in range(SLOTS):
            if (block >> slot) & 1:
                common &= cards[slot]
        n = 0
        for card in range(CARDS):
            if (common >> card) & 1:
                n += counts[card]
        suiting[block] = n
    for slot in range(SLOTS):
        if cards[slot] == 0:  # an empty slot is filled in one way, whatever the others hold
            suiting[1 << slot] = 1.0


@rule
def exact_chances(v, me, chances):
    """chances[slot, card]: the exact probability of each card in each slot of my hand, given all I see and was told.

    Every arrangement of the unseen cards that agrees with the hints is equally likely. chances: float64[5, 25].
    """
    counts = np.zeros(CARDS, np.int64)
    count_unseen(v, me, me, counts)
    cards = np.zeros(SLOTS, np.int64)  # an empty slot suits nothing
    for slot in range(np.int64(v.hand_size)):
        cards[slot] = by_hints(v, me, slot)
    suiting = np.zeros(1 << SLOTS)
    narrowed = np.zeros(1 << SLOTS)
    count_suiting(cards, counts, suiting)
    for slot in range(SLOTS):
        total = 0.0
        for card in range(CARDS):
            chances[slot, card] = 0.0
            if (cards[slot] >> card) & 1 and counts[card] > 0:
                narrow(cards, suiting, slot, card, counts[card], narrowed)
                chances[slot, card] = ways(narrowed)
                total += chances[slot, card]
        for card in range(CARDS):
            if total > 0.0:
                chances[slot, card] /= total


@rule
def narrow(cards, suiting, slot, card, copies, narrowed):
    """The numbers of `count_suiting` if the slot holds this card."""
    for block in range(1, 1 << SLOTS):
        narrowed[block] = suiting[block]
        if (block >> slot) & 1:
            narrowed[block] = copies
            for other in range(SLOTS):
                if (block >> other) & 1 and (cards[other] >> card) & 1 == 0:
                    narrowed[block] = 0.0
