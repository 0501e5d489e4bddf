"""Bots: programs of any language at our tables. They can lose in every way, and never make anybody wait for long."""

import copy
import gc
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import hiddenhand as hh
from hiddenhand.bridges.bots import PROTOCOL
from hiddenhand.cli import main
from hiddenhand.core.errors import Forfeit, UserError
from hiddenhand.core.files import Allowed
from hiddenhand.core.game import guide_of
from hiddenhand.core.resolver import Resolver
from hiddenhand.core.table import Table

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
AT_EASE = "start=600,time=600"  # a busy machine may take long to start a program, and to answer
AT_ONCE = "time=0.2,start=0"

FAULTY = """import json, os, signal, sys, time
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "decide":
        BEHAVIOUR
        sys.stdout.flush()
"""

LOGGING = """import json, sys
for line in sys.stdin:
    with open(__file__ + ".log", "a") as log:
        log.write(line)
    told = json.loads(line)
    if told["type"] == "decide":
        print(json.dumps({"move": told["moves"][-1]["text"], "reasons": ["because", "of this"]}), flush=True)
"""


def needs(program):
    """Skip where a program is missing, but not in the continuous integration, where nothing may be missing."""
    if shutil.which(program) is None and not os.environ.get("CI"):
        pytest.skip(f"{program} is not installed")
    return program


def faulty(folder, behaviour, name="faulty.py"):
    path = folder / name
    path.write_text(FAULTY.replace("BEHAVIOUR", behaviour))
    return path


def running(path):
    """Whether any process runs this program."""
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(path).encode() in each.read_bytes():
                return True
        except OSError:  # it has just ended
            continue
    return False


def gone(path):
    """Whether nobody runs this program any more; dying takes a moment."""
    gc.collect()
    limit = time.monotonic() + 600
    while running(path) and time.monotonic() < limit:
        time.sleep(0.05)
    return not running(path)


def test_a_tournament_of_bots(tmp_path):
    """One in C, one in JavaScript, one that crashes, one that never answers."""
    in_c, silent = tmp_path / "last_move", tmp_path / "silent.py"
    subprocess.run([needs("gcc"), "-Wall", "-o", in_c, EXAMPLES / "last_move.c"], check=True)
    needs("node")
    shutil.copy(EXAMPLES / "silent.py", silent)
    agents = [
        f"bot:{in_c}:{AT_EASE}",
        f"bot:{EXAMPLES / 'middle_move.js'}:{AT_EASE}",
        f"bot:{EXAMPLES / 'crashes.py'}:{AT_EASE}",
        f"bot:{silent}:{AT_ONCE}",
    ]
    found = hh.tournament("tictactoe", agents, games=2)
    assert found.played == 12
    sound, crashing, mute = found.matches[0], found.matches[1], found.matches[2]
    assert not sound.forfeits
    assert (crashing.payoffs[:, 0] == 1.0).all()
    assert [told["why"] for told in crashing.forfeits.values()] == [
        "crashes.py ended with status 1: IndexError: pop from empty list"
    ] * 2
    assert (mute.payoffs[:, 1] == -1.0).all()
    assert {told["why"] for told in mute.forfeits.values()} == {"silent.py did not answer within 0.2 seconds"}
    assert "silent.py:time=0.2,start=0 could not go on and lost 6 games" in str(found)
    assert [told["games"] for told in mute.to_json()["forfeits"]] == [2]
    del found, sound, crashing, mute
    assert gone(silent)


