"""Greedy: plays like a beginner, who goes by the price. The other reference strategy of the thesis (section 5.2.1).

It buys, gains and plays the dearest card, a random one of equals, and never buys a Curse or a Copper. What it must
trash are Curses, then the cheapest; what it may trash, Curses alone. It discards Victory cards, then the cheapest.
All other questions the default play answers.
"""

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.dominion.cards import COPPER, COST, CURSE, NAMES, VICTORY
from hiddenhand.games.dominion.default_play import default_answer
from hiddenhand.games.dominion.menus.reasons import default_reasons
from hiddenhand.games.dominion.stack import CHOOSE, STOP
from hiddenhand.games.dominion.steps import DISCARD, DOUBLE, GAIN, SENTRY_TRASH, TRADE_IN, TRASH_ANY
from hiddenhand.kernel import below, rule


@policy(Text("buys and plays the dearest card it can, like a beginner"))
def greedy(view, seat, actions, memory, parameters, rng):
    if view.steps == 0:
        return dearest(actions, rng)
    kind = view.step_kinds[view.steps - 1]
    if kind in (GAIN, DOUBLE):
        return dearest(actions, rng)
    if kind == DISCARD:
        return cheapest(actions, True)
    if kind == TRADE_IN:
        return cheapest(actions, False)
    if kind in (TRASH_ANY, SENTRY_TRASH):
        return curse_or_stop(actions)
    return default_answer(view, seat, actions)


@rule
def is_wanted(action):
    return action != STOP and action != CHOOSE + COPPER and action != CHOOSE + CURSE


@rule
def dearest(actions, rng):
    """The dearest card, a random one of equals; Copper, Curse and nothing only where there is no other."""
    highest = -1
    ties = 0
    for i in range(len(actions)):
        if is_wanted(actions[i]):
            cost = COST[actions[i] - CHOOSE]
            if cost > highest:
                highest, ties = cost, 0
            if cost == highest:
                ties += 1
    if ties == 0:
        return actions[0]  # STOP, or a Copper that must be gained
    chosen = below(rng, ties)
    for i in range(len(actions)):
        if is_wanted(actions[i]) and COST[actions[i] - CHOOSE] == highest:
            if chosen == 0:
                return actions[i]
            chosen -= 1
    return actions[0]


@rule
def cheapest(actions, victory_first):
    """A Curse, then a Victory card if those go first, then the cheapest card."""
    best = np.int64(STOP)
    lowest = 0
    for i in range(len(actions)):
        if actions[i] != STOP:
            price = price_to_lose(actions[i] - CHOOSE, victory_first)
            if best == STOP or price < lowest:
                best, lowest = actions[i], price
    return best


@rule
def price_to_lose(card, victory_first):
    if card == CURSE:
        return -2
    return -1 if victory_first and VICTORY[card] else COST[card]


@rule
def curse_or_stop(actions):
    for i in range(len(actions)):
        if actions[i] == CHOOSE + CURSE:
            return actions[i]
    return STOP


@greedy.explains
def why_by_price(view: View, action: int, parameters: np.record) -> list[str]:
    record = view.record
    kind = int(record.step_kinds[record.steps - 1]) if record.steps > 0 else GAIN
    name = "" if action == STOP else NAMES[action - CHOOSE]
    if kind in (GAIN, DOUBLE):
        if action == STOP:
            return [Text("There is nothing to be had but Coppers and Curses, which I do not want.")]
        cost = int(COST[action - CHOOSE])
        equals = [a for a in view.legal_actions() if is_wanted(a) and COST[a - CHOOSE] == cost]
        if not equals:
            return [Text("Only Coppers and Curses can be had, and {card} is the lesser evil.", card=name)]
        if len(equals) == 1:
            return [Text("{card} is the dearest card here: it costs {cost}.", card=name, cost=cost)]
        return [
            Text(
                "{card} is the dearest card here: it costs {cost}; chosen at random of {n} at that price.",
                card=name,
                cost=cost,
                n=len(equals),
            )
        ]
    if kind in (TRASH_ANY, SENTRY_TRASH):
        return (
            [Text("A Curse is only trouble.")]
            if action != STOP
            else [Text("No Curse is here, and I trash nothing else gladly.")]
        )
    if kind in (DISCARD, TRADE_IN):
        if action == CHOOSE + CURSE:
            return [Text("A Curse goes first.")]
        if kind == DISCARD and VICTORY[action - CHOOSE]:
            return [Text("{card} is a Victory card: it does nothing in my hand.", card=name)]
        return [Text("{card} is the cheapest card that may go.", card=name)]
    return default_reasons(view)
