"""Genomes as text, in the notation of the thesis:

    {gaining1: {Gold: 3.13e-01, Market: 2.18e-01}, gaining2: [Province, Duchy, Gold], playing: [Market, Estate]}

Square brackets hold ranks, braces ratios; `weighted {...}` draws by these weights instead, `random` stands for a
choice without any preference, and so does playing if it is left out. A season that is not the last may say from which
distance of the game's end on it applies: `gaining1 from 100: {...}`. Lines that begin with # are comments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from hiddenhand.core.errors import UserError, did_you_mean
from hiddenhand.core.text import Text
from hiddenhand.games.dominion.cards import NAMES
from hiddenhand.games.dominion.kingdoms import BY_NAME, plain
from hiddenhand.games.dominion.models.genome import (
    KINDS,
    RANDOM,
    RANKS,
    RATIOS,
    TURNING_POINT,
    WEIGHTED,
    Genome,
    Season,
)
from hiddenhand.learning.chromosomes import Ranks, Ratios

TOKEN = re.compile(r"\s*([{}\[\]:,]|[^\s{}\[\]:,][^{}\[\]:,]*)")
CONTEXT = re.compile(r"(gaining|playing)([1-9]?)(?:\s+from\s+([0-9]{1,6}))?")
COMMENT = re.compile(r"(?m)^[ \t]*#.*$")

Given = tuple[Season, int | None]
"""A season as it was read, and its threshold where one was given."""


def write_genome(genome: Genome, exact: bool = False) -> str:
    """The genome as text; numbers with three digits, or `exact`."""
    parts = [*context_text("gaining", genome.gaining, exact)]
    if genome.playing != (Season(RANDOM),):
        parts += context_text("playing", genome.playing, exact)
    return "{" + ", ".join(parts) + "}"


def context_text(name: str, seasons: Sequence[Season], exact: bool) -> list[str]:
    if len(seasons) == 1:
        return [f"{name}: {season_text(seasons[0], exact)}"]
    texts = []
    for i, season in enumerate(seasons):
        usual = TURNING_POINT if len(seasons) == 2 and i == 0 else 0
        when = f" from {season.threshold}" if season.threshold != usual else ""
        texts.append(f"{name}{i + 1}{when}: {season_text(season, exact)}")
    return texts


def season_text(season: Season, exact: bool) -> str:
    if isinstance(season.chromosome, Ranks):
        return "[" + ", ".join(season.chromosome.used) + "]"
    if isinstance(season.chromosome, Ratios):
        pairs = [f"{card}: {value!r}" if exact else f"{card}: {value:.2e}" for card, value in season.chromosome.used]
        return ("weighted {" if season.kind == WEIGHTED else "{") + ", ".join(pairs) + "}"
    return KINDS[RANDOM]


def read_genome(text: str, elements: Sequence[str] = NAMES) -> Genome:
    """The genome that a text describes. `elements` are the cards that it may speak of."""
    return GenomeParser(text, elements).genome()


class GenomeParser:
    """Reads a genome from left to right."""

    def __init__(self, text: str, elements: Sequence[str]) -> None:
        self.text = COMMENT.sub(lambda comment: " " * len(comment[0]), text)
        self.elements = tuple(elements)
        self.at = 0
        self.before = 0
        """Where the token read last begins."""

    def genome(self) -> Genome:
        seasons: dict[str, list[Given]] = {"gaining": [], "playing": []}
        self.expect("{")
        while True:
            name, given = self.entry(seasons)
            seasons[name].append(given)
            if self.expect(",", "}") == "}":
                break
        if self.peek():
            self.next()
            raise self.wrong(Text("nothing may follow the closing brace"))
        if not seasons["gaining"]:
            raise self.wrong(Text("a genome needs an entry `gaining: ...`"))
        gaining = with_thresholds(seasons["gaining"], "gaining")
        return Genome(gaining, with_thresholds(seasons["playing"], "playing") or (Season(RANDOM),))

    def entry(self, seasons: dict[str, list[Given]]) -> tuple[str, Given]:
        """`gaining1 from 100: ...`"""
        word = self.next()
        read = CONTEXT.fullmatch(word)
        if read is None:
            raise self.wrong(
                Text("gaining, playing, gaining1 or gaining1 from 100 was expected, not {word}", word=repr(word))
            )
        name, number, threshold = read.groups()
        place = len(seasons[name]) + 1
        if (number or "1") != str(place) or (not number and place > 1):
            raise self.wrong(
                Text(
                    "the seasons of {name} are numbered {name}1, {name}2, ... in this order, not {word}",
                    name=name,
                    word=repr(word),
                )
            )
        self.expect(":")
        return name, (self.season(), None if threshold is None else int(threshold))

    def season(self) -> Season:
        start = self.next()
        if start == KINDS[RANDOM]:
            return Season(RANDOM)
        if start == "[":
            return Season(RANKS, self.ranks())
        if start in (KINDS[RATIOS], KINDS[WEIGHTED]):
            self.expect("{")
            return Season(KINDS.index(start), self.ratios())
        if start == "{":
            return Season(RATIOS, self.ratios())
        raise self.wrong(
            Text(
                "{forms} or random was expected, not {word}",
                forms="[cards], {card: number}, weighted {card: number}",
                word=repr(start),
            )
        )

    def ranks(self) -> Ranks:
        cards: list[str] = []
        if self.peek() == "]":
            self.next()
            return Ranks(self.elements)
        while True:
            cards.append(self.card(cards))
            if self.expect(",", "]") == "]":
                return Ranks(self.elements, tuple(cards))

    def ratios(self) -> Ratios:
        used: dict[str, float] = {}
        if self.peek() == "}":
            self.next()
            return Ratios(self.elements)
        while True:
            card = self.card(list(used))
            self.expect(":")
            used[card] = self.number()
            if self.expect(",", "}") == "}":
                return Ratios(self.elements, tuple(used.items()))

    def card(self, before: list[str]) -> str:
        word = self.next()
        if plain(word) not in BY_NAME:
            near = did_you_mean(word, list(NAMES))
            raise self.wrong(Text("a card was expected, not {word}{guess}", word=repr(word), guess=near))
        name = NAMES[BY_NAME[plain(word)]]
        if name not in self.elements:
            raise self.wrong(Text("{card} is not in this kingdom", card=name))
        if name in before:
            raise self.wrong(Text("{card} is listed twice", card=name))
        return name

    def number(self) -> float:
        word = self.next()
        try:
            value = float(word)
        except ValueError:
            raise self.no_number(word) from None
        if not 0.0 < value < float("inf"):
            raise self.no_number(word)
        return value

    def no_number(self, word: str) -> UserError:
        return self.wrong(Text("a number above 0 was expected, not {word}", word=repr(word)))

    def peek(self) -> str:
        found = TOKEN.match(self.text, self.at)
        return found[1].rstrip() if found else ""

    def next(self) -> str:
        found = TOKEN.match(self.text, self.at)
        if found is None:
            self.before = len(self.text.rstrip())
            raise self.wrong(Text("the text ends too early"))
        self.before, self.at = found.start(1), found.end()
        return found[1].rstrip()

    def expect(self, *allowed: str) -> str:
        word = self.next()
        if word not in allowed:
            signs = Text("{a} or {b}", a=allowed[0], b=allowed[1]) if len(allowed) == 2 else allowed[0]
            raise self.wrong(Text("{signs} was expected, not {word}", signs=signs, word=repr(word)))
        return word

    def wrong(self, what: str) -> UserError:
        """The complaint, with the place it is about."""
        above = self.text[: self.before].split("\n")
        column = len(above[-1]) + 1
        where = Text("column {column}", column=column)
        if "\n" in self.text.strip():
            where = Text("line {line}, column {column}", line=len(above), column=column)
        return UserError("the genome cannot be read: {where}: {what}", where=where, what=what)


def with_thresholds(given: list[Given], name: str) -> tuple[Season, ...]:
    """The seasons with their thresholds, those left out filled in: 100 for the first of two, 0 for the last."""
    usual = [TURNING_POINT, 0] if len(given) == 2 else [0] * len(given)
    thresholds = [usual[i] if threshold is None else threshold for i, (_, threshold) in enumerate(given)]
    if thresholds and (thresholds[-1] != 0 or thresholds != sorted(set(thresholds), reverse=True)):
        raise UserError(
            "the genome cannot be read: the seasons of {name} need falling thresholds, such as "
            "`{name}1 from 100: ..., {name}2 from 50: ..., {name}3: ...`; the last one has none",
            name=name,
        )
    return tuple(replace(season, threshold=threshold) for (season, _), threshold in zip(given, thresholds))
