"""PPO: advantages as by hand, a small game is learned, what is stopped goes on the same, and its file plays."""

import os

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.errors import UserError
from hiddenhand.lab.solving import ALONE
from hiddenhand.lab.training import train

if "CI" not in os.environ:
    pytest.importorskip("torch")

import torch

from hiddenhand.learning.ppo import PPO, NashPG, Rollout

SMALL = {"parallel": 32, "moves": 8, "batch": 64, "width": 16, "layers": 1}


@pytest.mark.parametrize(
    ("name", "seats", "opposed"), [("hanabi", 3, False), ("kuhn", 2, False), ("tictactoe", 2, True)]
)
def test_advantages_are_estimated_along_the_decisions_of_their_seat(name, seats, opposed):
    """Against a loop over every single seat of every single game; where two oppose each other and nothing is hidden,
    over the decisions of both."""
    game = hh.game(name, players=3) if name == "hanabi" else hh.game(name)
    learner = PPO(game, 1, 0, steps=1, discount=0.9, gae_lambda=0.7)
    random = np.random.default_rng(1)
    moves, games = 12, 5
    seat = random.integers(seats, size=(moves + 1, games))
    value, reward = random.normal(size=(moves + 1, games)), random.normal(size=(moves, games, seats))
    done, drawn = random.random((moves, games)) < 0.2, random.random((moves, games)) < 0.1
    legal = random.random((moves, games, 4)) < 0.5
    fields = {name: torch.zeros(1) for name in Rollout._fields}
    given = {"seat": seat[:-1], "value": value[:-1], "reward": reward, "done": done, "random": drawn, "legal": legal}
    fields |= {name: torch.from_numpy(array) for name, array in given.items()}
    advantages, defined = learner.advantages(
        Rollout(**fields), torch.from_numpy(seat[-1]), torch.from_numpy(value[-1])
    )
    for game in range(games):
        for t in range(moves):
            by = by_both if opposed else by_hand
            expected = by(seat[:, game], value[:, game], reward[:, game], done[:, game], t)
            learned_from = expected is not None and not drawn[t, game] and legal[t, game].sum() > 1
            assert bool(defined[t, game]) == learned_from
            assert float(advantages[t, game]) == pytest.approx(expected or 0.0)


def by_hand(seat, value, reward, done, t, discount=0.9, gae_lambda=0.7):
    """How much better move t was than expected; None if its seat has had no other decision since."""
    gained = 0.0
    for later in range(t, len(done)):
        gained += reward[later, seat[t]]
        if done[later]:
            return gained - value[t]
        if seat[later + 1] == seat[t]:
            after = by_hand(seat, value, reward, done, later + 1) if later + 1 < len(done) else 0.0
            return gained + discount * value[later + 1] - value[t] + discount * gae_lambda * (after or 0.0)
    return None


def by_both(seat, value, reward, done, t, discount=0.9, gae_lambda=0.7):
    """The same by the next decision, whosesoever it is: what the other expects counts against the mover."""
    gained = reward[t, seat[t]] - value[t]
    if done[t]:
        return gained
    side = 1.0 if seat[t + 1] == seat[t] else -1.0
    after = by_both(seat, value, reward, done, t + 1) if t + 1 < len(done) else 0.0
    return gained + side * discount * (value[t + 1] + gae_lambda * after)


def test_openings_are_drawn_and_not_learned_from():
    learner = PPO(hh.game("tictactoe"), 1, 0, steps=1, opening=2, **SMALL)
    learner.ready()
    random = torch.Generator().manual_seed(1)
    rollout, turn, value = learner.collect(8, random)
    assert not rollout.random[0].any()  # the first games have begun
    begun = rollout.done[:-1].nonzero().tolist()
    lengths = []
    for t, game in begun:
        drawn = rollout.random[t + 1 :, game].tolist()
        lengths.append(drawn.index(False) if False in drawn else -1)
    assert set(lengths) - {-1} == {0, 1, 2}
    _, defined = learner.advantages(rollout, turn, value)
    assert torch.equal(defined, ~rollout.random & (rollout.legal.sum(dim=2) > 1))


