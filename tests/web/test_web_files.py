"""Games and agents from files on the page: what the server's owner allows, and nothing else."""

import json
import subprocess
import sys
import time

import pytest

from own_files import NIM, write_own_files
from web_server import serving

LOUD = "from pathlib import Path\nPath({!r}).touch()\n"
"""A file that leaves a trace when it is run."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_own_files(tmp_path_factory.mktemp("allowed"))


@pytest.fixture(scope="module")
def open_site(folder, tmp_path_factory):
    with serving(tmp_path_factory.mktemp("tables"), allow=[folder]) as found:
        yield found


def with_agent(text):
    return [{"who": "me"}, {"who": "agent", "agent": text}]


def test_without_allow_nothing_is_opened(site, folder, tmp_path):
    trace = tmp_path / "trace"
    loud = tmp_path / "loud.py"
    loud.write_text(LOUD.format(str(trace)) + NIM)
    names = [path.name for path in folder.iterdir()] + [str(path) for path in folder.iterdir()]
    for name in [*names, str(loud), "../loud.py", "nowhere.py"]:
        if not name.endswith(("agents.py", "only.py")):
            assert "files are not opened here" in site.refused("/api/tables", game=name)
            assert "files are not opened here" in site.refused("/api/lab/match", game=name, agents=["random"])
    for agent in (f"{loud}", f"{loud}:Clever", f"{folder}/agents.py:Clever:place=1", "only.py"):
        refused = site.refused("/api/tables", game="tictactoe", seats=with_agent(agent))
        assert "files are not opened here" in refused
    for game, agent in (("tiger", "planner:knowledge=/etc/passwd"), ("dominion", "menu:@/etc/passwd")):
        seats = with_agent(agent) if game == "dominion" else [{"who": "agent", "agent": agent}]
        assert "files are not opened here" in site.refused("/api/tables", game=game, seats=seats)
    record = {"format": "hiddenhand record", "game": str(loud), "version": 1, "options": {}, "seed": 0, "actions": []}
    assert "files are not opened here" in site.refused("/api/records", **record)
    assert not trace.exists()


def test_what_is_there_is_not_told(open_site, folder, tmp_path):
    """A file outside, whether it exists or not, by any way: the same answer, and it is not run."""
    trace = tmp_path / "trace"
    outside = folder.parent / "outside.py"
    outside.write_text(LOUD.format(str(trace)) + NIM)
    link = folder / "link.py"
    inner = folder / "inner"
    if not link.exists():
        link.symlink_to(outside)
        inner.symlink_to(folder.parent)
    ways = [
        "../outside.py",
        str(outside),
        "link.py",
        "inner/outside.py",
        "x/../../outside.py",
        f"{folder}/../outside.py",
    ]
    for name in [*ways, "../missing.py", "missing.py", "x" * 150 + "/" + "y" * 40 + ".py"]:
        told = open_site.refused("/api/tables", game=name)
        assert told == f"there is no file {name!r} in what may be opened here"
        told = open_site.refused("/api/tables", game="tictactoe", seats=with_agent(f"{name}:Clever"))
        assert told == f"there is no file {name!r} in what may be opened here"
    assert not trace.exists()
    assert "link.py" not in [game["name"] for game in open_site.get("/api/games")]


def test_the_lobby_offers_the_games_that_are_allowed(open_site):
    games = {game["name"]: game for game in open_site.get("/api/games")}
    assert {"nim.py", "world.svarog", "model.pomdp", "lecture.tree", "kuhn"} <= set(games)
    assert "agents.py" not in games
    assert games["nim.py"]["title"] == "Nim"
    assert open_site.get("/api/games/nim.py")["name"] == "nim.py"


def test_what_compiles_for_the_page_opens_no_more_than_the_page(folder, tmp_path):
    """The process in the background reads the file that was allowed, not one of that name where it runs."""
    trace = tmp_path / "trace"
    (tmp_path / "nim.py").write_text(LOUD.format(str(trace)) + NIM)
    order = json.dumps(["nim.py", {}, ["agents.py:Clever"], [str(folder)], []])
    program = [sys.executable, "-c", "from hiddenhand.core.background_compile import main; main()", order]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True)
    assert "ready agents.py:Clever" in done.stdout
    assert not trace.exists()


def test_a_game_and_an_agent_from_files_on_the_page(open_site, folder):
    made = open_site.table("nim.py", "me agents.py:Clever:place=1")
    assert str(folder) not in str(made)
    with open_site.page(made) as page:
        while not (frame := page.my_turn())["over"]:
            page.play(frame)
    kept = open_site.get(f"/api/tables/{made['table']}/record")
    assert kept["game"] == "nim.py"
    assert kept["agents"] == ["person", "agents.py:Clever:place=1"]
    again = open_site.post("/api/records", **kept)
    assert again["over"]


@pytest.mark.parametrize(
    ("game", "agents"), [("nim.py", ["agents.py:last", "only.py"]), ("model.pomdp", ["planner:depth=2"])]
)
def test_the_laboratory_plays_files(open_site, game, agents):
    job = open_site.post("/api/lab/match", game=game, agents=agents, games=4, records=1)["job"]
    for _ in range(1500):  # its process stands back behind all others
        told = open_site.get(f"/api/lab/jobs/{job}")
        if told["records"] or told["state"] not in ("waiting", "running", "done"):
            break
        time.sleep(0.2)
    assert told["state"] == "done", told
    assert told["result"]["game"] == game
    assert len(told["records"]) == 1


def test_where_files_lie_is_not_told(site, open_site, folder, tmp_path_factory):
    """A file that can be named but is not what is meant: it is called what whoever named it calls it."""
    (folder / "broken.py").write_text("GAME = nothing\n")
    (folder / "broken.pomdp").write_bytes(b"\xff\xfe")
    tree = site.post("/api/own", kind="tree", text="(max 1 2)")["game"]
    elsewhere = str(tmp_path_factory.getbasetemp())
    told = site.refused("/api/tables", game="hanabi", seats=with_agent(f"reinforced:file={tree}"))
    assert tree in told
    assert elsewhere not in told
    made = site.table("tiger", f"planner:knowledge={tree}")  # it is read where agents think
    with site.page(made, "") as page:
        told = page.hear("error")["text"]
        assert tree in told
        assert elsewhere not in told
    for game, agent in (("broken.py", "random"), ("broken.pomdp", "random"), ("tictactoe", "broken.py")):
        told = open_site.refused("/api/tables", game=game, seats=with_agent(agent))
        assert told.startswith("broken.p"), told
        assert str(folder) not in told
