"""A menu as numbers, which compiled code can follow, and back.

    0          1 if the menu is cautious
    1          1 if only the Actions listed are played
    2 to 6     where the sections buy, play, trash, discard and gain begin; 0 for one that is left out

A section is a row of entries with END behind the last. An entry is

    card, up to (NO_LIMIT if there is none), number of conditions

and five numbers for each condition: the left quantity's kind and detail, the comparison's place in COMPARISONS, and
the right quantity's kind and detail (its number, or its card).
"""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.games.dominion.cards import BASIC, NAMES
from hiddenhand.games.dominion.menus.language import Condition, Entries, Entry, Menu, Quantity, cards_named

CAUTIOUS, PLAY_ONLY, BUY, PLAY, TRASH, DISCARD, GAIN = range(7)
HEADER = 7
LENGTH = 1024  # numbers that a menu has room for
LEFT_OUT = 0
END = -1
NO_LIMIT = -1
UP_TO, CONDITIONS, FIRST_CONDITION = 1, 2, 3  # after the card
CONDITION = 5  # numbers of one condition

Parameters = np.ndarray[Any, np.dtype[np.float64]]


def parameters_of(menu: Menu, kingdom: Collection[int]) -> Parameters:
    """The numbers of a menu, for a game with these ten kingdom cards."""
    for card in sorted(cards_named(menu)):
        if card >= BASIC and card not in kingdom:
            has = ", ".join(NAMES[c] for c in sorted(kingdom) if c >= BASIC)
            raise UserError(f"{NAMES[card]} is not in this kingdom (it has: {has})")
    numbers: list[int] = [int(menu.cautious), int(menu.play_only)] + [LEFT_OUT] * (HEADER - BUY)
    for section, entries in zip(range(BUY, HEADER), (menu.buy, menu.play, menu.trash, menu.discard, menu.gain)):
        if entries is not None:
            numbers[section] = len(numbers)
            for entry in entries:
                numbers += entry_numbers(entry)
            numbers.append(END)
    if len(numbers) > LENGTH:
        raise UserError(f"the menu is too long: it takes {len(numbers)} numbers, and there is room for {LENGTH}")
    return np.array(numbers + [0] * (LENGTH - len(numbers)), np.float64)


def entry_numbers(entry: Entry) -> list[int]:
    numbers = [entry.card, NO_LIMIT if entry.up_to is None else entry.up_to, len(entry.conditions)]
    for c in entry.conditions:
        numbers += [c.left.kind, c.left.detail, c.comparison, c.right.kind, c.right.detail]
    return numbers


def menu_of(parameters: Parameters) -> Menu:
    """The menu that these numbers stand for; there may be more numbers behind them."""
    numbers = [int(number) for number in parameters]
    buy, play, trash, discard, gain = (section_of(numbers, numbers[section]) for section in range(BUY, HEADER))
    return Menu(buy or (), play, trash, discard, gain, bool(numbers[PLAY_ONLY]), bool(numbers[CAUTIOUS]))


def section_of(numbers: Sequence[int], at: int) -> Entries | None:
    if at == LEFT_OUT:
        return None
    entries = []
    while numbers[at] != END:
        card, up_to, count = numbers[at : at + FIRST_CONDITION]
        at += FIRST_CONDITION
        conditions = []
        for _ in range(count):
            left_kind, left, comparison, right_kind, right = numbers[at : at + CONDITION]
            conditions.append(Condition(Quantity(left_kind, left), comparison, Quantity(right_kind, right)))
            at += CONDITION
        entries.append(Entry(card, None if up_to == NO_LIMIT else up_to, tuple(conditions)))
    return tuple(entries)
