"""OpenSpiel's games at our tables: they keep the contract, and what cannot is refused."""

import os
import subprocess
import sys

import pytest

import hiddenhand as hh
from hiddenhand.core.errors import UserError
from hiddenhand.core.files import AnyFile
from hiddenhand.core.resolver import Resolver

if not os.environ.get("CI"):
    pytest.importorskip("pyspiel")
import pyspiel

UNCOMPILED = """
import hiddenhand as hh
from hiddenhand.testing import CHECKS, check_nothing_kept

for name in ("tic_tac_toe", "kuhn_poker", "leduc_poker"):
    game = hh.game(f"open_spiel:{name}")
    for check in CHECKS:
        if not (game.hidden and check is check_nothing_kept):  # moves are open, but stand in the view as text
            check(game)
table = hh.game("open_spiel:tic_tac_toe").deal()
for action in (0, 3, 1, 4):
    table.play(action)
assert table.ask(hh.agent(table.game, "alphabeta:depth=1")).action == 2  # wins
"""


def test_they_keep_our_contract_and_our_searches_play_them_uncompiled():
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", UNCOMPILED], env=plain, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_same_games_as_in_openspiel():
    table = hh.game("open_spiel:pig(winscore=10)").deal(seed=3, rolls=False)
    theirs = pyspiel.load_game("pig(winscore=10)").new_initial_state()
    while not table.over:
        assert theirs.legal_actions() == table.legal_actions()
        if theirs.is_chance_node():
            theirs.apply_action(table.roll())
        else:
            assert theirs.current_player() == table.turn
            assert str(theirs) == table.view().screen()
            action = table.legal_actions()[len(table.history) % 2]
            assert theirs.action_to_string(action) == table.action_name(action)
            table.play(action)
            theirs.apply_action(action)
    assert theirs.is_terminal()
    assert theirs.returns() == table.payoffs()


def test_matches_and_records(tmp_path):
    found = hh.match("open_spiel:kuhn_poker(players=3)", ["random"] * 3, games=6, records=1)
    assert found.payoffs.sum() == pytest.approx(0)
    assert found.records[0]["game"] == "open_spiel:kuhn_poker(players=3)"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("tick_tac_toe", "OpenSpiel has no game 'tick_tac_toe' .did you mean tic_tac_toe.."),
        ("kuhn_poker(players=99)", "OpenSpiel cannot load"),
        ("matrix_rps", "several players move at once in it"),
        ("phantom_ttt", "it hides something, and OpenSpiel cannot resample"),
        ("blackjack", "what OpenSpiel resamples depends on what the player cannot know"),
    ],
)
def test_what_cannot_be_played_is_refused(text, told):
    with pytest.raises(UserError, match=told):
        hh.game(f"open_spiel:{text}")


def test_searches_play_them_and_servers_refuse():
    assert hh.match("open_spiel:tic_tac_toe", ["alphabeta:depth=2", "random"], games=1).games == 1
    with pytest.raises(UserError, match="games of open_spiel are not played here"):
        Resolver(AnyFile(), strangers=True).game("open_spiel:tic_tac_toe")
