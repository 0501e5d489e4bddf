"""Every kind of work: one plan for all faces; the same bytes alone, with workers, and on a cluster that loses one."""

import inspect
import json
import os
import signal
from contextlib import chdir
from dataclasses import fields

import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.lab.match_plan import MatchPlan
from hiddenhand.lab.plans import plan_fields
from hiddenhand.lab.runner import Running
from hiddenhand.lab.work_kinds import work_kind, work_kinds
from hiddenhand.lab.work_names import work_names

ORDERS = {
    "match": {"game": "kuhn", "agents": ["random", "cfr:iterations=10"], "games": 40, "duplicate": True},
    "tournament": {"game": "kuhn", "agents": ["random", "pimc:worlds=4", "cfr:iterations=10"], "games": 10},
    "tune": {"game": "connect_four", "agent": "alphabeta:depth=1", "evaluations": 3, "games": 8},
    "train": {"game": "snaps", "learner": "imitation", "games": 400, "teacher": "rules"},
    "evolve": {"game": "dominion", "model": "ranks", "generations": 2, "mutants": 2, "games": 20},
    "endgames": {"game": "checkers", "pieces": 3},
    "solve": {"game": "kuhn", "method": "mccfr-external", "iterations": 200},
    "exploitability": {"game": "kuhn", "agents": ["pimc:worlds=2"], "asked": 4},
    "precalculate": {"world": "tiger", "depth": 2, "granularity": 3},
    "reproduce": {"name": "hanabi", "games": 2, "part": "Figure 6.4"},
}
"""Small work of every kind."""
FILES = {
    "tune": ".json",
    "train": ".npz",
    "evolve": ".genome",
    "endgames": ".npz",
    "solve": ".npz",
    "precalculate": ".svarog",
}


@pytest.fixture(autouse=True)
def few_games(monkeypatch):
    monkeypatch.setattr("hiddenhand.lab.evolution.plan.MEASURED_GAMES", 40)
    monkeypatch.setattr("hiddenhand.lab.evolution.plan.TESTED_GAMES", 40)
    monkeypatch.setattr("hiddenhand.learning.learner.Learner.trial_games", 40)
    monkeypatch.setattr("hiddenhand.learning.learner.Learner.test_games", 40)
    monkeypatch.setattr("hiddenhand.games.snaps.learning.Imitation.step", 200)


def done(name, folder, workers=1, cluster=None, progress=None):
    """What comes of some work: its result without times, and the files that it writes."""
    folder.mkdir(exist_ok=True)
    kind = work_kind(name)
    output = f"out{FILES[name]}" if name in FILES else "." if kind.output else ""
    running = Running(progress=progress, output=output)
    with chdir(folder):
        result = kind.run(kind.planned(**ORDERS[name]), running, workers, cluster).to_json()
    written = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in FILES.values()}
    if name == "tune":
        written = {}  # its document holds the time that it took
    return plain(result), written


def plain(found):
    """A result without times and paths."""
    if isinstance(found, dict):
        timed = ("seconds", "games_per_second", "output", "agent", "command", "page", "pages")
        return {name: plain(value) for name, value in found.items() if name not in timed}
    return [plain(value) for value in found] if isinstance(found, list | tuple) else found


def test_there_is_an_order_for_every_kind():
    assert set(ORDERS) == set(work_names())
    assert [kind.name for kind in work_kinds()] == list(work_names())


@pytest.mark.parametrize("name", work_names())
def test_what_a_list_says_of_a_kind_is_what_the_kind_says(name):
    kind = work_kind(name)
    assert inspect.cleandoc(kind.__doc__).partition("\n\n")[0].replace("\n", " ") == work_names()[name].summary
    assert [field.name for field in plan_fields(kind.plan)] == [field.name for field in fields(kind.plan)]
    signature = inspect.signature(kind)
    assert {"workers", "cluster", "store", "resume", "progress"} <= set(signature.parameters)


@pytest.mark.parametrize("name", ORDERS)
def test_two_processes_give_the_same_bytes(name, tmp_path):
    assert done(name, tmp_path / "alone") == done(name, tmp_path / "together", workers=2)


def test_a_cluster_that_loses_a_worker_gives_the_same_bytes(tmp_path):
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": "CRITICAL"}
    with distributed.LocalCluster(**options) as cluster:
        for name in ("evolve", "tune", "reproduce", "endgames", "train", "tournament"):
            killed = []

            def kill_one(done, wanted, killed=killed):
                if done and not killed:
                    killed.append(next(iter(cluster.workers.values())).pid)
                    os.kill(killed[0], signal.SIGKILL)

            there = done(name, tmp_path / f"{name} there", cluster=cluster.scheduler_address, progress=kill_one)
            here = done(name, tmp_path / name)
            assert killed, name
            assert json.dumps(there[0], default=str) == json.dumps(here[0], default=str), name
            assert there[1] == here[1], name


def test_arguments_in_python():
    found = work_kind("match")
    plan = found.planned("kuhn", ["random", "random"], 10, rotate=True)
    assert (plan.game.name, plan.games, plan.seating) == ("kuhn", 10, "rotate")
    assert isinstance(plan, MatchPlan)
    assert found.planned("hanabi", ["trustful"] * 3).game.players == 3
    with pytest.raises(TypeError, match="given games twice"):
        found.planned("kuhn", ["random", "random"], 10, games=20)
    with pytest.raises(TypeError, match="takes 8 positional arguments"):
        found.planned(*range(9))
    with pytest.raises(TypeError, match="precalculate has no argument players"):
        work_kind("precalculate").planned("tiger", players=2)
    with pytest.raises(UserError, match="rotate and duplicate exclude each other"):
        found.planned("kuhn", ["random", "random"], rotate=True, duplicate=True)
    with pytest.raises(UserError, match="kuhn has no option 'gaems'"):
        found.planned("kuhn", ["random", "random"], gaems=20)


def test_an_unknown_kind():
    with pytest.raises(UserError, match=r"no work called 'mach'.*match"):
        work_kind("mach")
