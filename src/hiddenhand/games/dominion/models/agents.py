"""Agents that play as a genome says: any genome given as text, and the best two of the thesis."""

from collections.abc import Callable
from typing import Any

from hiddenhand.core.game import Game, blank_state
from hiddenhand.core.policy import policy
from hiddenhand.core.text import Text
from hiddenhand.games.dominion.cards import NAMES
from hiddenhand.games.dominion.models.extremal import decide
from hiddenhand.games.dominion.models.genome import Genome, Season
from hiddenhand.games.dominion.models.genome_text import read_genome
from hiddenhand.games.dominion.models.published import PUBLISHED
from hiddenhand.games.dominion.models.reasons import explain
from hiddenhand.learning.chromosomes import Ranks, Ratios


def cards_of(game: Game) -> tuple[str, ...]:
    """The names of the cards in this game's supply."""
    return tuple(NAMES[card] for card in blank_state(game)[0].piles)


def read_parameters(game: Game, text: str) -> Any:
    return read_genome(text, cards_of(game)).parameters()


def published_parameters(name: str) -> Callable[[Game], Any]:
    """A published genome in any kingdom: cards that are not in it are left out."""

    def parameters(game: Game) -> Any:
        genome = read_genome(PUBLISHED[name].text)
        cards = cards_of(game)
        parts = [tuple(without(season, cards) for season in part) for part in (genome.gaining, genome.playing)]
        return Genome(*parts).parameters()

    return parameters


def without(season: Season, cards: tuple[str, ...]) -> Season:
    """A season that speaks of these cards alone."""
    chromosome = season.chromosome
    if isinstance(chromosome, Ranks):
        chromosome = Ranks(cards, tuple(name for name in chromosome.used if name in cards))
    elif isinstance(chromosome, Ratios):
        chromosome = Ratios(cards, tuple(pair for pair in chromosome.used if pair[0] in cards))
    return Season(season.kind, chromosome, season.threshold)


@policy(
    Text(
        "a strategy as what to own and what to play: {example}, or @FILE",
        example="{gaining1: {Gold: 0.6}, gaining2: [Province, Duchy]}",
    ),
    reads=read_parameters,
    example="{gaining1: {Gold: 3.1e-01, Silver: 2.1e-01}, gaining2: [Province, Duchy, Gold], playing: [Estate]}",
)
def genome(view, seat, actions, memory, parameters, rng):
    return decide(view, seat, actions, parameters, rng)


@policy(
    Text("a strategy for the cards of First Game, evolved and published by Peter Fulla (2012)"),
    knowledge=published_parameters("seasonal"),
)
def published(view, seat, actions, memory, parameters, rng):
    return decide(view, seat, actions, parameters, rng)


@policy(
    Text("a strategy for the cards of Size Distortion, evolved and published by Peter Fulla (2012)"),
    knowledge=published_parameters("seasonal, Size Distortion"),
)
def published_size(view, seat, actions, memory, parameters, rng):
    return decide(view, seat, actions, parameters, rng)


for agent in (genome, published, published_size):
    agent.explains(explain)
