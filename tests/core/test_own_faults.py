"""Mistakes in a user's own file: one line with the file, the line, what is wrong and the nearest name."""

import re
from pathlib import Path

import pytest

import hiddenhand as hh
from hiddenhand.cli import main
from hiddenhand.kernel.rule import Mode, in_mode
from hiddenhand.testing import check_game

DOCS = Path(__file__).parents[2] / "docs"


def code(page, title):
    """A file of the documentation."""
    return (DOCS / page).read_text().split(f'```python title="{title}"\n')[1].split("```")[0]


NIM = code("your_own_game.md", "nim.py")
PLAYER = code("your_own_agent.md", "nim_player.py")
AGENT = """from hiddenhand.author import Agent, Decision


class Mistaken(Agent):
    summary = "makes a mistake"

    def decide(self, view):
        {}
"""


def broken(tmp_path, name, text, right, wrong):
    """A file with one mistake in it, and the number of its line."""
    assert text.count(right) == 1
    text = text.replace(right, wrong)
    path = tmp_path / name
    path.write_text(text)
    return path, next(number for number, line in enumerate(text.splitlines(), 1) if wrong.strip() in line)


@pytest.mark.parametrize("mode", [Mode.COMPILE, Mode.PLAIN])
@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("s.mover = 1 - s.mover", "s.mdver = 1 - s.mover", r"there is no field 'mdver' \(did you mean mover\?\)"),
        ("s.matches[heap] > 0:", "s.mtaches[heap] > 0:", r"there is no field 'mtaches' \(did you mean matches\?\)"),
        ("s.mover = 1 - s.mover", 's.mover = "first"', "'first' is a text|invalid literal for int.*'first'"),
        ("s.mover = 1 - s.mover", "s.mover = 1 - movr", "name 'movr' is not defined"),
        ("'abcde'[heap]} {'|' * view.matches", "'abcde'[heap]} {'|' * view.match", "no field 'match'.*matches"),
    ],
)
def test_in_a_rule(tmp_path, capsys, right, wrong, told, mode):
    path, line = broken(tmp_path, "nim_wrong.py", NIM, right, wrong)
    one_line = rf"\S*{re.escape(path.name)}, line {line}: .*({told}).*"
    with in_mode(mode):
        with pytest.raises(hh.UserError, match=one_line):
            check_game(str(path))
        if "'|'" not in right:  # an agent needs no screen
            with pytest.raises(hh.UserError, match=one_line):
                hh.match(str(path), ["random", "random"], games=2)
        assert main(["play", str(path), "--against", "random", "--watch"]) == 2
    assert re.fullmatch(rf"error: {one_line}\n", capsys.readouterr().err)


def test_in_a_policy(tmp_path, capsys):
    game = tmp_path / "nim.py"
    game.write_text(NIM)
    path, line = broken(tmp_path, "wrong.py", PLAYER, "uniform(rng) < parameters.slips:", "parameters.slip:")
    one_line = rf"\S*{re.escape(path.name)}, line {line}: there is no field 'slip' \(did you mean slips\?\)"
    assert main(["match", str(game), str(path), "random", "--games", "2"]) == 2
    assert re.search(one_line, capsys.readouterr().err)
    with in_mode(Mode.PLAIN), pytest.raises(hh.UserError, match=one_line):
        hh.game(str(game)).deal(1).ask(hh.agent(str(game), str(path)))


@pytest.mark.parametrize(
    ("mistake", "told"),
    [
        ("return view.legal_actions()[0]", r"line 7: Mistaken.decide gave 0, not a Decision: Decision\(action\)"),
        ("return view.actoins[0]", r"line 8: .*'actoins' \(did you mean actions\?\)"),
        ("return Decision(77)", r"chose the illegal action 77.* \((seat 0|player 1)\)"),
    ],
)
def test_in_a_python_agent(tmp_path, capsys, mistake, told):
    path = tmp_path / "mistaken.py"
    path.write_text(AGENT.format(mistake))
    for command in (
        ["match", "tictactoe", str(path), "random", "--games", "1"],
        ["play", "tictactoe", "--seat", "1"],
    ):
        assert main([*command, "--against", str(path)] if command[0] == "play" else command) == 2
        assert re.search(rf"error: \S*mistaken.py.*{told}\n", capsys.readouterr().err)


def test_an_agent_is_given_a_view():
    table = hh.game("tictactoe").deal(1)
    for name in ("random", "alphabeta:depth=1"):
        agent = hh.agent("tictactoe", name)
        for method in (agent.decide, agent.explain):
            with pytest.raises(hh.UserError, match=r"not the table: write table.ask\(agent\), or agent"):
                method(table)
