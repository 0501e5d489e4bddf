"""The result of a match: every payoff, and what they say."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core import html
from hiddenhand.core.game import Game, has_partners, metrics_of
from hiddenhand.core.text import Text
from hiddenhand.kernel import game_seed
from hiddenhand.lab.curves import Curve, running_mean
from hiddenhand.lab.frames import Columns, write_parquet
from hiddenhand.lab.lab_result import LabResult
from hiddenhand.lab.line_chart import line_chart
from hiddenhand.lab.match_runner import DUPLICATE, FIXED, ROTATE, Array
from hiddenhand.lab.statistics import Summary, histogram, summarise
from hiddenhand.lab.tables import in_columns, names_of, shortened

MOST_NAMED = 8  # agents in a headline


def has_opponents(game: Game) -> bool:
    """Whether somebody can win and lose; elsewhere only the score counts."""
    return game.utility != "cooperative" and game.players > 1


@dataclass(repr=False)
class MatchResult(LabResult):
    """What came of a match; after Ctrl-C, of the games that were finished.

    An agent wins a game in which its payoff is the highest and nobody shares it, ties one in which it shares
    the highest payoff, and loses the others. In a cooperative game all seats have the same payoff; a win is
    then the highest payoff that the game knows, a loss the lowest, and everything in between counts as a tie.
    Where partners play together, or one plays alone, whoever gains has won and whoever pays has lost.

    The interval is Student's 95 % interval for the mean. In duplicate play the games that share a deal are
    not independent: there it comes from the means per deal.
    """

    game: Game
    agents: list[str]
    seed: int
    seating: str
    opening: int
    wanted: int
    """How many games were asked for; `payoffs` has a row for each one that was finished."""
    seconds: float
    numbers: Array
    payoffs: Array
    """float64[games, agents]"""
    moves: Array
    metrics: Array
    records: list[dict[str, Any]] = field(default_factory=list)
    forfeits: dict[int, dict[str, Any]] = field(default_factory=dict)
    """By game: which agent could not go on, and why."""

    @property
    def games(self) -> int:
        return len(self.moves)

    @property
    def games_per_second(self) -> float:
        """Compilation left out."""
        return self.games / self.seconds if self.seconds > 0 else 0.0

    @property
    def finished(self) -> bool:
        return self.games == self.wanted

    def summary(self, agent: int) -> Summary:
        """Mean, standard deviation and interval of one agent's payoffs."""
        column = self.payoffs[:, agent]
        return summarise(column, self.per_deal(column))

    def per_deal(self, column: Array) -> Array | None:
        """The means of the deals, where games share deals."""
        if self.seating != DUPLICATE:
            return None
        deals = self.numbers // self.game.players
        counts = np.bincount(deals)
        return (np.bincount(deals, column) / np.maximum(counts, 1))[counts > 0]

    def progress_curves(self) -> list[Curve]:
        """The mean of each agent as the games go on; one curve where all have got the same."""
        apart = self.game.players if self.seating == DUPLICATE else 1
        alike = len(self.agents) > 1 and bool((self.payoffs == self.payoffs[:, :1]).all())
        columns = {"everybody": self.payoffs[:, 0]} if alike else dict(zip(self.names(), self.payoffs.T))
        curves = []
        for name, column in columns.items():
            deals = self.per_deal(column)
            curves.append(
                Curve(name, Text("games"), Text("mean"), running_mean(column if deals is None else deals, apart))
            )
        return curves if self.games else []

    def headline(self) -> str:
        means = {
            name: Text("{agent} {mean:.3f}", agent=shortened(name), mean=self.summary(index).mean)
            for index, name in enumerate(self.agents)
        }
        return Text.joined(", ", list(means.values())[:MOST_NAMED])

    def outcomes(self) -> tuple[Array, Array, Array]:
        """Wins, ties and losses of each agent."""
        if self.game.utility == "cooperative":
            low, high = self.game.payoffs
            wins, losses = self.payoffs >= high, self.payoffs <= low
            ties = ~wins & ~losses
        elif has_partners(self.game) or self.game.players == 1:
            wins, ties, losses = self.payoffs > 0, self.payoffs == 0, self.payoffs < 0
        else:
            best = self.payoffs == self.payoffs.max(axis=1, keepdims=True) if self.games else self.payoffs > 0
            alone = best.sum(axis=1, keepdims=True) == 1
            wins, ties, losses = best & alone, best & ~alone, ~best
        return wins.sum(axis=0), ties.sum(axis=0), losses.sum(axis=0)

    def columns(self) -> Columns:
        """What `to_frame` and a Parquet file hold: a row for every agent in every game."""
        seats, games = self.game.players, self.games
        shared = seats if self.seating == DUPLICATE else 1
        turned = self.numbers if self.seating != FIXED else np.zeros(games, np.int64)
        deals = np.unique(self.numbers // shared, return_inverse=True)
        seeds = np.array([int(game_seed(np.uint64(self.seed), deal)) for deal in deals[0]], np.uint64)[deals[1]]
        each = {"game": self.numbers, "seed": seeds, "moves": self.moves}
        each |= {name: self.metrics[:, i] for i, name in enumerate(metrics_of(self.game))}
        lost = [(self.forfeits[n]["agent"] if n in self.forfeits else -1) for n in self.numbers.tolist()]
        return {
            **{name: np.repeat(values, seats) for name, values in each.items()},
            "seat": (np.arange(seats) + turned[:, None]).ravel() % seats,
            "agent": self.agents * games,
            "payoff": self.payoffs.ravel(),
            "gave_up": (np.array(lost)[:, None] == np.arange(seats)).ravel(),
        }

    def to_parquet(self, path: str | Path) -> None:
        """Write every game that was played into a Parquet file, a row for every agent in it."""
        write_parquet(self.columns(), path)

    def __repr__(self) -> str:
        return f"<MatchResult of {self.game}, {self.games:,} games: {self.headline()}>"

    def _html_parts(self) -> list[str]:
        head, *rows = self.table_rows()
        told = f"{self.games:,} games of {self.game}, seed {self.seed}"
        return [html.paragraph(told), html.table(head, rows), line_chart(self.progress_curves())]

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game.origin.name,
            "version": self.game.version,
            "options": dict(self.game.options),
            "games": self.games,
            "seed": self.seed,
            "seating": self.seating,
            "opening": self.opening,
            "seconds": round(self.seconds, 6),
            "games_per_second": round(self.games_per_second, 3),
            "seats": [self.seat_to_json(index) for index in range(len(self.agents))],
            "moves": spread(self.moves),
            "metrics": {name: spread(self.measured[:, i]) for i, name in enumerate(metrics_of(self.game))},
            **({"forfeits": self.forfeits_to_json()} if self.forfeits else {}),
        }

    @property
    def measured(self) -> Array:
        """The measurements of the games that were played to their end."""
        return self.metrics[~np.isin(self.numbers, list(self.forfeits))] if self.forfeits else self.metrics

    def forfeits_to_json(self) -> list[dict[str, Any]]:
        """Of each agent that could not go on: in how many games, and why the first time."""
        forfeits = []
        for index, agent in enumerate(self.agents):
            whys = [self.forfeits[number]["why"] for number in sorted(self.forfeits) if self.of(number) == index]
            if whys:
                forfeits.append({"agent": agent, "games": len(whys), "first": whys[0]})
        return forfeits

    def of(self, number: int) -> int:
        """Which agent could not go on in a game."""
        return int(self.forfeits[number]["agent"])

    def seat_to_json(self, index: int) -> dict[str, Any]:
        summary = self.summary(index)
        wins, ties, losses = (int(counts[index]) for counts in self.outcomes())
        return {
            "seat": index if self.seating == FIXED else None,
            "agent": self.agents[index],
            "mean": summary.mean if self.games else None,
            "sd": summary.sd,
            "ci95": summary.interval,
            "wins": wins,
            "ties": ties,
            "losses": losses,
        }

    def __str__(self) -> str:
        options = "".join(f", {name}={value}" for name, value in self.game.options.items())
        games = Text.plural("{n:,} game", "{n:,} games", n=self.games)
        if self.seating == ROTATE:
            games = Text("{games}, seats rotating", games=games)
        if self.seating == DUPLICATE:
            games = Text("{games}, every deal in every seating", games=games)
        lines: list[str] = [
            Text(
                "{game}{options}: {games}, seed {seed}, {speed:,.0f} a second",
                game=self.game.title,
                options=options,
                games=games,
                seed=str(self.seed),
                speed=self.games_per_second,
            )
        ]
        if not self.games:
            return lines[0]
        lines += ["", *self.table(), "", histogram(list(self.payoffs.T), self.names()), ""]
        measured = {Text("moves"): spread(self.moves), **self.to_json()["metrics"]}
        for name, of in measured.items():
            mean = Text("{name}: {mean:.2f} a game", name=name, mean=of["mean"])
            lines.append(mean if of["sd"] is None else Text("{mean} (sd {sd:.2f})", mean=mean, sd=of["sd"]))
        lines += written_forfeits(self.forfeits_to_json())
        if self.always_the_same():
            lines.append(Text("every game went the same way: let the first moves be drawn at random (--opening 2)"))
        return Text.joined("\n", lines)

    def always_the_same(self) -> bool:
        """Whether all games (in duplicate play, all deals) had the same payoffs and numbers of moves."""
        step = self.game.players if self.seating == DUPLICATE else 1
        if self.games <= step:
            return False
        games = np.column_stack([self.moves, self.payoffs])
        return bool((games[:-step] == games[step:]).all())

    def names(self) -> list[str]:
        """The agents as a reader tells them apart."""
        if self.seating == FIXED:
            return [f"{seat} {agent}" for seat, agent in enumerate(names_of(self.agents))]
        return names_of(self.agents)

    def table(self) -> list[str]:
        return in_columns(self.table_rows(), "<>>>>>>")

    def table_rows(self) -> list[tuple[str, ...]]:
        """A head, and a row for each agent."""
        summaries = [self.summary(index) for index in range(len(self.agents))]
        columns = [
            ["seat and agent" if self.seating == FIXED else "agent", *self.names()],
            ["mean", *(f"{s.mean:+.4f}" for s in summaries)],
            ["sd", *("-" if s.sd is None else f"{s.sd:.4f}" for s in summaries)],
            [Text("95 % interval"), *(written_interval(s) for s in summaries)],
            *self.last_columns(),
        ]
        return list(zip(*columns))

    def last_columns(self) -> list[list[str]]:
        """How often each agent won, tied and lost; where nobody is played against, its best score."""
        if not has_opponents(self.game):
            return [["best", *(f"{best:+g}" for best in self.payoffs.max(axis=0))]]
        counts = [[f"{n:,}" for n in of] for of in self.outcomes()]
        return [[word, *of] for word, of in zip(("wins", "ties", "losses"), counts)]


def written_forfeits(forfeits: list[dict[str, Any]]) -> list[str]:
    """A line for each agent that could not go on."""
    return [
        Text.plural(
            "{agent} could not go on and lost {n:,} game; the first time: {why}",
            "{agent} could not go on and lost {n:,} games; the first time: {why}",
            n=of["games"],
            agent=of["agent"],
            why=of["first"],
        )
        for of in forfeits
    ]


def written_interval(summary: Summary) -> str:
    return "-" if summary.low is None else Text("{low:+.4f} to {high:+.4f}", low=summary.low, high=summary.high)


def spread(values: Array) -> dict[str, float | None]:
    if len(values) == 0:
        return {"mean": None, "sd": None}
    return {"mean": float(np.mean(values)), "sd": float(np.std(values, ddof=1)) if len(values) > 1 else None}
