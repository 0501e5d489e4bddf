"""Deep Monte Carlo: it learns what actions bring, by known payoffs; what is stopped goes on the same."""

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.errors import UserError
from hiddenhand.lab.training import train
from hiddenhand.learning.monte_carlo import DeepMonteCarlo

PASS, BET = 0, 1
SMALL = {"width": 16, "layers": 1, "trial_games": 100}


def test_it_learns_what_actions_bring(tmp_path):
    """Whoever was bet into with the king wins 2 by a call, with the jack loses 2; a fold loses 1."""
    game = hh.game("kuhn")
    result = train(
        game,
        "dmc",
        games=300_000,
        settings=SMALL | {"learning_rate": 3e-3, "epsilon": 0.3},
        output=tmp_path / "net.npz",
    )
    assert len(result.exploitability) == len(result.curve) == 10
    agent = hh.agent(game, f"network:file={tmp_path / 'net.npz'}")
    seen = set()
    for seed in range(20):
        table = game.deal(seed)
        table.play(BET)
        view = table.view()
        card = int(view.record.card)
        told = agent.explain(view)
        values = {each.action: each.value for each in told.alternatives}
        assert values[PASS] == pytest.approx(-1.0, abs=0.2)
        if card != 1:
            assert values[BET] == pytest.approx(2.0 if card == 2 else -2.0, abs=0.2)
            assert told.action == (BET if card == 2 else PASS)
            assert f"I expect a payoff of {told.value:+.2f}" in told.reasons[0]
            assert told.value == max(values.values())
        assert sorted(agent.probabilities(view)) == [0.0, 1.0]
        seen.add(card)
    assert seen == {0, 1, 2}


def test_what_is_stopped_goes_on_as_if_it_had_not_been():
    whole, first, second = (DeepMonteCarlo(hh.game("kuhn"), 3, 2000, **SMALL) for _ in range(3))
    whole.learn(1000)
    whole.learn(1000)
    first.learn(1000)
    second.restore(first.snapshot())
    second.learn(1000)
    np.testing.assert_array_equal(whole.network(), second.network())


def test_more_games_than_there_is_room_for_are_played_in_parts():
    learner = DeepMonteCarlo(hh.game("kuhn"), 1, 100, **SMALL)
    whole = learner.play(learner.player_now(), 0, 40)[1]
    inputs, targets = whole.inputs.copy(), whole.targets.copy()
    learner.samples = type(whole)(*(part[: hh.game("kuhn").longest * 4] for part in learner.samples))
    first, parts = 0, []
    while first < 40:
        scores, some = learner.play(learner.player_now(), first, 40 - first)
        assert 1 <= len(scores) < 40
        assert set(np.abs(scores)) <= {1.0, 2.0}
        first += len(scores)
        parts.append((some.inputs.copy(), some.targets.copy()))
    np.testing.assert_array_equal(np.concatenate([part[0] for part in parts]), inputs)
    np.testing.assert_array_equal(np.concatenate([part[1] for part in parts]), targets)


def test_refusals():
    with pytest.raises(UserError, match="dmc needs the rule encode"):
        DeepMonteCarlo(hh.game("blind_tictactoe"), 1, 100)
    with pytest.raises(UserError, match="did you mean epsilon"):
        DeepMonteCarlo(hh.game("kuhn"), 1, 100, epsilo=1)