MOVES = {"width": 32, "parallel": 64, "moves": 16, "layers": 1, "trial_games": 100}
HELD = {"epochs": 4, "magnet_coef": 0.3, "magnet_updates": 40, "entropy_coef": 0.0, "final_entropy_coef": 0.0}


@pytest.mark.parametrize(
    ("name", "steps", "settings", "exploitability"),
    [
        ("ppo", 60_000, {"batch": 128, "learning_rate": 2e-3}, 0.3),
        ("nashpg", 200_000, HELD | {"batch": 256, "learning_rate": 3e-3, "final_learning_rate": 1e-4}, 0.15),
    ],
)
def test_it_learns_poker(name, steps, settings, exploitability, tmp_path):
    """Against playing at random, which can be exploited for 0.458 a game; an equilibrium for nothing."""
    game = hh.game("kuhn")
    result = train(game, name, output=tmp_path / "net.npz", settings=MOVES | settings | {"steps": steps})
    assert result.unit == "moves"
    assert result.mean > 0.1
    assert f"{name} learned kuhn with 2 players from {steps:,} moves" in str(result)
    agent = hh.agent(game, f"network:file={tmp_path / 'net.npz'}")
    assert agent.about["moves"] >= steps
    command = agent.about["command"]
    assert command.startswith(f"hiddenhand train kuhn {name} --seed 1 --option players=2 --option ranks=0 --set")
    assert agent.parameters.temperature == 1.0
    gap = float(hh.exploitability(game, agent))
    assert gap < exploitability
    assert result.exploitability[-1] == pytest.approx(gap, abs=0.005)  # the file has 16 bits a weight
    assert len(result.exploitability) == len(result.curve) == 10
    assert [curve.name for curve in result.progress_curves()] == ["learning", "exploitability"]
    assert f"exploitability {result.exploitability[-1]:.4g}" in str(result)


def test_a_response_is_learned_to_a_network(tmp_path, monkeypatch):
    """It gains most of what a best response does, and no more."""
    game, file = hh.game("kuhn"), tmp_path / "net.npz"
    PPO(game, 5, 0, steps=1024, **SMALL).save(file)  # it has learned nothing: as good as random
    exact = float(hh.exploitability(game, f"network:file={file}"))
    for name, value in {"parallel": 128, "moves": 16, "batch": 256, "width": 64}.items():
        monkeypatch.setitem(ALONE, name, value)
    found = hh.exploitability(game, f"network:file={file}", by="learned", moves=50_000, games=4000)
    assert 0.7 * exact < float(found) < exact + 0.06
    with pytest.raises(UserError, match="a response is learned to one network"):
        hh.exploitability(game, "random", by="learned", moves=10)


def test_the_network_at_the_table_is_the_one_that_learned():
    """PyTorch's numbers for what the games show now, and those of the compiled policy."""
    learner = PPO(hh.game("kuhn"), 2, 0, steps=1024, **SMALL)
    learner.learn(1024)
    player, env = learner.player(), learner.ready()
    observation = torch.zeros((env.count, learner.inputs), dtype=torch.uint8)
    observation[:, : env.observation_size] = torch.from_numpy(env.observation)
    legal = torch.from_numpy(env.legal)
    log_probs, value = learner.forward(learner.layers(learner.mean), observation, legal)
    for i in range(env.count):
        record = hh.game("kuhn").deal(0).view().record  # only `encode` reads it, and what it gives is replaced
        actions = np.flatnonzero(env.legal[i]).tolist()
        inputs = env.observation[i].astype(float)
        probs, payoff = player.answer(record, int(env.turn[i]), actions, inputs)
        assert probs == pytest.approx(log_probs[i].exp().detach().numpy()[actions], abs=1e-5)
        assert payoff == pytest.approx(float(value[i]) * learner.scale, abs=1e-5)


