"""Carrying out a plan: all runs advance together, one generation at a time."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from hiddenhand.kernel import derive
from hiddenhand.lab.duels import Bench, Score
from hiddenhand.lab.evolving.plan import Plan
from hiddenhand.lab.evolving.polishing import polished
from hiddenhand.lab.evolving.result import Evolved, Test, wilson, write
from hiddenhand.lab.evolving.saving import load, save
from hiddenhand.lab.interrupts import Interrupted, Interrupts
from hiddenhand.lab.match import Progress
from hiddenhand.learning.evolution import POPULATION, Polishable

SAVE_EVERY = 5.0  # seconds
TESTING = -1  # what the seed of the whole is split into, beside the runs


class Work:
    """All runs, as far as they have come."""

    def __init__(self, plan: Plan, path: Path, bench: Bench) -> None:
        self.plan = plan
        self.path = path
        self.part = path.with_name(path.name + ".part.json")
        self.bench = bench
        self.runs = [plan.run(number) for number in range(plan.specification["runs"])]
        self.before = 0.0
        self.started = self.saved = time.perf_counter()

    @property
    def generation(self) -> int:
        return self.runs[0].evolution.generation

    def seconds(self) -> float:
        return self.before + time.perf_counter() - self.started

    def load(self) -> None:
        """Go on from what was saved."""
        self.before = load(self.part, self.plan, self.runs)

    def save(self) -> None:
        save(self.part, self.plan, self.runs, self.seconds())
        self.saved = time.perf_counter()

    def finish(self, progress: Progress | None) -> Evolved:
        """Everything that is still to be done."""
        wanted = self.plan.generations
        with Interrupts() as interrupts:
            try:
                with interrupts.welcome():
                    self.bench.warm_up()
                self.started = self.saved = time.perf_counter()
                while self.generation < wanted:
                    self.one_generation(interrupts)
                    if progress is not None:
                        progress(self.generation * self.games_each(), wanted * self.games_each())
                    if time.perf_counter() - self.saved > SAVE_EVERY:
                        self.save()
                with interrupts.welcome():
                    evolved = self.tested()
            except KeyboardInterrupt:
                self.save()
                told = f"{self.generation} of {wanted} generations done; the same command with --resume goes on"
                raise Interrupted(told, f"evolved so far: {self.generation} generations") from None
            write(evolved, self.plan.game.title)
            self.part.unlink(missing_ok=True)
        return evolved

    def games_each(self) -> int:
        """The games of a generation, or nearly: the hall of fame is taken to be full."""
        plan = self.plan
        opponents = len(plan.opponents)
        mutants = POPULATION * plan.specification["mutants"]
        fitness = plan.fitness_games * mutants * (opponents + plan.specification["hall"])
        return len(self.runs) * (fitness + plan.measured_games * opponents)

    def one_generation(self, interrupts: Interrupts) -> None:
        """All runs advance by one generation; one that is interrupted leaves no trace."""
        games = self.plan.measured_games
        with interrupts.welcome():
            selected = self.select()
            measured = self.totals(
                [self.plan.lots(best, run.measuring, games) for run, [(best, _), *_] in zip(self.runs, selected)]
            )
        for run, chosen, score in zip(self.runs, selected, measured):
            run.advance(chosen, score.wins / (games * len(self.plan.opponents)))

    def select(self) -> list[list[tuple[Any, Any]]]:
        """The next parents of every run."""
        lots = []
        candidates = [run.evolution.candidates() for run in self.runs]
        for run, genomes in zip(self.runs, candidates):
            deals = derive(run.deals, run.evolution.generation)
            lots += [self.plan.lots(genome, deals, self.plan.fitness_games, run.hall) for genome in genomes]
        scores = iter(self.totals(lots))
        return [
            run.evolution.selected(genomes, [fitness(next(scores)) for _ in genomes])
            for run, genomes in zip(self.runs, candidates)
        ]

    def totals(self, groups: list[list[Any]]) -> list[Score]:
        """The scores of several groups of lots, each added up."""
        scores = iter(self.bench.scores([lot for group in groups for lot in group]))
        totals = []
        for group in groups:
            total = Score(0, 0.0)
            for _ in group:
                total = total.plus(next(scores))
            totals.append(total)
        return totals

    def winner(self) -> Any:
        """The best of all runs, polished if that is planned."""
        run = max(self.runs, key=lambda run: run.best_wins)
        model = self.plan.model
        if not self.plan.polish or not isinstance(model, Polishable):
            return run.best

        def wins(genome: Any, games: int) -> float:
            return self.totals([self.plan.lots(genome, run.measuring, games, run.hall)])[0].wins

        return polished(model, run.best, wins, self.plan.measured_games, self.plan.polish)

    def tested(self) -> Evolved:
        """The best of all runs, as its text says, on new deals."""
        plan, games = self.plan, self.plan.tested_games
        text = plan.model.text(self.winner())
        scores = self.bench.scores(plan.lots(plan.model.read(text), derive(plan.seed, TESTING), games))
        tests = [test_of(opponent, score, games) for opponent, score in zip(plan.opponents, scores)]
        wins = sum(test["wins"] for test in tests) / len(tests)
        return Evolved(
            plan.specification["game"],
            plan.specification["options"],
            plan.specification["model"],
            " and ".join(plan.opponents),
            plan.seed,
            plan.generations,
            self.seconds(),
            [run.curve for run in self.runs],
            text,
            f"{plan.model.agent}:@{self.path}",
            wins,
            wilson(wins, games * len(tests)),
            tests,
            plan.command(),
            str(self.path),
        )


def fitness(score: Score) -> tuple[float, ...]:
    return score.wins, score.points


def test_of(opponent: str, score: Score, games: int) -> Test:
    wins, alone = score.wins / games, score.sole / games
    return {
        "opponent": opponent,
        "games": games,
        "wins": wins,
        "ci95": wilson(wins, games),
        "sole_wins": alone,
        "sole_ci95": wilson(alone, games),
    }
