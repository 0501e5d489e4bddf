"""The network of backgammon: its slopes, the turns it looks at, how it learns, and who plays by it."""

import numpy as np
import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.core.resolver import agent, game
from hiddenhand.games.backgammon.learning import TDLearner, add_gradient
from hiddenhand.games.backgammon.network import INPUTS, best_turn, chance_of, new_paths, write_inputs
from hiddenhand.lab.match import match

HIDDEN = 3


def some_network(seed=1, hidden=HIDDEN):
    return np.random.default_rng(seed).normal(0.0, 0.5, (INPUTS + 2) * hidden + 1).astype(np.float32)


def positions(count):
    """From random games: states in which the dice have just been thrown."""
    of = game("backgammon")
    mover = agent(of, "random")
    for seed in range(count):
        table = of.deal(seed)
        for _ in range(5 + 7 * (seed % 9)):
            if not table.over:
                table.play(table.ask(mover).action)
        if not table.over:
            yield table


def test_a_position_has_tesauros_inputs():
    out = np.zeros(INPUTS, np.float32)
    write_inputs(game("backgammon").deal(1).state, 0, out)
    mine = {24: (1, 1, 0, 0), 13: (1, 1, 1, 1), 8: (1, 1, 1, 0), 6: (1, 1, 1, 1)}
    for side in range(2):
        for point in range(1, 25):
            at = 98 * side + 4 * (point - 1)
            assert tuple(out[at : at + 4]) == mine.get(point, (0, 0, 0, 0))
        assert out[98 * side + 96] == out[98 * side + 97] == 0.0


def answer_of(network, inputs):
    """The network by the textbook."""
    first, own = network[: INPUTS * HIDDEN].reshape(INPUTS, HIDDEN), network[INPUTS * HIDDEN :][:HIDDEN]
    hidden = 1.0 / (1.0 + np.exp(-(inputs @ first + own)))
    return 1.0 / (1.0 + np.exp(-(hidden @ network[-HIDDEN - 1 : -1] + network[-1])))


def test_the_slope_is_that_of_the_chance():
    """By differences, in double precision."""
    network, paths = some_network(), new_paths(HIDDEN)
    state = next(positions(1)).state
    trace = np.ones_like(network)
    chance = chance_of(network, state, 0, paths)
    inputs = paths.inputs.astype(np.float64)
    assert chance == pytest.approx(answer_of(network.astype(np.float64), inputs), abs=1e-6)
    add_gradient(network, trace, paths, chance, np.float32(0.5))
    for i in np.random.default_rng(2).integers(len(network), size=200):
        moved = [network.astype(np.float64) for _ in range(2)]
        moved[0][i] += 1e-5
        moved[1][i] -= 1e-5
        high, low = (answer_of(each, inputs) for each in moved)
        assert trace[i] == pytest.approx(-0.5 + (high - low) / 2e-5, abs=1e-4)


def test_equal_dice_need_one_order_only():
    network, paths = some_network(), new_paths(HIDDEN)
    doubles = 0
    for table in positions(60):
        if table.state.dice[0] == table.state.dice[1]:
            doubles += 1
        one, every = (best_turn(table.state, network, paths, order) for order in (False, True))
        assert one == every
        assert max(paths.worth[: len(table.legal_actions())]) == one
    assert doubles > 5


def test_it_says_what_it_plays():
    of = game("backgammon")
    player = agent(of, "td")
    for table in positions(10):
        told = table.ask(player, explain=True)
        assert told.action == table.ask(player).action
        assert told.value == pytest.approx(max(each.value for each in told.alternatives))
        assert "of the games" in told.reasons[0]


def test_it_has_learned():
    """Forty games: a player that moves at random wins none of them, or nearly."""
    assert match("backgammon", ["td", "random"], games=40, seed=1, duplicate=True).payoffs[:, 0].mean() > 0.85


def test_learning_goes_on_where_it_stopped():
    whole, first, second = (TDLearner(game("backgammon"), 3, 40, hidden=HIDDEN) for _ in range(3))
    before = whole.network.copy()
    whole.learn(20)
    whole.learn(20)
    first.learn(20)
    second.restore({name: np.array(value) for name, value in first.snapshot().items()})
    second.learn(20)
    assert np.array_equal(whole.network, second.network)
    assert not np.array_equal(whole.network, before)


def test_a_search_judges_by_it(tmp_path):
    of = game("backgammon")
    player = agent(of, "expectiminimax:depth=1,network=ours")
    table = next(positions(1))
    told = table.ask(player, explain=True)
    values = np.zeros(2)
    state = table.state.copy()
    of.rules.play(state, told.action, np.zeros(1, np.uint64))
    of.rules.judge(state, player.weights, values)
    assert told.value == pytest.approx(values[table.turn])
    assert values.sum() == 0.0
    np.savez(tmp_path / "bad.npz", network=np.zeros(7, np.float32))
    with pytest.raises(UserError, match="is no network for backgammon"):
        agent(of, f"td:file={tmp_path / 'bad.npz'}")


def test_settings_are_found_by_their_names_of_before():
    before = TDLearner(game("backgammon"), 3, 40, hidden=10, rate=0.2, decay=0.5)
    now = TDLearner(game("backgammon"), 3, 40, hidden_units=10, learning_rate=0.2, trace_decay=0.5)
    assert (before.learning_rate, before.trace_decay) == (now.learning_rate, now.trace_decay) == (0.2, 0.5)
    assert np.array_equal(before.network, now.network)
