"""Steps of many games at once: `VectorEnv` beside OpenSpiel (extra `bench`), and pgx and JaxMARL where they are.

A step of ours is a random legal action chosen and played, the next legal actions and the next observation written.
OpenSpiel from Python does the same one game at a time, its `vector_env` with many, its bots play in C++ and observe
nothing. Hanabi is for two.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hiddenhand.core.devices import CPU
from hiddenhand.core.resolver import game
from hiddenhand.core.vector import VectorEnv, cores
from hiddenhand.kernel import below, rule, stream
from on_jax import jaxmarl_steps, pgx_steps
from rows import Row, per_second

GAMES: dict[str, tuple[dict[str, Any], str, dict[str, Any]]] = {
    "connect_four": ({}, "connect_four", {}),
    "hanabi": ({"players": 2}, "hanabi", {"players": 2}),
    "leduc": ({}, "leduc_poker", {}),
}
"""By our name: our options, their name and their parameters."""
PLACES = 4096
"""Games at once, for each core."""


def rows() -> Iterator[Row]:
    for name, (options, theirs, parameters) in GAMES.items():
        one = our_steps(name, options, 1)
        for peer, (steps, wanted) in PEERS.items():
            yield Row(f"{name}, one core", "steps/s", one, peer, tried(steps, theirs, parameters), wanted)
        peer, on_jax = ON_JAX.get(name, ("-", None))
        theirs_too = tried(on_jax, CPU, PLACES * cores(), "drawn at random") if on_jax else None
        ours = our_steps(name, options, cores())
        yield Row(f"{name}, {cores()} cores", "steps/s", ours, peer, theirs_too)


def tried(measure: Callable[..., float], *arguments: Any) -> float | None:
    """What was measured, unless the peer is not installed."""
    try:
        return measure(*arguments)
    except ImportError:
        return None


@rule
def choose(legal, chosen, rng):
    """For each game a random legal action."""
    for i in range(len(chosen)):
        count = 0
        for action in range(legal.shape[1]):
            count += np.int64(legal[i, action])
        left = below(rng, count)
        action = 0
        while left > 0 or not legal[i, action]:
            left -= np.int64(legal[i, action])
            action += 1
        chosen[i] = action


def our_steps(name: str, options: dict[str, Any], threads: int) -> float:
    env = VectorEnv(game(name, options), PLACES * threads, seed=1, threads=threads)
    chosen, rng = np.zeros(env.count, np.int64), stream(2)

    def step() -> int:
        choose(env.legal, chosen, rng)
        env.step(chosen)
        return env.count

    step()
    return per_second(step)


def python_steps(name: str, parameters: dict[str, Any]) -> float:
    """OpenSpiel, one game at a time."""
    import pyspiel

    theirs = pyspiel.load_game(name, parameters)
    choice, weighed = random.Random(1).choice, random.Random(2).choices

    def play() -> int:
        state, steps = theirs.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes())
                state.apply_action(weighed(outcomes, odds)[0])
                continue
            state.observation_tensor()
            state.apply_action(choice(state.legal_actions()))
            steps += 1
        return steps

    return per_second(play)


def vector_steps(name: str, parameters: dict[str, Any]) -> float:
    """OpenSpiel's own environment of many games."""
    from open_spiel.python.rl_agent import StepOutput
    from open_spiel.python.rl_environment import Environment
    from open_spiel.python.vector_env import SyncVectorEnv

    count, choice = 64, random.Random(1).choice
    env = SyncVectorEnv([Environment(name, **parameters) for _ in range(count)])
    now = env.reset()

    def step() -> int:
        nonlocal now
        actions = [choice(each.observations["legal_actions"][each.current_player()]) for each in now]
        now, *_ = env.step([StepOutput(action, ()) for action in actions], reset_if_done=True)
        return count

    return per_second(step)


def bot_steps(name: str, parameters: dict[str, Any]) -> float:
    """OpenSpiel's random bots, in C++."""
    import pyspiel

    theirs = pyspiel.load_game(name, parameters)
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(theirs.num_players())]
    seed = 0

    def play() -> int:
        nonlocal seed
        seed += 1
        state = theirs.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed)
        return sum(each.player >= 0 for each in state.full_history())

    return per_second(play)


PEERS: dict[str, tuple[Callable[..., float], float | None]] = {
    "OpenSpiel, Python": (python_steps, 20.0),
    "OpenSpiel, vector_env": (vector_steps, None),
    "OpenSpiel, C++ bots": (bot_steps, None),
}
"""How each is measured, and how many times faster we mean to be."""

ON_JAX: dict[str, tuple[str, Callable[..., float]]] = {
    "connect_four": ("pgx", pgx_steps),
    "hanabi": ("JaxMARL", jaxmarl_steps),
}
"""Who can use all cores, or a graphics card."""
