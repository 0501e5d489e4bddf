"""Which card to lead."""

import numpy as np

from hiddenhand.games.snaps.cards import ACE, CARDS, NONE, PAIR, RANKS, SUITS, TEN, VALUES, bit, count, suit_mask, suit_of
from hiddenhand.games.snaps.rule_agent.facts import OPEN, OURS, THEIRS, fate
from hiddenhand.games.snaps.rules import MARRIAGE
from hiddenhand.kernel import rule

MARRY, MASTER_TRUMP, WINNER, TO_PARTNER, SIDE_ACE, TRUMP_LEAD, QUIET = 10, 11, 12, 13, 14, 15, 16


@rule
def highest_of(mask):
    best = NONE
    for card in range(CARDS):
        if mask >> card & 1:
            best = card
    return best


@rule
def dearest(mask):
    """The card with the most points."""
    best, most = NONE, -1
    for card in range(CARDS):
        if mask >> card & 1 and VALUES[card] > most:
            best, most = card, VALUES[card]
    return best


@rule
def cheapest(f, mask):
    """The card to part with: fewest points; marriages are kept together, then long suits are shortened."""
    best, least = NONE, 10000
    for card in range(CARDS):
        if mask >> card & 1:
            suit = suit_of(card)
            held = f.hand & suit_mask(suit)
            cost = 10 * VALUES[card] + count(held)
            if f.hand >> (suit * RANKS) & PAIR == PAIR and PAIR >> (card % RANKS) & 1:
                cost += 80
            if suit == f.trump:
                cost += 30
            if cost < least:
                best, least = card, cost
    return best


@rule
def marriage_lead(s, f, x):
    """The card with which to announce the best marriage; NONE without one."""
    for trumps in range(2):
        for suit in range(SUITS):
            if (suit == f.trump) == (trumps == 0) and f.hand >> (suit * RANKS) & PAIR == PAIR:
                over = suit * RANKS + 2
                return over + 1 if fate(s, f, over) == OURS else over
    return NONE


@rule
def winners(s, f, cards):
    """The cards that surely win the trick for our side."""
    mask = np.int64(0)
    for card in range(CARDS):
        if cards >> card & 1 and fate(s, f, card) == OURS:
            mask |= bit(card)
    return mask


@rule
def lead(s, f, x):
    """The action of a leader, and the rule that gave it."""
    hand = f.hand
    trumps = suit_mask(f.trump)
    attack = f.me == s.chooser or f.friends >> s.chooser & 1 != 0
    sure = winners(s, f, hand)
    pair = marriage_lead(s, f, x)
    out_trumps = f.unseen & trumps & ~f.harmless
    if attack and sure & trumps != 0 and out_trumps != 0 and not x & 1:
        mine = sure & trumps
        if pair == NONE or suit_of(pair) != f.trump or sure >> pair & 1 == 0:
            return highest_of(mine), MASTER_TRUMP
    if pair != NONE:
        return MARRIAGE + pair, MARRY
    if sure != 0:
        side = sure & ~trumps
        return dearest(side if side != 0 else sure), WINNER
    if attack and f.harmless != 0 and hand & trumps != 0:
        return cheapest(f, hand & trumps), TO_PARTNER
    for suit in range(SUITS):
        ace = suit * RANKS + ACE
        if suit != f.trump and hand >> ace & 1 and count(f.unseen & suit_mask(suit)) >= 3:
            return ace, SIDE_ACE
    return cheapest(f, hand), QUIET
