"""A menu as data; `str(menu)` is its text, from which `parser` makes the same menu again."""

from dataclasses import dataclass

from hiddenhand.games.dominion.cards import NAMES

NUMBER, SUPPLY, COUNT, MONEY, COINS_NOW, TURN, DECK, LEAD, DEFICIT, EMPTY, PURSE, BUYS, HELD, OTHERS = range(14)
OF_A_CARD = {"supply": SUPPLY, "count": COUNT, "hand": HELD, "others": OTHERS}
PLAIN = {
    "money": MONEY, "coins": COINS_NOW, "turn": TURN, "deck": DECK, "lead": LEAD, "deficit": DEFICIT, "empty": EMPTY,
    "purse": PURSE, "buys": BUYS,
}  # fmt: skip
WORDS = {kind: word for word, kind in (OF_A_CARD | PLAIN).items()}

COMPARISONS = ("<", "<=", "=", "!=", ">=", ">")
MOST = 9999  # the largest number in a menu
NOTHING_LISTED = "nothing"
FLAGS = ("cautious", "penultimate")  # words that stand in the place of a section


@dataclass(frozen=True)
class MenuQuantity:
    """What a condition compares: `detail` is the number itself, or the card that it is about."""

    kind: int
    detail: int = 0

    def __str__(self) -> str:
        if self.kind == NUMBER:
            return str(self.detail)
        return f"{WORDS[self.kind]}({NAMES[self.detail]})" if self.kind in OF_A_CARD.values() else WORDS[self.kind]


@dataclass(frozen=True)
class MenuCondition:
    """`supply(Province) <= 5`: `comparison` is the place of its sign in COMPARISONS.

    `otherwise` says that "or" stands before it, not "and": it begins another way in which its entry may apply.
    """

    left: MenuQuantity
    comparison: int
    right: MenuQuantity
    otherwise: bool = False

    def __str__(self) -> str:
        return f"{self.left} {COMPARISONS[self.comparison]} {self.right}"


@dataclass(frozen=True)
class MenuEntry:
    """A card with what must hold before it is taken."""

    card: int
    up_to: int | None = None
    conditions: tuple[MenuCondition, ...] = ()

    def __str__(self) -> str:
        text = NAMES[self.card]
        if self.up_to is not None:
            text += f" up to {self.up_to}"
        for i, condition in enumerate(self.conditions):
            text += f" {'when' if i == 0 else 'or' if condition.otherwise else 'and'} {condition}"
        return text

    def alternatives(self) -> list[list[MenuCondition]]:
        """The conditions between one "or" and the next; the entry applies when all of some alternative hold."""
        ways: list[list[MenuCondition]] = [[]]
        for condition in self.conditions:
            if condition.otherwise:
                ways.append([])
            ways[-1].append(condition)
        return ways


Entries = tuple[MenuEntry, ...]


@dataclass(frozen=True)
class Menu:
    """A strategy. A section that is None is left to the default play; an empty one is `nothing`."""

    buy: Entries
    play: Entries | None = None
    trash: Entries | None = None
    discard: Entries | None = None
    gain: Entries | None = None
    play_only: bool = False
    cautious: bool = False
    penultimate: bool = False

    def __str__(self) -> str:
        parts = [listed(self.buy)]
        for name in ("play", "trash", "discard", "gain"):
            entries = getattr(self, name)
            if entries is not None:
                heading = "play only" if name == "play" and self.play_only else name
                parts.append(f"{heading}: {listed(entries)}")
        parts += [word for word in FLAGS if getattr(self, word)]
        return "; ".join(parts)


def listed(entries: Entries) -> str:
    return ", ".join(map(str, entries)) or NOTHING_LISTED


def cards_named(menu: Menu) -> set[int]:
    """Every card that a menu mentions."""
    sections = (menu.buy, menu.play, menu.trash, menu.discard, menu.gain)
    cards = set()
    for entry in (entry for section in sections for entry in section or ()):
        cards.add(entry.card)
        for condition in entry.conditions:
            cards.update(q.detail for q in (condition.left, condition.right) if q.kind in OF_A_CARD.values())
    return cards
