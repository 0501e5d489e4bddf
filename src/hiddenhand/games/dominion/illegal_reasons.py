"""Why somebody may not play, buy or choose a card of Dominion now."""

from collections.abc import Callable

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.games.dominion import steps
from hiddenhand.games.dominion.cards import ACTION, MINE, NAMES, TREASURE, UPGRADE, price
from hiddenhand.games.dominion.questions import may_choose, may_stop, write_answers
from hiddenhand.games.dominion.stack import CHOOSE, STOP, YES
from hiddenhand.games.dominion.state import ACTIONS_PHASE


def refusal(s: np.record, action: int) -> str:
    if s.steps > 0:
        return refused_answer(s, action)
    if action == STOP:
        return ""
    card = action - CHOOSE
    if s.phase == ACTIONS_PHASE:
        return refused_play(s, card)
    return not_in_supply(s, card) or too_dear(int(price(s, card)), int(s.coins))


def refused_play(s: np.record, card: int) -> str:
    if TREASURE[card]:
        return Text("Treasures are played by themselves when you buy; now you play Actions")
    if not ACTION[card]:
        return Text("{card} is no Action", card=NAMES[card])
    return not_in_hand(s, int(s.current), card)


def refused_answer(s: np.record, action: int) -> str:
    """Why the question at hand cannot be answered so."""
    step = s.steps - 1
    kind, seat, card = int(s.step_kinds[step]), int(s.step_seats[step]), action - CHOOSE
    if kind <= steps.YES_OR_NO:
        return "" if action <= YES else Text("the question is answered by yes or no")
    if kind == steps.CHOICE:
        offered = np.zeros(len(NAMES), np.int64)
        fine = action in offered[: write_answers(s, offered)].tolist()
        return "" if fine else Text("choose one of the things that the card offers")
    if action == STOP:
        return "" if may_stop(s, kind) else Text("you must choose a card")
    if may_choose(s, kind, card):
        return ""
    if kind == steps.GAIN:
        most = int(s.step_counts[step])
        return (
            not_in_supply(s, card)
            or wrong_price(s, step, card, most)
            or Text("{card} gains Treasures only", card=NAMES[MINE])
        )
    if kind == steps.SWINDLE:
        return not_in_supply(s, card) or Text(
            "it costs {cost}, and must cost {n}", cost=int(price(s, card)), n=int(s.step_counts[step])
        )
    if kind == steps.SCRAP_PILE:
        return not_in_supply(s, card) or Text("{card} is no Action", card=NAMES[card])
    if kind in ELSEWHERE:
        return ELSEWHERE[kind](NAMES[card])
    return not_in_hand(s, seat, card) or wrong_kind(kind, card)


def not_looked_at(card: str) -> str:
    return Text("{card} is none of the cards that you look at", card=card)


ELSEWHERE: dict[int, Callable[[str], str]] = {
    steps.RECALL: lambda card: Text("there is no {card} in your discard pile", card=card),
    steps.KEEP: lambda card: Text("the Thief has trashed no {card}", card=card),
    steps.STEAL: lambda card: Text("{card} is none of the Treasures shown", card=card),
    steps.SURRENDER: lambda card: Text("{card} is none of the Treasures shown that you may trash", card=card),
    steps.SENTRY_TRASH: not_looked_at,
    steps.SENTRY_DISCARD: not_looked_at,
    steps.SENTRY_ORDER: not_looked_at,
    steps.ARRANGE: not_looked_at,
    steps.SALVAGE: lambda card: Text("there is no Action {card} in the trash", card=card),
    steps.NAME: lambda card: Text("{card} is not among the cards of this game", card=card),
}
"""By the question, why a card that lies neither in the hand nor in the supply cannot be chosen."""


def wrong_kind(kind: int, card: int) -> str:
    """Why a card of the hand cannot be chosen."""
    if kind == steps.PUT_BACK:
        return Text("{card} is no Victory card", card=NAMES[card])
    return Text("{card} is no Treasure" if kind == steps.TRADE_IN else "{card} is no Action", card=NAMES[card])


def not_in_hand(s: np.record, seat: int, card: int) -> str:
    return "" if s.hands[seat, card] > 0 else Text("you have no {card} in your hand", card=NAMES[card])


def not_in_supply(s: np.record, card: int) -> str:
    if card not in s.piles:
        return Text("{card} is not among the cards of this game", card=NAMES[card])
    return "" if s.supply[card] > 0 else Text("the pile of {card} is empty", card=NAMES[card])


def too_dear(cost: int, coins: int) -> str:
    if cost <= coins:
        return ""
    return Text.plural(
        "it costs {cost}, and you have {n} coin", "it costs {cost}, and you have {n} coins", n=coins, cost=cost
    )


def wrong_price(s: np.record, step: int, card: int, most: int) -> str:
    cost = int(price(s, card))
    if s.step_cards[step] == UPGRADE and cost != most:
        return Text("it costs {cost}, and must cost {n}", cost=cost, n=most)
    return Text("it costs {cost}, and may cost {n} at most", cost=cost, n=most) if cost > most else ""
