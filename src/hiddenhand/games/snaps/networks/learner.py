"""What the learners of snaps have in common: a network that learns, and can be stopped and go on at any time."""

import numpy as np

from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.policy import NOTHING, Policy
from hiddenhand.games.snaps.networks.player import SIZES, best_answer
from hiddenhand.games.snaps.networks.shipped import keep
from hiddenhand.learning.network import Adam, new_network

BATCH = 256


def decide(view, seat, actions, memory, parameters, rng):
    return best_answer(view, seat, actions, parameters.network)


class NetworkLearner:
    """A learner as `hiddenhand.lab.training` takes it; a subclass says what a `lesson` is."""

    name = ""
    summary = ""
    games = 0
    step = 1000  # games in a lesson
    opponent = "rules"  # against whom it is tried out; it never learns from him

    def __init__(self, game, seed, games, sizes=SIZES):
        self.game = game
        self.seed = seed
        self.wanted = games
        self.done = 0
        self.adam = Adam(new_network(sizes, seed))

    def lesson(self, games):
        raise NotImplementedError

    def learn(self, games):
        """Learn from so many more games; if that is interrupted, all is as it was before."""
        before = self.snapshot()
        try:
            self.lesson(games)
        except KeyboardInterrupt:
            self.restore(before)
            raise
        self.done += games

    def descend(self, inputs, loss, rate, seed):
        """One step for every batch of the samples, in random order. `loss(some)` gives the loss of a batch."""
        order = np.random.default_rng(seed).permutation(len(inputs))
        for at in range(0, len(order), BATCH):
            some = order[at : at + BATCH]
            self.adam.descend(inputs[some], loss(some), rate)

    def snapshot(self):
        """Everything needed to go on, as arrays."""
        return {**self.adam.snapshot(), "done": np.array([self.done, self.wanted, self.seed])}

    def restore(self, arrays):
        self.done, self.wanted, self.seed = (int(n) for n in arrays["done"])
        self.adam.restore(arrays)

    def judged(self, mean):
        """Nothing is changed by a trial: the average of the latest steps is the player."""

    def save(self, path):
        keep(path, self.adam.mean)

    def player(self, best=False):
        """An agent with what has been learned so far."""
        network = self.adam.mean.astype(np.float64)
        return PolicyAgent(
            self.game, Policy(decide, self.summary, {}, NOTHING, False, lambda game: {"network": network})
        )
