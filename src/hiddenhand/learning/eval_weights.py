"""TD(lambda): the weights of EVAL, learned by playing with oneself (R. Sutton, 1988; A. Samuel's idea of 1959).

EVAL predicts the payoff. A prediction that is made one move later is better, and the payoff itself is the truth; so
every prediction is moved a little towards the next one (by the TD error), and those before it a little less: lambda
says how much less. Each move is the one with the best EVAL for the mover, but for a few that are drawn at random.

Features are divided by their root mean square, so that one learning rate suits all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core import resolver
from hiddenhand.core.agent import Agent
from hiddenhand.core.errors import UserError
from hiddenhand.core.features import Features, squashed, write_weights
from hiddenhand.core.game import Game, blank_state
from hiddenhand.core.text import Text
from hiddenhand.kernel import CHANCE, OVER, below, copy, derive, generic, new_records, pick, stream, uniform
from hiddenhand.kernel.contract import deal, features, legal, odds, payoff, play, turn
from hiddenhand.learning.learner import Learner

Array = np.ndarray[Any, Any]

EVAL = "eval"
LEARNING_RATE, TD_LAMBDA, EXPLORATION = 0.02, 0.7, 0.1
MOST_SEEN = 100_000
"""Decisions of watched games that are looked at."""


class LearningSchedule(NamedTuple):
    """How fast the weights change, and how much the play explores."""

    rate: float
    td_lambda: float  # how much of a TD error reaches the prediction one move earlier
    exploration: float  # the share of moves that are drawn at random
    scale: float


class EvalWorkspace(NamedTuple):
    """Scratch arrays for learning from a game."""

    states: Any  # record[2]: the present, and what is tried
    blank: Any  # record[1]: before the deal, with the options
    actions: Any
    chances: Any
    inputs: Any  # float64[features]: now
    next_inputs: Any
    trace: Any  # float64[features]: the eligibility of each weight
    values: Any  # float64[2]
    spread: Any  # float64[features]: mean squares


@generic
def play_and_learn(weights, games, schedule, workspace, rng):
    """Play games and learn from them; changes the weights (float64[features]) in place."""
    now = workspace.states[0]
    for _ in range(games):
        copy(now, workspace.blank[0])
        deal(now, rng)
        value, slope = 0.0, 0.0
        begun = False
        for i in range(len(weights)):
            workspace.trace[i] = 0.0
        while True:
            mover = turn(now)
            if mover == CHANCE:
                count = legal(now, workspace.actions)
                odds(now, workspace.chances)
                play(now, workspace.actions[pick(rng, workspace.chances, count)], rng)
                continue
            if mover == OVER:
                payoff(now, workspace.values)
                next_value = workspace.values[0]
            else:
                features(now, workspace.next_inputs)
                squashed(workspace.next_inputs, weights, schedule.scale, workspace.values)
                next_value = workspace.values[0]
            if begun:
                for i in range(len(weights)):
                    workspace.trace[i] = schedule.td_lambda * workspace.trace[i] + slope * workspace.inputs[i]
                    td_error = next_value - value
                    step = schedule.rate * td_error * workspace.trace[i] * schedule.scale * schedule.scale
                    weights[i] += step / workspace.spread[i]
            if mover == OVER:
                break
            begun = True
            value = next_value
            slope = (1.0 - abs(value)) * (1.0 - abs(value)) / schedule.scale
            for i in range(len(weights)):
                workspace.inputs[i] = workspace.next_inputs[i]
            play(now, chosen_move(weights, mover, schedule, workspace, rng), rng)


@generic
def chosen_move(weights, mover, schedule, workspace, rng):
    """The move with the best EVAL for the mover, or, with the probability of exploring, a random one."""
    now, tried = workspace.states[0], workspace.states[1]
    count = legal(now, workspace.actions)
    if schedule.exploration >= 1.0 or uniform(rng) < schedule.exploration:
        return workspace.actions[below(rng, count)]
    best, chosen = -np.inf, 0
    for k in range(count):
        copy(tried, now)
        play(tried, workspace.actions[k], rng)
        if turn(tried) == OVER:
            payoff(tried, workspace.values)
        else:
            features(tried, workspace.next_inputs)
            squashed(workspace.next_inputs, weights, schedule.scale, workspace.values)
        if workspace.values[mover] > best:
            best, chosen = workspace.values[mover], k
    return workspace.actions[chosen]


@generic
def watch(weights, games, schedule, workspace, rng, seen):
    """Play games, and write the features of every decision, and then the result of its game for seat 0.

    seen   float64[rows, features + 1]; returns how many rows were written
    """
    now = workspace.states[0]
    rows, last = 0, seen.shape[1] - 1
    for _ in range(games):
        copy(now, workspace.blank[0])
        deal(now, rng)
        first = rows
        while turn(now) != OVER:
            mover = turn(now)
            if mover == CHANCE:
                count = legal(now, workspace.actions)
                odds(now, workspace.chances)
                play(now, workspace.actions[pick(rng, workspace.chances, count)], rng)
                continue
            if rows < len(seen):
                features(now, workspace.next_inputs)
                for i in range(last):
                    seen[rows, i] = workspace.next_inputs[i]
                rows += 1
            play(now, chosen_move(weights, mover, schedule, workspace, rng), rng)
        payoff(now, workspace.values)
        for row in range(first, rows):
            seen[row, last] = workspace.values[0]
    return rows


class EvalLearner(Learner):
    """Learns the weights of a game with features, from nothing: before the first game all weights are zero."""

    name = EVAL
    games = 200_000
    step = 5000
    suffix = ".json"
    depth = 4
    """How far the search looks ahead that is tried with the weights."""
    opening = 6
    """How many moves at the start of a trial game are drawn at random: without them all games would be the same."""
    trial_games, test_games = 20, 1000

    def __init__(self, game: Game, seed: int, wanted: int) -> None:
        features = game.extra(Features)
        if features is None:
            raise UserError("{name} has no features of which its EVAL is made", name=game.name)
        if game.hidden or game.chance.draws:
            raise UserError(
                "{name} hides things or draws at random, so that EVAL cannot be learned so", name=game.name
            )
        self.game, self.features, self.seed, self.wanted, self.done = game, features, seed, wanted, 0
        self.opponent = "expectiminimax:depth=2" if game.chance.outcomes else f"alphabeta:depth={self.depth}"
        self.opening = 0 if game.chance else self.opening
        self.weights = np.zeros(len(self.features.each))
        self.average = self.weights.copy()
        """Of the second half, lesson by lesson: it wavers less than what is learned last."""
        self.lessons = 0
        self.workspace = new_workspace(game)
        self.random_games = self.watch(self.weights, 1.0, derive(seed, 1))
        self.workspace.spread[:] = np.maximum((self.random_games[:, :-1] ** 2).mean(axis=0), 1e-6)

    def learn(self, games: int) -> None:
        rate = LEARNING_RATE * (1.0 - 0.9 * self.done / max(1, self.wanted))
        schedule = LearningSchedule(rate, TD_LAMBDA, EXPLORATION, self.features.scale)
        rng = stream(derive(derive(self.seed, 2), self.done))
        self.game.rules.bind(play_and_learn)(self.weights, games, schedule, self.workspace, rng)
        self.done += games
        if games and self.done > self.wanted // 2:
            self.lessons += 1
            self.average += (self.weights - self.average) / self.lessons

    def after_trial(self, mean: float) -> None:
        """Trials are for the curve: what is learned is taken as it is."""

    def named(self) -> dict[str, float]:
        """The weights by feature."""
        weights = self.average if self.lessons else self.weights
        return dict(zip(self.features.names, weights.tolist()))

    def player(self, best: bool = False) -> Agent:
        most = self.features.most
        weights = [f"{name}={min(most, max(-most, weight)):.6g}" for name, weight in self.named().items()]
        return resolver.agent(self.game, ",".join([self.opponent, *weights]))

    def save(self, path: str | Path) -> None:
        write_weights(path, self.game, self.named())

    def watch(self, weights: Array, exploration: float, seed: int, games: int = 300) -> Array:
        """(decisions, features + 1): the features in some games, and the result of each."""
        seen = np.zeros((MOST_SEEN, len(weights) + 1))
        schedule = LearningSchedule(0.0, 0.0, exploration, self.features.scale)
        rows = self.game.rules.bind(watch)(weights, games, schedule, self.workspace, stream(seed), seen)
        return seen[:rows]

    def remarks(self) -> list[str]:
        """Each feature: how it goes with the result, its weight before, and the one learned; then both sums."""
        learned = np.array(list(self.named().values()))
        own_games = self.watch(learned, EXPLORATION, derive(self.seed, 3))
        before, after = goes_with_result(self.random_games), goes_with_result(own_games)
        rows = [
            f"{each.name:>18}  {random:+.2f}  {own:+.2f}  {each.weight:>9.3g}  {weight:>9.3g}"
            for each, random, own, weight in zip(self.features.each, before, after, learned)
        ]
        for name, weights in (("EVAL as it ships", self.features.weights), ("EVAL as learned", learned)):
            random, own = (self.sum_goes(seen, weights) for seen in (self.random_games, own_games))
            rows.append(f"{name:>18}  {random:+.2f}  {own:+.2f}")
        return [
            Text(
                "how each goes with the result, decision by decision, in random games and in games of the learned "
                "EVAL:"
            ),
            f"{'feature':>18}  random  own   before    learned",
            *rows,
        ]

    def sum_goes(self, seen: Array, weights: Array) -> float:
        """How well EVAL with these weights goes with the result."""
        total = seen[:, :-1] @ weights
        squashed_sum = total / (np.abs(total) + self.features.scale)
        return goes_with_result(np.column_stack([squashed_sum, seen[:, -1]]))[0]

    def snapshot(self) -> dict[str, Any]:
        return {"weights": self.weights, "average": self.average, "counts": np.array([self.done, self.lessons])}

    def restore(self, kept: Mapping[str, Any]) -> None:
        self.weights, self.average = np.array(kept["weights"]), np.array(kept["average"])
        self.done, self.lessons = (int(count) for count in kept["counts"])


def new_workspace(game: Game) -> EvalWorkspace:
    features = game.extra(Features)
    count = len(features.each) if features is not None else 0
    blank = new_records(game.rules.state, 1)
    blank[0] = blank_state(game)
    return EvalWorkspace(
        new_records(game.rules.state, 2),
        blank,
        np.zeros(game.most_actions, np.int64),
        np.zeros(game.most_actions),
        np.zeros(count),
        np.zeros(count),
        np.zeros(count),
        np.zeros(game.players),
        np.ones(count),
    )


def goes_with_result(seen: Array) -> list[float]:
    """The correlation of each column with the last."""
    away = seen - seen.mean(axis=0)
    spread = np.sqrt(np.maximum((away**2).mean(axis=0), 1e-12))
    together = (away * away[:, -1:]).mean(axis=0) / (spread * spread[-1])
    return [float(each) for each in together[:-1]]
