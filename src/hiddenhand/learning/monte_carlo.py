"""Deep Monte Carlo: a network learns what every action brings, by playing every seat itself (D. Zha and others,
"DouZero: mastering DouDizhu with self-play deep reinforcement learning", 2021).

In every game all seats are played by the network as it is. Each decision between several actions becomes a sample:
what the seat knew, the action, and a target, the payoff that the seat got in the end. After some games the network
learns from their samples, once: the output of the chosen action is drawn towards the target. With `td_lambda` below 1
the payoff is mixed with what the network expected at the seat's later decisions, so that less depends on luck
(R. S. Sutton's TD(lambda), 1988).

To try out something new, actions are drawn in proportion to exp(value / temperature), so that those that look almost
as good are taken almost as often; now and then, with the probability `epsilon`, any action is. Both fall in the
course of the training, and so does the learning rate. What plays in the end is the mean of the network over its
latest steps, by the best action. So it never mixes: where a player must bluff, an opponent can learn its habits.

It needs a game that writes what a seat sees as numbers of about one size (the rule `encode`). It runs on one core,
with NumPy and compiled rules alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game, blank_state, encoding_of
from hiddenhand.core.settings import Setting, read_settings
from hiddenhand.core.text import Text
from hiddenhand.kernel import CHANCE, OVER, below, generic, pick, rule, split, uniform
from hiddenhand.kernel.contract import deal, encode, legal, observe, odds, payoff, play, relative, turn
from hiddenhand.kernel.loop import new_workspace
from hiddenhand.kernel.records import copy
from hiddenhand.learning.learner import Learner
from hiddenhand.learning.network import (
    Adam,
    blocks_of,
    new_network,
    respond,
    sizes_of,
    square_error,
    with_sizes,
    write_network,
)
from hiddenhand.learning.network_agent import Network, about_game

Array = np.ndarray[Any, Any]

BATCH = 256
ROOM = 1 << 15
"""Samples that are learned from at a time, if a game has not more decisions."""

# --- playing, compiled ----------------------------------------------------------------------------


class SelfPlayer(NamedTuple):
    """Who plays all seats."""

    network: Array
    temperature: float
    """How readily an action is tried that looks worse than the best."""
    epsilon: float
    """How often any action is tried."""
    td_lambda: float
    """How much of the payoff in the end, not of what was expected on the way, goes into a target."""
    scale: float
    """What payoffs are divided by."""


class Samples(NamedTuple):
    """Decisions to learn from."""

    inputs: Array
    """float32[samples, inputs]"""
    chosen: Array
    """int64[samples]: the action, by the number that its player knows it by"""
    targets: Array
    """float32[samples]"""


@rule
def explore(values, temperature, epsilon, rng):
    """Draw an action: mostly one of the best, with the probability `epsilon` any."""
    if uniform(rng) < epsilon:
        return below(rng, len(values))
    best = np.max(values)
    chances = np.empty(len(values))
    for i in range(len(values)):
        chances[i] = np.exp((values[i] - best) / temperature)
    return pick(rng, chances, len(values))


@generic
def play_game(workspace, player, samples, count, seats, expected):
    """Play one game; its samples are written from number `count` on. Returns how many there are then.

    seats, expected   room for who made each decision, and what payoff was expected of it
    """
    s, view, rng, actions = workspace.states[0], workspace.views[0], workspace.rng, workspace.actions
    copy(s, workspace.blank[0])
    deal(s, rng)
    outputs = np.empty(np.int64(player.network[np.int64(player.network[0])]), player.network.dtype)
    values = np.empty(len(actions))
    first = count
    seat = turn(s)
    while seat != OVER:
        n = legal(s, actions)
        move = 0
        if seat == CHANCE:
            odds(s, workspace.chances)
            move = pick(rng, workspace.chances, n)
        elif n > 1:
            observe(s, seat, view)
            encode(view, seat, samples.inputs[count])
            respond(player.network, samples.inputs[count], outputs)
            for i in range(n):
                values[i] = outputs[relative(view, actions[i], seat)]
            move = explore(values[:n], player.temperature, player.epsilon, rng)
            samples.chosen[count] = relative(view, actions[move], seat)
            seats[count - first] = seat
            expected[count - first] = values[move]
            count += 1
        play(s, actions[move], rng)
        seat = turn(s)
    workspace.gains[:] = 0.0
    payoff(s, workspace.gains)
    gains = workspace.gains / player.scale
    for i in range(count - 1, first - 1, -1):
        seat = seats[i - first]
        samples.targets[i] = gains[seat]
        gains[seat] = player.td_lambda * gains[seat] + (1.0 - player.td_lambda) * expected[i - first]
    return count


@generic
def play_games(workspace, player, samples, seed, first, scores, longest):
    """Play the games from number `first` on and write their scores, the payoffs of seat 0; fewer games where no room
    is left for the samples of another. Returns how many, and the number of samples."""
    games = len(scores)
    seats = np.empty(longest, np.int64)
    expected = np.empty(longest)
    count = 0
    for g in range(games):
        if count + longest > len(samples.chosen):
            return g, count
        workspace.rng[0] = split(seed, first + g)
        count = play_game(workspace, player, samples, count, seats, expected)
        scores[g] = workspace.gains[0]
    return games, count


# --- learning -------------------------------------------------------------------------------------


class NetworkLearner(Learner):
    """A learner whose network descends by NumPy's matrices; a subclass says what a `lesson` is."""

    def __init__(self, game: Game, seed: int, games: int, sizes: tuple[int, ...]) -> None:
        super().__init__(game, seed, games)
        self.adam = Adam(new_network(sizes, seed))

    def lesson(self, games: int) -> Array | None:
        raise NotImplementedError

    def learn(self, games: int) -> Array | None:
        """Learn from this many more games. If that is interrupted, the learner stays as it was before."""
        before = self.snapshot()
        try:
            scores = self.lesson(games)
        except KeyboardInterrupt:
            self.restore(before)
            raise
        self.done += games
        return scores

    def descend(self, inputs: Array, loss: Callable[[Array], Any], rate: float, seed: list[int]) -> None:
        """One step for every batch of the samples, in random order. `loss(some)` gives the loss of a batch."""
        order = np.random.default_rng(seed).permutation(len(inputs))
        for at in range(0, len(order), BATCH):
            some = order[at : at + BATCH]
            self.adam.descend(inputs[some], loss(some), rate)

    def snapshot(self) -> dict[str, Array]:
        return {**self.adam.snapshot(), "done": np.array([self.done, self.wanted, self.seed])}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        self.done, self.wanted, self.seed = (int(n) for n in arrays["done"])
        self.adam.restore(arrays)


