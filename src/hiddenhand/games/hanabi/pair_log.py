"""What everybody knows in a game of `pair`, read from the log move by move.

It is kept in the memory of the seat, so that only the moves made since its last turn are read; if the log is not the
one that was read before, it is read from the start. The layout of the memory:
"""

import numpy as np

from hiddenhand.games.hanabi.deduction import CARDS, COLOURS, COPIES, FREE, NONE, OF_COLOURS, OF_RANKS, RANKS, SLOTS
from hiddenhand.games.hanabi.pair_code import HINTS, copies_in, grow, set_layers, set_steps, size
from hiddenhand.kernel import rule

SEATS = 5
import os
LOSS = np.array([float(x) for x in os.environ.get("LOSS","1,1,1,1,1").split(",")])
MILD = np.array([float(x) for x in os.environ.get("MILD",".2,.2,.15,.1,.05").split(",")])
ONCE = np.array([FREE, 0, 0])
READ, DIGEST, DECK = 0, 1, 2  # moves read, their fingerprint, cards left in the deck
PILES = 3
DISCARDED = PILES + COLOURS
CAN_BE = DISCARDED + CARDS  # for every seat and slot: what it can be as far as everybody knows,
HINTED = CAN_BE + SEATS * SLOTS  # by the hints alone,
SOURCE = HINTED + SEATS * SLOTS  # and one more than the number of the last hint that promised something about it
MEMORY = SOURCE + SEATS * SLOTS


@rule
def place(seat, slot):
    return seat * SLOTS + slot


@rule
def fingerprint(digest, action, card):
    return (digest * 1000003 + (action + 1) * 31 + card + 2) & 0xFFFFFFFFFFFF


@rule
def restart(v, memory):
    for i in range(MEMORY):
        memory[i] = 0
    memory[DECK] = 2 * CARDS - np.int64(v.players) * np.int64(v.hand_size)
    for seat in range(np.int64(v.players)):
        for slot in range(np.int64(v.hand_size)):
            memory[CAN_BE + place(seat, slot)] = FREE
            memory[HINTED + place(seat, slot)] = FREE


@rule
def read_log(v, memory, weights):
    """Bring the memory up to the present."""
    digest = 0
    for move in range(min(memory[READ], np.int64(v.moves_made))):
        digest = fingerprint(digest, np.int64(v.log_action[move]), np.int64(v.log_card[move]))
    if memory[READ] == 0 or memory[READ] > v.moves_made or digest != memory[DIGEST]:
        restart(v, memory)
    for move in range(memory[READ], np.int64(v.moves_made)):
        read_move(v, move, memory, weights)


