"""What a follower must play, who wins a trick, and what a card played says about the hand it came from.

A follower who has the suit led must play it, and must beat the highest card of that suit in the trick if he can. One
who has not must trump, and must beat the highest trump in the trick if he can. One who has neither plays what he
likes. The duties hold even when the partner is winning. With `relaxed`, the suit led need not be beaten once
somebody has trumped.

A trick is described by the suit led, the highest card of that suit in it, and its highest trump (NONE if there is
none, or if trumps were led).
"""

import numpy as np

from hiddenhand.games.snaps.cards import NONE, above, suit_mask, suit_of
from hiddenhand.kernel import rule


@rule
def best_cards(played, first, plays, trump):
    """(suit led, highest card of it, highest trump) of the trick that began with played[first]."""
    led = suit_of(played[first])
    high = np.int64(played[first])
    high_trump = np.int64(NONE)
    for i in range(first + 1, plays):
        card = np.int64(played[i])
        if suit_of(card) == led:
            high = max(high, card)
        elif suit_of(card) == trump:
            high_trump = max(high_trump, card)
    return led, high, high_trump


@rule
def allowed(hand, led, high, high_trump, trump, relaxed):
    """The cards of a hand that its owner may play as a follower."""
    hand = np.int64(hand)
    follows = hand & suit_mask(led)
    if follows != 0:
        better = follows & above(high)
        if better != 0 and not (relaxed != 0 and high_trump != NONE):
            return better
        return follows
    trumps = hand & suit_mask(trump)
    if trumps != 0:
        if high_trump != NONE and trumps & above(high_trump) != 0:
            return trumps & above(high_trump)
        return trumps
    return hand


@rule
def revealed(card, led, high, high_trump, trump, relaxed):
    """The cards that a follower who plays `card` cannot hold."""
    if suit_of(card) == led:
        if card > high or (relaxed != 0 and high_trump != NONE):
            return np.int64(0)
        return above(high)
    missing = suit_mask(led)
    if suit_of(card) != trump:
        return missing | suit_mask(trump)
    if high_trump != NONE and card < high_trump:
        return missing | above(high_trump)
    return missing


@rule
def trick_winner(played, first, trump):
    """Which of the four cards from played[first] on wins: 0 for the leader's."""
    best = 0
    for i in range(1, 4):
        if beats(played[first + i], played[first + best], trump):
            best = i
    return best


@rule
def beats(card, other, trump):
    """Whether a later card beats an earlier one."""
    if suit_of(card) == suit_of(other):
        return card > other
    return suit_of(card) == trump
