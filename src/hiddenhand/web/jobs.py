"""Jobs of the laboratory: one is worked on at a time, each address in turn; they can be watched and stopped."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import secrets
from typing import Any

from hiddenhand.core.processes import stand_back
from hiddenhand.core.record import read_record
from hiddenhand.web.errors import Missing, TooMany
from hiddenhand.web.fair_queue import FairQueue
from hiddenhand.web.hall import Hall
from hiddenhand.web.lanes import in_a_thread
from hiddenhand.web.memory import MB, TOO_LARGE
from hiddenhand.web.orders import MatchOrder, TournamentOrder, chosen_game
from hiddenhand.web.work import work

LOG = logging.getLogger("hiddenhand.web")
KEPT = 50
LONGEST = 3600.0
"""Seconds after which a job is stopped."""
POLITENESS = 12
GOODBYE = 1.0
"""Seconds that a process that says no more has to end by itself."""
WAITING, RUNNING, DONE, FAILED, STOPPED = "waiting", "running", "done", "failed", "stopped"


class Job:
    """One match or tournament."""

    def __init__(self, kind: str, order: MatchOrder | TournamentOrder, address: str) -> None:
        self.id = secrets.token_hex(6)
        self.kind = kind
        self.order = order
        self.address = address
        self.told: dict[str, Any] = {"state": WAITING, "done": 0, "total": None, "result": None, "histogram": None}
        self.tables: list[dict[str, Any]] = []
        self.process: Any = None

    def to_json(self) -> dict[str, Any]:
        return {"job": self.id, "kind": self.kind, "game": self.order.game, **self.told, "records": self.tables}


class Jobs:
    """All jobs since the server was started."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.jobs: dict[str, Job] = {}
        self.queue: FairQueue[Job] = FairQueue()
        self.worker: asyncio.Task[None] | None = None

    async def add(self, kind: str, order: MatchOrder | TournamentOrder, address: str) -> Job:
        """Check a job and let it wait for its turn."""
        self.require_place(address)
        await self.hall.lanes.setup.run(check, self.hall, order)
        self.require_place(address)  # others may have come meanwhile
        job = Job(kind, order, address)
        self.jobs[job.id] = job
        for old in [j for j in self.jobs.values() if j.told["state"] in (DONE, FAILED, STOPPED)][:-KEPT]:
            del self.jobs[old.id]
        self.queue.add(job, address)
        if self.worker is None:
            self.worker = asyncio.create_task(self.carry_out_all())
        return job

    def require_place(self, address: str) -> None:
        """Refuse another job of this address, or of anybody, if too many wait."""
        waiting = [job.address for job in self.jobs.values() if job.told["state"] in (WAITING, RUNNING)]
        if waiting.count(address) >= self.hall.limits.jobs_of_address:
            raise TooMany("too many of your jobs are waiting; stop one first")
        if len(waiting) >= self.hall.limits.jobs_waiting:
            raise TooMany("too many jobs are waiting; try again later")

    def find(self, job: str) -> Job:
        if job not in self.jobs:
            raise Missing(f"there is no job {job!r}")
        return self.jobs[job]

    def stop(self, job: str) -> Job:
        found = self.find(job)
        if found.told["state"] in (WAITING, RUNNING):
            found.told["state"] = STOPPED
            self.queue.remove(found)
            if found.process is not None:
                found.process.terminate()
        return found

    async def carry_out_all(self) -> None:
        """One after the other, each address in turn, until none waits."""
        try:
            while (job := self.queue.take(lambda job: True)) is not None:
                try:
                    await self.carry_out(job)
                except Exception:
                    LOG.exception("a job could not be finished")
                    job.told |= {"state": FAILED, "error": "the server could not finish it"}
        finally:
            self.worker = None

    async def carry_out(self, job: Job) -> None:
        job.told["state"] = RUNNING
        fresh, memory = multiprocessing.get_context("spawn"), self.hall.limits.job_memory
        line, far_end = fresh.Pipe(duplex=False)
        details = (job.kind, job.order.model_dump(), far_end, self.hall.resolver.files, memory * MB)
        job.process = fresh.Process(target=work, args=details, daemon=True)
        job.process.start()
        stand_back(job.process.pid, POLITENESS)
        far_end.close()
        alarm = asyncio.get_running_loop().call_later(LONGEST, self.stop, job.id)
        last: dict[str, Any] = {}
        try:
            while (told := await receive(line)) is not None:
                if told.get("state") in (DONE, FAILED):
                    last = told
                elif job.told["state"] != STOPPED:
                    job.told |= told
        finally:
            alarm.cancel()
            if not last:
                await in_a_thread(job.process.join, GOODBYE)
            status = job.process.exitcode
            job.process.terminate()
            in_a_thread(job.process.join)  # so that nothing of it is left
            line.close()
        await self.keep_records(job, last.pop("kept", []))
        if job.told["state"] == RUNNING:
            job.told |= last or {"state": FAILED, "error": lost(status, memory)}

    async def keep_records(self, job: Job, kept: list[dict[str, Any]]) -> None:
        """Make tables of the records, so that they can be opened."""
        for record in kept:
            room = await self.hall.keep(read_record(record))
            table = {"table": room.id, "agents": record["agents"], "payoffs": record["payoffs"]}
            job.tables = [*job.tables, table]

    def close(self) -> None:
        for job in self.jobs.values():
            self.stop(job.id)
        if self.worker is not None:
            self.worker.cancel()


def lost(status: int | None, memory: int) -> str:
    """Why a process ended without a word."""
    if status == TOO_LARGE:
        return f"it needed more than {memory} MB of memory"
    return "the process that played was lost"


async def receive(line: Any) -> dict[str, Any] | None:
    """What the process says next; None when it says no more."""
    try:
        told: dict[str, Any] = await in_a_thread(line.recv)
        return told
    except (EOFError, OSError):
        return None


def check(hall: Hall, order: MatchOrder | TournamentOrder) -> None:
    """In a lane: whether game and agents exist."""
    game = chosen_game(hall.resolver, order.game, order.options)
    for text in order.agents:
        hall.checked(game, text)
