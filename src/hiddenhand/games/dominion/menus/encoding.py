"""A menu as a record, which compiled code can follow, and back.

The entries of all sections stand in one row, those of a section side by side, and so do all conditions:

    cautious, penultimate, play_only     1 or 0
    buy, play, trash, discard, gain      where the entries of the section begin, LEFT_OUT without the section
    card, up_to                          of each entry; END as a card stands behind the last entry of a section
    conditions, first_condition          how many conditions an entry has, and where they begin
    left_kind, left, comparison,         of each condition: the kind and the detail (its number, or its card) of both
    right_kind, right                    quantities, and the comparison's place in COMPARISONS
    otherwise                            1 if "or" stands before the condition
"""

from collections.abc import Collection
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.games.dominion.cards import NAMES
from hiddenhand.games.dominion.menus.language import (
    FLAGS,
    Entries,
    Menu,
    MenuCondition,
    MenuEntry,
    MenuQuantity,
    cards_named,
)
from hiddenhand.games.dominion.state import BASIC

SECTIONS = ("buy", "play", "trash", "discard", "gain")
MOST_ENTRIES = 256  # that a menu has room for, one more for each section
MOST_CONDITIONS = 192
OF_CONDITIONS = ("left_kind", "left", "comparison", "right_kind", "right", "otherwise")
LEFT_OUT = -1
END = -1
NO_LIMIT = -1


def parameters_of(menu: Menu, kingdom: Collection[int]) -> dict[str, Any]:
    """The fields of the record of a menu, for a game with these ten kingdom cards."""
    for card in sorted(cards_named(menu)):
        if card >= BASIC and card not in kingdom:
            has = ", ".join(NAMES[c] for c in sorted(kingdom) if c >= BASIC)
            raise UserError("{card} is not in this kingdom (it has: {list})", card=NAMES[card], list=has)
    starts: dict[str, int] = {}
    entries: list[tuple[int, ...]] = []
    conditions: list[tuple[int, ...]] = []
    for section in SECTIONS:
        listed: Entries | None = getattr(menu, section)
        starts[section] = LEFT_OUT if listed is None else len(entries)
        for entry in listed or ():
            limit = NO_LIMIT if entry.up_to is None else entry.up_to
            entries.append((entry.card, limit, len(entry.conditions), len(conditions)))
            conditions += [
                (c.left.kind, c.left.detail, c.comparison, c.right.kind, c.right.detail, int(c.otherwise))
                for c in entry.conditions
            ]
        if listed is not None:
            entries.append((END, NO_LIMIT, 0, 0))
    if len(entries) > MOST_ENTRIES:
        raise UserError(
            "the menu is too long: it has {n} entries, and there is room for {most}",
            n=len(entries),
            most=MOST_ENTRIES,
        )
    if len(conditions) > MOST_CONDITIONS:
        raise UserError(
            "the menu is too long: it has {n} conditions, and there is room for {most}",
            n=len(conditions),
            most=MOST_CONDITIONS,
        )
    return {
        "cautious": np.int64(menu.cautious),
        "penultimate": np.int64(menu.penultimate),
        "play_only": np.int64(menu.play_only),
        **{section: np.int64(start) for section, start in starts.items()},
        **columns(("card", "up_to", "conditions", "first_condition"), entries, MOST_ENTRIES),
        **columns(OF_CONDITIONS, conditions, MOST_CONDITIONS),
    }


def columns(names: tuple[str, ...], rows: list[tuple[int, ...]], room: int) -> dict[str, Any]:
    """The columns of a table by their names, filled up with zeros to `room` rows."""
    table = np.zeros((len(names), room), np.int64)
    if rows:
        table[:, : len(rows)] = np.array(rows).T
    return dict(zip(names, table, strict=True))


def menu_of(parameters: np.record) -> Menu:
    """The menu that such a record stands for."""
    buy, play, trash, discard, gain = (section_of(parameters, int(parameters[section])) for section in SECTIONS)
    words = (bool(parameters[word]) for word in ("play_only", *FLAGS))
    return Menu(buy or (), play, trash, discard, gain, *words)


def section_of(parameters: np.record, at: int) -> Entries | None:
    if at == LEFT_OUT:
        return None
    entries = []
    while parameters.card[at] != END:
        first, up_to = int(parameters.first_condition[at]), int(parameters.up_to[at])
        conditions = tuple(condition_of(parameters, first + i) for i in range(int(parameters.conditions[at])))
        entries.append(MenuEntry(int(parameters.card[at]), None if up_to == NO_LIMIT else up_to, conditions))
        at += 1
    return tuple(entries)


def condition_of(parameters: np.record, at: int) -> MenuCondition:
    left = MenuQuantity(int(parameters.left_kind[at]), int(parameters.left[at]))
    right = MenuQuantity(int(parameters.right_kind[at]), int(parameters.right[at]))
    return MenuCondition(left, int(parameters.comparison[at]), right, bool(parameters.otherwise[at]))
