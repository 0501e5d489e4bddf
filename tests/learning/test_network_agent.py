"""A network at the table: the same numbers as NumPy's matrices, files that say what they are for, and refusals."""

import json
import struct

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import encoded, encoding_of
from hiddenhand.core.resolver import text_of
from hiddenhand.learning.network import layers_of, new_network, pass_forward, read_network, write_network
from hiddenhand.learning.network_agent import Network, about_game, groups_of, network
from hiddenhand.search.solving.asking import strategy_of_agents, view_at
from hiddenhand.search.solving.strategy import sequence_form


def written(path, game, sizes=(16,), bits=16, seed=1, **changed):
    """A file with a network that has learned nothing."""
    weights = new_network([encoding_of(game).length, *sizes, game.rules.action_count + 1], seed)
    write_network(path, weights, {**about_game(game), **changed}, bits)
    return path


def decisions(game, seed=3, games=2):
    """Views of movers in random games."""
    mover = hh.agent(game, "random")
    for number in range(games):
        table = game.deal(seed + number)
        while not table.over:
            yield table.view()
            table.play(table.ask(mover).action)


def test_it_plays_what_the_matrices_say(tmp_path):
    game = hh.game("leduc")
    agent = hh.agent(game, f"network:file={written(tmp_path / 'net.npz', game)},temperature=0")
    layers = layers_of(read_network(tmp_path / "net.npz")[0])
    for view in decisions(game):
        outputs = pass_forward(layers, encoded(game, view.record, view.seat).astype(np.float32)[None])[-1][0]
        numbers = [outputs[game.rules.relative(view.record, a, view.seat)] for a in view.legal_actions()]
        chances = np.exp(numbers) / np.exp(numbers).sum()
        decision = agent.explain(view)
        assert decision.action == agent.decide(view).action == view.legal_actions()[int(np.argmax(numbers))]
        if len(view.legal_actions()) > 1:
            assert [each.chance for each in decision.alternatives] == pytest.approx(chances.tolist(), abs=1e-5)
            assert all(each.value is None for each in decision.alternatives)
            assert decision.value == pytest.approx(float(outputs[-1]))
            assert f"expects {outputs[-1]:+.2f}" in decision.reasons[0]


def test_a_temperature_draws_as_often_as_it_says(tmp_path):
    game = hh.game("leduc")
    file = written(tmp_path / "net.npz", game, temperature=1.0)
    agent = hh.agent(game, f"network:file={file}")
    assert agent.parameters.temperature == 1.0
    view = next(view for view in decisions(game) if len(view.legal_actions()) == 3)
    expected = [each.chance for each in agent.explain(view).alternatives]
    count, policy = np.zeros(3), agent.policy.rule
    rng = np.array([5], np.uint64)
    actions = np.array(view.legal_actions())
    memory = np.zeros(1, agent.policy.memory)[0]
    for _ in range(4000):
        drawn = policy(view.record, view.seat, actions, memory, agent.parameters, rng)
        count[view.legal_actions().index(drawn)] += 1
    assert count / 4000 == pytest.approx(expected, abs=0.04)  # five standard deviations
    told = agent.explain(view)
    assert "drawn by these chances" in told.reasons[0]
    best = max(told.alternatives, key=lambda each: each.chance)
    if told.action == best.action:
        assert told.reasons[1].startswith("Next comes ")
    else:
        assert told.reasons[1] == f'It is not the likeliest: "{best.text}" has {best.chance:.0%}.'
    assert f"{best.chance:6.1%} likely" in str(told)


@pytest.mark.parametrize("temperature", [0.0, 1.0, 2.5])
def test_it_answers_in_all_views_at_once_as_in_each(temperature):
    game = hh.game("kuhn")
    agent = Network(game, new_network([encoding_of(game).length, 8, game.rules.action_count + 1], 4))
    agent.parameters.temperature = temperature
    form = sequence_form(game)
    policy = strategy_of_agents(form, [agent, agent]).policy
    for info in range(form.infos):
        assert policy[form.slots(info)] == pytest.approx(agent.probabilities(view_at(form, info, 0)))


def test_what_it_looks_at_is_named():
    """Blotting out a group changes what is said only by those inputs."""
    kuhn, blind = hh.game("kuhn"), hh.game("blind_tictactoe")
    assert {name: list(places) for name, places in groups_of(kuhn).items()} == {
        "my card": [0, 1, 2],
        "the moves so far": [3, 4, 5, 6, 7, 8],
    }
    assert {name: list(places) for name, places in groups_of(blind).items()} == {
        "mine": [0],
        "found": [1],
        "named": [2, 3, 4, 5, 6, 7, 8, 9, 10],
        "names": [11],
        "mover": [12],
        "moves": [13],
        "winner": [14],
    }
    weights = new_network([9, 4], 0)
    matrix, bias = layers_of(weights)[0]
    matrix[:], bias[:] = 0.0, 0.0
    matrix[0, 1] = 5.0  # with a jack it bets
    agent = Network(kuhn, weights)
    table = next(t for t in map(kuhn.deal, range(50)) if t.view().record.card == 0)
    told = agent.explain(table.view())
    assert told.text == "bet"
    assert any(reason.startswith("It hangs on my card: with that blotted out, I would") for reason in told.reasons)
    assert not any("moves so far" in reason for reason in told.reasons)


