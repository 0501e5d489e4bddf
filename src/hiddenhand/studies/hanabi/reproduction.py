"""The Hanabi agents of W. Jarząbek and J. Leja (University of Wrocław, 2020): their table 5.1, the histograms of
chapters 4 and 6, figure 6.4, what they say of them, and who plays well with whom, all played anew."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from hiddenhand.core.processes import Workers
from hiddenhand.core.resolver import agents, game
from hiddenhand.lab.figures import draw_gaussian_process, draw_grid, draw_histograms
from hiddenhand.lab.match import match
from hiddenhand.lab.parts import Call, Found, PartsWork, in_parallel
from hiddenhand.lab.runner import Running
from hiddenhand.studies.hanabi.communication import GRID, findings, piece_name, play_row, rows_of
from hiddenhand.studies.hanabi.communication import table as communication_table
from hiddenhand.studies.hanabi.thesis import (
    CHEATERS,
    MIXED,
    PLAYERS,
    READ_TWICE,
    THESIS,
    UNKNOWN,
    Scores,
    Team,
    by_letter,
    statements,
)
from hiddenhand.studies.html_report import Page, ReportTables, Rows, bold, chosen

PERFECT = 25
SEED = 5
OURS = ("tuned_trustful", "hat", "pair")  # beyond the thesis
SUITED = "adaptive"
COMPANY = (
    "hat hat hat",
    *(f"{name} {name}" for name in ("pair", "distrustful", "trustful", "reinforced2", "reinforced4")),
)
"""Teams that the adaptive agent meets besides the mixed ones."""

TABLE = "Table 5.1: mean (standard deviation), the thesis's / ours"
LETTER = "Table 5.1 by the letter of the thesis: its mean (standard deviation) / ours"
SPREAD = "Variances: the thesis's / ours, and our medians"
TEAMS = "Figures 6.1 to 6.3: mixed teams"
COMMUNICATION = "Figure 6.4: communicativeness by risk aversion, mean score beside partners of the same family"
SAID = "What the thesis says"
ADAPTIVE = "Section 7.2: an agent that suits itself to the others, in the place of each seat of every team"
CROSS = "Who plays well with whom: two players, mean score"

Columns = dict[str, Scores]


def begin(folder: Path, running: Running, workers: Workers, games: int = 1000, part: str = "") -> PartsWork:
    """Every team plays; the pictures and the page are written into a folder.

    part   how the title of the one part that is wanted begins; all if empty
    """
    known = agents("hanabi")
    names = [name for name in (*THESIS, *OURS) if name in known]
    wanted = chosen([*teams_of(names), COMMUNICATION], part)
    tasks: dict[str, Call] = {" ".join(team): (play, team, games) for team in teams(names, wanted)}
    if COMMUNICATION in wanted:
        tasks |= {piece_name(talk): (play_row, talk, games) for talk in GRID}
    pieces = in_parallel(workers, tasks)

    def show(found: dict[str, Found], seconds: float) -> ReportTables:
        return HanabiPage(folder, names, wanted, games).write(found, seconds)

    of = game("hanabi")
    plan = {
        "game": of.origin.spec, "rules": of.rules.key, "version": of.version,
        "agents": names, "games": games, "part": part,
    }  # fmt: skip
    return PartsWork("reproduction", plan, pieces, show, running, "teams")


def teams_of(names: list[str]) -> dict[str, list[Team]]:
    """Who plays for which part: everyone with copies of itself, mixed teams in both readings, the adaptive agent in
    the place of each of a team, and every two."""
    mixed = [tuple(team.split()) for of in MIXED.values() for team in of]
    company = [tuple(team.split()) for team in COMPANY]
    suited = [changed for team in (*mixed, *company) for changed in with_adaptive(team)]
    return {
        TABLE: [(name,) * players for name in (*names, *map(by_letter, READ_TWICE)) for players in PLAYERS],
        TEAMS: [*mixed, *(tuple(by_letter(name) for name in team) for team in mixed)],
        ADAPTIVE: [*mixed, *company, *suited, (SUITED, SUITED)],
        CROSS: [(first, second) for first in names for second in names],
    }


def teams(names: list[str], parts: list[str]) -> list[Team]:
    """All that play for these parts, each once."""
    return list(dict.fromkeys(team for title, of in teams_of(names).items() if title in parts for team in of))


def with_adaptive(team: Team) -> list[Team]:
    """The team with the adaptive agent in the place of one after the other."""
    return [(*team[:seat], SUITED, *team[seat + 1 :]) for seat in range(len(team))]


def play(team: Team, games: int) -> Found:
    """The scores of a team."""
    of = game("hanabi", players=len(team))
    return {"scores": match(of, team, games=games, seed=SEED).payoffs[:, 0]}


class HanabiPage:
    """The tables and pictures, for the terminal and for the HTML page."""

    def __init__(self, folder: Path, names: list[str], wanted: list[str], games: int) -> None:
        self.folder = folder
        self.names = names
        self.wanted = wanted
        self.done = ReportTables(page=str(folder / "hanabi.html"))
        self.page = Page("Hanabi: the agents of a thesis, and ours")
        self.page.text(
            f"Every cell is {games:,} games, by the rules of the thesis: after the third bomb the piles count. The "
            "best that do not cheat are bold. Where the thesis leaves a choice our agents take what scores most; by "
            "the letter means reading=published."
        )

    def write(self, found: dict[str, Found], seconds: float) -> ReportTables:
        """All that there is."""
        scores = {tuple(name.split()): of["scores"] for name, of in found.items() if "scores" in of}
        grid = rows_of(found)
        if TABLE in self.wanted:
            self.add(TABLE, table_5_1(self.names, {name: name for name in self.names}, scores))
            self.add(LETTER, table_5_1(list(READ_TWICE), {name: by_letter(name) for name in READ_TWICE}, scores))
            self.add(SPREAD, spread_table(self.names, scores))
            self.histograms(scores)
        if TEAMS in self.wanted:
            self.add(TEAMS, mixed_table(scores))
            self.mixed_histograms(scores)
        self.communication(grid)
        if {TABLE, TEAMS, COMMUNICATION} <= set(self.wanted):
            self.add(SAID, [*statements(scores), *findings(found)])
        if ADAPTIVE in self.wanted:
            self.add(ADAPTIVE, adaptive_table(scores))
        if CROSS in self.wanted:
            self.add(CROSS, cross_table(self.names, scores))
        self.page.text(f"{len(found)} teams and rows, {seconds / 60:.0f} minutes in all.")
        self.page.save(Path(self.done.page))
        return self.done

    def add(self, title: str, rows: Rows) -> None:
        self.done.parts[title], self.done.seconds[title] = rows, 0.0
        self.page.heading(title)
        self.page.table(rows)

    def histograms(self, scores: Mapping[Team, Scores]) -> None:
        """A figure for each agent, and what a Gaussian process is."""
        self.page.heading("Figures 4.1 to 4.12")
        for name in self.names:
            columns = {f"{n} players": scores[(name,) * n] for n in PLAYERS if (name,) * n in scores}
            figure = THESIS[name][0] if name in THESIS else "beyond"
            self.histogram(columns, f"figure_{figure.replace('.', '_')}_{name}.png", name, f"Figure {figure}: {name}")
        gaussian = self.folder / "figure_4_8_gaussian_process.png"
        draw_gaussian_process(gaussian)
        self.page.picture(gaussian, "Figure 4.8: what a Gaussian process believes after a few observations")

    def mixed_histograms(self, scores: Mapping[Team, Scores]) -> None:
        for figure, of in MIXED.items():
            columns = {
                team.replace(" ", "\n"): scores[tuple(team.split())] for team in of if tuple(team.split()) in scores
            }
            title = f"mixed teams of {len(of[0].split())}"
            self.histogram(
                columns, f"figure_{figure.replace('.', '_')}_mixed.png", title, f"Figure {figure}: {title}"
            )

    def histogram(self, columns: Columns, file: str, title: str, caption: str) -> None:
        if columns:
            draw_histograms(columns, self.folder / file, title, "score", PERFECT)
            self.page.picture(self.folder / file, caption)

    def communication(self, grid: Mapping[float, list[float]]) -> None:
        """Figure 6.4, with the rows that have been played."""
        if not grid:
            return
        self.add(COMMUNICATION, communication_table(grid))
        path = self.folder / "figure_6_4_communication.png"
        draw_grid(grid, GRID, path, "mean score beside all others", ("communicativeness", "risk aversion"))
        self.page.picture(path, "Figure 6.4: communicativeness by risk aversion")


def table_5_1(names: list[str], played_as: Mapping[str, str], scores: Mapping[Team, Scores]) -> Rows:
    """Everyone with copies of itself, the best of each column in bold, theirs and ours."""
    honest = [name for name in names if name not in CHEATERS]
    theirs = {name: [mean for mean, _ in THESIS[name][1]] for name in honest if name in THESIS}
    ours = {name: [mean_of(scores.get((played_as[name],) * n)) for n in PLAYERS] for name in honest}
    rows = [["agent", *(text for n in PLAYERS for text in (f"{n} players", ""))]]
    for name in names:
        cells = []
        for i, n in enumerate(PLAYERS):
            said = "{:.2f} ({:.2f})".format(*THESIS[name][1][i]) if name in THESIS else UNKNOWN
            cells.append(marked(said, name in theirs and theirs[name][i] == max(row[i] for row in theirs.values())))
            of = scores.get((played_as[name],) * n)
            found = UNKNOWN if of is None else f"{of.mean():.2f} ({of.std(ddof=1):.2f})"
            best = max((row[i] for row in ours.values()), default=0.0)
            cells.append(marked(found, name in ours and of is not None and ours[name][i] == best))
        rows.append([name, *cells])
    return rows


def mean_of(scores: Scores | None) -> float:
    return -1.0 if scores is None else float(scores.mean())


def marked(cell: str, best: bool) -> str:
    return bold(cell) if best else cell


def spread_table(names: list[str], scores: Mapping[Team, Scores]) -> Rows:
    """Variances, theirs from their printed deviations, and medians."""
    rows = [["agent", *(text for n in PLAYERS for text in (f"{n} players", "ours", "median"))]]
    for name in names:
        cells = []
        for i, n in enumerate(PLAYERS):
            of = scores.get((name,) * n)
            cells.append(f"{THESIS[name][1][i][1] ** 2:.2f}" if name in THESIS else UNKNOWN)
            cells += [UNKNOWN, UNKNOWN] if of is None else [f"{of.var(ddof=1):.2f}", f"{np.median(of):g}"]
        rows.append([name, *cells])
    return rows


def mixed_table(scores: Mapping[Team, Scores]) -> Rows:
    """Teams of different agents (the thesis's XY games), in both readings."""
    rows = [["team", "mean", "sd", "95 % interval", "by the letter", "sd"]]
    for of in MIXED.values():
        for team in of:
            points = scores.get(tuple(team.split()))
            literal = scores.get(tuple(by_letter(name) for name in team.split()))
            cells = [UNKNOWN] * 3 if points is None else summary_cells(points)
            cells += [UNKNOWN] * 2 if literal is None else summary_cells(literal)[:2]
            rows.append([team, *cells])
    return rows


def summary_cells(points: Scores) -> list[str]:
    spread = points.std(ddof=1)
    half = 1.96 * spread / np.sqrt(len(points))
    return [f"{points.mean():.2f}", f"{spread:.2f}", f"{points.mean() - half:.2f} to {points.mean() + half:.2f}"]


def adaptive_table(scores: Mapping[Team, Scores]) -> Rows:
    """Every team as it is, and with the adaptive agent in one of its seats."""
    rows = [["team", "as it is", "adaptive in seat 0", "1", "2", "3"]]

    def cell(team: Team) -> str:
        points = scores.get(team)
        if points is None:
            return UNKNOWN
        return f"{points.mean():.2f} ± {1.96 * points.std(ddof=1) / np.sqrt(len(points)):.2f}"

    for text in (*(team for of in MIXED.values() for team in of), *COMPANY):
        team = tuple(text.split())
        changed = [cell(other) for other in with_adaptive(team)]
        rows.append([text, cell(team), *changed, *[""] * (4 - len(changed))])
    rows.append([f"{SUITED} {SUITED}", cell((SUITED, SUITED)), "", "", "", ""])
    return rows


def cross_table(names: list[str], scores: Mapping[Team, Scores]) -> Rows:
    """Every agent in seat 0 with every agent in seat 1."""

    def cell(first: str, second: str) -> str:
        points = scores.get((first, second))
        return UNKNOWN if points is None else f"{points.mean():.2f}"

    return [["seat 0 \\ seat 1", *names], *([first, *(cell(first, second) for second in names)] for first in names)]
