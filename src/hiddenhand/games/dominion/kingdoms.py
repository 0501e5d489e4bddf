"""Kingdoms: which ten kinds of kingdom cards are in the supply. By name, by list, or drawn from a seed.

A set named in both rulebooks is the one of the edition that is played.
"""

import re
from collections.abc import Collection, Sequence

import numpy as np

from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.games.dominion.cards import BASIC, CARDS, FIRST, NAMES, SECOND, TABLE
from hiddenhand.kernel import shuffle, stream

TEN = 10

OF_THE_FIRST_EDITION = {
    "First Game": "Cellar, Market, Militia, Mine, Moat, Remodel, Smithy, Village, Woodcutter, Workshop",
    "Big Money": "Adventurer, Bureaucrat, Chancellor, Chapel, Feast, Laboratory, Market, Mine, Moneylender, "
    "Throne Room",
    "Interaction": "Bureaucrat, Chancellor, Council Room, Festival, Library, Militia, Moat, Spy, Thief, Village",
    "Size Distortion": "Cellar, Chapel, Feast, Gardens, Laboratory, Thief, Village, Witch, Woodcutter, Workshop",
    "Village Square": "Bureaucrat, Cellar, Festival, Library, Market, Remodel, Smithy, Throne Room, Village, "
    "Woodcutter",
}
OF_THE_SECOND_EDITION = {
    "First Game": "Cellar, Market, Merchant, Militia, Mine, Moat, Remodel, Smithy, Village, Workshop",
    "Size Distortion": "Artisan, Bandit, Bureaucrat, Chapel, Festival, Gardens, Sentry, Throne Room, Witch, Workshop",
    "Improvements": "Artisan, Cellar, Market, Merchant, Mine, Moat, Moneylender, Poacher, Remodel, Witch",
}
NAMED = {FIRST: OF_THE_FIRST_EDITION, SECOND: OF_THE_SECOND_EDITION}
ORDINAL = {FIRST: "first", SECOND: "second"}


def plain(name: str) -> str:
    """A name as it is compared: letters alone, so that `throne room`, `ThroneRoom` and `throne_room` are one."""
    return re.sub(r"[^a-z]", "", name.lower())


BY_NAME = {plain(name): card for card, name in enumerate(NAMES)}


def find_card(text: str) -> int:
    """The card with this name, or a clear error."""
    card = BY_NAME.get(plain(text))
    if card is None:
        name = text.strip()
        raise UserError(f"there is no card {name!r} in Dominion's base set{did_you_mean(name, list(NAMES))}")
    return card


def available(edition: int) -> list[int]:
    """The kingdom cards of an edition."""
    return [card for card in range(BASIC, CARDS) if TABLE[card].editions & edition]


def find_kingdom(text: str, edition: int) -> list[int]:
    """The ten cards that `First Game`, `Smithy, Witch, ...` or `random:7` names, in ascending order."""
    named = {plain(name): cards for name, cards in NAMED[edition].items()}
    word, _, seed = text.partition(":")
    if plain(word) == "random":
        if not re.fullmatch(r"\s*[0-9]{1,18}\s*", seed or "0"):
            raise UserError(f"a random kingdom is written random:SEED with a whole number as its seed, not {text!r}")
        return random_kingdom(int(seed or 0), edition)
    if plain(text) in named:
        return sorted(find_card(name) for name in named[plain(text)].split(","))
    if "," not in text and plain(text) not in BY_NAME:
        names = [*NAMED[edition], "random:SEED"]
        raise UserError(
            f"unknown kingdom {text!r}{did_you_mean(text, names)}; kingdoms of the {ORDINAL[edition]} edition: "
            f"{one_of(names)}, or ten cards separated by commas"
        )
    return check_kingdom([find_card(name) for name in text.split(",") if name.strip()], edition)


def check_kingdom(cards: Sequence[int], edition: int) -> list[int]:
    """The same cards in ascending order, if they can be a kingdom."""
    for card in cards:
        if card < BASIC:
            raise UserError(f"{NAMES[card]} is in every game; a kingdom lists ten kingdom cards")
        if not TABLE[card].editions & edition:
            other = ORDINAL[SECOND if edition == FIRST else FIRST]
            raise UserError(f"{NAMES[card]} is a card of the {other} edition (option edition={other})")
        if list(cards).count(card) > 1:
            raise UserError(f"{NAMES[card]} is listed twice in the kingdom")
    if len(cards) != TEN:
        raise UserError(f"a kingdom has ten cards, not {len(cards)}")
    return sorted(cards)


def kingdom_with(cards: Collection[int]) -> dict[str, str]:
    """The options of a game that has these cards: a recommended set if one has them all, or they and others."""
    wanted = sorted(card for card in cards if card >= BASIC)
    for edition, sets in NAMED.items():
        for name in sets:
            if set(wanted) <= set(find_kingdom(name, edition)):
                return {"kingdom": name, "edition": ORDINAL[edition]}
    if len(wanted) > TEN:
        raise UserError(f"it names {len(wanted)} kingdom cards, and a kingdom has ten")
    for edition in NAMED:
        if set(wanted) <= set(available(edition)):
            others = [card for card in find_kingdom("First Game", edition) if card not in wanted]
            chosen = [*wanted, *others][:TEN]
            return {"kingdom": ", ".join(NAMES[card] for card in chosen), "edition": ORDINAL[edition]}
    raise UserError("it names cards of both editions that never lie in one kingdom")


def random_kingdom(seed: int, edition: int) -> list[int]:
    """Ten different cards, every choice equally likely."""
    cards = np.array(available(edition))
    shuffle(stream(seed), cards, len(cards))
    return sorted(int(card) for card in cards[:TEN])
