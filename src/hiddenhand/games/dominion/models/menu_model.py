"""Menus as genomes: a list of what to buy changes entry by entry, and so do those of what to play, trash and gain.

Our own model, beside those of the thesis. A mutation makes one small change, and half of the time another, and so on.
Most changes are of the list of what to buy: an entry comes, goes or moves, its card or its `up to` changes, a
condition comes, goes or changes. The kinds of conditions and the ranges of their numbers are those that people use
when they write menus (CONDITIONS). Other lists are there only while what is bought can make use of them.

Whatever comes of it is a menu of the kingdom, with no entry that can never apply because the same card stands before
it without any condition. And whoever buys Provinces at all has a way to them that nobody can bar (see `menu_steps`):
who waits for his fourth Market must not wait for ever when the other buys the Markets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from hiddenhand.core.game import Game, blank_state
from hiddenhand.core.policy import record_of
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.games.dominion.bigmoney import BIG_MONEY
from hiddenhand.games.dominion.cards import ACTION, ARTISAN, CHAPEL, CURSE, FEAST, PROVINCE, REMODEL, SENTRY, WORKSHOP
from hiddenhand.games.dominion.menus import Menu, MenuCondition, MenuEntry, MenuQuantity, parameters_of, read_menu
from hiddenhand.games.dominion.menus.language import (
    COINS_NOW,
    COMPARISONS,
    COUNT,
    DECK,
    DEFICIT,
    EMPTY,
    FLAGS,
    HELD,
    LEAD,
    MONEY,
    NUMBER,
    OTHERS,
    PURSE,
    SUPPLY,
    TURN,
    Entries,
)
from hiddenhand.games.dominion.models.menu_steps import bars_provinces, longer, shifted, simpler, tidy, without
from hiddenhand.games.dominion.references import references_for
from hiddenhand.games.dominion.state import BASIC
from hiddenhand.learning.evolution import ModelKind

START = {"bigmoney": BIG_MONEY, "nothing": Menu(())}
SETTINGS = {
    "start": Setting("bigmoney", Text("the menu that evolution starts from"), choices=tuple(START)),
    "sections": Setting(True, Text("what to play, trash and gain is evolved too, not only what to buy")),
    "others": Setting(False, Text("conditions on what the others own are evolved too")),
}

GAINING = {WORKSHOP, FEAST, REMODEL, ARTISAN}  # the cards that ask what to gain
TRASHING = {CHAPEL, SENTRY, REMODEL}  # and what to trash

ANOTHER = 0.5  # the probability of one more change
A_WORD = 0.03  # that a change is of `cautious` or of `penultimate`
IN_A_SECTION = 0.2  # that it is not of what to buy, if other lists are of use
CHANGES = ("come", "come", "go", "move", "move", "card", "limit", "limit", "condition", "condition", "condition")
MOST_ENTRIES = 20
MOST_CONDITIONS = 4  # the last of so many is a way out
OTHERWISE = 0.3  # the share of further conditions that are joined by "or"
OF_ANOTHER_PILE = 0.3  # the share of conditions on the supply that are not about Provinces
OF_OTHERS = 0.6  # the share of those on the copies of a card that are about what the others own, if these are wanted
WAY_OUT = (14, 24)  # the turns from which Provinces are bought in any case, if nothing else is said
WITH_ANOTHER_COUNT = 0.3  # the share of conditions on the copies of a card that compare them with those of another
LIMITS = (None, 1, 1, 2, 2, 3, 4, 5)  # what a new entry's `up to` is drawn from
WITH_CONDITION = 0.25  # the share of new entries that have a condition
STEPS = (-3, -2, -1, 1, 2, 3)  # by which a number changes
SECTIONS = ("buy", "play", "trash", "gain")
AT_LEAST, AT_MOST = COMPARISONS.index(">="), COMPARISONS.index("<=")

# What a new condition is drawn from: a quantity, its comparisons, and the lowest and highest number.
CONDITIONS = (
    (SUPPLY, (AT_MOST, AT_LEAST), 1, 8),  # of Provinces
    (SUPPLY, (AT_MOST, AT_LEAST), 1, 8),  # of Provinces, or sometimes of another card
    (COUNT, (AT_MOST, AT_LEAST), 1, 5),  # of any card
    (TURN, (AT_MOST, AT_LEAST), 2, 16),
    (MONEY, (AT_MOST, AT_LEAST), 8, 30),
    (DECK, (AT_MOST, AT_LEAST), 11, 35),
    (LEAD, (AT_MOST, AT_LEAST), 0, 12),
    (DEFICIT, (AT_MOST, AT_LEAST), 0, 12),
    (EMPTY, (AT_LEAST,), 1, 2),
    (COINS_NOW, (AT_MOST, AT_LEAST), 3, 9),
)
EARLY = (MenuCondition(MenuQuantity(TURN), AT_MOST, MenuQuantity(NUMBER, 2)),)
MOST_DRAWN = 6  # kinds of kingdom cards in a menu drawn at random
TRASHED = tuple(
    read_menu(f"nothing; trash: {text}").trash
    for text in (
        "Curse, Estate when supply(Province) >= 5",
        "Curse, Estate when supply(Province) >= 5, Copper when money > 6 and purse < 5",
        "Curse, Estate when supply(Province) >= 5, Copper when money > 5 and purse < 5 or money > 5 and purse > 6",
        "Curse, Estate when supply(Province) >= 5, Copper when money > 5",
    )
)
# The same for what to play and to trash, where the coins of the turn are not yet counted.
WITH_A_HAND = (
    *CONDITIONS[:-1],
    (PURSE, (AT_MOST, AT_LEAST), 2, 8),
    (HELD, (AT_LEAST,), 1, 2),
    (HELD, (AT_LEAST,), 1, 1),
)
KINDS = {"play": WITH_A_HAND, "trash": WITH_A_HAND}
Kinds = tuple[tuple[int, tuple[int, ...], int, int], ...]
Conditions = tuple[MenuCondition, ...]


class MenuModel:
    """Menus for one kingdom."""

    agent = "menu"

    def __init__(self, game: Game, start: str, sections: bool, others: bool = False) -> None:
        piles = [int(card) for card in blank_state(game)[0].piles]
        self.start = START[start]
        self.cards = piles
        self.bought = [card for card in piles if card != CURSE]
        self.played = [card for card in piles if ACTION[card]]
        self.sections = sections
        self.others = others
        self.kingdom = [card for card in piles if card >= BASIC]

    def initial(self) -> Menu:
        return self.start

    def text(self, genome: Menu, exact: bool = False) -> str:
        return str(genome)

    def read(self, text: str) -> Menu:
        return read_menu(text)

    def parameters(self, genome: Menu) -> Any:
        return record_of(parameters_of(genome, self.cards))

    def references(self) -> dict[str, Menu]:
        return references_for(self.kingdom)

    # ---- mutations

    def mutate(self, genome: Menu, rng: np.random.Generator) -> Menu:
        genome = self.changed(genome, rng)
        while rng.random() < ANOTHER:
            genome = self.changed(genome, rng)
        return opened(genome, rng)

    def changed(self, menu: Menu, rng: np.random.Generator) -> Menu:
        """The menu after one change."""
        if rng.random() < A_WORD:
            return turned(menu, one_of(FLAGS, rng))
        sections = self.sections_of_use(menu)
        if sections and rng.random() < IN_A_SECTION:
            name = one_of(list(sections), rng)
            section = self.changed_list(getattr(menu, name) or (), sections[name], rng, KINDS.get(name, CONDITIONS))
            return with_section(menu, name, tidy(section))
        return self.without_useless_sections(replace(menu, buy=tidy(self.changed_list(menu.buy, self.bought, rng))))

    def sections_of_use(self, menu: Menu) -> dict[str, list[int]]:
        """The sections that make a difference with what is bought, each with the cards it may list."""
        bought = {entry.card for entry in menu.buy}
        played = [card for card in self.played if card in bought]
        of_use: dict[str, list[int]] = {}
        if self.sections and len(played) > 1:
            of_use["play"] = played
        if self.sections and bought & TRASHING:
            of_use["trash"] = self.cards
        if self.sections and bought & GAINING:
            of_use["gain"] = self.bought
        return of_use

    def without_useless_sections(self, menu: Menu) -> Menu:
        of_use = self.sections_of_use(menu)
        for name in ("play", "trash", "gain"):
            if name not in of_use:
                menu = with_section(menu, name, ())
        return menu

    def changed_list(
        self, entries: Entries, cards: list[int], rng: np.random.Generator, kinds: Kinds = CONDITIONS
    ) -> Entries:
        """A list after one change: of its length, its order, or one of its entries."""
        if not entries:
            return (self.new_entry(cards, rng, kinds),)
        change = one_of(CHANGES, rng)
        at = int(rng.integers(len(entries)))
        entry, others = entries[at], entries[:at] + entries[at + 1 :]
        if change == "go" or len(entries) > MOST_ENTRIES:
            return others
        if change in ("come", "move"):
            new = entry if change == "move" else self.new_entry(cards, rng, kinds)
            rest = others if change == "move" else entries
            to = int(rng.integers(len(rest) + 1))
            return (*rest[:to], new, *rest[to:])
        if change == "card":
            entry = replace(entry, card=one_of(cards, rng))
        elif change == "limit":
            entry = replace(entry, up_to=changed_limit(entry.up_to, rng))
        else:
            entry = replace(entry, conditions=self.changed_conditions(entry.conditions, rng, kinds))
        return (*entries[:at], entry, *entries[at + 1 :])

    def new_entry(self, cards: list[int], rng: np.random.Generator, kinds: Kinds) -> MenuEntry:
        conditions = (self.new_condition(rng, kinds),) if rng.random() < WITH_CONDITION else ()
        return MenuEntry(one_of(cards, rng), one_of(LIMITS, rng), conditions)

    def new_condition(self, rng: np.random.Generator, kinds: Kinds) -> MenuCondition:
        kind, comparisons, low, high = one_of(kinds, rng)
        if kind == COUNT and self.others and rng.random() < OF_OTHERS:
            kind = OTHERS
        detail = one_of(self.bought, rng) if kind in (COUNT, HELD, OTHERS) else 0
        if kind == SUPPLY:
            detail = one_of(self.bought, rng) if rng.random() < OF_ANOTHER_PILE else PROVINCE
        right = MenuQuantity(NUMBER, int(rng.integers(low, high + 1)))
        if kind == COUNT and rng.random() < WITH_ANOTHER_COUNT:
            right = MenuQuantity(COUNT, one_of(self.bought, rng))
        return MenuCondition(MenuQuantity(kind, detail), one_of(comparisons, rng), right)

    def changed_conditions(self, conditions: Conditions, rng: np.random.Generator, kinds: Kinds) -> Conditions:
        """One condition comes, goes, or has another number."""
        change = one_of(("come", "go", "number", "number"), rng) if conditions else "come"
        if change == "come":
            new = self.new_condition(rng, kinds)
            otherwise = bool(conditions) and rng.random() < OTHERWISE
            return (*conditions[: MOST_CONDITIONS - 2], replace(new, otherwise=otherwise))
        at = int(rng.integers(len(conditions)))
        if change == "go" or conditions[at].right.kind != NUMBER:
            return without(conditions, at)
        old = conditions[at]
        number = max(old.right.detail + one_of(STEPS, rng), 0)
        return (*conditions[:at], replace(old, right=MenuQuantity(NUMBER, number)), *conditions[at + 1 :])

    def recombine(self, genome: Menu, other: Menu, rng: np.random.Generator) -> Menu:
        """The first entries of one list of what to buy and the last ones of the other; a section of either."""
        head, tail = int(rng.integers(len(genome.buy) + 1)), int(rng.integers(len(other.buy) + 1))
        mixed = replace(genome, buy=tidy(genome.buy[:head] + other.buy[tail:])[:MOST_ENTRIES])
        for name in ("play", "trash", "gain"):
            if rng.random() < 0.5:
                mixed = with_section(mixed, name, getattr(other, name) or ())
        return opened(self.without_useless_sections(mixed), rng)

    def drawn(self, rng: np.random.Generator) -> Menu:
        """BigMoney with some of the kingdom's cards in between, cautious, and with a habit of trashing."""
        entries = list(BIG_MONEY.buy)
        kingdom = [card for card in self.bought if card >= BASIC]
        for card in rng.permutation(kingdom)[: int(rng.integers(1, MOST_DRAWN + 1))]:
            early = EARLY if rng.random() < WITH_CONDITION else ()
            entries.insert(int(rng.integers(1, len(entries) + 1)), MenuEntry(int(card), one_of(LIMITS, rng), early))
        drawn = Menu(tuple(entries), trash=one_of(TRASHED, rng), cautious=True)
        if rng.random() < 0.5:  # Provinces only when there is money for more than one
            money = MenuCondition(MenuQuantity(MONEY), AT_LEAST, MenuQuantity(NUMBER, int(rng.integers(11, 19))))
            first, *rest = drawn.buy
            drawn = replace(drawn, buy=(replace(first, conditions=(money,)), *rest))
        return opened(self.without_useless_sections(drawn), rng)

    # ---- polishing

    def simpler(self, genome: Menu) -> Iterator[Menu]:
        for name in SECTIONS:
            for entries in simpler(getattr(genome, name) or ()):
                if name != "buy" or not bars_provinces(entries):
                    yield with_section(genome, name, entries)

    def neighbours(self, genome: Menu) -> Iterator[Menu]:
        for name in SECTIONS:
            for entries in shifted(getattr(genome, name) or ()):
                yield with_section(genome, name, entries)
        for word in FLAGS:
            yield turned(genome, word)

    def longer(self, genome: Menu) -> Iterator[Menu]:
        for entries in longer(genome.buy, self.bought):
            yield replace(genome, buy=entries)


