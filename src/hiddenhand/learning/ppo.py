"""PPO: a network learns a game from nothing, by playing every seat itself (J. Schulman and others, "Proximal policy
optimization algorithms", 2017). It needs PyTorch: `pip install "hiddenhand[learn]"`.

Many games are played side by side (`core/vector.py`). The network sees the position from the side of the mover; it
answers with a number for every action and with the payoff that it expects. After some moves in every game it learns
from all of them, a few times over, and then they go on with what it has become:

- the advantage of a move is estimated along its own seat's decisions, from the rewards of that seat until its next
  decision and the value that the network expects there (generalised advantage estimation, J. Schulman and others,
  2016); between two opponents with nothing hidden, the other seat's next decision serves as well;
- a move with a positive advantage becomes more likely, one with a negative advantage less likely, but in one update
  neither by more than a factor of 1 ± `clip`;
- a bonus for entropy keeps the policy exploring; the bonus and the learning rate fall in the course of the training.

Where there is neither chance nor anything hidden, all games would soon be alike. So each begins with some moves drawn
at random, up to `opening` of them, from which nothing is learned.

What plays in the end is the mean of the network over the last twentieth of its updates. In a game where something is
hidden and one wins what the other loses, playing against oneself goes round in circles: the best answer to today's
policy becomes tomorrow's policy. There `magnet_coef` draws the network towards that mean (by the KL divergence from
it), and the bonus for entropy is large; both turn the circles into a spiral that winds inwards (S. Sokota and others,
"A unified approach to reinforcement learning, quantal response equilibria, and two-player zero-sum games", 2023).

Where the players win together and the game has an EVAL, what a move adds to EVAL is its reward at once; what the
payoff says otherwise in the end comes in slowly, over the first tenth of the training. In Hanabi that is the
penalty for a third bomb: with it from the start, a beginner learns to do nothing.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game, encoding_of
from hiddenhand.core.settings import FILE, Setting, read_settings
from hiddenhand.core.text import Text
from hiddenhand.core.vector import VectorEnv, as_tensor
from hiddenhand.kernel import derive
from hiddenhand.learning.learner import Learner
from hiddenhand.learning.network import (
    FORBIDDEN,
    blocks_of,
    layers_of,
    new_network,
    sizes_of,
    with_sizes,
    write_network,
)
from hiddenhand.learning.network_agent import Network, about_game, read_for

Array = np.ndarray[Any, Any]
Tensor = Any  # torch.Tensor: the types are checked without PyTorch
Layers = list[tuple[Tensor, Tensor]]

SETTINGS = {
    "device": Setting("cpu", Text("where it learns"), choices=("cpu", "cuda")),
    "steps": Setting(0, Text("moves to learn from; 0: for as long as `seconds` says"), low=0),
    "seconds": Setting(600, Text("how long it learns, if `steps` is 0"), low=1),
    "parallel": Setting(512, Text("games played side by side"), low=1),
    "moves": Setting(32, Text("moves in each game between two updates"), low=2),
    "batch": Setting(1024, Text("moves in a minibatch, for one gradient step"), low=16),
    "epochs": Setting(3, Text("how often an update goes through its moves"), low=1),
    "growth": Setting(1, Text("by how much moves and batch are multiplied after two fifths of the training"), low=1),
    "learning_rate": Setting(1e-3, Text("the learning rate at the beginning"), low=0.0, formerly="rate"),
    "final_learning_rate": Setting(1e-5, Text("the learning rate at the end"), low=0.0, formerly="last_rate"),
    "entropy_coef": Setting(
        0.02, Text("the coefficient of the entropy bonus at the beginning"), low=0.0, formerly="entropy"
    ),
    "final_entropy_coef": Setting(
        0.001, Text("the coefficient of the entropy bonus at the end"), low=0.0, formerly="last_entropy"
    ),
    "kl_coef": Setting(0.0, Text("the coefficient of the KL divergence from the policy that has played"), low=0.0),
    "magnet_coef": Setting(
        0.0, Text("the coefficient of the KL divergence from the magnet"), low=0.0, formerly="magnet"
    ),
    "magnet_updates": Setting(
        0, Text("after how many updates the magnet becomes a copy of the network; 0: it is the mean network"), low=0
    ),
    "mean": Setting(
        0.05, Text("the share of its latest updates over which the network is averaged"), low=0.0, high=1.0
    ),
    "discount": Setting(0.999, Text("what a payoff is worth one decision of the player earlier"), low=0.0, high=1.0),
    "gae_lambda": Setting(
        0.95, Text("how much later rewards count in advantages (lambda)"), low=0.0, high=1.0, formerly="decay"
    ),
    "clip": Setting(0.2, Text("by what share the probability of a move may change in one update"), low=0.0, high=1.0),
    "layers": Setting(2, Text("hidden layers"), low=1, high=16),
    "width": Setting(256, Text("neurons in each hidden layer"), low=1, high=8192),
    "shaped": Setting(False, Text("whether a change of EVAL is a reward at once")),
    "opening": Setting(0, Text("how many first moves of a game are drawn at random, at most"), low=0),
    "against": Setting("random", Text("the opponent in trials, where players oppose each other")),
    "start": Setting("", Text("a network to go on from"), kind=FILE),
    "responds_to": Setting(
        "",
        Text("a network that plays all other seats and does not learn: what is learned is a response to it"),
        kind=FILE,
    ),
    "responds_in": Setting(0, Text("with `responds_to`, the seat that learns, counted from 0"), low=0),
    "temperature": Setting(
        0.0, Text("how freely the network draws its moves in the end; 0: it takes the best"), low=0.0
    ),
    "bits": Setting(16, Text("bits of each weight in the file"), choices=(8, 16)),
    "trial_games": Setting(400, Text("games of a trial; the test at the end has five times as many"), low=2),
}
COLDEST = 1e-3
"""The temperature at which a network that always takes its best move is responded to."""
ON_CUDA = {
    "parallel": 32768,
    "batch": 65536,
    "epochs": 2,
    "growth": 2,
    "learning_rate": 5e-4,
    "final_entropy_coef": 0.0005,
    "layers": 3,
    "width": 1024,
}
ZERO_SUM = {"entropy_coef": 0.05, "final_entropy_coef": 0.005, "gae_lambda": 0.9, "epochs": 1}
ZERO_SUM_HIDDEN = {
    "entropy_coef": 0.05,
    "final_entropy_coef": 0.02,
    "magnet_coef": 0.5,
    "mean": 0.5,
    "epochs": 1,
    "temperature": 1.0,
}

MMD_DEFAULTS = {
    "parallel": 8,
    "moves": 128,
    "batch": 256,
    "epochs": 4,
    "growth": 1,
    "learning_rate": 2.5e-4,
    "final_learning_rate": 0.0,
    "entropy_coef": 0.05,
    "final_entropy_coef": 0.05,
    "kl_coef": 0.05,
    "magnet_coef": 0.0,
    "mean": 0.0,
    "discount": 0.99,
    "gae_lambda": 0.95,
    "clip": 0.1,
    "layers": 3,
    "width": 512,
}
NASHPG_DEFAULTS = {
    **MMD_DEFAULTS,
    "parallel": 32,
    "batch": 1024,
    "learning_rate": 3e-4,
    "final_learning_rate": 3e-4,
    "kl_coef": 0.0,
    "magnet_coef": 0.2,
    "magnet_updates": 1000,
    "discount": 1.0,
    "clip": 0.2,
}
VALUE_COEF = 0.5
MAX_GRADIENT_NORM = 0.5
GROWS_AT = 0.4
PENALTY_PHASE = 0.1
LESSONS = 50
MOST_OPENING = 6
ALIGNED = 16
"""Matrices whose sizes are multiples of this are much quicker on a graphics card."""


def settings_for(game: Game, device: str, published: Mapping[str, Any]) -> dict[str, Setting]:
    """The settings with the defaults that suit this game on this device; before these go those that are published."""
    defaults: dict[str, Any] = dict(ON_CUDA) if device == "cuda" else {}
    if game.utility == "zero-sum":
        defaults |= ZERO_SUM_HIDDEN if game.hidden else ZERO_SUM
    if game.utility == "zero-sum" and not game.hidden and not game.chance:
        defaults["opening"] = min(MOST_OPENING, game.longest // 7)
    defaults["shaped"] = game.utility == "cooperative" and "evaluate" in game.rules.given
    defaults |= published
    changed = {name: Setting(**{**vars(SETTINGS[name]), "default": value}) for name, value in defaults.items()}
    return {**SETTINGS, **changed}


class Rollout(NamedTuple):
    """What happened in T moves of each of N games. Tensors have the shape [T, N], and more where it is said."""

    observation: Tensor  # uint8 or float32[T, N, inputs]
    legal: Tensor  # bool[T, N, actions]
    seat: Tensor  # int64: who moved
    action: Tensor  # int64
    log_prob: Tensor  # float32: of the action, when it was chosen
    value: Tensor  # float32: what the network expected for the mover
    reward: Tensor  # float32[T, N, seats]
    score: Tensor  # float32: the payoff of seat 0, where a game ended
    done: Tensor  # bool
    random: Tensor  # bool: nothing is learned from it: drawn at random in the opening, or played by a frozen network


LOSS_FIELDS = ("observation", "legal", "action", "log_prob")
"""The fields that a gradient step needs."""


class PPO(Learner):
    """A learner as `hiddenhand.lab.training` takes it."""

    name = "ppo"
    summary = Text("a network that has learned by playing with itself")
    settings = SETTINGS
    published: Mapping[str, Any] = {}
    """Defaults of a variant, as they were published."""
    games, step = 0, 0  # it counts moves or seconds
    tries = 5

    def __init__(self, game: Game, seed: int, games: int, **given: Any) -> None:
        if games:
            raise UserError(
                "{learner} counts moves or seconds, not games: say --steps or --seconds", learner=self.name
            )
        device = SETTINGS["device"].read(given.get("device", "cpu"), f"setting device of {self.name}")
        if device == "cuda":
            if not torch.cuda.is_available():
                raise UserError("there is no graphics card here that PyTorch can use; leave out --device cuda")
            torch.set_float32_matmul_precision("high")
        self.chosen = read_settings(given, settings_for(game, device, self.published), self.name, "setting")
        steps, seconds = self.chosen["steps"], self.chosen["seconds"]
        if steps and "seconds" in given:
            raise UserError("say how long {learner} learns: --steps or --seconds, not both", learner=self.name)
        self.game, self.seed, self.device = game, seed, torch.device(device)
        self.wanted, self.unit = (steps, "moves") if steps else (seconds, "seconds")
        self.step = max(1, -(-self.wanted // LESSONS))
        self.opponent = "" if game.utility == "cooperative" or game.players == 1 else self.chosen["against"]
        self.opening = 0 if game.chance else 2
        self.trial_games = self.chosen["trial_games"]
        self.test_games = 5 * self.trial_games
        low, high = game.payoffs
        self.scale = max((high - low) / 2.0, 1e-6)
        """What payoffs are divided by while learning."""
        self.done, self.updates, self.moves, self.seconds = 0, 0, 0, 0.0
        self.env: VectorEnv | None = None
        self.rollout: Rollout | None = None
        same, opposed = np.eye(game.players, dtype=np.float32), game.utility == "zero-sum" and game.players == 2
        self.value_sign = self.tensor(2.0 * same - 1.0 if opposed and not game.hidden else same)
        """[mover, seat]: the sign with which the mover's value counts for each seat; 0 where it says nothing."""
        self.inputs, self.outputs = (
            -(-n // ALIGNED) * ALIGNED for n in (encoding_of(game).length, game.rules.action_count + 1)
        )
        self.shift, self.spread = (self.tensor(np.full(self.inputs, x, np.float32)) for x in (0.0, 1.0))
        self.frozen, self.frozen_temperature = self.read_frozen(self.chosen["responds_to"])
        self.begin()

    # --- the network

    def read_frozen(self, file: str) -> tuple[Layers, float]:
        """The network that is responded to, and at which temperature it plays; no layers if there is none."""
        if not file:
            return [], 1.0
        network, about = read_for(self.game, file)
        pairs = [(self.tensor(matrix.copy()), self.tensor(bias.copy())) for matrix, bias in layers_of(network)]
        return pairs, max(float(about.get("temperature", 0.0)), COLDEST)

    def frozen_log_probs(self, observation: Tensor, legal: Tensor) -> Tensor:
        """The log-probability of each action by the network that is responded to, [B, actions]."""
        x = observation[:, : len(self.frozen[0][0])].float()
        for matrix, bias in self.frozen[:-1]:
            x = torch.relu(torch.addmm(bias, x, matrix))
        outputs = torch.addmm(self.frozen[-1][1], x, self.frozen[-1][0])[:, : legal.shape[1]]
        return (outputs / self.frozen_temperature).masked_fill(~legal, FORBIDDEN).log_softmax(dim=1)

    def begin(self) -> None:
        """New weights, small, that prefer no action; or those of a file."""
        hidden = [self.chosen["width"]] * self.chosen["layers"]
        if self.chosen["start"]:
            network, _ = read_for(self.game, self.chosen["start"])
            hidden = sizes_of(network)[1:-1]
        self.sizes = [self.inputs, *hidden, self.outputs]
        self.lengths = [n for a, b in zip(self.sizes, self.sizes[1:]) for n in (a * b, b)]
        weights = new_network(self.sizes, derive(self.seed, 1) % 2**32)[1 + len(self.sizes) :]
        last = blocks_of(self.sizes, weights)[-1]
        last *= 0.01
        if self.chosen["start"]:
            weights = self.padded_weights(network)
        self.weights = self.tensor(weights).requires_grad_()
        self.mean, self.copied = (self.weights.detach().clone() for _ in range(2))
        self.adam = torch.optim.Adam([self.weights], lr=1e-3, eps=1e-8, fused=True)

    def padded_weights(self, network: Array) -> Array:
        """The weights of a file as they are here: aligned, payoffs measured in `scale`."""
        blocks = [block.copy() for block in blocks_of(sizes_of(network), network[1 + int(network[0]) :])]
        blocks[-1][:, -1] /= self.scale
        room = np.zeros((self.inputs + 1 - len(blocks[0]), blocks[0].shape[1]), np.float32)
        blocks[0] = np.concatenate([blocks[0][:-1], room, blocks[0][-1:]])
        blocks[-1] = np.pad(blocks[-1], ((0, 0), (0, self.outputs - blocks[-1].shape[1])))
        return np.concatenate([block.ravel() for block in blocks])

    def network(self) -> Array:
        """What has been learned, as a policy takes it: the reverse, and the inputs as the game gives them."""
        inputs, answers = encoding_of(self.game).length, self.game.rules.action_count + 1
        blocks = [block.copy() for block in blocks_of(self.sizes, self.mean.cpu().numpy())]
        shift, spread = self.shift.cpu().numpy(), self.spread.cpu().numpy()
        matrix = blocks[0][:-1] / spread[:, None]
        blocks[0] = np.concatenate([matrix[:inputs], blocks[0][-1:] - shift @ matrix])
        blocks[-1] = blocks[-1][:, :answers]
        blocks[-1][:, -1] *= self.scale
        weights = np.concatenate([block.ravel() for block in blocks]).astype(np.float32)
        return with_sizes([inputs, *self.sizes[1:-1], answers], weights)

    def tensor(self, array: Array) -> Tensor:
        return torch.as_tensor(array, device=self.device)

    def layers(self, weights: Tensor) -> Layers:
        """Matrices and biases; all but the last in 16 bits on a graphics card."""
        low = torch.bfloat16 if self.device.type == "cuda" else torch.float32
        parts = weights.split(self.lengths)
        pairs = [(parts[i].view(self.sizes[i // 2], -1), parts[i + 1]) for i in range(0, len(parts), 2)]
        return [(matrix.to(low), bias.to(low)) for matrix, bias in pairs[:-1]] + pairs[-1:]

    def forward(self, layers: Layers, observation: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """The log-probability of each action, [B, actions], and the value, [B]."""
        x = observation if observation.dtype == torch.uint8 else (observation - self.shift) / self.spread
        x = x.to(layers[0][0].dtype)
        for matrix, bias in layers[:-1]:
            x = torch.relu(torch.addmm(bias, x, matrix))
        outputs, actions = torch.addmm(layers[-1][1], x.float(), layers[-1][0]), legal.shape[1]
        return outputs[:, :actions].masked_fill(~legal, FORBIDDEN).log_softmax(dim=1), outputs[:, actions]

    # --- playing

    def ready(self) -> VectorEnv:
        """The games, dealt."""
        if self.env is None:
            self.env = VectorEnv(self.game, self.chosen["parallel"], derive(self.seed, 2), self.device.type)
            self.shaped_reward_so_far = self.tensor(np.zeros((self.env.count, self.env.seats), np.float32))
            """What each seat has gained in its game so far, by EVAL."""
            self.opening_left = self.tensor(np.zeros(self.env.count, np.int64))
            """Moves that are still to be drawn at random in each game."""
            if not encoding_of(self.game).bits and not self.chosen["start"]:
                self.measure_inputs(self.env)
        return self.env

    def measure_inputs(self, env: VectorEnv) -> None:
        """Measure the numbers that the network will see, in some moves at random, so that all are of one size."""
        random = np.random.default_rng(derive(self.seed, 3) % 2**32)
        before, observation = env.save(), []
        for _ in range(2 * self.chosen["moves"]):
            observation.append(as_array(env.observation))
            choices = random.random(env.legal.shape) * as_array(env.legal)
            env.step(self.tensor(choices.argmax(axis=1)) if self.device.type == "cuda" else choices.argmax(axis=1))
        env.restore(before)
        numbers = np.concatenate(observation)
        mean, spread = numbers.mean(axis=0), numbers.std(axis=0)
        spread[spread < 1e-6] = np.maximum(1.0, np.abs(mean[spread < 1e-6]))
        size = encoding_of(self.game).length
        self.shift[:size], self.spread[:size] = self.tensor(mean), self.tensor(spread.astype(np.float32))

    @property
    def progress(self) -> float:
        """How much of the training is done, from 0 to 1."""
        return float(min(1.0, (self.moves if self.unit == "moves" else self.seconds) / self.wanted))

    @property
    def learning_rate(self) -> float:
        """The learning rate now: it falls linearly."""
        first, last = self.chosen["learning_rate"], self.chosen["final_learning_rate"]
        return float(first + (last - first) * self.progress)

    @property
    def entropy_coef(self) -> float:
        """The coefficient of the entropy bonus now: it falls exponentially."""
        first, last = (max(self.chosen[name], 1e-9) for name in ("entropy_coef", "final_entropy_coef"))
        return float(first * (last / first) ** self.progress)

    @property
    def magnet(self) -> Tensor:
        """The weights of the network towards which the policy is drawn."""
        return self.copied if self.chosen["magnet_updates"] else self.mean

    def new_rollout(self, moves: int, env: VectorEnv) -> Rollout:
        def zeros(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros((moves, env.count, *shape), dtype=dtype, device=self.device)

        return Rollout(
            observation=zeros(self.inputs, dtype=torch.uint8 if encoding_of(self.game).bits else torch.float32),
            legal=zeros(env.actions, dtype=torch.bool),
            seat=zeros(dtype=torch.int64),
            action=zeros(dtype=torch.int64),
            log_prob=zeros(),
            value=zeros(),
            reward=zeros(env.seats),
            score=zeros(),
            done=zeros(dtype=torch.bool),
            random=zeros(dtype=torch.bool),
        )

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def collect(self, moves: int, generator: torch.Generator) -> tuple[Rollout, Tensor, Tensor]:
        """Play `moves` moves in every game. Returns them, and the seats that move next [N] with their values [N]."""
        env, layers, size = self.ready(), self.layers(self.weights), encoding_of(self.game).length
        if self.rollout is None or len(self.rollout.done) != moves:
            self.rollout = None  # free the old one before the new one is made
            self.rollout = self.new_rollout(moves, env)
        rollout = self.rollout
        observation, legal, turn = as_tensor(env.observation), as_tensor(env.legal), as_tensor(env.turn)
        rewards, gains, done = as_tensor(env.rewards), as_tensor(env.gains), as_tensor(env.done)
        penalty = 1.0 if self.chosen["start"] else min(1.0, self.progress / PENALTY_PHASE)
        for t in range(moves):
            rollout.observation[t, :, :size] = observation
            rollout.legal[t], rollout.seat[t] = legal, turn
            log_probs, rollout.value[t] = self.forward(layers, rollout.observation[t], rollout.legal[t])
            noise = torch.empty_like(log_probs).exponential_(generator=generator).log_()
            torch.gt(self.opening_left, 0, out=rollout.random[t])
            sampled_from = torch.where(rollout.random[t, :, None] & rollout.legal[t], 0.0, log_probs)
            if self.frozen:
                others = turn != self.chosen["responds_in"]
                theirs = self.frozen_log_probs(rollout.observation[t], rollout.legal[t])
                sampled_from = torch.where(others[:, None], theirs, sampled_from)
                rollout.random[t] |= others
            rollout.action[t] = (sampled_from - noise).argmax(dim=1)  # Gumbel: a sample of the distribution
            rollout.log_prob[t] = log_probs.gather(1, rollout.action[t, :, None])[:, 0]
            env.step(rollout.action[t] if self.device.type == "cuda" else rollout.action[t].numpy())
            rollout.done[t], rollout.score[t] = done, rewards[:, 0]
            if self.chosen["opening"]:
                again = torch.randint(self.chosen["opening"] + 1, turn.shape, generator=generator, device=self.device)
                self.opening_left = torch.where(done, again, self.opening_left - 1)
            if self.chosen["shaped"]:
                self.shaped_reward_so_far += gains
                rest = torch.where(done[:, None], penalty * (rewards - self.shaped_reward_so_far), 0.0)
                rollout.reward[t] = (gains + rest) / self.scale
                self.shaped_reward_so_far.masked_fill_(done[:, None], 0.0)
            else:
                rollout.reward[t] = rewards / self.scale
        last = torch.zeros_like(rollout.observation[0])
        last[:, :size] = observation
        return rollout, turn, self.forward(layers, last, legal)[1]

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def advantages(self, rollout: Rollout, turn: Tensor, bootstrap_value: Tensor) -> tuple[Tensor, Tensor]:
        """Generalised advantage estimates along each seat's own decisions, [T, N], and where they are defined.

        A decision has an estimate once its seat has decided again or the game has ended, and the seat had more than
        one legal action. Between two opponents with nothing hidden, the other seat's next decision serves as well.

        turn              int64[N]: the seats that move after the rollout
        bootstrap_value   float32[N]: what they expect
        """
        next_advantage, reward_since = (torch.zeros_like(rollout.reward[0]) for _ in range(2))
        next_value, known = self.value_sign[turn] * bootstrap_value[:, None], self.value_sign[turn] != 0.0
        advantages, defined = torch.zeros_like(rollout.value), torch.zeros_like(rollout.done)
        gamma, gae_lambda = self.chosen["discount"], self.chosen["gae_lambda"]
        for t in reversed(range(len(advantages))):
            ended, seat, value = rollout.done[t, :, None], rollout.seat[t, :, None], rollout.value[t, :, None]
            reward_since = reward_since.masked_fill(ended, 0.0) + rollout.reward[t]
            next_value.masked_fill_(ended, 0.0)
            next_advantage.masked_fill_(ended, 0.0)
            known |= ended
            here = known.gather(1, seat)
            td_error = reward_since.gather(1, seat) + gamma * next_value.gather(1, seat) - value
            advantage = torch.where(here, td_error + gamma * gae_lambda * next_advantage.gather(1, seat), 0.0)
            advantages[t], defined[t] = advantage[:, 0], here[:, 0]
            sign = self.value_sign[rollout.seat[t]]
            informs = sign != 0.0
            next_value = torch.where(informs, sign * value, next_value)
            next_advantage = torch.where(informs, sign * advantage, next_advantage)
            reward_since.masked_fill_(informs, 0.0)
            known |= informs
        return advantages, defined & ~rollout.random & (rollout.legal.sum(dim=2) > 1)

    # --- learning

    def update(self) -> Array:
        """Collect a rollout and learn from it; returns the scores of the games that ended."""
        grown = self.chosen["growth"] if self.progress >= GROWS_AT else 1
        moves, batch = self.chosen["moves"] * grown, self.chosen["batch"] * grown
        generator = torch.Generator(self.device).manual_seed(derive(derive(self.seed, 4), self.updates) % 2**62)
        for group in self.adam.param_groups:
            group["lr"] = self.learning_rate
        rollout, turn, bootstrap_value = self.collect(moves, generator)
        advantages, defined = self.advantages(rollout, turn, bootstrap_value)
        indices = defined.flatten().nonzero()[:, 0]
        advantages, value_target = advantages.flatten(), (advantages + rollout.value).flatten()
        used = advantages[indices]
        advantages = (advantages - used.mean()) / (used.std() + 1e-8)
        flat = rollout._replace(**{name: getattr(rollout, name).flatten(0, 1) for name in LOSS_FIELDS})
        entropy_coef = self.entropy_coef
        magnet = self.layers(self.magnet) if self.chosen["magnet_coef"] > 0.0 else []
        for _ in range(self.chosen["epochs"]):
            order = indices[torch.randperm(len(indices), generator=generator, device=self.device)]
            for some in order.tensor_split(max(1, round(len(order) / batch))):
                minibatch = flat._replace(**{name: getattr(flat, name)[some] for name in LOSS_FIELDS})
                self.gradient_step(minibatch, advantages[some], value_target[some], entropy_coef, magnet)
        self.updates += 1
        self.moves += moves * len(turn)
        with torch.no_grad():
            self.mean += (self.weights - self.mean) / max(1.0, self.chosen["mean"] * self.updates)
            if self.chosen["magnet_updates"] and self.updates % self.chosen["magnet_updates"] == 0:
                self.copied.copy_(self.weights)
        found: Array = rollout.score[rollout.done].cpu().numpy()
        return found

    def gradient_step(
        self, batch: Rollout, advantage: Tensor, value_target: Tensor, entropy_coef: float, magnet: Layers
    ) -> None:
        """One step of Adam on the clipped surrogate objective, [B] decisions.

        batch          the LOSS_FIELDS of the decisions, flat
        advantage      float32[B], normalised
        value_target   float32[B]
        magnet         the mean network, towards which the policy is drawn; empty: it is not
        """
        log_probs, value = self.forward(self.layers(self.weights), batch.observation, batch.legal)
        log_ratio = log_probs.gather(1, batch.action[:, None])[:, 0] - batch.log_prob
        ratio = log_ratio.exp()
        clip = self.chosen["clip"]
        surrogate = torch.minimum(ratio * advantage, ratio.clamp(1.0 - clip, 1.0 + clip) * advantage).mean()
        probs = log_probs.exp()
        entropy = -(probs * log_probs).sum(dim=1).mean()
        loss = VALUE_COEF * (value - value_target).square().mean() - surrogate - entropy_coef * entropy
        if self.chosen["kl_coef"] > 0.0:
            loss = loss + self.chosen["kl_coef"] * (ratio * log_ratio - (ratio - 1.0)).mean()
        if magnet:
            with torch.no_grad():
                magnet_log_probs, _ = self.forward(magnet, batch.observation, batch.legal)
            kl_to_magnet = (probs * (log_probs - magnet_log_probs)).sum(dim=1).mean()
            loss = loss + self.chosen["magnet_coef"] * kl_to_magnet
        self.weights.grad = None
        loss.backward()
        with torch.no_grad():
            gradient = self.weights.grad
            assert gradient is not None
            gradient *= (MAX_GRADIENT_NORM / (gradient.norm() + 1e-6)).clamp(max=1.0)
        self.adam.step()

    # --- as a learner

    def learn(self, amount: int) -> Array:
        """Learn from `amount` more moves, or for `amount` more seconds; returns the scores of finished games."""
        self.ready()
        scores = [np.zeros(0, np.float32)]
        self.done += amount
        while amount and self.progress * self.wanted < min(self.done, self.wanted):
            started = time.perf_counter()
            scores.append(self.update())
            self.seconds += time.perf_counter() - started
        return np.concatenate(scores)

    def after_trial(self, mean: float) -> None:
        """Nothing is changed by a trial."""

    def about(self) -> dict[str, Any]:
        return {
            **about_game(self.game),
            "learner": self.name,
            "moves": self.moves,
            "seconds": round(self.seconds),
            "seed": self.seed,
            "shaped": self.chosen["shaped"],
            "temperature": self.chosen["temperature"],
            **self.card,
        }

    def player(self, best: bool = False) -> Network:
        return Network(self.game, self.network(), self.about())

    def save(self, path: str | Path) -> None:
        write_network(path, self.network(), self.about(), self.chosen["bits"])

    def remarks(self) -> list[str]:
        pace = self.moves / max(self.seconds, 1e-9)
        return [
            Text(
                "{n:,} moves in {seconds:.0f} s of learning: {pace:,.0f} a second",
                n=self.moves,
                seconds=self.seconds,
                pace=pace,
            )
        ]

    def snapshot(self) -> dict[str, Any]:
        """Everything needed to go on, as arrays."""
        of = self.adam.state.get(self.weights, {})
        empty = torch.zeros_like(self.mean)
        kept = {
            "weights": self.weights.detach(),
            "mean": self.mean,
            "copied": self.copied,
            "first": of.get("exp_avg", empty),
            "second": of.get("exp_avg_sq", empty),
            "steps": of.get("step", torch.zeros(1)),
            "shift": self.shift,
            "spread": self.spread,
            "counts": np.array([self.done, self.updates, self.moves]),
            "seconds": np.array([self.seconds]),
        }
        if self.env is not None:
            kept |= {"reached": self.shaped_reward_so_far, "opening_left": self.opening_left}
            kept |= {f"env {name}": each for name, each in self.env.save().items()}
        return {name: as_array(value) for name, value in kept.items()}

    def restore(self, arrays: Mapping[str, Any]) -> None:
        for name in ("mean", "copied", "shift", "spread"):
            if name in arrays:  # an earlier version kept no copy
                getattr(self, name).copy_(self.tensor(np.array(arrays[name])))
        with torch.no_grad():
            self.weights.copy_(self.tensor(np.array(arrays["weights"])))
        self.adam.state[self.weights] = {
            "step": torch.tensor(float(np.ravel(arrays["steps"])[0]), device=self.device),
            "exp_avg": self.tensor(np.array(arrays["first"])),
            "exp_avg_sq": self.tensor(np.array(arrays["second"])),
        }
        self.done, self.updates, self.moves = (int(count) for count in arrays["counts"])
        self.seconds = float(arrays["seconds"][0])
        if "reached" in arrays:
            shift, spread = self.shift.clone(), self.spread.clone()
            env = self.ready()
            self.shift, self.spread = shift, spread
            self.shaped_reward_so_far.copy_(self.tensor(np.array(arrays["reached"])))
            self.opening_left.copy_(self.tensor(np.array(arrays["opening_left"])))
            saved = {name[4:]: value for name, value in arrays.items() if name.startswith("env ")}
            if self.device.type == "cuda":
                saved = {
                    name: value if name == "seed" else self.tensor(np.array(value)) for name, value in saved.items()
                }
            env.restore(saved)


class MMD(PPO):
    """Magnetic mirror descent as a benchmark has it (M. Rudolph and others, "Reevaluating policy gradient methods for
    imperfect-information games", 2025): PPO, with the KL divergence from the policy that has played, and a bonus for
    entropy that stays."""

    name = "mmd"
    published = MMD_DEFAULTS


class NashPG(PPO):
    """NashPG (arXiv 2510.18183, 2025): PPO, with the KL divergence from a copy of the network that is made anew every
    thousand updates."""

    name = "nashpg"
    published = NASHPG_DEFAULTS


def as_array(value: object) -> Array:
    """A copy, whatever device it is on."""
    return np.array(value.detach().cpu().numpy() if isinstance(value, torch.Tensor) else value)
