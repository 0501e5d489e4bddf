"""Polishing: the best genome is improved one small step at a time, each measured by many games on the same deals.

Evolution measures a genome by few games, so that what it ends with carries things that do nothing, and numbers that
are one too high or too low. Simpler genomes are tried first and taken if they are no worse, others if they are
better.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hiddenhand.learning.evolution import Polishable


def polished(model: Polishable[Any], genome: Any, wins: Callable[[Any], float], passes: int) -> Any:
    """The genome after so many passes through its neighbours, fewer if a pass changes nothing."""
    best = wins(genome)
    for _ in range(passes):
        before = genome
        for neighbours, least in ((model.simpler, 0.0), (model.neighbours, 1e-9)):
            tried = {genome}
            while True:
                new = next((other for other in neighbours(genome) if other not in tried), None)
                if new is None:
                    break
                tried.add(new)
                if (score := wins(new)) >= best + least:
                    genome, best = new, score
        if genome == before:
            break
    return genome
