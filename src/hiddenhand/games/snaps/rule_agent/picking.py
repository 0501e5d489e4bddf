"""Which of several cards to take: the dearest, the cheapest, the best to give away."""

from hiddenhand.games.snaps.cards import ACE, CARDS, NONE, PAIR, RANKS, VALUES, count, suit_mask, suit_of
from hiddenhand.games.snaps.rule_agent.naming import of_suit
from hiddenhand.kernel import rule

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
