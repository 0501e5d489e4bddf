"""Evolution, (mu + lambda): the best mu of the parents and their mutants are the next generation's parents.

The method of Bäck and Schwefel (1993), with the numbers of Peter Fulla (2012). It knows no game: somebody else
measures the candidates of a generation, so that those of several runs can be measured together, in any process:

    while evolution.generation < 100:
        candidates = evolution.candidates()
        evolution.advance(evolution.selected(candidates, [fitness(genome) for genome in candidates]))

Five parents have ten mutants each, as Fulla writes, though he calls it (5 + 10), which would be two of each parent.
In a few runs of ours those with fewer mutants mostly got stuck.

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


class Evolution(Generic[G]):
    """One run: its population, and what the next generation is chosen from."""

    def __init__(
        self,
        initial: G,
        mutate: Callable[[G, np.random.Generator], G],
        seed: int,
        population: int = POPULATION,
        mutants: int = MUTANTS,
        measure_again: bool = True,
    ) -> None:
        self.mutate = mutate
        self.seed = seed
        self.mutants = mutants
        self.measure_again = measure_again
        self.generation = 0
        self.parents: list[G] = [initial] * population
        self.fitness: list[Fitness] = []
        """Of the parents, the best first; empty before the first generation."""

    def candidates(self) -> list[G]:
        """What must be measured in this generation: the mutants, then (as a rule) the parents."""
        rng = np.random.default_rng(derive(self.seed, self.generation))
        mutants = [self.mutate(parent, rng) for parent in self.parents for _ in range(self.mutants)]
        return [*mutants, *self.parents] if self.measure_again or not self.fitness else mutants

    def selected(self, candidates: Sequence[G], fitness: Sequence[Fitness]) -> list[tuple[G, Fitness]]:
        """The next parents with their fitness, the best first."""
        everyone = list(zip(candidates, fitness))
        if len(candidates) == self.mutants * len(self.parents):
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

    def parameters(self, genome: G) -> Any:
        """The record of parameters with which the agent plays as this genome says."""
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
