"""The small steps by which a list of a menu is polished, and how a list is kept tidy and open.

A list bars Provinces if it names them and each of its Province entries waits for something that may never come: a
number of cards, which the others may buy up first, money, a lead. Only a turn comes by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hiddenhand.games.dominion.cards import PROVINCE, VICTORY
from hiddenhand.games.dominion.menus import MenuCondition, MenuEntry, MenuQuantity
from hiddenhand.games.dominion.menus.language import (
    COMPARISONS,
    DECK,
    DEFICIT,
    LEAD,
    MONEY,
    NUMBER,
    SUPPLY,
    TURN,
    Entries,
)

SHIFTS = {MONEY: (-2, 2), DECK: (-2, 2), LEAD: (-2, 2), DEFICIT: (-2, 2)}  # of a condition's number
SHIFT = (-1, 1)  # where nothing else is said
AT_LEAST, ABOVE = COMPARISONS.index(">="), COMPARISONS.index(">")
LATE = MenuCondition(MenuQuantity(SUPPLY, PROVINCE), COMPARISONS.index("<="), MenuQuantity(NUMBER, 4))


def tidy(entries: Entries) -> Entries:
    """The list without what stands behind the same card with no limit and no condition, or twice."""
    kept: list[MenuEntry] = []
    for entry in entries:
        if entry not in kept and MenuEntry(entry.card) not in kept:
            kept.append(entry)
    return tuple(kept)


def comes_by_itself(condition: MenuCondition) -> bool:
    """Whether this condition holds from some turn on, whatever anybody does."""
    later = condition.comparison in (AT_LEAST, ABOVE) and condition.right.kind == NUMBER
    return condition.left.kind == TURN and later


def bars_provinces(entries: Entries) -> bool:
    """Whether the list has Provinces, and others can keep it from ever buying one."""
    provinces = [entry for entry in entries if entry.card == PROVINCE]
    return bool(provinces) and not any(
        all(map(comes_by_itself, way)) for entry in provinces for way in entry.alternatives()
    )


def without(conditions: tuple[MenuCondition, ...], at: int) -> tuple[MenuCondition, ...]:
    """The conditions without one of them; what follows the `or` that it began is not lost."""
    rest = [*conditions[:at], *conditions[at + 1 :]]
    if at < len(rest) and (at == 0 or conditions[at].otherwise):
        rest[at] = replace(rest[at], otherwise=at > 0)
    return tuple(rest)


def simpler(entries: Entries) -> Iterator[Entries]:
    """The list with one thing less: an entry, a condition, or an `up to`."""
    for at, entry in enumerate(entries):
        before, after = entries[:at], entries[at + 1 :]
        yield before + after
        for i in range(len(entry.conditions)):
            yield (*before, replace(entry, conditions=without(entry.conditions, i)), *after)
        if entry.up_to is not None:
            yield (*before, replace(entry, up_to=None), *after)


def shifted(entries: Entries) -> Iterator[Entries]:
    """The list with one number a little larger or smaller, or two neighbours exchanged."""
    for at, entry in enumerate(entries):
        before, after = entries[:at], entries[at + 1 :]
        if entry.up_to is not None:
            for limit in (entry.up_to - 1, entry.up_to + 1):
                if limit > 0:
                    yield (*before, replace(entry, up_to=limit), *after)
        for i, condition in enumerate(entry.conditions):
            for step in SHIFTS.get(condition.left.kind, SHIFT):
                number = condition.right.detail + step
                if number >= 0 and condition.right.kind == NUMBER:
                    new = replace(condition, right=MenuQuantity(NUMBER, number))
                    others = (*entry.conditions[:i], new, *entry.conditions[i + 1 :])
                    yield (*before, replace(entry, conditions=others), *after)
        if after:
            yield (*before, after[0], entry, *after[1:])


def longer(entries: Entries, cards: list[int]) -> Iterator[Entries]:
    """The list with one entry more: a Victory card late in the game, or one copy of another card."""
    for card in cards:
        new = MenuEntry(card, None, (LATE,)) if VICTORY[card] else MenuEntry(card, 1)
        for at in range(len(entries) + 1):
            more = (*entries[:at], new, *entries[at:])
            if tidy(more) == more:
                yield more
