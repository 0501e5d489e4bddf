"""Matches: the same results however they are played, and results checked by hand."""

import json
import os
import signal

import numpy as np
import pytest

from hiddenhand.cli import main
from hiddenhand.core import resolver
from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Decision
from hiddenhand.core.errors import UserError
from hiddenhand.core.record import read_record
from hiddenhand.kernel import game_seed
from hiddenhand.lab import match_work
from hiddenhand.lab.match import match
from hiddenhand.lab.match_runner import MatchRunner
from hiddenhand.lab.runner import Interrupted

MODES = [{}, {"rotate": True}, {"duplicate": True}]


class Delegate(Agent):
    """A Python agent that plays what a compiled one would play, so the Python loop is used."""

    name = "delegate"

    def __init__(self, game, text):
        super().__init__(game)
        self.inner = resolver.agent(game, text)
        self.cheats = self.inner.cheats

    def decide(self, view):
        return self.inner.decide(view)


class Stubborn(Agent):
    """Plays action 99, come what may."""

    name = "stubborn"

    def decide(self, view):
        return Decision(99)


def without_times(result):
    document = result.to_json()
    return {name: document[name] for name in document if name not in ("seconds", "games_per_second")}


def same_results(left, right):
    return (
        np.array_equal(left.payoffs, right.payoffs)
        and np.array_equal(left.moves, right.moves)
        and np.array_equal(left.metrics, right.metrics)
    )


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("name", ["tictactoe", "connect_four", "reversi"])
def test_compiled_and_python_loops_play_the_same_games(name, mode):
    game = resolver.game(name)
    fast = match(name, ["random", "random"], games=12, seed=3, **mode)
    slow = match(name, [Delegate(game, "random"), "random"], games=12, seed=3, **mode)
    assert same_results(fast, slow)


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_cheats_and_memories_are_the_same_in_both_loops(bids, mode):
    game = resolver.game(bids, players=3)
    texts = ["cheat", "random", "slow:work=5"]
    fast = match(game, texts, games=30, seed=5, **mode)
    slow = match(game, [Delegate(game, text) for text in texts], games=30, seed=5, **mode)
    assert MatchRunner(game, [resolver.agent(game, text) for text in texts], 5).compiled
    assert same_results(fast, slow)
    assert len(set(fast.payoffs[:, 0])) > 2


