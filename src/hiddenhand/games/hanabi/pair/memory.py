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
from hiddenhand.kernel import record_type, rule

PLACES = SEATS * SLOTS

# The layout.
READ, DIGEST, DECK = 0, 1, 2  # moves read, their fingerprint, cards left in the deck
PILES = 3
DISCARDED = PILES + COLOURS
CAN_BE = DISCARDED + CARDS  # by seat and slot: what the card can be as far as everybody knows,
HINTED = CAN_BE + PLACES  # what it can be by the hints alone,
SOURCE = HINTED + PLACES  # and the number of the last move (the first is 1) that was a message about it, or 0
LENGTH = SOURCE + PLACES
MEMORY = record_type([("numbers", "i8", (LENGTH,))])


@rule
def place(seat, slot):
    return seat * SLOTS + slot


@rule
def known_hand(memory, seat):
    """What the cards of a seat can be."""
    return memory[CAN_BE + place(seat, 0) : CAN_BE + place(seat, SLOTS)]


@rule
def restart(v, memory):
    """The start of the game."""
    for i in range(LENGTH):
        memory[i] = 0
    memory[DECK] = DECK_SIZE - np.int64(v.players) * np.int64(v.hand_size)
    for seat in range(np.int64(v.players)):
        for slot in range(np.int64(v.hand_size)):
            memory[CAN_BE + place(seat, slot)] = FREE
            memory[HINTED + place(seat, slot)] = FREE


@rule
def take_away(v, memory, seat, slot):
    """A card leaves a hand: the younger ones move up, and a new one comes while the deck lasts."""
    last = np.int64(v.hand_size) - 1
    for row in (CAN_BE, HINTED, SOURCE):
        for i in range(slot, last):
            memory[row + place(seat, i)] = memory[row + place(seat, i + 1)]
        memory[row + place(seat, last)] = 0
    if memory[DECK] > 0:
        memory[DECK] -= 1
        memory[CAN_BE + place(seat, last)] = FREE
        memory[HINTED + place(seat, last)] = FREE


@rule
def set_kinds(memory, kinds):
    """Write the sets of playable, useless and critical cards."""
    for kind in range(3):
        kinds[kind] = 0
    for colour in range(COLOURS):
        pile = memory[PILES + colour]
        lost = False
        for rank in range(RANKS):
            card = colour * RANKS + rank
            lost = lost or (rank >= pile and memory[DISCARDED + card] == COPIES[card])
            if rank < pile or lost:
                kinds[USELESS] |= 1 << card
                continue
            if rank == pile:
                kinds[PLAYABLE] |= 1 << card
            if memory[DISCARDED + card] == COPIES[card] - 1:
                kinds[CRITICAL] |= 1 << card


@rule
def number_of(cards):
    """The only card of a set."""
    card = 0
    while cards >> card != 1:
        card += 1
    return card


@rule
def count_left(memory, counts):
    """Write how many copies of each card are neither on the table nor, as everybody knows, in a hand."""
    for card in range(CARDS):
        counts[card] = COPIES[card] - memory[DISCARDED + card]
        if card % RANKS < memory[PILES + card // RANKS]:
            counts[card] -= 1
    for i in range(PLACES):
        cards = memory[CAN_BE + i]
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
        for i in range(PLACES):
            cards = memory[CAN_BE + i]
            if cards & gone != 0 and not only_one(cards):
                changed = True
                memory[CAN_BE + i] = cards & ~gone
                if memory[CAN_BE + i] == 0:  # something said was not true: believe the hints alone
                    memory[CAN_BE + i] = memory[HINTED + i]
                    return
        if not changed:
            return


@rule
def promise(memory, target, leaf, move):
    """Everybody learns that the hand of a player lies in this leaf."""
    for slot in range(SLOTS):
        i = place(target, slot)
        cards = memory[CAN_BE + i] & leaf[slot]
        if cards != 0 and cards != memory[CAN_BE + i]:
            memory[CAN_BE + i] = cards
            memory[SOURCE + i] = move + 1


@rule
def named_by(number):
    """The cards with the colour (numbers 0 to 4) or rank (5 to 9) that a hint names."""
    return OF_RANKS[1 << (number - 5)] if number >= 5 else OF_COLOURS[1 << number]


@rule
def name(memory, target, number, touched):
    """Everybody learns that the cards touched have the colour or rank named and the others have not."""
    for slot in range(SLOTS):
        i = place(target, slot)
        fits = named_by(number) if (touched >> slot) & 1 else FREE & ~named_by(number)
        memory[HINTED + i] &= fits
        memory[CAN_BE + i] &= fits
        if memory[CAN_BE + i] == 0:  # something said was not true: believe the hints alone
            memory[CAN_BE + i] = memory[HINTED + i]


@rule
def sure(memory, seat, part):
    """How many cards of a seat are surely in a set, as everybody knows."""
    return count_sure(known_hand(memory, seat), part)


@rule
def pace_of(v, memory, useless):
    """How many cards can still be discarded before the turns do not suffice for all points in reach."""
    missing = 0
    for card in range(CARDS):
        if (useless >> card) & 1 == 0:
            missing += 1
    return memory[DECK] + np.int64(v.players) - missing


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
    set_steps(memory[PILES : PILES + COLOURS], kinds[USELESS], steps)
    return grow(known_hand(memory, target), layers, kinds, steps, most, leaves)
