"""pgx's connect four and JaxMARL's Hanabi for two: steps a second, on all cores or on a graphics card.

Both are measured as they are meant to be used: many games at once, finished ones dealt anew, some steps compiled into
one loop. A step is an action chosen and played, the next legal actions and the next observations made; these are
carried along, so that the compiler cannot leave them out.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from rows import per_second

STEPS = 32
"""Compiled into one loop."""

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # or JAX takes most of a card for itself


def pgx_steps(device: str, count: int, chosen: str) -> float:
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env, choose = pgx.make("connect_four"), CHOICES[chosen]
    play = jax.vmap(auto_reset(env.step, env.init))

    def step(state: Any, key: Any) -> Any:
        first, second = jax.random.split(key)
        return play(state, choose(first, state.legal_action_mask), jax.random.split(second, count))

    return steps_per_second(step, jax.vmap(env.init), device, count)


def jaxmarl_steps(device: str, count: int, chosen: str) -> float:
    import jax
    from jaxmarl.environments.hanabi import Hanabi

    env, choose = Hanabi(num_agents=2), CHOICES[chosen]
    play, legal = jax.vmap(env.step), jax.vmap(env.get_legal_moves)

    def step(seen_and_state: Any, key: Any) -> Any:
        first, second = jax.random.split(key)
        state = seen_and_state[1]
        actions = {
            agent: choose(jax.random.fold_in(first, seat), mask)
            for seat, (agent, mask) in enumerate(legal(state).items())
        }
        return play(jax.random.split(second, count), state, actions)[:2]

    return steps_per_second(step, jax.vmap(env.reset), device, count)


def draw(key: Any, legal: Any) -> Any:
    import jax

    return jax.random.categorical(key, jax.numpy.log(legal.astype("float32")))


def take_first(key: Any, legal: Any) -> Any:
    return legal.argmax(axis=1)


CHOICES: dict[str, Callable[[Any, Any], Any]] = {"first legal action": take_first, "drawn at random": draw}
"""Ways to choose the actions of a step, by what they are called."""


def steps_per_second(step: Callable[[Any, Any], Any], begin: Callable[[Any], Any], device: str, count: int) -> float:
    """Of so many games on the device ("cpu" or "cuda"), compilation left out."""
    import jax

    def steps(now: Any, key: Any) -> Any:
        return jax.lax.scan(lambda now, key: (step(now, key), None), now, jax.random.split(key, STEPS))[0]

    try:
        place = jax.devices(device)[0]
    except RuntimeError as error:
        raise ImportError(f"JAX is not installed for {device}") from error
    with jax.default_device(place):
        several = jax.jit(steps)
        now = jax.jit(begin)(jax.random.split(jax.random.PRNGKey(0), count))

        def work() -> int:
            nonlocal now
            now = jax.block_until_ready(several(now, jax.random.PRNGKey(1)))
            return STEPS * count

        work()
        return per_second(work)
