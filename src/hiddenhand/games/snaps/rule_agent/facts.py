"""What a seat knows for certain, in the form in which the rules of the rule agents ask for it; picking cards.

Everything is derived from the seat's own hand and from what is public; the hands of the others and the field `holder`
are never read, so that a search or a belief may ask "what would this seat do if it held these cards?" of any record
in which `hands[seat]` is set.
"""

from collections import namedtuple

import numpy as np

from hiddenhand.games.snaps.cards import (
    ACE,
    ALL,
    CARDS,
    NONE,
    PAIR,
    RANKS,
    SEATS,
    VALUES,
    above,
    beats,
    best_cards,
    bit,
    count,
    of_suit,
    suit_mask,
    suit_of,
)
from hiddenhand.games.snaps.state import after, side_with, total_with
from hiddenhand.kernel import rule

# me        the seat
# hand      its cards, a mask
# trump     the trump suit
# unseen    cards in the other hands, a mask
# holders   seats that may have been dealt the named card, a mask
# friends   seats certainly on my side, a mask; I am one of them
# foes      seats certainly on the other side, a mask
# could     four masks: the unseen cards that each other seat may hold (0 for me)
# must      four masks: the unseen cards that each other seat certainly holds
# led       the suit led to this trick, NONE if I lead
# best      the card that wins the trick so far, NONE if I lead
# owner     the seat that played it
# later     how many seats play after me in this trick
# harmless  the named card if I am the chooser and do not hold it: whoever has it is my partner
# attacks   whether I am on the chooser's side
Facts = namedtuple(
    "Facts", "me hand trump unseen holders friends foes could must led best owner later harmless attacks"
)

OURS, OPEN, THEIRS = 1, 0, -1  # who takes a trick, as far as can be told


@rule
def holders_for(s, me):
    """The seats that may have been dealt the named card, as this seat can tell from its hand and the play."""
    for i in range(s.plays):
        if s.played[i] == s.named:
            return np.int64(1) << s.played_by[i]
    card = bit(s.named)
    if s.hands[me] & card:
        return np.int64(1) << me
    mask = np.int64(0)
    for other in range(SEATS):
        if s.shows[other] & card:
            return np.int64(1) << other
        if other != me and s.lacks[other] & card == 0:
            mask |= np.int64(1) << other
    return mask


@rule
def friends_and_foes(s, me, holders):
    """Two masks of seats: certainly on my side (with me), and certainly on the other."""
    mine = np.int64(1) << me
    chooser = np.int64(1) << s.chooser
    everybody = np.int64((1 << SEATS) - 1)
    if me == s.chooser:
        if holders & (holders - 1):
            return mine, everybody & ~holders & ~mine
        return mine | holders, everybody & ~holders & ~mine
    if holders == mine:
        return mine | chooser, everybody & ~mine & ~chooser
    if holders & (holders - 1):
        return everybody & ~holders & ~chooser, chooser
    return everybody & ~holders & ~chooser, holders | chooser


@rule
def unseen_by(s, me):
    seen = np.int64(s.hands[me])
    for i in range(s.plays):
        seen |= bit(s.played[i])
    return np.int64(ALL) & ~seen


@rule
def may_hold(s, me, other, unseen):
    """The unseen cards that another seat may hold."""
    if other == me:
        return np.int64(0)
    mask = unseen & ~np.int64(s.lacks[other])
    for third in range(SEATS):
        if third != other:
            mask &= ~np.int64(s.shows[third])
    return mask


@rule
def facts_for(s, me):
    unseen = unseen_by(s, me)
    holders = holders_for(s, me)
    friends, foes = friends_and_foes(s, me, holders)
    a, b = may_hold(s, me, 0, unseen), may_hold(s, me, 1, unseen)
    c, d = may_hold(s, me, 2, unseen), may_hold(s, me, 3, unseen)
    could = (a, b, c, d)
    must = (a & ~(b | c | d), b & ~(a | c | d), c & ~(a | b | d), d & ~(a | b | c))
    trump = suit_of(s.named)
    first = np.int64(s.plays) & ~3
    led, best, owner = np.int64(NONE), np.int64(NONE), np.int64(NONE)
    if first < s.plays:
        led, high, high_trump = best_cards(s.played, first, s.plays, trump)
        best = high if high_trump == NONE else high_trump
        for i in range(first, s.plays):
            if s.played[i] == best:
                owner = np.int64(s.played_by[i])
    harmless = np.int64(0)
    if me == s.chooser:
        harmless = bit(s.named) & unseen
    later = 3 - (np.int64(s.plays) - first)
    hand = np.int64(s.hands[me])
    attacks = friends >> s.chooser & 1 != 0
    return Facts(
        me, hand, trump, unseen, holders, friends, foes, could, must, led, best, owner, later, harmless, attacks
    )


