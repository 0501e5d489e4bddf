"""The result of a league: the champion, its scores against all opponents, and how often the best answers beat it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text
from hiddenhand.lab.curves import Curve, CurvePoint
from hiddenhand.lab.evolution.result import OpponentScore, play_command
from hiddenhand.lab.lab_result import LabResult


@dataclass(repr=False)
class LeagueResult(LabResult):
    """The result of a league."""

    game: str
    options: dict[str, Any]
    model: str
    seed: int
    rounds: int
    generations: int
    """Of every phase."""
    seconds: float
    exploited: list[float]
    """The share of games that the best answer to each champion won, when it was found."""
    choice: int
    """The place of the champion among all of the league."""
    genome: str
    answers: list[str]
    agent: str
    """What plays as the champion: its file."""
    tests: list[OpponentScore]
    command: str
    output: str

    def progress_curves(self) -> list[Curve]:
        return answers_curve(self.exploited)

    def to_json(self) -> dict[str, Any]:
        return vars(self)

    @property
    def hardest(self) -> OpponentScore:
        """Against whom the champion wins least."""
        return min(self.tests, key=lambda test: test["sole_wins"])

    def lines(self) -> list[str]:
        """Lines about the champion, for people."""
        of_all = ", ".join(f"{test['opponent']} {test['sole_wins']:.3f}" for test in self.tests)
        return [
            Text(
                "{model}, bred in a league of {rounds} rounds of {generations} generations, seed {seed}: "
                "champion {place} of {n}",
                model=self.model,
                rounds=self.rounds,
                generations=self.generations,
                seed=str(self.seed),
                place=self.choice + 1,
                n=len(self.exploited),
            ),
            Text(
                "the best answers found to the champions, in turn, won {shares}",
                shares=", ".join(f"{share:.3f}" for share in self.exploited),
            ),
            Text(
                "wins alone on new deals against {opponents}; least against {hardest}",
                opponents=of_all,
                hardest=self.hardest["opponent"],
            ),
            *(Text("answer {n}: {genome}", n=i + 1, genome=text) for i, text in enumerate(self.answers)),
        ]

    def __str__(self) -> str:
        return Text.joined(
            "\n",
            [
                *self.lines(),
                self.genome,
                Text("saved in {file} after {seconds:.0f} s", file=self.output, seconds=self.seconds),
                Text("play against it: {command}", command=play_command(self.game, self.options, self.agent)),
            ],
        )

    def write(self, title: str) -> None:
        """The strategy file."""
        options = ", ".join(f"{name}={value}" for name, value in self.options.items())
        header = [Text("{what} ({n})", what=title, n=options), *self.lines(), f"made by: {self.command}"]
        text = "".join(f"# {line}\n" for line in header) + self.genome + "\n"
        try:
            Path(self.output).write_text(text, encoding="utf-8")
        except OSError as error:
            raise UserError("{output} cannot be written: {why}", output=self.output, why=error.strerror) from None


def answers_curve(shares: list[float]) -> list[Curve]:
    """How often the best answer won, champion by champion; none before there is an answer."""
    points = [CurvePoint(place, share) for place, share in enumerate(shares, start=1)]
    return (
        [Curve(Text("the best answer"), Text("champions"), Text("won against the champion"), points)]
        if points
        else []
    )
