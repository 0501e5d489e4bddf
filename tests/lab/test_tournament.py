"""Tournaments: who meets whom, cross tables, and ratings checked by hand."""

import json
import math
import os
import signal

import numpy as np
import pytest

from hiddenhand.cli import main
from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError
from hiddenhand.lab.match import match
from hiddenhand.lab.match_runner import MatchRunner
from hiddenhand.lab.ratings import alpha_rank, nash_average, rate
from hiddenhand.lab.runner import Interrupted
from hiddenhand.lab.store import Store
from hiddenhand.lab.tournament import line_ups, tournament

ELO = 400 / math.log(10)


def test_two_agents_by_hand():
    ratings = rate(np.array([[0, 3], [1, 0]]), anchor=1)
    assert ratings.values == pytest.approx([400 * math.log10(3), 0.0])
    error = ELO / math.sqrt(4 * 0.75 * 0.25)  # the information of 4 games at 3 : 1
    assert ratings.margins == pytest.approx([1.959964 * error, 0.0], rel=1e-6)
    assert not ratings.prior


def test_the_mean_as_anchor_by_hand():
    ratings = rate(np.array([[0, 3], [1, 0]]))
    assert ratings.values == pytest.approx([200 * math.log10(3), -200 * math.log10(3)])
    assert ratings.margins[0] == pytest.approx(ratings.margins[1])
    assert ratings.margins[0] == pytest.approx(1.959964 * ELO / math.sqrt(0.75) / 2, rel=1e-6)


def test_three_agents_that_fit_the_model_exactly():
    # strengths 4 : 2 : 1 give 2 : 1, 4 : 1 and 2 : 1
    wins = np.array([[0, 20, 40], [10, 0, 20], [10, 10, 0]])
    ratings = rate(wins, anchor=2)
    assert ratings.values == pytest.approx([400 * math.log10(4), 400 * math.log10(2), 0.0])


def test_a_circle_is_a_draw():
    assert rate(np.array([[0, 5, 2], [2, 0, 5], [5, 2, 0]])).values == pytest.approx([0.0, 0.0, 0.0])


def test_an_agent_that_won_everything_gets_a_finite_rating():
    ratings = rate(np.array([[0, 10], [0, 0]]), anchor=1)
    assert ratings.prior
    assert ratings.values[0] == pytest.approx(400 * math.log10(10.5 / 0.5))


def test_one_way_chains_need_the_prior_too():
    # each of the first two beats the other, but neither ever loses to the third
    assert rate(np.array([[0, 3, 4], [3, 0, 4], [0, 0, 0]])).prior


ROCK_PAPER_SCISSORS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
DOMINANT = np.array([[0.0, 1.0, 2.0], [-1.0, 0.0, 5.0], [-2.0, -5.0, 0.0]])


def test_nash_averaging_by_hand():
    assert nash_average(ROCK_PAPER_SCISSORS).weights == pytest.approx([1 / 3] * 3)
    assert nash_average(DOMINANT).weights == pytest.approx([1.0, 0.0, 0.0])
    assert nash_average(DOMINANT).values == pytest.approx([0.0, -1.0, -2.0])
    assert nash_average(np.zeros((4, 4))).weights == pytest.approx([0.25] * 4)


def test_a_copy_shares_the_weight_of_its_original():
    """Of all equilibria the one of greatest entropy: copies are as good as each other, the others lose nothing."""
    twice = [0, 1, 1, 2]
    found = nash_average(ROCK_PAPER_SCISSORS[np.ix_(twice, twice)])
    assert found.weights == pytest.approx([1 / 3, 1 / 6, 1 / 6, 1 / 3], abs=1e-5)
    assert found.values == pytest.approx([0.0] * 4, abs=1e-5)


def test_the_weights_are_an_equilibrium_of_greatest_entropy():
    rng = np.random.default_rng(4)
    for size in (3, 5, 8, 12):
        noise = rng.normal(size=(size, size))
        advantages = (noise - noise.T) / 2
        assert max(nash_average(advantages).values) < 1e-9
        doubled = np.repeat(np.repeat(advantages, 2, axis=0), 2, axis=1)  # every agent twice: many equilibria
        pairs = np.reshape(nash_average(doubled).weights, (size, 2))
        assert pairs.sum(axis=1) == pytest.approx(nash_average(advantages).weights, abs=1e-4)
        assert pairs[:, 0] == pytest.approx(pairs[:, 1], abs=1e-3)


def test_alpha_rank_asks_open_spiel():
    pytest.importorskip("pyspiel")
    assert alpha_rank(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3)
    assert alpha_rank(DOMINANT) == pytest.approx([1.0, 0.0, 0.0])


def test_a_circle_is_shown(monkeypatch):
    result = tournament("tictactoe", ["random", "uct:simulations=2", "minimax:depth=1"], games=4)
    advantages = result.advantages()
    assert (advantages == -advantages.T).all()
    assert advantages[0, 2] == pytest.approx(result.cross(0, 2).mean)
    monkeypatch.setattr(result, "advantages", lambda: ROCK_PAPER_SCISSORS)
    assert "Nash: the weights" in str(result)
    assert str(result).count(" 0.333") == 3
    assert result.to_json()["agents"][1]["nash"] == pytest.approx(1 / 3)
    monkeypatch.setattr(result, "advantages", lambda: DOMINANT)
    assert "Nash" not in str(result)
    assert "nash" not in result.to_json()["agents"][0]


