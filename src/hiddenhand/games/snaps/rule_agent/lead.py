"""Which card to lead."""

import numpy as np

from hiddenhand.games.snaps.cards import ACE, CARDS, NONE, PAIR, RANKS, SUITS, TEN, VALUES, above, bit, count, lowest, suit_mask, suit_of
from hiddenhand.games.snaps.rule_agent.facts import OURS, fate, total_after
from hiddenhand.games.snaps.rules import ENOUGH, MARRIAGE
from hiddenhand.kernel import rule

MARRY, MASTER_TRUMP, WINNER, TO_PARTNER, SIDE_ACE, TRUMP_LEAD, QUIET, KEEP_LAST = 10, 11, 12, 13, 14, 15, 16, 17


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
def cheapest(f, mask, x):
    """The card to part with: fewest points; marriages are kept together, then long suits are shortened."""
    best, least = NONE, 10000
    for card in range(CARDS):
        if mask >> card & 1:
            suit = suit_of(card)
            held = f.hand & suit_mask(suit)
            cost = 10 * VALUES[card] + count(held)
            if f.hand >> (suit * RANKS) & PAIR == PAIR and PAIR >> (card % RANKS) & 1:
                cost += 40
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
    alone = f.me == s.chooser and f.holders == np.int64(1) << f.me
    if alone and sure & trumps != 0 and out_trumps != 0 and (pair == NONE or sure >> pair & 1 == 0):
        return dearest(sure & trumps), MASTER_TRUMP
    if pair != NONE:
        return MARRIAGE + pair, MARRY
    side = sure & ~trumps
    if side != 0:
        return dearest(side), WINNER
    low = hand & trumps & ~tops(f, hand)
    if f.me == s.chooser and s.plays == 0 and low & lower_three(f.trump):
        return lowest(low), TRUMP_LEAD
    if not attack and s.plays < 16 and low != 0 and (x & 2 == 0 or f.unseen & bit(s.named)):
        return lowest(low), TRUMP_LEAD
    top = masters(f, hand & ~trumps)
    if top != 0:
        if attack:
            return dearest(top), SIDE_ACE
        return highest_of(f.hand & suit_mask(suit_of(cheapest(f, top, x)))), SIDE_ACE
    quiet = hand & ~trumps
    return cheapest(f, quiet if quiet != 0 else hand, x), QUIET


@rule
def lower_three(suit):
    return np.int64(3) << (suit * RANKS)


@rule
def masters(f, cards):
    """Cards that are the highest left of their suits."""
    mask = np.int64(0)
    for card in range(CARDS):
        if cards >> card & 1 and f.unseen & above(card) == 0 and count(f.unseen & suit_mask(suit_of(card))) >= 2:
            mask |= bit(card)
    return mask


@rule
def tops(f, cards):
    """Cards that are the highest left of their suits."""
    mask = np.int64(0)
    for card in range(CARDS):
        if cards >> card & 1 and f.unseen & above(card) == 0:
            mask |= bit(card)
    return mask
