"""A pool of worker processes in which agents think.

The scheduler has several pools, for short and for long tasks. If a task exceeds the time slice of its pool while
others wait, it is stopped (`Preempted`) and restarted in the next pool. Tasks that people wait for come before tasks
between agents; among equals, addresses take turns, and then the tables of an address. A task that exceeds its limit
of time or memory, or that nobody waits for any longer, is stopped by terminating its worker, which is replaced.
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
from hiddenhand.core.processes import set_niceness
from hiddenhand.core.resolver import Resolver
from hiddenhand.core.text import Text
from hiddenhand.kernel.rule import Rule
from hiddenhand.lab.executors import unnoticed_by_children
from hiddenhand.web.workers.fair_queue import FairQueue
from hiddenhand.web.workers.memory import MB, TOO_LARGE
from hiddenhand.web.workers.process import TaskResult, WorkerTask, think
from hiddenhand.web.workers.threads import in_a_thread

TICK = 0.2
"""Seconds between two checks of a running task."""
GRACE = 1.0
"""Seconds after which a task is stopped once nobody waits for it: a replaced worker costs more than a late answer."""
UNUSED = 300.0
"""Seconds without work after which a worker process is ended."""
MOST_SHOWN = 80
ADVICE = Text("ask for less depth, time or simulations")


class TimeLimitExceeded(UserError):
    """The task was stopped because it took too long."""


class Preempted(TimeLimitExceeded):
    """The task was stopped because it used up its time slice while others waited."""


class WorkerFailed(Exception):
    """An unexpected error in the worker process; its text is the traceback."""


@dataclass(frozen=True)
class Requester:
    """Who asks for a task: from which address, and for which table."""

    address: str
    table: str
    waits: Callable[[], bool]
    """Whether a person waits for the answer."""


@dataclass(eq=False)
class PendingTask:
    """A task that waits in the queue or is worked on."""

    task: WorkerTask
    requester: Requester
    limit: float
    suits: Callable[[], bool]
    """Whether it still belongs into this pool, now that more may be known of how long its agent takes."""
    answer: asyncio.Future[TaskResult]
    began: float = 0.0
    left: float | None = None
    """Since when nobody waits for its answer; None while somebody does."""
    again: bool = False
    """It has failed once, and is tried again in a fresh process."""


class Worker:
    """One worker process; it is started when it is needed, and can be ended at any time."""

    work: Callable[..., None] = staticmethod(think)
    """The main function of the process."""

    def __init__(self, resolver: Resolver, niceness: int, memory: int) -> None:
        self.details = (resolver, Rule.mode, memory)
        self.niceness = niceness
        self.process: Any = None
        self.pipe: Any = None
        self.known: set[tuple[str, str]] = set()
        """The games and agents that it has worked with: it has them loaded."""
        self.used = time.monotonic()
        self.starting = threading.Lock()

    def exchange(self, task: Any) -> Any:
        """In a thread: the answer to a task; raises EOFError or OSError if the process is gone."""
        self.pipe.send(task)
        return self.pipe.recv()

    def start(self) -> None:
        """In a thread: start the process unless it runs already, and wait until it is ready."""
        with self.starting:
            if self.process is None:
                fresh = multiprocessing.get_context("spawn")
                self.pipe, far_end = fresh.Pipe()
                process: Any = fresh.Process(target=self.work, args=(far_end, *self.details), daemon=True)
                with unnoticed_by_children():
                    process.start()
                set_niceness(process.pid, self.niceness)
                far_end.close()
                self.process = process
                self.pipe.recv()

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
    """How a pool works."""

    workers: int
    """How many worker processes it may have."""
    time_slice: float
    """Seconds after which a task is preempted if others wait."""
    niceness: int
    """The niceness of its processes, as the operating system understands it: 0 to 19."""
    per_address: int
    """How many workers may work for one address at a time."""


class WorkerPool:
    """Some worker processes, and a queue of tasks for them."""

    def __init__(self, config: PoolConfig, resolver: Resolver, memory: int) -> None:
        self.config = config
        self.memory = memory
        self.idle = [Worker(resolver, config.niceness, memory) for _ in range(config.workers)]
        self.workers = list(self.idle)
        self.queue: FairQueue[PendingTask] = FairQueue()
        self.busy: dict[asyncio.Task[None], PendingTask] = {}
        self.closed = False

    async def ask(
        self, task: WorkerTask, requester: Requester, limit: float, suits: Callable[[], bool] = lambda: True
    ) -> TaskResult:
        """The answer to a task. Its work may take at most `limit` seconds; if the caller is cancelled, the task is
        given up.
        """
        pending = PendingTask(task, requester, limit, suits, asyncio.get_running_loop().create_future())
        self.queue.add(pending, requester.address, requester.table)
        self.go_on()
        try:
            answer = await pending.answer
        except asyncio.CancelledError:
            self.queue.remove(pending)
            raise
        if answer.failure:
            raise WorkerFailed(answer.failure)
        if answer.error:
            raise UserError(answer.error)
        return answer

    def prepare(self) -> None:
        """Start a process, unless one runs already, because a task is expected soon."""
        if self.idle and all(worker.process is None for worker in self.workers):
            in_a_thread(self.start, self.idle[0])

    def start(self, worker: Worker) -> None:
        """In a thread."""
        worker.start()
        if self.closed:
            worker.end()

    # ---- who is next

    def go_on(self) -> None:
        """Give waiting tasks to idle workers."""
        while self.idle and (pending := self.next()) is not None:
            wanted = known_as(pending.task)
            worker = max(self.idle, key=lambda each: (wanted in each.known, each.process is not None))
            self.idle.remove(worker)
            worker.known.add(wanted)
            running = asyncio.get_running_loop().create_task(self.carry_out(worker, pending))
            self.busy[running] = pending
            running.add_done_callback(partial(self.come_back, worker))

    def next(self) -> PendingTask | None:
        """The next task that may be worked on, if any; tasks that do not belong into this pool any more are
        preempted.
        """
        while True:
            pending = self.queue.take(lambda each: each.requester.waits() and self.has_place(each.requester))
            pending = pending or self.queue.take(lambda each: self.has_place(each.requester))
            if pending is None or pending.suits():
                return pending
            settle(pending.answer, Preempted(Text("others think shorter")))

    def has_place(self, requester: Requester) -> bool:
        """Whether another worker may work for this address, so that one is left for others."""
        taken = sum(pending.requester.address == requester.address for pending in self.busy.values())
        return taken < self.config.per_address

    def come_back(self, worker: Worker, running: asyncio.Task[None]) -> None:
        del self.busy[running]
        worker.used = time.monotonic()
        self.idle.append(worker)
        self.go_on()

    # ---- thinking, and the end of it

    async def carry_out(self, worker: Worker, pending: PendingTask) -> None:
        """Have a task answered by a worker, or stop it for a reason."""
        reason: TimeLimitExceeded | None = None
        try:
            await in_a_thread(self.start, worker)
            pending.began = time.monotonic()
            talk = in_a_thread(worker.exchange, pending.task)
            while reason is None and not talk.done():
                await asyncio.wait({talk}, timeout=TICK)
                reason = None if talk.done() else self.objection(pending)
            if reason is not None:
                raise reason
            answer = talk.result()
            if answer.failure and not pending.again:  # it may have been the process: once more, in a fresh one
                pending.again = True
                await in_a_thread(worker.end)
                await self.carry_out(worker, pending)
                return
            settle(pending.answer, answer)
            return
        except TimeLimitExceeded as error:
            await in_a_thread(worker.end)
            settle(pending.answer, error)
        except (EOFError, OSError):
            status = await in_a_thread(worker.end, GRACE)
            settle(pending.answer, self.lost(pending, status))
        except Exception as error:  # what was said could not be read
            await in_a_thread(worker.end)
            settle(pending.answer, error)
        if not self.closed:
            in_a_thread(self.start, worker)  # for the next one

    def objection(self, pending: PendingTask) -> TimeLimitExceeded | None:
        """Why a task must be stopped now; None if it may go on."""
        now, time_slice = time.monotonic(), self.config.time_slice
        who, seconds = pending.task.question.who[:MOST_SHOWN], now - pending.began
        if pending.answer.cancelled() and pending.left is None:
            pending.left = now
        if pending.left is not None and now - pending.left > GRACE:
            return TimeLimitExceeded(Text("nobody waits for it"))
        if seconds > pending.limit:
            return TimeLimitExceeded(
                Text("{who} took longer than {n:g} s; {advice}", who=who, n=pending.limit, advice=ADVICE)
            )
        if seconds > time_slice and len(self.queue):
            return Preempted(
                Text(
                    "{who} took longer than {n:g} s while others waited; {advice}",
                    who=who,
                    n=time_slice,
                    advice=ADVICE,
                )
            )
        return None

    def lost(self, pending: PendingTask, status: int | None) -> UserError:
        who = pending.task.question.who[:MOST_SHOWN]
        if status == TOO_LARGE:
            return UserError(
                "{who} needs more than {n} MB of memory, which nobody is given here", who=who, n=self.memory // MB
            )
        return UserError("the process in which {who} thought was lost; try again", who=who)

    def tidy(self) -> None:
        """End the processes that have had nothing to do for a while."""
        for worker in self.idle:
            if worker.process is not None and time.monotonic() - worker.used > UNUSED:
                worker.end()

    def close(self) -> None:
        """End all workers; tasks that wait are not answered any more."""
        self.closed, self.queue = True, FairQueue()
        for worker in self.workers:
            worker.end()


def settle(answer: asyncio.Future[TaskResult], value: TaskResult | Exception) -> None:
    """Set the result of a task, unless its caller is gone."""
    if answer.done():
        return
    if isinstance(value, TaskResult):
        answer.set_result(value)
    else:
        answer.set_exception(value)


def known_as(task: WorkerTask) -> tuple[str, str]:
    """The game and agent of a task: a process that has them loaded already answers sooner."""
    return f"{task.game} {sorted(task.options.items())}", task.question.who
