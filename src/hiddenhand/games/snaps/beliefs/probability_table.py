"""A table of beliefs: for every hidden card the probability that each hand holds it, changed row by row.

After J. Barič, "Možnosti rozhodovacích agentov hrajúcich hracie karty" (2009), section 6.1: a cheap stand-in for the
probabilities of all deals. It is not Bayesian (see `beliefs.deals` for what is exact), and it is quick.

Two things move a row. *Crossing out*: as long as nothing has been said about a card, its row is the room of each hand
(its cards whose names are not known) over the number of cards whose place is not known: 6/18 at first in snaps, 6/17
and 5/17 after one card of a hand has been seen. *Evidence* sets one entry, and the others keep their proportion
(algorithm 6.1.1). The thesis leaves open how the two go together. Here a row that evidence has set is no longer moved
by crossing out: "probabilities change only when something happens that concerns that very card". It still hears of
certainties: a hand without room holds no other card, and a row with one hand left is settled.

The table is a record made by `table_type`; cards are bits of a mask.
"""

from typing import Any

import numpy as np

from hiddenhand.kernel import record_type, rule

MOST_ROUNDS = 100  # of raising; tiny chances would take for ever
ROUNDING = 1e-12


def table_type(cards: int, hands: int, facts: int) -> Any:
    """The type of a table for so many cards and hands, with room for so many facts (`beliefs.facts`)."""
    return record_type(
        [
            ("chances", "f8", (cards, hands)),
            ("room", "i8", (hands,)),  # of each hand: how many of its cards are not known by name
            ("unknown", "i8"),  # mask: cards whose place is not known
            ("told", "i8"),  # mask: cards whose row was set by evidence
            ("fact_hand", "i8", (facts,)),  # facts: this hand holds
            ("fact_cards", "i8", (facts,)),  # of these cards
            ("fact_least", "i8", (facts,)),  # at least so many; 0: no fact
            ("fact_sure", "i8", (facts,)),  # 1: it follows from the rules; 0: it is assumed
            ("before", "f8", (facts, cards)),  # chances that a fact found,
            ("given", "f8", (facts, cards)),  # and those that it gave; 0: it left the card alone
            ("told_before", "i8", (facts,)),
        ]
    )


# --- the three algorithms -------------------------------------------------------------------------


@rule
def set_chance(row, hand, chance):
    """Algorithm 6.1.1: set one entry of a row; the others share the rest in their old proportion.

    If no other hand can hold the card, this one certainly does, whatever was said.
    """
    others = 0.0
    for other in range(len(row)):
        if other != hand:
            others += row[other]
    if others <= 0.0:
        row[hand] = 1.0
        return
    for other in range(len(row)):
        if other != hand:
            row[other] = (1.0 - chance) * row[other] / others
    row[hand] = chance


@rule
def combined(chance, told, even):
    """Algorithm 6.1.2: what to believe when the chance was set before and is told anew.

    Two pieces of evidence on the same side of `even` (1/3 of three hands): the stronger stands. On opposite sides:
    the newer one.
    """
    if chance < even and told <= even:
        return min(chance, told)
    if chance > even and told >= even:
        return max(chance, told)
    return told


@rule
def raised(chance):
    """Algorithm 6.1.3, one round: most for chances in the middle, next to nothing near 0 and 1."""
    return chance * (1.0 + chance * (1.0 - chance))


@rule
def raise_until(chances, least, even):
    """Algorithm 6.1.3: raise the chances of one hand for several cards, in place, if it holds at least one of them.

    Rounds go on until they add up to `least` (1: at least one card) and one of them exceeds `even`. Returns the
    number of rounds.
    """
    for rounds in range(1, MOST_ROUNDS + 1):
        for i in range(len(chances)):
            chances[i] = raised(chances[i])
        if is_enough(chances, least, even):
            return rounds
    return MOST_ROUNDS


@rule
def is_enough(chances, least, even):
    """The two conditions of algorithm 6.1.3."""
    total = 0.0
    highest = 0.0
    for chance in chances:
        total += chance
        highest = max(highest, chance)
    return total >= least and highest > even


# --- the table ------------------------------------------------------------------------------------


@rule
def start_table(table, unknown, sizes):
    """Nothing is known but how many cards each hand has; `unknown` is the mask of the hidden cards."""
    table.unknown = unknown
    table.told = 0
    for hand in range(len(table.room)):
        table.room[hand] = sizes[hand]
    for card in range(len(table.chances)):
        for hand in range(len(table.room)):
            table.chances[card, hand] = 0.0
    for fact in range(len(table.fact_least)):
        table.fact_least[fact] = 0
    cross_out(table)


@rule
def cross_out(table):
    """Rows without evidence follow the room of the hands; whatever has become certain is settled."""
    again = True
    while again:
        again = False
        total = 0
        for hand in range(len(table.room)):
            total += table.room[hand]
        for card in range(len(table.chances)):
            if table.unknown >> card & 1 == 0:
                continue
            row = table.chances[card]
            if table.told >> card & 1:
                leave_full_hands(table, row)
            else:
                for hand in range(len(row)):
                    row[hand] = table.room[hand] / total
            only = only_hand(row)
            if only >= 0:
                settle(table, card, only)
                again = True
                break


@rule
def leave_full_hands(table, row):
    """A hand whose cards are all known holds no other card."""
    for hand in range(len(row)):
        if table.room[hand] <= 0 and row[hand] > 0.0:
            set_chance(row, hand, 0.0)


@rule
def only_hand(row):
    """The one hand that can hold the card; -1 if there are several."""
    found = -1
    for hand in range(len(row)):
        if row[hand] > 0.0:
            if found >= 0:
                return -1
            found = hand
    return found


@rule
def settle(table, card, hand):
    """The place of this card is known from now on."""
    for other in range(len(table.room)):
        table.chances[card, other] = 1.0 if other == hand else 0.0
    table.unknown &= ~(np.int64(1) << card)
    table.room[hand] -= 1


@rule
def locate(table, card, hand):
    """This hand is seen to hold the card. Changes nothing if that was known."""
    if table.unknown >> card & 1:
        settle(table, card, hand)
        cross_out(table)


@rule
def exclude(table, cards, hand):
    """This hand holds none of these cards (a mask)."""
    for card in range(len(table.chances)):
        if (cards & table.unknown) >> card & 1 and table.chances[card, hand] > 0.0:
            set_chance(table.chances[card], hand, 0.0)
            table.told |= np.int64(1) << card
    cross_out(table)


@rule
def suggest(table, card, hand, chance):
    """Evidence that this hand holds the card with a certain chance; what is certain is left alone."""
    if table.unknown >> card & 1 == 0 or table.chances[card, hand] <= 0.0:
        return
    even = 1.0 / len(table.room)
    now = table.chances[card, hand]
    # a row that nobody has spoken of counts as even, although crossing out has moved it a little
    set_chance(table.chances[card], hand, combined(now, chance, even) if table.told >> card & 1 else chance)
    table.told |= np.int64(1) << card
