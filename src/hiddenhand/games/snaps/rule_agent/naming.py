"""How strong a hand is before the first trick: which card to name, and when to double the stakes.

Three scores are sums over what a hand holds. Their weights were fitted to the results of some millions of deals
played out by these rules (5,000 hands, each of the 24 cards named in 40 deals), and rounded:

    with a partner   hundredths of the stake that a chooser can expect who names the highest trump he has not
    alone            hundredths of the stake that he can expect who names a trump of his own (sumec, for three stakes)
    in defence       hundredths of the log-odds that an opponent of the chooser has of winning
"""

import numpy as np

from hiddenhand.games.snaps.cards import ACE, HAND, KING, OVER_KNAVE, PAIR, RANKS, SUIT, SUITS, TEN, count
from hiddenhand.kernel import rule

WITH_PARTNER, ALONE, DEFENCE = range(3)
# by the number of trumps held, 0 to 6
LENGTHS = np.array(
    [[0, 20, 38, 56, 56, 47, 95], [-900, -720, -550, -370, -290, -370, -550], [-340, -305, -270, -145, -75, 0, 0]]
)
# trump ace, ten, king, over, both of the last two; ace, ten, marriage of another suit, no card of another suit
WEIGHTS = np.array(
    [
        [10, 11, 6, 4, 21, 18, 3, 17, 6],
        [180, 100, 30, 23, 200, 170, 27, 100, 110],
        [25, 20, 30, 25, 0, 65, 10, 45, 15],
    ]
)
MOST_WITH_PARTNER = 95  # however good the hand, the stake is one


@rule
def of_suit(hand, suit):
    """The cards of a suit, as if they were hearts."""
    return (hand >> (suit * RANKS)) & SUIT


@rule
def score(hand, trump, what):
    """How strong a hand is WITH_PARTNER, ALONE or in DEFENCE if this suit is trumps."""
    weights = WEIGHTS[what]
    trumps = of_suit(hand, trump)
    total = LENGTHS[what, count(trumps)]
    total += weights[0] * (trumps >> ACE & 1) + weights[1] * (trumps >> TEN & 1)
    total += weights[2] * (trumps >> KING & 1) + weights[3] * (trumps >> OVER_KNAVE & 1)
    if trumps & PAIR == PAIR:
        total += weights[4]
    complete = count(hand) == HAND  # a chooser who has not seen all his cards is not void of what he has not seen
    for suit in range(SUITS):
        if suit != trump:
            cards = of_suit(hand, suit)
            total += weights[5] * (cards >> ACE & 1) + weights[6] * (cards >> TEN & 1)
            if cards & PAIR == PAIR:
                total += weights[7]
            if cards == 0 and complete:
                total += weights[8]
    return min(total, MOST_WITH_PARTNER) if what == WITH_PARTNER else total


@rule
def best_suit(hand, what):
    """(the suit with the highest score as trumps, that score)."""
    best, most = 0, score(hand, 0, what)
    for suit in range(1, SUITS):
        total = score(hand, suit, what)
        if total > most:
            best, most = suit, total
    return best, most


@rule
def plays_alone(hand, caution):
    """Whether the chooser does better without a partner, by more than `caution` hundredths of a stake."""
    suit, alone = best_suit(hand, ALONE)
    _, together = best_suit(hand, WITH_PARTNER)
    return of_suit(hand, suit) != 0 and alone > together + caution


@rule
def card_to_name(hand, caution):
    """The highest trump that the chooser has not; or, to play alone, the highest that he has."""
    alone = plays_alone(hand, caution)
    suit, _ = best_suit(hand, ALONE if alone else WITH_PARTNER)
    for rank in range(RANKS - 1, -1, -1):
        if (hand >> (suit * RANKS + rank) & 1 != 0) == alone:
            return suit * RANKS + rank
    return suit * RANKS + ACE
