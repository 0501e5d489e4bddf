"""The default answer to every question, card by card, with the number of the rule that gave it (see `reasons`)."""

import numpy as np

from hiddenhand.games.dominion.cards import (
    ACTION,
    COPPER,
    COURTIER,
    CURSE,
    ESTATE,
    KINDS,
    LURKER,
    MILITIA,
    MINE,
    MINION,
    NOBLES,
    PAWN,
    POINTS,
    REMODEL,
    SECRET_PASSAGE,
    SILVER,
    STEWARD,
    THRONE_ROOM,
)
from hiddenhand.games.dominion.default_play import reasons as why
from hiddenhand.games.dominion.default_play.action_order import (
    NONE,
    action_to_play,
    can_be_mined,
    earliest_action,
    idle_cards,
    points_by_remodelling,
    spare_cards,
    useful_now,
)
from hiddenhand.games.dominion.default_play.card_worth import (
    USE,
    WORTH,
    cards_owned,
    deck_is_poor,
    ending,
    glad_to_lose,
    least_useful,
    money,
    most_useful,
    purse,
    surplus_action,
)
from hiddenhand.games.dominion.questions import things_offered
from hiddenhand.games.dominion.stack import CHOOSE, NO, STOP, YES
from hiddenhand.games.dominion.state import ACTIONS_PHASE, BASIC, PILES
from hiddenhand.games.dominion.steps import (
    ARRANGE,
    CHOICE,
    DISCARD,
    DISCARD_ANY,
    DOUBLE,
    FLIP,
    GAIN,
    IN_HAND,
    JUDGE,
    KEEP,
    LEND,
    NAME,
    PASS,
    PUT_BACK,
    REACT,
    RECALL,
    REVEAL,
    SALVAGE,
    SCRAP,
    SCRAP_PILE,
    SELL_ESTATE,
    SELL_TWO,
    SENTRY_DISCARD,
    SENTRY_TRASH,
    SET_ASIDE,
    STEAL,
    SURRENDER,
    SWINDLE,
    TRADE_IN,
    TRASH,
    TRASH_ANY,
    UNVEIL,
    YES_OR_NO,
)
from hiddenhand.kernel import rule

GOOD_HAND = 5  # coins in hand with which a Minion takes two more


@rule
def default_answer(view, seat, actions):
    """What the default play does here; in the buy phase it buys nothing."""
    action, _ = default_choice(view, seat, actions)
    return action


@rule
def default_choice(view, seat, actions):
    """The action and the rule that gave it."""
    if view.steps == 0:
        if view.phase == ACTIONS_PHASE:
            return play_an_action(view, seat)
        return STOP, why.FINISHES_BUYING
    kind = view.step_kinds[view.steps - 1]
    if kind <= YES_OR_NO:
        return yes_or_no(view, seat, kind)
    if kind == CHOICE:
        return pick(view, seat)
    if kind <= IN_HAND:
        return card_in_hand(view, seat, actions, kind)
    return card_elsewhere(view, seat, actions, kind)


@rule
def play_an_action(view, seat):
    card = action_to_play(view, seat)
    if card == NONE:
        return STOP, why.PLAYS_NOTHING
    return CHOOSE + card, why.PLAYS_THRONE if card == THRONE_ROOM else why.PLAYS_FIRST


# ---- yes or no


