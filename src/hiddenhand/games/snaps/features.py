"""A view of snaps as numbers for a network, the same for positions that differ only in the names of suits and seats:
where each input and each output stands. The inputs are written by `encoding`.

Seats are counted from the player on, in the order of play: 0 is the player, 1 who plays after him. Suits are put into
a canonical order: trumps first, the others by the cards that the player was dealt in them, then by which was played
first; before a card is named, all four by his cards. So a network need not learn the same thing for every suit.
Nothing is read that the view does not hold.

The actions get canonical numbers too: `slot_of` gives the place of an action among the outputs of a network.
"""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS, HAND, RANKS, SEATS, SUIT, SUITS, bit, suit_of
from hiddenhand.games.snaps.sides import trump_of
from hiddenhand.games.snaps.state import CHOOSING, DOST
from hiddenhand.kernel import rule

PHASES = 4
COUNTS = RANKS + 1
TENS = 8
OTHERS = SEATS - 1


def lay_out(blocks):
    """Where each block of inputs begins, and how many inputs there are."""
    starts = {}
    at = 0
    for name, size in blocks.items():
        starts[name] = at
        at += size
    return starts, at


BLOCKS = {
    "first hand": CARDS,  # the hand while choosing
    "hand": CARDS,  # and afterwards
    "table": SEATS * CARDS,  # the cards of this trick, by who played them
    "played": SEATS * CARDS,  # those of earlier tricks, likewise
    "led": CARDS,  # which of them were led
    "may hold": OTHERS * CARDS,  # the cards that each of the others may hold
    "named": RANKS,  # the rank of the named card; its suit is the first
    "chooser": SEATS,
    "may be holder": SEATS,  # who may have been dealt the named card
    "is holder": SEATS,  # the one who certainly was
    "kontra": SEATS,  # who said it
    "rekontra": SEATS,
    "winning": SEATS,  # whose card wins the trick so far
    "points": SEATS,
    "bonus": SEATS,
    "tricks": SEATS,
    "totals": 4,  # the least and the most that the own side can have, and the other side
    "enough": 4,  # which of these are 66 and more
    "stake": 1,  # the points on the table
    "held": SUITS * COUNTS,  # how many cards of each suit the player holds
    "pairs": SUITS,  # the marriages he holds
    "unseen": SUITS * COUNTS,  # and how many cards of each suit are with the others
    "masters": CARDS,  # the player's cards that no unseen card of their suit beats
    "voids": OTHERS * SUITS,  # suits that another certainly does not hold
    "best": CARDS,  # the card that wins the trick so far
    "beating": CARDS,  # the player's cards that beat it
    "with me": OTHERS,  # for each of the others: the share of possible holders that make him a partner
    "won by us": 1,  # the same for the one who is winning the trick, -1 to 1
    "tens": 4 * TENS,  # the totals in steps of ten points
    "trick": HAND,  # its number
    "place": SEATS,  # the place in it
    "phase": PHASES,
}
STARTS, INPUTS = lay_out(BLOCKS)

(FIRST_HAND, OWN_HAND, TABLE, PLAYED, LED, MAY_HOLD, NAMED, CHOOSER, MAY_BE_HOLDER, IS_HOLDER, KONTRA_BY, REKONTRA_BY,
 WINNING, POINTS, BONUS, TRICKS_TAKEN, TOTALS, IS_ENOUGH, STAKE, HELD, PAIRS, UNSEEN, MASTERS, VOIDS, BEST, BEATING,
 WITH_ME, WON_BY_US, TENS_AT, TRICK, PLACE, PHASE) = STARTS.values()  # fmt: skip

NAMING = 76  # outputs: actions in their own order, cards renamed; those that name a card from here on
OUTPUTS = NAMING + CARDS


@rule
def suit_places(view, seat, places):
    """Write the canonical place of each suit: int64[4]."""
    keys = np.empty(SUITS, np.int64)
    dealt = np.int64(view.hands[seat])
    for i in range(view.plays):
        if view.played_by[i] == seat:
            dealt |= bit(view.played[i])
    for suit in range(SUITS):
        keys[suit] = ((dealt >> (RANKS * suit)) & SUIT) << 5
    for i in range(view.plays - 1, -1, -1):
        suit = suit_of(view.played[i])
        keys[suit] = (keys[suit] & ~np.int64(31)) | (CARDS - i)
    if view.phase != CHOOSING:
        keys[trump_of(view)] = np.int64(1) << 20
    for suit in range(SUITS):
        places[suit] = 0
        for other in range(SUITS):
            if keys[other] > keys[suit] or (keys[other] == keys[suit] and other < suit):
                places[suit] += 1


@rule
def renamed(card, places):
    """A card with its suit in canonical order."""
    return places[suit_of(card)] * RANKS + card % RANKS


@rule
def slot_of(view, action, places):
    """The output of a network that stands for an action."""
    if action >= DOST:
        return np.int64(action)
    card = renamed(action % CARDS, places)
    if view.phase == CHOOSING:
        return NAMING + card
    return action // CARDS * CARDS + card


@rule
def slots_of(view, seat, actions, slots):
    """The outputs for all these actions."""
    places = np.empty(SUITS, np.int64)
    suit_places(view, seat, places)
    for i in range(len(actions)):
        slots[i] = slot_of(view, actions[i], places)
