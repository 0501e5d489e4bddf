"""Bayesian optimisation: find the numbers for which an expensive, noisy function is largest, in few evaluations.

A model of the function is kept, built from all evaluations so far; the next point is the one where the model promises
most. The model is that of tree-structured Parzen estimators, as optuna implements it (Bergstra et al., 2011): one
density of the good points, one of the others, and new points where their ratio is high.

Everything is kept in a journal file, so that a search can be stopped at any time and go on later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Point = dict[str, float]
Told = Callable[[int, float], None]


class Search:
    """A search for the best point within bounds, kept in a file."""

    def __init__(self, bounds: Mapping[str, tuple[float, float]], start: Point, journal: Path, seed: int) -> None:
        import optuna
        from optuna.storages import JournalStorage
        from optuna.storages.journal import JournalFileBackend

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.bounds = dict(bounds)
        sampler = optuna.samplers.TPESampler(seed=seed, multivariate=False, n_startup_trials=20)
        self.study = optuna.create_study(
            study_name="search",
            storage=JournalStorage(JournalFileBackend(str(journal))),
            sampler=sampler,
            direction="maximize",
            load_if_exists=True,
        )
        if not self.study.trials:
            self.study.enqueue_trial(start)
            for point in near(start, self.bounds, seed):
                self.study.enqueue_trial(point)

    @property
    def done(self) -> int:
        """How many evaluations are finished."""
        from optuna.trial import TrialState

        return len(self.study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,)))

    def run(self, function: Callable[[Point], float], evaluations: int, told: Told | None = None) -> None:
        """Evaluate until there are so many evaluations in all."""
        while self.done < evaluations:
            trial = self.study.ask()
            point = {name: trial.suggest_float(name, low, high) for name, (low, high) in self.bounds.items()}
            try:
                value = function(point)
            except KeyboardInterrupt:
                self.study.tell(trial, state=failed())
                raise
            self.study.tell(trial, value)
            if told is not None:
                told(self.done, value)

    def best(self, count: int) -> list[Point]:
        """The points with the highest values."""
        from optuna.trial import TrialState

        trials = self.study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
        ranked = sorted(trials, key=lambda trial: -(trial.value or 0.0))
        return [dict(trial.params) for trial in ranked[:count]]

    def values(self) -> list[float]:
        """Every value, in order."""
        from optuna.trial import TrialState

        return [t.value or 0.0 for t in self.study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))]


def failed() -> Any:
    from optuna.trial import TrialState

    return TrialState.FAIL


def near(start: Point, bounds: Mapping[str, tuple[float, float]], seed: int, count: int = 24) -> list[Point]:
    """Points around the start, a few of whose numbers are moved: the first things worth trying."""
    import random

    draw = random.Random(seed)
    points = []
    for _ in range(count):
        point = dict(start)
        for name in draw.sample(sorted(bounds), k=max(1, len(bounds) // 5)):
            low, high = bounds[name]
            point[name] = min(high, max(low, point[name] + draw.gauss(0.0, 0.12 * (high - low))))
        points.append(point)
    return points
