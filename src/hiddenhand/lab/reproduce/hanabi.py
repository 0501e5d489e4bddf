"""The Hanabi agents of W. Jarząbek and J. Leja (University of Wrocław, 2020): their table 5.1, the histograms of
chapters 4 and 6, and a table of who plays well with whom, all played anew."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.resolver import agents, game
from hiddenhand.lab.figures import draw_gaussian_process, draw_histograms
from hiddenhand.lab.match import match
from hiddenhand.lab.reproduce.report import Report
from hiddenhand.lab.statistics import in_columns

PLAYERS = (2, 3, 4, 5)
PERFECT = 25
SEED = 5

# agent: its figure, and the thesis's mean (standard deviation) over 1000 games with 2, 3, 4 and 5 players
THESIS = {
    "cheater": ("4.1", ((20.5, 2.59), (22.27, 2.04), (21.73, 2.07), (21.94, 2.0))),
    "smart_cheater": ("4.2", ((24.72, 0.79), (24.91, 0.41), (24.89, 0.41), (24.85, 0.44))),
    "erratic": ("4.3", ((1.45, 1.5), (1.32, 1.39), (1.3, 1.36), (1.34, 1.34))),
    "stopped_clock": ("4.4", ((5.74, 2.62), (6.25, 2.2), (5.31, 1.91), (4.51, 1.69))),
    "simple_distrustful": ("4.5", ((13.37, 3.0), (15.48, 1.3), (15.06, 1.09), (14.02, 1.0))),
    "distrustful": ("4.6", ((17.52, 1.71), (16.49, 1.13), (15.72, 1.03), (14.46, 0.95))),
    "trustful": ("4.7", ((17.94, 3.41), (20.39, 1.69), (20.43, 1.67), (19.03, 1.61))),
    "bayesian_trustful2": ("4.9", ((19.07, 3.16), (20.49, 1.7), (20.32, 1.66), (18.66, 1.7))),
    "bayesian_trustful4": ("4.10", ((17.25, 3.86), (20.55, 2.0), (20.83, 1.73), (19.26, 1.62))),
    "reinforced2": ("4.11", ((18.94, 2.12), (17.84, 1.62), (16.04, 2.53), (13.92, 1.89))),
    "reinforced4": ("4.12", ((17.94, 3.09), (19.03, 1.37), (18.69, 1.41), (17.42, 1.29))),
}
OURS = ("hat", "pair")  # beyond the thesis

# mixed teams, by figure: who sits in seat 0, 1, ...
MIXED = {
    "6.1": (
        "distrustful stopped_clock",
        "trustful distrustful",
        "trustful reinforced4",
        "distrustful reinforced4",
    ),
    "6.2": (
        "trustful trustful stopped_clock",
        "trustful trustful reinforced4",
        "trustful reinforced4 reinforced4",
        "trustful distrustful reinforced4",
    ),
    "6.3": (
        "trustful trustful distrustful distrustful",
        "trustful distrustful trustful distrustful",
        "trustful trustful trustful reinforced4",
        "trustful trustful trustful distrustful",
    ),
}

Progress = Callable[[int, int], None]
Scores = np.ndarray[Any, Any]


@dataclass
class Reproduction:
    """What `hiddenhand reproduce hanabi` prints."""

    rows: list[list[str]]
    mixed: list[list[str]]
    cross: list[list[str]]
    games: int
    seconds: float
    page: str

    def __str__(self) -> str:
        def text(rows: list[list[str]]) -> str:
            return "\n".join(in_columns([list(column) for column in zip(*rows)], "<" + ">" * (len(rows[0]) - 1)))

        return (
            f"Hanabi, {self.games:,} games a cell: the thesis's mean, ours, and our standard deviation\n\n"
            f"{text(self.rows)}\n\nMixed teams\n\n{text(self.mixed)}\n\n"
            f"Who plays well with whom (two players, mean score)\n\n{text(self.cross)}\n\n"
            f"{self.seconds:.0f} s; everything with pictures in {self.page}"
        )

    def to_json(self) -> dict[str, Any]:
        return vars(self)


def reproduce(folder: Path, games: int = 1000, workers: int = 1, progress: Progress | None = None) -> Reproduction:
    """Play everything and write the pictures and the page into a folder."""
    start = time.perf_counter()
    known = agents("hanabi")
    names = [name for name in (*THESIS, *OURS) if name in known]
    counter = Counter(len(names) * len(PLAYERS) + sum(map(len, MIXED.values())) + len(names) ** 2, workers, progress)
    report = Report("Hanabi: eleven agents and two more")
    report.text(f"Every cell is {games:,} games, by the rules of the thesis: after the third bomb the piles count.")
    rows = table_5_1(names, games, folder, report, counter)
    mixed = mixed_teams(known, games, folder, report, counter)
    cross = cross_play(names, games, report, counter)
    seconds = time.perf_counter() - start
    page = folder / "hanabi.html"
    report.save(page)
    return Reproduction(rows, mixed, cross, games, seconds, str(page))


class Counter:
    """Counts cells for the progress bar."""

    def __init__(self, wanted: int, workers: int, progress: Progress | None) -> None:
        self.wanted = wanted
        self.workers = workers
        self.done = 0
        self.progress = progress

    def play(self, team: Sequence[str], games: int) -> Scores:
        """The scores of a team."""
        scores = match(game("hanabi", players=len(team)), team, games=games, seed=SEED, workers=self.workers).payoffs[
            :, 0
        ]
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, self.wanted)
        return scores


def table_5_1(names: list[str], games: int, folder: Path, report: Report, counter: Counter) -> list[list[str]]:
    """Everyone with copies of itself; a figure for each agent."""
    rows = [["agent"] + [f"{p} players" for p in PLAYERS]]
    pictures = []
    for name in names:
        cells, columns = [], {}
        for i, players in enumerate(PLAYERS):
            scores = counter.play([name] * players, games)
            columns[f"{players} players"] = scores
            theirs = f"{THESIS[name][1][i][0]:.2f} / " if name in THESIS else ""
            cells.append(f"{theirs}{scores.mean():.2f} ({scores.std(ddof=1):.2f})")
        rows.append([name, *cells])
        figure = THESIS[name][0] if name in THESIS else "beyond"
        path = folder / f"figure_{figure.replace('.', '_')}_{name}.png"
        draw_histograms(columns, path, name, "score", PERFECT)
        pictures.append((path, f"Figure {figure}: {name}"))
    report.heading("Table 5.1: the thesis's mean / our mean (our standard deviation)")
    report.table(rows)
    gaussian = folder / "figure_4_8_gaussian_process.png"
    draw_gaussian_process(gaussian)
    pictures.append((gaussian, "Figure 4.8: what a Gaussian process believes after a few observations"))
    report.heading("Figures 4.1 to 4.12")
    for path, caption in pictures:
        report.picture(path, caption)
    return rows


def mixed_teams(known: Any, games: int, folder: Path, report: Report, counter: Counter) -> list[list[str]]:
    """Teams of different agents (the thesis's XY games)."""
    rows = [["team", "mean", "sd", "95 % interval"]]
    report.heading("Figures 6.1 to 6.3: mixed teams")
    for figure, teams in MIXED.items():
        columns = {}
        for team in teams:
            if all(name in known for name in team.split()):
                scores = counter.play(team.split(), games)
                half = 1.96 * scores.std(ddof=1) / np.sqrt(len(scores))
                columns[team.replace(" ", "\n")] = scores
                interval = f"{scores.mean() - half:.2f} to {scores.mean() + half:.2f}"
                rows.append([team, f"{scores.mean():.2f}", f"{scores.std(ddof=1):.2f}", interval])
        if columns:
            path = folder / f"figure_{figure.replace('.', '_')}_mixed.png"
            draw_histograms(columns, path, f"mixed teams of {len(teams[0].split())}", "score", PERFECT)
            report.picture(path, f"Figure {figure}: mixed teams of {len(teams[0].split())}")
    report.table(rows)
    return rows


def cross_play(names: list[str], games: int, report: Report, counter: Counter) -> list[list[str]]:
    """Every agent in seat 0 with every agent in seat 1."""
    rows = [["seat 0 \\ seat 1", *names]]
    for first in names:
        rows.append([first, *(f"{counter.play([first, second], games).mean():.2f}" for second in names)])
    report.heading("Who plays well with whom: two players, mean score")
    report.table(rows)
    return rows
