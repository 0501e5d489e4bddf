"""The plan of an evolution: what is evolved, against whom, and by how many games it is measured."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.extras import Evolvable
from hiddenhand.core.game import Game
from hiddenhand.core.settings import parse_pairs, read_settings
from hiddenhand.core.text import Text
from hiddenhand.lab.evolution.duels import Duel, Lot, Score
from hiddenhand.learning.evolution import (
    COMMA,
    MUTANTS,
    PLUS,
    POPULATION,
    Model,
    ModelKind,
    Polishable,
    Recombinable,
    Scattered,
)

FITNESS_GAMES = 100
MEASURED_GAMES = 10_000
TESTED_GAMES = 40_000
ROUND_FACTOR = 4

SHARED, ALONE = "shared", "alone"
OF_MODEL, OF_START = "model", "start"
TOLD = (
    "runs", "population", "mutants", "selection", "recombined", "beginners", "parents", "games", "rounds", "goal",
    "hall", "league", "floor", "seed", "generations", "polish",
)  # fmt: skip
"""What the command line calls by the same names."""
NUMBERS = (*TOLD, "measure_again")


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
    population: int = POPULATION
    """Parents of every generation."""
    mutants: int = MUTANTS
    """Of each parent, in every generation."""
    selection: str = PLUS
    """Parents compete with their mutants (plus), or are forgotten (comma)."""
    recombined: float = 0.0
    """The share of mutants that have two parents."""
    beginners: int = 0
    """Genomes drawn at random that compete in the first generation."""
    start: Sequence[str] = ()
    """Genomes, as text, that compete in the first generation."""
    parents: str = OF_MODEL
    """The first parents: what the model begins with, to which small changes may soon bring the hill that everybody
    climbs, or the genomes of `start` alone, so that they are improved before they must compete with it."""
    rounds: int = 1
    """In which a generation is measured: after each the better half plays ROUND_FACTOR times as many games more."""
    goal: str = SHARED
    """Whether a shared victory counts as won (shared) or only games won alone do (alone)."""
    measure_again: bool = True
    """Parents are measured again in every generation, with their mutants."""
    games: int = field(default_factory=lambda: FITNESS_GAMES)
    """By which a genome's fitness is measured, against each opponent."""
    hall: int = 0
    """Places in the hall of fame: how many of the last winners are opponents too."""
    league: int = 0
    """Rounds of a league (see `league`); without one, everything is bred against the opponents and the hall alone."""
    floor: float = 0.5
    """The share of games that a champion of a league is to win against the opponents that are named."""
    polish: int = 0
    """Passes through the small steps by which the winner may become better or simpler."""
    measured_games: int = field(default_factory=lambda: MEASURED_GAMES)
    """By which the best of a generation is measured."""
    tested_games: int = field(default_factory=lambda: TESTED_GAMES)
    """By which the winner is tested."""

    def __post_init__(self) -> None:
        for name in ("runs", "generations", "population", "mutants", "games", "rounds"):
            if getattr(self, name) < 1:
                raise UserError(Text("{name} must be at least 1, not {value}", name=name, value=getattr(self, name)))
        for name in ("hall", "league", "polish", "beginners"):
            if getattr(self, name) < 0:
                raise UserError(Text("{name} must be at least 0, not {value}", name=name, value=getattr(self, name)))
        self.check_words()
        if self.league and (self.hall or self.polish or self.runs > 1):
            raise UserError(Text("a league is one run with its own opponents: leave out hall, polish and runs"))
        if self.parents == OF_START and not self.start:
            raise UserError(Text("the first parents cannot be those of start: nothing was given to start from"))
        if not self.opponents:
            raise UserError(Text("an evolution needs at least one opponent"))
        self.check_model()
        for opponent in self.opponents:
            resolver.agent(self.game, opponent)  # and so is an opponent

    def check_words(self) -> None:
        """Refuse shares that are none, and words that mean nothing."""
        for name in ("recombined", "floor"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise UserError(Text("{name} must be from 0 to 1, not {value}", name=name, value=getattr(self, name)))
        for name, choices in (
            ("selection", (PLUS, COMMA)),
            ("goal", (SHARED, ALONE)),
            ("parents", (OF_MODEL, OF_START)),
        ):
            if getattr(self, name) not in choices:
                raise UserError(
                    Text(
                        "{what} must be {kind}, not {value}",
                        what=name,
                        kind=" or ".join(choices),
                        value=repr(getattr(self, name)),
                    )
                )

    def check_model(self) -> None:
        """Refuse a model that nobody knows, and what it cannot do."""
        model, name = self.genomes, self.model.partition(":")[0]
        if self.polish:
            require_polishable(model, self.model)
        if self.recombined and not isinstance(model, Recombinable):
            raise UserError(Text("genomes of the model {name} cannot be recombined", name=name))
        if self.beginners and not isinstance(model, Scattered):
            raise UserError(Text("genomes of the model {name} cannot be drawn at random", name=name))
        for text in self.start:
            model.parameters(model.read(text))  # what cannot be read, or played here, is refused now

    @cached_property
    def genomes(self) -> Model[Any]:
        """The model itself."""
        return find_model(self.game, self.model)

    @cached_property
    def duel(self) -> Duel:
        agent = f"{self.genomes.agent}:{self.genomes.text(self.genomes.initial())}"
        options = tuple(self.game.options.items())
        return Duel(self.game.origin.spec, options, agent, tuple(self.opponents), self.hall > 0 or self.league > 0)

    def lots(self, genome: Any, seed: int, games: int, hall: Sequence[Any] = ()) -> list[Lot]:
        """The lots of a genome: `games` games against each opponent and each genome of the hall of fame, on the same
        deals."""
        row = self.row(genome)
        others = [*range(len(self.opponents)), *map(self.row, hall)]
        return [Lot(row, seed, games, other) for other in others]

    def fitness(self, score: Score) -> tuple[float, ...]:
        """Games won; among equals, points."""
        return score.sole if self.goal == ALONE else score.wins, score.points

    def row(self, genome: Any) -> bytes:
        return bytes(self.genomes.parameters(genome).tobytes())

    def to_json(self) -> dict[str, Any]:
        """All that determines the result."""
        game = self.game
        return {
            "game": game.origin.spec,
            "rules": game.rules.key,
            "version": game.version,
            "options": dict(game.options),
            "model": self.model,
            "opponents": list(self.opponents),
            "start": list(self.start),
            **{name: getattr(self, name) for name in (*NUMBERS, "measured_games", "tested_games")},
        }

    def command(self) -> str:
        """The command that makes the same result again, without the name of the file that it is written to."""
        words = ["hiddenhand", "evolve", self.game.origin.spec, "--model", self.model]
        for name, value in self.game.options.items():
            words += ["--option", f"{name}={value}"]
        for opponent in self.opponents:
            words += ["--opponent", opponent]
        for text in self.start:
            words += ["--start", text]
        for name in TOLD:
            words += [f"--{name}", str(getattr(self, name))]
        return shlex.join(words)


def require_polishable(model: Model[Any], text: str) -> None:
    if not isinstance(model, Polishable):
        raise UserError(Text("genomes of the model {model} cannot be polished", model=text.partition(":")[0]))


def find_model(game: Game, text: str) -> Model[Any]:
    """A model from its text: `seasonal`, `ranks:playing=random`."""
    name, _, rest = text.partition(":")
    kinds: dict[str, ModelKind] = game.extra(Evolvable, Evolvable({})).loaded()
    if name not in kinds:
        have = Text("it has none")
        if kinds:
            have = Text("models: {names}", names=one_of(list(kinds)))
        raise UserError(
            Text(
                "{name} has no model {model}{guess}; {have}",
                name=game.name,
                model=repr(name),
                guess=did_you_mean(name, list(kinds)),
                have=have,
            )
        )
    kind = kinds[name]
    return kind.of(game, **read_settings(parse_pairs(rest, name, "setting"), kind.settings, name, "setting"))
