"""The evolutions of Peter Fulla's thesis on Dominion (2012), chapter 6: which there are, and each kept in a file.

Twelve models on the set First Game, and the model that did best there on the four other sets of the rulebook. Each
is an experiment of several runs. A finished one is never evolved again, and one that was stopped goes on.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.lab.evolving import evolve
from hiddenhand.lab.match import Progress

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
class Course:
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
    experiment: Experiment, runs: int, generations: int, folder: Path, workers: int, progress: Progress | None
) -> Course:
    """An experiment's course: read from its file, or evolved and written there."""
    name = f"{experiment.model.replace(':playing=', '-')}-{experiment.kingdom.replace(' ', '_')}-{runs}x{generations}"
    kept = folder / f"{name}.json"
    if kept.exists():
        return read_course(kept)
    genome = folder / f"{name}.genome"
    evolved = evolve(
        "dominion",
        experiment.model,
        runs=runs,
        generations=generations,
        seed=SEED,
        output=genome,
        resume=genome.with_name(f"{genome.name}.part.json").exists(),
        progress=progress,
        workers=workers,
        kingdom=experiment.kingdom,
    )
    new = kept.with_name(f"{kept.name}.new")
    new.write_text(json.dumps(evolved.to_json(), indent=1) + "\n", encoding="utf-8")
    new.replace(kept)
    return read_course(kept)


def read_course(path: Path) -> Course:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return Course(**{field.name: told[field.name] for field in fields(Course)})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} cannot be read: {error}; remove it to evolve anew") from None
