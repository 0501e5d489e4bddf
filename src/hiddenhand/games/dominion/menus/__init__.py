"""Menus: strategies written as one line of text, tried from left to right.

    Province, Duchy when supply(Province) <= 5, Estate when supply(Province) <= 2, Gold, Smithy up to 1, Silver

Entries are separated by commas. The first whose card can be had, and whose conditions hold, is bought.

    up to N                  only while I own fewer than N of the card
    when C and C or C ...    only when every condition holds, or every one behind an `or`: a quantity, one of
                             < <= = != >= >, and a number or another quantity; or a quantity `from 3 to 8`.
                             `up to` and `when` may come in either order

The quantities are

    supply(Card)             copies left in the supply
    count(Card)              copies that I own, wherever they lie
    hand(Card)               copies that I hold
    others(Card)             copies that the others own, wherever they lie
    money                    coins in all the Treasures that I own
    coins                    to spend now; in `gain`, what the card may cost
    turn                     the number of my turn
    deck                     cards that I own, wherever they lie
    lead                     my points less those of the best of the others
    deficit                  the same from the other side: how far I am behind
    empty                    piles of the supply that have run out
    purse                    coins of this turn so far, with the Treasures still in my hand
    buys                     left this turn

The list of what to buy may be followed by sections, each after a semicolon. What a section leaves open, the default
play decides (see `default_play`). `nothing` is an empty list.

    buy:         the first section; this word may be left out
    play:        Actions in the order in which they are played; those not listed come later, in the default order
    play only:   the same, but Actions not listed are never played
    trash:       cards that I trash when I may (Chapel, Sentry), best first, and no others; Remodel takes them first
    discard:     cards that go first when I must discard (Militia, Poacher)
    gain:        what to gain with Workshop, Feast, Remodel, Artisan; left out: the list of what to buy
    cautious     no list: never buy what ends the game at once as a loss, and always buy what ends it as a win
    penultimate  no list: never buy the last Province but one if whoever then buys the last would beat me

Names are found as in `kingdoms`: `Throne Room`, `throne room` and `ThroneRoom` are one. A `#` begins a comment.

`language` has the menu as data, `parser` makes it of text, `encoding` turns it into the record that the compiled
`interpreter` obeys, and `reasons` says why a card was bought and the entries before it were not.
"""

from typing import Any

import numpy as np

from hiddenhand.core.game import Game
from hiddenhand.core.policy import policy
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.dominion.kingdoms import EDITIONS, find_kingdom
from hiddenhand.games.dominion.menus.encoding import menu_of, parameters_of
from hiddenhand.games.dominion.menus.interpreter import follow
from hiddenhand.games.dominion.menus.language import Menu, MenuCondition, MenuEntry, MenuQuantity
from hiddenhand.games.dominion.menus.parser import read_menu
from hiddenhand.games.dominion.menus.reasons import menu_reasons

__all__ = ["Menu", "MenuCondition", "MenuEntry", "MenuQuantity", "menu", "menu_of", "parameters_of", "read_menu"]


def read_for(game: Game, text: str) -> Any:
    """The parameters of the menu that a text describes, for the kingdom of this game."""
    kingdom = find_kingdom(game.options["kingdom"], EDITIONS[game.options["edition"]])
    return parameters_of(read_menu(text), kingdom)


@policy(
    Text("buys the first entry of a list that it can have, such as `Province, Gold, Smithy up to 1, Silver`"),
    reads=read_for,
    example="Province, Duchy when supply(Province) <= 5, Estate when supply(Province) <= 2, Gold, Silver",
)
def menu(view, seat, actions, memory, parameters, rng):
    return follow(view, seat, actions, parameters)


@menu.explains
def why_by_menu(view: View, action: int, parameters: np.record) -> list[str]:
    return menu_reasons(view, action, menu_of(parameters))
