"""The Hanabi agents of W. Jarząbek and J. Leja (University of Wrocław, 2020): their table 5.1, the histograms of
chapters 4 and 6, and a table of who plays well with whom, all played anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.resolver import agents, game
from hiddenhand.lab.experiments.page import Page, Rows
from hiddenhand.lab.experiments.pieces import Found, Piece, PieceWork
from hiddenhand.lab.figures import draw_gaussian_process, draw_histograms
from hiddenhand.lab.match import match
from hiddenhand.lab.runner import Running
from hiddenhand.lab.tables import first_column_left

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

UNKNOWN = "-"
Scores = np.ndarray[Any, Any]
Team = tuple[str, ...]


@dataclass
class Reproduction:
    """What `hiddenhand reproduce hanabi` prints."""

    rows: Rows
    mixed: Rows
    cross: Rows
    games: int
    seconds: float
    page: str

    def __str__(self) -> str:
        def text(rows: Rows) -> str:
            return "\n".join(first_column_left(rows))

        return (
            f"Hanabi, {self.games:,} games a cell: the thesis's mean, ours, and our standard deviation\n\n"
            f"{text(self.rows)}\n\nMixed teams\n\n{text(self.mixed)}\n\n"
            f"Who plays well with whom (two players, mean score)\n\n{text(self.cross)}\n\n"
            f"{self.seconds:.0f} s; everything with pictures in {self.page}"
        )

    def to_json(self) -> dict[str, Any]:
        return vars(self)


def begin(folder: Path, running: Running, workers: int = 1, games: int = 1000) -> PieceWork:
    """Every team plays; the pictures and the page are written into a folder."""
    known = agents("hanabi")
    names = [name for name in (*THESIS, *OURS) if name in known]
    pieces = [Piece(" ".join(team), partial(play, team, games, workers)) for team in teams(names)]

    def show(found: dict[str, Found], seconds: float) -> Reproduction:
        scores = {tuple(name.split()): of["scores"] for name, of in found.items()}
        return write_page(folder, names, scores, games, seconds)

    of = game("hanabi")
    plan = {"game": of.spec, "rules": of.rules.key, "version": of.version, "agents": names, "games": games}
    return PieceWork("reproduction", plan, pieces, show, running, "teams")


def teams(names: list[str]) -> list[Team]:
    """All that play, each once: everyone with copies of itself, mixed teams, and every two."""
    alike = [(name,) * players for name in names for players in PLAYERS]
    mixed = [tuple(team.split()) for of in MIXED.values() for team in of if set(team.split()) <= set(names)]
    pairs = [(first, second) for first in names for second in names]
    return list(dict.fromkeys([*alike, *mixed, *pairs]))


def play(team: Team, games: int, workers: int, running: Running) -> Found:
    """The scores of a team."""
    of = game("hanabi", players=len(team))
    return {"scores": match(of, team, games=games, seed=SEED, workers=workers).payoffs[:, 0]}


def write_page(
    folder: Path, names: list[str], scores: Mapping[Team, Scores], games: int, seconds: float
) -> Reproduction:
    page = Page("Hanabi: eleven agents and two more")
    page.text(f"Every cell is {games:,} games, by the rules of the thesis: after the third bomb the piles count.")
    rows = table_5_1(names, scores, folder, page)
    mixed = mixed_teams(scores, folder, page)
    cross = cross_play(names, scores, page)
    path = folder / "hanabi.html"
    page.save(path)
    return Reproduction(rows, mixed, cross, games, seconds, str(path))


def table_5_1(names: list[str], scores: Mapping[Team, Scores], folder: Path, page: Page) -> Rows:
    """Everyone with copies of itself; a figure for each agent."""
    rows = [["agent"] + [f"{p} players" for p in PLAYERS]]
    pictures = []
    for name in names:
        cells, columns = [], {}
        for i, players in enumerate(PLAYERS):
            of = scores.get((name,) * players)
            if of is not None:
                columns[f"{players} players"] = of
            theirs = f"{THESIS[name][1][i][0]:.2f} / " if name in THESIS else ""
            cells.append(theirs + (UNKNOWN if of is None else f"{of.mean():.2f} ({of.std(ddof=1):.2f})"))
        rows.append([name, *cells])
        figure = THESIS[name][0] if name in THESIS else "beyond"
        path = folder / f"figure_{figure.replace('.', '_')}_{name}.png"
        if columns:
            draw_histograms(columns, path, name, "score", PERFECT)
            pictures.append((path, f"Figure {figure}: {name}"))
    page.heading("Table 5.1: the thesis's mean / our mean (our standard deviation)")
    page.table(rows)
    gaussian = folder / "figure_4_8_gaussian_process.png"
    draw_gaussian_process(gaussian)
    pictures.append((gaussian, "Figure 4.8: what a Gaussian process believes after a few observations"))
    page.heading("Figures 4.1 to 4.12")
    for path, caption in pictures:
        page.picture(path, caption)
    return rows


def mixed_teams(scores: Mapping[Team, Scores], folder: Path, page: Page) -> Rows:
    """Teams of different agents (the thesis's XY games)."""
    rows = [["team", "mean", "sd", "95 % interval"]]
    page.heading("Figures 6.1 to 6.3: mixed teams")
    for figure, of in MIXED.items():
        columns = {}
        for team in of:
            points = scores.get(tuple(team.split()))
            if points is not None:
                half = 1.96 * points.std(ddof=1) / np.sqrt(len(points))
                columns[team.replace(" ", "\n")] = points
                interval = f"{points.mean() - half:.2f} to {points.mean() + half:.2f}"
                rows.append([team, f"{points.mean():.2f}", f"{points.std(ddof=1):.2f}", interval])
        if columns:
            path = folder / f"figure_{figure.replace('.', '_')}_mixed.png"
            seats = len(of[0].split())
            draw_histograms(columns, path, f"mixed teams of {seats}", "score", PERFECT)
            page.picture(path, f"Figure {figure}: mixed teams of {seats}")
    page.table(rows)
    return rows


def cross_play(names: list[str], scores: Mapping[Team, Scores], page: Page) -> Rows:
    """Every agent in seat 0 with every agent in seat 1."""

    def cell(first: str, second: str) -> str:
        points = scores.get((first, second))
        return UNKNOWN if points is None else f"{points.mean():.2f}"

    rows = [["seat 0 \\ seat 1", *names], *([first, *(cell(first, second) for second in names)] for first in names)]
    page.heading("Who plays well with whom: two players, mean score")
    page.table(rows)
    return rows
