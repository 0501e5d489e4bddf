"""The evolutions of Peter Fulla's thesis on Dominion (2012), chapter 6.

Twelve models on the set First Game, and the model that did best there on the four other sets of the rulebook. Each
is an experiment of several runs. The thesis did not try other settings of the evolution and says so; here the best
model on First Game is evolved again with one setting changed at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.processes import Workers
from hiddenhand.core.resolver import game
from hiddenhand.lab.evolution import EvolutionPlan, evolve
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
OF_THE_EVOLUTION = {"population": int, "mutants": int, "selection": str, "recombined": float}
CHANGES = (
    "population=2", "population=10", "mutants=2", "mutants=20", "selection=comma", "recombined=0.5",
    "rate=0.2", "rate=0.8", "strength=0.5", "strength=2", "l=-0.3466", "l=-0.0866", "threshold=60", "threshold=140",
)  # fmt: skip
"""What is changed, one at a time. Of the thesis: population=5, mutants=10, selection=plus, recombined=0, rate=0.5,
strength=1, l=-0.1733, threshold=100."""


@dataclass(frozen=True)
class EvolutionExperiment:
    """What is evolved: how cards are gained, how they are played, and in which kingdom."""

    gaining: str
    playing: str
    kingdom: str = FIRST_GAME
    change: str = ""
    """A setting that is not as in the thesis: `population=2`."""

    @property
    def model(self) -> str:
        text = f"{self.gaining}:playing={self.playing}"
        return text if not self.change or self.numbers else f"{text},{self.change}"

    @property
    def numbers(self) -> dict[str, Any]:
        """The changed setting, where it is one of the evolution and not of the model."""
        name, _, value = self.change.partition("=")
        return {name: OF_THE_EVOLUTION[name](value)} if name in OF_THE_EVOLUTION else {}

    def __str__(self) -> str:
        text = f"{self.gaining}, playing {self.playing}, {self.kingdom}"
        return f"{text}, {self.change}" if self.change else text


@dataclass(frozen=True)
class EvolutionOutcome:
    """The outcome of an experiment."""

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
    *(EvolutionExperiment(gaining, playing) for gaining in (*SIMPLE, *SEASONAL.values()) for playing in PLAYING),
    *(EvolutionExperiment(*BEST_MODEL, kingdom) for kingdom in SETS[1:]),
)
CHANGED = tuple(EvolutionExperiment(*BEST_MODEL, change=change) for change in CHANGES)


def evolve_experiment(
    experiment: EvolutionExperiment,
    runs: int,
    generations: int,
    folder: Path,
    workers: int | Workers,
    running: Running,
) -> dict[str, Any]:
    """What comes of an experiment, as JSON; its best genome is written into the folder."""
    words = [experiment.model.replace(":playing=", "-").partition(",")[0], experiment.kingdom.replace(" ", "_")]
    name = "-".join([*words, *filter(None, [experiment.change]), f"{runs}x{generations}"])
    of = game("dominion", kingdom=experiment.kingdom)
    plan = EvolutionPlan(of, experiment.model, ("bigmoney",), runs, generations, SEED, **experiment.numbers)
    folder.mkdir(parents=True, exist_ok=True)
    return evolve.run(plan, replace(running, output=str(folder / f"{name}.genome")), workers).to_json()


def outcome(document: dict[str, Any]) -> EvolutionOutcome:
    return EvolutionOutcome(**{field.name: document[field.name] for field in fields(EvolutionOutcome)})
