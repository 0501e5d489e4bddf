"""A view of snaps as numbers for a network, the same for positions that differ only in the names of suits and seats.

Seats are counted from the player on, in the order of play: 0 is the player, 1 who plays after him. Suits are put into
a canonical order: trumps first, the others by the cards that the player was dealt in them, then by which was played
first; before a card is named, all four by his cards. So a network need not learn the same thing for every suit.
Besides the cards themselves the player is told what he can count: how many cards of a suit are unseen, which of his
are the highest left, who is certainly void, what either side may have. All this follows from the rules and the view.

The actions get canonical numbers too: `slot_of` gives the place of an action among the outputs of a network.
"""

from collections.abc import Mapping

import numpy as np

from hiddenhand.games.snaps.cards import (
    CARDS,
    HAND,
    NONE,
    PAIR,
    RANKS,
    SEATS,
    SUIT,
    SUITS,
    VALUES,
    above,
    beats,
    bit,
    count,
    suit_mask,
    suit_of,
)
from hiddenhand.games.snaps.state import (
    CHOOSING,
    DOST,
    ENOUGH,
    FINISHED,
    possible_holders,
    side_with,
    total_with,
    trump_of,
)
from hiddenhand.kernel import rule

PHASES = 4
COUNTS = RANKS + 1
TENS = 8
OTHERS = SEATS - 1


