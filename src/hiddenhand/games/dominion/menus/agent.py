"""The agent `menu`: follows the menu that is written behind its name."""

from typing import Any

from hiddenhand.core.game import Game
from hiddenhand.core.policy import policy
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.dominion.kingdoms import find_kingdom
from hiddenhand.games.dominion.menus.encoding import menu_of, parameters_of
from hiddenhand.games.dominion.menus.following import follow
from hiddenhand.games.dominion.menus.reading import read_menu
from hiddenhand.games.dominion.menus.reasons import menu_reasons
from hiddenhand.games.dominion.state import EDITIONS


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
def why_by_menu(view: View, action: int, parameters: Any) -> list[str]:
    return menu_reasons(view, action, menu_of(parameters))
