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

from dataclasses import replace
from pathlib import Path
from typing import Any

from hiddenhand.core.extras import Evolvable
from hiddenhand.core.game import Game
from hiddenhand.core.processes import Workers
from hiddenhand.core.text import Text
from hiddenhand.lab.evolution.duels import Duels
from hiddenhand.lab.evolution.league import LeagueWork
from hiddenhand.lab.evolution.league_result import LeagueResult
from hiddenhand.lab.evolution.plan import EvolutionPlan, find_model, require_polishable
from hiddenhand.lab.evolution.result import EvolutionResult
from hiddenhand.lab.evolution.work import EvolutionWork
from hiddenhand.lab.runner import Running, run
from hiddenhand.lab.work_kinds import PageSupport, work

__all__ = ["EvolutionPlan", "EvolutionResult", "EvolutionWork", "evolve"]


def require_model(game: Game, order: Any) -> None:
    """Refuse a model that the game does not have, and what it cannot do."""
    model = find_model(game, order.model)
    if order.polish:
        require_polishable(model, order.model)


@work(
    "evolve",
    EvolutionPlan,
    unit=Text("generations"),
    output="Where to write the result.",
    former={"opponent": "opponents"},
    page=PageSupport(
        Text("evolution"),
        offered=lambda game: bool(game.extra(Evolvable, Evolvable({})).declared),
        require=require_model,
        file="evolved.genome",
    ),
)
def evolve(plan: EvolutionPlan, running: Running, pool: Workers) -> EvolutionResult | LeagueResult:
    """Let strategies evolve: mutants of the best play against an opponent, generation after generation.

    The winner is written to a file that an agent reads, and the course of all runs is drawn. Ctrl-C loses nothing:
    repeat the command with --resume.
    """
    path = Path(running.output or f"{plan.model.partition(':')[0]}.genome")
    kind = LeagueWork if plan.league else EvolutionWork
    breeding = kind(plan, path, Duels(plan.duel, pool))
    result: EvolutionResult | LeagueResult = run(breeding, replace(running, output=str(path)))
    return result
