"""What Peter Fulla's thesis on Dominion (2012) says of its evolutions, section 6.3, beside ours, as tables.

The share of games won counts a shared victory as won. The thesis gives it for a genome that it shows ("an example of
a strategy obtained"), now and then as the best; ours are the highest points of the runs, and the best genome of all
runs on new deals. Where an experiment is not finished there is a dash.

Whether a statement holds is judged for the genomes that were bred: with few runs, another evolution might have bred
others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hiddenhand.games.dominion.models.published import PUBLISHED
from hiddenhand.lab.statistics import FAILS, NOT_SHOWN, Interval, verdict, wilson
from hiddenhand.studies.dominion.evolutions import (
    BEST_MODEL,
    CHANGED,
    PLAYING,
    SEASONAL,
    SETS,
    SIMPLE,
    EvolutionExperiment,
    EvolutionOutcome,
)
from hiddenhand.studies.html_report import Rows

UNKNOWN = "-"
GOOD, EARLY, LATER = 0.35, 25, 50  # what the thesis says of figure 6.4: who was above this share by when
NEAR = 0.02  # two shares of 10,000 games that need not differ

BEST = EvolutionExperiment(*BEST_MODEL)


@dataclass(frozen=True)
class Figure:
    """A figure of the thesis."""

    number: str
    genome: str
    """The published genome that comes from it, by its name in PUBLISHED."""
    experiment: EvolutionExperiment

    @property
    def wins(self) -> float:
        return PUBLISHED[self.genome].wins


FIGURES = (
    Figure("6.1", "ranks", EvolutionExperiment("ranks", "random")),
    Figure("6.2", "ranks, playing ranks", EvolutionExperiment("ranks", "ranks")),
    Figure("6.3", "weighted", EvolutionExperiment("weighted", "ranks")),
    Figure("6.4", "ratios", EvolutionExperiment("ratios", "ranks")),
    Figure("6.5", "seasonal", BEST),
    Figure("6.6", "seasonal, Size Distortion", EvolutionExperiment(*BEST_MODEL, "Size Distortion")),
)
SAID = {
    **{figure.experiment: f"{figure.wins:.2f}" for figure in FIGURES},
    EvolutionExperiment(*BEST_MODEL, "Big Money"): "0.59, the lowest",
}

Outcomes = Mapping[EvolutionExperiment, EvolutionOutcome]


def twelve_models(outcomes: Outcomes) -> Rows:
    """Every way to gain with every way to play, on First Game."""
    rows = [["gaining", "playing", "the thesis", *COLUMNS]]
    for gaining in (*SIMPLE, *SEASONAL.values()):
        for playing in PLAYING:
            experiment = EvolutionExperiment(gaining, playing)
            rows.append([gaining, playing, SAID.get(experiment, UNKNOWN), *outcome_cells(outcomes.get(experiment))])
    return rows


def five_sets(outcomes: Outcomes) -> Rows:
    """The thesis's best model on the five sets of the rulebook."""
    rows = [["set", "the thesis", *COLUMNS]]
    for kingdom in SETS:
        experiment = EvolutionExperiment(*BEST_MODEL, kingdom)
        said = SAID.get(experiment, "as First Game or less")
        rows.append([kingdom, said, *outcome_cells(outcomes.get(experiment))])
    return rows


def changed_settings(outcomes: Outcomes) -> Rows:
    """The best model on First Game as the thesis evolved it, then with one setting changed at a time."""
    rows = [["changed", *COLUMNS]]
    for experiment in (BEST, *CHANGED):
        rows.append([experiment.change or "nothing", *outcome_cells(outcomes.get(experiment))])
    return rows


COLUMNS = ("best run", "median run", "worst run", "best genome on new deals")


def outcome_cells(outcome: EvolutionOutcome | None) -> list[str]:
    if outcome is None:
        return [UNKNOWN] * len(COLUMNS)
    low, high = outcome.ci95
    runs = (outcome.highest, outcome.median, outcome.heights()[-1])
    return [*(f"{share:.3f}" for share in runs), f"{outcome.wins:.3f} ({low:.3f} to {high:.3f})"]


Answer = tuple[str, str]
"""What was found, and whether the statement holds; nothing of what a few runs could not show."""