@rule
def yes_or_no(view, seat, kind):
    card = np.int64(view.step_cards[view.steps - 1])
    if kind == REVEAL:
        return YES, why.SHOWS_MOAT
    if kind == FLIP:
        return (YES, why.FLIPS_POOR_DECK) if deck_is_poor(view, seat) else (NO, why.KEEPS_GOOD_DECK)
    if kind == LEND:
        return YES, why.LENDS
    if kind == JUDGE:
        return judge(view, seat)
    if kind == SET_ASIDE:
        return (YES, why.SETS_ASIDE) if view.actions == 0 else (NO, why.KEEPS_ACTION)
    if kind == REACT:
        takes_cards = card in (MILITIA, MINION)
        return (YES, why.SHOWS_DIPLOMAT) if takes_cards or idle_cards(view) > 2 else (NO, why.KEEPS_HAND)
    if kind == SCRAP:
        return (YES, why.SCRAPS) if ending(view) else (NO, why.KEEPS_VILLAGE)
    if kind == SELL_ESTATE:
        return YES, why.SELLS_ESTATE
    if kind == SELL_TWO:
        return (YES, why.SELLS_IDLE) if idle_cards(view) >= 2 else (NO, why.KEEPS_CARDS)
    return (YES, why.PLAYS_TOP) if useful_now(view, seat, card) else (NO, why.LEAVES_TOP)


@rule
def judge(view, seat):
    """Spy: my good cards stay, and so do the bad ones of others."""
    target = view.step_targets[view.steps - 1]
    top = view.tops[target, view.top_sizes[target] - 1]
    good = USE[top] > USE[COPPER]
    if target == seat:
        return (NO, why.LEAVES_OWN_TOP) if good else (YES, why.DISCARDS_OWN_TOP)
    return (YES, why.DISCARDS_THEIR_TOP) if good else (NO, why.LEAVES_THEIR_TOP)


# ---- one of the things that a card offers


@rule
def pick(view, seat):
    """The first thing, in an order of liking, that is not chosen yet."""
    step = view.steps - 1
    card, chosen = view.step_cards[step], view.step_counts[step]
    if card == PAWN:
        return (1, why.WANTS_ACTION) if chosen >> 1 & 1 == 0 else (0, why.WANTS_CARDS)
    if card == COURTIER:
        if chosen >> 2 & 1 == 0:
            return 2, why.WANTS_COINS
        if chosen >> 3 & 1 == 0:
            return 3, why.WANTS_GOLD
        return (0, why.WANTS_ACTION) if chosen & 1 == 0 else (1, why.WANTS_BUY)
    if card == STEWARD:
        if spare_cards(view, seat) >= 2:
            return 2, why.WANTS_TRASH
        return (0, why.WANTS_CARDS) if view.actions > 0 else (1, why.WANTS_COINS)
    if card == NOBLES:
        return (1, why.WANTS_ACTION) if view.actions == 0 and earliest_action(view, seat) != NONE else (
            0, why.WANTS_CARDS)  # fmt: skip
    if card == MINION:
        return (0, why.WANTS_COINS) if purse(view) >= GOOD_HAND else (1, why.WANTS_NEW_HAND)
    if card == LURKER:
        return (1, why.WANTS_ACTION_CARD) if action_in_trash(view) else (0, why.WANTS_TRASHED_ACTION)
    if card == SECRET_PASSAGE:
        return things_offered(view, card, seat) - 1, why.WANTS_AWAY
    return (1, why.WANTS_NO_CURSE) if view.supply[CURSE] == 0 else (0, why.WANTS_DISCARD)


@rule
def action_in_trash(view):
    """Whether an Action lies in the trash that is worth having."""
    for i in range(BASIC, PILES):
        card = np.int64(view.piles[i])
        if view.trash[card] > 0 and ACTION[card] and USE[card] > USE[SILVER]:
            return True
    return False


# ---- a card in hand


@rule
def card_in_hand(view, seat, actions, kind):
    if kind == DISCARD:
        return discard(view, seat, actions)
    if kind == DISCARD_ANY:
        return cellar(view, seat, actions)
    if kind == TRASH_ANY:
        return trash_gladly(view, seat, actions)
    if kind == PUT_BACK:
        return actions[0], why.PUTS_BACK
    if kind == TRADE_IN:
        return mine(view, actions) if view.step_cards[view.steps - 1] == MINE else remodel(view, actions)
    if kind == DOUBLE:
        return double(view, seat, actions)
    if kind in (TRASH, PASS):
        return least_worth(actions), why.TRASHES_LEAST
    if kind == UNVEIL:
        return most_kinds(actions), why.SHOWS_MOST_KINDS
    return put_on_deck(view, seat, actions)


