"""The plan of an evolution: what is evolved, against whom, and by how many games it is measured."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.game import Game
from hiddenhand.core.settings import parse_pairs, read_settings
from hiddenhand.lab.evolving.duels import Duel, Lot
from hiddenhand.learning.evolution import MUTANTS, Model, ModelKind, Polishable

FITNESS_GAMES = 100
MEASURED_GAMES = 10_000
TESTED_GAMES = 40_000


@dataclass(frozen=True)
class EvolutionPlan:
    """What is to be done."""

    game: Game
    model: str
    """What is evolved, as text: `seasonal`, `ranks:playing=random`."""
    opponents: Sequence[str]
    runs: int = 1
    generations: int = 100
    seed: int = 1
    mutants: int = MUTANTS
    """Of each parent, in every generation."""
    measure_again: bool = True
    """Parents are measured again in every generation, with their mutants."""
    games: int = field(default_factory=lambda: FITNESS_GAMES)
    """By which a genome's fitness is measured, against each opponent."""
    hall: int = 0
    """Places in the hall of fame: how many of the last winners are opponents too."""
    polish: int = 0
    """Passes through the small steps by which the winner may become better or simpler."""
    measured_games: int = field(default_factory=lambda: MEASURED_GAMES)
    """By which the best of a generation is measured."""
    tested_games: int = field(default_factory=lambda: TESTED_GAMES)
    """By which the winner is tested."""

    def __post_init__(self) -> None:
        for name in ("runs", "generations", "mutants", "games"):
            if getattr(self, name) < 1:
                raise UserError(f"{name} must be at least 1, not {getattr(self, name)}")
        for name in ("hall", "polish"):
            if getattr(self, name) < 0:
                raise UserError(f"{name} must be at least 0, not {getattr(self, name)}")
        if not self.opponents:
            raise UserError("an evolution needs at least one opponent")
        model = self.genomes  # one that nobody knows is refused here and now
        if self.polish:
            require_polishable(model, self.model)
        for opponent in self.opponents:
            resolver.agent(self.game, opponent)  # and so is an opponent

    @cached_property
    def genomes(self) -> Model[Any]:
        """The model itself."""
        return find_model(self.game, self.model)

    @cached_property
    def duel(self) -> Duel:
        agent = f"{self.genomes.agent}:{self.genomes.text(self.genomes.initial())}"
        options = tuple(self.game.options.items())
        return Duel(self.game.spec, options, agent, tuple(self.opponents), self.hall > 0)

    def lots(self, genome: Any, seed: int, games: int, hall: Sequence[Any] = ()) -> list[Lot]:
        """So many games against each opponent, and against each genome of the hall of fame, on the same deals."""
        row = self.row(genome)
        others = [*range(len(self.opponents)), *map(self.row, hall)]
        return [Lot(row, seed, games, other) for other in others]

    def row(self, genome: Any) -> bytes:
        return self.genomes.parameters(genome).tobytes()

    def to_json(self) -> dict[str, Any]:
        """All that determines the result."""
        game = self.game
        numbers = ("runs", "generations", "seed", "mutants", "measure_again", "games", "hall", "polish")
        return {
            "game": game.spec,
            "rules": game.rules.key,
            "version": game.version,
            "options": dict(game.options),
            "model": self.model,
            "opponents": list(self.opponents),
            **{name: getattr(self, name) for name in (*numbers, "measured_games", "tested_games")},
        }

    def command(self) -> str:
        """What makes the same again (but for where it is written)."""
        words = ["hiddenhand", "evolve", self.game.spec, "--model", self.model]
        for name, value in self.game.options.items():
            words += ["--option", f"{name}={value}"]
        for opponent in self.opponents:
            words += ["--opponent", opponent]
        for name in ("runs", "mutants", "games", "hall", "seed", "generations", "polish"):
            words += [f"--{name}", str(getattr(self, name))]
        return shlex.join(words)


def require_polishable(model: Model[Any], text: str) -> None:
    if not isinstance(model, Polishable):
        raise UserError(f"genomes of the model {text.partition(':')[0]} cannot be polished")


def find_model(game: Game, text: str) -> Model[Any]:
    """A model from its text: `seasonal`, `ranks:playing=random`."""
    name, _, rest = text.partition(":")
    kinds: dict[str, ModelKind] = resolver.offered(game.models)
    if name not in kinds:
        have = f"models: {one_of(list(kinds))}" if kinds else "it has none"
        raise UserError(f"{game.name} has no model {name!r}{did_you_mean(name, list(kinds))}; {have}")
    kind = kinds[name]
    return kind.of(game, **read_settings(parse_pairs(rest, name, "setting"), kind.settings, name, "setting"))
