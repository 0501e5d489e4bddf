"""Gymnasium and PettingZoo: their own checks, and the same games as at our tables."""

import os
import warnings

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import encoded, encoding_of

if not os.environ.get("CI"):
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from hiddenhand.bridges import gymnasium as seats
from hiddenhand.bridges import pettingzoo as zoo

GAMES = ["kuhn", "leduc", "tictactoe"]
EXPECTED = (
    "Observation is not a NumPy array",  # it is a dictionary with a mask
    "Observation space for each agent probably should be",
    "Not able to test alternative render modes",
    "Action mask numpy array is all zeros",  # of somebody whose game is over
    "Observation numpy array is all zeros",  # an empty board
)


@pytest.fixture(autouse=True)
def _only_expected_warnings():
    """Warnings are errors, but for these, which are how the environments are meant."""
    with warnings.catch_warnings():
        for text in EXPECTED:
            warnings.filterwarnings("ignore", f".*{text}")
        yield


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_has_no_complaint(game):
    check_env(seats.make(game, seat=None, render_mode="ansi"))


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_has_no_complaint(game, capsys):
    api_test(zoo.env(game, render_mode="ansi"), num_cycles=30)
    seed_test(lambda: zoo.env(game), num_cycles=30)
    parallel_api_test(zoo.parallel_env(game), num_cycles=30)
    parallel_seed_test(lambda: zoo.parallel_env(game), num_cycles=30)


def test_more_than_two_seats(bids, capsys):
    api_test(zoo.env(bids, players=4), num_cycles=10)
    env = seats.make(bids, ["low", "high", "low"], seat=1)
    env.reset(seed=1)
    *_, reward, over, _, info = env.step(2)
    assert over
    assert info["payoffs"][3] == 30.0  # bids nothing, and the last seat has the largest bonus
    assert info["payoffs"][2] - 20 == reward - 10 > 0  # both bid 2 and get the prize


def test_the_same_game_as_at_a_table():
    env = zoo.env("leduc")
    env.reset(seed=5)
    table = hh.game("leduc").deal(env.unwrapped.table.seed)
    while not table.over:
        observation, reward, over, _, _ = env.last()
        assert env.agent_selection == f"seat_{table.turn}"
        assert not over
        assert reward == 0.0
        assert np.flatnonzero(observation["action_mask"]).tolist() == table.legal_actions()
        assert observation["observation"].tolist() == encoded(table.game, table.view().record, table.turn).tolist()
        action = table.legal_actions()[-1]
        table.play(action)
        env.step(action)
    got = {}
    for agent in env.agent_iter():
        _, got[agent], over, _, _ = env.last()
        assert over
        env.step(None)
    assert list(got.values()) == table.payoffs()


def test_a_seed_gives_the_same_games_again():
    def games(seed):
        env = seats.make("leduc", ["random"], seat=None)
        told = []
        for number in range(4):
            seen, info = env.reset(seed=seed if number == 0 else None)
            told.append((seen.tolist(), info["seat"]))
        return told

    assert games(3) == games(3)
    assert games(3) != games(4)
    assert len({str(game) for game in games(3)}) > 1


def test_an_illegal_move_loses():
    env = seats.make("kuhn")
    env.reset(seed=0)
    _, reward, over, _, info = env.step(2)
    assert (reward, over) == (-2.0, True)
    assert "is not legal here" in info["given_up"]
    with pytest.raises(UserError, match="the game is over: reset"):
        env.step(0)
    env = zoo.env("tictactoe")
    env.reset(seed=0)
    env.step(4)
    env.step(4)
    assert env.rewards == {"seat_0": 1.0, "seat_1": -1.0}


def test_many_at_once():
    many = gymnasium.make_vec("hiddenhand/leduc", num_envs=3, opponents=["random"])
    seen, info = many.reset(seed=2)
    assert seen.shape == (3, encoding_of(hh.game("leduc")).length)
    for _ in range(20):
        actions = [int(np.flatnonzero(mask)[0]) if mask.any() else 0 for mask in info["action_mask"]]
        _, rewards, *_, info = many.step(actions)
        assert (np.abs(rewards) <= 13).all()
    assert seats.make_vec("kuhn", 2).reset(seed=1)[0].shape == (2, encoding_of(hh.game("kuhn")).length)


def test_mistakes_are_said_in_one_line():
    with pytest.raises(UserError, match="goofspiel has 1 other seats, but 2 opponents were given"):
        seats.make("goofspiel", ["random", "random"])
    with pytest.raises(UserError, match="kuhn has seats 0 to 1, not 2"):
        seats.make("kuhn", seat=2)
    with pytest.raises(UserError, match="render_mode is ansi or human, not rgb_array"):
        zoo.env("kuhn", render_mode="rgb_array")


def test_masks_for_those_who_ask_by_a_method():
    env = seats.make("leduc")
    _, info = env.reset(seed=3)
    assert env.action_masks().dtype == bool
    assert env.action_masks().tolist() == info["action_mask"].astype(bool).tolist()
    turns = zoo.env("leduc").unwrapped
    turns.reset(seed=3)
    assert np.flatnonzero(turns.action_masks()).tolist() == turns.table.legal_actions()


def test_a_step_is_a_whole_round_where_players_move_at_the_same_time():
    parallel_api_test(zoo.parallel_env("goofspiel"), num_cycles=30)
    env = zoo.parallel_env("goofspiel", cards=4)
    seen, _ = env.reset(seed=1)
    assert [seen[agent]["action_mask"].sum() for agent in env.agents] == [4, 4]
    seen, *_ = env.step({"seat_0": 3, "seat_1": 0})
    assert env.table.history_names == ["4", "1"]
    assert [seen[agent]["action_mask"].tolist()[:4] for agent in env.agents] == [[1, 1, 1, 0], [0, 1, 1, 1]]
    seen, rewards, over, *_ = env.step({"seat_0": 3, "seat_1": 1})  # seat 0 does not hold that card any more
    assert over == {"seat_0": True, "seat_1": True}
    assert rewards == {"seat_0": -1.0, "seat_1": 1.0}
