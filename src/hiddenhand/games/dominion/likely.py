"""A plausible move, by which searches finish their simulated games: BigMoney's buys and the default play."""

from hiddenhand.games.dominion.bigmoney import big_money_buy
from hiddenhand.games.dominion.default_play import default_answer
from hiddenhand.games.dominion.knowledge import observe
from hiddenhand.games.dominion.state import BUY_PHASE, VIEW
from hiddenhand.kernel import allocate, rule


@rule
def likely(s, seat, actions, n, rng):
    if s.steps == 0 and s.phase == BUY_PHASE:
        return big_money_buy(s)  # what it looks at is public
    views = allocate(VIEW, 1)
    observe(s, seat, views[0])
    action = default_answer(views[0], seat, actions[:n])
    return action if len(views) > 0 else 0  # the array must outlive its element
