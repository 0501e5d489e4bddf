"""A table for people starts uncompiled and changes over: the game goes on as if it had been compiled all along."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import sys, time
from hiddenhand.core.background import Background
from hiddenhand.core.session import Deal, Session
from hiddenhand.core import resolver
from hiddenhand.kernel.rule import Mode, Rule, set_mode

mode, name, *agents = sys.argv[1:]
set_mode(Mode(mode))
game = resolver.game(name).for_players(len(agents))
background = Background()
session = Session(Deal(game, 11), agents, pace=background)
background.prepare(game, agents)
changed = "never"
while not session.over:
    if mode == "patient" and len(session.steps) == 6:  # amid the game
        jobs = list(background.known.values())
        while not all(job.over for job in jobs):
            time.sleep(0.05)
        assert all(set(job.texts) <= job.ready for job in jobs), [job.ready for job in jobs]
    with session.agents.lend(game, agents[session.table.turn]) as agent:
        action = session.decide(session.table, agent)
    session.play(action)
    if mode == "patient" and changed == "never" and game.rules.play.run == game.rules.play.run_if_loaded:
        changed = "later" if len(session.steps) > 6 else "at once"
print(session.table.actions, session.table.payoffs())
print(changed, file=sys.stderr)
"""


def played(mode, *order, cache):
    environment = {**os.environ, "HIDDENHAND_CACHE": str(cache)}
    command = [sys.executable, "-c", SCRIPT, mode, *order]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout, done.stderr.strip()


@pytest.mark.parametrize(
    "order",
    [("kuhn", "random", "random"), ("connect_four", "random", "alphabeta:depth=3"), ("leduc", "random", "random")],
    ids=lambda order: order[0],
)
def test_a_game_that_changes_over_goes_on_as_a_compiled_one(order, tmp_path):
    patiently, changed = played("patient", *order, cache=tmp_path)
    assert played("compile", *order, cache=tmp_path)[0] == patiently
    assert (changed == "never") == (order[0] == "kuhn")  # which is over before; a search waits for its own code


@pytest.mark.slow
def test_a_large_game_too(tmp_path):
    order = ("hanabi", "trustful", "trustful")
    patiently, changed = played("patient", *order, cache=tmp_path)
    assert changed == "later"
    assert played("compile", *order, cache=tmp_path)[0] == patiently


def test_a_heavy_agent_waits_and_says_for_what(tmp_path, monkeypatch):
    code = """
from hiddenhand.core.background import Background
from hiddenhand.core import resolver
from hiddenhand.kernel.rule import Mode, set_mode
set_mode(Mode.PATIENT)
background, told = Background(), []
agent = resolver.agent("tictactoe", "alphabeta:depth=2")
background.wait_for(agent, told.append)
assert told and "compiling alphabeta, the first time only" in told[0], told
assert background.ready_for(agent) == ""
assert background.ready_for(resolver.agent("tictactoe", "random")) == ""
"""
    environment = {**os.environ, "HIDDENHAND_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
