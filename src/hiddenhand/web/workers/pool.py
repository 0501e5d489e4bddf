"""The governor: a few processes think for everybody; who is next is fair, and nobody may think for ever.

They are crews, some for those who think shortly and some for those who think long. Who has thought longer than the
share of a crew gives way if others wait, and begins anew with the next crew. People who wait go before agents among
themselves, and of those who are equal each address has its turn, and each of its tables. What takes too long, or what
nobody waits for any more, is stopped by ending its process; a fresh one takes its place.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from hiddenhand.core.errors import UserError
from hiddenhand.core.processes import stand_back
from hiddenhand.core.resolver import Resolver
from hiddenhand.kernel.rule import Rule
from hiddenhand.lab.executors import unnoticed_by_children
from hiddenhand.web.workers.fair_queue import FairQueue
from hiddenhand.web.workers.memory import MB, TOO_LARGE
from hiddenhand.web.workers.process import TaskResult, WorkerTask, think
from hiddenhand.web.workers.threads import in_a_thread

TICK = 0.2
"""Seconds between two looks at what is being thought about."""
GRACE = 1.0
"""Seconds that are left to an answer when nobody waits for it any more; another process is dearer."""
UNUSED = 300.0
"""Seconds after which a process that nobody needs ends."""
MOST_SHOWN = 80
ADVICE = "ask for less depth, time or simulations"


class TimeLimitExceeded(UserError):
    """Thinking was stopped because it took too long."""


class Preempted(TimeLimitExceeded):
    """Thinking was stopped because others waited."""


class WorkerFailed(Exception):
    """Something went wrong in the process, as its traceback says."""


@dataclass(frozen=True)
class Requester:
    """Where an order comes from."""

    address: str
    table: str
    waits: Callable[[], bool]
    """Whether a person waits for the answer."""


@dataclass(eq=False)
class PendingTask:
    """An order on its way."""

    order: WorkerTask
    whose: Requester
    limit: float
    suits: Callable[[], bool]
    """Whether it still belongs to this crew, by what has become known of its agent."""
    answer: asyncio.Future[TaskResult]
    began: float = 0.0
    left: float | None = None
    """Since when nobody waits for it."""
    again: bool = False
    """It has failed once, and is tried in a fresh process."""


class Worker:
    """One process that thinks; it is started when it is needed, and can be ended at any time."""

    work: Callable[..., None] = staticmethod(think)
    """What the process does."""

    def __init__(self, resolver: Resolver, politeness: int, memory: int) -> None:
        self.details = (resolver, Rule.mode, memory)
        self.politeness = politeness
        self.process: Any = None
        self.line: Any = None
        self.known: set[tuple[str, str]] = set()
        """The games and agents that it was asked for."""
        self.used = time.monotonic()
        self.starting = threading.Lock()

    def exchange(self, order: Any) -> Any:
        """In a thread: the answer to an order; EOFError or OSError if the process is gone."""
        self.line.send(order)
        return self.line.recv()

    def start(self) -> None:
        """In a thread: start the process unless it runs already, and wait until it is ready."""
        with self.starting:
            if self.process is None:
                fresh = multiprocessing.get_context("spawn")
                self.line, far_end = fresh.Pipe()
                process: Any = fresh.Process(target=self.work, args=(far_end, *self.details), daemon=True)
                with unnoticed_by_children():
                    process.start()
                stand_back(process.pid, self.politeness)
                far_end.close()
                self.process = process
                self.line.recv()

    def end(self, seconds: float = 0.0) -> int | None:
        """End the process, if there is one; its exit status, if it has ended by itself in so many seconds."""
        process, self.process, self.known = self.process, None, set()
        if process is None:
            return None
        process.join(seconds)
        status: int | None = process.exitcode
        process.kill()
        process.join()
        return status


@dataclass(frozen=True)
class PoolConfig:
    """On what terms a crew thinks."""

    places: int
    share: float
    """Seconds after which one that thinks on gives way if others wait."""
    politeness: int
    """How far it stands back when the processor is busy."""
    of_address: int
    """Places that one address may take up at once."""


class WorkerPool:
    """Some processes, and the orders that wait for them."""

    def __init__(self, terms: PoolConfig, resolver: Resolver, memory: int) -> None:
        self.terms = terms
        self.memory = memory
        self.idle = [Worker(resolver, terms.politeness, memory) for _ in range(terms.places)]
        self.thinkers = list(self.idle)
        self.queue: FairQueue[PendingTask] = FairQueue()
        self.busy: dict[asyncio.Task[None], PendingTask] = {}
        self.closed = False

    async def ask(
        self, order: WorkerTask, whose: Requester, limit: float, suits: Callable[[], bool] = lambda: True
    ) -> TaskResult:
        """The answer to an order, in at most so many seconds; whoever is cancelled while waiting gives it up."""
        errand = PendingTask(order, whose, limit, suits, asyncio.get_running_loop().create_future())
        self.queue.add(errand, whose.address, whose.table)
        self.go_on()
        try:
            answer = await errand.answer
        except asyncio.CancelledError:
            self.queue.remove(errand)
            raise
        if answer.failure:
            raise WorkerFailed(answer.failure)
        if answer.error:
            raise UserError(answer.error)
        return answer

    def prepare(self) -> None:
        """Somebody will ask soon: have a process started."""
        if self.idle and all(thinker.process is None for thinker in self.thinkers):
            in_a_thread(self.start, self.idle[0])

    def start(self, thinker: Worker) -> None:
        """In a thread."""
        thinker.start()
        if self.closed:
            thinker.end()

    # ---- who is next

    def go_on(self) -> None:
        """Give work to whoever has none."""
        while self.idle and (errand := self.next()) is not None:
            wanted = known_as(errand.order)
            thinker = max(self.idle, key=lambda each: (wanted in each.known, each.process is not None))
            self.idle.remove(thinker)
            thinker.known.add(wanted)
            task = asyncio.get_running_loop().create_task(self.carry_out(thinker, errand))
            self.busy[task] = errand
            task.add_done_callback(partial(self.come_back, thinker))

    def next(self) -> PendingTask | None:
        """Who has a place next, if somebody may; who does not belong here any more is sent on."""
        while True:
            errand = self.queue.take(lambda each: each.whose.waits() and self.has_place(each.whose))
            errand = errand or self.queue.take(lambda each: self.has_place(each.whose))
            if errand is None or errand.suits():
                return errand
            settle(errand.answer, Preempted("others think shorter"))

    def has_place(self, whose: Requester) -> bool:
        """Whether the address may have another place now, so that others find one too."""
        taken = sum(errand.whose.address == whose.address for errand in self.busy.values())
        return taken < self.terms.of_address

    def come_back(self, thinker: Worker, task: asyncio.Task[None]) -> None:
        del self.busy[task]
        thinker.used = time.monotonic()
        self.idle.append(thinker)
        self.go_on()

    # ---- thinking, and the end of it

    async def carry_out(self, thinker: Worker, errand: PendingTask) -> None:
        """Have an order answered, or stop it for a reason."""
        reason: TimeLimitExceeded | None = None
        try:
            await in_a_thread(self.start, thinker)
            errand.began = time.monotonic()
            talk = in_a_thread(thinker.exchange, errand.order)
            while reason is None and not talk.done():
                await asyncio.wait({talk}, timeout=TICK)
                reason = None if talk.done() else self.objection(errand)
            if reason is not None:
                raise reason
            answer = talk.result()
            if answer.failure and not errand.again:  # it may have been the process: once more, in a fresh one
                errand.again = True
                await in_a_thread(thinker.end)
                await self.carry_out(thinker, errand)
                return
            settle(errand.answer, answer)
            return
        except TimeLimitExceeded as error:
            await in_a_thread(thinker.end)
            settle(errand.answer, error)
        except (EOFError, OSError):
            status = await in_a_thread(thinker.end, GRACE)
            settle(errand.answer, self.lost(errand, status))
        except Exception as error:  # what was said could not be read
            await in_a_thread(thinker.end)
            settle(errand.answer, error)
        if not self.closed:
            in_a_thread(self.start, thinker)  # for the next one

    def objection(self, errand: PendingTask) -> TimeLimitExceeded | None:
        """Why an order is not worked on any longer, if it is not."""
        now, share = time.monotonic(), self.terms.share
        who, seconds = errand.order.question.who[:MOST_SHOWN], now - errand.began
        if errand.answer.cancelled() and errand.left is None:
            errand.left = now
        if errand.left is not None and now - errand.left > GRACE:
            return TimeLimitExceeded("nobody waits for it")
        if seconds > errand.limit:
            return TimeLimitExceeded(f"{who} took longer than {errand.limit:g} s; {ADVICE}")
        if seconds > share and len(self.queue):
            return Preempted(f"{who} took longer than {share:g} s while others waited; {ADVICE}")
        return None

    def lost(self, errand: PendingTask, status: int | None) -> UserError:
        who = errand.order.question.who[:MOST_SHOWN]
        if status == TOO_LARGE:
            return UserError(f"{who} needs more than {self.memory // MB} MB of memory, which nobody is given here")
        return UserError(f"the process in which {who} thought was lost; try again")

    def tidy(self) -> None:
        """End the processes that nobody has needed for a while."""
        for thinker in self.idle:
            if thinker.process is not None and time.monotonic() - thinker.used > UNUSED:
                thinker.end()

    def close(self) -> None:
        """Nobody is answered any more."""
        self.closed, self.queue = True, FairQueue()
        for thinker in self.thinkers:
            thinker.end()


def settle(answer: asyncio.Future[TaskResult], value: TaskResult | Exception) -> None:
    """Tell whoever waits, if somebody still does."""
    if answer.done():
        return
    if isinstance(value, TaskResult):
        answer.set_result(value)
    else:
        answer.set_exception(value)


def known_as(order: WorkerTask) -> tuple[str, str]:
    """What makes a process quick for an order: it has been asked for the same before."""
    return f"{order.game} {sorted(order.options.items())}", order.question.who
