"""Means, intervals and histograms against values worked out by hand or found in tables."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.special import stdtrit
from scipy.stats import binomtest, trim_mean

from hiddenhand.lab.statistics import (
    FAILS,
    HOLDS,
    NORMAL,
    NOT_SHOWN,
    aggregated,
    ahead,
    histogram,
    interquartile_mean,
    student,
    summarise,
    verdict,
    wider,
    wilson,
)
from hiddenhand.studies.snaps.losses import share

pytestmark = pytest.mark.fast


def test_student_agrees_with_scipy():
    freedoms = np.r_[1:2000, 10_000, 10**6]
    assert [student(int(n)) for n in freedoms] == pytest.approx(stdtrit(freedoms, 0.975), abs=1e-7)


def test_many_observations_are_normal():
    assert student(10**9) == pytest.approx(NORMAL, abs=1e-8)


def test_the_interval_of_a_share_is_wilsons():
    low, high = wilson(0.5, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    for games in (1, 4, 17, 604):
        for wins in {0, 1, games // 2, games}:
            theirs = binomtest(wins, games).proportion_ci(0.95, method="wilson")
            assert wilson(wins / games, games) == pytest.approx([theirs.low, theirs.high], abs=1e-12)
    assert wilson(0.0, 0) == [0.0, 1.0]
    assert share(0, 4) == "0.0 % (0.0 to 49.0) of 4"


def test_a_statement_holds_only_by_its_intervals():
    rng = np.random.default_rng(3)
    deals = rng.normal(size=400)
    assert verdict([ahead(deals + 0.1, deals), ahead(deals + 1.0, deals)]) == HOLDS
    assert verdict([ahead(deals + 0.1, deals), ahead(deals - 0.1, deals)]) == FAILS
    assert verdict([ahead(deals + 0.1, deals), ahead(rng.normal(size=400), deals)]) == NOT_SHOWN
    assert verdict([ahead(deals[:1], deals[:1])]) == NOT_SHOWN
    assert verdict([wider(2.0 * deals, deals)]) == HOLDS
    assert verdict([wider(1.02 * rng.normal(size=400), deals)]) == NOT_SHOWN
    covered = sum(
        low <= np.log(2.0) <= high
        for low, high in (wider(rng.exponential(2.0, 300), rng.exponential(1.0, 300)) for _ in range(400))
    )
    assert 0.9 < covered / 400 < 0.99


def test_a_small_sample_by_hand():
    summary = summarise(np.array([1.0, 2.0, 3.0, 6.0]))
    assert summary.mean == 3.0
    assert summary.sd == pytest.approx(math.sqrt(14 / 3))
    half = 3.182446 * math.sqrt(14 / 3) / 2
    assert summary.interval == pytest.approx([3.0 - half, 3.0 + half], abs=1e-5)


def test_games_that_share_a_deal_are_one_observation():
    values = np.array([5.0, -5.0, 6.0, -4.0])
    summary = summarise(values, values.reshape(2, 2).mean(axis=1))
    assert summary.mean == 0.5
    half = 12.706205 * math.sqrt(0.5) / math.sqrt(2)
    assert summary.interval == pytest.approx([0.5 - half, 0.5 + half], abs=1e-5)


def test_one_observation_has_no_interval():
    summary = summarise(np.array([2.0]))
    assert (summary.mean, summary.sd, summary.interval) == (2.0, None, [None, None])
    assert summarise(np.zeros(0)).count == 0


def test_the_interval_covers_the_truth_as_often_as_it_says():
    draws = np.random.default_rng(1).exponential(size=(2000, 100))
    covered = sum(s.low <= 1.0 <= s.high for s in map(summarise, draws))
    assert 0.92 < covered / 2000 < 0.97


def test_histogram_of_few_values_has_a_line_for_each():
    text = histogram([np.array([1.0, 1.0, -1.0, 0.0]), np.array([-1.0, -1.0, 1.0, 0.0])], ["one", "two"])
    lines = text.splitlines()
    assert lines[0].split() == ["payoff", "one", "two"]
    assert [line.split()[:2] for line in lines[1:]] == [["-1", "25.0%"], ["0", "25.0%"], ["1", "50.0%"]]
    assert lines[3].count("#") > lines[2].count("#") > 0


def test_histogram_of_many_values_has_bins():
    lines = histogram([np.arange(100.0)], ["one"]).splitlines()
    assert len(lines) == 13
    assert lines[1].split()[0] == "0"


def test_the_interquartile_mean_is_scipys():
    rng = np.random.default_rng(5)
    for size in (1, 3, 4, 5, 8, 33):
        values = rng.normal(size=(size, 2))
        assert interquartile_mean(values) == pytest.approx(trim_mean(values, 0.25, axis=0))


def test_the_stratified_bootstrap_is_that_of_all_samples():
    """Two tasks of four runs: all 4**4 * 4**4 ways to draw the runs of each task anew, one by one."""
    scores = np.random.default_rng(1).normal(size=(4, 2)) + [0.0, 3.0]
    ways = list(product(range(4), repeat=4))
    first, second = ([list(scores[list(way), task]) for way in ways] for task in (0, 1))
    everything = [trim_mean(one + other, 0.25) for one in first for other in second]
    found = aggregated(scores, repetitions=20_000)
    assert found.value == pytest.approx(trim_mean(scores, 0.25, axis=None))
    assert [found.low, found.high] == pytest.approx(np.percentile(everything, [2.5, 97.5]), abs=0.05)
    points = np.stack([scores, 2.0 * scores], axis=2)  # a curve of two points
    both = aggregated(points)
    assert both.high == pytest.approx([both.high[0], 2.0 * both.high[0]])
