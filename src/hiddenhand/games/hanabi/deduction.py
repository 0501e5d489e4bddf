"""What can be deduced in Hanabi: the status of every card, and what a player can know about a hand.

A card is a number, colour * 5 + rank - 1; a set of cards is a number whose bit i stands for card i, so that "this
card is surely playable" is one operation: possible & ~playable == 0. `v` is a view (or a state: the fields are the
same).

What a card can be follows from hints (`colours`, `ranks`) and from counting: a card all copies of which lie open
cannot be in the hand. Counting depends on who counts. A player sees every hand but its own; when I ask what another
player knows, I can rely only on the hands that both of us see, because I do not know what it sees in mine.
"""

import numpy as np

from hiddenhand.games.hanabi.rules import CARDS, COLOURS, COPIES, NONE, RANKS, SLOTS, highest, touches
from hiddenhand.kernel import rule

# Sets of cards, by colour and by rank, and by hint: what a mask of colours or ranks leaves.
OF_COLOURS = np.array([sum(1 << card for card in range(CARDS) if mask >> (card // 5) & 1) for mask in range(32)])
OF_RANKS = np.array([sum(1 << card for card in range(CARDS) if mask >> (card % 5) & 1) for mask in range(32)])


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
        top = highest(v, colour)
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
def count_covered(v, counts):
    """How many copies of each card do not lie open: those in anybody's hand and in the deck."""
    for card in range(CARDS):
        counts[card] = COPIES[card] - v.discarded[card]
    for colour in range(COLOURS):
        for rank in range(np.int64(v.piles[colour])):
            counts[colour * RANKS + rank] -= 1


@rule
def count_unseen(v, first, second, counts):
    """How many copies of each card lie neither open nor in a hand, the hands of `first` and `second` left out.

    What I know of my own hand: count_unseen(v, me, me, counts). What I am sure that another knows of its own:
    count_unseen(v, other, me, counts).
    """
    count_covered(v, counts)
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
def unseen_by(v, seat, me):
    """The cards that a seat may hold for all I know that it sees; unseen_by(v, me, me): for all that I see."""
    counts = np.zeros(CARDS, np.int64)
    count_unseen(v, seat, me, counts)
    return left_cards(counts)


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
def single(mask):
    """Whether exactly one bit is set."""
    return mask != 0 and mask & (mask - 1) == 0


@rule
def parts_known(v, seat, slot):
    """How much the hints alone say for certain about a card: 0, 1 (its colour or its rank), or 2: it is revealed."""
    known = 0
    if single(np.int64(v.colours[seat, slot])):
        known += 1
    if single(np.int64(v.ranks[seat, slot])):
        known += 1
    return known


@rule
def surely(cards, part):
    """Whether a card, known to be one of `cards`, is in `part` for certain."""
    return cards != 0 and cards & ~part == 0


@rule
def sure_slots(v, seat, left, part):
    """The slots (as bits) whose cards their owner can infer to be in `part`: playable, useless or critical cards.

    left: the cards of which the owner cannot see all copies, by `unseen_by`.
    """
    found = 0
    for slot in range(np.int64(v.hand_size)):
        if surely(by_hints(v, seat, slot) & left, part):
            found |= 1 << slot
    return found


# ---- plays that start an avalanche


@rule
def holds(v, seat, card):
    for slot in range(np.int64(v.hand_size)):
        if v.hands[seat, slot] == card:
            return True
    return False


@rule
def avalanche(v, seat, card):
    """How many players in a row of turns after `seat` can go on with the colour once it has played this card.

    Only cards that are seen count: in a view the hand of the viewer adds nothing.
    """
    following = 0
    for i in range(1, np.int64(v.players)):
        if card % RANKS < RANKS - 1 and holds(v, (seat + i) % np.int64(v.players), card + 1):
            card += 1
            following += 1
    return following


# ---- hints that are worth a token


@rule
def wasted(v, me, target, slot):
    """Whether someone knows more of another copy of this card, so that hints should go there.

    Other copies are those I see and, in my own hand, those that were revealed to me.
    """
    card = np.int64(v.hands[target, slot])
    known = parts_known(v, target, slot)
    for seat in range(np.int64(v.players)):
        for other in range(np.int64(v.hand_size)):
            if seat == me:
                if by_hints(v, me, other) == 1 << card:
                    return True
            elif v.hands[seat, other] == card and parts_known(v, seat, other) > known:
                return True
    return False


@rule
def valuable_slots(v, me, target, kind, value, useless):
    """The slots (as bits) that a hint of mine tells something new about that is worth knowing.

    It is not, if the card is useless or if hints about it are wasted.
    """
    found = 0
    touched = touches(v, target, kind, value)
    for slot in range(np.int64(v.hand_size)):
        if (touched >> slot) & 1 and (useless >> np.int64(v.hands[target, slot])) & 1 == 0:
            known = np.int64(v.ranks[target, slot] if kind == 1 else v.colours[target, slot])
            if not single(known) and not wasted(v, me, target, slot):
                found |= 1 << slot
    return found


# ---- exact chances
#
# The copies in a hand are different cards, so what one slot holds says something about the others. In how many ways
# can the unseen copies be laid into the slots so that each agrees with its hints? By Moebius inversion over the
# partitions of the slots: the sum, over all partitions into blocks, of the product over the blocks of
# (-1)^(k-1) (k-1)! times the number of copies that suit all k slots of the block. Five slots have 52 partitions.


def partitions_of(slots: list[int]) -> list[list[int]]:
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


def moebius(blocks: list[int]) -> int:
    product = 1
    for block in blocks:
        size = block.bit_count()
        product *= (-1) ** (size - 1) * [1, 1, 2, 6, 24][size - 1]
    return product


SETS = 1 << SLOTS  # of slots
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
    for block in range(1, SETS):
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
    suiting = np.zeros(SETS)
    narrowed = np.zeros(SETS)
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
    for block in range(1, SETS):
        narrowed[block] = suiting[block]
        if (block >> slot) & 1:
            narrowed[block] = copies
            for other in range(SLOTS):
                if (block >> other) & 1 and (cards[other] >> card) & 1 == 0:
                    narrowed[block] = 0.0
