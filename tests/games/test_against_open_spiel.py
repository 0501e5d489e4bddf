"""Our games side by side with OpenSpiel's: the same seats to move, legal actions, payoffs, and information."""

import random

import pytest

from hiddenhand.core.resolver import game
from hiddenhand.core.view import seen_by
from hiddenhand.kernel import CHANCE
from hiddenhand.search import build_tree, evaluate, sequence_form, solve

try:  # importorskip would import it again, and OpenSpiel writes a note each time
    import pyspiel
except ImportError:
    pytest.importorskip("pyspiel")
    raise

SAME = (
    ("blind_tictactoe", {}, "phantom_ttt(obstype=reveal-nothing)"),
    ("blind_tictactoe", {"abrupt": True}, "phantom_ttt(obstype=reveal-nothing,gameversion=abrupt)"),
    ("dark_hex", {}, "dark_hex(board_size=3)"),
    ("dark_hex", {"abrupt": True}, "dark_hex(board_size=3,gameversion=adh)"),
    ("dark_hex", {"size": 4}, "dark_hex(board_size=4)"),
    ("goofspiel", {}, "goofspiel(imp_info=True,num_cards=5,points_order=descending)"),
    ("goofspiel", {"cards": 6, "order": "ascending"}, "goofspiel(imp_info=True,num_cards=6,points_order=ascending)"),
    ("goofspiel", {"cards": 7, "order": "random"}, "goofspiel(imp_info=True,num_cards=7,points_order=random)"),
    ("leduc", {"players": 3}, "leduc_poker(players=3)"),
    ("leduc", {"players": 5}, "leduc_poker(players=5)"),
    ("liars_dice", {}, "liars_dice"),
    ("liars_dice", {"dice": 2, "faces": 5}, "liars_dice(numdice=2,dice_sides=5)"),
)

GAMES = 300


def serial(theirs):
    """OpenSpiel's game; moves at the same time are made one after the other."""
    loaded = pyspiel.load_game(theirs)
    simultaneous = loaded.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    return pyspiel.convert_to_turn_based(loaded) if simultaneous else loaded


@pytest.mark.parametrize(("name", "options", "theirs"), SAME, ids=[theirs for *_, theirs in SAME])
def test_played_side_by_side(name, options, theirs):
    """What a seat knows when it decides is one to one what OpenSpiel says that it knows, over all games."""
    ours, other = game(name, **options), serial(theirs)
    known: dict[tuple[int, object], bytes] = {}
    for seed in range(GAMES):
        table, state, draw = ours.deal(seed, rolls=False), other.new_initial_state(), random.Random(seed)
        while not state.is_terminal():
            legal = sorted(state.legal_actions())
            assert len(table.legal_actions()) == len(legal)
            assert table.turn == (CHANCE if state.is_chance_node() else state.current_player())
            if not state.is_chance_node():
                seen = seen_by(ours, table.state, table.turn)
                told: object = state.information_state_string()
                if (
                    name == "dark_hex"
                ):  # theirs says how many attempts there were, which in the classical game nobody tells
                    told = str(told).partition(f"\n{len(state.history())}\n")[::2]
                assert known.setdefault((table.turn, told), seen) == seen
            place = draw.randrange(len(legal))
            table.play(table.legal_actions()[place])
            state.apply_action(legal[place])
        assert table.over
        assert table.payoffs() == state.returns()
    assert len({(seat, seen) for (seat, _), seen in known.items()}) == len(known) > 100


@pytest.mark.parametrize(
    ("name", "options", "theirs", "nodes", "information_sets"),
    [
        ("liars_dice", {"faces": 4}, "liars_dice(dice_sides=4)", 8181, 1024),
        (
            "goofspiel",
            {"cards": 4},
            "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=4,points_order=descending))",
            1077,
            162,
        ),
    ],
)
def test_the_same_tree(name, options, theirs, nodes, information_sets):
    tree, other = build_tree(game(name, **options)), pyspiel.load_game(theirs)
    assert (len(tree.seat), len(tree.owner)) == (nodes, information_sets)
    uniform, form = pyspiel.exploitability(other, pyspiel.UniformRandomPolicy(other)), sequence_form(tree.game)
    assert evaluate(form, form.uniform()).exploitability == pytest.approx(uniform, abs=1e-9)


def test_the_same_solution():
    """Exploitability of CFR+ after 100 iterations, as OpenSpiel's solver has it."""
    assert solve(game("liars_dice", faces=4), 100).exploitability == pytest.approx(0.0022952140634465, abs=1e-13)
