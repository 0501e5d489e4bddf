"""What everybody knows that everybody knows: the public knowledge on which hat guessing rests.

For each card of each player the set of cards that it can be, judging by public events alone: the piles, the discards,
and what each hint said. Every player keeps the same sets, its own included, because they never use a hand that
somebody does not see.

A hint says one number to everyone at once. Each of the other players has a number of its own: where its true hand
falls in a list of classes that follows from the public knowledge. The hint is the sum of these numbers (modulo the
number of hints that can be told apart). Everyone sees all the other hands, subtracts their numbers, and so learns
its own. After the hint the numbers of all players are public.

The classes come from questions, asked one after the other: each splits the numbers that are left into those for
"yes" and those for "no", in proportion to the odds, and the next question depends on the answer.
"""

from collections import namedtuple

import numpy as np

from hiddenhand.games.hanabi.deduction import (
    CARDS,
    COLOURS,
    COPIES,
    FREE,
    NONE,
    OF_COLOURS,
    OF_RANKS,
    RANKS,
    SLOTS,
    left_cards,
    share,
    useless_cards,
)
from hiddenhand.kernel import rule

SEATS = 5
DISCARD, HINT = 5, 10
TRUTH = -1  # in place of a number: take it from the true hand
MEMORY = 1 + SEATS * SLOTS  # moves taken in, and the sets of possible cards

# The position as it was after some move: public, but for `hands`, which is what one seat sees (its own hand NONE).
Board = namedtuple("Board", "players hand_size piles discarded deck hands possible")


# ---- the position at an earlier moment


@rule
def board_at(v, seat, memory, done):
    """The board after the first `done` moves, with the sets of possible cards that are kept in `memory`."""
    hands = np.full((SEATS, SLOTS), NONE, np.int64)
    piles = np.zeros(COLOURS, np.int64)
    discarded = np.zeros(CARDS, np.int64)
    deck = np.zeros(1, np.int64)
    for who in range(SEATS):
        for slot in range(SLOTS):
            hands[who, slot] = v.hands[who, slot]
    for colour in range(COLOURS):
        piles[colour] = v.piles[colour]
    for card in range(CARDS):
        discarded[card] = v.discarded[card]
    deck[0] = v.deck_left
    possible = memory[1:MEMORY].reshape((SEATS, SLOTS))
    board = Board(np.int64(v.players), np.int64(v.hand_size), piles, discarded, deck, hands, possible)
    drawn = deck_size(board)
    for move in range(np.int64(v.moves_made)):
        if v.log_action[move] < HINT:
            drawn -= 1
    for move in range(np.int64(v.moves_made) - 1, done - 1, -1):
        if v.log_action[move] < HINT:
            drawn += 1
            undo(board, v, seat, move)
    deck[0] = max(drawn, 0)
    return board


@rule
def deck_size(board):
    """The cards left after the deal."""
    return 50 - board.players * board.hand_size


