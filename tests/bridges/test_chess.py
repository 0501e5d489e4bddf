"""Chess through python-chess: known counts, and a mate in two found by our own search."""

import pytest

from hiddenhand.cli import main
from hiddenhand.core.errors import UserError
from hiddenhand.core.resolver import agent, game
from hiddenhand.search import perft, trace

pytest.importorskip("chess")

MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"  # P. Morphy's: 1 Ra6


def test_known_counts():
    assert [perft(game("chess"), depth) for depth in (1, 2, 3)] == [20, 400, 8902]
    assert perft(game("chess", position="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), 2) == 568  # castling


def test_a_mate_in_two_with_its_line():
    table = game("chess", position=MATE_IN_TWO).deal()
    told = table.ask(agent(table.game, "alphabeta:depth=3,quiescence=0"), explain=True)
    assert (told.text, told.value) == ("Ra6", 1.0)
    assert len(told.line) == 3
    assert told.line[2].endswith("#")
    assert "Ra6 wins against any defence." in " ".join(told.reasons)
    for move in told.line:
        table.play(move)
    assert table.payoffs() == [1.0, -1.0]


def test_traces_and_records_work_on_it():
    table = game("chess", position="k7/2Q5/2K5/8/8/8/8/8 w - - 0 1").deal()
    found = trace(agent(table.game, "minimax:depth=1"), table.view())
    assert "Qb7#" in found.text()
    table.play("Qb7#")
    assert table.game.people.outcome(table.state) == "checkmate"
    again = table.record().replay()
    assert again.payoffs() == [1.0, -1.0]


def test_what_is_written_is_read():
    table = game("chess").deal()
    for move in "e4 d5 e5 f5 exf6 Kf7".split():
        table.play(move)
    fen = table.game.people.written(table.state)
    assert fen == "rnbq1bnr/ppp1pkpp/5P2/3p4/8/8/PPPP1PPP/RNBQKBNR w KQ - 1 4"
    assert game("chess", position=fen).deal().legal_actions() == table.legal_actions()
    with pytest.raises(UserError, match="this is no position in FEN"):
        game("chess", position="nonsense")
    with pytest.raises(UserError, match="this position cannot come about: no black king"):
        game("chess", position="8/8/8/8/8/8/8/K7 w - - 0 1")


def test_on_the_command_line(capsys):
    stalemate = "k7/8/1Q6/8/8/8/8/7K b - - 0 1"
    assert main(["explain", "chess", "--agent", "minimax:depth=1", "--position", stalemate]) == 2
    assert "the game is over in this position" in capsys.readouterr().err
