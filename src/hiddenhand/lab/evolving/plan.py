"""The plan of an evolution: what is evolved, against whom, and by how many games it is measured."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.kernel import derive
from hiddenhand.lab.duels import Duel, Lot
from hiddenhand.lab.evolving.finding import find_model
from hiddenhand.lab.evolving.run import Run
from hiddenhand.learning.evolution import MUTANTS, POPULATION, Evolution, Polishable

FITNESS_GAMES = 100
MEASURED_GAMES = 10_000
TESTED_GAMES = 40_000
MUTATIONS, DEALS, MEASURING = range(3)  # what the seed of a run is split into


class Plan:
    """What is to be done."""

    def __init__(
        self,
        game: Game,
        model: str,
        runs: int,
        generations: int,
        opponents: Sequence[str],
        seed: int,
        mutants: int = MUTANTS,
        measure_again: bool = True,
        games: int | None = None,
        hall: int = 0,
        polish: int = 0,
    ) -> None:
        games = FITNESS_GAMES if games is None else games
        counts = {"runs": runs, "generations": generations, "mutants": mutants, "games": games}
        for name, value in counts.items():
            if value < 1:
                raise UserError(f"{name} must be at least 1, not {value}")
        for name, value in (("hall", hall), ("polish", polish)):
            if value < 0:
                raise UserError(f"{name} must be at least 0, not {value}")
        if not opponents:
            raise UserError("an evolution needs at least one opponent")
        self.game = game
        self.model = find_model(game, model)
        if polish and not isinstance(self.model, Polishable):
            raise UserError(f"genomes of the model {model.partition(':')[0]} cannot be polished")
        self.generations = generations
        self.polish = polish
        self.seed = seed
        self.opponents = list(opponents)
        self.fitness_games = games
        self.measured_games = MEASURED_GAMES
        self.tested_games = TESTED_GAMES
        for opponent in opponents:
            resolver.agent(game, opponent)  # one that nobody knows is refused here and now
        agent = f"{self.model.agent}:{self.model.text(self.model.initial())}"
        self.duel = Duel(game.spec, tuple(game.options.items()), agent, tuple(opponents), hall > 0)
        self.specification: dict[str, Any] = {
            "game": game.name, "options": dict(game.options), "model": model, "runs": runs,
            "opponents": self.opponents, "seed": seed, "mutants": mutants, "measure_again": measure_again,
            "games": games, "hall": hall,
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
            self.specification["hall"],
        )

    def lots(self, genome: Any, seed: int, games: int, hall: Sequence[Any] = ()) -> list[Lot]:
        """So many games against each opponent, and against each genome of the hall of fame, on the same deals."""
        row = self.row(genome)
        others = [*range(len(self.opponents)), *map(self.row, hall)]
        return [Lot(row, seed, games, other) for other in others]

    def row(self, genome: Any) -> bytes:
        return self.model.parameters(genome).tobytes()

    def command(self) -> str:
        """What makes the same again (but for where it is written)."""
        told = self.specification
        words = ["hiddenhand", "evolve", self.game.spec, "--model", told["model"]]
        for name, value in told["options"].items():
            words += ["--option", f"{name}={value}"]
        for opponent in self.opponents:
            words += ["--opponent", opponent]
        for name in ("runs", "mutants", "games", "hall", "seed"):
            words += [f"--{name}", str(told[name])]
        return shlex.join([*words, "--generations", str(self.generations), "--polish", str(self.polish)])
