"""What a purchase is for, in a sentence or two: points, coins, or what an Action does for the deck that I have."""

from typing import Any

from hiddenhand.core.text import Text
from hiddenhand.games.dominion.cards import (
    ACTION,
    ARTISAN,
    ATTACK,
    BUREAUCRAT,
    CELLAR,
    CHAPEL,
    COINS,
    DUKE,
    FEAST,
    GARDENS,
    IRONWORKS,
    LIBRARY,
    LURKER,
    MASQUERADE,
    MINE,
    MONEYLENDER,
    MORE_ACTIONS,
    MORE_BUYS,
    MORE_CARDS,
    NAMES,
    POINTS,
    REMODEL,
    REPLACE,
    SENTRY,
    STEWARD,
    THRONE_ROOM,
    TRADING_POST,
    TREASURE,
    UPGRADE,
    WORKSHOP,
)
from hiddenhand.games.dominion.default_play.card_worth import cards_owned, money
from hiddenhand.games.dominion.menus.game_ending import lead
from hiddenhand.games.dominion.rules import points_with

TRASHES = {CHAPEL, REMODEL, SENTRY, STEWARD, MASQUERADE, TRADING_POST, UPGRADE, REPLACE, MONEYLENDER}
GAINS = {WORKSHOP, FEAST, ARTISAN, IRONWORKS, BUREAUCRAT, LURKER}
SIFTS = {CELLAR, LIBRARY}


def purpose(record: Any, seat: int, card: int) -> list[str]:
    """Why I want this card in my deck."""
    name = NAMES[card]
    said = []
    more = int(points_with(record, seat, card)) - int(points_with(record, seat, -1))
    if POINTS[card] > 0 or card in (GARDENS, DUKE):
        ahead = int(lead(record, seat))
        where = f"{ahead} ahead" if ahead > 0 else f"{-ahead} behind" if ahead < 0 else "level"
        said.append(f"{name} is for points: it brings {more}, and I am {where}.")
    if TREASURE[card]:
        coins, cards = int(money(record, seat)), int(cards_owned(record, seat))
        said.append(
            Text(
                "{card} is for coins: it gives {n}, and my {cards} cards give {coins}.",
                card=name,
                n=int(COINS[card]),
                cards=cards,
                coins=coins,
            )
        )
    if ACTION[card]:
        said.append(f"{name} is {' and '.join(uses(card)[:2])}.")
    return said


def uses(card: int) -> list[str]:
    """What an Action is for, the most telling first."""
    found = [
        (ATTACK[card], Text("to slow the others down")),
        (card in TRASHES, Text("to get rid of weak cards")),
        (card in GAINS, Text("to gain cards without buying them")),
        (MORE_ACTIONS[card] > 1, Text("to play more Actions in a turn")),
        (MORE_CARDS[card] > 1 or card in SIFTS, Text("to see more cards in a turn")),
        (card == MINE, Text("to make better Treasures of worse ones")),
        (card == THRONE_ROOM, Text("to play the best Actions twice")),
        (COINS[card] > 0, Text("for more coins in a turn")),
        (MORE_BUYS[card] > 0, Text("for another buy in a turn")),
        (MORE_ACTIONS[card] == 1 and MORE_CARDS[card] == 1, Text("to cost no room in the hand")),
    ]
    return [text for holds, text in found if holds] or [Text("for what it does when it is played")]
