"""What the documentation shows works as it is written."""

import re
import shlex
from pathlib import Path

import pytest

from hiddenhand.cli import main
from hiddenhand.core.registry import agents, game, games, general_agents
from hiddenhand.testing import CHECKS

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def nim(tmp_path):
    path = tmp_path / "nim.py"
    path.write_text(blocks(ROOT / "docs" / "your_own_game.md", "python")[0], encoding="utf-8")
    return path


def test_the_ninth_game_is_short(nim):
    assert len(nim.read_text().splitlines()) < 80


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_ninth_game_conforms(nim, check):
    check(game(str(nim)))


def test_the_ninth_game_has_agents_at_once(nim):
    assert {"random", "alphabeta", "minimax", "uct"} <= set(agents(str(nim)))


def commands():
    for page in PAGES:
        for block in blocks(page, "console"):
            for line in block.splitlines():
                if line.startswith("$ hiddenhand "):
                    yield pytest.param(line[2:], id=f"{page.stem}: {line[13:]}")


@pytest.mark.parametrize("command", list(commands()))
def test_commands_in_the_documentation_work(command, nim, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lines = iter(["?", "moves", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(lines))
    words = shlex.split(command)[1:]
    assert main(words) == 0, capsys.readouterr().err
    printed = capsys.readouterr()
    assert printed.out.strip()


def test_every_game_and_method_has_a_page():
    assert {path.stem for path in (ROOT / "docs" / "games").glob("*.md")} >= set(games())
    assert {path.stem for path in (ROOT / "docs" / "methods").glob("*.md")} >= set(general_agents())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target
