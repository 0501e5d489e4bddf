"""Evolution: the best mu of the parents and their mutants, or of the mutants alone, are the next parents.

The method of Bäck and Schwefel (1993), with the numbers of Peter Fulla (2012). It knows no game: somebody else
measures the candidates of a generation, so that those of several runs can be measured together, in any process:

    while evolution.generation < 100:
        candidates = evolution.candidates()
        evolution.advance(evolution.selected(candidates, [fitness(genome) for genome in candidates]))

Five parents have ten mutants each, as Fulla writes, though he calls it (5 + 10), which would be two of each parent.
In a few runs of ours those with fewer mutants mostly got stuck. A selection (mu, lambda) forgets the parents. Some of
the mutants may have two parents, if somebody says how those are combined.

A fitness is a tuple; the first number decides, the second among equals, and so on. Measurements are noisy, so by
default parents are measured again together with their mutants, on the same deals: a parent that was lucky once would
otherwise keep its place for ever. Of equals the younger stays, so that the population can drift.

Everything random comes from the seed and the number of the generation: a run that is stopped goes on as if it had not
been.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

import numpy as np

from hiddenhand.core.settings import Setting
from hiddenhand.kernel import derive

if TYPE_CHECKING:
    from hiddenhand.core.game import Game

G = TypeVar("G")
Fitness = tuple[float, ...]

POPULATION = 5
MUTANTS = 10  # of each parent
PLUS, COMMA = "plus", "comma"  # whether parents compete with their mutants
BEGINNING = -1  # the seed of the first generation is split from this number, of the others from their own


@dataclass(frozen=True)
class Scheme:
    """How many there are in a generation, and who has a place in the next."""

    population: int = POPULATION
    mutants: int = MUTANTS
    """Of each parent."""
    measure_again: bool = True
    selection: str = PLUS
    recombined: float = 0.0
    """The share of mutants that have two parents."""


class Evolution(Generic[G]):
    """One run: its population, and what the next generation is chosen from."""

    def __init__(
        self,
        initial: G,
        mutate: Callable[[G, np.random.Generator], G],
        seed: int,
        scheme: Scheme = Scheme(),
        recombine: Callable[[G, G, np.random.Generator], G] | None = None,
        beginners: Sequence[G] = (),
    ) -> None:
        self.mutate = mutate
        self.recombine = recombine
        self.seed = seed
        self.scheme = scheme
        self.beginners = beginners
        """Candidates of the first generation, in addition to the mutants of `initial`."""
        self.generation = 0
        self.parents: list[G] = [initial] * scheme.population
        self.fitness: list[Fitness] = []
        """Of the parents, the best first; empty before the first generation."""

    def candidates(self) -> list[G]:
        """What must be measured in this generation: the mutants, then (as a rule) the parents."""
        rng = np.random.default_rng(derive(self.seed, self.generation))
        mutants = [self.mutant(parent, rng) for parent in self.parents for _ in range(self.scheme.mutants)]
        if self.generation == 0:
            return [*mutants, *self.beginners, *self.parents]
        again = self.scheme.measure_again and self.scheme.selection == PLUS
        return [*mutants, *self.parents] if again else mutants

    def mutant(self, parent: G, rng: np.random.Generator) -> G:
        share = self.scheme.recombined
        if self.recombine is not None and share > 0.0 and rng.random() < share:
            parent = self.recombine(parent, self.parents[int(rng.integers(len(self.parents)))], rng)
        return self.mutate(parent, rng)

    def selected(self, candidates: Sequence[G], fitness: Sequence[Fitness]) -> list[tuple[G, Fitness]]:
        """The next parents with their fitness, the best first."""
        everyone = list(zip(candidates, fitness))
        if self.generation > 0 and self.scheme.selection == PLUS and not self.scheme.measure_again:
            everyone += zip(self.parents, self.fitness)
        return sorted(everyone, key=lambda pair: pair[1], reverse=True)[: len(self.parents)]

    def advance(self, selected: Sequence[tuple[G, Fitness]]) -> None:
        """These are the parents of the next generation."""
        self.parents = [genome for genome, _ in selected]
        self.fitness = [fitness for _, fitness in selected]
        self.generation += 1


class Model(Protocol[G]):
    """What can be evolved: genomes, how they change, and how they play."""

    agent: str
    """The agent that reads a genome's text."""

    def initial(self) -> G: ...

    def mutate(self, genome: G, rng: np.random.Generator) -> G: ...

    def text(self, genome: G, exact: bool = False) -> str:
        """The genome as people read it and as the agent reads it; `exact`: nothing is rounded."""
        ...

    def read(self, text: str) -> G: ...

    def parameters(self, genome: G) -> np.record:
        """The record of parameters with which the agent plays as this genome says."""
        ...


@runtime_checkable
class Recombinable(Protocol[G]):
    """A model whose genomes can have two parents."""

    def recombine(self, genome: G, other: G, rng: np.random.Generator) -> G: ...


@runtime_checkable
class Scattered(Protocol):
    """A model that can draw a genome at random, to begin from."""

    def drawn(self, rng: np.random.Generator) -> object: ...


@runtime_checkable
class Referenced(Protocol):
    """A model that knows strategies of people: opponents in a league, and something to begin from."""

    def references(self) -> dict[str, Any]:
        """The genomes by their names, as far as they can be played."""
        ...


@runtime_checkable
class Polishable(Protocol[G]):
    """A model whose genomes can be improved step by step in the end."""

    def simpler(self, genome: G) -> Iterable[G]:
        """The genomes with one thing less."""
        ...

    def neighbours(self, genome: G) -> Iterable[G]:
        """Those that differ by one small step."""
        ...

    def longer(self, genome: G) -> Iterable[G]:
        """Those with one thing more."""
        ...


@dataclass(frozen=True)
class ModelKind:
    """A model that a game declares, before its settings are chosen."""

    summary: str
    make: Callable[..., Model[Any]]
    """make(game, **values)"""
    settings: dict[str, Setting]

    def of(self, game: Game, **values: Any) -> Model[Any]:
        return self.make(game, **values)
