"""Our games side by side with OpenSpiel's: the same seats to move, legal actions, payoffs, and information."""

import random

import pytest

from hiddenhand.core.resolver import game
from hiddenhand.core.view import seen_by
from hiddenhand.kernel import CHANCE

try:  # importorskip would import it again, and OpenSpiel writes a note each time
    import pyspiel
except ImportError:
    pytest.importorskip("pyspiel")
    raise

SAME = (
    ("blind_tictactoe", {}, "phantom_ttt(obstype=reveal-nothing)"),
    ("blind_tictactoe", {"abrupt": True}, "phantom_ttt(obstype=reveal-nothing,gameversion=abrupt)"),
)


@pytest.mark.parametrize(("name", "options", "theirs"), SAME, ids=[theirs for *_, theirs in SAME])
def test_played_side_by_side(name, options, theirs, games=300):
    """What a seat knows when it decides is one to one what OpenSpiel says that it knows, over all games."""
    ours, other = game(name, **options), pyspiel.load_game(theirs)
    known: dict[tuple[int, str], bytes] = {}
    for seed in range(games):
        table, state, draw = ours.deal(seed, rolls=False), other.new_initial_state(), random.Random(seed)
        while not state.is_terminal():
            legal = sorted(state.legal_actions())
            assert table.legal() == legal
            assert table.turn == (CHANCE if state.is_chance_node() else state.current_player())
            if not state.is_chance_node():
                seen = seen_by(ours, table.state, table.turn)
                assert known.setdefault((table.turn, state.information_state_string()), seen) == seen
            action = draw.choice(legal)
            table.play(action)
            state.apply_action(action)
        assert table.over
        assert table.payoffs() == state.returns()
    assert len({(seat, seen) for (seat, _), seen in known.items()}) == len(known) > 100
