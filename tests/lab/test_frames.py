"""Results as data frames and Parquet files: every number is that of the result, every game that of its record."""

import sys

import numpy as np
import pytest

from hiddenhand.cli import main
from hiddenhand.core.errors import UserError
from hiddenhand.lab import compare_runs, frames
from hiddenhand.lab.line_chart import line_chart, ticks
from hiddenhand.lab.match import match
from hiddenhand.lab.tournament import tournament
from hiddenhand.lab.training import TrainingResult

pandas = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")

AGENTS = ["random", "uct:simulations=2"]


@pytest.mark.parametrize("seating", ["fixed", "rotate", "duplicate"])
def test_every_game_of_a_match_is_a_row_for_each_agent(seating):
    result = match("tictactoe", AGENTS, games=6, seating=seating, records=6, seed=4)
    rows = result.to_frame()
    assert len(rows) == 12
    for number, record in enumerate(result.records):
        seats = rows[rows["game"] == number].sort_values("seat")
        assert set(seats["seed"]) == {int(record["seed"])}
        assert list(seats["agent"]) == record["agents"]
        assert list(seats["payoff"]) == record["payoffs"]
        assert set(seats["moves"]) == {len(record["actions"])}
    assert list(rows.groupby("agent")["payoff"].mean()[AGENTS]) == pytest.approx(result.payoffs.mean(axis=0))


def test_a_command_writes_its_games(tmp_path, capsys):
    one, many = tmp_path / "match.parquet", tmp_path / "tournament.parquet"
    words = ["--games", "4", "--no-store", "--parquet"]
    assert main(["match", "tictactoe", *AGENTS, *words, str(one)]) == 0
    written = pandas.read_parquet(one)
    assert written.equals(match("tictactoe", AGENTS, games=4).to_frame())
    assert main(["tournament", "tictactoe", *AGENTS, "minimax:depth=1", *words, str(many)]) == 0
    assert sorted(pandas.read_parquet(many)["match"]) == [n for n in range(3) for _ in range(8)]
    assert main(["match", "tictactoe", *AGENTS, *words, str(tmp_path)]) == 2
    assert "it is a folder" in capsys.readouterr().err


def test_where_no_library_is_installed_it_is_said_before_the_work(tmp_path, monkeypatch, capsys):
    result = match("tictactoe", AGENTS, games=2)
    monkeypatch.setattr(frames, "find_spec", lambda library: None)
    with pytest.raises(UserError, match=r"needs pandas or Polars: pip install \"hiddenhand\[frames\]\""):
        result.to_frame()
    words = ["match", "tictactoe", *AGENTS, "--no-store", "--parquet", str(tmp_path / "games.parquet")]
    assert main(words) == 2
    assert "needs PyArrow or Polars" in capsys.readouterr().err


def test_polars_will_do(monkeypatch):
    class Polars:
        DataFrame = staticmethod(lambda columns: ("polars", columns))

    monkeypatch.setitem(sys.modules, "polars", Polars)
    monkeypatch.setattr(frames, "find_spec", lambda library: library == "polars" or None)
    kind, columns = match("tictactoe", AGENTS, games=2).to_frame()
    assert kind == "polars"
    assert len(columns["payoff"]) == 4


def test_a_tournament_is_a_row_for_each_agent():
    result = tournament("tictactoe", [*AGENTS, "minimax:depth=1"], games=8)
    rows = result.to_frame().set_index("agent")
    for number, agent in enumerate(result.agents):
        assert rows.loc[agent, "mean"] == result.overall(number).mean
        assert rows.loc[agent, "high"] == result.overall(number).high
    assert rows.loc["random", "rating"] == 0.0
    assert "<table>" in result._repr_html_()
    assert "tictactoe, 24 games" in repr(result)


def trained(curve, mean):
    return TrainingResult("kuhn", "ppo", 2, 100, 1.0, curve, 10, "random", mean, 1.0, [0.0, 0.0], "x.npz")


def test_runs_are_compared_point_by_point():
    slow = [trained([0.0, 0.1, 0.2], 0.2), trained([0.0, 0.3, 0.4], 0.4), trained([0.1, 0.2], 0.3)]
    fast = [trained([0.5, 0.6], 0.6), trained([0.7, 0.8], 0.8)]
    for run in (*slow, *fast):
        run.curve_ci95 = [[None, None] for _ in run.curve]
    found = compare_runs({"slow": slow, "fast": fast})
    assert found.headline() == "fast is the best: 0.700"
    first, second = found.progress_curves()
    assert [point.value for point in first.points] == pytest.approx([0.1 / 3, 0.2])
    assert [point.step for point in second.points] == [10, 20]
    assert all(point.low <= point.value <= point.high for point in (*first.points, *second.points))
    assert list(found.to_frame()["curve"]) == ["slow", "slow", "fast", "fast"]
    assert "interquartile mean" in str(found)
    assert found._repr_html_().count("<polyline") == 2
    with pytest.raises(UserError, match="one game"):
        compare_runs({"slow": slow, "none": []})


def test_the_numbers_of_an_axis_are_round():
    assert ticks(0.0, 1.0) == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert ticks(-3.0, 47.0) == [0.0, 10.0, 20.0, 30.0, 40.0]
    assert line_chart([]) == ""
    assert np.all(np.diff(ticks(0.123, 0.1234)) > 0)
