"""Agents for hidden information are better than chance, and sound where the equilibrium is known."""

import pytest

import hiddenhand as hh


@pytest.mark.parametrize(
    ("game", "agent", "games", "options"),
    [
        ("blind_tictactoe", "pimc:worlds=30", 30, {}),
        ("blind_tictactoe", "ismcts:simulations=400", 100, {}),
        ("battleship", "pimc:worlds=20", 12, {"size": 6, "ships": 2}),
        ("battleship", "ismcts:simulations=400", 20, {"size": 6, "ships": 2}),
        ("leduc", "pimc:worlds=30", 200, {}),
        ("leduc", "ismcts:simulations=400", 400, {}),
    ],
)
def test_beats_random(game, agent, games, options):
    """The whole 95 % interval lies above zero, on deals that both have played from both seats."""
    match = hh.match(game, [agent, "random"], games=games, seed=5, duplicate=True, **options)
    best = match.to_json()["seats"][0]
    assert best["ci95"][0] > 0.0


def test_ismcts_holds_its_own_against_the_equilibrium_of_kuhn():
    """Against the equilibrium nobody wins; a player that avoids blunders loses next to nothing."""
    result = hh.match("kuhn", ["ismcts:simulations=1000", "cfr"], games=4000, seed=2, duplicate=True)
    assert result.to_json()["seats"][0]["mean"] > -0.05
