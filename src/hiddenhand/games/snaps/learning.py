"""The learners of snaps, by name: `hiddenhand train snaps self_taught`.

`self_taught` plays against itself and learns what every action brings: deep Monte Carlo with TD(lambda), as
`learning/monte_carlo.py` does it for any game, a thousand games at a time. Only the rules are known: no example, no
advice.

`imitation` watches a stronger player and learns to expect what he does. Four of the teacher play; of each decision
the network sees what the player knew and what he chose, and makes that choice more likely (cross-entropy over the
legal actions). The thesis of J. Barič (2009) taught a network the first lead so; this one learns all decisions. In
every lesson it goes once through games seen so far, drawn at random, and in the last one several times through all of
them, in smaller and smaller steps. One game in twenty is kept back to measure how often pupil and teacher agree. It
learns from saved games of people too: these it goes through again and again, in smaller and smaller steps.

The player that comes of either is the average of the network over its latest steps.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.policy import policy
from hiddenhand.core.record import Record
from hiddenhand.core.text import Text
from hiddenhand.games.snaps.beliefs.statistics import Statistics, chances_of
from hiddenhand.games.snaps.cards import Array
from hiddenhand.games.snaps.encoding import output_of
from hiddenhand.games.snaps.experience import moves_on
from hiddenhand.games.snaps.imitation_data import (
    LONGEST,
    Lessons,
    Observed,
    OnPaper,
    on_paper,
    teacher_of,
    watch,
    watch_elsewhere,
    whose,
)
from hiddenhand.games.snaps.lead_network import FirstLead
from hiddenhand.games.snaps.networks import SIZES, best_answer
from hiddenhand.learning.monte_carlo import BATCH, ActionValueLearner, NetworkLearner
from hiddenhand.learning.network import (
    FORBIDDEN,
    cross_entropy,
    layers_of,
    pass_forward,
    write_network,
)

# --- what both have in common ---------------------------------------------------------------------


def decide(view: np.record, seat: int, actions: Any, memory: np.record, parameters: np.record, rng: Any) -> Any:
    return best_answer(view, seat, actions, parameters.network)


class SnapsNetworkLearner(NetworkLearner):
    """A learner whose network one of the agents of `networks` plays with; a subclass says what a `lesson` is."""

    opponent = "rules"  # against whom it is tried out; it never learns from him

    def save(self, path: Path) -> None:
        write_network(path, self.adam.mean)

    def player(self, best: bool = False) -> PolicyAgent:
        """An agent with what has been learned so far."""
        network = self.adam.mean.astype(np.float64)
        learned = policy(self.summary, knowledge=lambda game: {"network": network})(decide)
        return PolicyAgent(self.game, learned)


# --- games against itself -------------------------------------------------------------------------


class SelfTaught(SnapsNetworkLearner, ActionValueLearner):
    """Learns from games against itself."""

    name = "self_taught"
    summary = Text("a network that has learned by playing against itself")
    games = 1_500_000
    td_lambda = 0.6

    def __init__(self, game: Game, seed: int, games: int, sizes: tuple[int, ...] = SIZES) -> None:
        super().__init__(game, seed, games, sizes)
        self.rules = game.rules.replaced(relative=output_of)


# --- games of a teacher ---------------------------------------------------------------------------

KEPT_BACK = 20  # one game in so many
AT_ONCE = 500  # games replayed together
MOST_READ = 5000  # games in a lesson that is not the last
LAST_PASSES = 10
SAVED_STEPS = 2000  # that are made with saved games, however few they are; but each is gone through at least
LEAST_PASSES = 10  # so often, and at most
MOST_PASSES = 60


class Imitation(SnapsNetworkLearner):
    """Learns from the games of a teacher, or from saved games."""

    name = "imitation"
    summary = Text("a network that has learned by watching a stronger player")
    games = 20_000
    step = 200
    teacher = "pimc:worlds=100"
    rate = 1e-3
    takes_workers = True  # the teacher plays in other processes
    learns_from_records = True

    def __init__(
        self,
        game: Game,
        seed: int,
        games: int,
        sizes: tuple[int, ...] = SIZES,
        teacher: str = teacher,
        saved: OnPaper | None = None,
    ) -> None:
        super().__init__(game, seed, games, sizes)
        self.teacher = teacher
        self.saved = saved
        self.agent = teacher_of(game, teacher) if saved is None else None
        self.records = np.zeros((0, LONGEST), np.int8) if saved is None else saved.actions
        self.lessons = Lessons(game, seed, AT_ONCE)
        if saved is not None:
            self.step = len(saved.actions)  # a lesson is once through all of them
            self.wanted = self.step * passes_through(len(self.samples_of(np.arange(self.step)).chosen))

    @classmethod
    def from_records(
        cls,
        game: Game,
        seed: int,
        records: Sequence[Record],
        teacher: str | None,
        sizes: tuple[int, ...] = SIZES,
    ) -> "Imitation":
        """A learner that goes through saved games."""
        saved = on_paper(game, records, teacher)
        if not saved.heeded.any():
            raise UserError("nobody in these games can be learned from")
        return cls(game, seed, 0, sizes, whose(game, records, teacher) or "everybody", saved)

    @property
    def observed(self) -> int:
        """How many games it has seen."""
        return self.done if self.saved is None else len(self.records)

    def lesson(self, games: int) -> None:
        if self.saved is not None:
            if games:
                self.read(games, self.rate * (1.0 - self.done / self.wanted), self.done // games)
            return
        assert self.agent is not None
        if self.workers is None or games == 0:
            seen = watch(self.game, self.agent, self.seed, self.done, games)
        else:
            seen = watch_elsewhere(self.workers, self.game, self.teacher, self.seed, self.done, games)
        self.records = np.concatenate([self.records, seen])
        if self.done + games < self.wanted:
            self.read(MOST_READ, self.rate, 0)
            return
        for number in range(LAST_PASSES):
            self.read(len(self.records), self.rate * (1.0 - number / LAST_PASSES), number)

    def samples_of(self, games: Array) -> Observed:
        """The samples of the games with these numbers."""
        if self.saved is None:
            return self.lessons.of(games, self.records[games])
        return self.lessons.of_paper(OnPaper(*(part[games] for part in self.saved)))

    def read(self, most: int, rate: float, number: int) -> None:
        """Learn once from the games seen so far, in random order and from `most` of them at most; those kept back for
        testing are left out."""
        random = np.random.default_rng([self.seed, len(self.records), number])
        games = random.permutation(np.flatnonzero(np.arange(len(self.records)) % KEPT_BACK != 0))[:most]
        for at in range(0, len(games), AT_ONCE):
            inputs, chosen, allowed = self.samples_of(games[at : at + AT_ONCE])
            self.descend(inputs, loss_of(chosen, allowed), rate, [self.seed, len(self.records), number, at])

    def agreement(self) -> tuple[float, int]:
        """The share of decisions in the games kept back in which pupil and teacher agree, and their number."""
        games = np.arange(0, len(self.records), KEPT_BACK)
        agreed = total = 0
        for at in range(0, len(games), AT_ONCE):
            inputs, chosen, allowed = self.samples_of(games[at : at + AT_ONCE])
            outputs = pass_forward(layers_of(self.adam.mean), inputs)[-1]
            best = np.where(allowed, outputs, FORBIDDEN).argmax(axis=1)
            agreed += int((best == chosen).sum())
            total += len(chosen)
        return agreed / max(total, 1), total

    def remarks(self) -> list[str]:
        share, total = self.agreement()
        return [f"agrees with {self.teacher} in {share:.1%} of {total:,} decisions in games that were kept back"]

    def snapshot(self) -> dict[str, Array]:
        known = {"teacher": np.array([self.teacher])}
        return {**super().snapshot(), **known, **({"records": self.records} if self.saved is None else {})}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        if arrays["teacher"][0] != self.teacher:
            raise UserError(
                "this training had another teacher: {other}, not {teacher}",
                other=arrays["teacher"][0],
                teacher=self.teacher,
            )
        super().restore(arrays)
        self.records = arrays.get("records", self.records)


def passes_through(samples: int) -> int:
    """How many times saved games with this number of samples are gone through."""
    return max(LEAST_PASSES, min(MOST_PASSES, SAVED_STEPS * BATCH // max(samples, 1)))


def loss_of(chosen: Array, allowed: Array) -> Callable[[Array], Any]:
    def loss(some: Array) -> Callable[[Array], Any]:
        return lambda outputs: cross_entropy(outputs, chosen[some], allowed[some])

    return loss


# --- counting -------------------------------------------------------------------------------------


class SavedStatistics(Statistics):
    """Counts how the agent `rules` plays, or how those do who play in saved games."""

    saved: OnPaper | None = None
    learns_from_records = True

    @classmethod
    def from_records(cls, game: Game, seed: int, records: Sequence[Record], teacher: str | None) -> "SavedStatistics":
        """A learner that counts in saved games."""
        learner = cls(game, seed, len(records))
        learner.saved = on_paper(game, records, teacher)
        learner.step = len(records)
        return learner

    def learn(self, games: int) -> Array:
        if self.saved is None:
            return super().learn(games)
        if games:
            self.counts[:] = moves_on(self.game, self.saved)
        self.done += games
        return np.zeros(games)

    def remarks(self) -> list[str]:
        if self.saved is None:
            return []
        counted = int(self.counts.sum())
        return [
            f"counted {counted:,} decisions in {self.done:,} games; where few of them tell, it expects what is usual",
            "the counts are for beliefs (pimc:belief=statistics,file=...); here moves are drawn as they were counted",
        ]

    def chances(self) -> Array:
        return super().chances() if self.saved is None else chances_of(self.counts)


LEARNERS = {learner.name: learner for learner in (SelfTaught, Imitation, FirstLead, SavedStatistics)}
