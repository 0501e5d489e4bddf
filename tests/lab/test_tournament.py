"""Tournaments: who meets whom, cross tables, and ratings checked by hand."""

import json
import math
import os
import signal

import numpy as np
import pytest

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError
from hiddenhand.lab.match_runner import MatchRunner
from hiddenhand.lab.ratings import rate
from hiddenhand.lab.runner import Interrupted
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
