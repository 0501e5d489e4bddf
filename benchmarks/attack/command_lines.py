"""Hostile command lines: whatever is typed, the answer is one line and an exit status, never a traceback.

    python benchmarks/attack/command_lines.py --lines 3000 --seed 1

Lines are put together at random from commands, real names and spoilt ones, impossible numbers, and files that are
damaged, foreign, endless, missing or not ours; each is carried out in a copy of this process, in a folder of its own,
within a few seconds. Told are the lines that ended in a traceback, with a signal, or with another status than they
should. The status of this program is 1 if there were any.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

SECONDS = 8
"""For one line; then it is broken off, which is no fault."""
FINE = {0, 1, 2, 130}
GAMES = ["tictactoe", "kuhn", "leduc", "hanabi", "dominion", "snaps", "dorban", "tiger", "tree", "connect_four"]
AGENTS = ["random", "alphabeta:depth=1", "uct:simulations=5", "pimc", "cfr", "trustful", "bigmoney", "rules"]
NUMBERS = ["0", "-1", "1", "3", "1e9", "99999999999999999999999", "0x10", "nan", "inf", "", " ", "1.5", "٣", "1_000"]
NASTY = [
    "", " ", "-", "--", "=", ":", "::", ",", "name=", "games=5", "game=x", "self=1", "players=3", "players=9999999",
    "depth=", "a" * 300, "é" * 200, "\udc80\udcff", "\x01\x1b[2J", "../../../etc/passwd", "/dev/zero", "/dev/full",
    "random:random", "random:x=1", "alphabeta:depth=1e99", "uct:time=nan", "planner:knowledge=/dev/zero", "{}", "%s",
    "{0.__class__}", "https://example.org", "sqlite:///x", "postgresql://nobody@nowhere/none", "folder", "file.json",
    "file.npz", "file.svarog", "file.pomdp", "file.tree", "file.py", "bad.py", "bad.json", "bad.svarog", "bad.tree",
    "store.sqlite", "bad.sqlite", "foreign.sqlite", "locked", "loop", "missing/deeper/file", "~",
]  # fmt: skip
COMMANDS = {
    "games": [],
    "agents": ["game"],
    "version": [],
    "play": ["game"],
    "match": ["game", "agent", "agent"],
    "tournament": ["game", "agent", "agent"],
    "explain": ["word"],
    "trace": ["game", "agent"],
    "train": ["game", "word"],
    "tune": ["game", "agent"],
    "evolve": ["game"],
    "svarog": ["verb", "word"],
    "perft": ["game", "number"],
    "records": ["word"],
    "bench": ["word"],
    "reproduce": ["word"],
    "serve": [],
}


def all_options() -> dict[str, list[tuple[str, bool]]]:
    """For every command its options, and whether they take a value; svarog's verbs are commands of their own."""
    import typer

    from hiddenhand.cli import make_app

    def of(command: Any) -> list[tuple[str, bool]]:
        named = [param for param in command.params if param.param_type_name == "option"]
        return [(param.opts[0], not param.is_flag) for param in named]

    commands = typer.main.get_command(make_app()).commands
    verbs = commands["svarog"].commands
    return {name: of(command) for name, command in commands.items()} | {
        f"svarog {verb}": of(command) for verb, command in verbs.items()
    }


def spoil(folder: Path, draw: random.Random) -> None:
    """The files that lines may name."""
    (folder / "folder").mkdir()
    for suffix in ("json", "npz", "svarog", "pomdp", "tree", "py", "sqlite"):
        (folder / f"bad.{suffix}").write_bytes(draw.randbytes(draw.choice([0, 1, 100, 5000])))
    (folder / "file.json").write_text('{"format": "hiddenhand record", "game": "tictactoe", "seed": 1e30}')
    (folder / "file.npz").write_bytes(b"PK\x03\x04" + draw.randbytes(50))
    (folder / "file.svarog").write_text("values { value x; }\nvariables { input variable a:{x}; }")
    (folder / "file.pomdp").write_text("discount: 0.95\nvalues: reward\nstates: 2\nactions: 1\nobservations: 1\n")
    (folder / "file.tree").write_text("(" * 600 + "1" + ")" * 600)
    (folder / "file.py").write_text("raise SystemExit('no')" if draw.random() < 0.5 else "x = 1/0")
    (folder / "foreign.sqlite").touch()
    import sqlite3

    with sqlite3.connect(folder / "foreign.sqlite") as foreign:
        foreign.execute("create table works (whatever text)")
        foreign.execute("create table tables (whatever text)")
    foreign.close()
    (folder / "locked").mkdir(mode=0o500)
    (folder / "loop").symlink_to("loop")


