"""TD(lambda): the weights of EVAL, learned by playing with oneself (R. Sutton, 1988; A. Samuel's idea of 1959).

EVAL is a guess of the payoff. A guess that is made a move later knows more, and the payoff itself knows all; so every
guess is moved a little towards the next one, and the moves before it a little less: lambda says how much less. Each
move is the one after which EVAL guesses best for the mover, but for a few that are drawn at random.

Features are measured in their own spread, so that one rate suits all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError
from hiddenhand.core.features import squashed, write_weights
from hiddenhand.core.game import Game
from hiddenhand.kernel import CHANCE, OVER, below, copy, derive, generic, new_records, pick, stream, uniform
from hiddenhand.kernel.contract import deal, features, legal, odds, payoff, play, turn

EVAL = "eval"
RATE, DECAY, EXPLORING = 0.02, 0.7, 0.1


class Course(NamedTuple):
    """How it is learned."""

    rate: float
    decay: float  # lambda
    exploring: float  # the share of moves that are drawn at random
    scale: float


class Room(NamedTuple):
    """What a game needs while it is learned from."""

    states: Any  # record[2]: the present, and what is tried
    blank: Any  # record[1]: before the deal, with the options
    actions: Any
    chances: Any
    found: Any  # float64[features]: now
    next_found: Any
    trace: Any  # float64[features]: how far each weight is answerable for the guess
    values: Any  # float64[2]
    spread: Any  # float64[features]: mean squares


@generic
def play_and_learn(weights, games, course, room, rng):
    """Learn from so many games; changes the weights."""
    now = room.states[0]
    for _ in range(games):
        copy(now, room.blank[0])
        deal(now, rng)
        guess, slope = 0.0, 0.0
        begun = False
        for i in range(len(weights)):
            room.trace[i] = 0.0
        while True:
            mover = turn(now)
            if mover == CHANCE:
                count = legal(now, room.actions)
                odds(now, room.chances)
                play(now, room.actions[pick(rng, room.chances, count)], rng)
                continue
            if mover == OVER:
                payoff(now, room.values)
                next_guess = room.values[0]
            else:
                features(now, room.next_found)
                squashed(room.next_found, weights, course.scale, room.values)
                next_guess = room.values[0]
            if begun:
                for i in range(len(weights)):
                    room.trace[i] = course.decay * room.trace[i] + slope * room.found[i]
                    step = course.rate * (next_guess - guess) * room.trace[i] * course.scale * course.scale
                    weights[i] += step / room.spread[i]
            if mover == OVER:
                break
            begun = True
            guess = next_guess
            slope = (1.0 - abs(guess)) * (1.0 - abs(guess)) / course.scale
            for i in range(len(weights)):
                room.found[i] = room.next_found[i]
            play(now, chosen_move(weights, mover, course, room, rng), rng)


@generic
def chosen_move(weights, mover, course, room, rng):
    """The move after which EVAL guesses best for the mover, or now and then any."""
    now, tried = room.states[0], room.states[1]
    count = legal(now, room.actions)
    if uniform(rng) < course.exploring:
        return room.actions[below(rng, count)]
    best, chosen = -np.inf, 0
    for k in range(count):
        copy(tried, now)
        play(tried, room.actions[k], rng)
        if turn(tried) == OVER:
            payoff(tried, room.values)
        else:
            features(tried, room.next_found)
            squashed(room.next_found, weights, course.scale, room.values)
        if room.values[mover] > best:
            best, chosen = room.values[mover], k
    return room.actions[chosen]


@generic
def measure_spread(games, room, rng, products, sums):
    """Of each feature in random games: its squares, and its products with the result; how many positions."""
    now = room.states[0]
    positions = 0
    for _ in range(games):
        copy(now, room.blank[0])
        deal(now, rng)
        first = positions
        for i in range(sums.shape[1]):
            room.trace[i] = 0.0
            room.found[i] = 0.0
        while turn(now) != OVER:
            count = legal(now, room.actions)
            if turn(now) == CHANCE:
                odds(now, room.chances)
                play(now, room.actions[pick(rng, room.chances, count)], rng)
                continue
            features(now, room.next_found)
            for i in range(sums.shape[1]):
                sums[0, i] += room.next_found[i]
                sums[1, i] += room.next_found[i] * room.next_found[i]
                room.trace[i] += room.next_found[i]
            positions += 1
            play(now, room.actions[below(rng, count)], rng)
        payoff(now, room.values)
        length = positions - first
        products[0] += length * room.values[0]
        products[1] += length * room.values[0] * room.values[0]
        for i in range(sums.shape[1]):
            sums[2, i] += room.trace[i] * room.values[0]
    return positions


class EvalLearner:
    """Learns the weights of a game with features, from nothing: before the first game all weights are zero."""

    name = EVAL
    games = 200_000
    step = 5000
    suffix = ".json"
    depth = 4
    """How far the search looks ahead that is tried with the weights."""
    opening = 6
    """So many moves of each tried game are drawn at random: without them all would be the same."""
    trial_games, test_games = 20, 1000

    def __init__(self, game: Game, seed: int, wanted: int) -> None:
        if game.features is None:
            raise UserError(f"{game.name} has no features of which its EVAL is made")
        if game.hidden or game.draws:
            raise UserError(f"{game.name} hides things or draws at random, so that EVAL cannot be learned so")
        self.game, self.features, self.seed, self.wanted, self.done = game, game.features, seed, wanted, 0
        self.opponent = f"alphabeta:depth={self.depth}"
        self.weights = np.zeros(len(self.features.each))
        self.average = self.weights.copy()
        """Of the second half, lesson by lesson: it wavers less than what is learned last."""
        self.lessons = 0
        self.room = new_room(game)
        self.correlations = measure_features(game, self.room, derive(seed, 1))

    def learn(self, games: int) -> None:
        rate = RATE * (1.0 - 0.9 * self.done / max(1, self.wanted))
        course = Course(rate, DECAY, EXPLORING, self.features.scale)
        rng = stream(derive(derive(self.seed, 2), self.done))
        self.game.bind(play_and_learn)(self.weights, games, course, self.room, rng)
        self.done += games
        if games and self.done > self.wanted // 2:
            self.lessons += 1
            self.average += (self.weights - self.average) / self.lessons

    def judged(self, mean: float) -> None:
        """Trials are for the curve: what is learned is taken as it is."""

    def named(self) -> dict[str, float]:
        """The weights by feature."""
        weights = self.average if self.lessons else self.weights
        return dict(zip(self.features.names, weights.tolist()))

    def player(self, best: bool = False) -> Any:
        most = self.features.most
        weights = [f"{name}={min(most, max(-most, weight)):.6g}" for name, weight in self.named().items()]
        return resolver.agent(self.game, ",".join([self.opponent, *weights]))

    def save(self, path: str | Path) -> None:
        write_weights(path, self.game, self.named())

    def remarks(self) -> list[str]:
        """Each feature: how it goes with the result of random games, its weight before, and the one learned."""
        rows = [
            f"{each.name:>16}  {correlation:+.2f}  {each.weight:>9.3g}  {learned:>9.3g}"
            for each, correlation, learned in zip(self.features.each, self.correlations, self.named().values())
        ]
        return [
            f"{'feature':>16}  goes     before    learned    (goes: with the result of random games)",
            *rows,
        ]

    def snapshot(self) -> dict[str, Any]:
        return {
            "weights": self.weights,
            "average": self.average,
            "counts": np.array([self.done, self.lessons]),
        }

    def restore(self, kept: Mapping[str, Any]) -> None:
        self.weights, self.average = np.array(kept["weights"]), np.array(kept["average"])
        self.done, self.lessons = (int(count) for count in kept["counts"])


def new_room(game: Game) -> Room:
    count = len(game.features.each) if game.features is not None else 0
    blank = new_records(game.state, 1)
    blank[0] = game.blank()
    return Room(
        new_records(game.state, 2),
        blank,
        np.zeros(game.most_actions, np.int64),
        np.zeros(game.most_actions),
        np.zeros(count),
        np.zeros(count),
        np.zeros(count),
        np.zeros(game.players),
        np.ones(count),
    )


def measure_features(game: Game, room: Room, seed: int, games: int = 300) -> list[float]:
    """How far each feature goes with the result of random games; notes their spread in the room."""
    count = len(room.found)
    products, sums = np.zeros(2), np.zeros((3, count))
    positions = game.bind(measure_spread)(games, room, stream(seed), products, sums)
    room.spread[:] = np.maximum(sums[1] / positions, 1e-6)
    means, result = sums[0] / positions, products[0] / positions
    covariance = sums[2] / positions - means * result
    deviations = np.sqrt(np.maximum(sums[1] / positions - means**2, 1e-12))
    spread = max(1e-6, products[1] / positions - result**2) ** 0.5
    return (covariance / (deviations * spread)).tolist()
