"""Why a menu decided as it did: the entry that applied, and for every entry before it, why it did not.

What the entries amount to is reckoned here once more, in plain Python; the tests hold it against `interpreter`.
"""

import operator

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.dominion.cards import COPPER, GOLD, HAREM, MINE, NAMES, SILVER, UPGRADE, price
from hiddenhand.games.dominion.default_play import default_choice, default_reason
from hiddenhand.games.dominion.menus.game_ending import LOSES, lead, opens_the_last, outcome_of_buying
from hiddenhand.games.dominion.menus.interpreter import NONE, winning_buy
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
    PURSE,
    SUPPLY,
    TURN,
    Menu,
    MenuCondition,
    MenuEntry,
    MenuQuantity,
)
from hiddenhand.games.dominion.menus.purposes import purpose
from hiddenhand.games.dominion.stack import CHOOSE, STOP
from hiddenhand.games.dominion.state import ACTIONS_PHASE
from hiddenhand.games.dominion.steps import (
    DISCARD,
    GAIN,
    PASS,
    SENTRY_TRASH,
    TRADE_IN,
    TRASH,
    TRASH_ANY,
)

SIGNS = (operator.lt, operator.le, operator.eq, operator.ne, operator.ge, operator.gt)


def menu_reasons(view: View, action: int, menu: Menu) -> list[str]:
    """Why this menu takes this action in this view."""
    record, seat = view.record, view.seat
    if record.steps == 0:
        if record.phase == ACTIONS_PHASE:
            return listed_reasons(view, action, menu.play, Text("play"), menu.play_only)
        return buying_reasons(record, seat, menu)
    kind, by = int(record.step_kinds[record.steps - 1]), int(record.step_cards[record.steps - 1])
    if kind == GAIN and by != MINE:
        return gaining_reasons(view, menu)
    if kind in (TRASH_ANY, SENTRY_TRASH, TRASH, PASS) or (kind == TRADE_IN and by != MINE):
        return listed_reasons(view, action, menu.trash, Text("trash"), kind in (TRASH_ANY, SENTRY_TRASH))
    if kind == DISCARD:
        return listed_reasons(view, action, menu.discard, Text("discard"), False)
    return default_reasons(view)


def default_reasons(view: View) -> list[str]:
    """The rule of the default play that applies here."""
    action, why = default_choice(view.record, view.seat, np.array(view.legal_actions(), np.int64))
    return [default_reason(why, action)]


def applied(entry: MenuEntry, verb: str) -> str:
    return Text('"{entry}" is the first entry of what to {verb} that applies.', entry=entry, verb=verb)


def none_applies(verb: str) -> str:
    return Text("No entry of what to {verb} applies.", verb=verb)


# ---- from the supply


def buying_reasons(record: np.record, seat: int, menu: Menu) -> list[str]:
    if menu.cautious:
        winning = winning_buy(record, seat)
        if winning != NONE:
            return [Text("{card} ends the game at once, and I win it.", card=NAMES[winning])]
    sentences: list[str] = []
    for entry in menu.buy:
        coins = int(record.coins)
        have = Text.plural("I have {n} coin", "I have {n} coins", n=coins)
        obstacle = supply_obstacle(record, seat, entry, coins, have)
        if not obstacle and menu.cautious and outcome_of_buying(record, seat, entry.card) == LOSES:
            obstacle = Text("{card} would end the game at once, and I should lose it.", card=NAMES[entry.card])
        if not obstacle and menu.penultimate and opens_the_last(record, seat, entry.card):
            obstacle = Text(
                "{card} would leave one, and whoever buys that one would beat me.", card=NAMES[entry.card]
            )
        if not obstacle:
            return [*sentences, applied(entry, Text("buy")), *purpose(record, seat, entry.card)]
        sentences.append(obstacle)
    return [*sentences, none_applies(Text("buy"))]


def gaining_reasons(view: View, menu: Menu) -> list[str]:
    record, seat = view.record, view.seat
    limit = int(record.step_counts[record.steps - 1])
    entries, verb = (menu.buy, Text("buy")) if menu.gain is None else (menu.gain, Text("gain"))
    exactly = int(record.step_cards[record.steps - 1]) == UPGRADE
    have = Text("it must cost {limit}" if exactly else "it may cost {limit}", limit=limit)
    sentences: list[str] = []
    for entry in entries:
        obstacle = supply_obstacle(record, seat, entry, limit, have, exactly)
        if not obstacle:
            return [*sentences, applied(entry, verb)]
        sentences.append(obstacle)
    return [*sentences, none_applies(verb), *default_reasons(view)]


