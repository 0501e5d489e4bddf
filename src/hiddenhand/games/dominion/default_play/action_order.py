"""Which Action to play: the table of their order, and when one is better not played.

First what gives actions back, so that nothing is lost by playing it; then, for the last action, what does most.
"""

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.games.dominion.cards import (
    ACTION,
    CARDS,
    CELLAR,
    CHAPEL,
    COPPER,
    COST,
    CURSE,
    DUCHY,
    ESTATE,
    GOLD,
    LIBRARY,
    MINE,
    MONEYLENDER,
    NAMES,
    PROVINCE,
    REMODEL,
    REPLACE,
    SEVEN,
    SILVER,
    THRONE_ROOM,
    TRADING_POST,
    UPGRADE,
    WITCH,
)
from hiddenhand.games.dominion.default_play.card_worth import USE, ending, glad_to_lose
from hiddenhand.games.dominion.state import BASIC, PILES
from hiddenhand.kernel import rule

NONE = -1

ORDER = (
    "Village, Mining Village, Festival, Laboratory, Market, Sentry, Spy, Wishing Well, Merchant, Harbinger, Poacher, "
    "Mill, Upgrade, Secret Passage, Shanty Town, Minion, Lurker, Pawn, Cellar, "
    "Witch, Torturer, Chapel, Bandit, Artisan, Council Room, Adventurer, Patrol, Smithy, Masquerade, Courtyard, "
    "Trading Post, Nobles, Replace, Courtier, Feast, Mine, Diplomat, Swindler, Militia, Steward, Moneylender, "
    "Library, Bureaucrat, Baron, Ironworks, Bridge, Conspirator, Remodel, Vassal, Chancellor, Woodcutter, Moat, "
    "Workshop, Thief, Throne Room"
).split(", ")
RANK = np.array([ORDER.index(name) if name in ORDER else CARDS for name in NAMES])  # the lower, the earlier
WITCH_WITHOUT_CURSES = RANK[NAMES.index(Text("Moat"))]  # it draws as many cards


@rule
def rank(view, card):
    """The place of an Action in the order; the lower, the earlier."""
    if card == WITCH and view.supply[CURSE] == 0:
        return WITCH_WITHOUT_CURSES
    return RANK[card]


@rule
def points_by_remodelling(view, card):
    """The points that replacing this card by a dearer one brings, where a Province or Duchy can be had."""
    if COST[card] + 2 >= COST[PROVINCE] and view.supply[PROVINCE] > 0:
        return 0 if card == PROVINCE else 6
    if COST[card] + 2 >= COST[DUCHY] and view.supply[DUCHY] > 0:
        return 0 if card == DUCHY else 3
    return 0


@rule
def worth_remodelling(view, card):
    """A Curse or an Estate, and in the ending what brings points."""
    if ending(view) and points_by_remodelling(view, card) > 0:
        return True
    return card == CURSE or (card == ESTATE and not ending(view))


@rule
def useful_now(view, seat, card):
    """Whether playing this Action does some good with the hand I hold."""
    if card in (CHAPEL, REMODEL, CELLAR):
        for i in range(PILES):
            other = np.int64(view.piles[i])
            if view.hand[other] > 0 and may_go(view, seat, card, other):
                return True
        return False
    if card == MONEYLENDER:
        return view.hand[COPPER] > 0
    if card == MINE:
        return can_be_mined(view, COPPER) or can_be_mined(view, SILVER)
    if card == LIBRARY:
        return view.hand_sizes[seat] - 1 < SEVEN
    if card in (UPGRADE, TRADING_POST, REPLACE):
        return spare_cards(view, seat) >= (2 if card == TRADING_POST else 1)
    return True


@rule
def spare_cards(view, seat):
    """Cards in my hand that I should gladly trash."""
    spare = 0
    for i in range(PILES):
        card = np.int64(view.piles[i])
        if view.hand[card] > 0 and glad_to_lose(view, seat, card):
            spare += np.int64(view.hand[card])
    return spare


@rule
def idle_cards(view):
    """Cards in my hand that do nothing when they are drawn."""
    idle = 0
    for i in range(PILES):
        card = np.int64(view.piles[i])
        if USE[card] == 0:
            idle += np.int64(view.hand[card])
    return idle


@rule
def may_go(view, seat, by, card):
    """Whether Chapel, Remodel or Cellar may well take this card of my hand."""
    if by == CHAPEL:
        return glad_to_lose(view, seat, card)
    if by == REMODEL:
        return worth_remodelling(view, card)
    return USE[card] == 0


@rule
def can_be_mined(view, treasure):
    """Whether a Copper or Silver in hand can become the next better Treasure."""
    return view.hand[treasure] > 0 and view.supply[SILVER if treasure == COPPER else GOLD] > 0


@rule
def earliest_action(view, seat):
    """The useful Action in hand that comes first in the order, Throne Rooms left out; or NONE."""
    best = NONE
    for i in range(BASIC, PILES):
        card = np.int64(view.piles[i])
        if view.hand[card] > 0 and ACTION[card] and card != THRONE_ROOM and useful_now(view, seat, card):
            if best == NONE or rank(view, card) < rank(view, best):
                best = card
    return best


@rule
def action_to_play(view, seat):
    """The Action to play now, or NONE. A Throne Room comes just before the card it is to double."""
    best = earliest_action(view, seat)
    if best != NONE and view.hand[THRONE_ROOM] > 0 and is_worth_doubling(best):
        return THRONE_ROOM
    return best


@rule
def is_worth_doubling(card):
    """Not what uses up the hand that its second play would need."""
    return card not in (CHAPEL, REMODEL, CELLAR, LIBRARY, UPGRADE, TRADING_POST, REPLACE)
