"""The options of a game, and kingdoms: which ten kinds of kingdom cards are in the supply. By name, by list, or drawn
from a seed.

`random:SEED` draws from the base set, `mixed:SEED` from the base set and Intrigue (of its second edition, which goes
with the second edition of the base set).

A set named in both rulebooks is the one of the edition that is played.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.games.dominion.cards import (
    BASE_SET,
    CARDS,
    COPPER,
    CURSE,
    FIRST,
    GOLD,
    NAMES,
    SECOND,
    SILVER,
    TABLE,
    VICTORY,
)
from hiddenhand.games.dominion.state import BASIC, SEATS, TEN
from hiddenhand.kernel import shuffle, stream

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
    "Deck Top": "Artisan, Bureaucrat, Council Room, Festival, Harbinger, Laboratory, Moneylender, Sentry, Vassal, "
    "Village",
    "Sleight of Hand": "Cellar, Council Room, Festival, Gardens, Harbinger, Library, Militia, Poacher, Smithy, "
    "Throne Room",
    "Improvements": "Artisan, Cellar, Market, Merchant, Mine, Moat, Moneylender, Poacher, Remodel, Witch",
    "Silver and Gold": "Bandit, Bureaucrat, Chapel, Harbinger, Laboratory, Merchant, Mine, Moneylender, Throne Room, "
    "Vassal",
}
OF_INTRIGUE = {
    "Victory Dance": "Baron, Courtier, Duke, Harem, Ironworks, Masquerade, Mill, Nobles, Patrol, Replace",
    "The Plot Thickens": "Conspirator, Ironworks, Lurker, Mining Village, Pawn, Secret Passage, Steward, Swindler, "
    "Torturer, Trading Post",
    "Best Wishes": "Baron, Conspirator, Courtyard, Diplomat, Duke, Secret Passage, Shanty Town, Torturer, Upgrade, "
    "Wishing Well",
    "Underlings": "Cellar, Courtier, Diplomat, Festival, Library, Minion, Nobles, Pawn, Sentry, Vassal",
    "Grand Scheme": "Artisan, Bridge, Council Room, Market, Militia, Mill, Mining Village, Patrol, Shanty Town, "
    "Workshop",
    "Deconstruction": "Bandit, Diplomat, Harem, Lurker, Mine, Remodel, Replace, Swindler, Throne Room, Village",
}
NAMED = {FIRST: OF_THE_FIRST_EDITION, SECOND: OF_THE_SECOND_EDITION | OF_INTRIGUE}
DRAWN = {"random": BASE_SET, "mixed": CARDS}  # a word before a seed, and from how many cards it draws
ORDINAL = {FIRST: "first", SECOND: "second"}


def plain(name: str) -> str:
    """A name as it is compared: letters alone, so that `throne room`, `ThroneRoom` and `throne_room` are one."""
    return re.sub(r"[^a-z]", "", name.lower().replace("&", "and"))


BY_NAME = {plain(name): card for card, name in enumerate(NAMES)}


def find_card(text: str) -> int:
    """The card with this name, or a clear error."""
    card = BY_NAME.get(plain(text))
    if card is None:
        name = text.strip()
        guess = did_you_mean(name, list(NAMES))
        raise UserError("there is no card {card} in Dominion or Intrigue{guess}", card=repr(name), guess=guess)
    return card


def available(edition: int, cards: int = CARDS) -> list[int]:
    """The kingdom cards of an edition, among the first `cards` cards of the table."""
    return [card for card in range(BASIC, cards) if TABLE[card].editions & edition]


def find_kingdom(text: str, edition: int) -> list[int]:
    """The ten cards that `First Game`, `Smithy, Witch, ...` or `random:7` names, in ascending order."""
    named = {plain(name): cards for name, cards in NAMED[edition].items()}
    word, _, seed = text.partition(":")
    if plain(word) in DRAWN:
        if not re.fullmatch(r"\s*[0-9]{1,18}\s*", seed or "0"):
            raise UserError(
                "a {kind} kingdom is written {kind}:SEED with a whole number as its seed, not {word}",
                kind=plain(word),
                word=repr(text),
            )
        return random_kingdom(int(seed or 0), available(edition, DRAWN[plain(word)]))
    if plain(text) in named:
        return sorted(find_card(name) for name in named[plain(text)].split(","))
    if "," not in text and plain(text) not in BY_NAME:
        names = [*NAMED[edition], *(f"{word}:SEED" for word in DRAWN)]
        raise UserError(
            "unknown kingdom {kingdom}{guess}; kingdoms of the {edition} edition: {names}, "
            "or ten cards separated by commas",
            kingdom=repr(text),
            guess=did_you_mean(text, names),
            edition=ORDINAL[edition],
            names=one_of(names),
        )
    return check_kingdom([find_card(name) for name in text.split(",") if name.strip()], edition)


def check_kingdom(cards: Sequence[int], edition: int) -> list[int]:
    """The same cards in ascending order, if they can be a kingdom."""
    for card in cards:
        if card < BASIC:
            raise UserError("{card} is in every game; a kingdom lists ten kingdom cards", card=NAMES[card])
        if not TABLE[card].editions & edition:
            other = ORDINAL[SECOND if edition == FIRST else FIRST]
            raise UserError(
                "{card} is a card of the {edition} edition (option edition={other})",
                card=NAMES[card],
                edition=other,
                other=other,
            )
        if list(cards).count(card) > 1:
            raise UserError("{card} is listed twice in the kingdom", card=NAMES[card])
    if len(cards) != TEN:
        raise UserError("a kingdom has ten cards, not {n}", n=len(cards))
    return sorted(cards)


def kingdom_with(cards: Collection[int]) -> dict[str, str]:
    """The options of a game that has these cards: a recommended set if one has them all, or they and others."""
    wanted = sorted(card for card in cards if card >= BASIC)
    for edition, sets in NAMED.items():
        for name in sets:
            if set(wanted) <= set(find_kingdom(name, edition)):
                return {"kingdom": name, "edition": ORDINAL[edition]}
    if len(wanted) > TEN:
        raise UserError("it names {n} kingdom cards, and a kingdom has ten", n=len(wanted))
    for edition in NAMED:
        if set(wanted) <= set(available(edition)):
            others = [card for card in find_kingdom("First Game", edition) if card not in wanted]
            chosen = [*wanted, *others][:TEN]
            return {"kingdom": ", ".join(NAMES[card] for card in chosen), "edition": ORDINAL[edition]}
    raise UserError("it names cards of both editions that never lie in one kingdom")


def random_kingdom(seed: int, of: Sequence[int]) -> list[int]:
    """Ten different ones of these cards, every choice equally likely."""
    cards = np.array(of)
    shuffle(stream(seed), cards, len(cards))
    return sorted(int(card) for card in cards[:TEN])


# ---- the options

EDITIONS = {"first": FIRST, "second": SECOND}
OPTIONS = {
    "players": Setting(2, Text("how many play"), low=2, high=SEATS),
    "kingdom": Setting(
        "First Game",
        Text(
            "the ten kinds of kingdom cards: a named set, ten names separated by commas, random:SEED "
            "for any ten, or mixed:SEED for any ten with those of Intrigue"
        ),
        suggestions=tuple(sorted({name for sets in NAMED.values() for name in sets})),
        several=NAMES[BASIC:],
    ),
    "edition": Setting(
        "first",
        Text("which cards and rules: the first edition of 2008 or the second of 2016"),
        choices=("first", "second"),
    ),
}


def configure(s: np.record, options: Mapping[str, Any]) -> None:
    """Set up the supply before the game for this number of players. The starting decks are dealt separately."""
    players = int(options["players"])
    edition = EDITIONS[options["edition"]]
    s.players = players
    s.edition = edition
    s.piles[:] = [*range(BASIC), *find_kingdom(options["kingdom"], edition)]
    for card in s.piles.tolist():
        s.supply[card] = pile_size(card, players)


def pile_size(card: int, players: int) -> int:
    """How many copies lie in the supply at the start."""
    if card == COPPER:
        return 60 - 7 * players
    if card == CURSE:
        return 10 * (players - 1)
    if card in (SILVER, GOLD):
        return 40 if card == SILVER else 30
    if VICTORY[card]:
        return 8 if players == 2 else 12
    return 10