@pytest.mark.parametrize("bits", [8, 16])
def test_a_file_gives_the_network_back(bits, tmp_path):
    weights = new_network([40, 30, 7], 2)
    write_network(tmp_path / "net.npz", weights, {"game": "x"}, bits)
    again, about = read_network(tmp_path / "net.npz")
    assert about == {"game": "x"}
    for (matrix, bias), (kept, kept_bias) in zip(layers_of(weights), layers_of(again)):
        most = np.maximum(np.abs(matrix).max(axis=0), np.abs(bias))
        off = most / 126 if bits == 8 else np.abs(matrix) * 2.0**-11 + 1e-6
        assert (np.abs(matrix - kept) <= off * 1.001).all()
        assert (np.abs(bias - kept_bias) <= most / 126).all()


def test_a_safetensors_file_is_as_its_format_says(tmp_path):
    """Read by the letter of the format, matrices as PyTorch has them; and by us, as the .npz file is."""
    weights, about = new_network([5, 4, 3], 2), {"game": "x", "moves": 7}
    for name in ("net.npz", "net.safetensors"):
        write_network(tmp_path / name, weights, about)
    whole = (tmp_path / "net.safetensors").read_bytes()
    (length,) = struct.unpack("<Q", whole[:8])
    assert length % 8 == 0
    header, arrays = json.loads(whole[8 : 8 + length]), whole[8 + length :]
    assert all(isinstance(value, str) for value in header.pop("__metadata__").values())
    assert [header[name]["shape"] for name in ("0.weight", "0.bias", "1.weight", "1.bias")] == [
        [4, 5],
        [4],
        [3, 4],
        [3],
    ]
    ends = sorted(entry["data_offsets"] for entry in header.values())
    assert [0, *(end for _, end in ends)] == [*(start for start, _ in ends), len(arrays)]
    start, end = header["1.weight"]["data_offsets"]
    matrix = np.frombuffer(arrays[start:end], "<f2").reshape(3, 4)
    np.testing.assert_array_equal(matrix.T, layers_of(weights)[1][0].astype(np.float16))
    again, told = read_network(tmp_path / "net.safetensors")
    np.testing.assert_array_equal(again, read_network(tmp_path / "net.npz")[0])
    assert told == about
    with pytest.raises(UserError, match="16 bits a weight, not 8"):
        write_network(tmp_path / "net.safetensors", weights, about, bits=8)
    for damaged in (whole[:40], whole[:-2], b"", whole.replace(b"F16", b"I16"), whole.replace(b"[4, 5]", b"[5, 4]")):
        (tmp_path / "bad.safetensors").write_bytes(damaged)
        with pytest.raises(UserError, match=r"no \.safetensors file of a network"):
            read_network(tmp_path / "bad.safetensors")


def test_refusals(tmp_path):
    kuhn, hanabi = hh.game("kuhn"), hh.game("hanabi")

    def refused(game, file):
        with pytest.raises(UserError) as error:
            hh.agent(game, f"network:file={file}")
        return str(error.value)

    file = written(tmp_path / "kuhn.npz", kuhn)
    assert refused(hanabi, file) == "kuhn.npz is a network for kuhn, not for hanabi"
    assert "version 7 of kuhn" in refused(kuhn, written(tmp_path / "old.npz", kuhn, version=7))
    two = written(tmp_path / "two.npz", hanabi)
    assert refused(hanabi.with_options({"players": 3}), two) == "two.npz was trained for 2 players, not for 3"
    assert "trained with bomb=piles" in refused(hanabi.with_options({"bomb": "zero"}), two)
    write_network(tmp_path / "bad.npz", new_network([5, 4], 0), about_game(kuhn))
    assert "reads 5 numbers and has 4 answers" in refused(kuhn, tmp_path / "bad.npz")
    np.savez(tmp_path / "cut.npz", sizes=np.array([9, 4]), weights=np.zeros(3, np.float16))
    assert "is no network" in refused(kuhn, tmp_path / "cut.npz")
    (tmp_path / "text.npz").write_text("hello")
    assert "no .npz file" in refused(kuhn, tmp_path / "text.npz")
    with pytest.raises(UserError, match="needs to be told its file"):
        hh.agent(kuhn, "network")
    assert "network" not in hh.agents("kuhn")
    agent = hh.agent(kuhn, f"network:file={file}")
    assert text_of(agent) == f"network:file={file}"
    assert network.function.__name__ == agent.policy.name
