"""Tests keep to themselves: the user's store and cache are not touched."""

import gc
import os
from contextlib import nullcontext
from pathlib import Path

import pytest

# Before anything is imported that compiles. The cache is kept from run to run: compiling takes time. Every index
# is checked: one that leaves its array is an error here, and not a number that happens to lie beside it.
os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")
os.environ.setdefault("NUMBA_OPT", "1")  # most of the time goes into compiling, little into what was compiled
os.environ.setdefault("NUMBA_LOOP_VECTORIZE", "0")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # there is a worker for each core: more threads wait for one another
os.environ["HIDDENHAND_CACHE"] = str(Path(__file__).parent.parent / ".pytest_cache" / "compiled")

# Thousands of tests in one process keep much in use: looking for garbage in it took a tenth of the time.
gc.set_threshold(50_000, 20, 50)

BIDS = '''"""Bids: each player in turn bids 0, 1 or 2; 2 gets the prize of the deal, later seats a bonus."""

import numpy as np

from hiddenhand.core.game import define
from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.kernel import OVER, below, draw, record_type, rule

STATE = record_type([("players", "i8"), ("mover", "i8"), ("prize", "i8"), ("bids", "i1", (4,))])


MEMORY = record_type([("moves", "i8")])


@rule
def deal(s, rng):
    s.mover = 0
    s.prize = 1 + below(rng, 5)
    for seat in range(4):
        s.bids[seat] = 0


@rule
def turn(s):
    return OVER if s.mover == s.players else s.mover


@rule
def legal(s, out):
    for bid in range(3):
        out[bid] = bid
    return 3


@rule
def play(s, action, rng):
    s.bids[s.mover] = action
    s.mover += 1


@rule
def payoff(s, out):
    for seat in range(s.players):
        out[seat] = 10.0 * seat + (s.prize if s.bids[seat] == 2 else 0)


@rule
def measure(s, out):
    out[0] = s.prize


@policy("bids 0")
def low(view, seat, actions, memory, parameters, rng):
    return actions[0]


@policy("bids 2")
def high(view, seat, actions, memory, parameters, rng):
    return actions[len(actions) - 1]


@policy("bids at random, after much work", settings={"work": Setting(1000, "draws", low=1)})
def slow(view, seat, actions, memory, parameters, rng):
    total = np.uint64(0)
    for _ in range(parameters.work):
        total += draw(rng)
    return np.int64(total % np.uint64(3))


@policy("counts its own moves and knows the prize", memory=MEMORY, cheats=True)
def cheat(state, seat, actions, memory, parameters, rng):
    memory.moves += 1
    return actions[2] if state.prize > 2 and memory.moves == 1 else actions[1]


@policy("does not know the rules")
def wrong(view, seat, actions, memory, parameters, rng):
    return 7


GAME = define(
    "bids", title="Bids", state=STATE, rules=(deal, turn, legal, play, payoff, measure),
    agents=(low, high, slow, cheat, wrong), most_actions=3, longest=4, players=(2, 4), chance=("deal",),
    utility="general", payoffs=(0.0, 35.0), metrics=("prize",),
)
'''


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    """Every test has a store of its own."""
    path = tmp_path / "store" / "store.sqlite"
    monkeypatch.setenv("HIDDENHAND_STORE", str(path))
    return path


@pytest.fixture
def kept(own_store):
    """The file in which a game at the terminal was kept last."""
    return lambda: max((own_store.parent / "games").glob("*.json"), key=lambda path: path.stat().st_mtime_ns)


@pytest.fixture(autouse=True)
def compiled_as_before():
    """No test may leave the process uncompiled to those after it: they would check something else, and take long."""
    from hiddenhand.kernel.rule import Rule

    before = Rule.mode
    yield
    assert Rule.mode is before


@pytest.fixture
def bids(tmp_path):
    """The path of a little game with two to four players, in a file of its own."""
    path = tmp_path / "bids.py"
    path.write_text(BIDS)
    return str(path)


@pytest.fixture
def compiled_here(monkeypatch):
    """Tables at the terminal run code that is compiled in this process, where other tests have had most of it made.

    (Each would start a process that compiles beside it: `test_background`, and one whole game in `test_play`.)
    """
    monkeypatch.setattr("hiddenhand.core.background_compile.in_mode", lambda mode: nullcontext())


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server of the page."""
    from web_server import serving

    with serving(tmp_path_factory.mktemp("tables")) as found:
        yield found


@pytest.fixture(scope="module")
def browser():
    from browsing import chromium

    with chromium() as found:
        yield found


@pytest.fixture
def person(browser, site):
    """Somebody with a browser."""
    from browsing import Person

    someone = Person(browser, site)
    yield someone
    someone.close()
