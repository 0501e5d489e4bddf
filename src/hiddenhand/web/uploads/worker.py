"""The process that checks what visitors bring, one text at a time; addresses take turns, and it can be stopped."""

from __future__ import annotations

import asyncio
import logging
import math
import signal
import threading
import time
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection

from hiddenhand.core.resolver import EVERYTHING, Resolver
from hiddenhand.core.text import Text
from hiddenhand.kernel.rule import Mode, set_mode
from hiddenhand.lab.executors import leave_with_parent
from hiddenhand.web.errors import TooManyRequests
from hiddenhand.web.schemas.outgoing import CheckInfo
from hiddenhand.web.security.limits import Limits
from hiddenhand.web.uploads.check import agent_languages, check, wrong
from hiddenhand.web.workers.fair_queue import FairQueue
from hiddenhand.web.workers.memory import MB, TOO_LARGE, leave_when_too_large
from hiddenhand.web.workers.pool import GRACE, UNUSED, Worker
from hiddenhand.web.workers.process import READY
from hiddenhand.web.workers.threads import in_a_thread

LOG = logging.getLogger("hiddenhand.web")
NICENESS = 4
LOST = Text("it could not be read; try again")
LANGUAGES = (
    "hiddenhand.games.tree",
    "hiddenhand.planning.language.checking",
    "hiddenhand.planning.play.pomdp_game",
    "hiddenhand.planning.play.world_game",
)
OF_ADDRESS, OF_ALL = 6, 48
"""How many texts may wait, of one address and of all."""


@dataclass(eq=False)
class PendingCheck:
    """A text that waits to be read."""

    kind: str
    text: str
    most: float
    """Seconds of work that the check may take."""
    answer: asyncio.Future[CheckInfo]


def read_texts(pipe: Connection, resolver: Resolver, mode: Mode, memory: int) -> None:
    """The main function of the process: check one text after the other. `memory`: the bytes that it may take up."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    threading.Thread(target=leave_with_parent, daemon=True).start()
    threading.Thread(target=leave_when_too_large, args=(memory,), daemon=True).start()
    EVERYTHING.files = resolver.files
    set_mode(Mode.PLAIN)  # what is read once is not worth compiling
    for module in LANGUAGES:  # which take a while
        import_module(module)
    agent_languages()
    pipe.send(READY)
    while True:
        try:
            kind, text = pipe.recv()
        except (EOFError, OSError):
            return
        started = time.thread_time()
        try:
            found = check(kind, text, resolver)
        except MemoryError:
            found = wrong(too_much(memory))
        except Exception as error:
            found = wrong(Text("it cannot be read: {error}", error=f"{type(error).__name__}: {error}"))
        pipe.send((found, time.thread_time() - started))


def too_long(seconds: float) -> str:
    return Text("reading it takes longer than {n:g} s; make it smaller", n=seconds)


class CheckingWorker(Worker):
    """A worker process that checks texts."""

    work = staticmethod(read_texts)


def too_much(memory: int) -> str:
    return Text("reading it needs more than {n} MB of memory, which nobody is given here", n=memory // MB)


class UploadChecker:
    """Checks the texts that visitors bring, one after the other, in a worker process of its own."""

    def __init__(self, resolver: Resolver, limits: Limits) -> None:
        self.worker = CheckingWorker(resolver, NICENESS, limits.reader_memory * MB)
        self.seconds, self.memory = limits.reading, limits.reader_memory * MB
        self.queue: FairQueue[PendingCheck] = FairQueue()
        self.waiting: dict[str, int] = {}
        self.reading: asyncio.Task[None] | None = None

    def prepare(self) -> None:
        """Start the process, which takes a while, because somebody is about to write a text."""
        self.worker.used = time.monotonic()
        in_a_thread(self.worker.start)

    async def check(self, kind: str, text: str, address: str, most: float = math.inf) -> CheckInfo:
        """Check a text as soon as it is this address's turn.

        most   seconds of work that reading it may take; fewer than usual where the server itself will read it again
        """
        if self.waiting.get(address, 0) >= OF_ADDRESS or sum(self.waiting.values()) >= OF_ALL:
            raise TooManyRequests(Text("too many texts are being read; try again in a moment"))
        pending = PendingCheck(kind, text, most, asyncio.get_running_loop().create_future())
        self.waiting[address] = self.waiting.get(address, 0) + 1
        self.queue.add(pending, address)
        if self.reading is None:
            self.reading = asyncio.create_task(self.read_all())
        try:
            return await pending.answer
        finally:
            self.queue.remove(pending)
            self.waiting[address] -= 1
            if not self.waiting[address]:
                del self.waiting[address]

    async def read_all(self) -> None:
        """Check one text after the other, addresses in turn, until none waits."""
        try:
            while (pending := self.queue.take(lambda pending: True)) is not None:
                try:
                    found = await self.read(pending)
                except Exception:  # nobody may wait for ever, and the next text is read all the same
                    LOG.exception("a text could not be read")
                    found = wrong(LOST)
                if not pending.answer.done():
                    pending.answer.set_result(found)
        finally:
            self.reading = None

    async def read(self, pending: PendingCheck) -> CheckInfo:
        """Check one text; if that takes too long, the process is ended, and a new one begins with the next text."""
        self.worker.used = time.monotonic()
        try:
            await in_a_thread(self.worker.start)
            talk = in_a_thread(self.worker.exchange, (pending.kind, pending.text))
            found, worked = await asyncio.wait_for(asyncio.shield(talk), self.seconds)
            return found if worked <= pending.most else wrong(too_long(pending.most))
        except TimeoutError:
            await in_a_thread(self.worker.end)
            return wrong(too_long(self.seconds))
        except (EOFError, OSError):
            status = await in_a_thread(self.worker.end, GRACE)
            return wrong(too_much(self.memory) if status == TOO_LARGE else LOST)

    def tidy(self) -> None:
        """End the process if nobody has needed it for a while."""
        if self.reading is None and time.monotonic() - self.worker.used > UNUSED:
            self.worker.end()

    def close(self) -> None:
        if self.reading is not None:
            self.reading.cancel()
        self.worker.end()
