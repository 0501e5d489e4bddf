"""Written rules as data; `str(rules)` is their text, from which `parser` makes the same rules again."""

from dataclasses import dataclass

from hiddenhand.games.snaps.cards import RANKS
from hiddenhand.games.snaps.texts import RANK_LETTERS, card_code

# --- what to do -----------------------------------------------------------------------------------

LEADS = ("pull", "announce", "cash", "show", "attack", "top", "quiet")
FOLLOWS = ("reach", "give", "take", "beat", "trust", "least")
PICKS = ("dearest", "cheapest", "highest", "lowest")
SAID = ("dost", "kontra", "alone")
WORDS = ("rules", "claim", *LEADS, *FOLLOWS, *PICKS, *SAID)
(RULES, CLAIM, PULL, ANNOUNCE, CASH, SHOW, ATTACK, TOP, QUIET, REACH, GIVE, TAKE, BEAT, TRUST, LEAST, DEAREST,
 CHEAPEST, HIGHEST, LOWEST, DOST_IF, KONTRA_IF, ALONE_IF) = range(len(WORDS))  # fmt: skip

CLASSES = ("trump", "side", "top", "winning", "losing")
TRUMP, SIDE, TOPS, WINNING, LOSING = (1 << i for i in range(len(CLASSES)))

# --- when -----------------------------------------------------------------------------------------

QUANTITIES = (
    "ours", "enough", "friend", "holds", "value", "points", "trumps", "unseen", "trick", "later", "win", "gain",
    "leading", "following", "last", "attacking", "defending",
)  # fmt: skip
(OURS, ENOUGH_NOW, FRIEND, HOLDS, VALUE, POINTS, TRUMPS, UNSEEN, TRICK, LATER, WIN, GAIN, LEADING, FOLLOWING, LAST,
 ATTACKING, DEFENDING) = range(len(QUANTITIES))  # fmt: skip
FLAGS = QUANTITIES[LEADING:]
CHANCES = (OURS, ENOUGH_NOW, FRIEND, HOLDS, WIN)
BEFORE_TRICKS = {"kontra": WIN, "alone": GAIN}
"""The one quantity that there is before the first trick, by what it is asked for."""

WHO = ("next", "second", "third", "chooser", "winner")
NEXT, SECOND, THIRD, CHOOSER, WINNER = range(len(WHO))
NAMED_CARD, TRUMP_CARD, LED_CARD, THIS_CARD = range(4)
CARD_WORDS = {"named": NAMED_CARD, "trump": TRUMP_CARD, "led": LED_CARD}

COMPARISONS = ("<", "<=", "=", "!=", ">=", ">")
LESS, AT_MOST, EQUAL, UNEQUAL, AT_LEAST, MORE = range(len(COMPARISONS))
BANDS = {
    "impossible": ((AT_MOST, 0.0),),
    "unlikely": ((LESS, 1 / 3),),
    "open": ((AT_LEAST, 1 / 3), (AT_MOST, 2 / 3)),
    "likely": ((MORE, 2 / 3),),
    "certain": ((AT_LEAST, 1.0),),
}
"""What each band asks for; those in the middle are the thesis's."""

BELIEFS = ("table", "exact")


@dataclass(frozen=True)
class RuleQuantity:
    """What a condition is about; of `holds`: who, which sort of card, and its rank or number."""

    kind: int
    who: int = 0
    sort: int = 0
    card: int = 0

    def __str__(self) -> str:
        if self.kind != HOLDS:
            return QUANTITIES[self.kind]
        if self.sort == THIS_CARD:
            card = card_code(self.card)
        else:
            word = next(word for word, sort in CARD_WORDS.items() if sort == self.sort)
            card = word if self.sort == NAMED_CARD else f"{word} {RANK_LETTERS[self.card % RANKS]}"
        return f"holds({WHO[self.who]}, {card})"


def written(number: float, is_chance: bool) -> str:
    """A number, of chances in per cent, so that the same number is read again."""
    percent = f"{100 * number:.6g}"
    return f"{percent}%" if is_chance and float(percent) / 100.0 == number else f"{number!r}".removesuffix(".0")


@dataclass(frozen=True)
class RuleCondition:
    """`ours >= 70%`, `friend is likely`, `not last`."""

    quantity: RuleQuantity
    comparison: int = EQUAL
    number: float = 1.0
    band: str = ""
    """The word that was written instead of a number."""

    def __str__(self) -> str:
        if self.quantity.kind >= LEADING:
            return f"{'not ' if self.comparison == UNEQUAL else ''}{self.quantity}"
        if self.band:
            return f"{self.quantity} is {self.band}"
        return f"{self.quantity} {COMPARISONS[self.comparison]} {written(self.number, self.quantity.kind in CHANCES)}"

    def tests(self) -> tuple[tuple[int, float], ...]:
        """The comparisons that must hold."""
        return BANDS[self.band] if self.band else ((self.comparison, self.number),)


@dataclass(frozen=True)
class WrittenRule:
    """One rule: what to do, with which cards, and when."""

    word: int
    cards: int = 0
    """CLASSES as a mask; 0 for any."""
    conditions: tuple[RuleCondition, ...] = ()

    @property
    def wish(self) -> str:
        """What to do, without the conditions."""
        return " ".join([WORDS[self.word], *(name for i, name in enumerate(CLASSES) if self.cards >> i & 1)])

    def __str__(self) -> str:
        return self.wish + (" when " + " and ".join(map(str, self.conditions)) if self.conditions else "")


@dataclass(frozen=True)
class WrittenRules:
    lines: tuple[WrittenRule, ...]
    belief: str = BELIEFS[0]

    def __str__(self) -> str:
        text = ", ".join(map(str, self.lines))
        return text if self.belief == BELIEFS[0] else f"belief {self.belief}; {text}"
