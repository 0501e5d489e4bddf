"""The rules of a follower. Each gives a card, or NONE where its conditions do not hold.

`cards` are those he may play, `ours` those of them with which the trick is certainly his side's, `taking` those that
beat what lies on the table.
"""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS, NONE, VALUES, bit, suit_mask
from hiddenhand.games.snaps.duties import beats
from hiddenhand.games.snaps.rule_agent.facts import certain_points_with_trick, highest_left, points_on_table
from hiddenhand.games.snaps.rule_agent.picking import best_gift, cheapest, dearest
from hiddenhand.games.snaps.state import ENOUGH
from hiddenhand.kernel import rule


@rule
def taking_cards(f, cards):
    """Those of the cards that beat the best one on the table."""
    mask = np.int64(0)
    for card in range(CARDS):
        if cards >> card & 1 and beats(card, f.best, f.trump):
            mask |= bit(card)
    return mask


@rule
def only_card(cards):
    return np.int64(cheapest_of_one(cards)) if cards & (cards - 1) == 0 else np.int64(NONE)


@rule
def cheapest_of_one(cards):
    card = 0
    while cards >> card & 1 == 0:
        card += 1
    return card


@rule
def reach_enough(s, f, ours, taking):
    """Take the trick if that surely makes 66 points, to be claimed at once."""
    card = dearest(ours & taking)
    if card == NONE or certain_points_with_trick(s, f, points_on_table(s) + VALUES[card]) < ENOUGH:
        return np.int64(NONE)
    return np.int64(card)


@rule
def give_points(f, ours, taking):
    """Add points to a trick that a partner surely wins."""
    return np.int64(best_gift(f, ours & ~taking))


@rule
def take_surely(f, ours):
    """Win a trick that nobody can win back: with points, but without the highest trump where a lower one does."""
    trumps = ours & suit_mask(f.trump)
    if trumps == 0:
        return np.int64(dearest(ours))
    lower = trumps & ~highest_left(f, trumps)
    return np.int64(dearest(lower)) if lower != 0 else np.int64(cheapest(f, trumps))


@rule
def play_top(f, taking):
    """The highest card left of the side suit led, even if it may be trumped."""
    return np.int64(dearest(highest_left(f, taking & ~suit_mask(f.trump))))


@rule
def trust(s, f, cards, taking):
    """Against the chooser, last to play: give points to a trick of a seat that may be a partner."""
    if f.attacks or f.later > 0 or taking & cards != 0 or f.foes >> f.owner & 1:
        return np.int64(NONE)
    return np.int64(best_gift(f, cards))
