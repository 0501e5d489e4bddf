"""How the network of backgammon learns: TD(lambda), by playing with itself (G. Tesauro, 1992).

Both seats play by the network, each turn the one after which it sees the best chance. A chance that is seen a turn
later, by the other, knows more: so each is moved a little towards it, and those before a little less (lambda says how
much less), and in the end towards the result. No move is drawn at random: the dice see to that.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.features import squashed
from hiddenhand.core.game import Game
from hiddenhand.core.policy import record_of
from hiddenhand.core.settings import Setting, read_settings
from hiddenhand.core.text import Text
from hiddenhand.games.backgammon.network import INPUTS, Paths, best_turn, chance_of, new_paths, td
from hiddenhand.games.backgammon.rules import FEATURES, deal, features, legal, odds, play, turn
from hiddenhand.kernel import OVER, copy, derive, new_records, pick, rule, stream
from hiddenhand.learning.eval_weights import goes_with_result

SETTINGS = {
    "hidden": Setting(80, Text("hidden units"), low=1, high=500),
    "rate": Setting(0.1, Text("how far a chance is moved; at the end a tenth of it"), low=0.0, high=1.0),
    "decay": Setting(0.7, Text("lambda: how much of that reaches the turn before"), low=0.0, high=1.0),
}


class TDWorkspace(NamedTuple):
    """What is needed while learning."""

    paths: Paths
    now: Any  # record[1]
    blank: Any  # record[1]: before the deal, with the options
    outcomes: Any
    chances: Any
    trace: Any  # float32[network]: how far each weight is answerable for the chance, of who has just moved
    found: Any  # float64[features]
    values: Any  # float64[2]


@rule
def throw(room, rng):
    """Let chance move."""
    now = room.now[0]
    count = legal(now, room.outcomes)
    odds(now, room.chances)
    play(now, room.outcomes[pick(rng, room.chances, count)], rng)


@rule
def play_and_learn(network, games, rate, decay, room, rng):
    """Learn from so many games; changes the network."""
    now = room.now[0]
    for _ in range(games):
        copy(now, room.blank[0])
        deal(now, rng)
        chance, begun = 0.0, False
        for i in range(len(network)):
            room.trace[i] = 0.0
        while True:
            throw(room, rng)
            mover = turn(now)
            best_turn(now, network, room.paths, False)
            copy(now, room.paths.best[0])
            over = turn(now) == OVER
            next_chance = 1.0 if over else chance_of(network, now, mover, room.paths)
            if begun:  # what the other saw a turn ago, against what I see now
                push(network, room.trace, np.float32(rate * (1.0 - next_chance - chance)))
            if over:
                break
            next_chance = chance_of(network, now, mover, room.paths)
            answerable(network, room.trace, room.paths, next_chance, np.float32(decay))
            chance, begun = next_chance, True


@rule
def push(network, trace, step):
    for i in range(len(network)):
        network[i] += step * trace[i]


@rule
def answerable(network, trace, paths, chance, decay):
    """The trace after a turn: the slope of the chance just seen. What was before counts the other way round, since
    it is the chance of the other."""
    inputs, hidden = paths.inputs, paths.hidden
    units = len(hidden)
    for i in range(len(trace)):
        trace[i] *= -decay
    slope = np.float32(chance * (1.0 - chance))
    out = (INPUTS + 1) * units
    for j in range(units):
        trace[out + j] += slope * hidden[j]
    trace[out + units] += slope
    for j in range(units):  # from here on `hidden` holds the slope at each hidden unit
        hidden[j] = slope * network[out + j] * hidden[j] * (np.float32(1.0) - hidden[j])
        trace[INPUTS * units + j] += hidden[j]
    for i in range(INPUTS):
        x = inputs[i]
        if x != 0.0:
            row = trace[i * units : (i + 1) * units]
            for j in range(units):
                row[j] += x * hidden[j]


@rule
def watch(network, weights, scale, games, room, rng, seen):
    """Play by the network, and write for every turn: the features, EVAL and the network, and the result for seat 0.

    seen   float64[rows, features + 3]; returns how many rows were written
    """
    now, rows = room.now[0], 0
    for _ in range(games):
        copy(now, room.blank[0])
        deal(now, rng)
        first = rows
        while turn(now) != OVER and rows < len(seen):
            throw(room, rng)
            mover = turn(now)
            best_turn(now, network, room.paths, False)
            copy(now, room.paths.best[0])
            if turn(now) == OVER:
                break
            features(now, room.found)
            squashed(room.found, weights, scale, room.values)
            chance = chance_of(network, now, mover, room.paths)
            for i in range(len(room.found)):
                seen[rows, i] = room.found[i]
            seen[rows, len(room.found)] = room.values[0]
            seen[rows, len(room.found) + 1] = chance if mover == 0 else 1.0 - chance
            rows += 1
        for row in range(first, rows):
            seen[row, len(room.found) + 2] = 1.0 if now.winner == 0 else -1.0
    return rows


class TDLearner:
    """Learns a network from nothing."""

    name = "td"
    games = 100_000
    step = 1000
    suffix = ".npz"
    opponent = "expectiminimax"
    settings = SETTINGS
    trial_games, test_games = 200, 2000

    def __init__(self, game: Game, seed: int, wanted: int, **settings: Any) -> None:
        chosen = read_settings(settings, SETTINGS, self.name, "setting")
        self.game, self.seed, self.wanted, self.done = game, seed, wanted, 0
        self.rate, self.decay, hidden = chosen["rate"], chosen["decay"], int(chosen["hidden"])
        size = (INPUTS + 2) * hidden + 1
        self.network = np.random.default_rng(seed).uniform(-0.1, 0.1, size).astype(np.float32)
        blank = new_records(game.state, 1)
        blank[0] = game.blank()
        self.room = TDWorkspace(
            new_paths(hidden),
            new_records(game.state, 1),
            blank,
            np.zeros(game.most_actions, np.int64),
            np.zeros(game.most_actions),
            np.zeros_like(self.network),
            np.zeros(len(FEATURES.each)),
            np.zeros(2),
        )

    def learn(self, games: int) -> None:
        rate = self.rate * (1.0 - 0.9 * self.done / max(1, self.wanted))
        rng = stream(derive(self.seed, self.done))
        play_and_learn(self.network, games, rate, self.decay, self.room, rng)
        self.done += games

    def after_trial(self, mean: float) -> None:
        """Trials are for the curve: what is learned is taken as it is."""

    def player(self, best: bool = False) -> Any:
        made = PolicyAgent(self.game, td)
        made.parameters = record_of({"network": self.network})
        return made

    def save(self, path: str | Path) -> None:
        with Path(path).open("wb") as file:
            np.savez_compressed(file, network=self.network.astype(np.float16))

    def remarks(self) -> list[str]:
        """How well each feature, EVAL and the network go with the result, in games that the network plays."""
        seen = np.zeros((40_000, len(FEATURES.each) + 3))
        rng = stream(derive(self.seed, 1 << 40))
        rows = watch(self.network, FEATURES.weights, FEATURES.scale, 500, self.room, rng, seen)
        goes = goes_with_result(seen[:rows])
        names = [*FEATURES.names, "EVAL as it ships", "the network"]
        return [
            f"how each goes with the result, turn by turn, in 500 games of its own ({rows:,} turns):",
            *(f"{name:>16}  {share:+.2f}" for name, share in zip(names, goes)),
        ]

    def snapshot(self) -> dict[str, Any]:
        return {"network": self.network, "counts": np.array([self.done])}

    def restore(self, kept: Mapping[str, Any]) -> None:
        self.network[:] = kept["network"]
        self.done = int(kept["counts"][0])
