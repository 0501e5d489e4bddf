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

from hiddenhand.core.resolver import game
from hiddenhand.core.vector import VectorEnv, cores
from hiddenhand.kernel import below, rule, stream
from hiddenhand.lab.speed import Row, per_second

GAMES: dict[str, tuple[dict[str, Any], str, dict[str, Any]]] = {
    "connect_four": ({}, "connect_four", {}),
    "hanabi": ({"players": 2}, "hanabi", {"players": 2}),
    "leduc": ({}, "leduc_poker", {}),
}
"""By our name: our options, their name and their parameters."""
PLACES = 1024
"""Games at once, for each core."""


def rows() -> Iterator[Row]:
    for name, (options, theirs, parameters) in GAMES.items():
        one = our_steps(name, options, 1)
        for peer, (steps, wanted) in PEERS.items():
            yield Row(f"{name}, one core", "steps/s", one, peer, tried(steps, theirs, parameters), wanted)
        yield Row(f"{name}, {cores()} cores", "steps/s", our_steps(name, options, cores()), "-", None)
    for name, peer, steps in (("connect_four", "pgx", pgx_steps), ("hanabi", "JaxMARL", jaxmarl_steps)):
        found = tried(steps)
        if found is not None:
            yield Row(f"{name}, {cores()} cores", "steps/s", our_steps(name, GAMES[name][0], cores()), peer, found)


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


def pgx_steps() -> float:
    """pgx's connect four, on whatever device JAX has."""
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env, count = pgx.make("connect_four"), 4096
    play = jax.vmap(auto_reset(env.step, env.init))

    def many(state: Any, key: Any) -> Any:
        def one(carried: Any, key: Any) -> Any:
            first, second = jax.random.split(key)
            logits = jax.numpy.log(carried.legal_action_mask.astype("float32"))
            actions = jax.random.categorical(first, logits)
            return play(carried, actions, jax.random.split(second, count)), None

        return jax.lax.scan(one, state, jax.random.split(key, 64))[0]

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), count))
    return jax_speed(jax.jit(many), state, 64 * count)


def jaxmarl_steps() -> float:
    """JaxMARL's Hanabi for two."""
    import jax
    import jaxmarl

    env, count = jaxmarl.make("hanabi"), 1024

    def many(state: Any, key: Any) -> Any:
        def one(carried: Any, key: Any) -> Any:
            first, second = jax.random.split(key)
            legal = jax.vmap(env.get_legal_moves)(carried)
            draw = {
                who: jax.random.categorical(jax.random.fold_in(first, i), jax.numpy.log(legal[who].astype("float32")))
                for i, who in enumerate(env.agents)
            }
            return jax.vmap(env.step)(jax.random.split(second, count), carried, draw)[1], None

        return jax.lax.scan(one, state, jax.random.split(key, 16))[0]

    _, state = jax.jit(jax.vmap(env.reset))(jax.random.split(jax.random.PRNGKey(0), count))
    return jax_speed(jax.jit(many), state, 16 * count)


def jax_speed(many: Callable[[Any, Any], Any], state: Any, steps: int) -> float:
    """Steps a second of a function that makes so many, compilation left out."""
    import jax

    state = jax.block_until_ready(many(state, jax.random.PRNGKey(1)))

    def work() -> int:
        nonlocal state
        state = jax.block_until_ready(many(state, jax.random.PRNGKey(2)))
        return steps

    return per_second(work)
