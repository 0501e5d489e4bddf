"""Speed on a graphics card (extra `gpu`): games in lockstep and whole matches, compared with pgx and JaxMARL."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from env import ON_JAX, tried
from hiddenhand.core.resolver import game
from hiddenhand.core.vector import VectorEnv
from hiddenhand.gpu.cuda import require_gpu, torch
from hiddenhand.lab.match import match
from on_jax import CHOICES
from rows import Row

PLACES = 1 << 19
STEPS = 40
"""Measured at a time."""
WANTED = 3.0
"""How many times faster than the peers we mean to be."""
GAMES: dict[str, dict[str, Any]] = {"connect_four": {}, "hanabi": {"players": 2, "rules": "strict"}, "leduc": {}}
LAYER = 512
"""Neurons in each of the two hidden layers of the network that chooses."""


def rows() -> Iterator[Row]:
    require_gpu()
    for name, options in GAMES.items():
        env = VectorEnv(name, PLACES, seed=1, device="cuda", **options)
        for word, choose in choosers(env).items():
            ours = steps_per_second(env, choose)
            if name in ON_JAX and word in CHOICES:
                peer, steps = ON_JAX[name]
                yield Row(f"{name}, {word}", "steps/s", ours, peer, tried(steps, "cuda", PLACES, word), WANTED)
            else:
                yield Row(f"{name}, {word}", "steps/s", ours, "-", None)
        env.check()
    for name, players in (("connect_four", 2), ("hanabi", 2), ("hanabi", 5)):
        played = match(game(name), ["random"] * players, games=1 << 21, device="cuda")
        yield Row(f"random games, {name}, {players} players", "games/s", played.games_per_second, "-", None)


def choosers(env: VectorEnv) -> dict[str, Callable[[], Any]]:
    """Ways to choose the actions of a step, by what they are called."""
    there = torch()
    sizes = (env.observation_size, LAYER, LAYER, env.actions)
    layers = [
        there.randn(wide, narrow, device="cuda", dtype=there.bfloat16) / wide**0.5 for wide, narrow in pairwise(sizes)
    ]

    def drawn() -> Any:
        return (there.rand(env.actions, env.count, device="cuda").T * env.legal).argmax(dim=1)

    def by_network() -> Any:
        signal = env.observation.to(there.bfloat16)
        for layer in layers[:-1]:
            signal = there.relu(signal @ layer)
        return (signal @ layers[-1]).float().masked_fill(~env.legal, -1e9).argmax(dim=1)

    kept = drawn()

    def the_first() -> Any:
        return there.argmax(env.legal.T.to(there.uint8), dim=0, out=kept)

    return {"first legal action": the_first, "drawn at random": drawn, "network of 512": by_network}


def steps_per_second(env: VectorEnv, choose: Callable[[], Any]) -> float:
    """The best of three. The steps are recorded once as a graph of the card, as JAX compiles its loop: then the card
    does not wait for Python between them."""
    there, best = torch(), 0.0
    env.step(choose())  # makes what is made only once
    graph = there.cuda.CUDAGraph()
    with there.cuda.graph(graph):
        for _ in range(STEPS):
            env.step(choose())
    for _ in range(3):
        there.cuda.synchronize()
        start = time.perf_counter()
        graph.replay()
        there.cuda.synchronize()
        best = max(best, STEPS * env.count / (time.perf_counter() - start))
    return best
