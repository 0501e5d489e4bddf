"""Many games in lockstep: the games of a match, move by move."""

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core import vector
from hiddenhand.core.game import encoded
from hiddenhand.kernel import game_seed, new_records

SEED = 11


def any_legal(env, rng):
    """One legal number for each game, all equally likely."""
    return (rng.random(env.legal.shape) * env.legal).argmax(axis=1)


def relative(table, action):
    return int(table.game.rules.relative(table.view().record, action, table.turn))


def value(table):
    out = np.zeros(table.game.players)
    table.game.rules.evaluate(table.state, out)
    return out


def dealt(game, number):
    return hh.Table(game, int(game_seed(np.uint64(SEED), number)))


@pytest.mark.parametrize(("name", "options"), [("leduc", {}), ("connect_four", {}), ("hanabi", {"players": 3})])
def test_every_game_is_the_one_of_the_match_move_by_move(name, options):
    game, rng = hh.game(name, **options), np.random.default_rng(3)
    env = hh.VectorEnv(game, 3, seed=SEED)
    tables = [dealt(game, number) for number in range(3)]
    for _ in range(2 * game.longest):
        chosen = any_legal(env, rng)
        for i, table in enumerate(tables):
            known = {relative(table, action): action for action in table.legal_actions()}
            assert env.turn[i] == table.turn
            assert np.flatnonzero(env.legal[i]).tolist() == sorted(known)
            expected = encoded(game, table.view().record, table.turn)
            assert np.array_equal(env.observation[i], expected.astype(np.float32))
        before = [value(table) for table in tables]
        for i, table in enumerate(tables):
            table.play(next(action for action in table.legal_actions() if relative(table, action) == chosen[i]))
        env.step(chosen)
        for i, table in enumerate(tables):
            assert env.done[i] == table.over
            assert env.rewards[i].tolist() == (table.payoffs() if table.over else [0.0] * game.players)
            assert np.allclose(env.gains[i], value(table) - before[i], atol=1e-6)
            if table.over:
                tables[i] = dealt(game, env.numbers[i])
    assert (env.numbers > 2).all()
    assert (env.numbers % 3 == range(3)).all()


def test_a_saved_environment_goes_on_as_it_would_have_and_threads_change_nothing(monkeypatch):
    monkeypatch.setattr(vector, "FEWEST_EACH", 4)
    one, two = (hh.VectorEnv("leduc", 10, seed=SEED, threads=threads) for threads in (1, 2))
    assert [len(env._holder.stretches) for env in (one, two)] == [1, 2]
    rng = np.random.default_rng(1)
    for step in range(60):
        chosen = any_legal(one, rng)
        one.step(chosen)
        two.step(chosen)
        if step == 30:
            saved = one.save()
            rest = []
        elif step > 30:
            rest.append((chosen, one.observation.copy(), one.rewards.copy(), one.legal.copy()))
        assert all(np.array_equal(one.save()[name], two.save()[name]) for name in one.save())
    again = hh.VectorEnv("leduc", 10, seed=0)
    observation = again.observation
    again.restore(saved)
    for chosen, seen, rewards, legal in rest:
        again.step(chosen)
        assert np.array_equal(again.observation, seen)
        assert np.array_equal(again.rewards, rewards)
        assert np.array_equal(again.legal, legal)
    assert again.observation is observation


def test_mistakes_are_named_and_change_nothing():
    env = hh.VectorEnv("connect_four", 2)
    before = env.save()
    with pytest.raises(hh.IllegalAction, match=r"9 is not legal for seat 0 in place 1 .*; legal: 0, 1"):
        env.step(np.array([0, 9]))
    with pytest.raises(hh.UserError, match="a step takes 2 actions"):
        env.step(np.array([0]))
    assert all(np.array_equal(env.save()[name], before[name]) for name in before)
    with pytest.raises(hh.UserError, match="is not 2 games of connect_four"):
        env.restore({**before, "states": new_records(env.game.rules.state, 3)})
    for wrong in ({"n": 0}, {"n": 1, "seed": -1}, {"n": 1, "threads": 0}, {"n": 1, "device": "abacus"}):
        with pytest.raises(hh.UserError):
            hh.VectorEnv("connect_four", **wrong)
