"""The plan of an evolution: what is evolved, against whom, and by how many games it is measured."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.extras import Evolvable
from hiddenhand.core.game import Game
from hiddenhand.core.settings import parse_pairs, read_settings
from hiddenhand.core.text import Text
from hiddenhand.lab.evolution.duels import Duel, Lot, Score
from hiddenhand.lab.plans import SEED, GamePlan, PageField, PlanParameter, plan_fields
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


def read_genome(text: str) -> str:
    """A genome as it was typed, or what is in its file: @FILE."""
    if not text.startswith("@"):
        return text
    try:
        lines = Path(text[1:]).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError("{path} cannot be read: {why}", path=text[1:], why=error) from None
    return "\n".join(line for line in lines if not line.lstrip().startswith("#"))


@dataclass(frozen=True)
class EvolutionPlan(GamePlan):
    """What is to be done."""

    model: Annotated[
        str,
        PlanParameter(
            "What is evolved, such as ratios, seasonal or menu. [the first that the game declares]",
            flags=("--model", "-m"),
            metavar="MODEL",
            page=PageField(Text("what evolves"), "model"),
        ),
    ] = ""
    opponents: Annotated[
        Sequence[str],
        PlanParameter(
            "Against whom everybody is measured. Several: repeat it, and the mean counts. [whom the game names]",
            flags=("--opponent",),
            metavar="AGENT",
            page=PageField(Text("Measured against"), "opponents"),
        ),
    ] = ()
    runs: Annotated[
        int, PlanParameter("Independent evolutions, side by side.", 1, page=PageField(Text("runs"), most=4))
    ] = 1
    generations: Annotated[
        int, PlanParameter("How many in each run.", 1, page=PageField(Text("generations"), most=200, usual=30))
    ] = 100
    seed: Annotated[int, SEED] = 1
    population: Annotated[int, PlanParameter("Parents of every generation.", 1)] = POPULATION
    mutants: Annotated[
        int,
        PlanParameter(
            "Of each parent, in every generation.", 1, page=PageField(Text("mutants of a parent"), most=20)
        ),
    ] = MUTANTS
    selection: Annotated[
        str,
        PlanParameter(
            "plus: parents compete with their mutants; comma: they do not.", choices=(PLUS, COMMA), metavar="HOW"
        ),
    ] = PLUS
    recombined: Annotated[
        float, PlanParameter("Of the mutants so many have two parents, 0 to 1.", 0.0, 1.0, metavar="SHARE")
    ] = 0.0
    beginners: Annotated[int, PlanParameter("Genomes drawn at random that compete in the first generation.", 0)] = 0
    start: Annotated[
        Sequence[str],
        PlanParameter(
            "Competes in the first generation: a text, or @FILE. May repeat.", metavar="GENOME", read=read_genome
        ),
    ] = ()
    parents: Annotated[
        str,
        PlanParameter(
            "The first: those of the model, or (start) of --start alone.",
            choices=(OF_MODEL, OF_START),
            metavar="WHICH",
        ),
    ] = OF_MODEL
    """What the model begins with may soon bring the hill that everybody climbs; the genomes of `start` alone are
    improved before they must compete with it."""
    rounds: Annotated[int, PlanParameter("After each round the better half plays four times as many games.", 1)] = 1
    goal: Annotated[
        str,
        PlanParameter(
            "What counts as won: shared victories too, or those alone.", choices=(SHARED, ALONE), metavar="WHAT"
        ),
    ] = SHARED
    measure_again: bool = True
    """Parents are measured again in every generation, with their mutants."""
    games: Annotated[
        int,
        PlanParameter(
            "By which fitness is measured, against each opponent.",
            1,
            flags=("--games", "-n"),
            page=PageField(Text("games for fitness"), most=1000),
        ),
    ] = field(default_factory=lambda: FITNESS_GAMES)
    hall: Annotated[
        int,
        PlanParameter(
            "The last N different winners are opponents too: a hall of fame.",
            0,
            page=PageField(Text("hall of fame"), most=10),
        ),
    ] = 0
    league: Annotated[
        int,
        PlanParameter(
            "Breed in N rounds against a league: the references that the model knows, and the best answer to every "
            "champion.",
            0,
        ),
    ] = 0
    floor: Annotated[
        float,
        PlanParameter(
            "With a league: the share of games to be won against those named by --opponent.",
            0.0,
            1.0,
            metavar="SHARE",
        ),
    ] = 0.5
    polish: Annotated[
        int,
        PlanParameter(
            "Improve the winner step by step in the end, in N passes.",
            0,
            page=PageField(Text("passes of polishing"), most=3),
        ),
    ] = 0
    playing: Annotated[
        str | None,
        PlanParameter("Short for the model's setting playing, such as random or ranks.", metavar="CHOOSER"),
    ] = None
    measured_games: int = field(default_factory=lambda: MEASURED_GAMES)
    """By which the best of a generation is measured."""
    tested_games: int = field(default_factory=lambda: TESTED_GAMES)
    """By which the winner is tested."""

    def __post_init__(self) -> None:
        super().__post_init__()
        evolvable = self.game.extra(Evolvable, Evolvable({}))
        if not self.model:
            self.set(model=evolvable.model or next(iter(evolvable.loaded()), ""))
        if self.playing:
            separator = "," if ":" in self.model else ":"
            self.set(model=f"{self.model}{separator}playing={self.playing}", playing=None)
        if not self.opponents:
            self.set(opponents=(evolvable.opponent or resolver.champion(self.game),))
        self.set(opponents=tuple(self.opponents), start=tuple(self.start))
        if self.league and (self.hall or self.polish or self.runs > 1):
            raise UserError("a league is one run with its own opponents: leave out hall, polish and runs")
        if self.parents == OF_START and not self.start:
            raise UserError("the first parents cannot be those of start: nothing was given to start from")
        self.check_model()
        for opponent in self.opponents:
            resolver.agent(self.game, opponent)  # and so is an opponent

    def check_model(self) -> None:
        """Refuse a model that nobody knows, and what it cannot do."""
        model, name = self.genomes, self.model.partition(":")[0]
        if self.polish:
            require_polishable(model, self.model)
        if self.recombined and not isinstance(model, Recombinable):
            raise UserError("genomes of the model {name} cannot be recombined", name=name)
        if self.beginners and not isinstance(model, Scattered):
            raise UserError("genomes of the model {name} cannot be drawn at random", name=name)
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

    def lots(self, genome: object, seed: int, games: int, hall: Sequence[Any] = ()) -> list[Lot]:
        """The lots of a genome: `games` games against each opponent and each genome of the hall of fame, on the same
        deals."""
        row = self.row(genome)
        others = [*range(len(self.opponents)), *map(self.row, hall)]
        return [Lot(row, seed, games, other) for other in others]

    def fitness(self, score: Score) -> tuple[float, ...]:
        """Games won; among equals, points."""
        return score.sole if self.goal == ALONE else score.wins, score.points

    def row(self, genome: object) -> bytes:
        return bytes(self.genomes.parameters(genome).tobytes())

    def to_json(self) -> dict[str, Any]:
        found = {**super().to_json(), "opponents": list(self.opponents), "start": list(self.start)}
        del found["playing"]
        return found

    def command(self) -> str:
        """The command that makes the same result again, without the name of the file that it is written to."""
        words = ["hiddenhand", "evolve", self.game.origin.spec, "--model", self.model]
        for name, value in self.game.options.items():
            words += ["--option", f"{name}={value}"]
        for opponent in self.opponents:
            words += ["--opponent", opponent]
        for text in self.start:
            words += ["--start", text]
        for each in plan_fields(type(self)):
            if each.parameter is not None and each.name not in ("game", "model", "opponents", "start", "playing"):
                words += [f"--{each.name}", str(getattr(self, each.name))]
        return shlex.join(words)


def require_polishable(model: Model[Any], text: str) -> None:
    if not isinstance(model, Polishable):
        raise UserError("genomes of the model {model} cannot be polished", model=text.partition(":")[0])


def find_model(game: Game, text: str) -> Model[Any]:
    """A model from its text: `seasonal`, `ranks:playing=random`."""
    name, _, rest = text.partition(":")
    kinds: dict[str, ModelKind] = game.extra(Evolvable, Evolvable({})).loaded()
    if name not in kinds:
        have = Text("it has none")
        if kinds:
            have = Text("models: {names}", names=one_of(list(kinds)))
        raise UserError(
            "{name} has no model {model}{guess}; {have}",
            name=game.name,
            model=repr(name),
            guess=did_you_mean(name, list(kinds)),
            have=have,
        )
    kind = kinds[name]
    return kind.of(game, **read_settings(parse_pairs(rest, name, "setting"), kind.settings, name, "setting"))
