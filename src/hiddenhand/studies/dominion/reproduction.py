"""The evolved Dominion strategies of P. Fulla (Comenius University, 2012): his reference game, the genomes that he
published, and the evolutions of chapter 6 with figures 6.1 to 6.6, all played anew."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import metrics_of
from hiddenhand.core.processes import Workers
from hiddenhand.core.resolver import game
from hiddenhand.games.dominion.models.published import PUBLISHED
from hiddenhand.lab.figures import draw_medians, draw_runs
from hiddenhand.lab.match import match
from hiddenhand.lab.parts import Found, PartsWork, WorkPart
from hiddenhand.lab.runner import Running
from hiddenhand.lab.statistics import summarise
from hiddenhand.studies.dominion.evolutions import (
    CHANGED,
    EXPERIMENTS,
    FIRST_GAME,
    GENERATIONS,
    RUNS,
    SEED,
    EvolutionExperiment,
    EvolutionOutcome,
    evolve_experiment,
    outcome,
)
from hiddenhand.studies.dominion.thesis import BEST, FIGURES, changed_settings, five_sets, statements, twelve_models
from hiddenhand.studies.html_report import Page, ReportTables, Rows

GAMES = 40_000  # of BigMoney against itself, and of each published genome
OPPONENT = "bigmoney"

MIRROR = "BigMoney against itself"
GENOMES = "The published genomes against BigMoney"

ALL = (*EXPERIMENTS, *CHANGED)
Outcomes = dict[EvolutionExperiment, EvolutionOutcome]


def begin(
    folder: Path,
    running: Running,
    workers: Workers,
    games: int = GAMES,
    runs: int = RUNS,
    generations: int = GENERATIONS,
) -> PartsWork:
    """Everything; the pictures and the page are written into a folder.

    runs, generations   of each of the thirty experiments
    workers             for the evolutions; what is played beside them takes less time than starting these
    """
    for name, value in (("games", games), ("runs", runs), ("generations", generations)):
        if value < 1:
            raise UserError("{name} must be at least 1, not {value}", name=name, value=value)

    def evolved(experiment: EvolutionExperiment, running: Running) -> Found:
        return {"evolved": evolve_experiment(experiment, runs, generations, folder / "dominion", workers, running)}

    pieces = [
        WorkPart(MIRROR, lambda running: {"rows": mirror(games)}),
        WorkPart(GENOMES, lambda running: {"rows": published(games)}),
        *(WorkPart(str(experiment), partial(evolved, experiment), generations) for experiment in ALL),
    ]

    def show(found: dict[str, Found], seconds: float) -> ReportTables:
        return DominionPage(folder, games, runs, generations).write(found)

    of = game("dominion")
    plan = {
        "game": of.origin.spec, "rules": of.rules.key, "version": of.version, "games": games, "runs": runs,
        "generations": generations,
    }  # fmt: skip
    return PartsWork("reproduction", plan, pieces, show, running)


def mirror(games: int) -> Rows:
    """The thesis's reference game: how often the first player comes to move, and who wins."""
    of = game("dominion")
    result = match(of, [OPPONENT, OPPONENT], games=games, seed=SEED)
    turns = result.metrics[:, metrics_of(of).index("turns")]
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


class DominionPage:
    """The tables and pictures, for the terminal and for the HTML page."""

    def __init__(self, folder: Path, games: int, runs: int, generations: int) -> None:
        self.folder = folder
        self.done = ReportTables(page=str(folder / "dominion.html"))
        self.page = Page("Dominion: evolved strategies")
        self.page.text(
            f"Peter Fulla's thesis (2012) and ours. Evolutions: {runs} runs of {generations} generations for each "
            f"model (the thesis: {RUNS} of {GENERATIONS}), five parents with ten mutants each, fitness by 100 games "
            f"against BigMoney, the best of a generation measured in 10,000. Other numbers: {games:,} games. A "
            "shared victory counts as won."
        )

    def write(self, found: dict[str, Found]) -> ReportTables:
        """All that there is."""
        for title in (MIRROR, GENOMES):
            if title in found:
                self.add(title, found[title]["rows"], found[title]["seconds"])
        outcomes = {
            experiment: outcome(found[str(experiment)]["evolved"]) for experiment in ALL if str(experiment) in found
        }
        if outcomes:
            self.evolutions(outcomes)
        self.page.save(Path(self.done.page))
        return self.done

    def add(self, title: str, rows: Rows, seconds: float) -> None:
        self.done.parts[title], self.done.seconds[title] = rows, seconds
        self.page.heading(title)
        self.page.table(rows)

    def evolutions(self, outcomes: Outcomes) -> None:
        """All that the evolutions have shown."""
        took = {experiment: of.seconds for experiment, of in outcomes.items()}
        of_changes = sum(seconds for experiment, seconds in took.items() if experiment.change)
        on_first_game = sum(took[experiment] for experiment in took if experiment.kingdom == FIRST_GAME) - of_changes
        elsewhere = sum(took.values()) - on_first_game - of_changes
        self.add("Twelve models on First Game", twelve_models(outcomes), on_first_game)
        self.add("The seasonal model, playing by ranks, on five sets", five_sets(outcomes), elsewhere)
        self.add("What the thesis says", statements(outcomes), 0.0)
        self.add("The settings of the evolution, one changed at a time", changed_settings(outcomes), of_changes)
        self.page.text(f"{len(outcomes)} of {len(ALL)} evolutions, {sum(took.values()) / 60:.0f} minutes in all.")
        self.page.heading("Figures 6.1 to 6.6: the share of games won by the best of each generation")
        for figure in FIGURES:
            if figure.experiment in outcomes:
                self.picture(figure.number, figure.experiment, outcomes[figure.experiment], figure.wins)
        self.medians(outcomes)
        self.page.heading("The best genomes")
        for experiment, of in outcomes.items():
            self.page.text(f"{experiment}, {of.wins:.3f}: {of.genome}")
        for figure in FIGURES:
            self.page.text(f"The thesis, figure {figure.number}, {figure.wins:.2f}: {PUBLISHED[figure.genome].text}")

    def medians(self, outcomes: Outcomes) -> None:
        """The median run with every changed setting, in one picture."""
        named = {e.change or "as in the thesis": outcomes[e].curves for e in (BEST, *CHANGED) if e in outcomes}
        path = self.folder / "settings_dominion.png"
        draw_medians(named, path, f"{BEST}: one setting changed", f"won or shared against {OPPONENT}, median run")
        self.page.picture(path, "The median of the runs, by the setting that is changed")

    def picture(self, number: str, experiment: EvolutionExperiment, ours: EvolutionOutcome, theirs: float) -> None:
        path = self.folder / f"figure_{number.replace('.', '_')}_dominion.png"
        upwards = f"won or shared against {OPPONENT}"
        draw_runs(ours.curves, path, str(experiment), upwards, theirs, "the genome in the thesis")
        self.page.picture(path, f"Figure {number}: {experiment}. Each line is one run, the thick one their median")
