"""Background: a table for people starts in plain Python at once; another process compiles what it needs meanwhile.

That process (this module as a program) plays a little with the same agents in the same game. What it compiles goes to
disk, and the rules of this process find it there: they change over in the middle of a game, which goes on exactly as
it would have (see `hiddenhand.kernel.rule`). Agents that are hopeless uncompiled (`heavy`) wait, and say for what.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import threading
import time
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any

from hiddenhand.core import resolver
from hiddenhand.core.agent import Agent, PolicyAgent
from hiddenhand.core.errors import UserError
from hiddenhand.core.files import Allowed, AnyFile, Files
from hiddenhand.core.game import Game
from hiddenhand.core.policy import Policy
from hiddenhand.core.processes import leave_with_parent, set_niceness
from hiddenhand.core.random_agent import random
from hiddenhand.core.session import Pace
from hiddenhand.core.text import Text
from hiddenhand.kernel.fingerprint import reach
from hiddenhand.kernel.rule import Mode, Rule, in_mode, recheck_cache

RULES, READY, EXPECTED, PART, FAILED = "rules", "ready", "expected", "part", "failed"
ASKED = 3  # decisions of each agent that are tried
FEW = 10  # functions, before which nothing can be said of the time
AT_ONCE = 2  # processes
NICENESS = 6  # people first
OF_A_SEARCH = 40  # functions that a search has of its own, about


@dataclass
class Compilation:
    """What another process compiles for one game and some agents, and how far it is."""

    game: str
    options: dict[str, Any]
    """The game by name, since this is kept: games themselves may be large."""
    texts: Sequence[str]
    files: Files
    """Which files that process may open: no others than this one."""
    started: float = field(default_factory=time.monotonic)
    parts: int = 0
    expected: int = 0
    ready: set[str] = field(default_factory=set)
    over: bool = False
    unwanted: bool = False
    """Nobody needs it any more."""
    process: subprocess.Popen[str] | None = None

    def run(self, places: threading.Semaphore) -> None:
        """In a thread: start the other process when there is a place for it, and take notice of what it says."""
        files = self.files
        folders = [str(folder) for folder in files.folders] if isinstance(files, Allowed) else None
        own = [str(folder) for folder in files.own] if isinstance(files, Allowed) else []
        order = json.dumps([self.game, self.options, list(self.texts), folders, own])
        with places:
            if self.unwanted:
                return
            self.process = subprocess.Popen(
                [sys.executable, "-c", "from hiddenhand.core.background_compile import main; main()", order],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                process_group=0,  # Ctrl-C is for the game; in a session of its own it would not stand back
            )
            set_niceness(self.process.pid, NICENESS)
            if self.unwanted:  # since a moment ago
                self.process.terminate()
            assert self.process.stdout is not None
            with self.process.stdout as lines:
                self.listen(lines)
            self.process.wait()
        self.over = True
        recheck_cache()

    def listen(self, lines: IO[str]) -> None:
        for line in lines:
            word, _, rest = line.rstrip("\n").partition(" ")
            if word == PART:
                self.parts += 1
            elif word == EXPECTED:
                self.expected = int(rest)
            elif word in (RULES, READY):
                self.ready.add(rest)
                recheck_cache()

    def told(self, who: str) -> str:
        """How far it is, for somebody who waits for an agent."""
        expected = max(self.expected, self.parts + 1)
        seconds = (time.monotonic() - self.started) / max(self.parts, 1) * (expected - self.parts)
        said = Text(
            "compiling {agent}, the first time only: {done} of about {n} functions",
            agent=who,
            done=self.parts,
            n=expected,
        )
        left = 5 * math.ceil(seconds / 5)
        return Text("{sentence}, some {seconds} s left", sentence=said, seconds=left) if self.parts > FEW else said


class Background(Pace):
    """When the agents of this process may begin to think: the pace of its sessions."""

    def __init__(self, files: Files | None = None) -> None:
        self.files = files or AnyFile()
        self.lock = threading.Lock()
        self.places = threading.Semaphore(AT_ONCE)
        self.known: dict[tuple[Hashable, str], Compilation] = {}

    def prepare(self, game: Game, texts: Sequence[str]) -> None:
        """Have compiled, by another process, what this game needs and these agents need in it."""
        if Rule.mode is not Mode.PLAIN_UNTIL_COMPILED:
            return
        with self.lock:
            kinds = dict.fromkeys(kind_of(game, text) for text in texts)
            new = [kind for kind in kinds if (key_of(game), kind) not in self.known]
            if new:
                job = Compilation(game.origin.spec, dict(game.options), new, self.files)
                self.known |= {(key_of(game), kind): job for kind in new}
                threading.Thread(target=job.run, args=(self.places,), daemon=True).start()

    def ready_for(self, agent: Agent | resolver.Character) -> str:
        """Empty if the agent may decide now; otherwise what it waits for."""
        if not agent.heavy or Rule.mode is not Mode.PLAIN_UNTIL_COMPILED:
            return ""
        kind = kind_of(agent.game, str(agent))
        self.prepare(agent.game, [kind])
        job = self.known[key_of(agent.game), kind]
        return "" if job.over or kind in job.ready else job.told(agent.name)

    def stop(self) -> None:
        """Nobody needs it any more."""
        for job in self.known.values():
            job.unwanted = True
            if job.process is not None and job.process.poll() is None:
                job.process.terminate()


@contextmanager
def patiently() -> Iterator[Background]:
    """Within it, rules run as plain Python until what the background compiles is there."""
    background = Background()
    with in_mode(Mode.PLAIN_UNTIL_COMPILED):
        try:
            yield background
        finally:
            background.stop()


def key_of(game: Game) -> Hashable:
    """What is compiled for a game: the same for all options that only fill in fields of its state."""
    return game.origin.spec, game.origin.contents, game.rules.key, game.rules.state, game.rules.view


def kind_of(game: Game, text: str) -> str:
    """An agent with the same compiled code and its usual settings: what is tried must not take long."""
    name = text.partition(":")[0]
    if name in resolver.PREFIXES:  # nothing of it is compiled
        return random.name
    file = resolver.FILE_AGENT.fullmatch(text)
    if file is not None and name.endswith(".py"):
        named = (file["rest"] or "").partition(":")[0]
        return f"{file['file']}:{named}" if named and "=" not in named else file["file"]
    kind = resolver.find_own(game, name)
    return f"{name}:{kind.example}" if isinstance(kind, Policy) and kind.reads is not None else name


def main() -> None:
    """The other process: `ORDER` is a game, its options and the texts of agents, as JSON."""
    from hiddenhand.kernel.numba_compat import compiler

    threading.Thread(target=leave_with_parent, daemon=True).start()
    spec, options, texts, folders, own = json.loads(sys.argv[1])
    if folders is not None:
        resolver.EVERYTHING.files = Allowed(folders, own)
    compiler().Part.watch = lambda name: say(PART, name)
    game = resolver.game(spec, options)
    agents = [resolver.agent(game, text) for text in ["random", *texts]]
    say(EXPECTED, str(expected_parts(game, agents)))
    for agent, text in zip(agents, ["", *texts]):
        try:
            rehearse(game, agent)
            say(READY, text) if text else say(RULES, "")
        except UserError as error:
            say(FAILED, str(error))


def expected_parts(game: Game, agents: Sequence[Agent]) -> int:
    """About how many functions will be compiled, if none is there yet."""
    found: set[Rule] = set()
    for rule in game.rules.table.values():
        found |= reach(rule)
    for agent in agents:
        if isinstance(agent, PolicyAgent):
            found |= reach(agent.policy.rule)
    return len(found) + OF_A_SEARCH * sum(not isinstance(agent, PolicyAgent) for agent in agents)


def say(word: str, rest: str) -> None:
    print(word, rest, flush=True)


def rehearse(game: Game, agent: Agent) -> None:
    """Let an agent decide, and explain, some positions of a game: all that is compiled on the way is kept."""
    table = game.deal(seed=1)
    for _ in range(ASKED):
        if table.over:
            break
        decision = table.ask(agent, explain=True)
        for seat in range(game.players):
            table.view(seat).imagine(table.view(seat).stream())
        table.play(decision.action)
    finished = game.deal(seed=2)
    while not finished.over and len(finished.history) < game.longest:
        actions = finished.legal_actions()
        finished.play(actions[len(actions) // 2])
    if finished.over:
        finished.payoffs()
        finished.metrics()
