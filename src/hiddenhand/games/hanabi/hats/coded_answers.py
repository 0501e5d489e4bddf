"""What a number tells: questions to every player, and their answers.

Each of the other players has a number of its own: where its true hand falls in a list of classes. A hint says the sum
of these numbers (modulo the number of hints that can be told apart). Everyone sees the other hands, subtracts their
numbers, and so learns its own; after that, the numbers of all players are public.

The classes come from questions about a hand, asked one after the other. Each splits the numbers that are left into
some for "yes" and some for "no", in proportion to the odds, and the next question depends on the answer. So a hand
that needs many answers gets many, and no number is wasted. First: is this card one that you should play next? Once a
player has such a card: are there more? Then what is useless, and which card exactly.
"""

import numpy as np

from hiddenhand.games.hanabi.deduction import share, useless_cards
from hiddenhand.games.hanabi.hats.board import (
    apply_hint,
    begin,
    board_at,
    count_public,
    first_card,
    held,
    is_one,
    replace_card,
    settle,
)
from hiddenhand.games.hanabi.hats.numbers import number_of_discard, number_of_hint
from hiddenhand.games.hanabi.rules import CARDS, COLOURS, DISCARD, HINT, NONE, RANKS, SEATS, SLOTS
from hiddenhand.kernel import rule

TRUTH = -1  # in place of a number: take it from the true hand


@rule
def catch_up(v, seat, memory):
    """Read all moves that were made since the last call; `memory.moves` counts those that were read. Returns the
    present board."""
    done = memory.moves if memory.moves <= v.moves_made else 0
    board = board_at(v, seat, memory, done)
    if done == 0:
        begin(board)
    for move in range(done, np.int64(v.moves_made)):
        take_in(board, v, seat, move)
    memory.moves = v.moves_made
    return board


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


# ---- telling


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