def test_what_is_stopped_goes_on_as_if_it_had_not_been():
    game = hh.game("kuhn")
    whole, first, second = (PPO(game, 3, 0, steps=2048, **SMALL) for _ in range(3))
    whole.learn(1024)
    whole.learn(1024)
    first.learn(1024)
    second.restore(first.snapshot())
    second.learn(1024)
    assert second.moves == whole.moves >= 2048
    for name, array in whole.snapshot().items():
        if name != "seconds":
            np.testing.assert_array_equal(array, second.snapshot()[name], err_msg=name)
    np.testing.assert_array_equal(whole.network(), second.network())


def test_settings_by_the_names_of_the_release_before():
    old = {"rate": 0.1, "last_rate": 0.2, "entropy": 0.3, "last_entropy": 0.4, "magnet": 0.5, "decay": 0.6}
    new = ("learning_rate", "final_learning_rate", "entropy_coef", "final_entropy_coef", "magnet_coef", "gae_lambda")
    chosen = PPO(hh.game("kuhn"), 1, 0, steps=5, **SMALL, **old).chosen
    assert [chosen[name] for name in new] == list(old.values())


def test_refusals():
    game = hh.game("kuhn")
    for settings, message in (
        ({"steps": 5, "seconds": 5}, "not both"),
        ({"steps": 5, "learning_rat": 1}, "did you mean learning_rate"),
        ({"steps": 5, "device": "tpu"}, "must be one of cpu, cuda"),
        ({"steps": 5, "start": "nowhere.npz"}, "there is no file nowhere.npz"),
    ):
        with pytest.raises(UserError, match=message):
            PPO(game, 1, 0, **settings)
    with pytest.raises(UserError, match="not games"):
        PPO(game, 1, 100, steps=5)
    if not torch.cuda.is_available():
        with pytest.raises(UserError, match="no graphics card"):
            PPO(game, 1, 0, steps=5, device="cuda")


def test_the_magnet_of_nashpg_is_a_copy_that_is_renewed():
    """And with the coefficient of the mean network at 0, the last network plays."""
    settings = {**SMALL, "steps": 2000, "magnet_updates": 3}
    learner = NashPG(hh.game("kuhn"), 1, 0, **settings)
    learner.ready()
    copies = []
    for _ in range(7):
        copies.append((learner.magnet.clone(), learner.weights.detach().clone()))
        learner.update()
    for update, (magnet, _) in enumerate(copies):
        assert torch.equal(magnet, copies[update // 3 * 3][1])
    assert torch.equal(learner.mean, learner.weights)
    again = NashPG(hh.game("kuhn"), 1, 0, **settings)
    again.restore(learner.snapshot())
    assert torch.equal(again.magnet, copies[6][1])
    learner.update()
    again.update()
    assert torch.equal(again.weights, learner.weights)


@pytest.mark.parametrize("coefficient", ["kl_coef", "magnet_coef"])
def test_a_large_coefficient_holds_the_policy_back(coefficient):
    """The magnet is the first network, which prefers nothing; a policy held by either hardly leaves it."""
    changes = []
    for value in (0.0, 1000.0):
        learner = PPO(
            hh.game("kuhn"), 1, 0, steps=2000, magnet_updates=100, epochs=4, **SMALL, **{coefficient: value}
        )
        learner.learn(512)
        observation, legal = learner.rollout.observation[0], learner.rollout.legal[0]
        with torch.no_grad():
            log_probs, _ = learner.forward(learner.layers(learner.weights), observation, legal)
        uniform = legal.float() / legal.sum(dim=1, keepdim=True)
        changes.append(float((log_probs.exp() - uniform).abs().max()))
    assert changes[1] < changes[0] / 3
