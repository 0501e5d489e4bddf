"""A table for people starts uncompiled and changes over: the game goes on as if it had been compiled all along."""

import os
import subprocess
import sys

import pytest

from hiddenhand.core import resolver
from hiddenhand.core.background_compile import AT_ONCE, patiently
from hiddenhand.core.resolver import game
from hiddenhand.kernel.rule import Mode, in_mode, recheck_cache
from hiddenhand.search.uct import simulate

SCRIPT = """
import sys, time
from hiddenhand.core.background_compile import Background
from hiddenhand.core.session import Deal, Session
from hiddenhand.core import resolver
from hiddenhand.core.game import for_players
from hiddenhand.kernel.rule import Mode, Rule, set_mode

mode, name, *agents = sys.argv[1:]
set_mode(Mode(mode))
game = for_players(resolver.game(name), len(agents))
background, told = Background(), []
session = Session(Deal(game, 11), agents, pace=background)
background.prepare(game, agents)
changed = "never"
while not session.over:
    if mode == "plain until compiled" and len(session.steps) == 6:  # amid the game
        jobs = list(background.known.values())
        while not all(job.over for job in jobs):
            time.sleep(0.05)
        assert all(set(job.texts) <= job.ready for job in jobs), [job.ready for job in jobs]
    with session.agents.lend(game, agents[session.table.turn]) as agent:
        background.wait_for(agent, told.append)
        assert background.ready_for(agent) == ""
        action = session.decide(session.table, agent)
    session.play(action)
    if mode == "plain until compiled" and changed == "never" and game.rules.play.run == game.rules.play.run_if_loaded:
        changed = "later" if len(session.steps) > 6 else "at once"
print(session.table.history, session.table.payoffs())
print(changed, *told[:1], sep="\\n", file=sys.stderr)
"""


def played(mode, *order, **environment):
    command = [sys.executable, "-c", SCRIPT, mode, *order]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout, done.stderr.strip()


@pytest.mark.parametrize(
    "order",
    [("tictactoe", "random", "alphabeta:depth=2"), ("leduc", "random", "random")],
    ids=lambda order: order[0],
)
def test_a_game_that_changes_over_goes_on_as_a_compiled_one(order, tmp_path):
    """A search, hopeless uncompiled, waits for its own code, and says for what; the others begin at once."""
    patiently, said = played("plain until compiled", *order, HIDDENHAND_CACHE=str(tmp_path))
    assert played("compile", *order, HIDDENHAND_CACHE=str(tmp_path))[0] == patiently
    changed, *told = said.splitlines()
    assert changed != "never"
    assert [line.partition(":")[0] for line in told] == (
        ["compiling alphabeta, the first time only"] if "tictactoe" in order else []
    )


def test_a_large_game_is_the_same_uncompiled():
    order = ("hanabi", "trustful", "trustful")
    assert played("plain", *order) == played("compile", *order)


def test_what_waits_for_its_turn_is_not_begun_when_nobody_needs_it_any_more():
    with patiently() as background:
        for _ in range(AT_ONCE):
            background.places.acquire()
        background.prepare(game("kuhn"), ["random"])
    for _ in range(AT_ONCE):
        background.places.release()
    (job,) = background.known.values()
    job.run(background.places)
    assert job.process is None


@pytest.mark.parametrize("agent", ["uct:simulations=20", "uct:simulations=20,policy=high", "ismcts:simulations=20"])
def test_a_search_runs_compiled_as_soon_as_its_code_is_there(bids, agent):
    """With and without a policy that finishes its games: else it would be hundreds of times as slow, for ever."""
    decided = []
    for mode in (Mode.COMPILE, Mode.PLAIN_UNTIL_COMPILED):
        with in_mode(mode):
            recheck_cache()
            table = game("kuhn" if agent.startswith("ismcts") else bids).deal(seed=3)
            decided.append(table.ask(resolver.agent(table.game, agent)).action)
            searching = table.game.rules.bind(simulate)
            assert searching.run == (searching.entry if mode is Mode.COMPILE else searching.run_if_loaded)
    assert decided[0] == decided[1]
