"""How much a card is worth to its owner: when it is drawn, and when it may be lost for good."""

import numpy as np

from hiddenhand.games.dominion.cards import (
    ACTION,
    COPPER,
    COST,
    CURSE,
    DUCHY,
    DUKE,
    ESTATE,
    GARDENS,
    GOLD,
    HAREM,
    MORE_ACTIONS,
    PROVINCE,
    SILVER,
    TREASURE,
    VICTORY,
)
from hiddenhand.games.dominion.state import PILES
from hiddenhand.kernel import rule

ENDING = 4  # with so many Provinces left, points count more than a better deck
LEAST_MONEY = 6  # coins in all my Treasures: below that no Copper is trashed

# When it is drawn: nothing, a Copper's one coin, or what it costs.
USE = np.where((VICTORY & ~ACTION & ~TREASURE) | (COST == 0), 0, COST)
USE[COPPER] = 1

# When it may be lost for good.
WORTH = USE.copy()
WORTH[CURSE], WORTH[ESTATE], WORTH[GARDENS], WORTH[DUKE], WORTH[DUCHY], WORTH[PROVINCE] = -1, 0, 4, 6, 7, 9


@rule
def ending(view):
    """Whether the game is about to end."""
    return view.supply[PROVINCE] <= ENDING or view.empty_piles >= 2


@rule
def money(view, seat):
    """The coins of all Treasures that a player owns."""
    return (
        np.int64(view.owned[seat, COPPER])
        + 2 * np.int64(view.owned[seat, SILVER] + view.owned[seat, HAREM])
        + 3 * np.int64(view.owned[seat, GOLD])
    )


@rule
def cards_owned(view, seat):
    cards = 0
    for i in range(PILES):
        cards += view.owned[seat, view.piles[i]]
    return np.int64(cards)


@rule
def purse(view):
    """The coins of this turn so far, with those of the Treasures still in my hand."""
    return (
        np.int64(view.coins)
        + np.int64(view.hand[COPPER])
        + 2 * np.int64(view.hand[SILVER] + view.hand[HAREM])
        + 3 * np.int64(view.hand[GOLD])
    )


@rule
def glad_to_lose(view, seat, card):
    """Whether the card is better trashed: a Curse, an Estate before the ending, a Copper if enough money is left."""
    if card == CURSE:
        return True
    if card == ESTATE:
        return not ending(view)
    return card == COPPER and not ending(view) and money(view, seat) > LEAST_MONEY


@rule
def surplus_action(view, seat):
    """Of the Actions in hand that give no action, the least useful, if there are more than can be played; or -1."""
    playable = np.int64(view.actions) if view.current == seat else 1
    terminals = 0
    least = -1
    for i in range(PILES):
        card = np.int64(view.piles[i])
        held = np.int64(view.hand[card])
        if held > 0 and ACTION[card]:
            if MORE_ACTIONS[card] > 0:
                playable += held * (MORE_ACTIONS[card] - 1)
            else:
                terminals += held
                if least < 0 or USE[card] < USE[least]:
                    least = card
    return least if terminals > playable else -1


@rule
def least_useful(actions, first):
    """The answer among actions[first:] whose card is least useful when drawn; the first of equals."""
    best = actions[first]
    for i in range(first + 1, len(actions)):
        if USE[actions[i] - 1] < USE[best - 1]:
            best = actions[i]
    return best


@rule
def most_useful(actions, first):
    """The answer among actions[first:] whose card is most useful when drawn; the first of equals."""
    best = actions[first]
    for i in range(first + 1, len(actions)):
        if USE[actions[i] - 1] > USE[best - 1]:
            best = actions[i]
    return best


@rule
def deck_is_poor(view, seat):
    """Whether what is left in my deck is less useful, card by card, than what it would be shuffled with."""
    deck_use, deck, rest_use, rest = 0, 0, 0, 0
    for i in range(PILES):
        card = np.int64(view.piles[i])
        away = np.int64(view.discard[card]) + view.in_play[card]
        left = view.owned[seat, card] - away - view.hand[card] - view.aside[card]
        deck += left
        deck_use += left * USE[card]
        rest += away
        rest_use += away * USE[card]
    return deck_use * rest < rest_use * deck
