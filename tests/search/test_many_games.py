"""Search in many games at once: worlds played again are the worlds, beliefs are better than none, and it helps."""

import os

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.errors import UserError
from hiddenhand.core.vector import as_tensor

if not os.environ.get("CI"):
    pytest.importorskip("torch")

import torch

from hiddenhand.search.many_games import Effort, ManyGames

GAMES, WORLDS = 96, 384


def searching(effort, caution, **options):
    """Games with a blueprint that makes some fixed use of all it sees; with caution it seldom plays a card."""
    game = hh.game("hanabi", players=2, **options)
    random = torch.Generator().manual_seed(1)
    mixing = torch.randn((game.encoded_length, game.action_count), generator=random)
    mixing[:, :5] -= caution

    def answer(observation, legal):
        chances = (observation.float() @ mixing).masked_fill(~legal, -1e9).log_softmax(dim=1)
        return chances, torch.zeros(len(chances))

    return ManyGames(game, answer, effort, 2048, "cpu")


def test_a_world_played_again_is_the_world_and_beliefs_agree_with_what_is_seen():
    many = searching(Effort(WORLDS, drawn=2 * WORLDS), caution=0.3, rules="strict")
    table = hh.VectorEnv(many.game, GAMES, 5)
    over = np.zeros(GAMES, bool)
    for _ in range(4):
        table.step(many.chances(table).argmax(dim=1).numpy())
        over |= table.done
    alive = ~over
    assert alive.sum() > GAMES / 2
    me, words = as_tensor(table.turn), as_tensor(table.words)
    env = hh.VectorEnv(many.game, GAMES * WORLDS)
    env.put(words.repeat_interleave(WORLDS, dim=0), 4)
    seen = env.observation.copy()
    anything = torch.full((GAMES * WORLDS,), -1)
    env.set_worlds(me.repeat_interleave(WORLDS), anything, many.seeds(GAMES * WORLDS))
    worlds = env.words.copy()
    assert (env.observation == seen).all()
    many.env, moves = env, env.rewind()
    going = np.repeat(alive, WORLDS)
    for k in range(4):
        env.step(many.numbers(torch.from_numpy(moves[:, k])).numpy())
    assert (env.words[going] == worlds[going]).all()

    believed = many.believe(words, me, 4)
    env.put(believed.flatten(0, 1), 4)
    assert (env.observation[going] == seen[going]).all()

    def loss(worlds):
        """How surprising the true cards of one's own hand are."""
        hands, seats = worlds.view(many.game.state)["hands"].reshape(GAMES, WORLDS, 5, 5), np.arange(GAMES)
        truth = words.numpy().view(many.game.state)["hands"].reshape(GAMES, 5, 5)[seats, me.numpy()]
        mine = hands[seats, :, me.numpy()]
        shares = ((mine == truth[:, None]).sum(axis=1) + 0.5) / (WORLDS + 1)
        return -np.log(shares[alive]).mean()

    assert loss(believed.flatten(0, 1).numpy()) < loss(worlds) - 0.04


def test_search_helps_and_is_repeatable():
    many = searching(Effort(16, exact=64, drawn=64, first=4), caution=0.0, bomb="piles")
    blueprint = many.play(6, 3, [[]])
    single, again = many.play(6, 3, [[0], [1]]), many.play(6, 3, [[0], [1]])
    joint = many.play(6, 3, [[0, 1]])
    assert blueprint.moves == 0
    assert 0 < single.changed < single.moves < joint.moves
    assert (single.payoffs == again.payoffs).all()
    assert single.payoffs.sum() >= blueprint.payoffs.sum()
    assert joint.payoffs.sum() > blueprint.payoffs.sum()
    many.effort = many.effort._replace(horizon=6)
    assert many.play(6, 3, [[0, 1]]).payoffs.sum() > blueprint.payoffs.sum()


def test_games_that_cannot_be_searched_so_are_refused():
    with pytest.raises(UserError, match="moves of chance, or no rule rewind"):
        ManyGames(hh.game("leduc"), lambda seen, legal: legal, Effort(), 64, "cpu")
    with pytest.raises(UserError, match="no rule rewind"):
        hh.VectorEnv("connect_four", 2).rewind()
