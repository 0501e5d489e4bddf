"""Stable-Baselines3: MaskablePPO of sb3-contrib learns Kuhn poker against a player who moves at random.

pip install 'hiddenhand[bridges]' sb3-contrib
python examples/recipes/maskable_ppo.py
"""

from sb3_contrib import MaskablePPO

from hiddenhand.bridges.gymnasium import SeatEnv, make


def played(env: SeatEnv, model: MaskablePPO, seed: int) -> float:
    """The payoff of one game."""
    observation, _ = env.reset(seed=seed)
    over, reward = False, 0.0
    while not over:
        action, _ = model.predict(observation, action_masks=env.action_masks(), deterministic=True)
        observation, reward, over, _, _ = env.step(action)
    return reward


def main(steps: int = 4096, games: int = 500) -> float:
    """The mean payoff of a game after so many steps."""
    env = make("kuhn", ["random"], seat=None)
    model = MaskablePPO("MlpPolicy", env, n_steps=256, learning_rate=1e-3, seed=1, device="cpu").learn(steps)
    return sum(played(env, model, seed) for seed in range(games)) / games


if __name__ == "__main__":
    print(f"{main():+.3f} chips a game against random play")
