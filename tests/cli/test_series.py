"""A series at the terminal: several deals, seats that move on, the score and the review; and the test bench."""

import re

import pytest

from hiddenhand.cli import main
from hiddenhand.cli.series import Series, slip_line
from hiddenhand.core.record import load_record
from hiddenhand.core.resolver import game
from hiddenhand.core.review import JudgedMove
from hiddenhand.core.session import Deal, Session


@pytest.fixture
def type_lines(monkeypatch, tmp_path, compiled_here):
    """Run `hiddenhand play ...` with these lines typed by a person at a terminal."""
    monkeypatch.chdir(tmp_path)

    def run(command, lines):
        typed = iter(lines)

        def answer(prompt=""):
            print(prompt, end="")
            line = next(typed, EOFError())
            if isinstance(line, BaseException):
                raise line
            print(line)
            return line

        monkeypatch.setattr("builtins.input", answer)
        monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda self: True})())
        return main(["play", *command.split()])

    return run


def test_everybody_moves_on_and_keeps_his_score():
    of = game("kuhn")
    session = Session(Deal(of, 3), ["person", "random"])
    series = Series(session, 3)
    for _ in range(3):
        while not session.over:
            session.play(session.table.legal_actions()[0])
        series.add(session)
        session = session.next_deal(moving=True)
    assert [each.seats for each in series.played] == [
        ["person", "random"],
        ["random", "person"],
        ["person", "random"],
    ]
    first, second, third = (each.table.payoffs() for each in series.played)
    assert series.gains(0) == [first[0], second[1], third[0]]
    assert series.gains(1) == [first[1], second[0], third[1]]
    assert series.over
    rows = series.score()
    assert rows[0].split() == ["deal", "1", "deal", "2", "deal", "3", "score"]
    assert sorted(row.split()[0] for row in rows[1:]) == ["random", "you"]
    best, worst = (float(row.split()[-1]) for row in rows[1:])
    assert best >= worst


def test_an_series_of_agents_goes_by_itself(type_lines, capsys, tmp_path):
    assert type_lines("tictactoe --watch --against random --seed 3 --deals 3", ["score", "review 2", "review 9"]) == 0
    printed = capsys.readouterr()
    assert printed.out.count("The game is over: ") == 3
    assert "After 1 of 3 deals:" in printed.out
    reviews = printed.out.split("After 3 of 3 deals:")[1]
    assert re.findall(r"^Deal (\d): player", reviews, re.MULTILINE) == ["1", "2", "3", "2"]
    assert "better: " in reviews, "random players throw something away"
    assert "deal 3  score" in reviews
    assert "3 deals have been played" in printed.err
    assert len(list((tmp_path / "store" / "games").glob("tictactoe-*.json"))) == 3


def test_a_person_changes_seats_from_deal_to_deal(type_lines, capsys):
    squares = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]
    assert (
        type_lines("tictactoe --against random --seed 3 --deals 2", [*squares, "", *squares, *squares, "quit"]) == 0
    )
    printed = capsys.readouterr().out
    assert "Tic-tac-toe: player 1 person, player 2 random" in printed
    assert "Tic-tac-toe: player 1 random, player 2 person" in printed
    assert "After 2 of 2 deals:" in printed


def test_a_slip_in_words():
    slip = JudgedMove(12, 3, "hK", "hA", 1.0, -1.0, "blunder", shares=(0.25, 0.8))
    assert slip_line(slip) == (
        "move 12, seat 3: hK, a blunder (+1 became -1); better: hA. "
        "Of the deals that could be imagined, hK wins 25%, hA 80%"
    )
    rare = JudgedMove(12, 3, "hK", "hA", 1.0, -1.0, "blunder", shares=(0.999, 0.002))
    assert slip_line(rare).endswith("hK wins 99%, hA 1%")
    assert slip.to_json()["shares"] == [0.25, 0.8]
    assert "shares" not in JudgedMove(1, 0, "a", "a", None, None).to_json()


# --- the test bench -------------------------------------------------------------------------------


def test_step_back_and_why(type_lines, capsys):
    lines = ["", "", "back 2", "back", "", "why", "log", "belief 0", "what", "go"]
    assert type_lines("tictactoe --watch --step --against random --seed 3", lines) == 0
    printed = capsys.readouterr()
    assert printed.out.count("step> ") == 10
    assert printed.out.count("The game is over: ") == 1
    moves = re.findall(r"^player \d \(random\): (\S+)$", printed.out, re.MULTILINE)
    assert moves[0] == moves[2], "after the way back the same move is made again"
    assert "move 1, player 1 (random)" in printed.out
    assert "only 0 moves have been made" in printed.err
    assert "nobody can say what is believed in tictactoe" in printed.err
    assert "'what' is no command" in printed.err


def test_ctrl_c_stops_a_bench_that_runs(type_lines, capsys, monkeypatch, kept):
    """And at the prompt it leaves."""
    from hiddenhand.core.session import Session

    decide, asked = Session.decide, []

    def interrupted(self, *arguments):
        asked.append(1)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return decide(self, *arguments)

    monkeypatch.setattr(Session, "decide", interrupted)
    assert type_lines("tictactoe --watch --step --against random --seed 3", ["go", "", KeyboardInterrupt()]) == 130
    assert capsys.readouterr().out.count("step> ") == 3
    assert len(load_record(kept()).actions) == 3


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("tictactoe --step", "--step is for a test bench: add --watch or --open"),
        ("tictactoe --experience some.json", "in tictactoe no experience is gathered"),
        ("tictactoe --deals 0", "Invalid value for '--deals'"),
    ],
)
def test_what_does_not_go_together(type_lines, capsys, command, message):
    assert type_lines(command, []) == 2
    assert message in capsys.readouterr().err
