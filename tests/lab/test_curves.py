"""Curves: what they say is what the results say."""

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.lab.curves import MOST_POINTS, Curve, CurvePoint, SoFar, running_mean, thinned
from hiddenhand.lab.precalculating import PrecalculationPlan, precalculate
from hiddenhand.lab.runner import Running
from hiddenhand.lab.statistics import summarise
from hiddenhand.lab.tuning import tune
from lab_game import HIGHER


def test_the_running_mean_is_the_mean_of_the_first_observations():
    values = np.random.default_rng(1).normal(1e6, 3.0, 1000)
    points = running_mean(values, 2)
    assert len(points) == MOST_POINTS
    assert points[-1].step == 2000
    for step, value, low, high in points[:: MOST_POINTS // 10]:
        told = summarise(values[: int(step) // 2])
        assert (value, low, high) == pytest.approx((told.mean, told.low, told.high), abs=1e-6)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_few_observations(count):
    points = running_mean(np.arange(float(count)), 1)
    assert [point.step for point in points] == {0: [], 1: [1], 2: [2], 3: [2, 3]}[count]
    assert all((point.low is None) == (count == 1) for point in points)


def test_players_who_get_the_same_have_one_curve(bids):
    result = hh.match(bids, ["low", "low"], games=10)
    assert [curve.name for curve in result.progress_curves()] == ["0 low", "1 low"]
    result.payoffs = np.repeat(np.arange(10.0)[:, None], 2, axis=1)
    assert [curve.name for curve in result.progress_curves()] == ["everybody"]


def test_long_curves_are_thinned_evenly_and_end_where_they_end():
    points = [CurvePoint(step, 1.0) for step in range(10_000)]
    few = thinned(points)
    assert len(few) == MOST_POINTS
    assert (few[0], few[-1]) == (points[0], points[-1])
    told = Curve("a", "games", "mean", points).to_json()
    assert len(told["points"]) == MOST_POINTS
    assert told["points"][0] == [0, 1.0, None, None]


@pytest.mark.parametrize("duplicate", [False, True])
def test_the_course_of_a_match_ends_with_its_result(bids, duplicate):
    result = hh.match(bids, ["high", "slow:work=1"], games=80, seed=2, duplicate=duplicate)
    for index, curve in enumerate(result.progress_curves()):
        told = result.summary(index)
        assert curve.points[-1] == pytest.approx((80, told.mean, told.low, told.high))


def test_the_course_of_a_tournament_ends_with_its_result(bids):
    result = hh.tournament(bids, ["high", "low", "slow:work=1"], games=40, seed=2, players=2)
    for index, curve in enumerate(result.progress_curves()):
        told = result.overall(index)
        assert curve.points[-1][1:] == pytest.approx((told.mean, told.low, told.high))
    assert len(result.progress_curves()) == 3


def test_unfinished_work_is_watched(tmp_path, monkeypatch):
    """Whoever watches is shown curves that grow, and never what is not finished as a result."""
    monkeypatch.setattr("hiddenhand.lab.runner.WATCH_EVERY", -1.0)
    seen = []
    running = Running(watch=seen.append, output=str(tmp_path / "known.svarog"))
    result = precalculate.run(PrecalculationPlan("tiger", 2, 3), running)
    assert all(isinstance(each, SoFar) for each in seen)
    assert result.progress_curves()[0].points[-1].value == result.beliefs == sum(result.sizes)


def test_a_search_shows_what_it_tried(tmp_path, monkeypatch):
    monkeypatch.setattr("hiddenhand.lab.runner.WATCH_EVERY", -1.0)
    seen = []
    game = tmp_path / "higher.py"
    game.write_text(HIGHER)
    found = tune(str(game), "bold", evaluations=5, games=10, output=tmp_path / "tuned.json", watch=seen.append)
    tried, best = found.progress_curves()
    assert [point.value for point in best.points] == list(np.maximum.accumulate([p.value for p in tried.points]))
    assert all(point.low <= point.value <= point.high for point in tried.points)
    lengths = [len(each.progress_curves()[0].points) for each in seen]
    assert lengths[:5] == [1, 2, 3, 4, 5]
    assert str(seen[0]) == "evaluated so far: 1 points"
