"""The learners of snaps, by name: `hiddenhand train snaps self_taught`.

`self_taught` plays against itself and compares what it expected with what came of it. In every game all four seats
are played by the network as it is. Each decision between several actions becomes a sample: what the player knew, the
action, and a target, the payoff he got at the end mixed with what he expected at his own later decisions (less
depends on luck then: R. S. Sutton's TD(lambda), 1988; with reach = 1 it is the deep Monte-Carlo learning of D. Zha
and others, "DouZero", 2021). After every thousand games the network learns from the samples of these games, once: the
output of the chosen action is drawn towards the target. Only the rules are known: no example, no advice. To try out
something new, actions are drawn in proportion to exp(value / temperature), so that those that look almost as good are
taken almost as often; now and then any action is.

`imitation` watches a stronger player and learns to expect what he does. Four of the teacher play; of each decision
the network sees what the player knew and what he chose, and makes that choice more likely (cross-entropy over the
legal actions). The thesis of J. Barič (2009) taught a network the first lead so; this one learns all decisions. In
every lesson it goes once through games seen so far, drawn at random, and in the last one several times through all of
them, in smaller and smaller steps. One game in twenty is kept back to measure how often pupil and teacher agree. It
learns from saved games of people too: these it goes through again and again, in smaller and smaller steps.

The player that comes of either is the average of the network over its latest steps.
"""

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game, blank_state
from hiddenhand.core.policy import policy
from hiddenhand.core.record import Record
from hiddenhand.core.text import Text
from hiddenhand.games.snaps.beliefs.statistics import Statistics, chances_of
from hiddenhand.games.snaps.cards import CARDS, SEATS, Array
from hiddenhand.games.snaps.encoding import INPUTS, encode, slots_of
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
from hiddenhand.games.snaps.knowledge import observe
from hiddenhand.games.snaps.lead_network import FirstLead
from hiddenhand.games.snaps.networks import SIZES, best_answer, read_answers
from hiddenhand.games.snaps.rules import legal, payoff, play, turn
from hiddenhand.games.snaps.state import deal
from hiddenhand.kernel import OVER, below, new_records, pick, rule, split, uniform
from hiddenhand.kernel.records import copy
from hiddenhand.learning.learner import Learner
from hiddenhand.learning.network import (
    FORBIDDEN,
    Adam,
    cross_entropy,
    layers_of,
    new_network,
    pass_forward,
    square_error,
    write_network,
)

# --- what both have in common ---------------------------------------------------------------------

BATCH = 256


def decide(view: np.record, seat: int, actions: Any, memory: np.record, parameters: np.record, rng: Any) -> Any:
    return best_answer(view, seat, actions, parameters.network)


class NetworkLearner(Learner):
    """A learner as `hiddenhand.lab.training` takes it; a subclass says what a `lesson` is."""

    name = ""
    summary = ""
    games = 0
    step = 1000  # games in a lesson
    opponent = "rules"  # against whom it is tried out; it never learns from him

    def __init__(self, game: Game, seed: int, games: int, sizes: tuple[int, ...] = SIZES) -> None:
        self.game = game
        self.seed = seed
        self.wanted = games
        self.done = 0
        self.adam = Adam(new_network(sizes, seed))

    def lesson(self, games: int) -> None:
        raise NotImplementedError

    def learn(self, games: int) -> None:
        """Learn from this many more games. If that is interrupted, the learner stays as it was before."""
        before = self.snapshot()
        try:
            self.lesson(games)
        except KeyboardInterrupt:
            self.restore(before)
            raise
        self.done += games

    def descend(self, inputs: Array, loss: Callable[[Array], Any], rate: float, seed: list[int]) -> None:
        """One step for every batch of the samples, in random order. `loss(some)` gives the loss of a batch."""
        order = np.random.default_rng(seed).permutation(len(inputs))
        for at in range(0, len(order), BATCH):
            some = order[at : at + BATCH]
            self.adam.descend(inputs[some], loss(some), rate)

    def snapshot(self) -> dict[str, Array]:
        """Everything needed to go on, as arrays."""
        return {**self.adam.snapshot(), "done": np.array([self.done, self.wanted, self.seed])}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        self.done, self.wanted, self.seed = (int(n) for n in arrays["done"])
        self.adam.restore(arrays)

    def after_trial(self, mean: float) -> None:
        """Nothing is changed by a trial: the average of the latest steps is the player."""

    def save(self, path: Path) -> None:
        write_network(path, self.adam.mean)

    def player(self, best: bool = False) -> PolicyAgent:
        """An agent with what has been learned so far."""
        network = self.adam.mean.astype(np.float64)
        learned = policy(self.summary, knowledge=lambda game: {"network": network})(decide)
        return PolicyAgent(self.game, learned)


