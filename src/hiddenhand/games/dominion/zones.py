"""Moving cards between deck, hand, discard pile, play, supply and trash, and what everybody learns from each move.

All changes to these counts are made here. That is why no card is ever lost or doubled, and why nobody knows more, or
less, than the rules allow.
"""

import numpy as np

from hiddenhand.games.dominion.state import MOST_TOPS, PILES, UNKNOWN, UNSEEN, WIDTH
from hiddenhand.kernel import below, rule

NOTHING = -1  # no card
MOST_UNCOVERED = 4


# ---- the deck


@rule
def in_discard(s, seat, card):
    """Copies of a card in a discard pile."""
    return s.seen[seat, card] + s.unseen[seat, card]


@rule
def shuffle_discard_into_deck(s, seat):
    """The deck has run out: the discard pile becomes the deck. (Its order is decided as cards are drawn.)"""
    n = s.deck_sizes[seat]
    for i in range(PILES):
        card = s.piles[i]
        for _ in range(in_discard(s, seat, card)):
            s.decks[seat, n] = card
            n += 1
    s.deck_sizes[seat] = n
    s.discard_sizes[seat] = 0
    s.dumped[seat] = 0
    for card in range(WIDTH):
        s.unseen[seat, card] = 0
        s.seen[seat, card] = 0


@rule
def take_from_deck(s, seat, rng):
    """Take a card from the unknown part of the deck, which is not empty."""
    n = s.deck_sizes[seat]
    i = below(rng, n)
    card = s.decks[seat, i]
    s.decks[seat, i] = s.decks[seat, n - 1]
    s.deck_sizes[seat] = n - 1
    return np.int64(card)


@rule
def take_top(s, seat, shown_to_all, rng):
    """Take the top card, shuffling if need be; NOTHING if there is none."""
    n = s.top_sizes[seat]
    if n > 0:
        card = np.int64(s.own_tops[seat, n - 1])
        if top_is_mixed(s, seat):
            leave_mixed(s, seat, card, shown_to_all)
        s.top_sizes[seat] = n - 1
        return card
    if s.deck_sizes[seat] == 0:
        if s.discard_sizes[seat] == 0:
            return NOTHING
        shuffle_discard_into_deck(s, seat)
    return take_from_deck(s, seat, rng)


@rule
def top_is_open(s, seat):
    """Whether everybody knows the top card."""
    n = s.top_sizes[seat]
    return n > 0 and s.tops[seat, n - 1] >= 0 and not top_is_mixed(s, seat)


@rule
def top_is_mixed(s, seat):
    """Whether the top card is one of some that all know, but not their order."""
    size = s.mixed_size[seat]
    return size > 0 and s.mixed_from[seat] + size == s.top_sizes[seat]


@rule
def mix(s, seat, count):
    """From now on only the owner knows in which order the `count` topmost cards lie; everybody knows which cards they
    are."""
    if s.mixed_size[seat] > 0:
        forget_mixed(s, seat)  # two such groups on one deck are more than this record can tell
    low = s.top_sizes[seat] - count
    s.mixed_from[seat] = low
    s.mixed_size[seat] = count
    for i in range(low + 1, low + count):  # in ascending order, which tells nothing
        card = s.tops[seat, i]
        at = i
        while at > low and s.tops[seat, at - 1] > card:
            s.tops[seat, at] = s.tops[seat, at - 1]
            at -= 1
        s.tops[seat, at] = card
    settle_mixed(s, seat)


@rule
def settle_mixed(s, seat):
    """Where the mixed cards are all alike their order tells nothing, and all know each of them."""
    low = s.mixed_from[seat]
    size = s.mixed_size[seat]
    if size <= 1 or s.tops[seat, low] == s.tops[seat, low + size - 1]:
        s.mixed_from[seat] = 0
        s.mixed_size[seat] = 0


@rule
def forget_mixed(s, seat):
    """What the others knew of the mixed cards is no longer true of any of them."""
    low = s.mixed_from[seat]
    for i in range(low, low + s.mixed_size[seat]):
        s.tops[seat, i] = UNKNOWN
    s.mixed_from[seat] = 0
    s.mixed_size[seat] = 0


@rule
def leave_mixed(s, seat, card, shown_to_all):
    """The topmost of the mixed cards is taken: if all see which it is, they know what is left."""
    if not shown_to_all:
        forget_mixed(s, seat)
        return
    low = s.mixed_from[seat]
    at = low
    while s.tops[seat, at] != card:
        at += 1
    for i in range(at + 1, low + s.mixed_size[seat]):
        s.tops[seat, i - 1] = s.tops[seat, i]
    s.mixed_size[seat] -= 1
    settle_mixed(s, seat)


@rule
def draw_mixed(s, seat, count):
    """Prepare for drawing `count` cards: of the mixed ones all are drawn, or none, or some that nobody can name."""
    low = s.mixed_from[seat]
    n = s.top_sizes[seat]
    if count >= n - low:
        s.mixed_from[seat] = 0
        s.mixed_size[seat] = 0
    elif count > n - low - s.mixed_size[seat]:
        forget_mixed(s, seat)


