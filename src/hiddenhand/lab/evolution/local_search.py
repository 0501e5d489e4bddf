"""Local search: the best genome is improved by small steps, each of them measured by many games on the same deals.

Evolution measures a genome by few games. What it ends with therefore contains entries that do nothing, and numbers
that are one too high or too low. Every pass of the local search first tries simpler genomes, which are accepted if
they are no worse; then it tries neighbours, which are accepted if they are better. From the second pass on it also
tries longer genomes. There are many of them, and most are bad: one that is clearly worse in the first few games is
given up.

The functions here play no games themselves. They are generators that yield an evaluation that they need, as (genome,
games), and are sent the answer: how often this genome wins in that many games.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Any

from hiddenhand.learning.evolution import Polishable

FEWER = 5
"""A first impression takes one game in this many."""
CLEARLY = 0.005
"""The difference in the share of games won from which a genome is clearly worse."""

Evaluation = tuple[Any, int]
"""A genome, and by how many games it is to be measured."""
Search = Generator[Evaluation, float, Any]
Acceptance = Callable[[Any, Any, int], Generator[Evaluation, float, bool]]
"""accepts(new, old, games): whether the new genome takes the place of the old one."""


def improved(model: Polishable[Any], genome: object, games: int, passes: int) -> Search:
    """The genome after this many passes, or after the first pass that changes nothing."""
    for number in range(passes):
        before = genome
        genome = yield from hill_climb(genome, model.simpler, no_worse, games)
        genome = yield from hill_climb(genome, model.neighbours, better, games)
        if number > 0:
            genome = yield from hill_climb(genome, model.longer, soon_better, games)
            if genome == before:
                break
    return genome


def hill_climb(genome: object, steps: Callable[[Any], Iterable[Any]], accepts: Acceptance, games: int) -> Search:
    """What the genome becomes by accepted steps; the same genome is never tried twice.

    steps     steps(genome): the genomes that are one step away
    accepts   decides whether such a genome is taken
    """
    tried = {genome}
    while True:
        new = next((other for other in steps(genome) if other not in tried), None)
        if new is None:
            return genome
        tried.add(new)
        if (yield from accepts(new, genome, games)):
            genome = new


def no_worse(new: object, old: object, games: int) -> Generator[Evaluation, float, bool]:
    return (yield new, games) >= (yield old, games)


def better(new: object, old: object, games: int) -> Generator[Evaluation, float, bool]:
    return (yield new, games) > (yield old, games)


def soon_better(new: object, old: object, games: int) -> Generator[Evaluation, float, bool]:
    """Whether the new genome wins more often; a few games are enough to refuse one that is clearly worse."""
    few = max(games // FEWER, 1)
    if (yield new, few) < (yield old, few) - CLEARLY * few:
        return False
    return (yield from better(new, old, games))


class LocalSearch:
    """A local search under way: the answers so far, and the evaluation that it waits for."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.answers: dict[Evaluation, float] = {}
        self.question: Evaluation | None = None
        self.best: Any = None
        """The genome in the end; then there is no question."""
        self.go_on(None)

    def answer(self, wins: float) -> None:
        """Answer the question."""
        assert self.question is not None
        self.answers[self.question] = wins
        self.go_on(wins)

    def go_on(self, wins: float | None) -> None:
        """Go on to the next question that was not asked before."""
        try:
            self.question = self.search.send(wins) if wins is not None else next(self.search)
            while self.question in self.answers:
                self.question = self.search.send(self.answers[self.question])
        except StopIteration as end:
            self.question, self.best = None, end.value
