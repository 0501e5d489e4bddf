"""What a seat knows, and the worlds that it allows.

A player knows his own cards: hand, discard pile, and by counting what is left in his deck, though not its order. Of
another player everybody knows what he owns, what he has played and discarded in the open, and how many cards lie
where. His other cards may be anywhere among his hand, the unknown part of his deck and the hands he discarded unseen
(in which there was no Treasure); every such distribution is equally likely in a world drawn here.
"""

import numpy as np

from hiddenhand.games.dominion.cards import ACTION, TREASURE
from hiddenhand.games.dominion.state import MOST_CARDS, MOST_TOPS, PILES, UNKNOWN, UNSEEN, WIDTH
from hiddenhand.games.dominion.steps import SET_ASIDE
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
        if i < s.top_sizes[seat] and s.tops[seat, i] == UNSEEN:
            view.my_tops[i] = UNKNOWN
    view.my_passing = s.passing[seat]
    view.drawn = s.drawn if s.steps > 0 and s.step_seats[s.steps - 1] == seat else 0


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
            order_own_deck(s, player, rng)
        else:
            redeal_player(s, player, pool, rng)


@rule
def order_own_deck(s, seat, rng):
    """The unknown part of the own deck holds what is nowhere else; it has no order. Some of it lies above a card that
    was put into the deck."""
    n = 0
    for i in range(PILES):
        card = s.piles[i]
        count = lying_about(s, seat, card) - s.hands[seat, card] - in_discard(s, seat, card)
        for j in range(s.top_sizes[seat]):
            if s.own_tops[seat, j] == card and s.tops[seat, j] != UNSEEN:
                count -= 1
        for _ in range(count):
            s.decks[seat, n] = card
            n += 1
    for i in range(s.top_sizes[seat]):
        if s.tops[seat, i] == UNSEEN:
            j = below(rng, n)
            s.own_tops[seat, i] = s.decks[seat, j]
            n -= 1
            s.decks[seat, j] = s.decks[seat, n]
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
    held = s.hand_sizes[seat]
    for card in range(WIDTH):
        s.hands[seat, card] = s.shown[seat, card]
        held -= s.shown[seat, card]
    if is_asked_by_library(s, seat):
        if not is_drawn_openly(s):
            n = redeal_drawn(s, seat, pool, n, rng)
            held -= 1
        else:
            s.drawn = s.step_counts[s.steps - 1]
    n = redeal_unseen(s, seat, pool, n, rng)
    for i in range(MOST_TOPS):
        if i >= s.top_sizes[seat]:
            s.own_tops[seat, i] = 0
        elif s.tops[seat, i] < 0:
            n -= 1
            s.own_tops[seat, i] = pool[n]
        else:
            s.own_tops[seat, i] = s.tops[seat, i]
    redeal_mixed(s, seat, rng)
    for _ in range(held):
        n -= 1
        s.hands[seat, pool[n]] += 1
    for i in range(MOST_CARDS):
        s.decks[seat, i] = pool[i] if i < n else 0
    if s.passing[seat] > 0:
        redeal_passing(s, seat, rng)


@rule
def redeal_mixed(s, seat, rng):
    """Cards that lie mixed may lie in any order."""
    low = s.mixed_from[seat]
    for size in range(s.mixed_size[seat], 1, -1):
        i, j = low + size - 1, low + below(rng, size)
        s.own_tops[seat, i], s.own_tops[seat, j] = s.own_tops[seat, j], s.own_tops[seat, i]


@rule
def is_asked_by_library(s, seat):
    """Whether this player has just drawn an Action by a Library."""
    top = s.steps - 1
    return top >= 0 and s.step_kinds[top] == SET_ASIDE and s.step_seats[top] == seat


@rule
def is_drawn_openly(s):
    """Whether everybody knew the card that the Library drew."""
    return s.step_counts[s.steps - 1] > 0


@rule
def redeal_drawn(s, seat, pool, n, rng):
    """The card that a Library asks about is an Action, any that is hidden: it goes from the pool to the hand."""
    actions = 0
    for i in range(n):
        if ACTION[pool[i]]:
            pool[i], pool[actions] = pool[actions], pool[i]
            actions += 1
    i = below(rng, actions)
    s.drawn = pool[i] + 1
    s.hands[seat, pool[i]] += 1
    pool[i] = pool[n - 1]
    return n - 1


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
