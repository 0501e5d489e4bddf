"""A plausible move, by which searches finish their simulated games: BigMoney's buys and the default play."""

from typing import Any

import numpy as np

from hiddenhand.games.dominion.bigmoney import big_money_buy
from hiddenhand.games.dominion.default_play import default_answer
from hiddenhand.games.dominion.knowledge import observe
from hiddenhand.games.dominion.state import BUY_PHASE, VIEW
from hiddenhand.kernel import COMPILED, new_records, rule

if COMPILED:

    @rule
    def new_view():
        """An array with room for one view: element 0."""
        return np.empty(1, VIEW)

else:

    def new_view() -> Any:
        return new_records(VIEW, 1)


@rule
def likely(s, seat, actions, n, rng):
    if s.steps == 0 and s.phase == BUY_PHASE:
        return big_money_buy(s)  # what it looks at is public
    views = new_view()
    observe(s, seat, views[0])
    action = default_answer(views[0], seat, actions[:n])
    return action if len(views) > 0 else 0  # the array must outlive its element
