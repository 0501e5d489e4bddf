"""What a seat knows of a deal, and a uniform draw among the deals that agree with it.

All that can be known for certain is, for each card, who cannot hold it (the duties, a kontra, a card already played)
and sometimes who must (a marriage announced). So the possible deals are those of the unseen cards to the three other
hands under exclusions card by card: `beliefs.deals` counts and draws them. Who may be the partner follows by counting
too: a hand that has no room for the named card cannot hold it.
"""

from collections import namedtuple

import numpy as np

from hiddenhand.games.snaps.beliefs.deals import HANDS, count_ways, draw_deal, new_ways, numbered_deal
from hiddenhand.games.snaps.cards import ALL, CARDS, HAND, NONE, SEATS, bit, count
from hiddenhand.games.snaps.state import CHOOSING, ENOUGH, FINISHED, possible_holders, side_with, total_with
from hiddenhand.kernel import below, copy, rule, shuffle

SHUFFLES = 8  # attempts at a deal before all are counted
LEAPS = 8  # one step of `vary` in so many leads to any deal

# size     how many cards a seat has not seen
# cards    int64[24]: which, the first `size` of them
# weights  float64[24, 3]: how well each goes with the hand of each other seat; 0 where it cannot be there
# slots    int64[3]: how many cards these hands have
Unseen = namedtuple("Unseen", "size cards weights slots")

# the same, and
# ways     the table of `beliefs.deals` that counts and draws
# total    how many deals there are, or their total weight
Deals = namedtuple("Deals", "size cards weights slots ways total")


@rule
def observe(s, seat, view):
    copy(view, s)
    if s.phase == FINISHED:
        return
    for other in range(SEATS):
        if other != seat:
            view.hands[other] = 0
    if s.phase == CHOOSING:
        if seat == s.chooser:
            view.hands[seat] = s.seen_first
        else:
            view.seen_first = 0
        return
    view.holder = certain_holder(s, seat)


@rule
def certain_holder(s, seat):
    """The seat that was dealt the named card, if this seat can tell; otherwise NONE."""
    holders = holders_by_counting(s, seat)
    for holder in range(SEATS):
        if holders == np.int64(1) << holder:
            return holder
    return NONE


@rule
def other_seat(seat, hand):
    """The seat of hand 0, 1 or 2 among those that this seat does not see."""
    return (seat + 1 + hand) & 3


@rule
def hand_size(s, seat):
    """How many cards a seat holds: public, whatever the cards are."""
    size = HAND
    for i in range(s.plays):
        if s.played_by[i] == seat:
            size -= 1
    return size


@rule
def hidden_cards(s, seat):
    """(The mask of the cards that this seat has not seen, those of them that each of the others may hold).

    Works on a view as well as on a state: only what the seat may know is read.
    """
    hidden = ALL & ~np.int64(s.hands[seat])
    for i in range(s.plays):
        hidden &= ~bit(s.played[i])
    one, two, three = other_seat(seat, 0), other_seat(seat, 1), other_seat(seat, 2)
    shown = np.int64(s.shows[one] | s.shows[two] | s.shows[three])
    return hidden, (
        hidden & ~np.int64(s.lacks[one]) & ~shown | hidden & np.int64(s.shows[one]),
        hidden & ~np.int64(s.lacks[two]) & ~shown | hidden & np.int64(s.shows[two]),
        hidden & ~np.int64(s.lacks[three]) & ~shown | hidden & np.int64(s.shows[three]),
    )


@rule
def unseen_cards(s, seat):
    """The cards that this seat has not seen; weights 0 and 1 say which of the others may hold each."""
    cards = np.empty(CARDS, np.int64)
    weights = np.empty((CARDS, HANDS))
    slots = np.empty(HANDS, np.int64)
    hidden, fitting = hidden_cards(s, seat)
    n = 0
    for card in range(CARDS):
        if hidden >> card & 1:
            cards[n] = card
            for hand in range(HANDS):
                weights[n, hand] = 1.0 if fitting[hand] >> card & 1 else 0.0
            n += 1
    for hand in range(HANDS):
        slots[hand] = hand_size(s, other_seat(seat, hand))
    return Unseen(n, cards, weights, slots)


