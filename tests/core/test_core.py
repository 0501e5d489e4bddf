"""Tables, records, settings and the resolver."""

import json

import pytest

import hiddenhand as hh
from hiddenhand.core.errors import IllegalAction, RecordError, UserError
from hiddenhand.core.record import load_record
from hiddenhand.core.settings import Setting, read_settings

pytestmark = pytest.mark.fast


def test_a_table_by_hand():
    table = hh.game("tictactoe").deal(seed=7)
    for move in "b2 a3 a1 c3 b3 b1 c1 a2 c2".split():
        table.play(move)
    assert table.over
    assert table.payoffs() == [0.0, 0.0]


def test_illegal_moves_name_themselves_and_the_legal_ones():
    table = hh.game("connect_four").deal()
    with pytest.raises(IllegalAction, match=r"'8' is not legal here; legal: 1, 2, 3, 4, 5, 6, 7"):
        table.play("8")
    assert table.history == []


def test_undo_takes_back_decisions_and_the_dice_between():
    table = hh.game("backgammon").deal(seed=4)
    start = table.state.tobytes()
    agent = hh.agent("backgammon", "random")
    for _ in range(7):
        table.play(table.ask(agent).action)
    table.undo(7)
    assert table.state.tobytes() == start


def test_records_survive_the_disk(tmp_path):
    table = hh.game("reversi").deal(seed=1)
    agent = hh.agent("reversi", "random")
    while not table.over:
        table.play(table.ask(agent).action)
    table.record(["random", "random"]).save(tmp_path / "game.json")
    again = load_record(tmp_path / "game.json")
    assert again.replay().state.tobytes() == table.state.tobytes()
    assert again.moves == table.history_names


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: "{", "not valid JSON: line 1 column 2"),
        (lambda d: "[]", "not a hiddenhand record"),
        (lambda d: json.dumps({**d, "seed": "x"}), "'seed' must be a seed"),
        (lambda d: json.dumps({**d, "actions": [0.5]}), "'actions' must be a list of whole numbers"),
        (lambda d: json.dumps({**d, "opening": 10**30}), "'opening' must be a whole number"),
        (lambda d: json.dumps({**d, "opening": True}), "'opening' must be a whole number"),
        (lambda d: json.dumps({**d, "agents": ["\ud800"]}), "'agents' must be a list of texts"),
        (lambda d: json.dumps({**d, "payoffs": [float("inf")]}), "'payoffs' must be a list of numbers"),
        (lambda d: json.dumps({**d, "actions": [0, 0]}), "move 2 of the record breaks the rules"),
        (lambda d: json.dumps({**d, "version": 99}), "version 99"),
        (lambda d: json.dumps({**d, "payoffs": [9.0, 9.0], "actions": [0, 3, 1, 4, 2]}), "payoffs were"),
    ],
)
def test_damaged_records_are_refused(tmp_path, change, message):
    table = hh.game("tictactoe").deal()
    table.play("a3")
    path = tmp_path / "game.json"
    path.write_text(change(table.record().to_json()))
    with pytest.raises(RecordError, match=message):
        load_record(path).replay()


def test_missing_record_file():
    with pytest.raises(RecordError, match=r"cannot read nowhere\.json: No such file"):
        load_record("nowhere.json")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"deep": 3}, r"x has no parameter 'deep' \(did you mean depth\?\); it has: depth, fast"),
        ({"depth": "three"}, "parameter depth of x must be a whole number from 1 to 9, not 'three'"),
        ({"depth": 10}, "parameter depth of x must be a whole number from 1 to 9, not 10"),
        ({"fast": "perhaps"}, "parameter fast of x must be yes or no"),
    ],
)
def test_settings_say_what_is_wrong(given, message):
    known = {"depth": Setting(3, low=1, high=9), "fast": Setting(True)}
    with pytest.raises(UserError, match=message):
        read_settings(given, known, "x", "parameter")


def test_settings_read_text():
    known = {"depth": Setting(3, low=1, high=9), "fast": Setting(True), "share": Setting(0.5)}
    given = {"depth": "7", "fast": "no", "share": "0.25"}
    assert read_settings(given, known, "x", "parameter") == {"depth": 7, "fast": False, "share": 0.25}


@pytest.mark.parametrize(
    ("game", "agent", "message"),
    [
        ("mikado", "random", "unknown game 'mikado'; games: backgammon"),
        ("tictacto", "random", "did you mean tictactoe"),
        ("tictactoe", "randon", r"unknown agent 'randon' for tictactoe \(did you mean random"),
        ("tictactoe", "pimc", "pimc cannot play tictactoe: nothing is hidden in it"),
        ("kuhn", "alphabeta", "alphabeta cannot play kuhn"),
        ("tictactoe", "alphabeta:depth", "written name=value"),
        ("tictactoe", "alphabeta:width=3", "alphabeta has no parameter 'width'"),
        ("nowhere.py", "random", "there is no file nowhere.py"),
    ],
)
def test_wrong_names_are_answered_clearly(game, agent, message):
    with pytest.raises(UserError, match=message):
        hh.agent(game, agent)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(max 1 (min 2", "line 1, column 14: expected a number"),
        ("(max 1\n (mim 2 3))", "line 2, column 3: expected max, min, chance"),
        ("(max 1 (chance 0.5 2 0.4 3))", "line 1, column 8: the probabilities of this chance node sum to 0.9"),
        ("(max [1 2 3] 4)", "every payoff must be of the same kind"),
        ("(max 1 2) 3", "line 1, column 11: expected nothing after the tree"),
        ("(max @ 2)", "line 1, column 6: '@' has no meaning here"),
        ("(D 1 2)", "line 1, column 1: player D moves, but the payoffs are for 2 players"),
        ("(max)", "expected at least one child"),
    ],
)
def test_trees_are_read_with_line_and_column(text, message):
    with pytest.raises(UserError, match=message):
        hh.game("tree", text=text)


def test_a_view_holds_no_secret():
    """The imagined world inside a view is not the true one."""
    differ = 0
    for seed in range(30):
        table = hh.game("leduc").deal(seed)
        view = table.view()
        differ += view.imagine().tobytes() != table.state.tobytes()
    assert differ > 5