def opened(menu: Menu, rng: np.random.Generator) -> Menu:
    """The menu with a way to Provinces that nobody can bar, if it buys any."""
    if not bars_provinces(menu.buy):
        return menu
    at = next(i for i, entry in enumerate(menu.buy) if entry.card == PROVINCE)
    turn = MenuQuantity(NUMBER, int(rng.integers(*WAY_OUT)))
    way_out = MenuCondition(MenuQuantity(TURN), AT_LEAST, turn, otherwise=True)
    entry = replace(menu.buy[at], conditions=(*menu.buy[at].conditions[: MOST_CONDITIONS - 1], way_out))
    return replace(menu, buy=(*menu.buy[:at], entry, *menu.buy[at + 1 :]))


def with_section(menu: Menu, name: str, entries: Entries) -> Menu:
    """The menu with another list; an empty one is left out, unless it is what to buy."""
    change: dict[str, Any] = {name: entries if name == "buy" else entries or None}
    return replace(menu, **change)


def turned(menu: Menu, word: str) -> Menu:
    """The menu with such a word, or without it."""
    change: dict[str, Any] = {word: not getattr(menu, word)}
    return replace(menu, **change)


def changed_limit(limit: int | None, rng: np.random.Generator) -> int | None:
    """One more or one fewer, or no limit at all."""
    if limit is None:
        found: int | None = one_of((1, 2, 3, 4), rng)
        return found
    return None if rng.random() < 0.2 else max(limit + one_of((-1, 1), rng), 1)


def one_of(things: Any, rng: np.random.Generator) -> Any:
    return things[int(rng.integers(len(things)))]


MENU_MODEL = ModelKind(Text("menus: a list of what to buy, with limits and conditions"), MenuModel, SETTINGS)
