"""EVAL as a weighted sum: other weights, files of them, and learning them by temporal differences."""

import json

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.errors import UserError
from hiddenhand.core.features import Features, read_weights, write_weights
from hiddenhand.lab.tuning import tune
from hiddenhand.learning.eval_weights import EvalLearner

GAMES = ["connect_four", "reversi", "checkers", "backgammon"]


def positions(name, count=40):
    """From random games."""
    game, found = hh.game(name), []
    mover = hh.agent(game, "random")
    for seed in range(4):
        table = game.deal(seed)
        while not table.over and len(found) < count * (seed + 1) // 4:
            found.append(table.state.copy())
            table.play(table.ask(mover).action)
    return game, found


@pytest.mark.parametrize("name", GAMES)
def test_eval_is_the_weighted_sum(name):
    game, states = positions(name)
    weights, scale = game.extra(Features).weights, game.extra(Features).scale
    for state in states:
        found, out = np.zeros(len(weights)), np.zeros(2)
        game.rules.features(state, found)
        game.rules.evaluate(state, out)
        total = float(weights @ found)
        assert out[0] == pytest.approx(total / (abs(total) + scale))
        assert out[1] == -out[0]


def exchanged(name, state):
    """The same position with the sides exchanged."""
    other = state.copy()
    if name == "backgammon":
        other.checkers[:] = state.checkers[::-1]
        return other
    for field in ("men", "kings") if name == "checkers" else ("discs",):
        for seat in range(2):
            mask = int(getattr(state, field)[1 - seat])
            turned = int(f"{mask:032b}"[::-1], 2) if name == "checkers" else mask
            getattr(other, field)[seat] = turned
    return other


@pytest.mark.parametrize("name", GAMES)
def test_features_favour_nobody(name):
    """With the sides exchanged every feature changes its sign, but for the rows where somebody can wait."""
    game, states = positions(name)
    for state in states:
        here, there = np.zeros((2, len(game.extra(Features).each)))
        game.rules.features(state, here)
        game.rules.features(exchanged(name, state), there)
        for feature, mine, theirs in zip(game.extra(Features).names, here, there):
            assert feature == "kept_threats" or mine == -theirs


def test_a_search_can_be_given_other_weights():
    game = hh.game("connect_four")
    table = game.deal()
    for move in "4 4 3".split():
        table.play(move)
    usual = hh.agent(game, "alphabeta:depth=1,quiescence=0")
    same = hh.agent(game, "alphabeta:depth=1,quiescence=0,threats=10,middle=1")
    other = hh.agent(game, "alphabeta:depth=1,quiescence=0,threats=10,middle=-1")
    assert table.ask(usual).text == table.ask(same).text == "4"
    assert table.ask(other).text == "1"
    assert str(other) == "alphabeta:depth=1,quiescence=0,middle=-1.0"
    for player in (usual, other):
        explained = table.ask(player, explain=True)
        assert max(a.value for a in explained.alternatives) == pytest.approx(explained.value)


def test_weights_from_a_file(tmp_path):
    game, path = hh.game("connect_four"), tmp_path / "mine.json"
    write_weights(path, game, {"threats": 3.0, "middle": 2.0})
    agent = hh.agent(game, f"alphabeta:weights={path},middle=5")
    assert agent.weights.tolist() == [3.0, 0.0, 5.0]
    for text, told in [
        ("{", "it is not JSON"),
        ("[]", 'has no "weights" by feature'),
        (json.dumps({"game": "reversi", "weights": {}}), "has weights for reversi, not for connect_four"),
        (json.dumps({"game": "connect_four", "weights": {"luck": 1}}), "has a weight for luck; the features of"),
    ]:
        path.write_text(text)
        with pytest.raises(UserError, match=told):
            read_weights(path, game)


def test_learning_goes_on_where_it_stopped():
    game = hh.game("connect_four")
    whole, first, second = (EvalLearner(game, 3, 2000) for _ in range(3))
    whole.learn(1000)
    whole.learn(1000)
    first.learn(1000)
    second.restore({name: np.array(value) for name, value in first.snapshot().items()})
    second.learn(1000)
    assert whole.named() == second.named()


def test_learned_weights_make_sense():
    """From nothing, in a second: what completes four is good, and so is what can be waited for."""
    learner = EvalLearner(hh.game("connect_four"), 1, 40_000)
    while learner.done < learner.wanted:
        learner.learn(5000)
    assert all(weight > 0.5 for weight in learner.named().values())
    ships, learned = (line.split()[-1] for line in learner.remarks()[-2:])
    assert float(learned) > float(ships) + 0.02  # how EVAL goes with the result, before and after
    corners = EvalLearner(hh.game("reversi"), 1, 5000)
    corners.learn(5000)
    assert max(corners.named(), key=corners.named().get) == "corners"
    assert corners.named()["gifts"] < 0.0


def test_who_has_no_features_cannot_learn_so():
    with pytest.raises(UserError, match="tictactoe has no features of which its EVAL is made"):
        EvalLearner(hh.game("tictactoe"), 1, 1000)


def test_a_search_is_tuned_against_itself_as_it_was(tmp_path):
    path = tmp_path / "tuned.json"
    found = tune("connect_four", "alphabeta:depth=1", evaluations=3, games=4, output=path)
    assert found.before == 0.0  # every deal in both seatings
    assert found.text.startswith("alphabeta:depth=1")
    assert set(read_weights(path, hh.game("connect_four"))) == {"threats", "kept_threats", "middle"}
    with pytest.raises(UserError, match="random has no parameters that could be tuned"):
        tune("connect_four", "random", evaluations=3, games=4, output=path)
