"""Polishing: the best genome is improved one small step at a time, each measured by many games on the same deals.

Evolution measures a genome by few games, so that what it ends with carries things that do nothing, and numbers that
are one too high or too low. In every pass simpler genomes are tried first and taken if they are no worse, then
neighbours, taken if they are better. From the second pass on longer ones are tried too. There are many, and most are
bad: one that is clearly worse in the first few games is given up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hiddenhand.learning.evolution import Polishable

FEWER = 5  # the first few games are one in so many
CLEARLY = 0.005  # the share of them by which something is clearly worse

Wins = Callable[[Any, int], float]
"""wins(genome, games)"""


def polished(model: Polishable[Any], genome: Any, wins: Wins, games: int, passes: int) -> Any:
    """The genome after so many passes, fewer if one of them changes nothing."""
    for number in range(passes):
        before = genome
        genome = climbed(genome, model.simpler, lambda new, old: wins(new, games) >= wins(old, games))
        genome = climbed(genome, model.neighbours, lambda new, old: wins(new, games) > wins(old, games))
        if number > 0:
            genome = climbed(genome, model.longer, lambda new, old: wins_soon(new, old, wins, games))
            if genome == before:
                break
    return genome


def climbed(genome: Any, steps: Callable[[Any], Iterable[Any]], is_better: Callable[[Any, Any], bool]) -> Any:
    """What the genome becomes by these steps; the same genome is never tried twice."""
    tried = {genome}
    while True:
        new = next((other for other in steps(genome) if other not in tried), None)
        if new is None:
            return genome
        tried.add(new)
        if is_better(new, genome):
            genome = new


def wins_soon(new: Any, old: Any, wins: Wins, games: int) -> bool:
    """Whether the new genome wins more, found out by few games if it is clearly worse."""
    few = max(games // FEWER, 1)
    if wins(new, few) < wins(old, few) - CLEARLY * few:
        return False
    return wins(new, games) > wins(old, games)
