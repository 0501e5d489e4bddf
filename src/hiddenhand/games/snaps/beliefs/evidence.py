"""What a player makes of the others' moves: evidence for the table of beliefs, with fixed values.

The thesis builds such values "into the logic of the knowledge base" and names none for snaps but the 0.05 of its
example ("if he had it, he would have played it"); these are ours, close to what the rule agents do. `hand` is the
place of a seat in the table: 0, 1 or 2 for the next seats.
"""

import numpy as np

from hiddenhand.belief.facts import add_fact
from hiddenhand.belief.table import suggest
from hiddenhand.games.snaps.cards import ACE, KING, OVER_KNAVE, RANKS, TEN, above, bit, mate, suit_mask, suit_of
from hiddenhand.games.snaps.duties import beats
from hiddenhand.games.snaps.sides import trump_of
from hiddenhand.kernel import rule

ALONE = 0.15  # the chooser has named a card of his own
ABOVE_NAMED = 0.95  # the chooser holds a trump that is higher than the card he named: one names the best one lacks
NAMED_TRUMPS = 2  # at least so many trumps are expected of the chooser,
KONTRA_TRUMPS = 2  # and of a player who says kontra
NOT_MARRIED = 0.05  # who leads king or over without announcing holds the other one
WOULD_LEAD_ACE = 0.1  # who leads a low card of a suit holds its ace
LEADS_TRUMP = 0.1  # a player who leads trumps without having chosen is the partner: he would spare the chooser's,
LEADS_SIDE = 0.5  # and who leads another suit is the partner
FEEDS_CHOOSER = 0.45  # who loses a ten or ace to the chooser is the partner
WOULD_PLAY_LOWER = 0.15  # who loses a trick holds a lower card of the suit that he played


@rule
def heed_naming(table, view, hand):
    """The chooser (a hand of the table) has named a card."""
    suggest(table, view.named, hand, ALONE)
    higher = above(view.named)
    for rank in range(RANKS):
        card = trump_of(view) * RANKS + rank
        if higher & bit(card):
            suggest(table, card, hand, ABOVE_NAMED)
    add_fact(table, hand, suit_mask(trump_of(view)) & table.unknown & ~bit(view.named), NAMED_TRUMPS, 0)


@rule
def heed_kontra(table, view, hand):
    """This hand has said kontra; that it lacks the named card is certain, and not told here."""
    add_fact(table, hand, suit_mask(trump_of(view)) & table.unknown & ~bit(view.named), KONTRA_TRUMPS, 0)


@rule
def heed_lead(table, view, trick, hand):
    """This hand has led to a trick; not told again: what a marriage shows."""
    card = np.int64(view.played[4 * trick])
    rank = card % RANKS
    trump = suit_of(card) == trump_of(view)
    if rank in (OVER_KNAVE, KING) and view.announced[trick] == 0:
        suggest(table, mate(card), hand, NOT_MARRIED)
    if rank < TEN and not trump:
        suggest(table, suit_of(card) * RANKS + ACE, hand, WOULD_LEAD_ACE)
    if view.played_by[4 * trick] != view.chooser:
        suggest(table, view.named, hand, LEADS_TRUMP if trump else LEADS_SIDE)


@rule
def heed_follower(table, view, i, hand):
    """This hand has played card number i, not as the leader."""
    card = np.int64(view.played[i])
    winner = winning_play(view, i)
    if beats(card, view.played[winner], trump_of(view)):
        return
    for lower in range(suit_of(card) * RANKS, card):
        suggest(table, lower, hand, WOULD_PLAY_LOWER)
    if card % RANKS >= TEN and view.played_by[winner] == view.chooser:
        suggest(table, view.named, hand, FEEDS_CHOOSER)


@rule
def winning_play(view, i):
    """Which card of the trick was best before card number i: its number."""
    best = i & ~3
    for j in range(best + 1, i):
        if beats(view.played[j], view.played[best], trump_of(view)):
            best = j
    return best
