"""PPO on a graphics card where there is only NumPy, PyTorch, Numba and numba-cuda: no store, no command line.

    python benchmarks/learn_on_gpu.py hanabi --option players=2 rules=strict --seconds 960 --stop 540 --out nets

learns for 960 seconds, but ends after 540 and leaves in the folder `nets` a checkpoint, the network so far
(`network.npz`, and `network8.npz` with 8 bits a weight) and its curve (`curve.csv`: seconds, moves, mean score in
training, mean score of the network playing its best moves in fresh games, and the standard error of that). The same
command again goes on from the checkpoint. In the end it plays 20,000 more fresh games.

With hiddenhand and all that it needs installed, `hiddenhand train hanabi ppo --device cuda` does the same.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from hiddenhand.core import resolver
from hiddenhand.core.settings import parse_pairs
from hiddenhand.core.vector import VectorEnv, as_tensor
from hiddenhand.learning.network import write_network
from hiddenhand.learning.ppo import PPO

PLACES = 10_000
TRY_EVERY = 45.0
FRESH = 7_000_000
"""The seed of the games that it is tried in; those that it learns from have others."""


class Trials:
    """Games in which the best move of the mean network is played. The first in each place is for the curve."""

    def __init__(self, learner: PPO, places: int) -> None:
        self.learner = learner
        self.env = VectorEnv(learner.game, places, FRESH, learner.device.type)
        self.start = self.env.save()

    @torch.no_grad()
    def play(self, first: int, count: int) -> np.ndarray[Any, Any]:
        """Seat 0's payoffs in games first .. first + count - 1 of every place."""
        learner, env, places, there = self.learner, self.env, self.env.count, self.learner.device
        env.restore(self.start)
        layers, observation = learner.layers(learner.mean), as_tensor(env.observation)
        seen = torch.zeros((places, learner.inputs), dtype=observation.dtype, device=there)
        legal, done, rewards = (as_tensor(part) for part in (env.legal, env.done, env.rewards))
        finished = torch.zeros(places, dtype=torch.int64, device=there)
        scores = torch.zeros((places, count), device=there)
        while bool((finished < first + count).any()):
            seen[:, : env.observation_size] = observation
            action = learner.forward(layers, seen, legal)[0].argmax(dim=1)
            env.step(action if there.type == "cuda" else action.numpy())
            counts = done & (finished >= first) & (finished < first + count)
            number = (finished - first).clamp(0, count - 1)[:, None]
            scores.scatter_(1, number, torch.where(counts[:, None], rewards[:, :1], scores.gather(1, number)))
            finished += done
        return np.array(scores.flatten().cpu().numpy(), np.float64)


def report(trials: Trials, folder: Path, training: list[np.ndarray[Any, Any]], first: int, count: int) -> None:
    learner, scores = trials.learner, trials.play(first, count)
    mean, error = scores.mean(), scores.std() / np.sqrt(len(scores))
    learned_from = float(np.concatenate([np.zeros(0), *training]).mean()) if training else 0.0
    with open(folder / "curve.csv", "a", encoding="utf-8", newline="") as file:
        csv.writer(file).writerow([round(learner.seconds), learner.moves, learned_from, mean, error])
    low, high = learner.game.payoffs
    print(
        f"{learner.seconds:6.0f} s {learner.moves:14,} moves ({learner.moves / max(learner.seconds, 1e-9):,.0f}/s) "
        f"training {learned_from:.3f}  greedy {mean:.4f} +- {1.96 * error:.4f} over {len(scores):,}  "
        f"best {np.mean(scores == high):.1%} worst {np.mean(scores == low):.2%}",
        flush=True,
    )


def keep(learner: PPO, folder: Path) -> None:
    np.savez(folder / "new.npz", **{name.replace(" ", "__"): array for name, array in learner.snapshot().items()})
    (folder / "new.npz").replace(folder / "checkpoint.npz")
    write_network(folder / "network.npz", learner.network(), learner.about(), 16)
    write_network(folder / "network8.npz", learner.network(), learner.about(), 8)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--option", nargs="*", default=[])
    parser.add_argument("--set", nargs="*", default=[])
    parser.add_argument("--seconds", type=int, required=True, help="of learning, all calls together")
    parser.add_argument("--stop", type=float, default=1e9, help="seconds after which this call ends")
    parser.add_argument("--places", type=int, default=PLACES, help="games of a trial; the last has twice as many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def main() -> None:
    started, given = time.perf_counter(), arguments()
    folder: Path = given.out
    folder.mkdir(parents=True, exist_ok=True)
    game = resolver.game(given.game, parse_pairs(",".join(given.option), given.game, "option"))
    settings = parse_pairs(",".join(given.set), "ppo", "setting")
    learner = PPO(game, given.seed, 0, device=given.device, seconds=given.seconds, **settings)
    if (folder / "checkpoint.npz").is_file():
        with np.load(folder / "checkpoint.npz") as kept:
            learner.restore({name.replace("__", " "): kept[name] for name in kept})
    learner.learn(0)
    trials = Trials(learner, given.places)
    print(f"ready after {time.perf_counter() - started:.0f} s; learned {learner.seconds:.0f} s so far", flush=True)
    tried, training = time.perf_counter(), []
    while learner.progress < 1.0 and time.perf_counter() - started < given.stop:
        training = [*training[-20:], learner.learn(1)]
        if time.perf_counter() - tried > TRY_EVERY:
            report(trials, folder, training, 0, 1)
            tried = time.perf_counter()
    keep(learner, folder)
    report(trials, folder, training, 1, 2)
    state = "over" if learner.progress >= 1.0 else "to be gone on with"
    print(f"{state} after {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