@rule
def least_worth(actions):
    """The answer whose card may best be lost."""
    best = actions[0]
    for i in range(1, len(actions)):
        if WORTH[actions[i] - CHOOSE] < WORTH[best - CHOOSE]:
            best = actions[i]
    return best


@rule
def most_kinds(actions):
    """The answer whose card is of the most kinds."""
    best = actions[0]
    for i in range(1, len(actions)):
        if KINDS[actions[i] - CHOOSE] > KINDS[best - CHOOSE]:
            best = actions[i]
    return best


@rule
def cellar(view, seat, actions):
    """Victory cards, Curses, Actions that cannot be played; Coppers if my cards are better on average."""
    card = least_useful(actions, 1)
    if USE[card - CHOOSE] == 0:
        return card, why.DISCARDS_DEAD
    surplus = surplus_action(view, seat)
    if surplus != NONE:
        return CHOOSE + surplus, why.DISCARDS_SURPLUS
    if card == CHOOSE + COPPER and money(view, seat) > cards_owned(view, seat):
        return card, why.DISCARDS_COPPER
    return STOP, why.STOPS_DISCARDING


@rule
def discard(view, seat, actions):
    """Militia, Poacher: Victory cards and Curses, then Actions that cannot be played, then the least useful card."""
    card = least_useful(actions, 0)
    if USE[card - CHOOSE] == 0:
        return card, why.DISCARDS_DEAD
    surplus = surplus_action(view, seat)
    if surplus != NONE:
        return CHOOSE + surplus, why.DISCARDS_SURPLUS
    return card, why.DISCARDS_LEAST


@rule
def trash_gladly(view, seat, actions):
    """Chapel, Sentry: Curses, then Estates before the ending, then Coppers while enough money is left."""
    best = STOP
    for i in range(1, len(actions)):
        card = actions[i] - CHOOSE
        if glad_to_lose(view, seat, card) and (best == STOP or WORTH[card] < WORTH[best - CHOOSE]):
            best = actions[i]
    return best, trashing_reason(best)


@rule
def trashing_reason(action):
    if action == STOP:
        return why.STOPS_TRASHING
    if action == CHOOSE + CURSE:
        return why.TRASHES_CURSE
    return why.TRASHES_ESTATE if action == CHOOSE + ESTATE else why.TRASHES_COPPER


@rule
def mine(view, actions):
    """Mine: Silver to Gold, else Copper to Silver; each gives one coin more at once, and Gold is the better card."""
    if can_be_mined(view, SILVER):
        return CHOOSE + SILVER, why.MINES_SILVER
    if can_be_mined(view, COPPER):
        return CHOOSE + COPPER, why.MINES_COPPER
    if actions[0] == STOP:
        return STOP, why.MINES_NOTHING
    return least_useful(actions, 0), why.MINES_FORCED


@rule
def remodel(view, actions):
    """Remodel: in the ending the card that brings most points; else the one I can spare best."""
    best = actions[0]
    if ending(view):
        for i in range(1, len(actions)):
            if points_by_remodelling(view, actions[i] - CHOOSE) > points_by_remodelling(view, best - CHOOSE):
                best = actions[i]
        if points_by_remodelling(view, best - CHOOSE) > 0:
            return best, why.REMODELS_FOR_POINTS
    for i in range(len(actions)):
        if WORTH[actions[i] - CHOOSE] < WORTH[best - CHOOSE]:
            best = actions[i]
    return best, why.REMODELS_LEAST


@rule
def double(view, seat, actions):
    """Throne Room: the Action that would be played first; no harmful one unless it must be."""
    card = earliest_action(view, seat)
    if card != NONE:
        return CHOOSE + card, why.DOUBLES_FIRST
    if actions[0] == STOP:
        return STOP, why.DOUBLES_NOTHING
    return actions[1 if actions[0] == CHOOSE + REMODEL else 0], why.DOUBLES_FORCED


