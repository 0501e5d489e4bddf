"""The rules of a leader and of a follower. Each gives an action, or NONE where its conditions do not hold.

Of a follower `cards` are those he may play, `ours` those of them with which the trick is certainly his side's, and
`taking` those that beat what lies on the table.
"""

import numpy as np

from hiddenhand.games.snaps.cards import (
    CARDS,
    HAND,
    NONE,
    OVER_KNAVE,
    PAIR,
    RANKS,
    SEATS,
    SUITS,
    VALUES,
    beats,
    bit,
    count,
    lowest,
    of_suit,
    suit_mask,
    suit_of,
)
from hiddenhand.games.snaps.rule_agent.facts import (
    best_gift,
    certain_points_with_trick,
    cheapest,
    dearest,
    highest,
    highest_left,
    plays_alone_for_certain,
    points_on_table,
)
from hiddenhand.games.snaps.state import ENOUGH, MARRIAGE
from hiddenhand.kernel import rule

# --- leads ----------------------------------------------------------------------------------------

LOW = 3  # nine and under of hearts
LAST_TWO = (HAND - 2) * SEATS  # cards played when everybody has two left
FOLLOWERS = 2  # cards of a suit in other hands without which its highest would only be trumped


@rule
def marriage_card(s, f, sure):
    """The card with which to announce a marriage, of trumps if there is one: the king if the trick is surely ours."""
    found = np.int64(NONE)
    for suit in range(SUITS):
        if of_suit(f.hand, suit) & PAIR == PAIR and (found == NONE or suit == f.trump):
            found = suit * RANKS + OVER_KNAVE
    if found != NONE and sure >> found & 1:
        return found + 1
    return found


@rule
def pull_trumps(s, f, sure):
    """Alone: lead a trump that nobody can beat, as long as others may have trumps."""
    trumps = suit_mask(f.trump)
    if not plays_alone_for_certain(s, f) or sure & trumps == 0 or f.unseen & trumps == 0:
        return np.int64(NONE)
    pair = marriage_card(s, f, sure)
    if pair != NONE and sure >> pair & 1:
        return np.int64(NONE)  # the marriage pulls as well
    return np.int64(dearest(sure & trumps))


@rule
def announce_marriage(s, f, sure):
    card = marriage_card(s, f, sure)
    return np.int64(NONE) if card == NONE else np.int64(MARRIAGE + card)


@rule
def cash_winner(s, f, sure):
    """The dearest card of a side suit with which the trick is surely ours."""
    return np.int64(dearest(sure & ~suit_mask(f.trump)))


@rule
def show_partner(s, f):
    """The chooser's first lead: a low trump, so that the partner takes it with the named card."""
    low = f.hand & suit_mask(f.trump) & (np.int64(LOW) << (f.trump * RANKS)) & ~highest_left(f, f.hand)
    if f.me != s.chooser or s.plays > 0 or low == 0:
        return np.int64(NONE)
    return np.int64(lowest(low))


@rule
def attack_trumps(s, f):
    """Against the chooser: the lowest trump that can be beaten, to draw the high ones, until two cards are left."""
    low = f.hand & suit_mask(f.trump) & ~highest_left(f, f.hand)
    if f.attacks or s.plays >= LAST_TWO or low == 0:
        return np.int64(NONE)
    return np.int64(lowest(low))


@rule
def good_tops(f):
    """The highest cards left of side suits of which others have enough to follow."""
    tops = highest_left(f, f.hand & ~suit_mask(f.trump))
    for card in range(CARDS):
        if tops >> card & 1 and count(f.unseen & suit_mask(suit_of(card))) < FOLLOWERS:
            tops &= ~bit(card)
    return tops


@rule
def lead_top(s, f):
    """The highest card left of a side suit: for the chooser's side the dearest, against it of the cheapest suit."""
    tops = good_tops(f)
    if tops == 0 or f.attacks:
        return np.int64(dearest(tops))
    return np.int64(highest(f.hand & suit_mask(suit_of(cheapest(f, tops)))))


@rule
def lead_quietly(s, f):
    """The card that costs least, of a side suit if there is one."""
    side = f.hand & ~suit_mask(f.trump)
    return np.int64(cheapest(f, side if side != 0 else f.hand))


# --- follows ----------------------------------------------------------------------------------------


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
    return np.int64(lowest(cards)) if cards & (cards - 1) == 0 else np.int64(NONE)


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
