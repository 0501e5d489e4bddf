"""Following a menu: the first entry that applies. Compiled; `encoding` describes the record."""

import numpy as np

from hiddenhand.games.dominion.cards import MINE, price
from hiddenhand.games.dominion.default_play import default_answer
from hiddenhand.games.dominion.default_play.card_worth import cards_owned, money, purse
from hiddenhand.games.dominion.menus.encoding import END, LEFT_OUT
from hiddenhand.games.dominion.menus.game_ending import LOSES, WINS, lead, opens_the_last, outcome_of_buying
from hiddenhand.games.dominion.menus.language import (
    BUYS,
    COINS_NOW,
    COUNT,
    DECK,
    DEFICIT,
    EMPTY,
    HELD,
    LEAD,
    MONEY,
    NUMBER,
    OTHERS,
    SUPPLY,
    TURN,
)
from hiddenhand.games.dominion.questions import may_gain
from hiddenhand.games.dominion.stack import CHOOSE, STOP
from hiddenhand.games.dominion.state import ACTIONS_PHASE, PILES
from hiddenhand.games.dominion.steps import (
    DISCARD,
    GAIN,
    PASS,
    SENTRY_TRASH,
    TRADE_IN,
    TRASH,
    TRASH_ANY,
)
from hiddenhand.kernel import rule

NONE = -1  # no card
BUYING = -1  # no card lets me gain it


@rule
def follow(view, seat, actions, parameters):
    """What the menu does here."""
    if view.steps > 0:
        return answer_question(view, seat, actions, parameters)
    if view.phase == ACTIONS_PHASE:
        return play_action(view, seat, actions, parameters)
    return CHOOSE + card_to_buy(view, seat, parameters)  # STOP is no card chosen


@rule
def card_to_buy(view, seat, parameters):
    """The card of the first entry of the buy list that applies, or NONE."""
    if parameters.cautious != 0:
        winning = winning_buy(view, seat)
        if winning != NONE:
            return winning
    return first_in_supply(view, seat, parameters, parameters.buy, np.int64(view.coins), BUYING)


@rule
def winning_buy(view, seat):
    """A card whose purchase ends the game at once, with me the winner; or NONE."""
    for i in range(PILES):
        card = np.int64(view.piles[i])
        if view.supply[card] > 0 and price(view, card) <= view.coins and outcome_of_buying(view, seat, card) == WINS:
            return card
    return NONE


@rule
def first_in_supply(view, seat, parameters, at, coins, by):
    """The first card of a section that the supply has, that costs no more than these coins, and whose conditions
    hold; NONE if there is none. `by` is the card that lets me gain it, or BUYING."""
    while True:
        card = parameters.card[at]
        if card == END:
            return NONE
        if may_gain(view, card, by, coins) and applies(view, seat, parameters, at, coins):
            if by != BUYING or not is_refused(view, seat, parameters, card):
                return card
        at += 1


@rule
def is_refused(view, seat, parameters, card):
    """Whether `cautious` or `penultimate` forbids to buy this card now."""
    if parameters.cautious != 0 and outcome_of_buying(view, seat, card) == LOSES:
        return True
    return parameters.penultimate != 0 and opens_the_last(view, seat, card)


@rule
def play_action(view, seat, actions, parameters):
    action = first_among(view, seat, actions, parameters, parameters.play)
    if action != STOP or parameters.play_only != 0:
        return action
    return default_answer(view, seat, actions)


@rule
def answer_question(view, seat, actions, parameters):
    """The section that speaks to this question, and where it is silent, the default play."""
    step = view.steps - 1
    kind = view.step_kinds[step]
    action = np.int64(STOP)
    if kind == GAIN and view.step_cards[step] != MINE:
        at = parameters.gain if parameters.gain != LEFT_OUT else parameters.buy
        coins = np.int64(view.step_counts[step])
        action = CHOOSE + first_in_supply(view, seat, parameters, at, coins, view.step_cards[step])
    elif kind in (TRASH_ANY, SENTRY_TRASH):
        if parameters.trash != LEFT_OUT:
            return first_among(view, seat, actions, parameters, parameters.trash)
    elif kind in (TRASH, PASS) or (kind == TRADE_IN and view.step_cards[step] != MINE):
        action = first_among(view, seat, actions, parameters, parameters.trash)
    elif kind == DISCARD:
        action = first_among(view, seat, actions, parameters, parameters.discard)
    return action if action != STOP else default_answer(view, seat, actions)


@rule
def first_among(view, seat, actions, parameters, at):
    """The first card of a section that is a legal answer, and whose conditions hold, as an answer; or STOP."""
    if at == LEFT_OUT:
        return STOP
    coins = np.int64(view.coins)
    while True:
        card = parameters.card[at]
        if card == END:
            return STOP
        for i in range(len(actions)):
            if actions[i] == CHOOSE + card and applies(view, seat, parameters, at, coins):
                return CHOOSE + card
        at += 1


# ---- conditions


@rule
def applies(view, seat, parameters, at, coins):
    """Whether `up to` holds, and every condition of this entry, or of one of its alternatives."""
    up_to = parameters.up_to[at]
    if up_to >= 0 and view.owned[seat, parameters.card[at]] >= up_to:
        return False
    first = parameters.first_condition[at]
    good = True
    for i in range(first, first + parameters.conditions[at]):
        if parameters.otherwise[i] != 0:
            if good:
                return True
            good = True
        if good:
            good = holds(view, seat, parameters, i, coins)
    return good


@rule
def holds(view, seat, parameters, at, coins):
    """Whether this condition holds."""
    left = amount(view, seat, parameters.left_kind[at], parameters.left[at], coins)
    comparison = parameters.comparison[at]
    right = amount(view, seat, parameters.right_kind[at], parameters.right[at], coins)
    if comparison < 2:  # in the order of COMPARISONS
        return left < right if comparison == 0 else left <= right
    if comparison < 4:
        return left == right if comparison == 2 else left != right
    return left >= right if comparison == 4 else left > right


@rule
def owned_by_others(view, seat, card):
    copies = 0
    for other in range(view.players):
        if other != seat:
            copies += np.int64(view.owned[other, card])
    return copies


@rule
def amount(view, seat, kind, detail, coins):
    """The present value of a quantity."""
    if kind == NUMBER:
        return detail
    if kind == COINS_NOW:
        return coins
    if kind in (SUPPLY, COUNT, HELD, OTHERS):
        return copies_of(view, seat, kind, detail)
    if kind == TURN:
        return np.int64(view.turns[seat])
    if kind == MONEY:
        return money(view, seat)
    if kind == DECK:
        return cards_owned(view, seat)
    if kind == LEAD:
        return lead(view, seat)
    if kind == DEFICIT:
        return -lead(view, seat)
    if kind == EMPTY:
        return np.int64(view.empty_piles)
    return np.int64(view.buys) if kind == BUYS else purse(view)


@rule
def copies_of(view, seat, kind, card):
    """How many copies of a card lie in the supply, are mine, are in my hand, or belong to others."""
    if kind == SUPPLY:
        return np.int64(view.supply[card])
    if kind == COUNT:
        return np.int64(view.owned[seat, card])
    return np.int64(view.hand[card]) if kind == HELD else owned_by_others(view, seat, card)
