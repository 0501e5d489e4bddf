"""How likely a trick or a claim is ours: the conditions of the rules that take risks.

`chances` float64[4, 24] says how likely each seat holds each card, `holders` float64[4] how likely each was dealt the
named one: the exact marginals over all deals that agree with what the seat has seen. Several cards of one hand are
treated as independent, which they nearly are.
"""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS, NONE, SEATS, above, bit, suit_mask, suit_of
from hiddenhand.games.snaps.duties import beats
from hiddenhand.games.snaps.sides import after, side_with, total_with
from hiddenhand.games.snaps.state import ENOUGH
from hiddenhand.kernel import rule


@rule
def chance_of_none(chances, seat, cards):
    """How likely a seat holds none of these cards."""
    chance = 1.0
    for card in range(CARDS):
        if cards >> card & 1:
            chance *= 1.0 - chances[seat, card]
    return chance


@rule
def beat_chance(f, chances, other, led, card):
    """How likely another seat can, and so must, beat the card that wins the trick so far."""
    void = chance_of_none(chances, other, suit_mask(led) & f.unseen)
    harmful = f.unseen & ~f.harmless
    if suit_of(card) == f.trump:
        higher = 1.0 - chance_of_none(chances, other, above(card) & harmful)
        return higher if led == f.trump else void * higher
    higher = 1.0 - chance_of_none(chances, other, above(card) & harmful)
    return higher + void * (1.0 - chance_of_none(chances, other, suit_mask(f.trump) & harmful))


@rule
def friend_chance(s, f, holders, other):
    """How likely another seat is on my side."""
    if f.friends >> other & 1:
        return 1.0
    if f.foes >> other & 1:
        return 0.0
    return holders[other] if f.me == s.chooser else 1.0 - holders[other]


@rule
def ours_chance(s, f, chances, holders, card):
    """How likely my side takes the trick if I play this card."""
    led, best, owner = f.led, f.best, f.owner
    if led == NONE:
        led, best, owner = suit_of(card), np.int64(card), f.me
    elif beats(card, best, f.trump):
        best, owner = np.int64(card), f.me
    ours = friend_chance(s, f, holders, owner)
    other = f.me
    for _ in range(f.later):
        other = after(s, other)
        beaten = min(beat_chance(f, chances, other, led, best), 1.0)
        ours = (1.0 - beaten) * ours + beaten * friend_chance(s, f, holders, other)
    return ours


@rule
def enough_chance(s, f, holders, more):
    """How likely my side has 66 points, with `more` of a bonus."""
    chance = 0.0
    for holder in range(SEATS):
        if f.holders >> holder & 1 and total_with(s, side_with(s, f.me, holder), holder, more) >= ENOUGH:
            chance += holders[holder]
    return chance


@rule
def probably_ours(s, f, chances, holders, cards, least):
    """Those of the cards with which the trick is ours with at least this chance."""
    mask = np.int64(0)
    for card in range(CARDS):
        if cards >> card & 1 and ours_chance(s, f, chances, holders, card) >= least:
            mask |= bit(card)
    return mask
