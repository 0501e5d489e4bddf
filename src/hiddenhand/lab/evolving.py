"""Evolving strategies: several runs of an evolution side by side, measured against an opponent.

A game offers models in a module `models` of its package: `MODELS`, by name (see `learning.evolution`). The fitness of
a genome is how many of FITNESS_GAMES games it wins against the opponent, a shared victory counted as won; among
equals, its victory points. All genomes of a generation play the same deals, every generation others. The best of each
generation is measured in MEASURED_GAMES games on deals of its own: these are the curves. The best of all by these
measurements is tested on deals that were never used before, and written to a file that its agent reads.

The seed determines everything, whoever plays the games. Runs advance together, one generation at a time; what there
is is saved every few seconds and on Ctrl-C.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core import registry
from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.game import Game
from hiddenhand.core.settings import parse_pairs, read_settings
from hiddenhand.kernel import derive
from hiddenhand.lab.duels import Bench, Duel, Lot
from hiddenhand.lab.executors import open_runner
from hiddenhand.lab.figures import draw_lines
from hiddenhand.lab.interrupts import Interrupted, Interrupts
from hiddenhand.lab.match import Progress
from hiddenhand.lab.statistics import NORMAL
from hiddenhand.learning.evolution import MUTANTS, POPULATION, Evolution, Model, ModelKind

FITNESS_GAMES = 100
MEASURED_GAMES = 10_000
TESTED_GAMES = 40_000
SAVE_EVERY = 5.0  # seconds
MUTATIONS, DEALS, MEASURING = range(3)  # what the seed of a run is split into
TESTING = -1  # and, beside the runs, the seed of the whole


@dataclass
class Evolved:
    """What came of it."""

    game: str
    options: dict[str, Any]
    model: str
    opponent: str
    seed: int
    generations: int
    seconds: float
    curves: list[list[float]]
    """One per run: how often the best of each generation won."""
    genome: str
    agent: str
    """Whoever plays as the genome says, as text."""
    wins: float
    """Won or shared, on new deals, with its 95 % interval."""
    ci95: list[float]
    output: str

    def to_json(self) -> dict[str, Any]:
        return vars(self)

    def __str__(self) -> str:
        count = len(self.curves)
        return "\n".join(
            [
                f"{self.model} evolved for {self.generations} generations against {self.opponent}: "
                f"{count} run{'s' if count > 1 else ''}, {self.seconds:.0f} s",
                *(f"  run {i + 1}: {curve_text(curve)}" for i, curve in enumerate(self.curves)),
                f"the best of all {tested_text(self)}",
                self.genome,
                f"saved in {self.output}; the curves in {Path(self.output).with_suffix('.png')}",
                f"play against it: {play_command(self)}",
            ]
        )


def curve_text(curve: list[float]) -> str:
    best = max(curve)
    return f"best {best:.3f} in generation {curve.index(best) + 1}, last {curve[-1]:.3f}"


def tested_text(evolved: Evolved) -> str:
    low, high = evolved.ci95
    return (
        f"wins {evolved.wins:.3f} (95 % interval {low:.3f} to {high:.3f}) of {TESTED_GAMES:,} games "
        f"against {evolved.opponent} on new deals, shared victories included"
    )


def play_command(evolved: Evolved) -> str:
    options = "".join(f" -o '{name}={value}'" for name, value in evolved.options.items())
    return f"hiddenhand play {evolved.game}{options} --against '{evolved.agent}'"


def models(game: str) -> dict[str, ModelKind]:
    """The models that a game offers."""
    module = f"{registry.GAMES}.{game}.models"
    try:
        known = find_spec(module) is not None
    except ModuleNotFoundError:
        known = False
    return dict(import_module(module).MODELS) if known else {}


def find_model(game: Game, text: str) -> Model[Any]:
    """A model from its text: `seasonal`, `ranks:playing=random`."""
    name, _, rest = text.partition(":")
    kinds = models(game.name)
    if name not in kinds:
        have = f"models: {one_of(list(kinds))}" if kinds else "it has none"
        raise UserError(f"{game.name} has no model {name!r}{did_you_mean(name, list(kinds))}; {have}")
    kind = kinds[name]
    return kind.of(game, **read_settings(parse_pairs(rest, name, "setting"), kind.settings, name, "setting"))


def evolve(
    game: str,
    model: str,
    runs: int = 1,
    generations: int = 100,
    opponent: str = "bigmoney",
    seed: int = 1,
    output: str | Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    workers: int = 1,
    mutants: int = MUTANTS,
    measure_again: bool = True,
    **options: Any,
) -> Evolved:
    """Evolve the genomes of a model against an opponent, and write the winner to a file.

    mutants         of each parent, in every generation
    measure_again   parents are measured again in every generation, with their mutants
    """
    plan = Plan(registry.game(game, **options), model, runs, generations, opponent, seed, mutants, measure_again)
    path = Path(output or f"{model.partition(':')[0]}.genome")
    runner = open_runner(workers)
    try:
        work = Work(plan, path, Bench(plan.duel, runner))
        if resume:
            work.load()
        return work.finish(progress)
    finally:
        runner.stop()


class Plan:
    """What is to be done."""

    def __init__(
        self,
        game: Game,
        model: str,
        runs: int,
        generations: int,
        opponent: str,
        seed: int,
        mutants: int = MUTANTS,
        measure_again: bool = True,
    ) -> None:
        for name, value in (("runs", runs), ("generations", generations), ("mutants", mutants)):
            if value < 1:
                raise UserError(f"{name} must be at least 1, not {value}")
        self.game = game
        self.model = find_model(game, model)
        self.generations = generations
        self.seed = seed
        initial = self.model.initial()
        agent = f"{self.model.agent}:{self.model.text(initial)}"
        registry.agent(game, opponent)  # an opponent that nobody knows is refused here and now
        self.duel = Duel(game.spec, tuple(game.options.items()), agent, opponent)
        self.specification: dict[str, Any] = {
            "game": game.name, "options": dict(game.options), "model": model, "runs": runs, "opponent": opponent,
            "seed": seed, "mutants": mutants, "measure_again": measure_again,
        }  # fmt: skip

    def run(self, number: int) -> Run:
        """A run at its beginning."""
        seed = derive(self.seed, number)
        mutants, again = self.specification["mutants"], self.specification["measure_again"]
        start = self.model.initial()
        return Run(
            Evolution(start, self.model.mutate, derive(seed, MUTATIONS), POPULATION, mutants, again),
            derive(seed, DEALS),
            derive(seed, MEASURING),
        )

    def lot(self, genome: Any, seed: int, games: int) -> Lot:
        return Lot(self.model.parameters(genome).tobytes(), seed, games)


@dataclass
class Run:
    """One evolution and its course so far."""

    evolution: Evolution[Any]
    deals: int
    """The seed of the games that decide fitness, split by generation."""
    measuring: int
    """The seed of the games that measure the best of each generation: always the same, to be compared."""
    curve: list[float] = field(default_factory=list)
    best: Any = None
    """The genome that was measured best."""
    best_wins: float = -1.0


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

    def finish(self, progress: Progress | None) -> Evolved:
        """Everything that is still to be done."""
        wanted = self.plan.generations
        each = len(self.runs) * (FITNESS_GAMES * POPULATION * self.runs[0].evolution.mutants + MEASURED_GAMES)
        with Interrupts() as interrupts:
            try:
                with interrupts.welcome():
                    self.bench.warm_up()
                self.started = self.saved = time.perf_counter()
                while self.generation < wanted:
                    self.one_generation(interrupts)
                    if progress is not None:
                        progress(self.generation * each, wanted * each)
                    if time.perf_counter() - self.saved > SAVE_EVERY:
                        self.save()
                with interrupts.welcome():
                    evolved = self.tested()
            except KeyboardInterrupt:
                self.save()
                told = f"{self.generation} of {wanted} generations done; the same command with --resume goes on"
                raise Interrupted(told, f"evolved so far: {self.generation} generations") from None
            self.write(evolved)
        return evolved

    def one_generation(self, interrupts: Interrupts) -> None:
        """All runs advance by one generation; one that is interrupted leaves no trace."""
        with interrupts.welcome():
            selected = self.select()
            measured = self.bench.scores(
                [
                    self.plan.lot(best, run.measuring, MEASURED_GAMES)
                    for run, [(best, _), *_] in zip(self.runs, selected)
                ]
            )
        for run, chosen, score in zip(self.runs, selected, measured):
            run.evolution.advance(chosen)
            run.curve.append(score.wins / MEASURED_GAMES)
            if run.curve[-1] > run.best_wins:
                run.best, run.best_wins = chosen[0][0], run.curve[-1]

    def select(self) -> list[list[tuple[Any, Any]]]:
        """The next parents of every run."""
        lots = []
        candidates = [run.evolution.candidates() for run in self.runs]
        for run, genomes in zip(self.runs, candidates):
            deals = derive(run.deals, run.evolution.generation)
            lots += [self.plan.lot(genome, deals, FITNESS_GAMES) for genome in genomes]
        scores = iter(self.bench.scores(lots))
        return [
            run.evolution.selected(genomes, [(*next(scores),) for _ in genomes])
            for run, genomes in zip(self.runs, candidates)
        ]

    def tested(self) -> Evolved:
        """The best of all runs, as its text says, on new deals."""
        winner = max(self.runs, key=lambda run: run.best_wins).best
        model, specification = self.plan.model, self.plan.specification
        text = model.text(winner)
        lot = self.plan.lot(model.read(text), derive(self.plan.seed, TESTING), TESTED_GAMES)
        wins = self.bench.scores([lot])[0].wins / TESTED_GAMES
        return Evolved(
            specification["game"],
            specification["options"],
            specification["model"],
            specification["opponent"],
            self.plan.seed,
            self.plan.generations,
            self.seconds(),
            [run.curve for run in self.runs],
            text,
            f"{model.agent}:@{self.path}",
            wins,
            wilson(wins, TESTED_GAMES),
            str(self.path),
        )

    def write(self, evolved: Evolved) -> None:
        """The strategy file, and the figure of the runs."""
        options = ", ".join(f"{name}={value}" for name, value in evolved.options.items())
        header = [
            f"{self.plan.game.title} ({options})",
            f"{evolved.model}, evolved for {evolved.generations} generations, seed {evolved.seed}",
            tested_text(evolved),
            f"play against it: {play_command(evolved)}",
        ]
        text = "".join(f"# {line}\n" for line in header) + evolved.genome + "\n"
        try:
            self.path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise UserError(f"{self.path} cannot be written: {error.strerror}") from None
        draw_lines(
            {f"run {i + 1}": curve for i, curve in enumerate(evolved.curves)},
            self.path.with_suffix(".png"),
            f"{evolved.model}, {self.plan.game.title}",
            "generation",
            f"won or shared against {evolved.opponent}",
        )
        self.part.unlink(missing_ok=True)

    # ---- stopping and going on

    def save(self) -> None:
        """Everything needed to go on."""
        write = self.plan.model.text
        kept = {
            **self.plan.specification,
            "seconds": self.seconds(),
            "state": [
                {
                    "generation": run.evolution.generation,
                    "parents": [write(genome, exact=True) for genome in run.evolution.parents],
                    "fitness": run.evolution.fitness,
                    "curve": run.curve,
                    "best": None if run.best is None else write(run.best, exact=True),
                    "best_wins": run.best_wins,
                }
                for run in self.runs
            ],
        }
        new = self.part.with_name(self.part.name + ".new")
        new.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        new.replace(self.part)
        self.saved = time.perf_counter()

    def load(self) -> None:
        """Go on from what was saved."""
        read = self.plan.model.read
        try:
            kept = json.loads(self.part.read_text(encoding="utf-8"))
            for name, value in self.plan.specification.items():
                if kept[name] != value:
                    raise UserError(f"{self.part} is of another evolution: {name} was {kept[name]}, not {value}")
            for run, state in zip(self.runs, kept["state"], strict=True):
                run.evolution.generation = int(state["generation"])
                run.evolution.parents = [read(text) for text in state["parents"]]
                run.evolution.fitness = [tuple(fitness) for fitness in state["fitness"]]
                run.curve = [float(value) for value in state["curve"]]
                run.best = None if state["best"] is None else read(state["best"])
                run.best_wins = float(state["best_wins"])
            self.before = float(kept["seconds"])
        except FileNotFoundError:
            raise UserError(f"there is nothing to resume: no file {self.part}") from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UserError(f"{self.part} cannot be read: {error}") from None


def wilson(share: float, games: int) -> list[float]:
    """A 95 % interval for a probability, from how often it came true (Wilson, 1927)."""
    z = NORMAL * NORMAL / games
    middle = (share + z / 2.0) / (1.0 + z)
    half = float(np.sqrt(z * share * (1.0 - share) + z * z / 4.0)) / (1.0 + z)
    return [middle - half, middle + half]