def supply_obstacle(
    record: np.record, seat: int, entry: MenuEntry, coins: int, have: str, exactly: bool = False
) -> str:
    """Why this entry cannot be taken from the supply for these coins; empty if it can be taken."""
    name, cost = NAMES[entry.card], int(price(record, entry.card))
    if cost > coins or (exactly and cost < coins):
        return Text("{card} costs {cost}, {have}.", card=name, cost=cost, have=have)
    if record.supply[entry.card] == 0:
        return Text("{card}: its pile is empty.", card=name)
    return unmet(record, seat, entry, coins)


# ---- from a list of legal answers


def listed_reasons(
    view: View, action: int, entries: tuple[MenuEntry, ...] | None, verb: str, only: bool
) -> list[str]:
    """Why a card is played, trashed or discarded; `only` means that cards not listed never are."""
    if entries is None:
        return default_reasons(view)
    sentences: list[str] = []
    for entry in entries:
        obstacle: str = Text("{card}: there is none to {verb}.", card=NAMES[entry.card], verb=verb)
        if CHOOSE + entry.card in view.legal_actions():
            obstacle = unmet(view.record, view.seat, entry, int(view.record.coins))
        if not obstacle:
            return [*sentences, applied(entry, verb)]
        sentences.append(obstacle)
    sentences.append(none_applies(verb))
    return sentences if only and action == STOP else sentences + default_reasons(view)


# ---- conditions


def unmet(record: np.record, seat: int, entry: MenuEntry, coins: int) -> str:
    """Why the entry does not apply, with the numbers; empty if it does."""
    name, own = NAMES[entry.card], int(record.owned[seat, entry.card])
    if entry.up_to is not None and own >= entry.up_to:
        return Text("{card}: up to {most}, I own {n}.", card=name, most=entry.up_to, n=own)
    failing = [first_unmet(record, seat, way, coins) for way in entry.alternatives()]
    if not all(failing):
        return ""
    text = failing[0]
    for other in failing[1:]:
        text = Text("{a}; or when {b}", a=text, b=other)
    return Text("{card}: only when {conditions}.", card=name, conditions=text)


def first_unmet(record: np.record, seat: int, conditions: list[MenuCondition], coins: int) -> str:
    """The first of these conditions that does not hold, with the numbers; empty if all hold."""
    for condition in conditions:
        left, right = (amount(record, seat, q, coins) for q in (condition.left, condition.right))
        if not SIGNS[condition.comparison](left, right):
            said = {"condition": condition, "left": condition.left, "a": left}
            if condition.right.kind == NUMBER:
                return Text("{condition}, but {left} is {a}", **said)
            return Text("{condition}, but {left} is {a} and {right} is {b}", right=condition.right, b=right, **said)
    return ""


def amount(record: np.record, seat: int, quantity: MenuQuantity, coins: int) -> int:
    """The present value of a quantity."""
    owned = record.owned[seat].tolist()
    if quantity.kind == NUMBER:
        return quantity.detail
    if quantity.kind == SUPPLY:
        return int(record.supply[quantity.detail])
    if quantity.kind == COUNT:
        return int(owned[quantity.detail])
    if quantity.kind == OTHERS:
        return int(int(record.owned[: record.players, quantity.detail].astype(int).sum()) - owned[quantity.detail])
    if quantity.kind == HELD:
        return int(record.hand[quantity.detail])
    if quantity.kind == MONEY:
        return int(owned[COPPER] + 2 * (owned[SILVER] + owned[HAREM]) + 3 * owned[GOLD])
    if quantity.kind == COINS_NOW:
        return coins
    if quantity.kind == PURSE:
        hand = record.hand.tolist()
        return int(int(record.coins) + hand[COPPER] + 2 * (hand[SILVER] + hand[HAREM]) + 3 * hand[GOLD])
    if quantity.kind in (LEAD, DEFICIT):
        return int(lead(record, seat)) * (1 if quantity.kind == LEAD else -1)
    plain = {TURN: record.turns[seat], DECK: sum(owned), EMPTY: record.empty_piles, BUYS: record.buys}
    return int(plain[quantity.kind])
