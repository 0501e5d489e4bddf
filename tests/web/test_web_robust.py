"""Killed and started again; slow agents beside quick ones; tables put away and brought back; the laboratory."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from hiddenhand.cli import main
from hiddenhand.core.errors import UserError
from hiddenhand.web.tables import registry as registry
from hiddenhand.web.tables.store import TableStore
from web_server import Site, serving

GAMES = ["tictactoe", "connect_four", "leduc", "blind_tictactoe", "reversi"]


def started(folder):
    """`hiddenhand serve` in a process of its own."""
    command = [sys.executable, "-m", "hiddenhand.cli", "serve", "--no-browser", "--port", "0", "--data", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    assert line.startswith("hiddenhand is at http://127.0.0.1:"), line
    return process, Site(line.split(":")[2].split("/")[0])


def test_fifty_games_killed_and_started_again(tmp_path):
    process, site = started(tmp_path)
    try:
        tables = [site.table(GAMES[i % len(GAMES)], "me random") for i in range(50)]
        told = {made["table"]: [] for made in tables}
        players = [threading.Thread(target=play_until_killed, args=(site, tables[i::5], told)) for i in range(5)]
        for player in players:
            player.start()
        deadline = time.monotonic() + 600
        while sum(map(len, told.values())) <= 100 and time.monotonic() < deadline:
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
        for player in players:
            player.join()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    assert sum(map(len, told.values())) > 100
    process, site = started(tmp_path)
    try:
        for made in tables:
            with site.page(made) as page:
                page.hear("frame")
                log = next(message for message in page.sent if message["type"] == "log")["entries"]
                before = told[made["table"]]
                assert [entry["seat"] for entry in log[: len(before)]] == [entry["seat"] for entry in before]
                over = page.sent[-1]["over"]
                assert over or log[: len(before)] == before
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def play_until_killed(site, tables, told):
    """Move at all these tables in turn; keep every line of the log that was told."""
    pages = []
    try:
        for made in tables:
            context = site.page(made)
            pages.append((context, context.__enter__(), made["table"]))
        moving = [(page, table) for _, page, table in pages]
        while moving:
            for page, table in list(moving):
                frame = page.my_turn()
                told[table] = log_of(page)
                if frame["over"]:
                    moving.remove((page, table))
                else:
                    page.play(frame)
    except (ConnectionClosed, OSError):  # the server is dead
        pass
    for context, page, table in pages:
        told[table] = log_of(page)
        with suppress(ConnectionClosed, OSError):
            context.__exit__(None, None, None)


def log_of(page):
    entries = {}
    for message in page.sent:
        if message["type"] == "log":
            if message["from"] == 0:
                entries = {}
            entries.update({entry["ply"]: entry for entry in message["entries"]})
    return [entries[ply] for ply in sorted(entries)]


def test_slow_agents_do_not_block_the_others(tmp_path):
    with serving(tmp_path) as site:
        warm = site.table("tictactoe", "me random")
        with site.page(warm) as page:
            page.play_on()
        slow = [site.table("connect_four", "alphabeta:depth=42,table=0 me") for _ in range(6)]  # it would take years
        quick = site.table("tictactoe", "me random")
        with site.page(quick) as page:
            page.play_on()
        assert all(site.get(f"/api/tables/{made['table']}")["plies"] == 0 for made in slow)


def test_a_table_is_put_away_and_comes_back_with_its_memories(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "IDLE", 0.0)
    with serving(tmp_path) as site:
        both = [site.table("hanabi", "me trustful trustful", seed=9, options={"players": 3}) for _ in range(2)]
        tables = site.app.state.tables
        for moves in range(3):
            for made in both:
                with site.page(made) as page:
                    page.play(page.my_turn(), 10 + 10 * (1 + moves % 2) + moves)
                    page.my_turn()
            deadline = time.monotonic() + 600
            while tables.live_tables[both[0]["table"]].clients and time.monotonic() < deadline:
                time.sleep(0.02)
            tables.forget(tables.live_tables[both[0]["table"]])  # the first table forgets, the second stays
        logs = []
        for made in both:
            with site.page(made) as page:
                page.my_turn()
                logs.append(log_of(page))
        assert logs[0] == logs[1]
        assert len(logs[0]) == 9


def test_a_match_in_the_laboratory(tmp_path):
    with serving(tmp_path) as site:
        order = {"game": "tictactoe", "agents": ["random", "random"], "games": 200, "seed": 3, "seating": "rotate"}
        job = site.post("/api/lab/match", **order)["job"]
        told = finished(site, job)
        assert told["state"] == "done"
        assert (told["done"], told["total"]) == (200, 200)
        assert told["result"]["games"] == 200
        assert sum(told["histogram"]["counts"][0]) == 200
        assert len(told["records"]) == 6
        assert site.get(f"/api/tables/{told['records'][0]['table']}")["recorded"]
        job = site.post("/api/lab/tournament", game="tictactoe", agents=["random", "minimax"], games=4)["job"]
        told = finished(site, job)
        assert told["result"]["cross"]
        assert "unknown agent" in site.refused("/api/lab/match", game="tictactoe", agents=["random", "nobody"])
        assert "files" in site.refused("/api/lab/match", game="dominion", agents=["menu:@x", "menu:@x"])
        long = site.post("/api/lab/match", game="connect_four", agents=["alphabeta:time=1"] * 2, games=1000)["job"]
        answer = site.ask("DELETE", f"/api/lab/jobs/{long}").json()
        assert answer["state"] == "stopped"
        assert site.ask("GET", "/api/lab/jobs/nothing").status_code == 404


def finished(site, job):
    deadline = time.monotonic() + 600
    while (told := site.get(f"/api/lab/jobs/{job}"))["state"] in ("waiting", "running"):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    time.sleep(0.2)
    return site.get(f"/api/lab/jobs/{job}") if told["state"] == "done" else told


def test_two_servers_do_not_share_a_store(tmp_path, capsys):
    store = TableStore(tmp_path / "tables.sqlite")
    with pytest.raises(UserError, match="another server"):
        TableStore(tmp_path / "tables.sqlite")
    assert main(["serve", "--data", str(tmp_path), "--no-browser", "--port", "0"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    store.close()
    TableStore(tmp_path / "tables.sqlite").close()