# --- games against itself -------------------------------------------------------------------------

MOST_DECISIONS = 32  # in a game

# network      float32[...]: who plays
# temperature  how readily an action is tried that looks worse than the best
# boldness     how often any action is tried
# reach        how much of the payoff at the end, not of what was expected on the way, goes into a target
Player = namedtuple("Player", "network temperature boldness reach")

# inputs   float32[samples, INPUTS]
# chosen   int64[samples]: outputs
# targets  float32[samples]
Samples = namedtuple("Samples", "inputs chosen targets")


@rule
def explore(values, temperature, boldness, rng):
    """Draw an action: mostly one of the best, with the probability `boldness` any."""
    if uniform(rng) < boldness:
        return below(rng, len(values))
    best = np.max(values)
    chances = np.empty(len(values))
    for i in range(len(values)):
        chances[i] = np.exp((values[i] - best) / temperature)
    return pick(rng, chances, len(values))


@rule
def play_game(states, player, samples, count, rng):
    """Play one game; its samples are written from number `count` on. Returns how many there are then."""
    s, view = states[1], states[2]
    copy(s, states[0])
    deal(s, rng)
    actions = np.empty(CARDS, np.int64)
    slots = np.empty(CARDS, np.int64)
    values = np.empty(CARDS)
    movers = np.empty(MOST_DECISIONS, np.int64)
    expected = np.empty(MOST_DECISIONS)
    first = count
    while turn(s) != OVER:
        seat = turn(s)
        n = legal(s, actions)
        move = 0
        if n > 1:
            observe(s, seat, view)
            encode(view, seat, samples.inputs[count])
            slots_of(view, seat, actions[:n], slots)
            read_answers(samples.inputs[count], slots[:n], player.network, values)
            move = explore(values[:n], player.temperature, player.boldness, rng)
            samples.chosen[count] = slots[move]
            movers[count - first] = seat
            expected[count - first] = values[move]
            count += 1
        play(s, actions[move], rng)
    gains = np.zeros(SEATS)
    payoff(s, gains)
    for i in range(count - 1, first - 1, -1):
        seat = movers[i - first]
        samples.targets[i] = gains[seat]
        gains[seat] = player.reach * gains[seat] + (1.0 - player.reach) * expected[i - first]
    return count


@rule
def play_games(states, player, seed, first, games, samples):
    """Play the games first .. first + games - 1 and write their samples; returns how many.

    states: the game before the deal, room for a game and for a view
    """
    rng = np.zeros(1, np.uint64)
    count = 0
    for g in range(games):
        rng[0] = split(seed, first + g)
        count = play_game(states, player, samples, count, rng)
    return count


class SelfTaught(NetworkLearner):
    """Learns from games against itself."""

    name = "self_taught"
    summary = Text("a network that has learned by playing against itself")
    games = 1_500_000
    rate = 1e-3  # of learning, at first; it falls to nothing
    temperature = 0.1  # at first; it falls to a fifth
    boldness = 0.02  # at first; it falls to nothing
    reach = 0.6

    def __init__(self, game: Game, seed: int, games: int, sizes: tuple[int, ...] = SIZES) -> None:
        super().__init__(game, seed, games, sizes)
        self.states = new_records(game.rules.state, 3)
        self.states[0] = blank_state(game)[0]
        room = self.step * MOST_DECISIONS
        self.samples = Samples(
            np.zeros((room, INPUTS), np.float32), np.zeros(room, np.int64), np.zeros(room, np.float32)
        )

    def lesson(self, games: int) -> None:
        left = 1.0 - self.done / self.wanted
        temperature, boldness = self.temperature * max(left, 0.2), self.boldness * left
        player = Player(self.adam.network, temperature, boldness, self.reach)
        count = play_games(self.states, player, np.uint64(self.seed), self.done, games, self.samples)

        def loss(some: Array) -> Callable[[Array], Any]:
            return lambda outputs: square_error(outputs, self.samples.chosen[some], self.samples.targets[some])

        self.descend(self.samples.inputs[:count], loss, self.rate * left, [self.seed, self.done])


# --- games of a teacher ---------------------------------------------------------------------------

KEPT_BACK = 20  # one game in so many
AT_ONCE = 500  # games replayed together
MOST_READ = 5000  # games in a lesson that is not the last
LAST_PASSES = 10
SAVED_STEPS = 2000  # that are made with saved games, however few they are; but each is gone through at least
LEAST_PASSES = 10  # so often, and at most
MOST_PASSES = 60


class Imitation(NetworkLearner):
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
