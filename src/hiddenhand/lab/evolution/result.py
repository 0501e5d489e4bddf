"""The result of an evolution: as data, as text, as a file and as a figure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.text import Text
from hiddenhand.lab.curves import Curve, CurvePoint
from hiddenhand.lab.evolution.duels import Score
from hiddenhand.lab.figures import draw_runs
from hiddenhand.lab.lab_result import LabResult
from hiddenhand.lab.statistics import Aggregate, aggregated, wilson
from hiddenhand.lab.tables import shortened


class OpponentScore(TypedDict):
    """The winner against one opponent, on new deals."""

    opponent: str
    games: int
    wins: float
    """Won or shared, with its 95 % interval."""
    ci95: list[float]
    sole_wins: float
    """Won alone, with its 95 % interval."""
    sole_ci95: list[float]


def score_against(opponent: str, score: Score, games: int) -> OpponentScore:
    """The score of the winner in this many games against an opponent."""
    wins, alone = score.wins / games, score.sole / games
    return {
        "opponent": opponent,
        "games": games,
        "wins": wins,
        "ci95": wilson(wins, games),
        "sole_wins": alone,
        "sole_ci95": wilson(alone, games),
    }


FEWEST_RUNS = 3
"""From so many runs on something is said of all together."""
LONGEST_GENOME = 1000
"""Letters of an agent that is shown with its genome."""


@dataclass(repr=False)
class EvolutionResult(LabResult):
    """The result of an evolution."""

    game: str
    options: dict[str, Any]
    model: str
    opponent: str
    """All of them, in words."""
    seed: int
    generations: int
    seconds: float
    curves: list[list[float]]
    """One per run: how often the best of each generation won, the mean over all opponents."""
    genome: str
    agent: str
    """The agent that plays by the genome, as text."""
    wins: float
    """Won or shared, on new deals, the mean over all opponents, with its 95 % interval."""
    ci95: list[float]
    tests: list[OpponentScore]
    """The same by opponent."""
    command: str
    output: str
    measured: int = 0
    """Games by which each point of the curves was measured."""

    @property
    def play(self) -> str:
        return play_command(self.game, self.options, self.agent)

    def progress_curves(self) -> list[Curve]:
        return run_curves(self.curves, self.measured, self.opponent)

    def headline(self) -> str:
        return Text(
            "{model}: wins or shares {wins:.3f} against {opponent}",
            model=self.model,
            wins=self.wins,
            opponent=shortened(self.opponent),
        )

    def player(self, game: Game, file: str) -> str:
        """The agent that plays by the genome: with all of it, if that is not too long, or else with its file."""
        name = self.agent.partition(":")[0]
        return found if len(found := f"{name}:{self.genome}") <= LONGEST_GENOME else f"{name}:@{file}"

    def to_json(self) -> dict[str, Any]:
        return vars(self)

    def __str__(self) -> str:
        count = len(self.curves)
        evolved = Text.plural(
            "{model} evolved for {generations} generations against {opponent}: {n} run, {seconds:.0f} s",
            "{model} evolved for {generations} generations against {opponent}: {n} runs, {seconds:.0f} s",
            n=count,
            model=self.model,
            generations=self.generations,
            opponent=self.opponent,
            seconds=self.seconds,
        )
        runs = enumerate(self.curves, start=1)
        together = aggregated(np.array([[curve[-1]] for curve in self.curves])) if count >= FEWEST_RUNS else None
        return Text.joined(
            "\n",
            [
                evolved,
                *(Text("  run {number}: {curve}", number=number, curve=curve_text(curve)) for number, curve in runs),
                *([] if together is None else [aggregate_text(together)]),
                *(Text("the best of all {wins}", wins=score_text(test)) for test in self.tests),
                self.genome,
                Text("saved in {file}; the curves in {figure}", file=self.output, figure=figure_path(self)),
                Text("play against it: {command}", command=self.play),
            ],
        )


def run_curves(curves: list[list[float]], games: int, opponent: str) -> list[Curve]:
    """The runs as they are drawn; none before the first generation. `games`: those behind each point."""
    return [
        Curve(
            Text("run {number}", number=number),
            Text("generations"),
            Text("won or shared against {opponent}", opponent=opponent),
            [
                CurvePoint(generation, share, *(wilson(share, games) if games else ()))
                for generation, share in enumerate(curve, start=1)
            ],
        )
        for number, curve in enumerate(curves, start=1)
        if curve
    ]


def curve_text(curve: list[float]) -> str:
    best = max(curve)
    return Text(
        "best {best:.3f} in generation {n}, last {last:.3f}", best=best, n=curve.index(best) + 1, last=curve[-1]
    )


def aggregate_text(together: Aggregate) -> str:
    return Text(
        "  all runs in the end: interquartile mean {value:.3f} (95 % interval {low:.3f} to {high:.3f})",
        **together._asdict(),
    )


def score_text(test: OpponentScore) -> str:
    low, high = test["ci95"]
    alone_low, alone_high = test["sole_ci95"]
    return Text(
        "wins {wins:.3f} (95 % interval {low:.3f} to {high:.3f}) of {n:,} games against {opponent} on new deals, "
        "shared victories included; alone {alone:.3f} ({alone_low:.3f} to {alone_high:.3f})",
        wins=test["wins"],
        low=low,
        high=high,
        n=test["games"],
        opponent=test["opponent"],
        alone=test["sole_wins"],
        alone_low=alone_low,
        alone_high=alone_high,
    )


def play_command(game: str, options: dict[str, Any], agent: str) -> str:
    words = "".join(f" -o '{name}={value}'" for name, value in options.items())
    return f"hiddenhand play {game}{words} --against '{agent}'"


def figure_path(evolved: EvolutionResult) -> Path:
    return Path(evolved.output).with_suffix(".png")


def write(evolved: EvolutionResult, title: str) -> None:
    """The strategy file, and the figure of the runs."""
    options = ", ".join(f"{name}={value}" for name, value in evolved.options.items())
    header = [
        Text("{what} ({n})", what=title, n=options),
        f"{evolved.model}, evolved for {evolved.generations} generations, seed {evolved.seed}",
        *map(score_text, evolved.tests),
        f"made by: {evolved.command}",
        f"play against it: {evolved.play}",
    ]
    text = "".join(f"# {line}\n" for line in header) + evolved.genome + "\n"
    path = Path(evolved.output)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError("{path} cannot be written: {why}", path=path, why=error.strerror) from None
    draw_runs(
        evolved.curves, figure_path(evolved), f"{evolved.model}, {title}", f"won or shared against {evolved.opponent}"
    )
