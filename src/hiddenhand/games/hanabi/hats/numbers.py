"""The numbers that a hint or a discard can say.

A hint is a choice: of a player, of a colour or a rank, of a value. How many choices are there for sure, whatever the
hands are, if empty hints are forbidden? What is publicly known of a hand answers that. Any card can be touched by its
colour or by its rank. If two cards surely differ in colour, there are two colour hints, told apart by which of the
two they touch; k cards of surely different colours give k, and so do ranks. The hints to the first player after the
hinter come first, then those to the second, and so on: so each says a number.

A discard says a number too, if its owner had a choice of cards that everyone knows to be useless.
"""

import numpy as np

from hiddenhand.games.hanabi.deduction import FREE, useless_cards
from hiddenhand.games.hanabi.hats.board import bits, held, named_cards
from hiddenhand.games.hanabi.rules import CARDS, COPIES, RANKS, SLOTS, hint_parts
from hiddenhand.kernel import rule


@rule
def projections(board, seat, kind, masks):
    """The colours (or ranks) that each card can have, as masks."""
    for slot in range(SLOTS):
        masks[slot] = 0
        for value in range(RANKS):
            if board.possible[seat, slot] & named_cards(kind, value) != 0:
                masks[slot] |= 1 << value


@rule
def distinct_slots(masks, n):
    """The largest set of slots (as bits) no two of which can agree in colour (or rank)."""
    best = 0
    most = 0
    for slots in range(1, 1 << n):
        seen = 0
        size = 0
        for slot in range(n):
            if (slots >> slot) & 1:
                if masks[slot] & seen != 0:
                    size = -10
                seen |= masks[slot]
                size += 1
        if size > most:
            best, most = slots, size
    return best, most


@rule
def common(masks, n):
    """What all the masks share."""
    shared = 31
    for slot in range(n):
        shared &= masks[slot]
    return shared


@rule
def pivot_of(board, seat):
    """The card of a hand about which most is open."""
    best, most = 0, -1
    for slot in range(held(board, seat)):
        size = 0
        cards = board.possible[seat, slot]
        while cards != 0:
            cards &= cards - 1
            size += 1
        if size > most:
            best, most = slot, size
    return best


@rule
def hint_classes(board, seat, classes):
    """How many kinds of hints to this seat can be told apart and are surely possible, and how to tell them apart.

    classes[kind] = slots (bits), one per class but for the last: a hint that touches the first of them, the
    second, ..., or none of them. If the hand may have one colour only, and may have one rank only, there is one
    class each for hints that touch the pivot, and one (if the hand cannot be all the same) for the others:
    classes[2] = 1.
    """
    n = held(board, seat)
    classes[2] = 0
    if n == 0:
        classes[0], classes[1] = 0, 0
        return 0
    pivot = 1 << pivot_of(board, seat)
    masks = np.zeros(SLOTS, np.int64)
    total = 0
    alike = 0
    for kind in range(2):
        projections(board, seat, kind, masks)
        slots, size = distinct_slots(masks, n)
        if size >= 2:
            classes[kind] = slots & (slots - 1)
            total += size
        elif common(masks, n) == 0:
            classes[kind] = pivot
            total += 2
        else:
            classes[kind] = 0
            total += 1
            alike += 1
    if alike == 2 and not may_be_same(board, seat, n):
        classes[0], classes[1], classes[2] = pivot, pivot, 1
        total = 3
    return total


@rule
def may_be_same(board, seat, n):
    """Whether all cards of the hand may be the same card."""
    shared = FREE
    for slot in range(n):
        shared &= board.possible[seat, slot]
    for card in range(CARDS):
        if (shared >> card) & 1 and COPIES[card] - board.discarded[card] >= n:
            return True
    return False


@rule
def class_of(classes, kind, touched):
    """The class of a hint, by its kind and the slots it touches."""
    if classes[2] == 1:
        return kind if touched & classes[kind] != 0 else 2
    first = 0
    if kind == 1:  # ranks come after colours
        first = 1 + bits(classes[0])
    number = 0
    for slot in range(SLOTS):
        if (classes[kind] >> slot) & 1:
            if (touched >> slot) & 1:
                return first + number
            number += 1
    return first + number


@rule
def number_of_hint(board, actor, action, touched):
    """The number that a hint says, and how many numbers there were to say."""
    target, kind, _ = hint_parts(action)
    classes = np.zeros(3, np.int64)
    number, total = 0, 0
    for step in range(1, board.players):
        who = (actor + step) % board.players
        n = hint_classes(board, who, classes)
        if who == target:
            number = total + class_of(classes, kind, touched)
        total += n
    return number, total


@rule
def free_discards(board, seat):
    """The slots (bits) whose cards are publicly useless: which of them goes says a number."""
    useless = useless_cards(board)
    found = 0
    for slot in range(held(board, seat)):
        if board.possible[seat, slot] & ~useless == 0:
            found |= 1 << slot
    return found


@rule
def number_of_discard(board, actor, slot):
    """The number that a discard says, and how many there were to say: one (nothing) unless it was a free choice."""
    free = free_discards(board, actor)
    if (free >> slot) & 1 == 0:
        return 0, 1
    return bits(free & ((1 << slot) - 1)), bits(free)
