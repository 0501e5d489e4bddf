"""TorchRL: its PPO learns Leduc hold'em against a player who moves at random.

pip install 'hiddenhand[bridges]' torchrl
python examples/recipes/torchrl_ppo.py

The environment is a seat of the Gymnasium bridge. Its mask of legal actions is read from `info`, and the policy draws
from a `MaskedCategorical`.
"""

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Binary, Composite
from torchrl.envs import DTypeCastTransform, EnvBase, GymWrapper, TransformedEnv
from torchrl.envs.gym_like import default_info_dict_reader
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from hiddenhand.bridges.gymnasium import make


def environment() -> EnvBase:
    seat = make("leduc", ["random"])
    mask = Composite(action_mask=Binary(int(seat.action_space.n), dtype=torch.int8))
    env = GymWrapper(seat, categorical_action_encoding=True)
    env.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec=mask))
    return TransformedEnv(env, DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))


def main(rounds: int = 40, moves: int = 512) -> float:
    """The mean payoff in the last third of the rounds, each of so many moves."""
    torch.manual_seed(1)
    torch.set_num_threads(1)  # enough for networks as small as these
    env = environment()
    env.set_seed(1)
    inputs, actions = env.observation_spec["observation"].shape[-1], env.action_spec.n
    logits = TensorDictModule(
        MLP(inputs, actions, num_cells=[64, 64], activation_class=nn.Tanh), ["observation"], ["logits"]
    )
    actor = ProbabilisticActor(
        logits,
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(MLP(inputs, 1, num_cells=[64, 64], activation_class=nn.Tanh))
    advantage, loss = GAE(gamma=1.0, lmbda=0.95, value_network=critic), ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    optimizer, means = torch.optim.Adam(loss.parameters(), lr=2e-3), []
    for batch in Collector(env, actor, frames_per_batch=moves, total_frames=rounds * moves):
        ended = batch["next", "done"]
        means.append(batch["next", "reward"][ended].mean().item())
        for _ in range(4):
            advantage(batch)
            for places in torch.randperm(moves).chunk(4):
                found = loss(batch[places])
                optimizer.zero_grad()
                (found["loss_objective"] + found["loss_entropy"] + 0.1 * found["loss_critic"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
    return sum(means[-rounds // 3 :]) / len(means[-rounds // 3 :])


if __name__ == "__main__":
    print(f"{main():+.3f} chips a game against random play")
