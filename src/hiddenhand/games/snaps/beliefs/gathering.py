"""Gathering statistics of play: games of the agent `rules` are watched, and every move is counted in its situation.

hiddenhand train snaps statistics --output src/hiddenhand/games/snaps/learned/statistics.npz
"""

import numpy as np

from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.policy import NOTHING, Policy
from hiddenhand.games.snaps.beliefs.statistics import ENTRIES, chances_from, entry_of, statistics_chance
from hiddenhand.games.snaps.cards import CARDS, SEATS
from hiddenhand.games.snaps.knowledge import observe
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.rules import legal, play, turn
from hiddenhand.games.snaps.stakes import payoff
from hiddenhand.games.snaps.state import deal
from hiddenhand.kernel import OVER, copy, new_records, pick, rule, split, stream


@rule
def watch_games(states, seed, first, games, counts, scores, rng):
    """Watch games number first .. first + games - 1: counts int64[ENTRIES] grow, scores[i] is the chooser's.

    states: the game before the deal, and two to work on.
    """
    s, view = states[1], states[2]
    actions = np.empty(CARDS + 8, np.int64)
    payoffs = np.empty(SEATS)
    for g in range(games):
        copy(s, states[0])
        rng[0] = split(seed, first + g)
        deal(s, rng)
        while turn(s) != OVER:
            mover = turn(s)
            observe(s, mover, view)
            n = legal(s, actions)
            action = rule_action(view, mover, actions, n)
            entry, _ = entry_of(view, mover, actions, n, action)
            counts[entry] += 1
            play(s, action, rng)
        payoff(s, payoffs)
        scores[g] = payoffs[s.chooser]


def play_by_statistics(view, seat, actions, memory, parameters, rng):
    """A policy that does what was done, as often as it was done."""
    chances = np.empty(len(actions))
    for i in range(len(actions)):
        chances[i] = statistics_chance(view, seat, actions, len(actions), actions[i], parameters.chances)
    return actions[pick(rng, chances, len(actions))]


class Statistics:
    """A learner that only counts (see `hiddenhand.lab.training`); its player draws moves as they were counted."""

    name = "statistics"
    summary = "counts how often each class of moves is made in each situation"
    games = 200_000
    step = 10_000
    opponent = "rules"

    def __init__(self, game, seed, games):
        self.game = game
        self.seed = seed
        self.wanted = games
        self.done = 0
        self.counts = np.zeros(ENTRIES, np.int64)
        self.states = new_records(game.state, 3)
        self.states[0] = game.blank()[0]

    def learn(self, games):
        """Watch so many more games; returns what the choosers won."""
        scores = np.zeros(games)
        watch_games(self.states, np.uint64(self.seed), self.done, games, self.counts, scores, stream(0))
        self.done += games
        return scores

    def snapshot(self):
        return {"counts": self.counts, "done": np.array([self.done, self.wanted, self.seed])}

    def restore(self, arrays):
        self.done, self.wanted, self.seed = (int(n) for n in arrays["done"])
        self.counts[:] = arrays["counts"]

    def judged(self, mean):
        """Counts do not get worse: nothing to keep."""

    def save(self, path):
        entries = np.flatnonzero(self.counts)
        np.savez_compressed(path, entries=entries.astype(np.int32), counts=self.counts[entries].astype(np.int32))

    def player(self, best=False):
        chances = chances_from(self.counts)
        return PolicyAgent(
            self.game, Policy(play_by_statistics, self.summary, {}, NOTHING, False, lambda game: {"chances": chances})
        )