@rule
def lower(s, seat):
    """The lowest of the known cards of a deck is forgotten and goes under the others."""
    if s.mixed_size[seat] > 0:
        if s.mixed_from[seat] == 0:
            forget_mixed(s, seat)
        else:
            s.mixed_from[seat] -= 1
    s.decks[seat, s.deck_sizes[seat]] = s.own_tops[seat, 0]
    s.deck_sizes[seat] += 1
    for i in range(1, s.top_sizes[seat]):
        s.own_tops[seat, i - 1] = s.own_tops[seat, i]
        s.tops[seat, i - 1] = s.tops[seat, i]
    s.top_sizes[seat] -= 1


@rule
def put_into_deck(s, seat, card, above, rng):
    """Lay a card into the deck, with `above` others on top of it. Its owner knows which card it is; everybody knows
    where it lies."""
    if s.top_sizes[seat] == MOST_TOPS:
        lower(s, seat)
    n = s.top_sizes[seat]
    unseen = max(above - n, 0)  # cards that nobody knows come to lie between those known and the new one
    at = n - above if unseen == 0 else 0
    more = unseen + 1
    if s.mixed_size[seat] > 0:
        if at <= s.mixed_from[seat]:
            s.mixed_from[seat] += more
        elif at < s.mixed_from[seat] + s.mixed_size[seat]:
            forget_mixed(s, seat)
    for i in range(n - 1, at - 1, -1):
        s.own_tops[seat, i + more] = s.own_tops[seat, i]
        s.tops[seat, i + more] = s.tops[seat, i]
    s.own_tops[seat, at] = card
    s.tops[seat, at] = UNKNOWN
    for i in range(at + 1, at + more):
        s.own_tops[seat, i] = take_from_deck(s, seat, rng)
        s.tops[seat, i] = UNSEEN
    s.top_sizes[seat] = n + more


@rule
def put_on_deck(s, seat, card, open_to_all):
    """Lay a card on the deck; its owner knows it, and so does everybody if it is `open_to_all`."""
    if s.top_sizes[seat] == MOST_TOPS:  # far more than any real game has
        lower(s, seat)
    n = s.top_sizes[seat]
    s.own_tops[seat, n] = card
    s.tops[seat, n] = card if open_to_all else UNKNOWN
    s.top_sizes[seat] = n + 1


@rule
def uncover(s, seat, count, open_to_all, rng):
    """Look at the top cards, or show them to all; they stay on the deck, known. Returns how many there were."""
    taken = np.empty(MOST_UNCOVERED, np.int64)
    opened = np.empty(MOST_UNCOVERED, np.bool_)
    n = 0
    for _ in range(count):
        known = top_is_open(s, seat)
        card = take_top(s, seat, open_to_all, rng)
        if card == NOTHING:
            break
        taken[n] = card
        opened[n] = known
        n += 1
    for i in range(n - 1, -1, -1):
        put_on_deck(s, seat, taken[i], open_to_all or opened[i])
    return n


@rule
def take_known_top(s, seat, card):
    """Take a certain card out of the topmost known ones."""
    n = s.top_sizes[seat]
    at = n - 1
    while s.own_tops[seat, at] != card:
        at -= 1
    for i in range(at + 1, n):
        s.own_tops[seat, i - 1] = s.own_tops[seat, i]
        s.tops[seat, i - 1] = s.tops[seat, i]
    s.top_sizes[seat] = n - 1


@rule
def order_tops(s, seat, card):
    """Lay the two topmost cards in the order that their owner likes, with this card above; nobody sees it.

    Where the others knew both, they still know which two they are.
    """
    n = s.top_sizes[seat]
    if s.own_tops[seat, n - 1] != card:
        s.own_tops[seat, n - 2] = s.own_tops[seat, n - 1]
        s.own_tops[seat, n - 1] = card
    if s.tops[seat, n - 1] >= 0 and s.tops[seat, n - 2] >= 0:
        mix(s, seat, 2)
    else:
        s.tops[seat, n - 1] = UNKNOWN
        s.tops[seat, n - 2] = UNKNOWN


@rule
def put_under(s, seat, card, count):
    """Lay one of the `count` topmost cards, which are mixed, under the others of them; nobody else sees which one."""
    n = s.top_sizes[seat]
    at = n - 1
    while s.own_tops[seat, at] != card:
        at -= 1
    for i in range(at, n - count, -1):
        s.own_tops[seat, i] = s.own_tops[seat, i - 1]
    s.own_tops[seat, n - count] = card


@rule
def discard_deck(s, seat):
    """The whole deck goes to the discard pile. Only the topmost cards that everybody knows are seen."""
    for i in range(s.deck_sizes[seat]):
        dump(s, seat, s.decks[seat, i])
    s.deck_sizes[seat] = 0
    for i in range(s.top_sizes[seat]):
        if s.tops[seat, i] < 0:
            dump(s, seat, s.own_tops[seat, i])
        else:
            put_on_discard(s, seat, s.own_tops[seat, i])
    s.top_sizes[seat] = 0
    s.mixed_from[seat] = 0
    s.mixed_size[seat] = 0


