"""The inputs of a network: what a seat knows of a deal of snaps, as numbers. `features` says where each stands.

Besides the cards themselves the player is told what he can count: how many cards of a suit are unseen, which of his
are the highest left, who is certainly void, what either side may have. All this follows from the rules and the view.
"""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS, NONE, PAIR, RANKS, SEATS, SUITS, VALUES, above, bit, count, suit_mask
from hiddenhand.games.snaps.duties import beats
from hiddenhand.games.snaps.features import (
    BEATING,
    BEST,
    BONUS,
    CHOOSER,
    COUNTS,
    FIRST_HAND,
    HELD,
    INPUTS,
    IS_ENOUGH,
    IS_HOLDER,
    KONTRA_BY,
    LED,
    MASTERS,
    MAY_BE_HOLDER,
    MAY_HOLD,
    NAMED,
    OWN_HAND,
    PAIRS,
    PHASE,
    PLACE,
    PLAYED,
    POINTS,
    REKONTRA_BY,
    STAKE,
    TABLE,
    TENS,
    TENS_AT,
    TOTALS,
    TRICK,
    TRICKS_TAKEN,
    UNSEEN,
    VOIDS,
    WINNING,
    WITH_ME,
    WON_BY_US,
    renamed,
    suit_places,
)
from hiddenhand.games.snaps.sides import possible_holders, side_with, total_with, trump_of
from hiddenhand.games.snaps.state import CHOOSING, ENOUGH
from hiddenhand.kernel import rule

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
