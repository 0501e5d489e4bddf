"""Which card to play to a trick that another has led."""

import numpy as np

from hiddenhand.games.snaps.cards import ACE, CARDS, NONE, RANKS, VALUES, bit, suit_mask
from hiddenhand.games.snaps.duties import beats
from hiddenhand.games.snaps.rule_agent.facts import OURS, THEIRS, fate, total_after
from hiddenhand.games.snaps.rule_agent.lead import cheapest, dearest, tops
from hiddenhand.kernel import rule
from hiddenhand.games.snaps.rules import ENOUGH

ONLY, GIVE, TAKE, LEAST, REACH, HOPE, TOP = 20, 21, 22, 23, 24, 25, 26


@rule
def table_points(s):
    total = 0
    for i in range(np.int64(s.plays) & ~3, s.plays):
        total += VALUES[s.played[i]]
    return total


@rule
def follow(s, f, cards, x):
    if cards & (cards - 1) == 0:
        return cheapest(f, cards, x), ONLY
    ours = np.int64(0)
    theirs = np.int64(0)
    taking = np.int64(0)
    for card in range(CARDS):
        if cards >> card & 1:
            who = fate(s, f, card)
            if who == OURS:
                ours |= bit(card)
            elif who == THEIRS:
                theirs |= bit(card)
            if beats(card, f.best, f.trump):
                taking |= bit(card)
    if x & 1 == 0 and ours & taking:
        best = dearest(ours & taking)
        if total_after(s, f, table_points(s) + VALUES[best]) >= ENOUGH:
            return best, REACH
    keep = tops(f, cards)
    give = cards & ~taking
    attack = f.me == s.chooser or f.friends >> s.chooser & 1 != 0
    if ours & give != 0:
        return to_give(f, ours & give, x), GIVE
    if ours != 0:
        trump = ours & suit_mask(f.trump)
        if trump & ~keep:
            return dearest(trump & ~keep), TAKE
        if trump:
            return cheapest(f, trump, x), TAKE
        return dearest(ours), TAKE
    if taking & keep & ~suit_mask(f.trump):
        return dearest(taking & keep & ~suit_mask(f.trump)), TOP
    if not attack and f.later == 0 and give == cards and f.owner != s.chooser and f.foes >> f.owner & 1 == 0:
        return to_give(f, give, x), HOPE
    return cheapest(f, cards, x), LEAST


@rule
def to_give(f, cards, x):
    """The card to give to a trick of ours: the most points, but an ace only instead of an under or a nine."""
    best, most = NONE, -100
    for card in range(CARDS):
        if cards >> card & 1:
            worth = 5 if card % RANKS == ACE else 2 * VALUES[card]
            if card // RANKS == f.trump:
                worth = -card
            if worth > most:
                best, most = card, worth
    return best