@rule
def put_on_deck(view, seat, actions):
    """Artisan: an Action that cannot be played any more this turn, else the least useful card."""
    best = STOP
    if view.actions == 0:
        for i in range(len(actions)):
            card = actions[i] - CHOOSE
            if ACTION[card] and (best == STOP or USE[card] > USE[best - CHOOSE]):
                best = actions[i]
    if best != STOP:
        return best, why.SAVES_ACTION
    return least_useful(actions, 0), why.DECKS_LEAST


# ---- a card elsewhere


@rule
def card_elsewhere(view, seat, actions, kind):
    if kind == GAIN:
        return gain(view, seat, actions)
    if kind == RECALL:  # Harbinger: what is better than a Copper
        best = most_useful(actions, 1)
        return (best, why.RECALLS_BEST) if USE[best - CHOOSE] > USE[COPPER] else (STOP, why.RECALLS_NOTHING)
    if kind == STEAL:
        return most_useful(actions, 0), why.STEALS_BEST
    if kind == KEEP:  # Thief: Silver and Gold
        best = most_useful(actions, 1)
        return (best, why.KEEPS_LOOT) if best != CHOOSE + COPPER else (STOP, why.LEAVES_LOOT)
    if kind == SURRENDER:
        return least_useful(actions, 0), why.SURRENDERS_LEAST
    if kind == SENTRY_TRASH:
        return trash_gladly(view, seat, actions)
    if kind == SENTRY_DISCARD:
        card = least_useful(actions, 1)
        return (card, why.DISCARDS_DEAD) if USE[card - CHOOSE] == 0 else (STOP, why.STOPS_DISCARDING)
    if kind == NAME:
        return likeliest(view, seat, actions), why.NAMES_LIKELIEST
    if kind == SWINDLE:
        return least_useful(actions, 0), why.GIVES_LEAST
    if kind == ARRANGE:
        return least_useful(actions, 0), why.PUTS_LEAST_UNDER
    if kind in (SCRAP_PILE, SALVAGE):
        return most_useful(actions, 0), why.GAINS_DEAREST
    return most_useful(actions, 0), why.TOPS_BEST  # Sentry's order


@rule
def likeliest(view, seat, actions):
    """Wishing Well: the card of which most copies are left in my deck, or the one that I know to lie on top."""
    n = view.top_sizes[seat]
    if n > 0 and view.my_tops[n - 1] >= 0:
        return CHOOSE + np.int64(view.my_tops[n - 1])
    best = actions[0]
    most = -1
    for i in range(len(actions)):
        card = actions[i] - CHOOSE
        left = np.int64(view.owned[seat, card]) - view.hand[card] - view.in_play[card] - view.aside[card]
        if view.deck_sizes[seat] > 0:  # otherwise the discard pile is shuffled
            left -= view.discard[card]
        if left > most:
            best, most = actions[i], left
    return best


@rule
def gain(view, seat, actions):
    """Mine: the best Treasure. In the ending the most points; else the most useful card, of equals the rarer."""
    if view.step_cards[view.steps - 1] == MINE:
        return most_useful(actions, 0), why.GAINS_TREASURE
    best = actions[0]
    if ending(view):
        for i in range(1, len(actions)):
            if POINTS[actions[i] - CHOOSE] > POINTS[best - CHOOSE]:
                best = actions[i]
        if POINTS[best - CHOOSE] > 0:
            return best, why.GAINS_POINTS
    for i in range(len(actions)):
        card, other = actions[i] - CHOOSE, best - CHOOSE
        if USE[card] > USE[other] or (USE[card] == USE[other] and view.owned[seat, card] < view.owned[seat, other]):
            best = actions[i]
    return best, why.GAINS_DEAREST
