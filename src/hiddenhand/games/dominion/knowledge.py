"""What a seat knows, and the worlds that it allows.

A player knows his own cards: hand, discard pile, and by counting what is left in his deck, though not its order. Of
another player everybody knows what he owns, what he has played and discarded in the open, and how many cards lie
where. His other cards may be anywhere among his hand, the unknown part of his deck and the hands he discarded unseen
(in which there was no Treasure); every such distribution is equally likely in a world drawn here.
"""

import numpy as np

from hiddenhand.games.dominion.cards import TREASURE, WIDTH
from hiddenhand.games.dominion.state import MOST_CARDS, MOST_TOPS, PILES, UNKNOWN
from hiddenhand.games.dominion.zones import in_discard
from hiddenhand.kernel import below, rule, shuffle
from hiddenhand.kernel.records import copy_shared


@rule
def observe(s, seat, view):
    copy_shared(view, s)
    for card in range(WIDTH):
        view.hand[card] = s.hands[seat, card]
        view.discard[card] = in_discard(s, seat, card)
    for i in range(MOST_TOPS):
        view.my_tops[i] = s.own_tops[seat, i] if i < s.top_sizes[seat] else 0
    view.my_passing = s.passing[seat]


@rule
def lying_about(s, seat, card):
    """Copies of a card that a player owns but that are neither in play nor set aside."""
    count = s.owned[seat, card]
    if seat == s.current:
        count -= s.in_play[card] + s.aside[card]
    return count


@rule
def redeal(s, seat, rng):
    pool = np.empty(MOST_CARDS, np.int64)
    for player in range(s.players):
        if player == seat:
            order_own_deck(s, player)
        else:
            redeal_player(s, player, pool, rng)


@rule
def order_own_deck(s, seat):
    """The unknown part of the own deck holds what is nowhere else; it has no order."""
    n = 0
    for i in range(PILES):
        card = s.piles[i]
        count = lying_about(s, seat, card) - s.hands[seat, card] - in_discard(s, seat, card)
        for j in range(s.top_sizes[seat]):
            if s.own_tops[seat, j] == card:
                count -= 1
        for _ in range(count):
            s.decks[seat, n] = card
            n += 1
    for i in range(n, MOST_CARDS):
        s.decks[seat, i] = 0
    for i in range(s.top_sizes[seat], MOST_TOPS):
        s.own_tops[seat, i] = 0


@rule
def gather_hidden(s, seat, pool):
    """The cards of another player that nobody else can place; returns how many."""
    n = 0
    for i in range(PILES):
        card = s.piles[i]
        count = lying_about(s, seat, card) - s.seen[seat, card] - s.shown[seat, card]
        for j in range(s.top_sizes[seat]):
            if s.tops[seat, j] == card:
                count -= 1
        for _ in range(count):
            pool[n] = card
            n += 1
    return n


@rule
def redeal_unseen(s, seat, pool, n, rng):
    """The unseen part of the discard pile: no Treasure, for those are played, unless a Chancellor dumped the deck.

    The pool ends up in random order; returns how many cards are left in it.
    """
    unseen = s.discard_sizes[seat]
    for card in range(WIDTH):
        unseen -= s.seen[seat, card]
        s.unseen[seat, card] = 0
    others = n - treasures_first(pool, n)
    for i in range(unseen - s.dumped[seat]):  # cards that were discarded from hands
        j = n - 1 - i - below(rng, others - i)
        pool[j], pool[n - 1 - i] = pool[n - 1 - i], pool[j]
        s.unseen[seat, pool[n - 1 - i]] += 1
    n -= unseen - s.dumped[seat]
    shuffle(rng, pool, n)
    for _ in range(s.dumped[seat]):
        n -= 1
        s.unseen[seat, pool[n]] += 1
    return n


@rule
def treasures_first(pool, n):
    """Put the Treasures of the pool before the other cards; returns how many there are."""
    treasures = 0
    for i in range(n):
        if TREASURE[pool[i]]:
            pool[i], pool[treasures] = pool[treasures], pool[i]
            treasures += 1
    return treasures


@rule
def redeal_player(s, seat, pool, rng):
    n = gather_hidden(s, seat, pool)
    n = redeal_unseen(s, seat, pool, n, rng)
    for i in range(MOST_TOPS):
        if i >= s.top_sizes[seat]:
            s.own_tops[seat, i] = 0
        elif s.tops[seat, i] == UNKNOWN:
            n -= 1
            s.own_tops[seat, i] = pool[n]
        else:
            s.own_tops[seat, i] = s.tops[seat, i]
    held = s.hand_sizes[seat]
    for card in range(WIDTH):
        s.hands[seat, card] = s.shown[seat, card]
        held -= s.shown[seat, card]
    for _ in range(held):
        n -= 1
        s.hands[seat, pool[n]] += 1
    for i in range(MOST_CARDS):
        s.decks[seat, i] = pool[i] if i < n else 0
    if s.passing[seat] > 0:
        redeal_passing(s, seat, rng)


@rule
def redeal_passing(s, seat, rng):
    """Any card of the hand may be the one that another player passes."""
    left = below(rng, s.hand_sizes[seat])
    for i in range(PILES):
        card = s.piles[i]
        left -= s.hands[seat, card]
        if left < 0:
            s.passing[seat] = card + 1
            return
