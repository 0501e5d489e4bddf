"""The default answer to every question, card by card, with the number of the rule that gave it (see `reasons`)."""

import numpy as np

from hiddenhand.games.dominion.cards import (
    ACTION,
    COPPER,
    CURSE,
    ESTATE,
    MINE,
    POINTS,
    REMODEL,
    SILVER,
    THRONE_ROOM,
)
from hiddenhand.games.dominion.default_play import reasons as why
from hiddenhand.games.dominion.default_play.playing import (
    NONE,
    action_to_play,
    can_be_mined,
    earliest_action,
    points_by_remodelling,
    useful_now,
)
from hiddenhand.games.dominion.default_play.worth import (
    USE,
    WORTH,
    deck_is_poor,
    ending,
    glad_to_lose,
    least_useful,
    most_useful,
    surplus_action,
)
from hiddenhand.games.dominion.state import ACTIONS_PHASE
from hiddenhand.games.dominion.steps import (
    CHOOSE,
    DISCARD,
    DISCARD_ANY,
    DOUBLE,
    FLIP,
    GAIN,
    JUDGE,
    KEEP,
    LEND,
    NO,
    PUT_BACK,
    PUT_ON_DECK,
    RECALL,
    REPLACE,
    REVEAL,
    SENTRY_DISCARD,
    SENTRY_TRASH,
    SET_ASIDE,
    STEAL,
    STOP,
    SURRENDER,
    TRASH_ANY,
    YES,
    YES_OR_NO,
)
from hiddenhand.kernel import rule


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
    if kind <= PUT_ON_DECK:
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


# ---- a card in hand


@rule
def card_in_hand(view, seat, actions, kind):
    if kind == DISCARD:
        return discard(view, seat, actions)
    if kind == DISCARD_ANY:
        card = least_useful(actions, 1)
        return (card, why.DISCARDS_DEAD) if USE[card - CHOOSE] == 0 else (STOP, why.STOPS_DISCARDING)
    if kind == TRASH_ANY:
        return trash_gladly(view, seat, actions)
    if kind == PUT_BACK:
        return actions[0], why.PUTS_BACK
    if kind == REPLACE:
        return mine(view, actions) if view.step_cards[view.steps - 1] == MINE else remodel(view, actions)
    if kind == DOUBLE:
        return double(view, seat, actions)
    return put_on_deck(view, seat, actions)


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
    return most_useful(actions, 0), why.TOPS_BEST  # Sentry's order


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
