"""How imitation learns: it watches a stronger player and learns to expect what he does.

Four of the teacher play; of each decision the network sees what the player knew and what he chose, and makes that
choice more likely (cross-entropy over the legal actions). The thesis of J. Barič (2009) taught a network the first
lead so; this one learns all decisions. In every lesson it goes once through games seen so far, drawn at random, and
in the last one several times through all of them, in smaller and smaller steps. One game in twenty is kept back to
measure how often pupil and teacher agree.
"""

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.games.snaps.networks.learner import NetworkLearner
from hiddenhand.games.snaps.networks.player import SIZES
from hiddenhand.games.snaps.networks.teacher import LONGEST, Lessons, teacher_of, watch, watch_elsewhere
from hiddenhand.learning.network import FORBIDDEN, cross_entropy, layers_of, pass_forward

KEPT_BACK = 20  # one game in so many
AT_ONCE = 500  # games replayed together
MOST_READ = 5000  # games in a lesson that is not the last
LAST_PASSES = 10


class Imitation(NetworkLearner):
    """Learns from the games of a teacher."""

    name = "imitation"
    summary = "a network that has learned by watching a stronger player"
    games = 20_000
    step = 200
    teacher = "pimc:worlds=100"
    rate = 1e-3
    runner = None  # where the teacher plays, if not here (see `hiddenhand.lab.executors`)

    def __init__(self, game, seed, games, sizes=SIZES, teacher=teacher):
        super().__init__(game, seed, games, sizes)
        self.teacher = teacher
        self.agent = teacher_of(game, teacher)
        self.records = np.zeros((0, LONGEST), np.int8)
        self.lessons = Lessons(game, seed, AT_ONCE)

    def lesson(self, games):
        if self.runner is None or games == 0:
            seen = watch(self.game, self.agent, self.seed, self.done, games)
        else:
            seen = watch_elsewhere(self.runner, self.game, self.teacher, self.seed, self.done, games)
        self.records = np.concatenate([self.records, seen])
        if self.done + games < self.wanted:
            self.read(MOST_READ, self.rate, 0)
            return
        for number in range(LAST_PASSES):
            self.read(len(self.records), self.rate * (1.0 - number / LAST_PASSES), number)

    def read(self, most, rate, number):
        """Learn once from so many games seen so far, but for those kept back."""
        random = np.random.default_rng([self.seed, len(self.records), number])
        games = random.permutation(np.flatnonzero(np.arange(len(self.records)) % KEPT_BACK != 0))[:most]
        for at in range(0, len(games), AT_ONCE):
            some = games[at : at + AT_ONCE]
            inputs, chosen, allowed = self.lessons.of(some, self.records[some])
            self.descend(inputs, loss_of(chosen, allowed), rate, [self.seed, len(self.records), number, at])

    def agreement(self):
        """The share of decisions in the games kept back in which pupil and teacher agree, and their number."""
        games = np.arange(0, len(self.records), KEPT_BACK)
        agreed = total = 0
        for at in range(0, len(games), AT_ONCE):
            some = games[at : at + AT_ONCE]
            inputs, chosen, allowed = self.lessons.of(some, self.records[some])
            outputs = pass_forward(layers_of(self.adam.mean), inputs)[-1]
            best = np.where(allowed, outputs, FORBIDDEN).argmax(axis=1)
            agreed += int((best == chosen).sum())
            total += len(chosen)
        return agreed / max(total, 1), total

    def remarks(self):
        share, total = self.agreement()
        return [f"agrees with {self.teacher} in {share:.1%} of {total:,} decisions in games that were kept back"]

    def snapshot(self):
        return {**super().snapshot(), "records": self.records, "teacher": np.array([self.teacher])}

    def restore(self, arrays):
        if arrays["teacher"][0] != self.teacher:
            raise UserError(f"this training had another teacher: {arrays['teacher'][0]}, not {self.teacher}")
        super().restore(arrays)
        self.records = arrays["records"]


def loss_of(chosen, allowed):
    def loss(some):
        return lambda outputs: cross_entropy(outputs, chosen[some], allowed[some])

    return loss
