"""The twelve models: which chooser gains, which one plays. Evolution starts from genomes that use no card at all."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from hiddenhand.core.game import Game
from hiddenhand.core.policy import record_of
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.games.dominion.models.agents import cards_of
from hiddenhand.games.dominion.models.genome import RANDOM, RANKS, RATIOS, TURNING_POINT, WEIGHTED, Genome, Season
from hiddenhand.games.dominion.models.genome_text import read_genome, write_genome
from hiddenhand.learning.chromosomes import ADDING, RATE, STRENGTH, Mutation, Ranks, Ratios
from hiddenhand.learning.evolution import ModelKind

PLAYING = {"random": RANDOM, "ranks": RANKS}
SETTINGS = {
    "playing": Setting("ranks", Text("how Actions are chosen"), choices=tuple(PLAYING)),
    "rate": Setting(RATE, Text("the probability that a gene changes"), low=0.0, high=1.0),
    "strength": Setting(STRENGTH, Text("the standard deviation of its change"), low=0.0, high=10.0),
    "l": Setting(ADDING, Text("with m cards in use one more comes with probability exp(l m)"), low=-10.0, high=0.0),
    "threshold": Setting(TURNING_POINT, Text("how far the end is when the second season begins"), low=0, high=1000),
}
GAINING = {
    "weighted": ((WEIGHTED,), Text("cards are drawn by weights")),
    "ranks": ((RANKS,), Text("the first of a ranking that can be had")),
    "ratios": ((RATIOS,), Text("what the deck lacks most, by the ratios of an ideal deck")),
    "seasonal": ((RATIOS, RANKS), Text("ratios at first, ranks when the end is near")),
    "seasonal-weighted": ((WEIGHTED, RANKS), Text("weights at first, ranks when the end is near")),
    "seasonal-ranks": ((RANKS, RANKS), Text("ranks at first, other ranks when the end is near")),
}


class ExtremalModel:
    """Genomes for one kingdom, with these kinds of choosers."""

    agent = "genome"

    def __init__(
        self,
        gaining: tuple[int, ...],
        game: Game,
        playing: str,
        threshold: int = TURNING_POINT,
        **mutation: float,
    ) -> None:
        """mutation: rate, strength, and l, as the thesis calls it"""
        self.gaining = gaining
        self.playing = PLAYING[playing]
        self.how = Mutation(**{"adding" if name == "l" else name: value for name, value in mutation.items()})
        self.threshold = threshold
        self.cards = cards_of(game)

    def initial(self) -> Genome:
        last = len(self.gaining) - 1
        gaining = [self.empty(kind, self.threshold if i < last else 0) for i, kind in enumerate(self.gaining)]
        return Genome(tuple(gaining), (self.empty(self.playing, 0),))

    def empty(self, kind: int, threshold: int) -> Season:
        if kind == RANDOM:
            return Season(RANDOM)
        return Season(kind, Ranks(self.cards) if kind == RANKS else Ratios(self.cards), threshold)

    def mutate(self, genome: Genome, rng: np.random.Generator) -> Genome:
        """Every chromosome mutates."""

        def mutated(season: Season) -> Season:
            if season.chromosome is None:
                return season
            return replace(season, chromosome=season.chromosome.mutated(rng, self.how))

        return Genome(tuple(map(mutated, genome.gaining)), tuple(map(mutated, genome.playing)))

    def recombine(self, genome: Genome, other: Genome, rng: np.random.Generator) -> Genome:
        """Every chromosome is mixed with its counterpart."""

        def mixed(pair: tuple[Season, Season]) -> Season:
            one, two = pair[0].chromosome, pair[1].chromosome
            if isinstance(one, Ranks) and isinstance(two, Ranks):
                return replace(pair[0], chromosome=one.mixed(two, rng))
            if isinstance(one, Ratios) and isinstance(two, Ratios):
                return replace(pair[0], chromosome=one.mixed(two, rng))
            return pair[0]

        gaining = tuple(map(mixed, zip(genome.gaining, other.gaining)))
        return Genome(gaining, tuple(map(mixed, zip(genome.playing, other.playing))))

    def text(self, genome: Genome, exact: bool = False) -> str:
        return write_genome(genome, exact)

    def read(self, text: str) -> Genome:
        return read_genome(text, self.cards)

    def parameters(self, genome: Genome) -> Any:
        return record_of(genome.parameters())


MODELS = {
    name: ModelKind(summary, partial(ExtremalModel, kinds), SETTINGS) for name, (kinds, summary) in GAINING.items()
}
