"""What came of a league: the champion, how it does against everybody, and how often the best answers beat it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text
from hiddenhand.lab.curves import Curve, CurvePoint
from hiddenhand.lab.evolution.result import OpponentScore, play_command


@dataclass
class LeagueResult:
    """What came of it."""

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
        points = [CurvePoint(place, share) for place, share in enumerate(self.exploited, start=1)]
        return [Curve("the best answer", "champions", "won against the champion", points)]

    def to_json(self) -> dict[str, Any]:
        return vars(self)

    @property
    def hardest(self) -> OpponentScore:
        """Against whom the champion wins least."""
        return min(self.tests, key=lambda test: test["sole_wins"])

    def lines(self) -> list[str]:
        """What is told of the champion."""
        of_all = ", ".join(f"{test['opponent']} {test['sole_wins']:.3f}" for test in self.tests)
        return [
            f"{self.model}, bred in a league of {self.rounds} rounds of {self.generations} generations, seed "
            f"{self.seed}: champion {self.choice + 1} of {len(self.exploited)}",
            f"the best answers found to the champions, in turn, won {', '.join(f'{x:.3f}' for x in self.exploited)}",
            f"wins alone on new deals against {of_all}; least against {self.hardest['opponent']}",
            *(f"answer {i + 1}: {text}" for i, text in enumerate(self.answers)),
        ]

    def __str__(self) -> str:
        return "\n".join(
            [
                *self.lines(),
                self.genome,
                f"saved in {self.output} after {self.seconds:.0f} s",
                f"play against it: {play_command(self.game, self.options, self.agent)}",
            ]
        )

    def write(self, title: str) -> None:
        """The strategy file."""
        options = ", ".join(f"{name}={value}" for name, value in self.options.items())
        header = [Text("{what} ({n})", what=title, n=options), *self.lines(), f"made by: {self.command}"]
        text = "".join(f"# {line}\n" for line in header) + self.genome + "\n"
        try:
            Path(self.output).write_text(text, encoding="utf-8")
        except OSError as error:
            raise UserError(f"{self.output} cannot be written: {error.strerror}") from None
