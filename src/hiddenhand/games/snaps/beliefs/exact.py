"""The exact belief: every deal that agrees with all that a seat has seen is equally likely.

At the first card 18! / (6!)**3 = 17,153,136 deals are possible. What is seen only ever says of a card who cannot hold
it, or who must, so the deals are counted, weighed and drawn without listing them (`beliefs.deals`).
"""

import numpy as np

from hiddenhand.games.snaps.beliefs.deals import HANDS, draw_deal, marginals, numbered_deal
from hiddenhand.games.snaps.cards import CARDS, HAND, NONE, SEATS, bit, count
from hiddenhand.games.snaps.knowledge import other_seat, possible_deals
from hiddenhand.games.snaps.state import CHOOSING, FINISHED
from hiddenhand.kernel import rule, shuffle


@rule
def draw_exact(view, seat, rng, hands):
    """Fill hands int64[n, 4], one world a row: the masks of all four hands, each possible deal equally likely."""
    if view.phase == FINISHED:
        open_hands(view, hands)
    elif view.phase == CHOOSING:
        for world in range(len(hands)):
            draw_before_naming(view, seat, rng, hands[world])
    else:
        deals = possible_deals(view, seat)
        owners = np.empty(CARDS, np.int64)
        for world in range(len(hands)):
            draw_deal(deals.weights, deals.slots, deals.ways, rng, owners)
            lay_out(view, seat, deals, owners, hands[world])


@rule
def exact_worlds(view, seat, most, rng):
    """(hands int64[n, 4], shares float64[n]): every possible deal if there are no more than `most`, or a draw."""
    if view.phase == CHOOSING or view.phase == FINISHED or count_worlds(view, seat) > most:
        hands = np.empty((np.int64(most), SEATS), np.int64)
        draw_exact(view, seat, rng, hands)
    else:
        deals = possible_deals(view, seat)
        hands = np.empty((np.int64(deals.total), SEATS), np.int64)
        owners = np.empty(CARDS, np.int64)
        for world in range(len(hands)):
            numbered_deal(deals.weights, deals.slots, deals.ways, world, owners)
            lay_out(view, seat, deals, owners, hands[world])
    return hands, np.full(len(hands), 1.0 / len(hands))


@rule
def open_hands(view, hands):
    """At the end the cards lie open: there is one world."""
    for world in range(len(hands)):
        for other in range(SEATS):
            hands[world, other] = view.hands[other]


@rule
def draw_before_naming(view, seat, rng, hand_masks):
    """One world, int64[4], while the card is chosen: nothing is excluded, and the chooser may lack cards himself."""
    cards = np.empty(CARDS, np.int64)
    n = 0
    for card in range(CARDS):
        if np.int64(view.hands[seat]) >> card & 1 == 0:
            cards[n] = card
            n += 1
    shuffle(rng, cards, n)
    n = 0
    for other in range(SEATS):
        hand_masks[other] = np.int64(view.hands[seat]) if other == seat else 0
        for _ in range(HAND - count(hand_masks[other])):
            hand_masks[other] |= bit(cards[n])
            n += 1


@rule
def lay_out(view, seat, deals, owners, hand_masks):
    """Write the four hands of one world, int64[4]: the seat's own, and the unseen cards where their owners are."""
    for other in range(SEATS):
        hand_masks[other] = 0
    hand_masks[seat] = view.hands[seat]
    for i in range(deals.size):
        hand_masks[other_seat(seat, owners[i])] |= bit(deals.cards[i])


@rule
def count_worlds(view, seat):
    """How many deals agree with all that the seat has seen."""
    if view.phase == FINISHED:
        return 1.0
    if view.phase == CHOOSING:
        return ways_before_naming(view, seat)
    return possible_deals(view, seat).total


@rule
def ways_before_naming(view, seat):
    """A product of binomial coefficients: the cards of one hand after the other."""
    left = CARDS - count(view.hands[seat])
    ways = 1.0
    for other in range(SEATS):
        taken = HAND - count(view.hands[seat]) if other == seat else HAND
        for i in range(taken):
            ways = ways * (left - i) / (i + 1)
        left -= taken
    return np.floor(ways + 0.5)


@rule
def exact_chances(view, seat, chances):
    """Write chances float64[4, 24]: the probability that a seat holds a card now. Returns the number of worlds."""
    if open_chances(view, seat, chances):
        return count_worlds(view, seat)
    deals = possible_deals(view, seat)
    if deals.total > 0.0:
        found = np.empty((CARDS, HANDS))
        marginals(deals.weights, deals.slots, deals.ways, found)
        for i in range(deals.size):
            for hand in range(HANDS):
                chances[other_seat(seat, hand), deals.cards[i]] = found[i, hand]
    return deals.total


@rule
def open_chances(view, seat, chances):
    """Write what needs no belief: the hands that the seat sees. True if that is all (no card named, or the end)."""
    for other in range(SEATS):
        for card in range(CARDS):
            chances[other, card] = np.float64(np.int64(view.hands[other]) >> card & 1)
    if view.phase == CHOOSING:
        unseen = CARDS - count(view.hands[seat])
        for other in range(SEATS):
            slots = HAND - count(view.hands[seat]) if other == seat else HAND
            for card in range(CARDS):
                if np.int64(view.hands[seat]) >> card & 1 == 0:
                    chances[other, card] = slots / unseen
    return view.phase == CHOOSING or view.phase == FINISHED


@rule
def holders_from(view, chances, holders):
    """Write holders float64[4]: the probability that a seat was dealt the named card, given chances[4, 24].

    All zeros before a card is named.
    """
    for other in range(SEATS):
        holders[other] = 0.0
    if view.named == NONE:
        return
    for i in range(view.plays):
        if view.played[i] == view.named:
            holders[view.played_by[i]] = 1.0
            return
    for other in range(SEATS):
        holders[other] = chances[other, view.named]
