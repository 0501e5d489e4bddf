"""JAX: a linear policy learns Kuhn poker against a player who moves at random, many games at once.

pip install hiddenhand jax
python examples/recipes/jax_policy_gradient.py

The arrays of `VectorEnv` are handed to JAX through DLPack. They are written anew by every step, and JAX may share
their memory, so that it is given copies. The policy sits in seat 0 and learns by REINFORCE: what it did in a game
becomes likelier, the more so the more the game brought.
"""

import jax
import jax.numpy as jnp
import numpy as np

import hiddenhand as hh


def given(array: np.ndarray) -> jax.Array:
    return jnp.from_dlpack(array.copy())


def log_policy(weights: jax.Array, seen: jax.Array, legal: jax.Array) -> jax.Array:
    """[n, actions]: the logarithms of the probabilities."""
    return jax.nn.log_softmax(jnp.where(legal, seen @ weights, -1e9))


@jax.jit
def learned(
    weights: jax.Array, seen: jax.Array, legal: jax.Array, actions: jax.Array, gained: jax.Array
) -> jax.Array:
    """One step of REINFORCE, with the mean payoff as baseline."""

    def loss(weights: jax.Array) -> jax.Array:
        chosen = jnp.take_along_axis(log_policy(weights, seen, legal), actions[:, None], axis=1)[:, 0]
        return -(chosen * (gained - gained.mean())).mean()

    return weights - 2.0 * jax.grad(loss)(weights)


def main(rounds: int = 60, count: int = 512) -> float:
    """The mean payoff of the last third of the rounds; in each, every place plays 8 moves."""
    env, draw = hh.VectorEnv("kuhn", count, seed=1), np.random.default_rng(1)
    weights, means = jnp.zeros((env.observation_size, env.actions)), []
    for _ in range(rounds):
        waiting: list[list[tuple[np.ndarray, np.ndarray, int]]] = [[] for _ in range(count)]
        batch, payoffs = [], []
        for _ in range(8):
            chances = np.exp(log_policy(weights, given(env.observation).astype(jnp.float32), given(env.legal)))
            chances = np.where(env.turn[:, None] == 0, chances, env.legal / env.legal.sum(axis=1, keepdims=True))
            actions = (chances.cumsum(axis=1) < draw.random((count, 1)) * chances.sum(axis=1, keepdims=True)).sum(
                axis=1
            )
            for place in np.flatnonzero(env.turn == 0):
                waiting[place].append((env.observation[place].copy(), env.legal[place].copy(), actions[place]))
            env.step(actions)
            for place in np.flatnonzero(env.done):
                payoffs.append(float(env.rewards[place, 0]))
                batch += [(*each, payoffs[-1]) for each in waiting[place]]
                waiting[place] = []
        seen, legal, chosen, gained = (jnp.array(np.array(column)) for column in zip(*batch[: 2 * count]))
        weights = learned(weights, seen.astype(jnp.float32), legal, chosen, gained)
        means.append(np.mean(payoffs))
    return float(np.mean(means[-rounds // 3 :]))


if __name__ == "__main__":
    print(f"{main():+.3f} chips a game against random play")
