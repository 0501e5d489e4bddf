"""What everybody knows, kept in the memory of a seat: the table, and what every card in every hand can be."""

import numpy as np

from hiddenhand.games.hanabi.deduction import FREE, OF_COLOURS, OF_RANKS
from hiddenhand.games.hanabi.pair.tree import (
    CRITICAL,
    PLAYABLE,
    STEPS,
    USELESS,
    count_sure,
    grow,
    only_one,
    set_layers,
    set_steps,
)
from hiddenhand.games.hanabi.rules import CARDS, COLOURS, COPIES, DECK_SIZE, RANKS, SEATS, SLOTS
from hiddenhand.kernel import copy, count_bits, record_type, rule

MEMORY = record_type(
    [
        ("read", "i8"),  # moves read
        ("digest", "i8"),  # their fingerprint
        ("deck", "i8"),  # cards left
        ("piles", "i8", (COLOURS,)),
        ("discarded", "i8", (CARDS,)),
        ("can_be", "i8", (SEATS, SLOTS)),  # what a card can be as far as everybody knows,
        ("hinted", "i8", (SEATS, SLOTS)),  # what it can be by the hints alone,
        ("source", "i8", (SEATS, SLOTS)),  # and the last move (the first is 1) that was a message about it, or 0
    ]
)
EMPTY = np.zeros(1, MEMORY)


@rule
def restart(v, memory):
    """The start of the game."""
    copy(memory, EMPTY[0])
    memory.deck = DECK_SIZE - np.int64(v.players) * np.int64(v.hand_size)
    for seat in range(np.int64(v.players)):
        for slot in range(np.int64(v.hand_size)):
            memory.can_be[seat, slot] = FREE
            memory.hinted[seat, slot] = FREE


@rule
def take_away(v, memory, seat, slot):
    """A card leaves a hand: the younger ones move up, and a new one comes while the deck lasts."""
    last = np.int64(v.hand_size) - 1
    for known in (memory.can_be, memory.hinted, memory.source):
        for i in range(slot, last):
            known[seat, i] = known[seat, i + 1]
        known[seat, last] = 0
    if memory.deck > 0:
        memory.deck -= 1
        memory.can_be[seat, last] = FREE
        memory.hinted[seat, last] = FREE


@rule
def set_kinds(memory, kinds):
    """Write the sets of playable, useless and critical cards."""
    for kind in range(3):
        kinds[kind] = 0
    for colour in range(COLOURS):
        pile = memory.piles[colour]
        lost = False
        for rank in range(RANKS):
            card = colour * RANKS + rank
            lost = lost or (rank >= pile and memory.discarded[card] == COPIES[card])
            if rank < pile or lost:
                kinds[USELESS] |= 1 << card
                continue
            if rank == pile:
                kinds[PLAYABLE] |= 1 << card
            if memory.discarded[card] == COPIES[card] - 1:
                kinds[CRITICAL] |= 1 << card


@rule
def number_of(cards):
    """The only card of a set."""
    return count_bits(cards - 1)


@rule
def count_left(memory, counts):
    """Write how many copies of each card are neither on the table nor, as everybody knows, in a hand."""
    for card in range(CARDS):
        counts[card] = COPIES[card] - memory.discarded[card]
        if card % RANKS < memory.piles[card // RANKS]:
            counts[card] -= 1
    for seat in range(SEATS):
        for slot in range(SLOTS):
            cards = memory.can_be[seat, slot]
            if cards != 0 and only_one(cards):
                counts[number_of(cards)] -= 1


@rule
def settle(memory):
    """Cards of which no copy is left can be nowhere else."""
    counts = np.zeros(CARDS, np.int64)
    for _ in range(4):
        changed = False
        count_left(memory, counts)
        gone = 0
        for card in range(CARDS):
            if counts[card] <= 0:
                gone |= 1 << card
        for seat in range(SEATS):
            for slot in range(SLOTS):
                cards = memory.can_be[seat, slot]
                if cards & gone != 0 and not only_one(cards):
                    changed = True
                    memory.can_be[seat, slot] = cards & ~gone
                    if cards & ~gone == 0:  # something said was not true: believe the hints alone
                        memory.can_be[seat, slot] = memory.hinted[seat, slot]
                        return
        if not changed:
            return


@rule
def promise(memory, target, leaf, move):
    """Everybody learns that the hand of a player lies in this leaf."""
    for slot in range(SLOTS):
        cards = memory.can_be[target, slot] & leaf[slot]
        if cards != 0 and cards != memory.can_be[target, slot]:
            memory.can_be[target, slot] = cards
            memory.source[target, slot] = move + 1


@rule
def named_by(number):
    """The cards with the colour (numbers 0 to 4) or rank (5 to 9) that a hint names."""
    return OF_RANKS[1 << (number - 5)] if number >= 5 else OF_COLOURS[1 << number]


@rule
def name(memory, target, number, touched):
    """Everybody learns that the cards touched have the colour or rank named and the others have not."""
    for slot in range(SLOTS):
        fits = named_by(number) if (touched >> slot) & 1 else FREE & ~named_by(number)
        memory.hinted[target, slot] &= fits
        memory.can_be[target, slot] &= fits
        if memory.can_be[target, slot] == 0:  # something said was not true: believe the hints alone
            memory.can_be[target, slot] = memory.hinted[target, slot]


@rule
def sure(memory, seat, part):
    """How many cards of a seat are surely in a set, as everybody knows."""
    return count_sure(memory.can_be[seat], part)


@rule
def pace_of(v, memory, useless):
    """How many cards can still be discarded before the turns do not suffice for all points in reach."""
    return memory.deck + np.int64(v.players) - count_bits(FREE & ~useless)


@rule
def leaves_for(memory, target, most, leaves):
    """Write up to `most` leaves for the hand of a player as everybody knows it; returns how many."""
    counts = np.zeros(CARDS, np.int64)
    layers = np.zeros(3, np.int64)
    kinds = np.zeros(3, np.int64)
    steps = np.zeros(STEPS, np.int64)
    count_left(memory, counts)
    set_layers(counts, layers)
    set_kinds(memory, kinds)
    set_steps(memory.piles, kinds[USELESS], steps)
    return grow(memory.can_be[target], layers, kinds, steps, most, leaves)
