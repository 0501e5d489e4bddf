"""Search in many games at once: worlds played again are the worlds, beliefs are better than none, and it helps."""

import os

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import encoding_of
from hiddenhand.core.record import read_record
from hiddenhand.core.vector import as_tensor

if not os.environ.get("CI"):
    pytest.importorskip("torch")

import torch

from hiddenhand.gpu import search_match
from hiddenhand.gpu.search_match import SearchMatchRunner
from hiddenhand.lab import match_plan
from hiddenhand.learning.network import new_network, write_network
from hiddenhand.learning.network_agent import about_game
from hiddenhand.search.many_games import LEAST, Effort, ManyGames, Reading, effort_of

GAMES, WORLDS = 96, 384


def searching(effort, caution, **options):
    """Games with a blueprint that makes some fixed use of all it sees; with caution it seldom plays a card."""
    game = hh.game("hanabi", players=2, **options)
    random = torch.Generator().manual_seed(1)
    mixing = torch.randn((encoding_of(game).length, game.rules.action_count), generator=random)
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
    moves = env.rewind()
    going = np.repeat(alive, WORLDS)
    for k in range(4):
        env.step(many.numbers(env, torch.from_numpy(moves[:, k])).numpy())
    assert (env.words[going] == worlds[going]).all()

    believed = many.believe(words, me, 4)
    env.put(believed.flatten(0, 1), 4)
    assert (env.observation[going] == seen[going]).all()

    def loss(worlds):
        """How surprising the true cards of one's own hand are."""
        hands, seats = worlds.view(many.game.rules.state)["hands"].reshape(GAMES, WORLDS, 5, 5), np.arange(GAMES)
        truth = words.numpy().view(many.game.rules.state)["hands"].reshape(GAMES, 5, 5)[seats, me.numpy()]
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


def test_one_who_searches_is_read_by_what_a_glance_says():
    many = searching(Effort(16, exact=64, drawn=64, first=4), caution=0.0, bomb="piles")
    reading = Reading("cpu")
    played = many.play(8, 3, [[0], [1]], learning=reading)
    assert (reading.moves, reading.moves - reading.kept) == (played.moves, played.changed)
    assert reading.made.sum() == played.changed
    shares = reading.made / reading.seen.clamp(min=1)
    assert (
        shares[-1].mean() > shares[0].mean()
    )  # what seems much better is made more often than what seems much worse

    table = hh.VectorEnv(many.game, GAMES, 5)
    moves = []
    for ply in range(3):
        chances = many.chances(table)
        own = chances.argmax(dim=1).numpy()
        any_move = np.where(np.arange(GAMES) % 3 > 0, own, table.legal.argmax(axis=1))
        gains = many.glance(as_tensor(table.words).clone(), ply, torch.from_numpy(any_move), torch.from_numpy(own))
        assert (gains[any_move == own] == 0).all()
        others = reading.of_another(gains, chances[range(GAMES), any_move])
        moves.append(np.where(own == any_move, reading.of_the_blueprint(), others))
        table.step(any_move)
    many.reading = reading
    env = hh.VectorEnv(many.game, GAMES)
    env.put(table.words, 3)
    words, seats = table.words.copy(), as_tensor(table.turn).clone()
    going = ~table.done
    found = many.likelihood(env, torch.arange(GAMES), seats, 3)
    expected = sum(np.log(np.maximum(fit, LEAST)) for fit in moves[::2])  # the others moved first and third
    assert np.allclose(found[going], expected[going], atol=1e-5)
    assert (env.words == words)[going].all()  # a glance has not disturbed the game played again
    assert len(set(np.round(found[going].numpy(), 4))) > 3
    joint = [many.play(6, 3, [[0, 1]]) for _ in range(2)]
    assert (joint[0].payoffs == joint[1].payoffs).all()


def test_games_that_cannot_be_searched_so_are_refused():
    with pytest.raises(UserError, match="moves of chance, or no rule rewind"):
        ManyGames(hh.game("leduc"), lambda seen, legal: legal, Effort(), 64, "cpu")
    with pytest.raises(UserError, match="no rule rewind"):
        hh.VectorEnv("connect_four", 2).rewind()


@pytest.fixture(scope="module")
def network_file(tmp_path_factory):
    """A small network that prefers some moves, in a file for Hanabi of two."""
    game = hh.game("hanabi", players=2, bomb="piles")
    network = new_network([encoding_of(game).length, 16, game.rules.action_count + 1], 4)
    path = tmp_path_factory.mktemp("networks") / "small.npz"
    write_network(path, network, {**about_game(game), "shaped": True, "temperature": 0.0})
    return path


