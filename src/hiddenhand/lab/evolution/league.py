"""Breeding against a league: a champion, the best answer to it, a champion that stands against that answer too, ...

What is bred against one opponent learns to beat that one, and something simple may beat it. So a league has rounds,
in the manner of a double oracle (McMahan, Gordon and Blum, 2003):

    answer to the champion: an evolution against the champion alone, from the model's beginning and everything known
    the answer joins the league
    next champion: an evolution against the league, from the champion, the answers and the references

The league has the named opponents, the references that the model knows (see `Referenced`), and all answers so far.
Nothing in it is forgotten: fitness is the smallest margin over its members, smoothed, so that the worst opponents
count most and small noise does not decide. The margin over a named opponent is the share of games won less the
`floor`; over anybody else it is half of what is won more often than lost. To save time a champion is bred against the
named ones and against those other members alone that come nearest to beating the last champion.

After the last round one more answer is looked for. Then every champion plays the whole league, and the one whose
worst margin is best has won. What it can do without, and be no worse for it, it loses.
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
from hiddenhand.lab.evolution.league_result import LeagueResult, answers_curve
from hiddenhand.lab.evolution.local_search import LocalSearch, hill_climb, no_worse
from hiddenhand.lab.evolution.plan import ALONE, ROUND_FACTOR, EvolutionPlan
from hiddenhand.lab.evolution.result import OpponentScore, score_against
from hiddenhand.lab.evolution.work import GenomeWork
from hiddenhand.lab.runner import Parts
from hiddenhand.learning.evolution import (
    BEGINNING,
    Evolution,
    Polishable,
    Recombinable,
    Referenced,
    Scattered,
    Scheme,
)

SHARPNESS = 15.0
"""How much more the worst opponents count: e times as much for each 1 / SHARPNESS by which a margin is smaller."""
RIVALS = 7
"""Members of the league, beside the named opponents, against which a champion is bred."""
FINALISTS = 3
"""How many genomes of the last generation are measured by many games."""
FEWER = 5
"""The finalists play `measured_games` divided by this number."""
SIMPLER = 4
"""A simpler genome is measured by `measured_games` divided by this number."""
MUTATIONS, DEALS, MEASURING, CHOOSING, SIMPLIFYING, TESTING = range(-6, 0)  # what the seed is split into, and phases

Opponent = int | bytes
"""As in a `Lot`: the place of a named opponent, or the parameters of a genome."""


@dataclass
class Phase:
    """One evolution of the league: the answer to a champion (even), or the next champion (odd)."""

    number: int
    evolution: Evolution[Any]
    rivals: list[int]
    """The places of its opponents in the league; a champion's own phase has none."""


@dataclass
class Generation:
    """What a generation came to; at the end of a phase also who has won it, and the places of the next rivals."""

    selected: list[tuple[Any, tuple[float, ...]]]
    winner: Any = None
    share: float = 0.0
    rivals: list[int] = field(default_factory=list)


