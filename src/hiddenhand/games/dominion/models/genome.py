"""Genomes: what a strategy of the models is made of, and the numbers that compiled code reads.

A genome has choosers for two contexts: gaining (which cards to own) and playing (which cards to use). A context may
have several seasons: the first whose threshold is not above the estimated distance of the game's end applies.

The parameters are how many seasons gaining has and how many playing has; and for each season, those of gaining first,
its threshold, its kind of chooser, and one number per card: its ratio or weight (they add up to 1), or its place from
1 on; 0 for a card that is not used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.games.dominion.kingdoms import find_card
from hiddenhand.games.dominion.state import WIDTH
from hiddenhand.learning.chromosomes import Ranks, Ratios

RANDOM, WEIGHTED, RANKS, RATIOS = range(4)
KINDS = ("random", "weighted", "ranks", "ratios")

MOST_SEASONS = 8  # of both contexts together

TURNING_POINT = 100  # the threshold of the first of two seasons, unless told otherwise


@dataclass(frozen=True)
class Season:
    """A chooser and when it applies."""

    kind: int
    chromosome: Ranks | Ratios | None = None
    """None for random choice."""
    threshold: int = 0

    def numbers(self) -> np.ndarray[Any, Any]:
        """float64[WIDTH], as the parameters hold them."""
        row = np.zeros(WIDTH)
        if isinstance(self.chromosome, Ranks):
            for place, name in enumerate(self.chromosome.used):
                row[find_card(name)] = place + 1
        elif isinstance(self.chromosome, Ratios):
            total = sum(value for _, value in self.chromosome.used)
            for name, value in self.chromosome.used:
                row[find_card(name)] = value / total
        return row


@dataclass(frozen=True)
class Genome:
    """Everything that a strategy of these models consists of."""

    gaining: tuple[Season, ...]
    playing: tuple[Season, ...] = (Season(RANDOM),)

    def parameters(self) -> dict[str, Any]:
        """The fields of the record that compiled code reads."""
        seasons = [*self.gaining, *self.playing]
        if len(seasons) > MOST_SEASONS:
            raise UserError(
                "a genome has at most {most} seasons, and this has {n}", most=MOST_SEASONS, n=len(seasons)
            )
        threshold, kind = np.zeros(MOST_SEASONS), np.zeros(MOST_SEASONS, np.int64)
        numbers = np.zeros((MOST_SEASONS, WIDTH))
        for i, season in enumerate(seasons):
            threshold[i], kind[i], numbers[i] = season.threshold, season.kind, season.numbers()
        return {
            "gaining_seasons": np.int64(len(self.gaining)),
            "playing_seasons": np.int64(len(self.playing)),
            "threshold": threshold,
            "kind": kind,
            "numbers": numbers,
        }