@rule
def may_beat(f, other, led, card):
    """Whether another seat may still play a card that beats this one, which wins the trick so far."""
    could = f.could[other] & ~f.harmless
    if suit_of(card) == f.trump:
        if could & above(card) == 0:
            return False
        return led == f.trump or f.must[other] & suit_mask(led) == 0
    if could & above(card) != 0:
        return True
    return f.must[other] & suit_mask(led) == 0 and could & suit_mask(f.trump) != 0


@rule
def fate(s, f, card):
    """Who takes the trick if I play this card: OURS and THEIRS are certain, OPEN is not."""
    led, best, owner = f.led, f.best, f.owner
    if led == NONE:
        led, best, owner = suit_of(card), np.int64(card), f.me
    elif beats(card, best, f.trump):
        best, owner = np.int64(card), f.me
    ours = f.friends >> owner & 1 != 0
    theirs = f.foes >> owner & 1 != 0
    other = f.me
    for _ in range(f.later):
        other = after(s, other)
        if may_beat(f, other, led, best):
            if f.friends >> other & 1 == 0:
                ours = False
            if f.foes >> other & 1 == 0:
                theirs = False
    return OURS if ours else THEIRS if theirs else OPEN


@rule
def surely_ours(s, f, cards):
    """Those of the cards with which the trick is certainly ours."""
    mask = np.int64(0)
    for card in range(CARDS):
        if cards >> card & 1 and fate(s, f, card) == OURS:
            mask |= bit(card)
    return mask


@rule
def highest_left(f, cards):
    """Those of the cards above which nothing of their suit is in another hand."""
    mask = np.int64(0)
    for card in range(CARDS):
        if cards >> card & 1 and f.unseen & above(card) == 0:
            mask |= bit(card)
    return mask


@rule
def plays_alone_for_certain(s, f):
    """Whether I am a chooser who holds, or held, the named card."""
    return f.me == s.chooser and f.holders == np.int64(1) << f.me


@rule
def certain_points(s, f, more):
    """The points that my side has whoever is the partner, with `more` of a bonus."""
    least = 999
    for holder in range(SEATS):
        if f.holders >> holder & 1:
            least = min(least, total_with(s, side_with(s, f.me, holder), holder, more))
    return least


@rule
def certain_points_with_trick(s, f, more):
    """The same when my side has taken one more trick, with `more` points in it: then a bonus counts."""
    least = 999
    for holder in range(SEATS):
        if f.holders >> holder & 1:
            total = 0
            for seat in range(SEATS):
                if side_with(s, seat, holder) == side_with(s, f.me, holder):
                    total += s.points[seat] + s.bonus[seat]
            least = min(least, total)
    return least + more


@rule
def points_on_table(s):
    """The points of the cards in the trick so far."""
    total = 0
    for i in range(np.int64(s.plays) & ~3, s.plays):
        total += VALUES[s.played[i]]
    return total


# --- which of several cards to take ---------------------------------------------------------------

TENTHS = 10  # costs are counted in tenths of a point
TRUMP_COST = 3 * TENTHS
PAIR_COST = 4 * TENTHS
ACE_GIVEN = 5  # twice the points, but an ace comes after king and over, before under and nine


@rule
def highest(cards):
    """The card with the highest number; NONE of none."""
    best = NONE
    for card in range(CARDS):
        if cards >> card & 1:
            best = card
    return best


@rule
def dearest(cards):
    """The card with the most points; NONE of none."""
    best, most = NONE, -1
    for card in range(CARDS):
        if cards >> card & 1 and VALUES[card] > most:
            best, most = card, VALUES[card]
    return best


@rule
def cost(f, card):
    """What it costs to part with a card: its points, and more for a trump or half a marriage."""
    suit = suit_of(card)
    total = TENTHS * VALUES[card] + count(f.hand & suit_mask(suit))
    if of_suit(f.hand, suit) & PAIR == PAIR and PAIR >> (card % RANKS) & 1:
        total += PAIR_COST
    if suit == f.trump:
        total += TRUMP_COST
    return total


@rule
def cheapest(f, cards):
    """The card that costs least to part with; NONE of none."""
    best, least = NONE, 10000
    for card in range(CARDS):
        if cards >> card & 1 and cost(f, card) < least:
            best, least = card, cost(f, card)
    return best


@rule
def best_gift(f, cards):
    """What to add to a trick of ours: a ten, a king, an over; then an ace; trumps last and the lowest first."""
    best, most = NONE, -CARDS
    for card in range(CARDS):
        if cards >> card & 1:
            worth = ACE_GIVEN if card % RANKS == ACE else 2 * VALUES[card]
            if suit_of(card) == f.trump:
                worth = -card
            if worth > most:
                best, most = card, worth
    return best