@pytest.mark.parametrize(
    ("behaviour", "told"),
    [
        ('print("check")', "answered what is not JSON: check"),
        ('print("[1]")', 'answered without a "move": \\[1\\]'),
        (
            'print(json.dumps({"move": 7}))',
            "chose a move that is not legal: '7' is not legal here; legal: check, bet",
        ),
        ('print(json.dumps({"move": "raise"}))', "chose a move that is not legal: 'raise' is not legal here"),
        ('print(json.dumps({"move": True}))', 'answered with a "move" that is neither a number nor a text: true'),
        ('print(json.dumps({"move": 0, "reasons": "x"}))', 'answered with "reasons" that are not a list of texts'),
        ('print("help!", file=sys.stderr); sys.exit(3)', "ended with status 3: help!"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "was killed by SIGSEGV"),
        ('print("x" * 2_000_000)', "wrote a line of more than 1,048,576 bytes|answered what is not JSON"),
        ("os.close(1); time.sleep(60)", "closed its output"),
    ],
)
def test_what_goes_wrong_is_said_in_one_line(behaviour, told, tmp_path):
    bot = hh.agent("kuhn", f"bot:{faulty(tmp_path, behaviour)}:{AT_EASE}")
    with pytest.raises(Forfeit, match=f"^faulty.py ({told})"):
        hh.game("kuhn").deal(1).ask(bot)
    assert bot.talk is None


def test_the_protocol(tmp_path):
    """What a bot is told, from the first line to the last, of two games in a row."""
    path = tmp_path / "logging.py"
    path.write_text(LOGGING)
    found = hh.match("leduc", [f"bot:{path}:{AT_EASE}", "random"], games=2, seed=4)
    told = [json.loads(line) for line in Path(f"{path}.log").read_text().splitlines()]
    tables = [[line for line in told if line["table"] == number] for number in (2, 3)]  # 1: to warm up
    for lines, payoffs in zip(tables, found.payoffs.tolist()):
        first, *asked, last = lines
        assert first == {
            "type": "hello",
            "protocol": PROTOCOL,
            "table": first["table"],
            "game": "leduc",
            "title": "Leduc hold'em",
            "rules": guide_of(found.game),
            "version": 1,
            "options": {"players": 2, "ranks": 0},
            "seats": 2,
            "seat": 0,
            "seconds": 600.0,
        }
        assert asked
        for line in asked:
            assert line["type"] == "decide"
            assert set(line["view"]) >= {"card", "open", "moves"}
            assert line["text"].startswith("your card")
            assert line["picture"]["mine"]
            assert all(isinstance(move["move"], int) and move["text"] for move in line["moves"])
            assert 0 <= line["seed"] < 2**53
        assert (last["type"], last["payoffs"]) == ("result", payoffs)


def test_reasons_are_those_of_the_move_that_was_played(tmp_path):
    path = tmp_path / "logging.py"
    path.write_text(LOGGING)
    bot, table = hh.agent("kuhn", f"bot:{path}:{AT_EASE}"), hh.game("kuhn").deal(3)
    played = table.ask(bot)
    why = table.ask(bot, explain=True)
    assert (why.action, why.text, why.reasons) == (played.action, "bet", ["because", "of this"])
    assert Path(f"{path}.log").read_text().count('"decide"') == 1
    assert str(bot) == f"bot:{path}:time=600,start=600"
    bot.stop()
    assert gone(path)


def test_workers_leave_no_bot_behind_and_a_store_keeps_the_reasons(tmp_path, own_store):
    """Workers are killed; the silent bot takes no notice of anything."""
    silent = tmp_path / "silent.py"
    shutil.copy(EXAMPLES / "silent.py", silent)
    agents, store = [f"bot:{silent}:{AT_ONCE}", "random"], str(own_store)
    found = hh.match("kuhn", agents, games=3, workers=2, store=store, records=1)
    assert (found.payoffs == [-2.0, 2.0]).all()
    assert len(found.forfeits) == 3
    assert gone(silent)
    again = hh.match("kuhn", agents, games=3, store=store, resume=True, records=1)
    assert again.forfeits == found.forfeits
    record = again.records[0]
    assert record["given_up"] == [0, "silent.py did not answer within 0.2 seconds"]
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record))
    assert hh.load_record(path).replay().payoffs() == [-2.0, 2.0]


