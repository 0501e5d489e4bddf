"""Evolving strategies: several runs of an evolution side by side, measured against one opponent or several.

A game declares its models, by name (`define(..., models=...)`; see `learning.evolution`). The fitness of
a genome is how many games it wins, FITNESS_GAMES against each opponent unless told otherwise, a shared victory
counted as won; among equals, its victory points. All genomes of a generation play the same deals, every generation
others.

With a hall of fame, the best of the last few generations are opponents too, each as important as any other: what
merely beats the opponents is then no longer enough. Only different genomes have a place there.

The best of each generation is measured in MEASURED_GAMES games on deals of its own, against the opponents without the
hall: these are the curves. The best of all by these measurements (polished if that is wanted, see `polishing`) is
tested on deals that were never used before, and written to a file that its agent reads.

The seed determines everything, whoever plays the games. Runs advance together, one generation at a time; what there
is is saved every few seconds and on Ctrl-C.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hiddenhand.core import resolver
from hiddenhand.lab.duels import Bench
from hiddenhand.lab.evolving.finding import find_model
from hiddenhand.lab.evolving.plan import Plan
from hiddenhand.lab.evolving.result import Evolved
from hiddenhand.lab.evolving.work import Work
from hiddenhand.lab.executors import open_runner
from hiddenhand.lab.match import Progress
from hiddenhand.learning.evolution import MUTANTS

__all__ = ["Evolved", "Plan", "Work", "evolve", "find_model"]


def evolve(
    game: str,
    model: str,
    runs: int = 1,
    generations: int = 100,
    opponent: str | Sequence[str] = "bigmoney",
    seed: int = 1,
    output: str | Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    workers: int = 1,
    mutants: int = MUTANTS,
    measure_again: bool = True,
    games: int | None = None,
    hall: int = 0,
    polish: int = 0,
    **options: Any,
) -> Evolved:
    """Evolve the genomes of a model against an opponent or several, and write the winner to a file.

    mutants         of each parent, in every generation
    measure_again   parents are measured again in every generation, with their mutants
    games           by which a genome's fitness is measured, against each opponent
    hall            places in the hall of fame: how many of the last winners are opponents too
    polish          passes through the small steps by which the winner may become better or simpler
    """
    opponents = [opponent] if isinstance(opponent, str) else list(opponent)
    of = resolver.game(game, **options)
    plan = Plan(of, model, runs, generations, opponents, seed, mutants, measure_again, games, hall, polish)
    path = Path(output or f"{model.partition(':')[0]}.genome")
    runner = open_runner(workers)
    try:
        work = Work(plan, path, Bench(plan.duel, runner))
        if resume:
            work.load()
        return work.finish(progress)
    finally:
        runner.stop()