class LeagueWork(GenomeWork):
    """The phases of a league as work for the runner: those that are finished, and the one under way."""

    kind = "league"
    result_type = LeagueResult

    def __init__(self, plan: EvolutionPlan, path: Path, duels: Duels) -> None:
        super().__init__(plan, path, duels)
        model = plan.genomes
        self.references: dict[str, Any] = model.references() if isinstance(model, Referenced) else {}
        self.champions: list[Any] = [model.read(plan.start[0]) if plan.start else model.initial()]
        self.answers: list[Any] = []
        self.exploited: list[float] = []
        """The share of games that each answer won against its champion, when it was found."""
        self.choice: int | None = None
        """The place of the best champion, once that is known."""
        self.rivals: list[int] = []
        """The places of those who come nearest to beating it."""
        self.phase = self.new_phase(0, [])

    # ---- the phases

    def new_phase(self, number: int, rivals: list[int]) -> Phase:
        plan, model = self.planned, self.planned.genomes
        seed = derive(derive(plan.seed, number), MUTATIONS)
        rng = np.random.default_rng(derive(seed, BEGINNING))
        drawn = [model.drawn(rng) for _ in range(plan.beginners)] if isinstance(model, Scattered) else []
        scheme = Scheme(plan.population, plan.mutants, True, plan.selection, plan.recombined)
        recombine = model.recombine if isinstance(model, Recombinable) else None
        known = [*map(model.read, plan.start), *reversed(self.answers), *self.references.values()]
        evolution = Evolution(model.initial(), model.mutate, seed, scheme, recombine, [*known, *drawn])
        if number % 2:  # the champions are improved, not begun again
            parents = [self.champions[-1], *reversed(self.answers[-2:]), *self.champions[:-1]]
            evolution.parents = [parents[i % len(parents)] for i in range(plan.population)]
        return Phase(number, evolution, rivals)

    @property
    def members(self) -> list[tuple[str, Opponent]]:
        """Everybody in the league, by name."""
        plan = self.planned
        named = list(enumerate(plan.opponents))
        return [
            *((name, place) for place, name in named),
            *((name, plan.row(genome)) for name, genome in self.references.items()),
            *((f"answer {i + 1}", plan.row(genome)) for i, genome in enumerate(self.answers)),
        ]

    @property
    def phases(self) -> int:
        """An answer and a champion in every round, and one more answer."""
        return 2 * self.planned.league + 1

    # ---- the runner's side

    @property
    def done(self) -> int:
        return min(self.phase.number * self.planned.generations + self.phase.evolution.generation, self.wanted)

    @property
    def wanted(self) -> int:
        return self.phases * self.planned.generations

    def step(self) -> Any:
        if self.phase.number < self.phases:
            return self.one_generation()
        if self.choice is None:
            return self.chosen()
        return self.without_it() if self.question is not None else self.tested()

    def add(self, piece: Any) -> None:
        if isinstance(piece, Generation):
            self.end_generation(piece)
        elif self.choice is None:
            self.choice, self.rivals = piece
            self.begin_local_search()
        elif self.question is not None:
            self.answer_search(piece)
        else:
            self.tests = piece

    def end_generation(self, piece: Generation) -> None:
        number = self.phase.number
        self.phase.evolution.advance(piece.selected)
        if piece.winner is None:
            return
        if number % 2:
            self.champions.append(piece.winner)
        else:
            self.answers.append(piece.winner)
            self.exploited.append(piece.share)
        self.duels.known.clear()  # other deals from now on
        self.phase = self.new_phase(number + 1, piece.rivals)

    # ---- measuring

    def wins(self, score: Score) -> int:
        return score.sole if self.planned.goal == ALONE else score.wins

    def margins(self, genomes: list[Any], opponents: list[Opponent], seed: int, games: int) -> np.ndarray[Any, Any]:
        """What each genome wins against each opponent beyond what is wanted, all on the same deals."""
        rows = list(map(self.planned.row, genomes))
        lots = [Lot(row, seed, games, other) for row in rows for other in opponents]
        margins = [self.margin(lot, score) for lot, score in zip(lots, self.duels.scores(lots))]
        return np.array(margins).reshape(len(genomes), -1)

    def margin(self, lot: Lot, score: Score) -> float:
        if isinstance(lot.opponent, int):
            return self.wins(score) / lot.games - self.planned.floor
        return (score.wins + score.sole) / (2 * lot.games) - 0.5

    def opponents(self) -> list[Opponent]:
        """Against whom this phase is bred."""
        if self.phase.number % 2 == 0:
            return [self.planned.row(self.champions[-1])]
        members = self.members
        return [members[place][1] for place in self.phase.rivals]

    def one_generation(self) -> Generation:
        """The next parents; after the last generation, who has won the phase."""
        plan, phase = self.planned, self.phase
        evolution, opponents = phase.evolution, self.opponents()
        genomes = list(dict.fromkeys(evolution.candidates()))
        still = list(range(len(genomes)))
        fitness: list[tuple[float, ...]] = [()] * len(genomes)
        deals = derive(derive(derive(plan.seed, phase.number), DEALS), evolution.generation)
        games = plan.games * (1 if phase.number % 2 else ROUND_FACTOR)  # one opponent takes less time than many
        for number in range(plan.rounds):
            playing = [genomes[place] for place in still]
            margins = self.margins(playing, opponents, derive(deals, number), games * ROUND_FACTOR**number)
            for place, value in zip(still, smallest(margins)):
                fitness[place] = (number, float(value))
            best = sorted(still, key=fitness.__getitem__, reverse=True)
            still = sorted(best[: max(len(best) // 2, plan.population)])
        everyone = sorted(zip(genomes, fitness), key=lambda pair: pair[1], reverse=True)
        selected = [everyone[i % len(everyone)] for i in range(plan.population)]
        if evolution.generation + 1 < plan.generations:
            return Generation(selected)
        return self.end_of_phase(selected)

    def end_of_phase(self, selected: list[tuple[Any, tuple[float, ...]]]) -> Generation:
        plan, number = self.planned, self.phase.number
        seed = derive(derive(plan.seed, number), MEASURING)
        finalists = [genome for genome, _ in selected[:FINALISTS]]
        if number % 2:
            finalists = [self.champions[-1], *finalists]
            others = [other for _, other in self.members]
            values = smallest(self.margins(finalists, others, seed, plan.measured_games // FEWER))
            return Generation(selected, finalists[int(values.argmax())])
        champion, games = plan.row(self.champions[-1]), plan.measured_games
        scores = self.duels.scores([Lot(plan.row(genome), seed, games, champion) for genome in finalists])
        share, place = max((self.wins(score) / games, place) for place, score in enumerate(scores))
        others = [*(other for _, other in self.members), plan.row(finalists[place])]
        margins = self.margins([self.champions[-1]], others, seed, games // FEWER)[0]
        return Generation(selected, finalists[place], share, sorted({*self.nearest(margins), len(others) - 1}))

    def nearest(self, margins: np.ndarray[Any, Any]) -> list[int]:
        """The places in the league of the named opponents, and of those who come nearest to beating a champion."""
        named = len(self.planned.opponents)
        return sorted([*range(named), *sorted(range(named, len(margins)), key=margins.__getitem__)[:RIVALS]])

    # ---- the end

    def chosen(self) -> tuple[int, list[int]]:
        """The place of the champion whose smallest margin is the largest, and the places of its rivals."""
        others = [other for _, other in self.members]
        seed = derive(self.planned.seed, CHOOSING)
        margins = self.margins(self.champions, others, seed, self.planned.measured_games // 2)
        choice = int(margins.min(axis=1).argmax())
        return choice, self.nearest(margins[choice])

    def begin_local_search(self) -> None:
        model = self.planned.genomes
        if self.choice is not None and isinstance(model, Polishable):
            games = self.planned.measured_games // SIMPLER
            self.local_search = LocalSearch(hill_climb(self.champions[self.choice], model.simpler, no_worse, games))

    def without_it(self) -> float:
        """How a simpler genome does against the rivals."""
        assert self.question is not None
        genome, games = self.question
        members, seed = self.members, derive(self.planned.seed, SIMPLIFYING)
        opponents = [members[place][1] for place in self.rivals]
        return float(smallest(self.margins([genome], opponents, seed, games))[0])

    def winner(self) -> str:
        """The best champion, simplified, as text."""
        if self.local_search is not None:
            return self.text(self.local_search.best)
        return self.text(self.champions[self.choice or 0])

    def tested(self) -> list[OpponentScore]:
        """How the winner, as its text says, does against everybody on new deals."""
        plan, members = self.planned, self.members
        row, seed = plan.row(plan.genomes.read(self.winner())), derive(plan.seed, TESTING)
        games = {True: plan.tested_games, False: plan.measured_games}
        lots = [Lot(row, seed, games[isinstance(other, int)], other) for _, other in members]
        scores = self.duels.scores(lots)
        return [score_against(name, score, lot.games) for (name, _), lot, score in zip(members, lots, scores)]

    # ---- keeping

    def text(self, genome: object, exact: bool = False) -> str:
        return self.planned.genomes.text(genome, exact=exact)

    def snapshot(self) -> Parts:
        evolution = self.phase.evolution
        return {
            "league": {
                "champions": [self.text(genome, exact=True) for genome in self.champions],
                "answers": [self.text(genome, exact=True) for genome in self.answers],
                "exploited": self.exploited,
                "phase": self.phase.number,
                "rivals": self.phase.rivals,
                "generation": evolution.generation,
                "parents": [self.text(genome, exact=True) for genome in evolution.parents],
                "choice": self.choice,
                "last_rivals": self.rivals,
                "polishing": self.search_answers,
                "tests": self.tests,
            }
        }

    def restore(self, parts: Parts) -> None:
        kept, read = parts["league"], self.planned.genomes.read
        self.champions, self.answers = list(map(read, kept["champions"])), list(map(read, kept["answers"]))
        self.exploited = list(kept["exploited"])
        self.phase = self.new_phase(int(kept["phase"]), [int(place) for place in kept["rivals"]])
        self.phase.evolution.generation = int(kept["generation"])
        self.phase.evolution.parents = list(map(read, kept["parents"]))
        self.choice, self.rivals = kept["choice"], [int(place) for place in kept["last_rivals"]]
        self.begin_local_search()
        for value in kept["polishing"]:
            self.answer_search(value)
        self.tests = list(kept["tests"])

    def result(self, seconds: float) -> LeagueResult | SoFar:
        plan = self.planned
        if not self.tests:
            return SoFar(
                Text(
                    "bred so far: {n} generations, {champions} champions",
                    n=self.done,
                    champions=len(self.champions) - 1,
                ),
                answers_curve(self.exploited),
            )
        bred = LeagueResult(
            game=plan.game.name,
            options=dict(plan.game.options),
            model=plan.model,
            seed=plan.seed,
            rounds=plan.league,
            generations=plan.generations,
            seconds=seconds,
            exploited=self.exploited,
            choice=self.choice or 0,
            genome=self.winner(),
            answers=[self.text(genome) for genome in self.answers],
            agent=f"{plan.genomes.agent}:@{self.path}",
            tests=self.tests,
            command=plan.command(),
            output=str(self.path),
        )
        bred.write(plan.game.title)
        return bred


def smallest(margins: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The smallest margin of each row, smoothed: others that are nearly as small count nearly as much."""
    value: np.ndarray[Any, Any] = -np.log(np.exp(-SHARPNESS * margins).mean(axis=1)) / SHARPNESS
    return value
