"""An evolution as work for the runner.

All runs advance together, one generation at a time. Then comes the local search, if it is planned, one evaluation at
a time; and last the test of the winner.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.kernel import derive
from hiddenhand.lab.curves import SoFar
from hiddenhand.lab.evolution.duels import Duels, Lot, Score
from hiddenhand.lab.evolution.local_search import Evaluation, LocalSearch, improved
from hiddenhand.lab.evolution.plan import OF_START, ROUND_FACTOR, EvolutionPlan
from hiddenhand.lab.evolution.result import EvolutionResult, OpponentScore, run_curves, score_against, write
from hiddenhand.lab.runner import Parts
from hiddenhand.lab.statistics import wilson
from hiddenhand.learning.evolution import BEGINNING, Evolution, Fitness, Polishable, Recombinable, Scattered, Scheme

MUTATIONS, DEALS, MEASURING = range(3)  # what the seed of a run is split into
TESTING = -1  # what the seed of the whole is split into, beside the runs

Selected = list[tuple[Any, Fitness]]
"""The next parents of a run with their fitness, the best first."""


@dataclass
class EvolutionRun:
    """One evolution, its curve so far, and its hall of fame."""

    evolution: Evolution[Any]
    deals: int
    """The seed of the games that decide fitness, split by generation."""
    measuring: int
    """The seed of the games that measure the best of each generation: always the same, to be compared."""
    places: int = 0
    """In the hall of fame."""
    hall: list[Any] = field(default_factory=list)
    """The best genomes of earlier generations, the latest last: opponents of the next generation."""
    curve: list[float] = field(default_factory=list)
    best: Any = None
    """The genome that was measured best."""
    best_wins: float = -1.0

    def advance(self, selected: Selected, wins: float) -> None:
        """Go on to the next generation with these parents; the first of them won this share of its games."""
        champion = selected[0][0]
        self.evolution.advance(selected)
        self.curve.append(wins)
        if wins > self.best_wins:
            self.best, self.best_wins = champion, wins
        if self.places:
            others = [genome for genome in self.hall if genome != champion]
            self.hall = [*others, champion][-self.places :]


def new_run(plan: EvolutionPlan, number: int) -> EvolutionRun:
    """A run at its beginning."""
    seed = derive(plan.seed, number)
    model, mutations = plan.genomes, derive(seed, MUTATIONS)
    rng = np.random.default_rng(derive(mutations, BEGINNING))
    drawn = [model.drawn(rng) for _ in range(plan.beginners)] if isinstance(model, Scattered) else []
    scheme = Scheme(plan.population, plan.mutants, plan.measure_again, plan.selection, plan.recombined)
    recombine = model.recombine if isinstance(model, Recombinable) else None
    started = [model.read(text) for text in plan.start]
    evolution = Evolution(model.initial(), model.mutate, mutations, scheme, recombine, [*started, *drawn])
    if plan.parents == OF_START:
        evolution.parents = [started[i % len(started)] for i in range(plan.population)]
    return EvolutionRun(evolution, derive(seed, DEALS), derive(seed, MEASURING), plan.hall)


class GenomeWork:
    """What breeding by runs and breeding by a league have in common: duels, a local search, and a test in the end."""

    unit: str = Text("generations")

    def __init__(self, plan: EvolutionPlan, path: Path, duels: Duels) -> None:
        self.planned = plan
        self.path = path
        """The file that receives the winner."""
        self.duels = duels
        self.local_search: LocalSearch | None = None
        """None until the evolution is over, and where there is none."""
        self.tests: list[OpponentScore] = []
        """How the winner does against each opponent; empty until it was tested."""

    @property
    def plan(self) -> dict[str, Any]:
        return self.planned.to_json()

    @property
    def over(self) -> bool:
        return bool(self.tests)

    def prepare(self) -> None:
        self.duels.warm_up()

    @property
    def question(self) -> Evaluation | None:
        """What the local search wants to know next: a genome and a number of games; None if it wants nothing."""
        return None if self.local_search is None else self.local_search.question

    def answer_search(self, wins: float) -> None:
        """Give the local search what it asked for."""
        assert self.local_search is not None
        self.local_search.answer(wins)

    @property
    def search_answers(self) -> list[float]:
        """All answers of the local search so far; as it always asks the same, they are enough to begin it again."""
        return [] if self.local_search is None else list(self.local_search.answers.values())


class EvolutionWork(GenomeWork):
    """The runs of an evolution, in the state that they have reached."""

    kind = "evolution"
    result_type = EvolutionResult

    def __init__(self, plan: EvolutionPlan, path: Path, duels: Duels) -> None:
        super().__init__(plan, path, duels)
        self.runs = [new_run(plan, number) for number in range(plan.runs)]

    @property
    def done(self) -> int:
        return self.runs[0].evolution.generation

    @property
    def wanted(self) -> int:
        return self.planned.generations

    def step(self) -> Any:
        if self.done < self.wanted:
            return self.one_generation()
        if self.question is not None:
            genome, games = self.question
            run = self.best_run
            lots = self.planned.lots(genome, run.measuring, games, run.hall)
            return self.planned.fitness(self.totals([lots])[0])[0]
        return self.tested()

    def add(self, piece: Any) -> None:
        if self.done < self.wanted:
            for run, (selected, wins) in zip(self.runs, piece):
                run.advance(selected, wins)
            self.begin_local_search()
        elif self.question is not None:
            self.answer_search(piece)
        else:
            self.tests = piece

    def one_generation(self) -> list[tuple[Selected, float]]:
        """The next parents of every run, and the share of games that the best of them wins."""
        plan = self.planned
        selected = self.select()
        lots = [
            plan.lots(best, run.measuring, plan.measured_games) for run, [(best, _), *_] in zip(self.runs, selected)
        ]
        games = plan.measured_games * len(plan.opponents)
        return [(chosen, plan.fitness(score)[0] / games) for chosen, score in zip(selected, self.totals(lots))]

    def select(self) -> list[Selected]:
        """The next parents of every run."""
        plan = self.planned
        candidates = [run.evolution.candidates() for run in self.runs]
        measured: list[list[Fitness]] = [[()] * len(genomes) for genomes in candidates]
        still = [list(range(len(genomes))) for genomes in candidates]  # who plays in this round
        for number in range(plan.rounds):
            games = plan.games * ROUND_FACTOR**number
            lots = []
            for run, genomes, places in zip(self.runs, candidates, still):
                deals = derive(run.deals, run.evolution.generation)
                deals = derive(deals, number) if number > 0 else deals
                lots += [plan.lots(genomes[place], deals, games, run.hall) for place in places]
            scores = iter(self.totals(lots))
            for fitness, places in zip(measured, still):
                for place in places:
                    fitness[place] = (number, *plan.fitness(next(scores)))
            for i, (run, fitness) in enumerate(zip(self.runs, measured)):
                best = sorted(still[i], key=fitness.__getitem__, reverse=True)
                still[i] = sorted(best[: max(len(best) // 2, len(run.evolution.parents))])
        return [
            run.evolution.selected(genomes, fitness) for run, genomes, fitness in zip(self.runs, candidates, measured)
        ]

    def totals(self, groups: list[list[Lot]]) -> list[Score]:
        """The scores of several groups of lots, each added up."""
        scores = iter(self.duels.scores([lot for group in groups for lot in group]))
        totals = []
        for group in groups:
            total = Score(0, 0.0)
            for _ in group:
                total = total.plus(next(scores))
            totals.append(total)
        return totals

    @property
    def best_run(self) -> EvolutionRun:
        return max(self.runs, key=lambda run: run.best_wins)

    def begin_local_search(self) -> None:
        model = self.planned.genomes
        if self.done == self.wanted and self.planned.polish and isinstance(model, Polishable):
            best = self.best_run.best
            self.local_search = LocalSearch(improved(model, best, self.planned.measured_games, self.planned.polish))

    def winner(self) -> str:
        """The best of all runs, polished if that is planned, as text."""
        best = self.best_run.best if self.local_search is None else self.local_search.best
        return self.planned.genomes.text(best)

    def tested(self) -> list[OpponentScore]:
        """The winner, as its text says, on new deals."""
        plan = self.planned
        genome = plan.genomes.read(self.winner())
        scores = self.duels.scores(plan.lots(genome, derive(plan.seed, TESTING), plan.tested_games))
        return [score_against(opponent, score, plan.tested_games) for opponent, score in zip(plan.opponents, scores)]

    def snapshot(self) -> Parts:
        runs = [self.state_of(run) for run in self.runs]
        return {"evolution": {"runs": runs, "polishing": self.search_answers, "tests": self.tests}}

    def state_of(self, run: EvolutionRun) -> dict[str, Any]:
        def write(genome: object) -> str:
            return self.planned.genomes.text(genome, exact=True)

        return {
            "generation": run.evolution.generation,
            "parents": list(map(write, run.evolution.parents)),
            "fitness": run.evolution.fitness,
            "hall": list(map(write, run.hall)),
            "curve": run.curve,
            "best": None if run.best is None else write(run.best),
            "best_wins": run.best_wins,
        }

    def restore(self, parts: Parts) -> None:
        kept = parts["evolution"]
        for run, state in zip(self.runs, kept["runs"], strict=True):
            self.restore_run(run, state)
        self.begin_local_search()
        for wins in kept["polishing"]:
            self.answer_search(wins)
        self.tests = list(kept["tests"])

    def restore_run(self, run: EvolutionRun, state: dict[str, Any]) -> None:
        read = self.planned.genomes.read
        run.evolution.generation = int(state["generation"])
        run.evolution.parents = list(map(read, state["parents"]))
        run.evolution.fitness = [tuple(fitness) for fitness in state["fitness"]]
        run.hall = list(map(read, state["hall"]))
        run.curve = [float(value) for value in state["curve"]]
        run.best = None if state["best"] is None else read(state["best"])
        run.best_wins = float(state["best_wins"])

    def result(self, seconds: float) -> EvolutionResult | SoFar:
        plan, curves = self.planned, [run.curve for run in self.runs]
        opponent, measured = " and ".join(plan.opponents), plan.measured_games * len(plan.opponents)
        if not self.tests:
            return SoFar(Text("evolved so far: {n} generations", n=self.done), run_curves(curves, measured, opponent))
        wins = sum(test["wins"] for test in self.tests) / len(self.tests)
        evolved = EvolutionResult(
            game=plan.game.name,
            options=dict(plan.game.options),
            model=plan.model,
            opponent=opponent,
            seed=plan.seed,
            generations=plan.generations,
            seconds=seconds,
            curves=curves,
            genome=self.winner(),
            agent=f"{plan.genomes.agent}:@{self.path}",
            wins=wins,
            ci95=wilson(wins, plan.tested_games * len(self.tests)),
            tests=self.tests,
            command=plan.command(),
            output=str(self.path),
            measured=measured,
        )
        write(evolved, plan.game.title)
        return evolved
