"""The knowledge base of the thesis for snaps: a table of 24 cards by three other players, and facts.

It is built anew from the view: the public history is gone through from the start, card by card. Each card shows what
its player cannot hold (the duties: zeros), a marriage shows its other card (one), and moves are evidence with fixed
values. The thesis builds such values "into the logic of the knowledge base" and names none for snaps but the 0.05 of
its example ("if he had it, he would have played it"); these are ours, close to what the rule agents do. At last the
facts that follow from counting are added: who has three cards, of which at most one can be a heart, a leaf or an
acorn, has at least two bells. `hand` is the place of a seat in the table: 0, 1 or 2 for the next seats.

Zeros and ones in the table are certain. Rows add up to 1, columns need not add up to the size of a hand: the thesis
knows and accepts this. Worlds are drawn in proportion to the product of the table's chances over their cards, among
those with hands of the right size; a world that a fact rules out is drawn again.
"""

import numpy as np

from hiddenhand.games.snaps.beliefs.deals import HANDS, draw_deal
from hiddenhand.games.snaps.beliefs.exact import draw_exact, lay_out, open_chances
from hiddenhand.games.snaps.beliefs.facts import add_fact, agrees_with_facts, play_known
from hiddenhand.games.snaps.beliefs.probability_table import exclude, locate, start_table, suggest, table_type
from hiddenhand.games.snaps.cards import (
    ACE,
    ALL,
    CARDS,
    HAND,
    KING,
    NONE,
    OVER_KNAVE,
    RANKS,
    SUITS,
    TEN,
    above,
    beats,
    best_cards,
    bit,
    count,
    mate,
    revealed,
    suit_mask,
    suit_of,
)
from hiddenhand.games.snaps.knowledge import deals_of, other_seat, unseen_cards
from hiddenhand.games.snaps.state import CHOOSING, FINISHED, trump_of
from hiddenhand.kernel import allocate, rule

# --- what the others' moves suggest ---------------------------------------------------------------

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


# --- the knowledge base ---------------------------------------------------------------------------

FACTS = 16
KNOWLEDGE = table_type(CARDS, HANDS, FACTS)
TRIES = 20  # to draw a world that agrees with the facts
UNTHINKABLE = 1e-6  # the least weight of what is possible


@rule
def hand_of(seat, other):
    """The place of another seat in the table of this seat: 0, 1 or 2."""
    return (np.int64(other) - seat - 1) & 3


@rule
def build_knowledge(view, seat, table):
    """Fill the knowledge base of a seat from its view."""
    mine = np.int64(view.hands[seat])
    for i in range(view.plays):
        if view.played_by[i] == seat:
            mine |= bit(view.played[i])
    sizes = np.full(HANDS, HAND)
    start_table(table, ALL & ~mine, sizes)
    if view.named == NONE:
        return
    if view.chooser != seat:
        heed_naming(table, view, hand_of(seat, view.chooser))
    if view.doubled_by != NONE and view.doubled_by != seat:
        exclude(table, bit(view.named), hand_of(seat, view.doubled_by))
        heed_kontra(table, view, hand_of(seat, view.doubled_by))
    for i in range(view.plays):
        if view.played_by[i] != seat:
            see_card(table, view, i, hand_of(seat, view.played_by[i]))
    see_what_is_certain(table, view, seat)
    count_suits(table)


@rule
def see_card(table, view, i, hand):
    """Another player has played card number i."""
    card = np.int64(view.played[i])
    if i & 3 == 0:
        if view.announced[i >> 2] != 0:
            locate(table, mate(card), hand)
        heed_lead(table, view, i >> 2, hand)
    else:
        led, high, high_trump = best_cards(view.played, i & ~3, i, trump_of(view))
        exclude(table, revealed(card, led, high, high_trump, trump_of(view), view.relaxed) & ~bit(card), hand)
        heed_follower(table, view, i, hand)
    locate(table, card, hand)
    play_known(table, card, hand)


@rule
def see_what_is_certain(table, view, seat):
    """All that the rules themselves have noted: also what was said before the first card, and claims not made."""
    for hand in range(HANDS):
        other = other_seat(seat, hand)
        exclude(table, np.int64(view.lacks[other]), hand)
        for card in range(CARDS):
            if view.shows[other] >> card & 1:
                locate(table, card, hand)


@rule
def count_suits(table):
    """Facts by counting: a hand with more cards than can lie outside a suit has some of that suit."""
    for hand in range(HANDS):
        possible = np.int64(0)
        for card in range(CARDS):
            if table.unknown >> card & 1 and table.chances[card, hand] > 0.0:
                possible |= bit(card)
        for suit in range(SUITS):
            least = table.room[hand] - count(possible & ~suit_mask(suit))
            if least > 0 and possible & suit_mask(suit):
                add_fact(table, hand, possible & suit_mask(suit), least, 1)


@rule
def table_chances(view, seat, chances):
    """Write chances float64[4, 24] of the knowledge base: the probability that a seat holds a card now."""
    if not open_chances(view, seat, chances):
        read_chances(view, seat, allocate(KNOWLEDGE, 1), chances)


@rule
def read_chances(view, seat, tables, chances):
    """Build the knowledge base in tables[0] and write its chances of the cards that are in the others' hands."""
    table = tables[0]
    build_knowledge(view, seat, table)
    gone = np.int64(view.hands[seat])
    for i in range(view.plays):
        gone |= bit(view.played[i])
    for card in range(CARDS):
        if gone >> card & 1 == 0:
            for hand in range(HANDS):
                chances[other_seat(seat, hand), card] = table.chances[card, hand]


@rule
def draw_from_table(view, seat, rng, hands):
    """Fill hands int64[n, 4] with worlds drawn from the knowledge base."""
    if view.phase == CHOOSING or view.phase == FINISHED:
        draw_exact(view, seat, rng, hands)
    else:
        draw_by_chances(view, seat, allocate(KNOWLEDGE, 1), rng, hands)


@rule
def draw_by_chances(view, seat, tables, rng, hands):
    """Build the knowledge base in tables[0] and draw worlds from it."""
    table = tables[0]
    build_knowledge(view, seat, table)
    unseen = unseen_cards(view, seat)
    for i in range(unseen.size):
        for hand in range(HANDS):
            if unseen.weights[i, hand] > 0.0:
                unseen.weights[i, hand] = max(table.chances[unseen.cards[i], hand], UNTHINKABLE)
    deals = deals_of(unseen)
    owners = np.empty(CARDS, np.int64)
    masks = np.empty(HANDS, np.int64)
    for world in range(len(hands)):
        for _ in range(TRIES):
            draw_deal(deals.weights, deals.slots, deals.ways, rng, owners)
            lay_out(view, seat, deals, owners, hands[world])
            for hand in range(HANDS):
                masks[hand] = hands[world, other_seat(seat, hand)]
            if agrees_with_facts(table, masks):
                break