def prizes(bids, seed, count, shared=1):
    """The prizes of the deals, read from the table."""
    game = resolver.game(bids)
    return [int(game.deal(int(game_seed(np.uint64(seed), n // shared))).state.prize) for n in range(count)]


def test_fixed_seats_by_hand(bids):
    result = match(bids, ["low", "high"], games=4, seed=8)
    expected = [[0.0, 10.0 + prize] for prize in prizes(bids, 8, 4)]
    assert result.payoffs.tolist() == expected
    assert result.metrics[:, 0].tolist() == prizes(bids, 8, 4)
    document = result.to_json()
    assert [seat["seat"] for seat in document["seats"]] == [0, 1]
    assert document["seats"][1]["wins"] == 4
    assert document["seats"][0]["losses"] == 4
    assert document["metrics"]["prize"]["mean"] == pytest.approx(np.mean(prizes(bids, 8, 4)))


def test_rotate_by_hand(bids):
    result = match(bids, ["low", "high"], games=4, seed=8, rotate=True)
    p = prizes(bids, 8, 4)
    assert result.payoffs.tolist() == [[0.0, 10 + p[0]], [10.0, p[1]], [0.0, 10 + p[2]], [10.0, p[3]]]
    assert [seat["seat"] for seat in result.to_json()["seats"]] == [None, None]


def test_duplicate_by_hand(bids):
    result = match(bids, ["low", "high", "low"], games=7, seed=8, duplicate=True, players=3)
    assert result.games == 9, "rounded up to whole deals"
    p = prizes(bids, 8, 9, shared=3)
    assert p[0] == p[1] == p[2]
    # game by game, agent 0 sits at seat 0, 1, 2; agent 1 at 1, 2, 0; agent 2 at 2, 0, 1
    expected = [row for d in range(0, 9, 3) for row in ([0, 10 + p[d], 20], [10, 20 + p[d], 0], [20, p[d], 10])]
    assert result.payoffs.tolist() == expected
    deals = np.array(p[::3]) + 10.0
    half = 4.302653 * np.std(deals, ddof=1) / np.sqrt(3)
    assert result.summary(1).interval == pytest.approx([deals.mean() - half, deals.mean() + half], abs=1e-4)


def test_wins_ties_and_losses():
    seats = match("tictactoe", ["random", "random"], games=300, seed=1).to_json()["seats"]
    assert seats[0]["wins"] == seats[1]["losses"] > 0
    assert seats[0]["ties"] == seats[1]["ties"] > 0
    assert seats[0]["wins"] + seats[0]["ties"] + seats[0]["losses"] == 300


def test_where_nobody_is_played_against_the_best_score_is_printed(bids):
    result = match(bids, ["high", "low"], games=50, seed=3)
    assert "wins" in result.table()[0]
    object.__setattr__(result.game, "utility", "cooperative")
    head, first, second = result.table()
    assert head.split()[-1] == "best"
    assert (first.split()[-1], second.split()[-1]) == (f"{result.payoffs[:, 0].max():+g}", "+10")
    assert result.payoffs[:, 0].max() > 0
    assert "best" in match("tiger", ["random"], games=3).table()[0]
    assert list(result.to_json()["seats"][0])[-3:] == ["wins", "ties", "losses"], "the JSON stays"


def test_cooperative_games_count_full_scores_as_wins(bids):
    result = match(bids, ["low", "high"], games=1)
    object.__setattr__(result.game, "utility", "cooperative")
    result.payoffs = np.array([[35.0, 35.0], [3.0, 3.0], [0.0, 0.0], [35.0, 35.0]])
    result.moves = np.zeros(4, np.int64)
    result.numbers = np.arange(4)
    assert [counts.tolist() for counts in result.outcomes()] == [[2, 2], [1, 1], [1, 1]]


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_two_processes_give_the_same_json(bids, mode):
    options = {"games": 200, "seed": 4, "records": 2, **mode}
    one = match(bids, ["random", "slow:work=50000"], **options)
    two = match(bids, ["random", "slow:work=50000"], workers=2, **options)
    assert without_times(one) == without_times(two)
    assert one.records == two.records


def test_a_dask_cluster_gives_the_same_json():
    pytest.importorskip("distributed")
    one = match("connect_four", ["random", "random"], games=5000, seed=4, duplicate=True)
    two = match("connect_four", ["random", "random"], games=5000, seed=4, duplicate=True, cluster="local", workers=2)
    assert without_times(one) == without_times(two)


def test_chunk_sizes_do_not_matter(monkeypatch):
    whole = match("tictactoe", ["random", "random"], games=500, seed=2, duplicate=True)
    monkeypatch.setattr(match_work, "AIM", 1e-9)
    assert same_results(whole, match("tictactoe", ["random", "random"], games=500, seed=2, duplicate=True))


def test_a_drawn_seed_is_told_and_gives_the_same_match_again(capsys):
    """Nobody can find it by trying, and whoever reads the result can play the match again."""
    drawn, other = (printed(capsys, "draw") for _ in range(2))
    assert min(drawn["seed"], other["seed"]) > 2**32
    assert drawn["seed"] != other["seed"]
    again = printed(capsys, str(drawn["seed"]))
    timed = ("seconds", "games_per_second")
    assert [drawn[key] for key in drawn if key not in timed] == [again[key] for key in drawn if key not in timed]


def printed(capsys, seed):
    words = ["match", "kuhn", "random", "random", "--games", "40", "--no-store", "--json", "--seed", seed]
    assert main(words) == 0, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)


def test_other_seeds_are_other_matches():
    results = [match("tictactoe", ["random", "random"], games=50, seed=seed).payoffs for seed in (0, 1, 2**64 - 1)]
    assert not np.array_equal(results[0], results[1])
    assert not np.array_equal(results[0], results[2])


@pytest.mark.parametrize("python", [False, True])
def test_records_replay_to_the_payoffs_of_the_match(bids, python):
    game = resolver.game(bids)
    first = Delegate(game, "random") if python else "random"
    result = match(game, [first, "high"], games=6, records=4, rotate=True)
    assert len(result.records) == 4
    for number, document in enumerate(result.records):
        record = read_record(json.loads(json.dumps(document)))
        payoffs = record.replay().payoffs()
        assert payoffs == result.payoffs[number].tolist()[:: 1 if number % 2 == 0 else -1]
        assert (record.agents[0] == "high") == (number % 2 == 1)


def test_the_contract_of_the_json():
    document = match("tictactoe", ["random", "random"], games=10).to_json()
    assert list(document) == [
        "game", "version", "options", "games", "seed", "seating", "opening", "seconds", "games_per_second",
        "seats", "moves", "metrics",
    ]  # fmt: skip
    assert list(document["seats"][0]) == ["seat", "agent", "mean", "sd", "ci95", "wins", "ties", "losses"]
    assert set(document["moves"]) == {"mean", "sd"}
    json.dumps(document, allow_nan=False)


def test_the_table_for_people():
    text = str(match("tictactoe", ["random", "random"], games=100))
    assert "95 % interval" in text
    assert "wins" in text
    assert "payoff" in text


def test_one_game_has_no_spread():
    seat = match("tictactoe", ["random", "random"], games=1).to_json()["seats"][0]
    assert (seat["sd"], seat["ci95"]) == (None, [None, None])
    assert "tictactoe" in str(match("tictactoe", ["random", "random"], games=1)).lower().replace("-", "")


@pytest.mark.parametrize(
    ("game", "agents", "options", "message"),
    [
        ("connect_four", ["random"] * 3, {}, "connect_four has 2 seats, but 3 agents were given"),
        ("tictactoe", ["random"], {}, "tictactoe has 2 seats, but 1 agent was given"),
        ("tictactoe", ["random"] * 2, {"games": 0}, "games must be a whole number from 1 to"),
        ("tictactoe", ["random"] * 2, {"seed": -1}, "seed must be a whole number from 0 to"),
        ("tictactoe", ["random"] * 2, {"workers": 0}, "workers must be a whole number from 1 to"),
        ("tictactoe", ["random"] * 2, {"records": -1}, "records must be a whole number from 0 to"),
        ("tictactoe", ["random"] * 2, {"rotate": True, "duplicate": True}, "exclude each other"),
        ("tictactoe", ["random"] * 2, {"resume": True}, "resume needs a store"),
        ("tictactoe", ["random"] * 2, {"size": 4}, "tictactoe has no option 'size'"),
        ("tictactoe", ["random", "rendom"], {}, "did you mean random?"),
        ("tictacto", ["random"] * 2, {}, "did you mean tictactoe?"),
    ],
)
def test_wrong_input_is_explained(game, agents, options, message):
    with pytest.raises(UserError, match=message.replace("?", r"\?")):
        match(game, agents, **options)


def test_agents_that_no_text_tells_stay_in_this_process(own_store):
    agents = [Delegate(resolver.game("tictactoe"), "random"), "random"]
    for options in ({"workers": 2}, {"store": str(own_store)}):
        with pytest.raises(UserError, match=r"another process cannot make .*Delegate again"):
            match("tictactoe", agents, **options)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_illegal_action_is_reported(bids, workers):
    with pytest.raises(UserError, match=r"wrong chose the illegal action 7 in game \d of bids \(seat 1\)"):
        match(bids, ["low", "wrong"], games=10, workers=workers)


def test_what_is_no_number_is_said_in_one_line():
    with pytest.raises(UserError, match=r"games must be a whole number from 1 to [\d,]+, not 'ten'"):
        match("tictactoe", ["random", "random"], games="ten")


def test_an_illegal_action_is_reported_at_the_python_table_too():
    with pytest.raises(UserError, match="Stubborn chose the illegal action 99 in game 0 of tictactoe"):
        match("tictactoe", [Stubborn(resolver.game("tictactoe")), "random"])


@pytest.mark.parametrize("python", [False, True])
def test_a_game_that_is_too_long_is_reported(bids, python):
    game = resolver.game(bids, players=3)
    object.__setattr__(game, "longest", 2)
    agents = [Delegate(game, "low") if python else "low"] * 3
    players = MatchRunner(game, [resolver.agent(game, a) if isinstance(a, str) else a for a in agents], 0)
    with pytest.raises(UserError, match=r"game 0 of bids is longer than it declares \(2 plies\)"):
        players.chunk(0, 3)


def test_a_missing_cluster_is_reported():
    pytest.importorskip("distributed")
    with pytest.raises(UserError, match="there is no Dask cluster at nonsense"):
        match("tictactoe", ["random", "random"], cluster="nonsense")


def test_dask_left_out_is_explained(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(UserError, match=r"hiddenhand\[cluster\]"):
        match("tictactoe", ["random", "random"], cluster="local")


def test_ctrl_c_keeps_what_is_finished(monkeypatch):
    monkeypatch.setattr(match_work, "AIM", 1e-9)
    whole = match("tictactoe", ["random", "random"], games=100)

    def press(done, wanted):
        if done == 7:
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(Interrupted) as stop:
        match("tictactoe", ["random", "random"], games=100, progress=press)
    assert signal.getsignal(signal.SIGINT) is before
    assert stop.value.message == "7 of 100 games done"
    assert stop.value.result.payoffs.tolist() == whole.payoffs[:7].tolist()
    assert not stop.value.result.finished


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_ctrl_c_before_the_first_game(mode):
    def press(done, wanted):
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted, match="0 of 100 games done") as stop:
        match("tictactoe", ["random", "random"], games=100, progress=press, **mode)
    assert stop.value.result.to_json()["seats"][0]["mean"] is None
    assert "0 games" in str(stop.value.result)


def test_openings_are_drawn_and_shared_by_all_seatings():
    """Deterministic agents play different games from different openings; both loops draw the same ones."""
    modes = {"games": 40, "seed": 3, "opening": 3, "duplicate": True, "records": 40}
    starts = [
        tuple(r["actions"][:3]) for r in match("tictactoe", ["alphabeta", "alphabeta:depth=1"], **modes).records
    ]
    assert starts[0::2] == starts[1::2]
    assert len(set(starts)) > 10
    assert [tuple(r["actions"][:3]) for r in match("tictactoe", ["random", "random"], **modes).records] == starts


def test_openings_are_the_same_in_both_loops():
    game = resolver.game("connect_four")
    compiled = match(game, ["random", "random"], games=30, seed=8, opening=4)
    plain = match(game, [Delegate(game, "random"), "random"], games=30, seed=8, opening=4)
    assert (compiled.payoffs == plain.payoffs).all()