@rule
def read_move(v, move, memory, weights):
    actor, action = np.int64(v.log_actor[move]), np.int64(v.log_action[move])
    card = np.int64(v.log_card[move])
    memory[DIGEST] = fingerprint(memory[DIGEST], action, card)
    if action >= 10:
        target, number = (action - 10) // 10, (action - 10) % 10
        told(v, memory, target, number, np.int64(v.log_touched[move]), move, weights)
    else:
        signalled(v, memory, actor, action, move, weights)
        if action < SLOTS and v.log_success[move] != 0:
            memory[PILES + card // RANKS] += 1
        else:
            memory[DISCARDED + card] += 1
        removed(v, memory, actor, action % SLOTS)
    memory[READ] = move + 1
    settle(v, memory)


@rule
def removed(v, memory, seat, slot):
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
    playable, useless, critical = 0, 0, 0
    for colour in range(COLOURS):
        lost = False
        for rank in range(RANKS):
            card = colour * RANKS + rank
            bit = 1 << card
            if rank == memory[PILES + colour]:
                playable |= bit
            if rank >= memory[PILES + colour] and memory[DISCARDED + card] == COPIES[card]:
                lost = True
            if rank < memory[PILES + colour] or lost:
                useless |= bit
            elif memory[DISCARDED + card] == COPIES[card] - 1:
                critical |= bit
    kinds[0], kinds[1], kinds[2] = playable & ~useless, useless, critical


@rule
def count_left(memory, counts):
    """Write how many copies of each card are neither on the table nor known to all in a hand."""
    for card in range(CARDS):
        counts[card] = COPIES[card] - memory[DISCARDED + card]
        if card % RANKS < memory[PILES + card // RANKS]:
            counts[card] -= 1
    for i in range(SEATS * SLOTS):
        cards = memory[CAN_BE + i]
        if cards != 0 and cards & (cards - 1) == 0:
            counts[number_of(cards)] -= 1


@rule
def number_of(cards):
    """The only card of a set."""
    card = 0
    while cards >> card != 1:
        card += 1
    return card


@rule
def settle(v, memory):
    """Cards all copies of which are accounted for can be nowhere else."""
    counts = np.zeros(CARDS, np.int64)
    for _ in range(4):
        changed = False
        count_left(memory, counts)
        gone = 0
        for card in range(CARDS):
            if counts[card] <= 0:
                gone |= 1 << card
        for i in range(SEATS * SLOTS):
            cards = memory[CAN_BE + i]
            if cards & (cards - 1) != 0 and cards & gone != 0:
                changed = True
                memory[CAN_BE + i] = cards & ~gone
                if memory[CAN_BE + i] == 0:  # a promise was false: believe the hints alone
                    memory[CAN_BE + i] = memory[HINTED + i]
                    return
        if not changed:
            return


@rule
def code_of(v, memory, target, weights, most, leaves):
    """Write up to `most` leaves of the code for a player's hand as it is now; returns how many."""
    counts = np.zeros(CARDS, np.int64)
    layers = np.zeros(3, np.int64)
    kinds = np.zeros(3, np.int64)
    steps = np.zeros(26, np.int64)
    count_left(memory, counts)
    set_layers(counts, layers)
    set_kinds(memory, kinds)
    set_steps(memory[PILES : PILES + COLOURS], kinds[1], steps)
    hand = memory[CAN_BE + place(target, 0) : CAN_BE + place(target, SLOTS)]
    return grow(hand, layers, kinds, steps, weights, most, leaves)


@rule
def assign_hints(memory, target, leaves, n, weights, hint_of):
    """Write which hint stands for which leaf: those that tell most about the leaf by themselves."""
    counts = np.zeros(CARDS, np.int64)
    layers = np.zeros(3, np.int64)
    count_left(memory, counts)
    set_layers(counts, layers)
    kinds = np.zeros(3, np.int64)
    set_kinds(memory, kinds)
    taken = np.zeros(HINTS, np.int64)
    done = np.zeros(HINTS, np.int64)
    chances = np.zeros(HINTS)
    for i in range(n):
        chances[i] = 1.0
        for slot in range(SLOTS):
            if leaves[i, slot] != 0:
                chances[i] *= copies_in(leaves[i, slot], layers)
    for _ in range(n):
        i = -1
        for k in range(n):
            if done[k] == 0 and (i < 0 or chances[k] > chances[i]):
                i = k
        best, pick = -1.0, 0
        for h in range(HINTS):
            if taken[h] == 0:
                named = OF_RANKS[1 << (h - 5)] if h >= 5 else OF_COLOURS[1 << h]
                value = 0.0
                for slot in range(SLOTS):
                    cards = leaves[i, slot] & ~kinds[1]
                    total = copies_in(leaves[i, slot], layers)
                    if cards != 0 and total > 0:
                        q = copies_in(leaves[i, slot] & named, layers) / total
                        value += q * (1.0 - q)
                if value > best:
                    best, pick = value, h
        taken[pick] = 1
        done[i] = 1
        hint_of[i] = pick


@rule
def told(v, memory, target, number, touched, move, weights):
    """A hint was given: it says in which leaf the hand lies, and which cards have the colour or rank named."""
    leaves = np.zeros((HINTS, SLOTS), np.int64)
    hint_of = np.zeros(HINTS, np.int64)
    n = code_of(v, memory, target, weights, HINTS, leaves)
    assign_hints(memory, target, leaves, n, weights, hint_of)
    for i in range(n):
        if hint_of[i] == number:
            promise(memory, target, leaves[i], move)
    name(memory, target, number, touched)


@rule
def name(memory, target, number, touched):
    """The cards touched have the colour or rank named, the others have not."""
    named = OF_RANKS[1 << (number - 5)] if number >= 5 else OF_COLOURS[1 << number]
    for slot in range(SLOTS):
        i = place(target, slot)
        fits = named if (touched >> slot) & 1 else FREE & ~named
        memory[HINTED + i] &= fits
        memory[CAN_BE + i] &= fits
        if memory[CAN_BE + i] == 0:  # a promise was false: believe the hints alone
            memory[CAN_BE + i] = memory[HINTED + i]


@rule
def options(memory, seat, playing, weights, slots):
    """Write the slots between which a player can choose freely as far as everybody knows; returns how many.

    If it plays: its cards that are surely playable. If it discards: those that are surely useless; if there are
    none, those that are about as good to discard as the best.
    """
    kinds = np.zeros(3, np.int64)
    set_kinds(memory, kinds)
    part = kinds[0] if playing else kinds[1]
    n = 0
    for slot in range(SLOTS):
        cards = memory[CAN_BE + place(seat, slot)]
        if cards != 0 and cards & ~part == 0:
            slots[n] = slot
            n += 1
    if n > 0 or playing:
        return n
    counts = np.zeros(CARDS, np.int64)
    layers = np.zeros(3, np.int64)
    risks = np.zeros(SLOTS)
    count_left(memory, counts)
    set_layers(counts, layers)
    least = 1e9
    for slot in range(SLOTS):
        cards = memory[CAN_BE + place(seat, slot)]
        if cards != 0:
            risks[slot] = risk_of(cards, kinds, layers)
            least = min(least, risks[slot])
    for slot in range(SLOTS):
        if memory[CAN_BE + place(seat, slot)] != 0 and risks[slot] <= least + weights[15]:
            slots[n] = slot
            n += 1
    return n


@rule
def chance(cards, part, layers):
    """The chance that a card, one of a set, is in a part, by the unseen copies."""
    if cards & (cards - 1) == 0:
        return 1.0 if cards & part else 0.0
    total = copies_in(cards, layers)
    if total == 0:
        return 0.0
    return copies_in(cards & part, layers) / total


@rule
def risk_of(cards, kinds, layers):
    total = copies_in(cards, layers)
    if cards & (cards - 1) == 0 or total == 0:
        layers = ONCE
        total = size(cards)
    risk = 0.0
    for rank in range(RANKS):
        part = cards & OF_RANKS[1 << rank]
        if part:
            risk += LOSS[rank] * copies_in(part & kinds[2], layers)
            risk += MILD[rank] * copies_in(part & ~kinds[1], layers)
    return risk / total


@rule
def signalled(v, memory, actor, action, move, weights):
    """A card was played or discarded: which one, among equals, says something about the hand of the next player."""
    slots = np.zeros(SLOTS, np.int64)
    n = options(memory, actor, action < SLOTS, weights, slots)
    for i in range(n):
        if n > 1 and slots[i] == action % SLOTS:
            target = (actor + 1) % np.int64(v.players)
            leaves = np.zeros((HINTS, SLOTS), np.int64)
            if i < code_of(v, memory, target, weights, n, leaves):
                promise(memory, target, leaves[i], move)


@rule
def promise(memory, target, leaf, move):
    """The hand of a player lies in this leaf."""
    for slot in range(SLOTS):
        i = place(target, slot)
        if memory[CAN_BE + i] & leaf[slot] not in (0, memory[CAN_BE + i]):
            memory[CAN_BE + i] &= leaf[slot]
            memory[SOURCE + i] = move + 1
