"""Where tasks are carried out: in this process, in a pool of processes, or on a Dask cluster.

All three have the same interface. `capacity` is the number of tasks that should be under way at a time; `prepare`
makes every worker ready; `submit` starts a task and returns a future; `stop` ends everything. A pool or a cluster is
started by its first task, so work that has nothing left to do starts none.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Any

from hiddenhand.core.errors import UserError
from hiddenhand.core.processes import Workers

MOST_WORKERS = 1024
LOCAL = "local"
START = 120.0
"""Seconds within which all processes of a pool must have started."""


class ThisProcess:
    """This process, one task at a time."""

    capacity = 1
    here = True

    def prepare(self, task: Callable[[], None]) -> None:
        task()

    def submit(self, task: Callable[..., Any], *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(task(*arguments))
        return future

    def stop(self) -> None:
        pass


class Processes:
    """Processes on this machine."""

    here = False

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.capacity = 2 * workers
        self.pool: ProcessPoolExecutor | None = None
        self.processes: list[Any] = []

    def prepare(self, task: Callable[[], None]) -> None:
        wait([self.submit(task) for _ in range(self.workers)])

    def submit(self, task: Callable[..., Any], *arguments: Any) -> Future[Any]:
        with unnoticed_by_children():
            others = multiprocessing.active_children()
            if self.pool is None:
                fresh = multiprocessing.get_context("spawn")
                together = fresh.Barrier(self.workers)
                self.pool = ProcessPoolExecutor(self.workers, fresh, initializer=arrive, initargs=(together,))
                for _ in range(self.workers):  # all begin together: without work for them some would not begin at all
                    self.pool.submit(leave_at_once)
            future = self.pool.submit(task, *arguments)
            self.processes += [child for child in multiprocessing.active_children() if child not in others]
        return future

    def stop(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
            for process in self.processes:  # busy or not: nobody waits for their results any more
                process.kill()
            self.pool.shutdown(wait=True)
            self.pool = None


@contextmanager
def unnoticed_by_children() -> Iterator[None]:
    """Processes started in here never see Ctrl-C or SIGTERM: these reach a whole group, but the parent decides."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # multiprocessing's own; its start would let signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def losses_reported() -> Iterator[None]:
    """Workers that are gone, in one line."""
    try:
        yield
    except (BrokenExecutor, CancelledError):
        raise UserError("the workers were lost: a process was killed or the cluster went away") from None


def leave_at_once() -> None:
    """A task with nothing to do."""


def arrive(together: Any) -> None:
    """A new process waits for the others, so that each of them gets its share of the preparations."""
    threading.Thread(target=leave_with_parent, daemon=True).start()
    together.wait(START)


def leave_with_parent() -> None:
    """A parent that is killed cannot stop its workers: they watch it themselves."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Cluster:
    """A Dask cluster: the one at a scheduler's address, or `local`, one made for the occasion."""

    here = False

    def __init__(self, address: str, workers: int) -> None:
        try:
            import distributed
        except ImportError:
            raise UserError("a cluster needs Dask: pip install 'hiddenhand[cluster]'") from None
        self.dask: Any = distributed
        self.address = address
        self.workers = workers
        self.capacity = 2 * workers
        self.made: Any = None
        self.client: Any = None
        self.executor: Executor | None = None

    def connect(self) -> Executor:
        if self.executor is None:
            with unnoticed_by_children():
                try:
                    self.client = self.dask.Client(
                        self.local() if self.address == LOCAL else self.address, timeout=10
                    )
                except (OSError, ValueError) as error:
                    self.stop()
                    raise UserError(
                        "there is no Dask cluster at {address}: {error}", address=self.address, error=error
                    ) from None
            threads = sum(
                worker["nthreads"] for worker in self.client.scheduler_info(n_workers=-1)["workers"].values()
            )
            self.capacity = 2 * max(1, threads)
            self.executor = self.client.get_executor(pure=False)
        assert self.executor is not None
        return self.executor

    def local(self) -> Any:
        self.made = self.dask.LocalCluster(
            n_workers=self.workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
            silence_logs="CRITICAL",
        )
        return self.made

    def prepare(self, task: Callable[[], None]) -> None:
        self.connect()
        self.client.run(task, on_error="ignore")  # a worker may be lost just now; the others go on

    def submit(self, task: Callable[..., Any], *arguments: Any) -> Future[Any]:
        return self.connect().submit(task, *arguments)

    def stop(self) -> None:
        if self.executor is not None:
            self.executor.shutdown(wait=False)
        for thing in (self.client, self.made):
            if thing is not None:
                thing.close()
        self.client = self.made = self.executor = None


def open_workers(workers: int = 1, cluster: str | None = None) -> Workers:
    """Who works: this process, in `workers` processes, or on the Dask cluster at an address."""
    if not 1 <= workers <= MOST_WORKERS:
        raise UserError(
            "workers must be a whole number from 1 to {most}, not {workers}", most=MOST_WORKERS, workers=workers
        )
    if cluster is not None:
        return Cluster(cluster, workers)
    return ThisProcess() if workers == 1 else Processes(workers)
