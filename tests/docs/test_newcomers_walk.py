"""A newcomer's walk: an installed package brings a game, an agent, a world, a language and a kind of work, and
everything finds them.

The package lies in `tests/support/newcomer`; here it gets what `pip install` would add, the file of its entry points.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "support" / "newcomer"
ENTRY_POINTS = """
[hiddenhand.games]
coins = newcomer.coins:GAME

[hiddenhand.agents]
careful = newcomer.careful:Careful

[hiddenhand.work]
census = newcomer.census:census

[hiddenhand.words]
newcomer = newcomer.words
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder of installed packages that has this one."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(PACKAGE, folder / "newcomer")
    facts = folder / "newcomer-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: newcomer\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(ENTRY_POINTS)
    return folder


def hiddenhand(site, *words, status=0):
    """What the command prints with this package installed."""
    path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "hiddenhand", *words]
    environment = {**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_each_part_is_short():
    for path in PACKAGE.rglob("*.*"):
        if path.suffix != ".pyc":
            assert len(path.read_text().splitlines()) < 100, path


def test_the_game_and_the_agent_are_found_by_their_names(site):
    assert "coins" in hiddenhand(site, "games")
    assert "careful" in hiddenhand(site, "agents", "coins")
    table = hiddenhand(site, "match", "coins", "careful", "pimc:worlds=8", "--games", "10", "--rotate", "--no-store")
    assert "careful" in table


def test_the_agent_plays_games_of_this_package_too(site):
    assert "careful" in hiddenhand(site, "match", "kuhn", "careful", "random", "--games", "6", "--no-store")


def test_the_world_is_checked_planned_and_explained(site):
    world = str(site / "newcomer" / "umbrella.svarog")
    assert "nothing to report" in hiddenhand(site, "svarog", "check", world)
    assert "look" in hiddenhand(site, "explain", world)


def test_the_language_is_spoken(site):
    said = hiddenhand(site, "match", "nowhere", "random", "--language", "de", status=2)
    assert "das Spiel 'nowhere' gibt es nicht" in said
    refused = hiddenhand(site, "match", "kuhn", "random", "random", "--language", "xx", status=2)
    assert "Deutsch" in refused


def test_the_work_is_a_command_and_gives_the_same_with_workers(site):
    order = ("census", "coins", "random", "--games", "120", "--seed", "3")
    alone = hiddenhand(site, *order, "--no-store")
    assert alone.split() == ["1", "moves:", "120"]
    assert hiddenhand(site, *order, "--no-store", "--workers", "2") == alone
    assert "Count the moves" in hiddenhand(site, "census", "--help")
    assert "games must be a whole number" in hiddenhand(site, *order[:3], "--games", "0", status=2)


FORMS = """
from hiddenhand.lab.work_kinds import work_kind
from hiddenhand.web.schemas.lab import form_of, order_of
form = form_of(work_kind("census"))
print(form.title, [(field.name, field.input) for field in form.fields])
print(order_of(work_kind("census")).model_validate({"game": "coins", "agent": "careful"}).games)
print(work_kind("census")("coins", "careful", games=60).to_json())
"""


def test_the_page_and_python_have_the_work_too(site):
    path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", FORMS], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout.splitlines() == [
        "census [('agent', 'agent'), ('games', 'number'), ('seed', 'number')]",
        "200",
        "{'games': 60, 'usual': 1, 'lengths': {'1': 60}}",
    ], done.stderr