@rule
def dump(s, seat, card):
    s.unseen[seat, card] += 1
    s.discard_sizes[seat] += 1
    s.dumped[seat] += 1


# ---- the hand


@rule
def put_in_hand(s, seat, card, open_to_all):
    s.hands[seat, card] += 1
    s.hand_sizes[seat] += 1
    if open_to_all:
        s.shown[seat, card] += 1


@rule
def draw(s, seat, count, rng):
    """Draw cards into the hand, as many as there are."""
    left = count
    if s.mixed_size[seat] > 0:
        draw_mixed(s, seat, left)
    while left > 0 and s.top_sizes[seat] > 0:
        known = top_is_open(s, seat)
        put_in_hand(s, seat, take_top(s, seat, False, rng), known)
        left -= 1
    while left > 0:
        if s.deck_sizes[seat] == 0:
            if s.discard_sizes[seat] == 0:
                return
            shuffle_discard_into_deck(s, seat)
        n = s.deck_sizes[seat]
        now = min(left, n)
        for _ in range(now):  # `take_from_deck` and `put_in_hand`, which took half of a simple game's time
            i = below(rng, n)
            n -= 1
            s.hands[seat, s.decks[seat, i]] += 1
            s.decks[seat, i] = s.decks[seat, n]
        s.deck_sizes[seat] = n
        s.hand_sizes[seat] += now
        left -= now


@rule
def leave_hand(s, seat, card):
    """A card leaves the hand where everybody sees it."""
    s.hands[seat, card] -= 1
    s.hand_sizes[seat] -= 1
    if s.shown[seat, card] > 0:
        s.shown[seat, card] -= 1


@rule
def leave_hand_unseen(s, seat, card):
    """A card leaves the hand face down: any card that the others knew of may be the one."""
    s.hands[seat, card] -= 1
    s.hand_sizes[seat] -= 1
    for known in range(WIDTH):
        if s.shown[seat, known] > 0:
            s.shown[seat, known] -= 1


@rule
def show_hand(s, seat):
    """Everybody sees the whole hand."""
    for card in range(WIDTH):
        s.shown[seat, card] = s.hands[seat, card]


# ---- the discard pile


@rule
def put_on_discard(s, seat, card):
    """A card goes to the discard pile where everybody sees it."""
    s.seen[seat, card] += 1
    s.discard_sizes[seat] += 1


@rule
def leave_discard(s, seat, card):
    """A card is taken from the discard pile where everybody sees it."""
    s.discard_sizes[seat] -= 1
    if s.seen[seat, card] > 0:
        s.seen[seat, card] -= 1
    else:
        s.unseen[seat, card] -= 1


@rule
def discard_from_hand(s, seat, card):
    leave_hand(s, seat, card)
    put_on_discard(s, seat, card)


@rule
def discard_play_and_hand(s):
    """Clean-up: what the current player played and what is left in hand go to the discard pile."""
    seat = s.current
    amount = 0
    for card in range(WIDTH):
        played = s.in_play[card]
        held = s.hands[seat, card]
        amount += played + held
        s.seen[seat, card] += played + s.shown[seat, card]
        s.unseen[seat, card] += held - s.shown[seat, card]
        s.in_play[card] = 0
        s.hands[seat, card] = 0
        s.shown[seat, card] = 0
    s.discard_sizes[seat] += amount
    s.hand_sizes[seat] = 0


# ---- supply and trash


@rule
def take_from_supply(s, seat, card):
    """A card of the supply becomes the player's; the caller puts it where it goes."""
    s.supply[card] -= 1
    if s.supply[card] == 0:
        s.empty_piles += 1
    s.owned[seat, card] += 1


@rule
def gain(s, seat, card):
    """Gain a card to the discard pile, if its pile is not empty."""
    if s.supply[card] > 0:
        take_from_supply(s, seat, card)
        put_on_discard(s, seat, card)


@rule
def gain_to_hand(s, seat, card):
    take_from_supply(s, seat, card)
    put_in_hand(s, seat, card, True)


@rule
def gain_on_deck(s, seat, card):
    take_from_supply(s, seat, card)
    put_on_deck(s, seat, card, True)


@rule
def discard_hand(s, seat):
    """The whole hand goes to the discard pile where everybody sees it."""
    for i in range(PILES):
        card = s.piles[i]
        while s.hands[seat, card] > 0:
            discard_from_hand(s, seat, card)


@rule
def lose(s, seat, card):
    """A card that lies nowhere any more goes to the trash."""
    s.owned[seat, card] -= 1
    s.trash[card] += 1


@rule
def trash_from_hand(s, seat, card):
    leave_hand(s, seat, card)
    lose(s, seat, card)


@rule
def trash_from_play(s, seat, card):
    s.in_play[card] -= 1
    lose(s, seat, card)