class ActionValueLearner(NetworkLearner):
    """Learns from games with itself what every action brings; how it explores is said by a subclass."""

    learning_rate = 1e-3
    """At first; it falls to nothing."""
    temperature = 0.1
    """At first; it falls to a fifth."""
    epsilon = 0.02
    """At first; it falls to nothing."""
    td_lambda = 1.0
    scale = 1.0

    def __init__(self, game: Game, seed: int, games: int, sizes: tuple[int, ...]) -> None:
        super().__init__(game, seed, games, sizes)
        self.rules = game.rules
        """A subclass may exchange `relative`, to number the outputs of its network in its own way."""
        self.workspace = new_workspace(blank_state(game), game.rules.view, game.players, game.most_actions)
        room = max(ROOM, game.longest)
        self.samples = Samples(
            np.zeros((room, sizes[0]), np.float32), np.zeros(room, np.int64), np.zeros(room, np.float32)
        )

    def player_now(self) -> SelfPlayer:
        """Who plays with itself now."""
        left = 1.0 - self.done / self.wanted
        temperature, epsilon = self.temperature * max(left, 0.2), self.epsilon * left
        return SelfPlayer(self.adam.network, temperature, epsilon, self.td_lambda, self.scale)

    def play(self, player: SelfPlayer, first: int, games: int) -> tuple[Array, Samples]:
        """Play these games, or as many as there is room for: their scores and their samples."""
        playing, scores = self.rules.bind(play_games), np.zeros(games)
        of = np.uint64(self.seed), first, scores, self.game.longest
        played, count = playing(self.workspace, player, self.samples, *of)
        return scores[:played], Samples(*(part[:count] for part in self.samples))

    def lesson(self, games: int) -> Array:
        player, rate = self.player_now(), self.learning_rate * (1.0 - self.done / self.wanted)
        found, first, end = [], self.done, self.done + games
        while True:
            scores, samples = self.play(player, first, end - first)

            def loss(some: Array, of: Samples = samples) -> Callable[[Array], Any]:
                return lambda outputs: square_error(outputs, of.chosen[some], of.targets[some])

            self.descend(samples.inputs, loss, rate, [self.seed, first])
            found.append(scores)
            first += len(scores)
            if first >= end:
                return np.concatenate(found)


