"""What everybody knows in a game of `pair`, read from the log move by move.

It is kept in the memory of the seat, so that only the moves made since its last turn are read; if the log is not the
one that was read before, it is read from the start. The layout of the memory:
"""

import numpy as np

from hiddenhand.games.hanabi.deduction import CARDS, COLOURS, COPIES, FREE, NONE, OF_COLOURS, OF_RANKS, RANKS, SLOTS
from hiddenhand.games.hanabi.pair_code import HINTS, MOST, copies_in, grow, set_layers, set_steps, size
from hiddenhand.kernel import rule

SEATS = 5
import os
LOSS = np.array([float(x) for x in os.environ.get("LOSS","1,1,1,1,1").split(",")])
MILD = np.array([float(x) for x in os.environ.get("MILD",".1,.1,.1,.1,.1").split(",")])
SAYABLE = np.array([0.9, 0.8, 0.4, 0.5, 0.6, 0.7, 0, 0, 0, 0])
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
    hear(v, memory, actor, np.int64(v.log_hints[move]), action, move, weights)
    if action >= 10:
        name(memory, (action - 10) // 10, (action - 10) % 10, np.int64(v.log_touched[move]))
    else:
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
def assign(memory, target, strict, leaves, n, items, count, weights, item_of):
    """Write which action stands for which leaf: likely leaves first, each takes the one that tells most by itself."""
    counts = np.zeros(CARDS, np.int64)
    layers = np.zeros(3, np.int64)
    kinds = np.zeros(3, np.int64)
    count_left(memory, counts)
    set_layers(counts, layers)
    set_kinds(memory, kinds)
    taken = np.zeros(MOST, np.int64)
    done = np.zeros(MOST, np.int64)
    chances = np.zeros(MOST)
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
        for k in range(count):
            if taken[k] == 0:
                if items[k] >= 10 and strict:
                    value = SAYABLE[(items[k] - 10) % 10]
                elif items[k] >= 10:
                    value = tells(leaves[i], (items[k] - 10) % 10, kinds, layers)
                else:
                    value = weights[21] if items[k] >= 5 else weights[22]
                if value > best:
                    best, pick = value, k
        taken[pick] = 1
        done[i] = 1
        item_of[i] = items[pick]


@rule
def classes(v, tokens):
    """How many kinds of hints there are to one player."""
    if v.empty_hints != 0:
        return HINTS
    return 6 if tokens < 8 else 4


@rule
def class_of(v, memory, target, tokens, number, touched):
    """The kind of a hint. If hints may be empty, each of the ten is its own; otherwise not every hint can be given.

    The cards are put in order, the least known first. Hints that touch the first one: 0 (rank), 1 (colour); else
    those that touch the second one: 2, 3; else those that touch the third: 4; the others: 5. With eight tokens, when
    something must always be sayable: 2 and 3 are all the hints that do not touch the first card.
    """
    if v.empty_hints != 0:
        return number
    rank = 0 if number >= 5 else 1
    passed = 0
    for slot in range(SLOTS - 1, -1, -1):
        if memory[CAN_BE + place(target, slot)] != 0:
            if (touched >> slot) & 1:
                return rank if passed == 0 else 2 + rank if passed == 1 or tokens == 8 else 4 if passed == 2 else 5
            passed += 1
    return 5


@rule
def tells(leaf, number, kinds, layers):
    """How much the colour or rank that a hint names tells about a leaf."""
    named = OF_RANKS[1 << (number - 5)] if number >= 5 else OF_COLOURS[1 << number]
    value = 0.0
    for slot in range(SLOTS):
        total = copies_in(leaf[slot], layers)
        if leaf[slot] & ~kinds[1] != 0 and total > 0:
            q = copies_in(leaf[slot] & named, layers) / total
            value += q * (1.0 - q)
    return value


@rule
def alternatives(v, memory, actor, tokens, action, weights, items):
    """Write the actions between which the choice of this one is a message; returns how many, and to whom."""
    players = np.int64(v.players)
    target = (actor + 1) % players
    kinds = np.zeros(3, np.int64)
    set_kinds(memory, kinds)
    plays = sure(memory, actor, kinds[0])
    wastes = sure(memory, actor, kinds[1])
    pace = pace_of(v, memory, kinds[1])
    with_plays = plays > 0 and wastes > 0 and tokens <= weights[23] and pace >= weights[24]
    with_hints = plays == 0 and wastes > 0 and players == 2 and v.empty_hints != 0
    with_hints = with_hints and weights[25] <= tokens and tokens <= weights[26] and pace >= weights[27]
    n = 0
    if action < 5 and memory[DECK] <= weights[28]:
        return n, target
    if action >= 10:
        target = (action - 10) // 10
    if action >= 10 or (action >= 5 and with_hints):
        for number in range(classes(v, tokens)):
            items[n] = 10 + 10 * target + number
            n += 1
    if action < 5 or (action >= 5 and with_plays):
        n = add_slots(memory, actor, kinds[0], 0, items, n)
    if action < 5:
        if with_plays:
            n = add_slots(memory, actor, kinds[1], 5, items, n)
    elif action >= 10:
        if with_hints:
            n = add_slots(memory, actor, kinds[1], 5, items, n)
    elif wastes > 0:
        n = add_slots(memory, actor, kinds[1], 5, items, n)
    else:
        n = add_risks(memory, actor, kinds, weights, items, n)
    return n, target


@rule
def sure(memory, seat, part):
    """How many cards of a seat are surely in a set, as everybody knows."""
    n = 0
    for slot in range(SLOTS):
        cards = memory[CAN_BE + place(seat, slot)]
        if cards != 0 and cards & ~part == 0:
            n += 1
    return n


@rule
def pace_of(v, memory, useless):
    """How many cards may still be discarded before a point is out of reach for lack of turns."""
    score, most = 0, 0
    for colour in range(COLOURS):
        score += memory[PILES + colour]
        for rank in range(RANKS):
            if (useless >> (colour * RANKS + rank)) & 1 == 0 or rank < memory[PILES + colour]:
                most += 1
    return score + memory[DECK] + np.int64(v.players) - most


@rule
def add_slots(memory, seat, part, first, items, n):
    """Add the actions (from `first` on) with the cards that are surely in a set."""
    for slot in range(SLOTS):
        cards = memory[CAN_BE + place(seat, slot)]
        if cards != 0 and cards & ~part == 0:
            items[n] = first + slot
            n += 1
    return n


@rule
def add_risks(memory, seat, kinds, weights, items, n):
    """Add the discards that are about as good as the best, as far as everybody knows."""
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
            items[n] = 5 + slot
            n += 1
    return n


@rule
def hear(v, memory, actor, tokens, action, move, weights):
    """An action says in which leaf the hand of the player lies to whom it is a message."""
    items = np.zeros(MOST, np.int64)
    item_of = np.zeros(MOST, np.int64)
    count, target = alternatives(v, memory, actor, tokens, action, weights, items)
    if count < 2:
        return
    leaves = np.zeros((MOST, SLOTS), np.int64)
    n = code_of(v, memory, target, weights, count, leaves)
    assign(memory, target, v.empty_hints == 0, leaves, n, items, count, weights, item_of)
    if action >= 10:
        kind = class_of(v, memory, target, tokens, (action - 10) % 10, np.int64(v.log_touched[move]))
        action = 10 + 10 * target + kind
    for i in range(n):
        if item_of[i] == action:
            promise(memory, target, leaves[i], move)
            return


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
def promise(memory, target, leaf, move):
    """The hand of a player lies in this leaf."""
    for slot in range(SLOTS):
        i = place(target, slot)
        if memory[CAN_BE + i] & leaf[slot] not in (0, memory[CAN_BE + i]):
            memory[CAN_BE + i] &= leaf[slot]
            memory[SOURCE + i] = move + 1