@rule
def undo(board, v, seat, move):
    """Take back a play or a discard."""
    actor = np.int64(v.log_actor[move])
    card = np.int64(v.log_card[move])
    slot = np.int64(v.log_action[move]) % SLOTS
    if v.log_success[move] != 0:
        board.piles[card // RANKS] -= 1
    else:
        board.discarded[card] -= 1
    if actor != seat:
        for i in range(board.hand_size - 1, slot, -1):
            board.hands[actor, i] = board.hands[actor, i - 1]
        board.hands[actor, slot] = card


# ---- taking in the moves


@rule
def catch_up(v, seat, memory):
    """Take in all moves since the last time; memory[0] counts those taken in. Returns the board of now."""
    done = memory[0]
    board = board_at(v, seat, memory, done)
    if done == 0:
        begin(board)
    for move in range(done, np.int64(v.moves_made)):
        take_in(board, v, seat, move)
    memory[0] = v.moves_made
    return board


@rule
def begin(board):
    """Nobody knows anything."""
    for who in range(SEATS):
        for slot in range(SLOTS):
            inside = who < board.players and slot < board.hand_size
            board.possible[who, slot] = FREE if inside else 0


@rule
def take_in(board, v, seat, move):
    """One move: what it tells, and what it changes."""
    actor = np.int64(v.log_actor[move])
    action = np.int64(v.log_action[move])
    if action >= HINT:
        number, total = number_of_hint(board, actor, action, np.int64(v.log_touched[move]))
        tell(board, seat, actor, number, total)
        apply_hint(board, action, np.int64(v.log_touched[move]))
    else:
        if action >= DISCARD:
            number, total = number_of_discard(board, actor, action - DISCARD)
            tell(board, seat, actor, number, total)
        replace_card(board, v, move, actor, action % SLOTS)
    settle(board)


@rule
def replace_card(board, v, move, actor, slot):
    """A card has left a hand; the next one is drawn."""
    card = np.int64(v.log_card[move])
    if v.log_success[move] != 0:
        board.piles[card // RANKS] += 1
    else:
        board.discarded[card] += 1
    last = held(board, actor) - 1
    for i in range(slot, last):
        board.possible[actor, i] = board.possible[actor, i + 1]
        board.hands[actor, i] = board.hands[actor, i + 1]
    board.possible[actor, last] = FREE if board.deck[0] > 0 else 0
    board.hands[actor, last] = NONE
    if board.deck[0] > 0:
        board.deck[0] -= 1
        board.hands[actor, last] = drawn_card(v, move, actor, last)


@rule
def drawn_card(v, move, actor, slot):
    """Which card came into this slot at this move: follow it to the present, or to where it was played."""
    for later in range(move + 1, np.int64(v.moves_made)):
        action = np.int64(v.log_action[later])
        if v.log_actor[later] == actor and action < HINT:
            if action % SLOTS == slot:
                return np.int64(v.log_card[later])
            if action % SLOTS < slot:
                slot -= 1
    return np.int64(v.hands[actor, slot])


@rule
def held(board, seat):
    n = 0
    while n < SLOTS and board.possible[seat, n] != 0:
        n += 1
    return n


@rule
def is_one(cards):
    """Whether the set has exactly one card."""
    return cards != 0 and cards & (cards - 1) == 0


@rule
def first_card(cards):
    card = 0
    while (cards >> card) & 1 == 0:
        card += 1
    return card


@rule
def count_public(board, counts):
    """How many copies of each card are neither open nor publicly known to be in a certain slot."""
    for card in range(CARDS):
        counts[card] = COPIES[card] - board.discarded[card]
    for colour in range(COLOURS):
        for rank in range(board.piles[colour]):
            counts[colour * RANKS + rank] -= 1
    for who in range(board.players):
        for slot in range(board.hand_size):
            if is_one(board.possible[who, slot]):
                counts[first_card(board.possible[who, slot])] -= 1


@rule
def settle(board):
    """A card all copies of which are accounted for is nowhere else. Repeated until nothing changes."""
    counts = np.zeros(CARDS, np.int64)
    changed = True
    while changed:
        changed = False
        count_public(board, counts)
        left = left_cards(counts)
        for who in range(board.players):
            for slot in range(board.hand_size):
                cards = board.possible[who, slot]
                if not is_one(cards) and cards & left != cards and cards & left != 0:
                    board.possible[who, slot] = cards & left
                    changed = changed or is_one(cards & left)


@rule
def apply_hint(board, action, touched):
    """What a hint says by itself."""
    target, kind, value = (action - HINT) // 10, (action - HINT) // 5 % 2, (action - HINT) % 5
    named = OF_COLOURS[1 << value] if kind == 0 else OF_RANKS[1 << value]
    for slot in range(held(board, target)):
        told = named if (touched >> slot) & 1 else FREE & ~named
        if board.possible[target, slot] & told != 0:
            board.possible[target, slot] &= told
        else:  # somebody does not keep to the agreement
            board.possible[target, slot] = told


# ---- the numbers that hints and discards can say


@rule
def projections(board, seat, kind, masks):
    """The colours (or ranks) that each card can have, as masks."""
    for slot in range(SLOTS):
        masks[slot] = 0
        for value in range(5):
            named = OF_COLOURS[1 << value] if kind == 0 else OF_RANKS[1 << value]
            if board.possible[seat, slot] & named != 0:
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
def bits(mask):
    n = 0
    while mask != 0:
        mask &= mask - 1
        n += 1
    return n


@rule
def number_of_hint(board, actor, action, touched):
    """The number that a hint says, and how many numbers there were to say."""
    target, kind = (action - HINT) // 10, (action - HINT) // 5 % 2
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


# ---- questions


@rule
def tell(board, seat, actor, number, total):
    """Everyone but the actor learns its own number, and everyone who sees its hand knew it; seat: who is asking.

    Returns the sum of the numbers that were read from the hands.
    """
    if total < 2:
        return 0
    counts = np.zeros(CARDS, np.int64)
    count_public(board, counts)
    useless = useless_cards(board)
    wanted = np.zeros(SEATS, np.int64)
    for who in range(board.players):
        wanted[who] = wanted_cards(board, actor, who)
    known = 0
    for step in range(1, board.players):
        who = (actor + step) % board.players
        if who != seat:
            known += ask(board, who, counts, wanted[who], useless, total, TRUTH)
    if actor != seat:
        ask(board, seat, counts, wanted[seat], useless, total, (number - known) % total)
    return known % total


@rule
def wanted_cards(board, actor, who):
    """The cards that a player should play on its next turn: those that others are known to play are left out."""
    piles = board.piles.copy()
    claimed = 0
    for step in range(1, board.players):
        other = (actor + step) % board.players
        if other == who:
            break
        claimed |= expect_play(board, other, piles)
    for other in range(board.players):
        if other != who:
            for slot in range(board.hand_size):
                cards = board.possible[other, slot]
                if is_one(cards):
                    claimed |= cards
    found = 0
    for colour in range(COLOURS):
        if piles[colour] < RANKS:
            found |= 1 << (colour * RANKS + piles[colour])
    return found & ~claimed


@rule
def expect_play(board, seat, piles):
    """Put the lowest card that a player is known to hold and to be able to play on its pile."""
    best, lowest = NONE, RANKS
    for slot in range(board.hand_size):
        cards = board.possible[seat, slot]
        if is_one(cards):
            card = first_card(cards)
            if piles[card // RANKS] == card % RANKS and card % RANKS < lowest:
                best, lowest = card, card % RANKS
    if best == NONE:
        return 0
    piles[best // RANKS] += 1
    return 1 << best


@rule
def ask(board, who, counts, playable, useless, total, number):
    """Go through the questions to one player; returns its number (read from its hand if `number` is TRUTH)."""
    low, left = 0, total
    while left > 1:
        slot, part = next_question(board, who, counts, playable, useless)
        if slot == NONE:
            break
        odds = share(board.possible[who, slot], part, counts)
        yes = min(max(np.int64(np.floor(left * odds + 0.5)), 1), left - 1)
        if number == TRUTH:
            agreed = (part >> board.hands[who, slot]) & 1 == 1
        else:
            agreed = number < low + yes
        if agreed:
            board.possible[who, slot] &= part
            left = yes
        else:
            board.possible[who, slot] &= ~part
            low += yes
            left -= yes
    return low


@rule
def next_question(board, who, counts, playable, useless):
    """The slot to ask about and the set of cards: is it one of these? Slot NONE if nothing is left to ask."""
    ready = False
    for slot in range(held(board, who)):
        if board.possible[who, slot] & ~playable == 0:
            ready = True
    best, choice, part = 0.0, NONE, 0
    for slot in range(held(board, who)):
        cards = board.possible[who, slot]
        if is_one(cards) or cards & ~useless == 0:
            continue
        p = share(cards, playable, counts)
        d = share(cards, useless, counts)
        worth = 0.0
        asked = playable
        if p > 0.0 and p < 1.0:
            worth = 10.0 + p if not ready else 5.0 + p
        elif d > 0.0 and p == 0.0:
            worth = 3.0 + min(d, 1.0 - d)
            asked = useless
        else:
            asked = lower_half(board, cards, counts)
            worth = 1.0 if p == 0.0 else 0.5
            if asked == 0:
                continue
        if worth > best:
            best, choice, part = worth, slot, asked
    return choice, part


@rule
def lower_half(board, cards, counts):
    """About half of the copies that a card can be."""
    total = 0
    for card in range(CARDS):
        if (cards >> card) & 1:
            total += counts[card]
    part, inside = 0, 0
    for distance in range(-RANKS, RANKS):
        for card in range(CARDS):
            if (cards >> card) & 1 and 2 * inside < total and card % RANKS - board.piles[card // RANKS] == distance:
                part |= 1 << card
                inside += counts[card]
    return part if part != cards else 0