# --- who may have the named card ------------------------------------------------------------------


@rule
def holders_by_counting(s, seat):
    """A mask of seats: who may have been dealt the named card, by what this seat knows; 0 before a card is named."""
    if s.named == NONE:
        return np.int64(0)
    holders = possible_holders(s, seat)
    if holders & (holders - 1) == 0:
        return holders
    _, fitting = hidden_cards(s, seat)
    slots = (
        hand_size(s, other_seat(seat, 0)),
        hand_size(s, other_seat(seat, 1)),
        hand_size(s, other_seat(seat, 2)),
    )
    for hand in range(HANDS):
        other = other_seat(seat, hand)
        if holders >> other & 1 and not has_room_for(bit(s.named), hand, fitting, slots):
            holders &= ~(np.int64(1) << other)
    return holders


@rule
def has_room_for(card, hand, fitting, slots):
    """Whether there is a deal in which this hand (0, 1 or 2 of `other_seat`) has the card (a bit).

    There is one if no hands together have to take more cards, which can be nowhere else, than they have room for
    (Hall's theorem). fitting: the masks of the cards that each hand may hold; slots: how many it holds.
    """
    for group in range(1 << HANDS):
        places = 0
        inside, outside = np.int64(0), np.int64(0)
        for h in range(HANDS):
            fits = fitting[h] | card if h == hand else fitting[h] & ~card
            if group >> h & 1:
                places += slots[h]
                inside |= fits
            else:
                outside |= fits
        if count(inside & ~outside) > places:
            return False
    return True


@rule
def best_total(s, seat, more):
    """The most points that this seat's side can have, as far as it can tell, with `more` of a bonus.

    Exact from 66 on; below that a number below 66.
    """
    everything = more
    for other in range(SEATS):
        everything += s.points[other] + s.bonus[other]
    if everything < ENOUGH:
        return everything  # not yet worth a closer look
    holders = holders_by_counting(s, seat)
    best = 0
    for holder in range(SEATS):
        if holders >> holder & 1:
            best = max(best, total_with(s, side_with(s, seat, holder), holder, more))
    return best


# --- the possible deals ---------------------------------------------------------------------------


@rule
def deals_of(unseen):
    """The deals of these cards by their weights."""
    ways = new_ways(unseen.size, unseen.slots)
    total = count_ways(unseen.weights, unseen.slots, ways)
    return Deals(unseen.size, unseen.cards, unseen.weights, unseen.slots, ways, total)


@rule
def possible_deals(s, seat):
    """The deals that agree with what this seat knows, once a card is named: each has the weight 1."""
    return deals_of(unseen_cards(s, seat))


@rule
def redeal(s, seat, rng):
    if s.phase == FINISHED:
        return
    if s.phase == CHOOSING:
        redeal_choosing(s, seat, rng)
        return
    if shuffled(s, seat, rng):
        return
    deals = possible_deals(s, seat)
    owners = np.empty(CARDS, np.int64)
    draw_deal(deals.weights, deals.slots, deals.ways, rng, owners)
    give(s, seat, deals, owners)


@rule
def shuffled(s, seat, rng):
    """Shuffle the unseen cards until they lie as they may, and deal them; False if they do not after some attempts.

    While little is known that takes far less time than counting the deals, and it is as uniform.
    """
    hidden, fitting = hidden_cards(s, seat)
    cards = np.empty(CARDS, np.int64)
    n = 0
    for card in range(CARDS):
        if hidden >> card & 1:
            cards[n] = bit(card)
            n += 1
    for _ in range(SHUFFLES):
        shuffle(rng, cards, n)
        wrong, dealt = np.int64(0), 0
        for hand in range(HANDS):
            held = np.int64(0)
            for _ in range(hand_size(s, other_seat(seat, hand))):
                held |= cards[dealt]
                dealt += 1
            s.hands[other_seat(seat, hand)] = held
            wrong |= held & ~fitting[hand]
        if wrong == 0:
            find_holder(s)
            return True
    return False