@pytest.mark.parametrize("scheme", ["", "sqlite:///"], ids=["Python", "SQLAlchemy"])
def test_a_tournament_is_one_entry_of_the_store(own_store, scheme, capsys):
    """With one more agent it shares its matches; a match of its own stands beside it."""
    own_store.parent.mkdir()
    plan = {"games": 4, "store": f"{scheme}{own_store}", "resume": True}
    tournament("tictactoe", ["random", "uct:simulations=2"], **plan)
    larger = tournament("tictactoe", ["random", "uct:simulations=2", "minimax:depth=1"], **plan)
    match("tictactoe", ["random", "random"], games=3, store=str(own_store), records=1)
    with Store(plan["store"]) as store:
        assert len(store.matches()) == 4
        first, second, alone = store.listing()
        rows = store.to_frame()
    assert [first["kind"], second["kind"], alone["kind"]] == ["tournament", "tournament", "match"]
    assert (first["done"], second["done"], second["wanted"]) == (4, 12, 12)
    assert second["agents"] == larger.agents
    assert [entry["agents"] for entry in second["matches"]] == [
        [larger.agents[i] for i in lineup] for lineup in larger.lineups
    ]
    assert first["matches"][0] in second["matches"]
    assert sorted(rows["tournament"].notna()) == [False, True, True, True, True]
    assert main(["records", "--store", str(own_store)]) == 0
    assert capsys.readouterr().out.count("tournament of") == 2
    assert main(["records", second["id"], "--store", str(own_store)]) == 0
    assert json.loads(capsys.readouterr().out) == second


def test_who_meets_whom(bids):
    two, three = resolver.game("tictactoe"), resolver.game(bids, players=3)
    assert line_ups(two, 3) == [(0, 1), (0, 2), (1, 2)]
    assert line_ups(three, 4) == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    assert line_ups(three, 2) == [(0, 0, 1), (0, 1, 1)]
    object.__setattr__(two, "utility", "cooperative")
    try:
        assert line_ups(two, 2) == [(0, 0), (0, 1), (1, 1)]
    finally:
        object.__setattr__(two, "utility", "zero-sum")


def test_a_two_player_tournament(bids):
    result = tournament(bids, ["low", "high", "random"], games=40, seed=2)
    prize = np.mean(result.matches[0].metrics[:, 0])
    assert result.cross(0, 1).mean == pytest.approx(5.0)
    assert result.cross(1, 0).mean == pytest.approx(5.0 + prize)
    document = result.to_json()
    json.dumps(document, allow_nan=False)
    assert document["played"] == 120
    assert document["cross"][0][0] is None
    assert document["cross"][0][1]["mean"] == pytest.approx(5.0)
    assert document["ratings"]["anchor"] == "random"
    ratings = {line["agent"]: line["rating"] for line in document["agents"]}
    assert ratings["random"] == 0.0
    text = str(result)
    assert "rating" in text
    assert text.count("random") >= 2


def test_line_ups_share_their_deals_so_more_of_them_are_not_more_evidence(bids):
    result = tournament(bids, ["low", "high", "random"], games=40)
    assert result.overall(1).interval == pytest.approx(result.cross(1, 0).interval)


def test_a_three_player_tournament_with_two_agents(bids):
    result = tournament(bids, ["low", "high"], games=6, players=3)
    assert result.lineups == [(0, 0, 1), (0, 1, 1)]
    assert result.cross(0, 1).mean == pytest.approx(10.0)
    assert result.cross(0, 0).mean == pytest.approx(10.0)
    assert result.wins()[1, 0] == result.wins().sum() - result.wins()[0, 1]


def test_cooperative_games_have_no_ratings(bids):
    game = resolver.game(bids)
    object.__setattr__(game, "utility", "cooperative")
    result = tournament(game, ["low", "high"], games=4)
    assert result.lineups == [(0, 0), (0, 1), (1, 1)]
    assert result.to_json()["ratings"] is None
    assert result.cross(0, 0).mean == pytest.approx(5.0)
    assert "rating" not in str(result)


def test_finished_pairs_are_not_played_again(own_store, bids, monkeypatch):
    first = tournament(bids, ["low", "high"], games=4, store=str(own_store))
    tournament(bids, ["low", "high", "random"], games=4, store=str(own_store), resume=True)
    monkeypatch.setattr(MatchRunner, "chunk", None)
    again = tournament(bids, ["low", "high"], games=4, store=str(own_store), resume=True)
    assert again.to_json() == first.to_json()
    tournament(bids, ["low", "high", "random"], games=4, store=str(own_store), resume=True)


def test_an_interrupted_tournament_goes_on(own_store, bids):
    agents = ["low", "high", "random"]
    whole = tournament(bids, agents, games=20)

    def press(done, wanted):
        assert wanted == 60
        if done > 20:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted, match="of 60 games done; the same command with --resume") as stop:
        tournament(bids, agents, games=20, store=str(own_store), progress=press)
    assert 20 < stop.value.result.played < 60
    assert str(stop.value.result)
    json.dumps(stop.value.result.to_json(), allow_nan=False)
    rest = tournament(bids, agents, games=20, store=str(own_store), resume=True)
    assert np.array_equal(rest.wins(), whole.wins())
    assert rest.to_json()["agents"] == whole.to_json()["agents"]


def test_two_processes_give_the_same_tournament(bids):
    agents = ["low", "high", "random"]
    one = tournament(bids, agents, games=20).to_json()
    two = tournament(bids, agents, games=20, workers=2).to_json()
    assert (one["agents"], one["cross"]) == (two["agents"], two["cross"])


def test_wrong_input_is_explained(bids):
    with pytest.raises(UserError, match="random was given twice"):
        tournament("tictactoe", ["random", "random"])
    with pytest.raises(UserError, match="needs at least 2 agents, but 1"):
        tournament("tictactoe", ["random"])
    with pytest.raises(UserError, match="games must be"):
        tournament(bids, ["low", "high"], games=0)
