"""The evolutions of Peter Fulla's thesis on Dominion (2012), chapter 6.

Twelve models on the set First Game, and the model that did best there on the four other sets of the rulebook. Each
is an experiment of several runs.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.resolver import game
from hiddenhand.lab.evolving import EvolutionPlan, run_evolution
from hiddenhand.lab.runner import Running

RUNS, GENERATIONS = 10, 100  # as in the thesis
SEED = 5

FIRST_GAME = "First Game"
SETS = (FIRST_GAME, "Big Money", "Interaction", "Size Distortion", "Village Square")
SIMPLE = ("weighted", "ranks", "ratios")
SEASONAL = {"weighted": "seasonal-weighted", "ranks": "seasonal-ranks", "ratios": "seasonal"}
"""The same chooser at first, and ranks when the end is near."""
PLAYING = ("random", "ranks")
BEST_MODEL = ("seasonal", "ranks")


@dataclass(frozen=True)
class Experiment:
    """What is evolved: how cards are gained, how they are played, and in which kingdom."""

    gaining: str
    playing: str
    kingdom: str = FIRST_GAME

    @property
    def model(self) -> str:
        return f"{self.gaining}:playing={self.playing}"

    def __str__(self) -> str:
        return f"{self.gaining}, playing {self.playing}, {self.kingdom}"


@dataclass(frozen=True)
class Outcome:
    """What came of an experiment."""

    curves: list[list[float]]
    """One per run: how often the best of each generation won or shared."""
    genome: str
    """The best of all runs."""
    wins: float
    """Its share of games won or shared on new deals, with the 95 % interval."""
    ci95: list[float]
    seconds: float

    def heights(self) -> list[float]:
        """The highest point of every run, the best run first."""
        return sorted((max(curve) for curve in self.curves), reverse=True)

    @property
    def highest(self) -> float:
        return self.heights()[0]

    @property
    def median(self) -> float:
        return float(np.median(self.heights()))

    def reached(self, share: float, generation: int | None = None) -> int:
        """How many runs have been above this share by this generation, or at any time."""
        return sum(max(curve[:generation]) > share for curve in self.curves)


EXPERIMENTS = (
    *(Experiment(gaining, playing) for gaining in (*SIMPLE, *SEASONAL.values()) for playing in PLAYING),
    *(Experiment(*BEST_MODEL, kingdom) for kingdom in SETS[1:]),
)


def evolve_experiment(
    experiment: Experiment, runs: int, generations: int, folder: Path, workers: int, running: Running
) -> dict[str, Any]:
    """What comes of an experiment, as JSON; its best genome is written into the folder."""
    name = f"{experiment.model.replace(':playing=', '-')}-{experiment.kingdom.replace(' ', '_')}-{runs}x{generations}"
    of = game("dominion", kingdom=experiment.kingdom)
    plan = EvolutionPlan(of, experiment.model, ("bigmoney",), runs, generations, SEED)
    folder.mkdir(parents=True, exist_ok=True)
    return run_evolution(plan, replace(running, output=str(folder / f"{name}.genome")), workers).to_json()


def outcome(document: dict[str, Any]) -> Outcome:
    return Outcome(**{field.name: document[field.name] for field in fields(Outcome)})