def some_line(draw: random.Random, options: dict[str, list[tuple[str, bool]]]) -> list[str]:
    """A command with its arguments and some options, a few of them spoilt."""
    command = draw.choice(list(COMMANDS))
    verbs = [name.partition(" ")[2] for name in options if " " in name]
    words = {"game": GAMES, "agent": AGENTS, "number": NUMBERS, "word": GAMES + NASTY, "verb": verbs}
    line = [command if draw.random() < 0.98 else draw.choice(NASTY)]
    for kind in COMMANDS[command]:
        line.append(draw.choice(words[kind] if draw.random() < 0.85 else NASTY + NUMBERS))
    known = options.get(" ".join(line[:2])) or options[command]
    for _ in range(draw.randrange(3) if known else 0):
        name, takes_value = draw.choice(known)
        line.append(name)
        if takes_value:
            line.append(draw.choice(draw.choice([NASTY, NUMBERS, NUMBERS, GAMES, AGENTS])))
    return line


def carry_out(line: list[str], folder: Path, said: Path, spoilt_input: bytes, full: bool) -> None:
    """In the copy: the line, with its output into a file (or into a device that is full)."""
    os.setpgid(0, 0)
    os.chdir(folder)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    read, write = os.pipe()
    os.write(write, spoilt_input)
    os.close(write)
    os.dup2(read, 0)
    out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(out, 2)
    os.dup2(os.open("/dev/full", os.O_WRONLY) if full else out, 1)
    sys.stdin, sys.stdout = (os.fdopen(n, mode, closefd=False) for n, mode in enumerate("rw"))
    sys.stderr = os.fdopen(2, "w", errors="backslashreplace", closefd=False)  # as Python has it
    sys.argv = ["hiddenhand", *line]
    signal.alarm(SECONDS)
    from hiddenhand.cli import main

    sys.exit(main())


def status_of(process: int) -> int:
    """Its exit status, or minus the signal that ended it; what it started is ended too."""
    number = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
    return number


def trouble(status: int, said: str) -> str:
    """What is wrong with an answer; empty if nothing is."""
    if status == -signal.SIGALRM:
        return ""
    if "Traceback" in said:
        return "a traceback"
    if status not in FINE:
        return f"status {status}"
    if status == 2 and not said.strip():
        return "no word"
    if status == 2 and len([text for text in said.splitlines() if text.startswith("error:")]) > 1:
        return "several errors"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description="Try hostile command lines.")
    parser.add_argument("--lines", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    faulthandler.disable()
    home = Path(tempfile.mkdtemp(prefix="attack-"))
    os.environ |= {"HOME": str(home), "HIDDENHAND_STORE": str(home / "store" / "store.sqlite"), "DISPLAY": ""}
    import hiddenhand.cli
    import hiddenhand.lab.match  # noqa: F401  (once for all copies)

    options = all_options()
    faults, statuses, started = [], Counter[int](), time.monotonic()
    for number in range(chosen.lines):
        draw = random.Random(f"{chosen.seed} {number}")
        folder, said = home / "work", home / "said"
        folder.mkdir()
        spoil(folder, draw)
        line, full, spoilt = some_line(draw, options), draw.random() < 0.03, draw.randbytes(draw.choice([0, 20, 200]))
        copy = os.fork()
        if copy == 0:
            status = 1
            try:
                carry_out(line, folder, said, spoilt, full)
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else 1
            except BaseException:
                sys.excepthook(*sys.exc_info())
            finally:
                for stream in (sys.stderr, sys.stdout):
                    with suppress(OSError):
                        stream.flush()
                os._exit(status)
        status = status_of(copy)
        text = said.read_text(errors="replace") if said.exists() else ""
        statuses[status] += 1
        if found := trouble(status, text):
            faults.append(found)
            print(f"{found}: {line!r}{' > /dev/full' if full else ''}\n    {text.strip()[-600:]}", flush=True)
        (folder / "locked").chmod(0o700)
        shutil.rmtree(folder)
    seconds = time.monotonic() - started
    print(f"{chosen.lines} lines in {seconds:.0f} s, statuses {dict(sorted(statuses.items()))}: {len(faults)} failed")
    shutil.rmtree(home, ignore_errors=True)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