def test_at_the_terminal(tmp_path, monkeypatch, capsys):
    path = faulty(tmp_path, "sys.exit(3)")
    lines = iter(["5", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(lines))
    monkeypatch.chdir(tmp_path)
    assert main(["play", "tictactoe", "--against", f"bot:{path}:{AT_EASE}", "--seed", "1"]) == 0
    assert "player 2 lost (-1): player 2 could not go on: faulty.py ended with status 3." in capsys.readouterr().out


def test_a_server_runs_no_programs(tmp_path):
    path = faulty(tmp_path, "pass")
    visited = Resolver(Allowed([tmp_path]), strangers=True)
    for ask in (visited.agent, visited.character):
        with pytest.raises(UserError, match="programs are not run here"):
            ask(hh.game("kuhn"), "bot:faulty.py")
    assert path.exists()


def test_mistakes_are_said_in_one_line(tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("#!/bin/sh\n")
    for text, told in [
        ("bot:", "bot: needs a program after the colon"),
        ("bot:./nowhere", "there is no file ./nowhere"),
        (f"bot:{plain}", "is not executable: chmod"),
        (f"bot:{EXAMPLES / 'silent.py'}:speed=3", "bot has no parameter 'speed'"),
        (f"bot:{EXAMPLES / 'silent.py'}:time=never", "parameter time of bot must be a number"),
    ]:
        with pytest.raises(UserError, match=told):
            hh.agent("kuhn", text)


def test_what_everybody_gets_when_somebody_cannot_go_on(bids):
    def forfeited(seat, **changes):
        return Table(replace(hh.game(bids, players=4), **changes)).forfeited(seat)

    assert hh.game("kuhn").deal().forfeited(1) == [2.0, -2.0]
    assert forfeited(2) == [35.0, 35.0, 0.0, 35.0]
    assert forfeited(2, utility="cooperative") == [0.0] * 4
    assert forfeited(0, utility="zero-sum", payoffs=(-6.0, 6.0)) == [-6.0, 2.0, 2.0, 2.0]
    partners = copy.copy(hh.game(bids).rules)
    partners.side = lambda s, seat: seat % 2
    assert forfeited(0, utility="zero-sum", payoffs=(-6.0, 6.0), rules=partners) == [-6.0, 6.0, -6.0, 6.0]
    partners.side = lambda s, seat: seat == 3
    assert forfeited(0, utility="zero-sum", payoffs=(-6.0, 6.0), rules=partners) == [-2.0, -2.0, -2.0, 6.0]


MODEL = """import pathlib, sys
asked = sys.stdin.read()
log = pathlib.Path(__file__ + ".log")
log.write_text((log.read_text() if log.exists() else "") + asked + "=====")
print("I think about it." if REFUSES else "A king would bet.")
print("I say MOVE: bet" if REFUSES else "MOVE: BET")
"""


@pytest.mark.parametrize(
    ("refuses", "lost", "asked"),
    [("False", False, 1), ("'You answered' not in asked", False, 2), ("True", True, 3)],
    ids=["at once", "second answer", "never"],
)
def test_a_language_model_is_asked_again_and_then_loses(tmp_path, monkeypatch, refuses, lost, asked):
    model = tmp_path / "model.py"
    model.write_text(MODEL.replace("REFUSES", f"({refuses})"))
    monkeypatch.setenv("MODEL", f"{sys.executable} {model}")
    table = hh.game("kuhn").deal(seed=1)
    bot = hh.agent(table.game, f"bot:{EXAMPLES / 'language_model.py'}:{AT_EASE}")
    if lost:
        with pytest.raises(Forfeit, match="3 answers named no legal move"):
            table.ask(bot)
    else:
        decision = table.ask(bot)
        assert decision.text == "bet"
        assert decision.reasons == [f"answer {asked} of at most 3: A king would bet. MOVE: BET"]
    bot.stop()
    questions = (tmp_path / "model.py.log").read_text().split("=====")[:-1]
    assert len(questions) == asked
    assert "How to play" in questions[0]
    assert "- check\n- bet" in questions[0]
    assert all("It must be MOVE: and one of the legal moves" in each for each in questions[1:])


def test_a_language_model_needs_a_command(monkeypatch):
    monkeypatch.delenv("MODEL", raising=False)
    table = hh.game("kuhn").deal(seed=1)
    with pytest.raises(Forfeit, match="MODEL names the command"):
        table.ask(hh.agent(table.game, f"bot:{EXAMPLES / 'language_model.py'}:{AT_EASE}"))
