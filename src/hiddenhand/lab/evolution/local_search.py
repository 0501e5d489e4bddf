"""Polishing: the best genome is improved one small step at a time, each measured by many games on the same deals.

Evolution measures a genome by few games, so that what it ends with carries things that do nothing, and numbers that
are one too high or too low. In every pass simpler genomes are tried first and taken if they are no worse, then
neighbours, taken if they are better. From the second pass on longer ones are tried too. There are many, and most are
bad: one that is clearly worse in the first few games is given up.

Polishing asks, and somebody else plays: the generators here yield (genome, games), how often this genome wins in so
many games, and are sent the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Any

from hiddenhand.learning.evolution import Polishable

FEWER = 5  # the first few games are one in so many
CLEARLY = 0.005  # the share of them by which something is clearly worse

Question = tuple[Any, int]
Asking = Generator[Question, float, Any]
Judged = Callable[[Any, Any, int], Generator[Question, float, bool]]
"""judged(new, old, games): whether the new genome is taken"""


def polished(model: Polishable[Any], genome: Any, games: int, passes: int) -> Asking:
    """The genome after so many passes, fewer if one of them changes nothing."""
    for number in range(passes):
        before = genome
        genome = yield from climbed(genome, model.simpler, no_worse, games)
        genome = yield from climbed(genome, model.neighbours, better, games)
        if number > 0:
            genome = yield from climbed(genome, model.longer, soon_better, games)
            if genome == before:
                break
    return genome


def climbed(genome: Any, steps: Callable[[Any], Iterable[Any]], judged: Judged, games: int) -> Asking:
    """What the genome becomes by these steps; the same genome is never tried twice."""
    tried = {genome}
    while True:
        new = next((other for other in steps(genome) if other not in tried), None)
        if new is None:
            return genome
        tried.add(new)
        if (yield from judged(new, genome, games)):
            genome = new


def no_worse(new: Any, old: Any, games: int) -> Generator[Question, float, bool]:
    return (yield new, games) >= (yield old, games)


def better(new: Any, old: Any, games: int) -> Generator[Question, float, bool]:
    return (yield new, games) > (yield old, games)


def soon_better(new: Any, old: Any, games: int) -> Generator[Question, float, bool]:
    """Whether the new genome wins more, found out by few games if it is clearly worse."""
    few = max(games // FEWER, 1)
    if (yield new, few) < (yield old, few) - CLEARLY * few:
        return False
    return (yield from better(new, old, games))


class Polishing:
    """Polishing under way: the answers so far, and the question that waits for one."""

    def __init__(self, asking: Asking) -> None:
        self.asking = asking
        self.answers: dict[Question, float] = {}
        self.question: Question | None = None
        self.polished: Any = None
        """The genome in the end; then there is no question."""
        self.go_on(None)

    def answer(self, wins: float) -> None:
        assert self.question is not None
        self.answers[self.question] = wins
        self.go_on(wins)

    def go_on(self, wins: float | None) -> None:
        """Up to the next question that was not asked before."""
        try:
            self.question = self.asking.send(wins) if wins is not None else next(self.asking)
            while self.question in self.answers:
                self.question = self.asking.send(self.answers[self.question])
        except StopIteration as end:
            self.question, self.polished = None, end.value