def lay_out(blocks: Mapping[str, int]) -> tuple[dict[str, int], int]:
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
def relative(view, action, seat):
    """The same action with its card renamed by the canonical order of suits."""
    if action >= DOST:
        return np.int64(action)
    places = np.empty(SUITS, np.int64)
    suit_places(view, seat, places)
    return np.int64(action // CARDS * CARDS + renamed(action % CARDS, places))


@rule
def output_of(view, action, seat):
    """The same, as the rule `relative` is called."""
    places = np.empty(SUITS, np.int64)
    suit_places(view, seat, places)
    return slot_of(view, action, places)


@rule
def slots_of(view, seat, actions, slots):
    """The outputs for all these actions."""
    places = np.empty(SUITS, np.int64)
    suit_places(view, seat, places)
    for i in range(len(actions)):
        slots[i] = slot_of(view, actions[i], places)


# --- what a seat knows ----------------------------------------------------------------------------

TEN_POINTS, TWENTY = np.float32(0.1), np.float32(0.05)  # scales of points and of bonuses


@rule
def away(view, seat, other):
    """How many turns after this seat the other one plays."""
    return np.int64((np.int64(other) - seat) * view.direction) & 3


@rule
def encode(view, seat, inputs):
    """Write the inputs of a network, float[INPUTS]: what this seat knows."""
    for i in range(INPUTS):
        inputs[i] = 0.0
    if view.phase == FINISHED:  # nothing is left to decide
        return
    places = np.empty(SUITS, np.int64)
    suit_places(view, seat, places)
    inputs[PHASE + np.int64(view.phase)] = 1.0
    encode_hand(np.int64(view.hands[seat]), places, inputs)
    if view.phase == CHOOSING:
        mark_cards(np.int64(view.hands[seat]), places, inputs, FIRST_HAND)
        return
    mark_cards(np.int64(view.hands[seat]), places, inputs, OWN_HAND)
    encode_seats(view, seat, inputs)
    encode_play(view, seat, places, inputs)
    encode_others(view, seat, places, inputs)
    encode_totals(view, seat, inputs)
    encode_suits(view, seat, places, inputs)
    encode_partners(view, seat, inputs)


@rule
def mark_cards(mask, places, inputs, start):
    for card in range(CARDS):
        if mask >> card & 1:
            inputs[start + renamed(card, places)] = 1.0


@rule
def encode_hand(hand, places, inputs):
    """How many cards of each suit are held, and which marriages."""
    for suit in range(SUITS):
        inputs[HELD + places[suit] * COUNTS + count(hand & suit_mask(suit))] = 1.0
        pair = np.int64(PAIR) << (RANKS * suit)
        if hand & pair == pair:
            inputs[PAIRS + places[suit]] = 1.0


@rule
def encode_seats(view, seat, inputs):
    """The named card, who chose it, who may hold it, who doubled, and what everybody has taken."""
    inputs[NAMED + np.int64(view.named) % RANKS] = 1.0
    inputs[CHOOSER + away(view, seat, view.chooser)] = 1.0
    if view.doubled_by != NONE:
        inputs[KONTRA_BY + away(view, seat, view.doubled_by)] = 1.0
    if view.redoubled_by != NONE:
        inputs[REKONTRA_BY + away(view, seat, view.redoubled_by)] = 1.0
    holders = possible_holders(view, seat)
    for other in range(SEATS):
        place = away(view, seat, other)
        if holders >> other & 1:
            inputs[MAY_BE_HOLDER + place] = 1.0
        if holders == np.int64(1) << other:
            inputs[IS_HOLDER + place] = 1.0
        inputs[POINTS + place] = TEN_POINTS * np.float32(view.points[other])
        inputs[BONUS + place] = TWENTY * np.float32(view.bonus[other])
        inputs[TRICKS_TAKEN + place] = view.tricks[other]


@rule
def encode_play(view, seat, places, inputs):
    """The cards played, in this trick and before, and whose card is winning."""
    first = view.plays & ~3
    best = first
    for i in range(view.plays):
        card = np.int64(view.played[i])
        place = away(view, seat, view.played_by[i])
        name = renamed(card, places)
        if i >= first:
            inputs[TABLE + place * CARDS + name] = 1.0
            inputs[STAKE] += TEN_POINTS * np.float32(VALUES[card])
            if i > first and beats(card, np.int64(view.played[best]), trump_of(view)):
                best = i
        else:
            inputs[PLAYED + place * CARDS + name] = 1.0
            if i & 3 == 0:
                inputs[LED + name] = 1.0
    if first < view.plays:
        inputs[WINNING + away(view, seat, view.played_by[best])] = 1.0
        encode_best(view, seat, np.int64(view.played[best]), places, inputs)
    inputs[TRICK + (np.int64(view.plays) >> 2)] = 1.0
    inputs[PLACE + (np.int64(view.plays) & 3)] = 1.0


@rule
def encode_best(view, seat, best, places, inputs):
    """The card that wins the trick so far, and those in the hand that beat it."""
    inputs[BEST + renamed(best, places)] = 1.0
    for card in range(CARDS):
        if np.int64(view.hands[seat]) >> card & 1 and beats(card, best, trump_of(view)):
            inputs[BEATING + renamed(card, places)] = 1.0


@rule
def encode_suits(view, seat, places, inputs):
    """How many cards of each suit are unseen, which cards held are the highest left, and who is void."""
    own = np.int64(view.hands[seat])
    seen = own
    for i in range(view.plays):
        seen |= bit(view.played[i])
    for suit in range(SUITS):
        unseen = suit_mask(suit) & ~seen
        inputs[UNSEEN + places[suit] * COUNTS + count(unseen)] = 1.0
        mark_cards(own & suit_mask(suit) & ~(below_highest(unseen, suit)), places, inputs, MASTERS)
        for other in range(SEATS):
            if other != seat and unseen & ~np.int64(view.lacks[other]) == 0:
                inputs[VOIDS + (away(view, seat, other) - 1) * SUITS + places[suit]] = 1.0


@rule
def below_highest(unseen, suit):
    """The cards of a suit that some unseen card of it beats."""
    mask = np.int64(0)
    for card in range(suit * RANKS, suit * RANKS + RANKS):
        if unseen & above(card) != 0:
            mask |= bit(card)
    return mask


@rule
def encode_partners(view, seat, inputs):
    """How likely each of the others is a partner, every possible holder counting the same."""
    holders = possible_holders(view, seat)
    for other in range(SEATS):
        together = 0
        for holder in range(SEATS):
            if holders >> holder & 1 and side_with(view, seat, holder) == side_with(view, other, holder):
                together += 1
        place = away(view, seat, other)
        chance = np.float32(together) / np.float32(count(holders))
        if place > 0:
            inputs[WITH_ME + place - 1] = chance
        if inputs[WINNING + place] > 0.0:
            inputs[WON_BY_US] = np.float32(2.0) * chance - np.float32(1.0)


@rule
def encode_others(view, seat, places, inputs):
    """The unseen cards that each of the others may hold."""
    shown = np.int64(0)
    for other in range(SEATS):
        shown |= view.shows[other]
    for other in range(SEATS):
        if other == seat:
            continue
        may = ~(np.int64(view.lacks[other]) | view.hands[seat] | shown) | view.shows[other]
        start = MAY_HOLD + (away(view, seat, other) - 1) * CARDS
        mark_cards(may, places, inputs, start)


@rule
def encode_totals(view, seat, inputs):
    """The least and the most points that either side can have, by who may be the holder of the named card."""
    holders = possible_holders(view, seat)
    for which in range(2):
        least, most = 1000, 0
        for holder in range(SEATS):
            if holders >> holder & 1:
                mine = side_with(view, seat, holder)
                points = total_with(view, mine if which == 0 else 1 - mine, holder, 0)
                least, most = min(least, points), max(most, points)
        inputs[TOTALS + 2 * which] = TWENTY * np.float32(least)
        inputs[TOTALS + 2 * which + 1] = TWENTY * np.float32(most)
        inputs[TENS_AT + 2 * which * TENS + min(least // 10, TENS - 1)] = 1.0
        inputs[TENS_AT + (2 * which + 1) * TENS + min(most // 10, TENS - 1)] = 1.0
        inputs[IS_ENOUGH + 2 * which] = 1.0 if least >= ENOUGH else 0.0
        inputs[IS_ENOUGH + 2 * which + 1] = 1.0 if most >= ENOUGH else 0.0
