"""BigMoney: no Actions, only Treasures and Victory cards. What every other strategy is measured by.

The order and its two thresholds are those of the thesis on evolving Dominion strategies; there is no thought of how
the game ends. The very same buys are made by the menu BIG_MONEY; this is its quick form.
"""

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.dominion.cards import DUCHY, ESTATE, GOLD, PROVINCE, SILVER
from hiddenhand.games.dominion.default_play import default_answer
from hiddenhand.games.dominion.knowledge import observe
from hiddenhand.games.dominion.menus.parser import read_menu
from hiddenhand.games.dominion.menus.reasons import default_reasons, menu_reasons
from hiddenhand.games.dominion.stack import CHOOSE, STOP
from hiddenhand.games.dominion.state import BUY_PHASE, VIEW
from hiddenhand.kernel import allocate, rule

BIG_MONEY = read_menu(
    "Province, Duchy when supply(Province) <= 5, Estate when supply(Province) <= 2, Gold, Silver",
)


@policy(Text("buys Treasures, then Provinces, and Duchies and Estates late: the yardstick"))
def bigmoney(view, seat, actions, memory, parameters, rng):
    if view.steps > 0 or view.phase != BUY_PHASE:
        return default_answer(view, seat, actions)
    return big_money_buy(view)


@rule
def big_money_buy(view):
    coins = view.coins
    provinces = view.supply[PROVINCE]
    if coins >= 8 and provinces > 0:
        return CHOOSE + PROVINCE
    if provinces <= 5:
        if coins >= 5 and view.supply[DUCHY] > 0:
            return CHOOSE + DUCHY
        if provinces <= 2 and coins >= 2 and view.supply[ESTATE] > 0:
            return CHOOSE + ESTATE
    if coins >= 6 and view.supply[GOLD] > 0:
        return CHOOSE + GOLD
    if coins >= 3 and view.supply[SILVER] > 0:
        return CHOOSE + SILVER
    return STOP


@bigmoney.explains
def why_by_big_money(view: View, action: int, parameters: np.record) -> list[str]:
    record = view.record
    if record.steps > 0 or record.phase != BUY_PHASE:
        return default_reasons(view)  # it goes by its list when it buys, not when a card lets it gain another
    return menu_reasons(view, action, BIG_MONEY)


@rule
def likely(s, seat, actions, n, rng):
    """A plausible move, with which searches finish their simulated games: BigMoney's buys and the default play."""
    if s.steps == 0 and s.phase == BUY_PHASE:
        return big_money_buy(s)  # what it looks at is public
    views = allocate(VIEW, 1)
    observe(s, seat, views[0])
    action = default_answer(views[0], seat, actions[:n])
    return action if len(views) > 0 else 0  # the array must outlive its element
