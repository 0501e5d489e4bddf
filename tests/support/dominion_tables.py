"""Dominion tables for tests: positions made by hand, moves played by their names, and cards read back by their names.

    table = position(seat("Smithy", deck="Gold, Silver, Copper"), coins=1)
    play(table, "play Smithy")
    assert hand(table) == cards("Gold, Silver, Copper")

A position names its cards and the kingdom follows: the ten are those named, filled up with others of the edition.
Every move checks that no card is lost, and that the players' counts agree with their cards.
"""

from collections import Counter
from functools import cache
from typing import NamedTuple

import numpy as np

from hiddenhand.core.resolver import game
from hiddenhand.core.table import Table
from hiddenhand.games.dominion.cards import CARDS, NAMES, TABLE, TREASURE
from hiddenhand.games.dominion.kingdoms import EDITIONS
from hiddenhand.games.dominion.rules import begin_turn
from hiddenhand.games.dominion.state import BASIC, UNKNOWN, WIDTH

FIRST, SECOND = "first", "second"
NOTHING = Counter()
TREASURE_CARDS = np.pad(TREASURE, (0, WIDTH - CARDS))


class Seat(NamedTuple):
    hand: str
    deck: str
    below: str
    discard: str
    open_deck: bool


def seat(hand="", deck="", below="", discard="", open_deck=False):
    """The cards of a player. The deck is drawn in the order written, and what is `below` it after that, at random.

    Nobody else knows the deck's order, unless it is an `open_deck`.
    """
    return Seat(hand, deck, below, discard, open_deck)


def in_order(text):
    """`2 Copper, Smithy`: Copper, Copper, Smithy."""
    names = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        count, _, rest = part.partition(" ")
        names += [rest] * int(count) if count.isdigit() else [part]
    assert set(names) <= set(NAMES), names
    return names


def cards(text):
    """`2 Copper, Smithy`, counted."""
    return Counter(in_order(text))


@cache
def table_game(players, edition, named):
    """The game whose kingdom has the named cards, filled up to ten with others of the edition."""
    kingdom = [name for name in NAMES[BASIC:] if name in named]
    assert len(kingdom) <= 10, f"too many kinds of kingdom cards: {kingdom}"
    fillers = [card.name for card in TABLE[BASIC:] if card.editions & EDITIONS[edition] and card.name not in named]
    kingdom += fillers[: 10 - len(kingdom)]
    return game("dominion", players=players, edition=edition, kingdom=", ".join(kingdom))


def position(*seats, current=0, edition=FIRST, actions=1, buys=1, coins=0, supply=None, also="", seed=1):
    """A table at which these seats hold these cards and `current` begins its turn.

    `supply` says how many cards some piles have (the others are full), `also` which cards are in the kingdom beside
    those that somebody holds. `coins` come on top of what Treasures give.
    """
    supply = supply or {}
    named = {name for player in seats for text in player[:4] for name in in_order(text)}
    named |= {*supply, *in_order(also)}
    table = Table(table_game(len(seats), edition, frozenset(named - set(NAMES[:BASIC]))), seed)
    s = table.state
    for name in ("hands", "owned", "shown", "seen", "unseen", "in_play", "own_tops", "tops", "decks", "turns"):
        s[name] = 0
    for number, player in enumerate(seats):
        lay(s, number, player)
    for name, count in supply.items():
        s.supply[NAMES.index(name)] = count
    s.empty_piles = sum(1 for card in s.piles if s.supply[card] == 0)
    s.turns[:current] = 1
    begin_turn(s, current)
    s.actions, s.buys = actions, buys
    s.coins += coins
    table.game.people.conserved(s)
    return table


def lay(s, number, player):
    """Put a player's cards where they are, and count them."""
    hand, deck, below, discard = (
        [NAMES.index(name) for name in in_order(text)]
        for text in (player.hand, player.deck, player.below, player.discard)
    )
    for card in hand + deck + below + discard:
        s.owned[number, card] += 1
    for card in hand:
        s.hands[number, card] += 1
    for card in discard:  # as after some turns: Treasures were played in the open, the rest came from hands
        (s.seen if TREASURE[card] else s.unseen)[number, card] += 1
    for place, card in enumerate(reversed(deck)):
        s.own_tops[number, place] = card
        s.tops[number, place] = card if player.open_deck else UNKNOWN
    s.decks[number, : len(below)] = below
    s.hand_sizes[number], s.top_sizes[number] = len(hand), len(deck)
    s.deck_sizes[number], s.discard_sizes[number] = len(below), len(discard)
    s.dumped[number] = 0


def play(table, *moves):
    """Play these moves, by their names, one after the other; no card may be lost or appear."""
    for move in moves:
        before = table.game.people.conserved(table.state)
        table.play(move)
        assert table.game.people.conserved(table.state) == before, f"cards are not conserved by {move}"


# ---- reading


def count(numbers):
    """An array with one number per card, as names and counts."""
    return Counter({NAMES[card]: int(numbers[card]) for card in range(len(NAMES)) if numbers[card] != 0})


def hand(table, of=0):
    """A hand, with the Treasures in it: those that the buy phase has laid out by itself count as held."""
    s = table.state
    return count(s.hands[of] + s.in_play * TREASURE_CARDS if of == s.current else s.hands[of])


def discard(table, of=0):
    return count(table.state.seen[of].astype(int) + table.state.unseen[of])


def in_play(table):
    """The Actions that lie before the current player."""
    return count(table.state.in_play * ~TREASURE_CARDS)


def trash(table):
    return count(table.state.trash)


def owned(table, of=0):
    return count(table.state.owned[of])


def tops(table, of=0):
    """The cards on a deck that somebody has placed or seen, topmost first."""
    s = table.state
    return [NAMES[card] for card in s.own_tops[of, : s.top_sizes[of]][::-1]]


def open_tops(table, of=0):
    """What everybody knows of those: names, or `?`."""
    s = table.state
    return ["?" if card == UNKNOWN else NAMES[card] for card in s.tops[of, : s.top_sizes[of]][::-1]]


def below(table, of=0):
    """The rest of the deck, in no order."""
    s = table.state
    return Counter(NAMES[card] for card in s.decks[of, : s.deck_sizes[of]])


def deck(table, of=0):
    """The whole deck, in no order."""
    return below(table, of) + Counter(tops(table, of))


def supply(table, name):
    return int(table.state.supply[NAMES.index(name)])


def choices(table):
    """The names of the legal moves."""
    return [table.action_name(action) for action in table.legal_actions()]


def left(table):
    """Actions, buys and coins."""
    s = table.state
    return int(s.actions), int(s.buys), int(s.coins)
