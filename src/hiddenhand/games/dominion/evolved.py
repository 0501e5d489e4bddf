"""Evolved: plays the menu that was evolved for the game's kingdom, and a plain menu in kingdoms that have none.

The menus in `learned` come from `hiddenhand evolve dominion --model menu`; each says with which command, how often it
wins, and whether anything was changed by hand. They belong to the recommended sets of ten.

Any other kingdom gets BigMoney with two Actions more: the best that gives no further action and the best that does,
by two tables of how often BigMoney with that card wins against BigMoney without it (ties count a half; 4,000 games
each; the number of copies that was best of 1, 2, 3 and 9). Cards that lose more than they win are not in them.
"""

from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.game import Game, blank_state
from hiddenhand.core.policy import policy
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.dominion.bigmoney import BIG_MONEY
from hiddenhand.games.dominion.cards import (
    BANDIT,
    BUREAUCRAT,
    CHANCELLOR,
    COUNCIL_ROOM,
    FESTIVAL,
    LABORATORY,
    LIBRARY,
    MARKET,
    MILITIA,
    MINE,
    MOAT,
    MONEYLENDER,
    POACHER,
    REMODEL,
    SENTRY,
    SILVER,
    SMITHY,
    THIEF,
    WITCH,
    WOODCUTTER,
)
from hiddenhand.games.dominion.kingdoms import NAMED, ORDINAL, find_kingdom
from hiddenhand.games.dominion.menus import Menu, MenuEntry, menu_of, parameters_of, read_menu
from hiddenhand.games.dominion.menus.interpreter import follow
from hiddenhand.games.dominion.menus.reasons import menu_reasons
from hiddenhand.games.dominion.state import BASIC

LEARNED = Path(__file__).parent / "learned"

# A card, how many copies (None: any number), and the share of games won with it, best first.
LAST_ACTIONS = (
    (WITCH, 2, 0.92),
    (MILITIA, 2, 0.77),
    (SMITHY, 1, 0.74),
    (BANDIT, 2, 0.73),
    (COUNCIL_ROOM, 1, 0.71),
    (LIBRARY, 2, 0.71),
    (BUREAUCRAT, 1, 0.64),
    (CHANCELLOR, 1, 0.62),
    (MINE, 1, 0.61),
    (MOAT, 1, 0.57),
    (REMODEL, 1, 0.56),
    (THIEF, 2, 0.56),
    (WOODCUTTER, 1, 0.54),
    (MONEYLENDER, 1, 0.52),
)
OTHER_ACTIONS = (
    (SENTRY, None, 0.64),
    (LABORATORY, None, 0.60),
    (MARKET, None, 0.60),
    (FESTIVAL, None, 0.56),
    (POACHER, 2, 0.54),
)


def learned_path(edition: int, name: str) -> Path:
    """Where the menu of a recommended set lies."""
    return LEARNED / f"{ORDINAL[edition]}_edition_{name.lower().replace(' ', '_')}.menu"


def learned_menu(kingdom: list[int], edition: int) -> Menu | None:
    """The menu that was evolved for these ten cards, or None."""
    for name in NAMED[edition]:
        path = learned_path(edition, name)
        if find_kingdom(name, edition) == kingdom and path.is_file():
            return read_menu(path.read_text(encoding="utf-8"))
    return None


def plain_menu(kingdom: list[int]) -> Menu:
    """BigMoney with the best two Actions that the kingdom has."""
    chosen = []
    for table in (LAST_ACTIONS, OTHER_ACTIONS):
        chosen += [MenuEntry(card, copies) for card, copies, _ in table if card in kingdom][:1]
    *before, silver = BIG_MONEY.buy
    assert silver == MenuEntry(SILVER)
    return Menu((*before, *chosen, silver))


def evolved_parameters(game: Game) -> Any:
    blank = blank_state(game)[0]
    kingdom = [int(card) for card in blank.piles[BASIC:]]
    menu = learned_menu(kingdom, int(blank.edition)) or plain_menu(kingdom)
    return parameters_of(menu, kingdom)


@policy(
    Text("buys by a list that was bred for these cards, if they are a named set"),
    knowledge=evolved_parameters,
)
def evolved(view, seat, actions, memory, parameters, rng):
    return follow(view, seat, actions, parameters)


@evolved.explains
def why_evolved(view: View, action: int, parameters: np.record) -> list[str]:
    return menu_reasons(view, action, menu_of(parameters))
