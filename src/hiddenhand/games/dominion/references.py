"""Reference strategies: lists that people know, by name, against which a champion must stand too.

Big money with each good Action, attacks, rushes for Gardens and Dukes, whoever buys up a pile, and engines. Such a
list may be played wherever its kingdom cards are in the supply: `reference:double_witch`. The numbers are those that
people use, and not tuned; `references_for` gives the references that a kingdom allows.
"""

from collections.abc import Collection
from functools import lru_cache
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.game import Game, blank_state
from hiddenhand.core.policy import policy
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.dominion.menus import Menu, menu_of, parameters_of, read_menu
from hiddenhand.games.dominion.menus.interpreter import follow
from hiddenhand.games.dominion.menus.language import cards_named
from hiddenhand.games.dominion.menus.reasons import menu_reasons
from hiddenhand.games.dominion.state import BASIC

LATE = "Duchy when supply(Province) <= 5, Estate when supply(Province) <= 2"
MONEY = Text("Province, {rest}", rest=LATE)
TRASH = "trash: Curse, Estate when supply(Province) >= 5, Copper when money > 5"


def money_with(*actions: str) -> str:
    """Big money that buys these Actions after Gold and before Silver."""
    return f"{MONEY}, Gold, {', '.join(actions)}, Silver"


def first_of_all(*actions: str) -> str:
    """Big money that buys these Actions before anything else."""
    return f"{', '.join(actions)}, {MONEY}, Gold, Silver"


TEXTS = {
    # big money with an Action or two
    "smithy": money_with("Smithy up to 1"),
    "two_smithies": money_with("Smithy up to 1", "Smithy up to 2 when deck >= 16"),
    "courtyard": money_with("Courtyard up to 2"),
    "council_room": money_with("Council Room up to 1"),
    "laboratory": money_with(Text("Laboratory")),
    "library": money_with("Library up to 2"),
    "bureaucrat": money_with("Bureaucrat up to 1"),
    "two_bureaucrats": money_with("Bureaucrat up to 2"),
    "moat": money_with("Moat up to 1"),
    "moneylender": money_with("Moneylender up to 1"),
    "mine": money_with("Mine up to 1"),
    "thief": money_with("Thief up to 2"),
    "masquerade": money_with("Masquerade up to 1"),
    "baron": money_with("Baron up to 1"),
    "ironworks": money_with("Ironworks up to 1"),
    "patrol": money_with("Patrol up to 1"),
    "nobles": money_with("Nobles up to 2"),
    "harem": money_with(Text("Harem")),
    "steward": money_with("Steward up to 1"),
    "trading_post": money_with("Trading Post up to 1"),
    "courtier": money_with("Courtier up to 2"),
    "bandit_laboratory": money_with("Bandit up to 1", Text("Laboratory")),
    "moat_council_room": money_with("Council Room up to 2", "Moat up to 1"),
    "chapel_money": f"Chapel up to 1 when turn <= 2, {MONEY}, Gold, Silver; {TRASH}",
    "sentry": money_with("Sentry up to 2") + f"; {TRASH}",
    # attacks
    "militia": money_with("Militia up to 1"),
    "double_militia": money_with("Militia up to 2"),
    "militia_smithy": money_with("Militia up to 1", "Smithy up to 1"),
    "militia_council_room": money_with("Council Room up to 1", "Militia up to 1"),
    "double_witch": f"Province, Witch up to 2, {LATE}, Gold, Silver",
    "witch_laboratory": f"Province, Witch up to 3, {LATE}, Gold, Laboratory, Silver",
    "chapel_witch": f"Province, Witch up to 2, Chapel up to 1 when turn <= 2, {LATE}, Gold, Silver; {TRASH}",
    "chapel_one_witch": f"Province, Witch up to 1, Chapel up to 1 when turn <= 2, {LATE}, Gold, Silver; {TRASH}",
    "sentry_witch": f"Province, Witch up to 2, Sentry up to 1, {LATE}, Gold, Silver; {TRASH}",
    "double_bandit": money_with("Bandit up to 2"),
    "torturer": money_with("Torturer up to 2"),
    "swindler": money_with("Swindler up to 2"),
    "replace": money_with("Replace up to 1"),
    "minion": f"{MONEY}, Minion up to 6, Gold, Silver",
    # rushes
    "gardens_workshop": "Gardens when count(Workshop) >= 3 or turn >= 8, Duchy when empty >= 1, Workshop up to 6, "
    "Estate, Silver, Copper; gain: Gardens when count(Workshop) >= 3, Workshop up to 6, Gardens, Estate, Copper",
    "plain_gardens_workshop": "Gardens, Workshop, Estate when supply(Gardens) <= 3, Silver, Estate, Copper",
    "gardens_workshop_witch": "Witch up to 2, Gardens when count(Workshop) >= 2, Workshop up to 4, Duchy when "
    "supply(Gardens) <= 2, Estate when supply(Gardens) <= 4, Silver; gain: Gardens when count(Workshop) >= 2, "
    "Workshop up to 4, Gardens, Estate",
    "gardens_militia": "Gardens when count(Militia) >= 2, Militia up to 2, Duchy when supply(Gardens) <= 2, Silver, "
    "Estate when supply(Gardens) <= 4, Copper",
    "duke_duchy": "Duke when count(Duchy) >= 5, Duchy, Duke when supply(Duchy) = 0, Silver, Estate when "
    "supply(Duchy) <= 2",
    "late_duke_duchy": "Duke when count(Duchy) > count(Duke) and turn >= 10, Duchy when turn >= 7, Gold, Silver",
    "no_province": "Duchy, Gold when turn <= 8, Silver, Estate when turn >= 10",
    # whoever buys up a pile on which an engine lives
    "every_market": first_of_all(Text("Market")),
    "every_village": f"{MONEY}, Gold, Village, Silver",
    "every_laboratory": first_of_all(Text("Laboratory")),
    "every_festival": first_of_all(Text("Festival")),
    "every_smithy": f"{MONEY}, Gold, Smithy, Silver",
    # engines: decks that draw themselves
    "smithy_market_village": "Province when money >= 10 or turn >= 17, Duchy when supply(Province) <= 3, "
    "Gold up to 2, Market up to 4, Smithy up to 1, Village when count(Village) <= count(Smithy), Smithy up to 4, "
    "Silver up to 2, Village; cautious",
    "remodel_village_smithy": "Province when money >= 12 or turn >= 19, Remodel up to 1, Duchy when "
    "supply(Province) <= 2, Estate when supply(Province) <= 1, Market up to 4, Village up to 6, Smithy up to 5, "
    "Gold up to 3, Village; gain: Smithy up to 5; cautious; penultimate",
    "festival_library": "Province when money >= 10 or turn >= 15, Duchy when supply(Province) <= 4, Gold up to 2, "
    "Library up to 1, Festival up to 4, Library up to 3, Festival, Gold, Silver; play: Festival, Library; cautious",
    "festival_council_room": "Province when count(Festival) >= 3 or turn >= 14, Duchy when supply(Province) <= 4, "
    "Festival up to 2, Council Room up to 1, Festival up to 5, Council Room up to 3, Gold, Silver; cautious",
    "chapel_laboratory_market": "Province when money >= 15 or turn >= 16, Duchy when supply(Province) <= 4, Gold, "
    f"Chapel up to 1 when turn <= 2, Laboratory, Market, Silver; {TRASH}; cautious",
    "sentry_laboratory": "Province, Duchy when supply(Province) <= 5, Sentry up to 1, Gold, Laboratory, Silver; "
    + TRASH,
    "remodel_gold": "Province, Duchy when supply(Province) <= 4, Gold, Remodel up to 2, Silver; "
    "trash: Gold when supply(Province) <= 6, Estate",
    "bridge_village": "Province when count(Bridge) >= 4 or turn >= 15, Duchy when supply(Province) <= 4, "
    "Bridge when count(Bridge) <= count(Mining Village), Mining Village, Silver up to 2, Bridge",
    "conspirator_village": "Province when turn >= 9, Duchy when supply(Province) <= 4, Gold up to 2, "
    "Conspirator up to 4, Mining Village up to 4, Silver",
}
"""The menus as text, by the name of the strategy."""