def statements(outcomes: Outcomes) -> Rows:
    """What the thesis's text says of its figures, what was found here, and whether it holds, by 95 % intervals."""
    first = {figure.number: figure.experiment for figure in FIGURES}
    ranks, better_ranks, ratios = first["6.1"], first["6.2"], first["6.4"]

    def above(generation: int | None, theirs: int) -> Callable[[], Answer]:
        return lambda: runs_above(outcomes[ratios], generation, theirs)

    rows_of_statements: list[tuple[str, str, Callable[[], Answer]]] = [
        ("6.1: the highest share of any run", "below 0.4", lambda: below(outcomes[ranks], 0.4)),
        ("6.1: the generation in which a run first came near it", "20",
         lambda: (str(first_near_top(outcomes[ranks])), "")),
        ("6.2: the highest share of any run", "0.52", lambda: (f"{outcomes[better_ranks].highest:.3f}", "")),
        (f"6.4: runs above {GOOD} by generation {EARLY}", "8 of 10", above(EARLY, 8)),
        (f"6.4: runs above {GOOD} by generation {LATER}", "9 of 10", above(LATER, 9)),
        (f"6.4: runs above {GOOD} at any time", "9 of 10", above(None, 9)),
        ("weights, ranks, ratios: playing by ranks beats random", "3 of 3", lambda: better_played(outcomes)),
        ("models with seasons that beat those without", "6 of 6", lambda: better_with_seasons(outcomes)),
        ("the best of the twelve models", f"{BEST.gaining}, {BEST.playing}", lambda: best_model(outcomes)),
        ("the set on which the seasonal model does worst", "Big Money", lambda: worst_set(outcomes)),
    ]  # fmt: skip
    rows = [["statement", "the thesis", "ours", "holds"]]
    return [*rows, *([name, said, *attempt(ours)] for name, said, ours in rows_of_statements)]


def attempt(ours: Callable[[], Answer]) -> Answer:
    """What can be said with the experiments that are finished."""
    try:
        return ours()
    except KeyError:
        return UNKNOWN, UNKNOWN


def below(outcome: EvolutionOutcome, share: float) -> Answer:
    """Whether the share of the best genome on new deals is below a number."""
    low, high = outcome.ci95
    return f"{outcome.highest:.3f}", verdict([(share - high, share - low)])


def runs_above(outcome: EvolutionOutcome, generation: int | None, theirs: int) -> Answer:
    """In how many runs a share was reached; whether the thesis's share of its ten runs is within the interval."""
    found, runs = outcome.reached(GOOD, generation), len(outcome.curves)
    low, high = wilson(found / runs, runs)
    return f"{found} of {runs}", NOT_SHOWN if low <= theirs / 10 <= high else FAILS


def margin(first: EvolutionOutcome, second: EvolutionOutcome) -> Interval:
    """By how much the best genome of one experiment wins more on new deals than that of another (Newcombe, 1998)."""
    difference = first.wins - second.wins
    down = math.hypot(first.wins - first.ci95[0], second.ci95[1] - second.wins)
    return difference - down, difference + math.hypot(first.ci95[1] - first.wins, second.wins - second.ci95[0])


def first_near_top(outcome: EvolutionOutcome) -> int:
    """The generation in which some run first came near the highest share."""
    return 1 + min(i for curve in outcome.curves for i, share in enumerate(curve) if share >= outcome.highest - NEAR)


def better_played(outcomes: Outcomes) -> Answer:
    pairs = [(EvolutionExperiment(gaining, "ranks"), EvolutionExperiment(gaining, "random")) for gaining in SIMPLE]
    return count_better(outcomes, pairs)


def better_with_seasons(outcomes: Outcomes) -> Answer:
    pairs = [
        (EvolutionExperiment(seasonal, playing), EvolutionExperiment(simple, playing))
        for simple, seasonal in SEASONAL.items()
        for playing in PLAYING
    ]
    return count_better(outcomes, pairs)


def count_better(outcomes: Outcomes, pairs: list[tuple[EvolutionExperiment, EvolutionExperiment]]) -> Answer:
    """In how many pairs the best genome of the first wins more, on new deals, than that of the second."""
    margins = [margin(outcomes[first], outcomes[second]) for first, second in pairs]
    return f"{sum(low > 0.0 for low, _ in margins)} of {len(pairs)}", verdict(margins)


def best_model(outcomes: Outcomes) -> Answer:
    models = [
        EvolutionExperiment(gaining, playing) for gaining in (*SIMPLE, *SEASONAL.values()) for playing in PLAYING
    ]
    best = max(models, key=lambda model: outcomes[model].wins)
    margins = [margin(outcomes[BEST], outcomes[model]) for model in models if model != BEST]
    return f"{best.gaining}, {best.playing}", verdict(margins)


def worst_set(outcomes: Outcomes) -> Answer:
    worst = min(SETS, key=lambda kingdom: outcomes[EvolutionExperiment(*BEST_MODEL, kingdom)].wins)
    of = {kingdom: outcomes[EvolutionExperiment(*BEST_MODEL, kingdom)] for kingdom in SETS}
    margins = [margin(other, of["Big Money"]) for kingdom, other in of.items() if kingdom != "Big Money"]
    return worst, verdict(margins)
