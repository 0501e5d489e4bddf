"""The position as it was at an earlier moment, and what is publicly known of each card.

For each card of each player the set of cards that it can be, judging by public events alone: the piles, the discards,
and what hints and discards have told. Everyone keeps the same sets, of its own hand too, because they never rest on a
hand that somebody does not see. They live in the agent's memory; the rest of a board is read off the view, by taking
back the moves that came later.
"""

from collections import namedtuple

import numpy as np

from hiddenhand.games.hanabi.deduction import FREE, OF_COLOURS, OF_RANKS, left_cards
from hiddenhand.games.hanabi.rules import CARDS, COLOURS, COPIES, HINT, NONE, RANKS, SEATS, SLOTS, hint_parts
from hiddenhand.kernel import record_type, rule

PACK = int(COPIES.sum())
MEMORY = record_type(
    [
        ("moves", "i8"),  # taken in
        ("possible", "i8", (SEATS, SLOTS)),  # the cards that each card can be, as sets
    ]
)

# All of it is public, but for `hands`: what one seat sees (its own hand is NONE). `deck` holds one number.
Board = namedtuple("Board", "players hand_size piles discarded deck hands possible")


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
    possible = memory.possible
    board = Board(np.int64(v.players), np.int64(v.hand_size), piles, discarded, deck, hands, possible)
    drawn = PACK - board.players * board.hand_size
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


@rule
def begin(board):
    """Nobody knows anything."""
    for who in range(SEATS):
        for slot in range(SLOTS):
            inside = who < board.players and slot < board.hand_size
            board.possible[who, slot] = FREE if inside else 0


# ---- sets of cards


@rule
def is_one(cards):
    """Whether the set has exactly one card."""
    return cards != 0 and cards & (cards - 1) == 0


@rule
def first_card(cards):
    """The lowest card of a set that is not empty."""
    card = 0
    while (cards >> card) & 1 == 0:
        card += 1
    return card


@rule
def bits(mask):
    """How many bits are set."""
    n = 0
    while mask != 0:
        mask &= mask - 1
        n += 1
    return n


@rule
def held(board, seat):
    """How many cards a seat holds."""
    n = 0
    while n < SLOTS and board.possible[seat, n] != 0:
        n += 1
    return n


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


# ---- what moves change


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
def named_cards(kind, value):
    """The cards of a colour (kind 0) or of a rank (kind 1)."""
    return OF_COLOURS[1 << value] if kind == 0 else OF_RANKS[1 << value]


@rule
def apply_hint(board, action, touched):
    """Apply the plain meaning of a hint: which cards it touched, and which not."""
    target, kind, value = hint_parts(action)
    named = named_cards(kind, value)
    for slot in range(held(board, target)):
        allowed = named if (touched >> slot) & 1 else FREE & ~named
        if board.possible[target, slot] & allowed != 0:
            board.possible[target, slot] &= allowed
        else:  # somebody does not keep to the agreement
            board.possible[target, slot] = allowed


@rule
def save(board, kept):
    """Keep the public knowledge, before something is tried."""
    for who in range(SEATS):
        for slot in range(SLOTS):
            kept[who, slot] = board.possible[who, slot]


@rule
def restore(board, kept):
    """Back to what was kept."""
    for who in range(SEATS):
        for slot in range(SLOTS):
            board.possible[who, slot] = kept[who, slot]