EFFORT = "playouts=400,exact=64,worlds=64,bound=0.2,mistakes=0.01,cut=6"


class OnCpu(SearchMatchRunner):
    device = "cpu"
    places = 2048
    learnt_from = 6


def runner(agents, seating="fixed", records=0):
    game = hh.game("hanabi", players=2, bomb="piles")
    chosen = [hh.agent(game, agent) for agent in agents]
    return OnCpu(game, chosen, 3, seating, records)


@pytest.mark.parametrize("who", ["single", "joint"])
def test_a_match_of_searching_agents_is_played_in_lockstep(who, network_file, monkeypatch):
    """The very payoffs of the search itself, from the same seeds; and games that can be watched."""
    monkeypatch.setattr(search_match, "BLOCK", 6)
    search, network = f"search:blueprint=(network:file={network_file}),{EFFORT}", f"network:file={network_file}"
    match = runner(
        [search, network if who == "single" else search], seating="rotate" if who == "single" else "fixed", records=2
    )
    match.warm_up()
    chunks = [match.chunk(0, 4), match.chunk(4, 2)]

    agent = match.agents[0]
    expected = ManyGames(match.game, search_match.answer_of(agent, "cpu"), effort_of(agent), 2048, "cpu")
    if who == "joint":
        reading = Reading("cpu")
        expected.play(6, 3 + search_match.LEARNING, [[0], [1]], learning=reading)
        expected.reading = reading
    found = expected.play(6, 3, [[0], [1]] if who == "single" else [[0, 1]])
    payoffs = np.concatenate([chunk.payoffs for chunk in chunks])
    assert (payoffs == found.payoffs).all()
    assert found.changed > 0
    assert [len(record["actions"]) for record in chunks[0].records.values()] == list(chunks[0].moves[:2])


def test_later_blocks_and_shared_deals_have_the_deals_of_the_match(network_file, monkeypatch):
    monkeypatch.setattr(search_match, "BLOCK", 4)
    search, network = f"search:blueprint=(network:file={network_file}),{EFFORT}", f"network:file={network_file}"
    alone, shared = runner([search, network], "rotate"), runner([search, network], "duplicate")
    late = alone.chunk(5, 1)
    assert (late.payoffs == alone.chunk(4, 4).payoffs[1]).all()
    tables = [shared.play_game(number) for number in (2, 3)]
    assert tables[0].seed == tables[1].seed == alone.deal(1).seed


def test_match_says_device_and_the_runner_is_found(network_file, monkeypatch):
    """Through the plan of a match, with the processor in the place of a card."""
    monkeypatch.setattr(search_match, "BLOCK", 3)
    monkeypatch.setattr(match_plan, "from_device", lambda device, name: lambda agents: OnCpu)
    search, network = f"search:blueprint=(network:file={network_file}),{EFFORT}", f"network:file={network_file}"
    for agents in ([search, network], [search, search]):
        result = hh.match("hanabi", agents, games=3, seed=3, device="cuda", records=1, players=2, bomb="piles")
        assert len(result.payoffs) == 3
        assert read_record(result.records[0]).replay().payoffs() == result.payoffs[0].tolist()


def test_an_agents_settings_say_how_hard_many_games_are_searched(network_file):
    game = hh.game("hanabi", players=2, bomb="piles")
    agent = hh.agent(game, f"search:blueprint=(network:file={network_file}),playouts=7296,worlds=8192,least=0.08")
    effort = effort_of(agent)
    assert (effort.worlds, effort.first, effort.drawn, effort.exact) == (1024, 128, 8192, 10_000)
    assert (effort.horizon, effort.glance, effort.least, effort.mistakes) == (agent.horizon, 4, 0.08, 0.001)
    assert effort.bound == pytest.approx(2.393, abs=0.001)  # 1 for one rival, spread over nineteen


@pytest.mark.parametrize(
    ("agents", "why"),
    [
        (["search:blueprint=(network:file={file})", "random"], "must be the blueprint"),
        (["search:blueprint=(network:file={file})", "search:blueprint=random"], "must search alike"),
        (["search:blueprint=random", "random"], "needs a network as its blueprint"),
        (["search:blueprint=(network:file={file}),steps=2", "network:file={file}"], "leave out steps"),
    ],
)
def test_what_cannot_be_searched_in_lockstep_is_refused(agents, why, network_file):
    with pytest.raises(UserError, match=why):
        runner([agent.format(file=network_file) for agent in agents]).warm_up()
