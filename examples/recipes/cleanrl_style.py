"""PPO in one file, as CleanRL writes it: it learns Leduc hold'em against a player who moves at random.

pip install hiddenhand torch
python examples/recipes/cleanrl_style.py

Only the moves of seat 0 are learnt from. A game pays at its end, so that what a move has gained is the payoff of its
game; moves of games that a round has not seen the end of are left out. Actions that are not legal are masked.
"""

import torch
from torch import Tensor, nn
from torch.distributions import Categorical

import hiddenhand as hh

STEPS, EPOCHS, MINIBATCHES = 32, 4, 4
CLIP, ENTROPY, VALUE = 0.2, 0.01, 0.5


class Agent(nn.Module):
    """A policy and a value; both see what the mover sees."""

    def __init__(self, inputs: int, actions: int, width: int = 64) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.actor, self.critic = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, seen: Tensor, legal: Tensor) -> tuple[Categorical, Tensor]:
        hidden = self.body(seen)
        return Categorical(logits=self.actor(hidden).masked_fill(~legal, -1e9)), self.critic(hidden)[:, 0]


def played(env: hh.VectorEnv, agent: Agent) -> tuple[dict[str, Tensor], float]:
    """What seat 0 saw and did in games that have ended, and the mean payoff of these games."""
    kept = []
    for _ in range(STEPS):
        seen, legal = torch.tensor(env.observation, dtype=torch.float32), torch.tensor(env.legal)
        mine = torch.tensor(env.turn == 0)
        with torch.no_grad():
            policy, values = agent(seen, legal)
        actions = torch.where(mine, policy.sample(), Categorical(legal.float()).sample())
        env.step(actions.numpy())
        ends, payoffs = torch.tensor(env.done), torch.tensor(env.rewards[:, 0])
        chances = policy.log_prob(actions)
        kept.append({"seen": seen, "legal": legal, "actions": actions, "chances": chances, "values": values,
                     "mine": mine, "ends": ends, "gained": payoffs})  # fmt: skip
    batch = {name: torch.stack([each[name] for each in kept]) for name in kept[0]}
    mean = batch["gained"][batch["ends"]].mean().item()
    ended = batch["ends"].clone()
    for t in reversed(range(STEPS - 1)):
        batch["gained"][t] = torch.where(batch["ends"][t], batch["gained"][t], batch["gained"][t + 1])
        ended[t] |= ended[t + 1]
    chosen = ended & batch["mine"]
    return {name: column[chosen] for name, column in batch.items()}, mean


def loss(agent: Agent, batch: dict[str, Tensor]) -> Tensor:
    """The clipped loss of PPO, with that of the value and the entropy."""
    policy, values = agent(batch["seen"], batch["legal"])
    advantages = batch["gained"] - batch["values"]
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    ratio = (policy.log_prob(batch["actions"]) - batch["chances"]).exp()
    gain = torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
    return VALUE * (values - batch["gained"]).square().mean() - gain - ENTROPY * policy.entropy().mean()


def main(rounds: int = 60, games: int = 256) -> float:
    """The mean payoff in the last third of the rounds; so many games are played side by side."""
    torch.manual_seed(1)
    torch.set_num_threads(1)  # enough for a network as small as this
    env, means = hh.VectorEnv("leduc", games, seed=1), []
    agent = Agent(env.observation_size, env.actions)
    optimizer = torch.optim.Adam(agent.parameters(), lr=1e-3, eps=1e-5)
    for number in range(rounds):
        optimizer.param_groups[0]["lr"] = 1e-3 * (1 - number / rounds)
        batch, mean = played(env, agent)
        means.append(mean)
        for _ in range(EPOCHS):
            for places in torch.randperm(len(batch["seen"])).chunk(MINIBATCHES):
                optimizer.zero_grad()
                loss(agent, {name: column[places] for name, column in batch.items()}).backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()
    return sum(means[-rounds // 3 :]) / len(means[-rounds // 3 :])


if __name__ == "__main__":
    print(f"{main():+.3f} chips a game against random play")