@rule
def give(s, seat, deals, owners):
    """Put the unseen cards into the hands that own them (int64[24]), and see who had the named one."""
    for hand in range(HANDS):
        s.hands[other_seat(seat, hand)] = 0
    for i in range(deals.size):
        s.hands[other_seat(seat, owners[i])] |= bit(deals.cards[i])
    find_holder(s)


@rule
def find_holder(s):
    for i in range(s.plays):
        if s.played[i] == s.named:
            s.holder = s.played_by[i]
            return
    for other in range(SEATS):
        if s.hands[other] & bit(s.named):
            s.holder = other


@rule
def worlds(s, seat):
    """The deals that agree with what this seat knows; before a card is named there are too many."""
    if s.phase == FINISHED:
        return 1
    if s.phase == CHOOSING:
        return 0
    return np.int64(possible_deals(s, seat).total)


@rule
def world(s, seat, number, rng):
    if s.phase != FINISHED:
        deals = possible_deals(s, seat)
        owners = np.empty(CARDS, np.int64)
        numbered_deal(deals.weights, deals.slots, deals.ways, number, owners)
        give(s, seat, deals, owners)
    return 1.0


@rule
def vary(s, seat, rng):
    """Two cards that the seat has not seen change hands, if what is known of both hands allows it.

    Which deals can be reached so may depend on what is known: now and then any deal is drawn.
    """
    if s.phase == CHOOSING or s.phase == FINISHED or below(rng, LEAPS) == 0:
        redeal(s, seat, rng)
        return
    unseen = unseen_cards(s, seat)
    if unseen.size == 0:
        return
    one, two = below(rng, unseen.size), below(rng, unseen.size)
    from_one = hand_with(s, seat, unseen.cards[one])
    from_two = hand_with(s, seat, unseen.cards[two])
    if unseen.weights[one, from_two] > 0.0 and unseen.weights[two, from_one] > 0.0 and from_one != from_two:
        both = bit(unseen.cards[one]) | bit(unseen.cards[two])
        s.hands[other_seat(seat, from_one)] ^= both
        s.hands[other_seat(seat, from_two)] ^= both
        find_holder(s)


@rule
def hand_with(s, seat, card):
    """Which of the hands that this seat does not see, 0, 1 or 2 of `other_seat`, really has the card."""
    hand = 0
    while s.hands[other_seat(seat, hand)] & bit(card) == 0:
        hand += 1
    return hand


@rule
def redeal_choosing(s, seat, rng):
    """Before a card is named nothing is excluded: the cards that the seat has not seen are shuffled."""
    kept = np.int64(s.seen_first) if seat == s.chooser else np.int64(s.hands[seat])
    cards = np.empty(CARDS, np.int64)
    n = 0
    for card in range(CARDS):
        if kept >> card & 1 == 0:
            cards[n] = card
            n += 1
    shuffle(rng, cards, n)
    for other in range(SEATS):
        s.hands[other] = kept if other == seat else 0
    n = 0
    for other in range(SEATS):
        for _ in range(HAND - count(s.hands[other])):
            s.hands[other] |= bit(cards[n])
            n += 1
    if seat != s.chooser:
        show_first(s, rng)


@rule
def show_first(s, rng):
    """Draw which of his cards the chooser had seen; all choices of that many cards are equally likely."""
    cards = np.empty(HAND, np.int64)
    n = 0
    for card in range(CARDS):
        if np.int64(s.hands[s.chooser]) >> card & 1:
            cards[n] = card
            n += 1
    shuffle(rng, cards, HAND)
    s.seen_first = 0
    for i in range(s.choose_after):
        s.seen_first |= bit(cards[i])
