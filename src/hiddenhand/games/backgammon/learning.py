"""How the network of backgammon learns: TD(lambda) in games that it plays against itself (G. Tesauro, 1992).

Both seats choose the turn after which the network sees the best chance of winning. The chance that is seen one turn
later, by the other seat, is based on more knowledge. So the weights move a little towards it, and by the eligibility
trace the estimates of earlier turns move as well, each of them less than the one after it (lambda says how much
less). At the end the result of the game is the target. No move is drawn at random for the sake of exploration: the
dice see to that.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.features import squashed
from hiddenhand.core.game import Game, blank_state
from hiddenhand.core.policy import record_of
from hiddenhand.core.settings import Setting, read_settings
from hiddenhand.core.text import Text
from hiddenhand.games.backgammon.network import INPUTS, Paths, best_turn, chance_of, new_paths, td
from hiddenhand.games.backgammon.rules import FEATURES, deal, features, legal, odds, play, turn
from hiddenhand.kernel import OVER, copy, derive, new_records, pick, rule, stream
from hiddenhand.learning.eval_weights import goes_with_result
from hiddenhand.learning.learner import Learner

SETTINGS = {
    "hidden_units": Setting(80, Text("hidden units"), low=1, high=500, formerly="hidden"),
    "learning_rate": Setting(
        0.1, Text("how far a chance is moved; at the end a tenth of it"), low=0.0, high=1.0, formerly="rate"
    ),
    "trace_decay": Setting(
        0.7, Text("lambda: how much of that reaches the turn before"), low=0.0, high=1.0, formerly="decay"
    ),
}


class TDWorkspace(NamedTuple):
    """Scratch space for learning, so that nothing is allocated from turn to turn."""

    paths: Paths
    now: Any  # record[1]: the present state
    blank: Any  # record[1]: the state before the deal, with the options
    outcomes: Any  # int64: what chance can do
    chances: Any  # float64: how likely each of these is
    trace: Any  # float32[network]: the eligibility trace of every weight, for the chance of who has just moved
    found: Any  # float64[features]
    values: Any  # float64[2]


@rule
def throw(workspace, rng):
    """Let chance move."""
    now = workspace.now[0]
    count = legal(now, workspace.outcomes)
    odds(now, workspace.chances)
    play(now, workspace.outcomes[pick(rng, workspace.chances, count)], rng)


@rule
def play_and_learn(network, games, learning_rate, trace_decay, workspace, rng):
    """Learn from this many games; changes the network.

    network         float32[weights]
    learning_rate   the step size of an update
    trace_decay     lambda: the factor by which the trace shrinks from turn to turn
    """
    now = workspace.now[0]
    for _ in range(games):
        copy(now, workspace.blank[0])
        deal(now, rng)
        chance, begun = 0.0, False
        for i in range(len(network)):
            workspace.trace[i] = 0.0
        while True:
            throw(workspace, rng)
            mover = turn(now)
            best_turn(now, network, workspace.paths, False)
            copy(now, workspace.paths.best[0])
            over = turn(now) == OVER
            next_chance = 1.0 if over else chance_of(network, now, mover, workspace.paths)
            if begun:  # `chance` was that of the other seat: its target is 1 - next_chance
                td_error = 1.0 - next_chance - chance
                update(network, workspace.trace, np.float32(learning_rate * td_error))
            if over:
                break
            next_chance = chance_of(network, now, mover, workspace.paths)
            add_gradient(network, workspace.trace, workspace.paths, next_chance, np.float32(trace_decay))
            chance, begun = next_chance, True


@rule
def update(network, trace, step):
    """Move every weight along its trace."""
    for i in range(len(network)):
        network[i] += step * trace[i]


@rule
def add_gradient(network, trace, paths, chance, trace_decay):
    """Let the trace decay, and add the gradient of the chance that was just seen.

    What was in the trace before changes its sign, since it belongs to the chance of the other seat.
    """
    inputs, hidden = paths.inputs, paths.hidden
    units = len(hidden)
    for i in range(len(trace)):
        trace[i] *= -trace_decay
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
def watch(network, weights, scale, games, workspace, rng, seen):
    """Play by the network, and write for every turn: the features, EVAL and the network, and the result for seat 0.

    seen   float64[rows, features + 3]; returns how many rows were written
    """
    now, rows = workspace.now[0], 0
    for _ in range(games):
        copy(now, workspace.blank[0])
        deal(now, rng)
        first = rows
        while turn(now) != OVER and rows < len(seen):
            throw(workspace, rng)
            mover = turn(now)
            best_turn(now, network, workspace.paths, False)
            copy(now, workspace.paths.best[0])
            if turn(now) == OVER:
                break
            features(now, workspace.found)
            squashed(workspace.found, weights, scale, workspace.values)
            chance = chance_of(network, now, mover, workspace.paths)
            for i in range(len(workspace.found)):
                seen[rows, i] = workspace.found[i]
            seen[rows, len(workspace.found)] = workspace.values[0]
            seen[rows, len(workspace.found) + 1] = chance if mover == 0 else 1.0 - chance
            rows += 1
        for row in range(first, rows):
            seen[row, len(workspace.found) + 2] = 1.0 if now.winner == 0 else -1.0
    return rows


class TDLearner(Learner):
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
        self.learning_rate, self.trace_decay, hidden = (
            chosen["learning_rate"],
            chosen["trace_decay"],
            int(chosen["hidden_units"]),
        )
        size = (INPUTS + 2) * hidden + 1
        self.network = np.random.default_rng(seed).uniform(-0.1, 0.1, size).astype(np.float32)
        blank = new_records(game.rules.state, 1)
        blank[0] = blank_state(game)
        self.workspace = TDWorkspace(
            new_paths(hidden),
            new_records(game.rules.state, 1),
            blank,
            np.zeros(game.most_actions, np.int64),
            np.zeros(game.most_actions),
            np.zeros_like(self.network),
            np.zeros(len(FEATURES.each)),
            np.zeros(2),
        )

    def learn(self, games: int) -> None:
        learning_rate = self.learning_rate * (1.0 - 0.9 * self.done / max(1, self.wanted))
        rng = stream(derive(self.seed, self.done))
        play_and_learn(self.network, games, learning_rate, self.trace_decay, self.workspace, rng)
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
        rows = watch(self.network, FEATURES.weights, FEATURES.scale, 500, self.workspace, rng, seen)
        goes = goes_with_result(seen[:rows])
        names = [*FEATURES.names, Text("EVAL as it ships"), Text("the network")]
        return [
            Text("how each goes with the result, turn by turn, in 500 games of its own ({n:,} turns):", n=rows),
            *(Text("{name:>16}  {share:+.2f}", name=name, share=share) for name, share in zip(names, goes)),
        ]

    def snapshot(self) -> dict[str, Any]:
        return {"network": self.network, "counts": np.array([self.done])}

    def restore(self, kept: Mapping[str, Any]) -> None:
        self.network[:] = kept["network"]
        self.done = int(kept["counts"][0])
