"""Games that begin in a position: what can be written is what is read, everywhere that a game begins."""

import json

import pytest

from hiddenhand.cli import main
from hiddenhand.core.errors import UserError
from hiddenhand.core.record import read_record
from hiddenhand.core.resolver import agent, game
from hiddenhand.core.table import Table
from hiddenhand.lab.match import match

GAMES = ["tictactoe", "connect_four", "reversi", "checkers", "backgammon"]


@pytest.mark.parametrize("name", GAMES)
def test_what_is_written_is_read(name):
    """Half-way through some random games: the same position, and the same moves from it."""
    of = game(name)
    mover = agent(of, "random")
    for seed in range(5):
        table = of.deal(seed)
        for _ in range(4 * seed + 2):
            if table.over or len(table.legal_actions()) == 0:
                break
            table.play(table.ask(mover).action)
        if table.over:
            continue
        while name == "backgammon" and table.state.unused.sum() not in (2, 4):  # the text knows whole throws only
            table.play(table.ask(mover).action)
        again = Table(game(name, position=of.people.written(table.state)), rolls=False)
        assert of.people.written(again.state) == of.people.written(table.state)
        assert again.legal_actions() == table.legal_actions()
        assert again.turn == table.turn


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("tictactoe", "XX./..", "3 rows of 3 cells"),
        ("tictactoe", "XXX/.../...", "3 of X and 0 of O cannot be"),
        ("tictactoe", "XXX/OOO/...", "X has three in a row already"),
        ("tictactoe", "X?./.../...", "not '\\?'"),
        ("connect_four", "X....../......./......./......./......./O......", "a disc falls down"),
        ("reversi", "/".join(["........"] * 8), "a position has discs"),
        ("reversi", "/".join(["X......."] * 8) + ";Z", "X or O, not 'Z'"),
        ("checkers", "W18:B2", "a position is written W:W18"),
        ("checkers", "W:W33:B2", "there is no square 33"),
        ("checkers", "W:W18,18:B2", "two pieces on 18"),
        ("checkers", "W:W2:B9", "would be a king: K2"),
        ("checkers", "W:W18:B", "both sides have pieces"),
        ("backgammon", "X 6:5", "a position is written X 20:2"),
        ("backgammon", "X 6:16; O 6:1; X", "1 to 15 checkers"),
        ("backgammon", "X 6:5; O 19:1; X", "both have checkers on point 6"),
        ("backgammon", "X 6:5; O 6:1; X 6-7", "dice are written 6-5"),
        ("backgammon", "X 26:5; O 6:1; X", "place:count"),
        ("checkers", "W" * 3000, "2000 letters at most"),
    ],
)
def test_what_is_no_position_is_refused(name, text, told):
    with pytest.raises(UserError, match=told):
        game(name, position=text)


def test_the_four_moves_of_the_lecture():
    """5-10 and 5-11, 5-11 and 19-24, 5-10 and 10-16, 5-11 and 11-16, counted from the other end."""
    found = set()
    of = game("backgammon", position="lecture")
    first = Table(of, rolls=False)
    for one in first.legal_actions():
        table = Table(of, rolls=False)
        name = table.action_name(one)
        table.play(one)
        for other in table.legal_actions():
            found.add(frozenset([name, table.action_name(other)]))
    counted = [{"20/15", "20/14"}, {"20/14", "6/1"}, {"20/15", "15/9"}, {"20/14", "14/9"}]
    assert found == {frozenset(each) for each in counted}


def test_everything_begins_there(tmp_path, capsys):
    """A match, a record and its replay, and the commands."""
    won = "XX./OO./..."
    of = game("tictactoe", position=won)
    played = match(of, ["alphabeta", "random"], games=4)
    assert played.payoffs[:, 0].tolist() == [1.0] * 4
    assert max(played.moves) == 1
    table = Table(of)
    table.play("c3")
    record = read_record(json.loads(json.dumps(table.record().to_json())))
    assert record.replay().payoffs() == [1.0, -1.0]
    assert "position" not in game("tictactoe").options
    (tmp_path / "board.txt").write_text("X X .\nO O .\n. . .\n")
    assert main(["explain", "tictactoe", "--position", str(tmp_path / "board.txt"), "--agent", "minimax"]) == 0
    assert "c3 wins against any defence" in capsys.readouterr().out
    assert main(["explain", "tictactoe", "--moves", "b2 a3", "--agent", "minimax:depth=2", "--why-not", "c3"]) == 0
    assert main(["trace", "tictactoe", "minimax:depth=1", "--position", won]) == 0
    assert main(["trace", "tictactoe", "minimax", "--position", "XXX/OO./..."]) == 2
    assert "the game is over in this position" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["dominion", "hanabi", "tictactoe"])
def test_moves_of_several_words_are_read_one_after_the_other(name):
    """As they are written in a record, with blanks or with commas between them."""
    table = game(name).deal(5)
    mover = agent(table.game, "random")
    for _ in range(8):
        table.play(table.ask(mover).action)
    for between in (" ", ", "):
        again = game(name).deal(5)
        again.play_all(between.join(table.history_names))
        assert again.history == table.history
    with pytest.raises(UserError, match="nonsense"):
        game(name).deal(5).play_all("nonsense at all")