@lru_cache(maxsize=1)
def references() -> dict[str, Menu]:
    """Every reference strategy by its name."""
    return {name: read_menu(text) for name, text in TEXTS.items()}


def needed(menu: Menu) -> set[int]:
    """The kingdom cards without which a menu cannot be played."""
    return {card for card in cards_named(menu) if card >= BASIC}


def references_for(kingdom: Collection[int]) -> dict[str, Menu]:
    """The reference strategies that a kingdom allows."""
    return {name: menu for name, menu in references().items() if needed(menu) <= set(kingdom)}


def reference_parameters(game: Game, text: str) -> Any:
    """The parameters of the reference strategy with this name, for the kingdom of this game."""
    kingdom = [int(card) for card in blank_state(game)[0].piles[BASIC:]]
    name = text.strip()
    if name not in TEXTS:
        allowed = sorted(references_for(kingdom))
        raise UserError(
            "there is no reference strategy {name}{guess}; this kingdom allows {names}",
            name=repr(name),
            guess=did_you_mean(name, list(TEXTS)),
            names=one_of(allowed),
        )
    return parameters_of(references()[name], kingdom)


def reference_names(game: Game) -> list[str]:
    """What may stand behind `reference:` in this game."""
    return sorted(references_for([int(card) for card in blank_state(game)[0].piles[BASIC:]]))


@policy(
    Text("plays a well-known list by its name, such as double_witch, if the kingdom has its cards"),
    reads=reference_parameters,
    example="no_province",
    names=reference_names,
)
def reference(view, seat, actions, memory, parameters, rng):
    return follow(view, seat, actions, parameters)


@reference.explains
def why_by_reference(view: View, action: int, parameters: np.record) -> list[str]:
    return menu_reasons(view, action, menu_of(parameters))
