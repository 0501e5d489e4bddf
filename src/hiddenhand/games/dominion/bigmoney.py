"""Big Money: buys Treasures and Victory cards alone; the yardstick of the models."""

from hiddenhand.core.policy import policy
from hiddenhand.games.dominion.cards import COINS, DUCHY, ESTATE, GOLD, PROVINCE, SILVER
from hiddenhand.games.dominion.state import BUY_PHASE
from hiddenhand.games.dominion.steps import CHOOSE, DISCARD, STOP


@policy("buys Treasures and Victory cards alone")
def bigmoney(view, seat, actions, memory, parameters, rng):
    if view.steps > 0:
        if view.step_kinds[view.steps - 1] != DISCARD:
            return actions[0]
        worst = actions[0]
        for action in actions:
            if COINS[action - CHOOSE] < COINS[worst - CHOOSE]:
                worst = action
        return worst
    if view.phase != BUY_PHASE:
        return STOP
    coins = view.coins
    provinces = view.supply[PROVINCE]
    if coins >= 8:
        return CHOOSE + PROVINCE
    if coins >= 5 and provinces <= 5 and view.supply[DUCHY] > 0:
        return CHOOSE + DUCHY
    if coins >= 2 and provinces <= 2 and view.supply[ESTATE] > 0:
        return CHOOSE + ESTATE
    if coins >= 6 and view.supply[GOLD] > 0:
        return CHOOSE + GOLD
    if coins >= 3 and view.supply[SILVER] > 0:
        return CHOOSE + SILVER
    return STOP
