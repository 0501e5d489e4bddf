"""A view of Hanabi as bits for a network, from the side of the player: the next player is 1, whatever the seat.

All that conventions are made of is there: what each player can know of a hand, which cards can be played, are useless
or the last of their kind, what is left to be seen, and the latest moves with the slots that they touched and whether
they succeeded.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.extras import Encoding
from hiddenhand.core.text import Text
from hiddenhand.games.hanabi.deduction import by_hints, count_unseen, critical_cards, playable_cards, useless_cards
from hiddenhand.games.hanabi.rules import (
    CARDS,
    COLOURS,
    COPIES,
    DECK_SIZE,
    DISCARD,
    HAND_SIZES,
    HINT,
    MOST_HINTS,
    MOST_LIVES,
    NONE,
    PLAY,
    RANKS,
    SLOTS,
)
from hiddenhand.kernel import rule, write_bits

LEAST_MOVES = 4  # so many of the latest moves are told, and at least one of every player
KNOWN = COLOURS + RANKS + 2  # of a card by its owner: what it can be by the hints, and whether either was named
OWN_CARD = 1 + KNOWN + CARDS + 4
OTHERS_CARD = 1 + KNOWN + CARDS + 5


class Kinds(NamedTuple):
    """Sets of cards, as masks."""

    playable: Any
    useless: Any
    critical: Any


def latest_moves(players: int) -> int:
    return max(LEAST_MOVES, players)


def move_length(players: int) -> int:
    """The actor, the sort, what was named and to whom, the slots touched or left, the card, and whether it fitted."""
    return players + 3 + COLOURS + RANKS + players + SLOTS + SLOTS + CARDS + 1


def groups_for(players: int) -> dict[str, int]:
    """What the bits are about, group by group, and how many there are of each."""
    size = HAND_SIZES[players]
    others: list[str] = [Text("my partner")]
    if players > 2:
        others = [Text("the player {n} after me", n=n) for n in range(1, players)]
    groups: dict[str, int] = {
        Text("the piles"): COLOURS * (RANKS + 1),
        Text("the cards that are out of the game"): DECK_SIZE,
        Text("the cards not seen yet"): DECK_SIZE,
        Text("which cards are useless"): CARDS,
        Text("which cards are the last of their kind"): CARDS,
        Text("the hint tokens"): MOST_HINTS + 1,
        Text("the lives"): MOST_LIVES,
        Text("the cards left to draw"): DECK_SIZE - players * size,
        Text("the turns left"): players + 1,
    }
    for slot in range(size):
        groups[Text("what I know of my card {n}", n=slot + 1)] = OWN_CARD
    for owner in others:
        for slot in range(size):
            groups[Text("card {n} of {owner}", n=slot + 1, owner=owner)] = OTHERS_CARD
    for number in range(latest_moves(players)):
        name = Text("the move {n} moves ago", n=number + 1) if number else Text("the last move")
        groups[name] = move_length(players)
    return groups


def adapt(options: Mapping[str, Any]) -> dict[str, Any]:
    """What a network sees depends on the number of players."""
    groups, at = {}, 0
    for name, length in groups_for(int(options["players"])).items():
        groups[name] = range(at, at + length)
        at += length
    return {"extras": (Encoding(at, bits=True, groups=groups),)}


@rule
def encode(v, seat, out):
    for i in range(len(out)):
        out[i] = 0
    counts = np.empty(CARDS, np.int64)
    count_unseen(v, seat, seat, counts)
    kinds = Kinds(playable_cards(v), useless_cards(v), critical_cards(v))
    at = encode_table(v, counts, kinds, out)
    for slot in range(np.int64(v.hand_size)):
        encode_own(v, seat, slot, counts, kinds, out, at)
        at += OWN_CARD
    players = np.int64(v.players)
    for step in range(1, players):
        other = (seat + step) % players
        count_unseen(v, other, seat, counts)
        for slot in range(np.int64(v.hand_size)):
            encode_other(v, other, slot, counts, kinds, out, at)
            at += OTHERS_CARD
    for number in range(max(LEAST_MOVES, players)):
        move = np.int64(v.moves_made) - 1 - number
        if move >= 0:
            encode_move(v, seat, move, out, at)
        at += 2 * players + 3 + COLOURS + RANKS + 2 * SLOTS + CARDS + 1


@rule
def mark_cards(cards, out, at):
    """A bit for each card of a set."""
    write_bits(cards, CARDS, out, at)


@rule
def encode_copies(counts, out, at):
    """One bit for each copy of each card: of card c the first counts[c] bits are set."""
    for card in range(CARDS):
        for copy in range(COPIES[card]):
            out[at] = 1 if copy < counts[card] else 0
            at += 1


@rule
def encode_table(v, counts, kinds, out):
    """What lies open, and what is left to be seen; returns where it ends."""
    at = 0
    for colour in range(COLOURS):
        out[at + np.int64(v.piles[colour])] = 1
        at += RANKS + 1
    encode_copies(v.discarded, out, at)
    encode_copies(counts, out, at + DECK_SIZE)
    at += 2 * DECK_SIZE
    mark_cards(kinds.useless, out, at)
    mark_cards(kinds.critical, out, at + CARDS)
    at += 2 * CARDS
    out[at + np.int64(v.hints)] = 1
    at += MOST_HINTS + 1
    if v.lives > 0:
        out[at + np.int64(v.lives) - 1] = 1
    at += MOST_LIVES
    players = np.int64(v.players)
    for i in range(DECK_SIZE - players * np.int64(v.hand_size)):
        out[at] = 1 if i < v.deck_left else 0
        at += 1
    if v.turns_left != NONE:
        out[at + np.int64(v.turns_left)] = 1
    return at + players + 1


@rule
def encode_known(v, seat, slot, out, at):
    """That there is a card, what the hints allow it to be, and whether its colour and its rank were named."""
    out[at] = 1
    for i in range(5):
        out[at + 1 + i] = np.int64(v.colours[seat, slot]) >> i & 1
        out[at + 6 + i] = np.int64(v.ranks[seat, slot]) >> i & 1
    out[at + 11] = v.told_colour[seat, slot]
    out[at + 12] = v.told_rank[seat, slot]


@rule
def possible(v, seat, slot, counts):
    """What a card can be by the hints and by the copies left."""
    cards = by_hints(v, seat, slot)
    for card in range(CARDS):
        if counts[card] == 0:
            cards &= ~(np.int64(1) << card)
    return cards


@rule
def encode_own(v, seat, slot, counts, kinds, out, at):
    if v.colours[seat, slot] == 0:
        return
    encode_known(v, seat, slot, out, at)
    cards = possible(v, seat, slot, counts)
    mark_cards(cards, out, at + 1 + KNOWN)
    at += 1 + KNOWN + CARDS
    out[at] = 1 if cards & ~kinds.playable == 0 else 0
    out[at + 1] = 1 if cards & kinds.playable != 0 else 0
    out[at + 2] = 1 if cards & ~kinds.useless == 0 else 0
    out[at + 3] = 1 if cards & kinds.critical != 0 else 0


@rule
def encode_other(v, seat, slot, counts, kinds, out, at):
    """`counts`: the copies that may be there for all that its owner surely sees."""
    if v.colours[seat, slot] == 0:
        return
    encode_known(v, seat, slot, out, at)
    at += 1 + KNOWN
    held = np.int64(1) << np.int64(v.hands[seat, slot])
    mark_cards(held, out, at)
    at += CARDS
    known = possible(v, seat, slot, counts)
    out[at] = 1 if held & kinds.playable != 0 else 0
    out[at + 1] = 1 if held & kinds.useless != 0 else 0
    out[at + 2] = 1 if held & kinds.critical != 0 else 0
    out[at + 3] = 1 if known & ~kinds.playable == 0 else 0
    out[at + 4] = 1 if known & ~kinds.useless == 0 else 0


@rule
def encode_move(v, seat, move, out, at):
    """One of the latest moves: see `move_length`."""
    players = np.int64(v.players)
    action = np.int64(v.log_action[move])
    out[at + (np.int64(v.log_actor[move]) - seat + players) % players] = 1
    at += players
    sorts, named, target = at, at + 3, at + 3 + COLOURS + RANKS
    touched = target + players
    left = touched + SLOTS
    if action >= HINT:
        out[sorts + 2] = 1
        out[named + (action - HINT) % 10] = 1
        out[target + ((action - HINT) // 10 - seat + players) % players] = 1
        for slot in range(SLOTS):
            out[touched + slot] = np.int64(v.log_touched[move]) >> slot & 1
        return
    if action >= DISCARD:
        out[sorts + 1] = 1
        out[left + action - DISCARD] = 1
    else:
        out[sorts] = 1
        out[left + action - PLAY] = 1
    out[left + SLOTS + np.int64(v.log_card[move])] = 1
    out[left + SLOTS + CARDS] = v.log_success[move]
