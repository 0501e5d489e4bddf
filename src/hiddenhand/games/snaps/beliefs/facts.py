"""Facts: "this hand holds at least so many of these cards", beside a table of beliefs (section 6.1.2 of the thesis).

A table row cannot hold such a statement, so it is written down, with the operations that the thesis lists:

- *is a deal possible?* (`agrees_with_facts`) for deals that are only imagined;
- *effect*: when a fact is learned, the chances of its hand rise (algorithm 6.1.3), more again when fewer cards are
  left that could fulfil it; when just as many are left as it asks for, they are certain;
- *the end*: once the hand has shown enough of the cards, or the table says as much in zeros and ones, the fact goes,
  and what it raised goes back to what it was. Useless facts are removed after every card.

What if other evidence has changed a chance in the meantime? The thesis wants its "style of choosing": the old chance
is then taken as one more piece of evidence (algorithm 6.1.2). A row that nothing but the fact had touched follows the
crossing out again.

A fact is sure, or only assumed (a player who names a suit has some of it). An assumed one never makes a card certain,
and is dropped when it turns out to be wrong.
"""

import numpy as np

from hiddenhand.games.snaps.beliefs.probability_table import (
    ROUNDING,
    combined,
    cross_out,
    is_enough,
    raise_until,
    set_chance,
    settle,
)
from hiddenhand.kernel import rule

MOST_SURE = 1.0 - 1e-9  # raising a chance never makes a card certain
MOST_ASSUMED = 0.95  # and an assumption not even nearly


@rule
def add_fact(table, hand, cards, least, sure):
    """Learn that a hand holds at least `least` of the cards (a mask). Forgotten at once if the table says so already.

    Returns the number of the fact, -1 if there is no room for one.
    """
    for fact in range(len(table.fact_least)):
        if table.fact_least[fact] == 0:
            table.fact_hand[fact] = hand
            table.fact_cards[fact] = cards
            table.fact_least[fact] = least
            table.fact_sure[fact] = sure
            table.told_before[fact] = table.told
            for card in range(len(table.chances)):
                table.given[fact, card] = 0.0
            apply_fact(table, fact)
            return fact
    return -1


@rule
def apply_fact(table, fact):
    """Give a fact its effect on the table, or end it; True if the place of a card has become known."""
    hand = table.fact_hand[fact]
    cards, n, held = open_cards(table, fact)
    missing = table.fact_least[fact] - held
    if missing <= 0 or n < missing:  # the table says it, or it cannot be true
        end_fact(table, fact)
        return False
    if n > missing:
        raise_chances(table, fact, cards, n, missing)
        return False
    return fulfil(table, fact, hand, cards, n)


@rule
def open_cards(table, fact):
    """(cards int64[...], n, held): those that may yet fulfil the fact, and how many the hand is known to hold."""
    hand = table.fact_hand[fact]
    cards = np.empty(len(table.chances), np.int64)
    n = 0
    held = 0
    for card in range(len(table.chances)):
        if table.fact_cards[fact] >> card & 1 == 0 or table.chances[card, hand] <= 0.0:
            continue
        if table.unknown >> card & 1:
            cards[n] = card
            n += 1
        else:
            held += 1
    return cards, n, held


@rule
def raise_chances(table, fact, cards, n, missing):
    """Algorithm 6.1.3 on the rows of these cards, unless their chances are high enough already."""
    hand = table.fact_hand[fact]
    even = 1.0 / len(table.room)
    chances = np.empty(n)
    for i in range(n):
        chances[i] = table.chances[cards[i], hand]
    first = table.given[fact, cards[0]] == 0.0
    if not first and is_enough(chances, missing, even):
        return
    raise_until(chances, missing, even)
    for i in range(n):
        give(table, fact, cards[i], chances[i])


@rule
def give(table, fact, card, chance):
    """Set a chance on behalf of a fact, which remembers what it found."""
    hand = table.fact_hand[fact]
    chance = min(chance, MOST_SURE if table.fact_sure[fact] else max(MOST_ASSUMED, table.chances[card, hand]))
    if table.given[fact, card] == 0.0:
        table.before[fact, card] = table.chances[card, hand]
    set_chance(table.chances[card], hand, chance)
    table.given[fact, card] = chance
    table.told |= np.int64(1) << card


@rule
def fulfil(table, fact, hand, cards, n):
    """Just as many cards are left as the fact asks for; True if that makes them certain."""
    if table.fact_sure[fact] == 0:
        for i in range(n):
            give(table, fact, cards[i], MOST_SURE)
        return False
    for i in range(n):
        settle(table, cards[i], hand)
    table.fact_least[fact] = 0
    cross_out(table)
    return True


@rule
def end_fact(table, fact):
    """Remove a fact and give the chances that it raised their former values."""
    table.fact_least[fact] = 0
    for card in range(len(table.chances)):
        if table.given[fact, card] != 0.0 and table.unknown >> card & 1:
            restore(table, fact, card)
    cross_out(table)


@rule
def restore(table, fact, card):
    hand = table.fact_hand[fact]
    now = table.chances[card, hand]
    before = table.before[fact, card]
    if now <= 0.0:
        return
    if abs(now - table.given[fact, card]) > ROUNDING:
        set_chance(table.chances[card], hand, combined(now, before, 1.0 / len(table.room)))
    elif table.told_before[fact] >> card & 1:
        set_chance(table.chances[card], hand, before)
    else:
        table.told &= ~(np.int64(1) << card)


@rule
def review_facts(table):
    """After every card: end the facts that have become useless, and raise chances again where cards have gone."""
    again = True
    while again:
        again = False
        for fact in range(len(table.fact_least)):
            if table.fact_least[fact] > 0:
                again |= apply_fact(table, fact)


@rule
def play_known(table, card, hand):
    """This hand plays a card whose place is known (`locate`): the card counts for facts no longer."""
    gone = np.int64(1) << card
    for fact in range(len(table.fact_least)):
        if table.fact_least[fact] > 0 and table.fact_cards[fact] & gone:
            table.fact_cards[fact] &= ~gone
            if table.fact_hand[fact] == hand:
                table.fact_least[fact] -= 1
                if table.fact_least[fact] == 0:
                    end_fact(table, fact)
    review_facts(table)


@rule
def agrees_with_facts(table, masks):
    """Whether a deal agrees with every fact; masks int64[hands] are the cards of each hand."""
    for fact in range(len(table.fact_least)):
        if table.fact_least[fact] > 0:
            held = masks[table.fact_hand[fact]] & table.fact_cards[fact]
            n = 0
            while held != 0:
                held &= held - 1
                n += 1
            if n < table.fact_least[fact]:
                return False
    return True
