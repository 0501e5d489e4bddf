"""Evolving strategies: several runs of an evolution side by side, measured against one opponent or several.

A game declares its models, by name (`define(..., models=...)`; see `learning.evolution`). The fitness of
a genome is how many games it wins, FITNESS_GAMES against each opponent unless told otherwise, a shared victory
counted as won; among equals, its victory points. All genomes of a generation play the same deals, every generation
others.

With a hall of fame, the best of the last few generations are opponents too, each as important as any other: what
merely beats the opponents is then no longer enough. Only different genomes have a place there.

A generation may be measured in several rounds: everybody plays a few games, the better half four times as many more,
the better half of those four times as many again. So the best are known well, and little time goes to the others.

The best of each generation is measured in MEASURED_GAMES games on deals of its own, against the opponents without the
hall: these are the curves. The best of all by these measurements (polished if that is wanted, see `local_search`) is
tested on deals that were never used before, and written to a file that its agent reads.

The seed determines everything, whoever plays the games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiddenhand.core import resolver
from hiddenhand.core.game import Game
from hiddenhand.lab.curves import SoFar
from hiddenhand.lab.evolution.duels import Duels
from hiddenhand.lab.evolution.league import LeagueWork
from hiddenhand.lab.evolution.league_result import LeagueResult
from hiddenhand.lab.evolution.plan import NUMBERS, EvolutionPlan
from hiddenhand.lab.evolution.result import EvolutionResult
from hiddenhand.lab.evolution.work import EvolutionWork
from hiddenhand.lab.executors import open_workers
from hiddenhand.lab.match import open_store
from hiddenhand.lab.runner import Progress, Running, run

if TYPE_CHECKING:
    from hiddenhand.lab.store import Store

__all__ = ["EvolutionPlan", "EvolutionResult", "EvolutionWork", "evolve", "run_evolution"]

OPPONENT = "bigmoney"
"""Against whom everybody is measured, unless somebody else is named."""


def evolve(  # noqa: PLR0913  (what a user may say; inside it is a plan)
    game: Game | str,
    model: str,
    opponent: str | Sequence[str] = OPPONENT,
    output: str | Path | None = None,
    workers: int = 1,
    store: Store | str | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    watch: Callable[[SoFar], None] | None = None,
    **more: Any,
) -> EvolutionResult | LeagueResult:
    """Evolve the genomes of a model against an opponent or several, and write the winner to a file.

    Further arguments: those of `EvolutionPlan` (runs, generations, seed, ...), and the options of the game.
    """
    numbers = {name: more.pop(name) for name in (*NUMBERS, "start") if name in more}
    opponents = [opponent] if isinstance(opponent, str) else list(opponent)
    plan = EvolutionPlan(resolver.game(game, more), model, opponents, **numbers)
    with open_store(store) as opened:
        return run_evolution(plan, Running(opened, resume, progress, watch, str(output or "")), workers)


def run_evolution(plan: EvolutionPlan, running: Running, workers: int = 1) -> EvolutionResult | LeagueResult:
    """Carry out a plan; the winner is written to `running.output`, or a file named after the model."""
    path = Path(running.output or f"{plan.model.partition(':')[0]}.genome")
    pool = open_workers(workers)
    try:
        kind = LeagueWork if plan.league else EvolutionWork
        work = kind(plan, path, Duels(plan.duel, pool))
        result: EvolutionResult | LeagueResult = run(work, replace(running, output=str(path)))
    finally:
        pool.stop()
    return result
