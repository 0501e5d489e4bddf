"""What a purchase is for, in a sentence or two: points, coins, or what an Action does for the deck that I have."""

import numpy as np

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


def purpose(record: np.record, seat: int, card: int) -> list[str]:
    """Why I want this card in my deck."""
    name = NAMES[card]
    said: list[str] = []
    more = int(points_with(record, seat, card)) - int(points_with(record, seat, -1))
    if POINTS[card] > 0 or card in (GARDENS, DUKE):
        ahead = int(lead(record, seat))
        level = Text("{card} is for points: it brings {more}, and I am level.", card=name, more=more)
        if ahead:
            level = Text(
                "{card} is for points: it brings {more}, and I am {n} ahead."
                if ahead > 0
                else "{card} is for points: it brings {more}, and I am {n} behind.",
                card=name,
                more=more,
                n=abs(ahead),
            )
        said.append(level)
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
        first, *second = uses(card)[:2]
        use = Text("{a} and {b}", a=first, b=second[0]) if second else first
        said.append(Text("{card} is {use}.", card=name, use=use))
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