SETTINGS = {
    "learning_rate": Setting(1e-3, Text("the learning rate at the beginning; it falls to 0"), low=0.0),
    "temperature": Setting(
        0.02,
        Text("how freely it tries what looks worse, at the beginning, in shares of the highest payoff"),
        low=1e-6,
    ),
    "epsilon": Setting(
        0.02, Text("how often it tries any action, at the beginning; it falls to 0"), low=0.0, high=1.0
    ),
    "td_lambda": Setting(
        1.0, Text("how much the payoff counts, and not what was expected later in the game"), low=0.0, high=1.0
    ),
    "layers": Setting(2, Text("hidden layers"), low=1, high=16),
    "width": Setting(256, Text("neurons in each hidden layer"), low=1, high=8192),
    "against": Setting("random", Text("the opponent in trials, where players oppose each other")),
    "bits": Setting(16, Text("bits of each weight in the file"), choices=(8, 16)),
    "trial_games": Setting(400, Text("games of a trial; the test at the end has five times as many"), low=2),
}


class DeepMonteCarlo(ActionValueLearner):
    """A learner as `hiddenhand.lab.training` takes it, for every game with an `encode`."""

    name = "dmc"
    summary = Text("a network that has learned by playing with itself what every action brings")
    settings = SETTINGS
    games = 100_000
    tries = 5

    def __init__(self, game: Game, seed: int, games: int, **given: Any) -> None:
        if "encode" not in game.rules.given:
            raise UserError("dmc needs the rule encode, which {name} does not have; ppo does without", name=game.name)
        self.chosen = read_settings(given, SETTINGS, self.name, "setting")
        hidden = [self.chosen["width"]] * self.chosen["layers"]
        sizes = (encoding_of(game).length, *hidden, game.rules.action_count + 1)
        super().__init__(game, seed, games, sizes)
        low, high = game.payoffs
        self.scale = max((high - low) / 2.0, 1e-6)
        self.temperature, self.epsilon = self.chosen["temperature"], self.chosen["epsilon"]
        self.td_lambda, self.learning_rate = self.chosen["td_lambda"], self.chosen["learning_rate"]
        self.opponent = "" if game.utility == "cooperative" or game.players == 1 else self.chosen["against"]
        self.opening = 0 if game.chance else 2
        self.trial_games = self.chosen["trial_games"]
        self.test_games = 5 * self.trial_games

    def network(self) -> Array:
        """What has been learned, its answers in payoffs; the last one, which nobody has taught, is 0."""
        sizes = sizes_of(self.adam.mean)
        blocks = [block.copy() for block in blocks_of(sizes, self.adam.mean[1 + len(sizes) :])]
        blocks[-1] *= self.scale
        blocks[-1][:, -1] = 0.0
        return with_sizes(sizes, np.concatenate([block.ravel() for block in blocks]))

    def about(self) -> dict[str, Any]:
        told = {"learner": self.name, "games": self.done, "seed": self.seed}
        return {**about_game(self.game), **told, "answers": "payoffs", **self.card}

    def player(self, best: bool = False) -> Network:
        return Network(self.game, self.network(), self.about())

    def save(self, path: Path) -> None:
        write_network(path, self.network(), self.about(), self.chosen["bits"])
