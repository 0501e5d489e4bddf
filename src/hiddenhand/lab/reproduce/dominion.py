"""The evolved Dominion strategies of P. Fulla (Comenius University, 2012): his reference game, the genomes that he
published, and the evolutions of chapter 6 with figures 6.1 to 6.6, all played anew."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from hiddenhand.core.errors import UserError
from hiddenhand.core.resolver import game
from hiddenhand.games.dominion.models.published import PUBLISHED
from hiddenhand.lab.dominion_evolutions import (
    EXPERIMENTS,
    FIRST_GAME,
    GENERATIONS,
    RUNS,
    SEED,
    Course,
    Experiment,
    evolve_experiment,
)
from hiddenhand.lab.dominion_thesis import FIGURES, five_sets, statements, twelve_models
from hiddenhand.lab.figures import draw_runs
from hiddenhand.lab.interrupts import Interrupted
from hiddenhand.lab.match import Progress, match
from hiddenhand.lab.reproduce.report import Parts, Report, Rows
from hiddenhand.lab.statistics import summarise

GAMES = 40_000  # of BigMoney against itself, and of each published genome
OPPONENT = "bigmoney"

Courses = dict[Experiment, Course]


def reproduce(
    folder: Path,
    games: int = GAMES,
    runs: int = RUNS,
    generations: int = GENERATIONS,
    workers: int = 1,
    progress: Progress | None = None,
) -> Parts:
    """Play and evolve everything, and write the pictures and the page into a folder.

    runs, generations   of each of the sixteen experiments; what is finished lies in the folder and is not done again
    workers             processes for the evolutions; what is played beside them takes less time than starting these
    """
    for name, value in (("games", games), ("runs", runs), ("generations", generations)):
        if value < 1:
            raise UserError(f"{name} must be at least 1, not {value}")
    page = Page(folder, games, runs, generations)
    courses: Courses = {}
    try:
        page.table("BigMoney against itself", lambda: mirror(games))
        page.table("The published genomes against BigMoney", lambda: published(games))
        evolve_all(courses, runs, generations, folder / "dominion", workers, progress)
    except KeyboardInterrupt:
        page.evolutions(courses)
        told = f"{len(courses)} of {len(EXPERIMENTS)} evolutions are done; the same command goes on from there"
        raise Interrupted(told, page.save()) from None
    page.evolutions(courses)
    return page.save()


def mirror(games: int) -> Rows:
    """The thesis's reference game: how often the first player comes to move, and who wins."""
    of = game("dominion")
    result = match(of, [OPPONENT, OPPONENT], games=games, seed=SEED)
    turns = result.metrics[:, of.metrics.index("turns")]
    wins, ties, _ = (counts[0] / result.games for counts in result.outcomes())
    return [
        ["quantity", "the thesis", "ours"],
        ["turns of the first player, mean", "20.7", f"{turns.mean():.2f}"],
        ["games won by the first player", "-", f"{wins:.1%}"],
        ["by the second", "-", f"{1.0 - wins - ties:.1%}"],
        ["shared", "-", f"{ties:.1%}"],
    ]


def published(games: int) -> Rows:
    """The genomes that the thesis prints: which share of games they win, a shared victory counted as won."""
    rows = [["genome of figure", "set", "the thesis", "ours", "95 % interval", "won alone"]]
    for figure in FIGURES:
        genome = PUBLISHED[figure.genome]
        players = [f"genome:{genome.text}", OPPONENT]
        kingdom = game("dominion", kingdom=genome.kingdom)
        result = match(kingdom, players, games=games, seed=SEED, rotate=True)
        wins = summarise((result.payoffs[:, 0] >= 0.0).astype(float))
        interval = "-" if wins.low is None else f"{wins.low:.3f} to {wins.high:.3f}"
        alone = result.outcomes()[0][0] / result.games
        rows.append(
            [
                f"{figure.number}, {figure.genome}",
                genome.kingdom,
                f"{genome.wins:.2f}",
                f"{wins.mean:.3f}",
                interval,
                f"{alone:.3f}",
            ]
        )
    return rows


def evolve_all(
    courses: Courses, runs: int, generations: int, folder: Path, workers: int, progress: Progress | None
) -> None:
    """All experiments in their order; what came of each is added to `courses`."""
    folder.mkdir(exist_ok=True)
    for number, experiment in enumerate(EXPERIMENTS):

        def tell(done: int, wanted: int, before: int = number) -> None:
            if progress is not None:  # all experiments have the same number of games
                progress(before * wanted + done, len(EXPERIMENTS) * wanted)

        courses[experiment] = evolve_experiment(experiment, runs, generations, folder, workers, tell)


class Page:
    """The tables and pictures, for the terminal and for the HTML page."""

    def __init__(self, folder: Path, games: int, runs: int, generations: int) -> None:
        self.folder = folder
        self.done = Parts(page=str(folder / "dominion.html"))
        self.report = Report("Dominion: evolved strategies")
        self.report.text(
            f"Peter Fulla's thesis (2012) and ours. Evolutions: {runs} runs of {generations} generations for each "
            f"model (the thesis: {RUNS} of {GENERATIONS}), five parents with ten mutants each, fitness by 100 games "
            f"against BigMoney, the best of a generation measured in 10,000. Other numbers: {games:,} games. A "
            "shared victory counts as won."
        )

    def table(self, title: str, make: Callable[[], Rows]) -> None:
        """A table that is made now."""
        start = time.perf_counter()
        rows = make()
        self.add(title, rows, time.perf_counter() - start)

    def add(self, title: str, rows: Rows, seconds: float) -> None:
        self.done.parts[title], self.done.seconds[title] = rows, seconds
        self.report.heading(title)
        self.report.table(rows)

    def evolutions(self, courses: Courses) -> None:
        """All that the evolutions have shown."""
        if not courses:
            return
        took = {experiment: course.seconds for experiment, course in courses.items()}
        on_first_game = sum(seconds for experiment, seconds in took.items() if experiment.kingdom == FIRST_GAME)
        elsewhere = sum(took.values()) - on_first_game
        self.add("Twelve models on First Game", twelve_models(courses), on_first_game)
        self.add("The seasonal model, playing by ranks, on five sets", five_sets(courses), elsewhere)
        self.add("What the thesis says", statements(courses), 0.0)
        self.report.text(
            f"{len(courses)} of {len(EXPERIMENTS)} evolutions, {sum(took.values()) / 60:.0f} minutes in all."
        )
        self.report.heading("Figures 6.1 to 6.6: the share of games won by the best of each generation")
        for figure in FIGURES:
            if figure.experiment in courses:
                self.picture(figure.number, figure.experiment, courses[figure.experiment], figure.wins)
        self.report.heading("The best genomes")
        for experiment, course in courses.items():
            self.report.text(f"{experiment}, {course.wins:.3f}: {course.genome}")
        for figure in FIGURES:
            self.report.text(
                f"The thesis, figure {figure.number}, {figure.wins:.2f}: {PUBLISHED[figure.genome].text}"
            )

    def picture(self, number: str, experiment: Experiment, course: Course, theirs: float) -> None:
        path = self.folder / f"figure_{number.replace('.', '_')}_dominion.png"
        upwards = f"won or shared against {OPPONENT}"
        draw_runs(course.curves, path, str(experiment), upwards, theirs, "the genome in the thesis")
        self.report.picture(path, f"Figure {number}: {experiment}. Each line is one run")

    def save(self) -> Parts:
        self.report.save(Path(self.done.page))
        return self.done
