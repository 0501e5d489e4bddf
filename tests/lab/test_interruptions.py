"""Interrupted at random instants by SIGINT and SIGTERM and resumed until it is done, every kind of work gives byte
for byte what it gives without interruption.

INTERRUPTIONS=20 in the environment: so many for each kind of work, instead of a few.
"""

import contextlib
import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

INTERRUPTIONS = int(os.environ.get("INTERRUPTIONS", "3"))
SERVER = Path(__file__).parent.parent / "support" / "work_server.py"
AT_MOST = 100
"""Attempts to interrupt one kind of work: some come too late."""

WORKS = {
    "match": "match tictactoe random random --games 400000 --json",
    "match with a Python agent": "match tictactoe uct:simulations=50 random --games 60 --rotate --records 3 --json",
    "tournament": "tournament tictactoe random uct:simulations=20 alphabeta:depth=2 --games 60 --json",
    "train": "train hanabi reinforced --players 2 --games 1500 --output learned.npz --json",
    "tune": "tune hanabi trustful --players 2 --evaluations 10 --games 20 --output tuned.json --json",
    "evolve": "evolve dominion --model ranks --generations 2 --mutants 2 --hall 1 --output best.genome --json",
    "precalculate": "svarog precalculate dorban --depth 3 --output dorban.knowledge --json",
    "reproduce": "reproduce hanabi --games 2 --part 'Figure 6.4' --folder page --json",
}


class Server:
    """Another process that carries out commands (see `work_server`)."""

    def __init__(self):
        command = [sys.executable, str(SERVER)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, arguments, folder, here=False, interrupt=None):
        """Carry out a command, with a signal after some seconds: interrupt = (signal, seconds). The exit status."""
        folder.mkdir(exist_ok=True)
        order = {"arguments": arguments, "folder": str(folder), "here": here}
        print(json.dumps(order), file=self.process.stdin, flush=True)
        number = int(self.process.stdout.readline())
        if interrupt is not None:
            time.sleep(interrupt[1])
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, interrupt[0])
        return int(self.process.stdout.readline())

    def stop(self):
        self.process.stdin.close()
        self.process.wait(timeout=600)
        self.process.stdout.close()


@pytest.fixture
def server():
    started = Server()
    yield started
    started.stop()


def without_times(document):
    """A document without what depends on the clock."""
    if isinstance(document, dict):
        times = ("seconds", "games_per_second")
        return {name: without_times(value) for name, value in document.items() if name not in times}
    return list(map(without_times, document)) if isinstance(document, list) else document


def left_behind(folder):
    """Everything that a command has printed and written."""
    found = {"printed": without_times(json.loads(Path(f"{folder}.out").read_text()))}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "store.sqlite" not in path.name:
            name = str(path.relative_to(folder))
            if path.suffix == ".json":
                found[name] = without_times(json.loads(path.read_text()))
            elif path.suffix == ".html":
                found[name] = re.sub(r"\d+ (seconds|minutes)", "", path.read_text())
            else:
                found[name] = path.read_bytes()
    return found


@pytest.mark.parametrize("kind", WORKS)
def test_interrupted_and_resumed_equals_uninterrupted(kind, server, tmp_path):
    arguments = [*shlex.split(WORKS[kind]), "--store", "store.sqlite"]
    assert server.run(arguments, tmp_path / "first", here=True) == 0, (tmp_path / "first.err").read_text()
    start = time.perf_counter()
    assert server.run(arguments, tmp_path / "whole") == 0
    whole_time = time.perf_counter() - start
    whole = left_behind(tmp_path / "whole")
    assert left_behind(tmp_path / "first") == whole

    rng = random.Random(kind)
    interrupted = finished = 0
    resume = []
    folder = tmp_path / "parts"
    for attempt in range(AT_MOST):
        number = (signal.SIGINT, signal.SIGTERM)[attempt % 2]
        enough = interrupted >= INTERRUPTIONS
        when = None if enough else (number, rng.uniform(0.0, whole_time))
        status = server.run([*arguments, *resume], folder, interrupt=when)
        said = Path(f"{folder}.err").read_text()
        assert "Traceback" not in said, said
        if status == 0:
            assert left_behind(folder) == whole
            finished += 1
            if enough:
                break
            folder, resume = tmp_path / f"parts {finished}", []
        else:
            assert status in (128 + number, -signal.SIGTERM), (status, said)
            interrupted += 1
            resume = ["--resume"]
    print(f"{kind}: {interrupted} interruptions, {finished} times finished, {whole_time:.1f} s without one")
    assert interrupted >= INTERRUPTIONS
