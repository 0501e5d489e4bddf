"""Mixed teams: what the thesis found in its chapter 6 holds for our agents, with intervals."""

import numpy as np

import hiddenhand as hh


def scores(team, games):
    names = team.split()
    return hh.match("hanabi", names, games=games, seed=9, players=len(names)).payoffs[:, 0]


def mean_interval(values):
    half = 1.96 * values.std(ddof=1) / np.sqrt(len(values))
    return values.mean() - half, values.mean() + half


def spread_interval(values):
    """A 95 % interval for the standard deviation, from the fourth moment."""
    centred = values - values.mean()
    variance = (centred**2).mean()
    half = 1.96 * np.sqrt(((centred**4).mean() - variance**2) / len(values))
    return np.sqrt(variance - half), np.sqrt(variance + half)


def test_distrust_and_chance_are_steadier_together_than_trust_and_distrust():
    """Nobody's convention can be broken where there is none."""
    steady = spread_interval(scores("distrustful stopped_clock", 40_000))
    unsteady = spread_interval(scores("trustful distrustful", 40_000))
    assert steady[1] < unsteady[0]


def test_one_stopped_clock_ruins_a_team_of_trustful_players():
    alone = mean_interval(scores("trustful trustful trustful", 500))
    ruined = mean_interval(scores("trustful trustful stopped_clock", 500))
    assert ruined[1] < alone[0] - 5.0


def test_neighbours_matter_in_fours():
    side_by_side = mean_interval(scores("trustful trustful distrustful distrustful", 4000))
    alternating = mean_interval(scores("trustful distrustful trustful distrustful", 4000))
    assert alternating[1] < side_by_side[0]
