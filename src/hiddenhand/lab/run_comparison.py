"""Several runs of training beside each other: for each way of learning the interquartile mean of its runs.

    compare_runs({"slow": [train(..., seed=1), train(..., seed=2)], "fast": [...]})

One run says little of a way of learning: another seed, another curve.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text
from hiddenhand.lab.curves import Curve, CurvePoint
from hiddenhand.lab.lab_result import LabResult
from hiddenhand.lab.statistics import Aggregate, aggregated
from hiddenhand.lab.tables import first_column_left
from hiddenhand.lab.training import TrainingResult


@dataclass(repr=False)
class RunComparison(LabResult):
    """What several runs of each way of learning say together."""

    game: str
    runs: dict[str, list[TrainingResult]]

    def tests(self) -> dict[str, Aggregate]:
        """By way of learning: the interquartile mean of what its runs got in the test at their ends."""
        return {name: aggregated(np.array([[run.mean] for run in runs])) for name, runs in self.runs.items()}

    def progress_curves(self) -> list[Curve]:
        """By way of learning: the interquartile means of its runs' curves, as far as all have come."""
        return [curve_of(name, runs) for name, runs in self.runs.items()]

    def headline(self) -> str:
        name, best = max(self.tests().items(), key=lambda found: float(found[1].value))
        return Text("{agent} is the best: {mean:.3f}", agent=name, mean=float(best.value))

    def to_json(self) -> dict[str, Any]:
        tests = {name: [float(each) for each in found] for name, found in self.tests().items()}
        runs = {name: [run.to_json() for run in of] for name, of in self.runs.items()}
        return {"game": self.game, "tests": tests, "runs": runs}

    def __str__(self) -> str:
        rows = [["", Text("runs"), Text("interquartile mean"), Text("95 % interval")]]
        for name, found in self.tests().items():
            span = Text("{low:+.4f} to {high:+.4f}", low=float(found.low), high=float(found.high))
            rows.append([name, str(len(self.runs[name])), f"{float(found.value):+.4f}", span])
        return "\n".join(first_column_left(rows))


def compare_runs(runs: Mapping[str, Sequence[TrainingResult]]) -> RunComparison:
    """Compare ways of learning one game, each by several runs with seeds of their own."""
    games = {run.game for of in runs.values() for run in of}
    if len(games) != 1 or not all(runs.values()):
        raise UserError("runs are compared that learned one game, at least one of each kind")
    return RunComparison(games.pop(), {name: list(of) for name, of in runs.items()})


def curve_of(name: str, runs: Sequence[TrainingResult]) -> Curve:
    """The interquartile mean of some runs, point by point."""
    first = runs[0].progress_curves()[0]
    length = min(len(run.curve) for run in runs)
    together = aggregated(np.array([[run.curve[:length]] for run in runs]))
    numbers = zip(*(each.tolist() for each in together))
    points = [CurvePoint(point.step, *three) for point, three in zip(first.points, numbers)]
    return Curve(name, first.across, first.upwards, points)
