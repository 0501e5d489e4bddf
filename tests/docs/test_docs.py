"""What the documentation shows works as it is written: files, commands, and Python."""

import runpy
import shlex

import pytest

from hiddenhand.cli import main
from hiddenhand.core.resolver import agents, game
from hiddenhand.testing import CHECKS
from pages import blocks, place, write_files


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where a reader works, with the files that the pages tell him to write."""
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_ninth_game_is_short(folder):
    assert len((folder / "nim.py").read_text().splitlines()) < 80


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_ninth_game_conforms(folder, check):
    check(game("nim.py"))


def test_the_ninth_game_has_agents_at_once(folder):
    assert {"random", "alphabeta", "minimax", "uct"} <= set(agents("nim.py"))


def commands():
    for block in blocks("console"):
        for line in block.text.splitlines():
            if line.startswith("$ hiddenhand "):
                yield pytest.param(line[2:], id=f"{place(block.page)}: {line[13:]}")


@pytest.mark.parametrize("command", list(commands()))
@pytest.mark.usefixtures("compiled_here")
def test_commands_work(command, folder, monkeypatch, capsys):
    lines = iter(["?", "moves", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(lines))
    words = shlex.split(command)[1:]
    assert main(words) == 0, capsys.readouterr().err
    printed = capsys.readouterr()
    assert printed.out.strip()


def python_blocks():
    for number, block in enumerate(blocks("python")):
        if not block.title:
            yield pytest.param(block, id=f"{place(block.page)}: {number}")


@pytest.mark.parametrize("block", list(python_blocks()))
def test_python_works(block, folder):
    path = folder / "as_it_is_written.py"
    path.write_text(block.text, encoding="utf-8")
    runpy.run_path(str(path))
