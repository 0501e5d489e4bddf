"""Jobs of the laboratory: one is worked on at a time, the others wait; each can be watched and stopped."""

from __future__ import annotations

import asyncio
import multiprocessing
import secrets
from typing import Any

from hiddenhand.core.record import read_record
from hiddenhand.core.resolver import Resolver
from hiddenhand.web.errors import Missing, TooMany
from hiddenhand.web.hall import Hall
from hiddenhand.web.orders import MatchOrder, TournamentOrder, chosen_game
from hiddenhand.web.work import work

KEPT = 50
LONGEST = 3600.0
"""Seconds after which a job is stopped."""
WAITING, RUNNING, DONE, FAILED, STOPPED = "waiting", "running", "done", "failed", "stopped"


class Job:
    """One match or tournament."""

    def __init__(self, kind: str, order: MatchOrder | TournamentOrder) -> None:
        self.id = secrets.token_hex(6)
        self.kind = kind
        self.order = order
        self.told: dict[str, Any] = {"state": WAITING, "done": 0, "total": None, "result": None, "histogram": None}
        self.tables: list[dict[str, Any]] = []
        self.process: Any = None

    def to_json(self) -> dict[str, Any]:
        told = {name: value for name, value in self.told.items() if name != "kept"}
        return {"job": self.id, "kind": self.kind, "game": self.order.game, **told, "records": self.tables}


class Jobs:
    """All jobs since the server was started."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.jobs: dict[str, Job] = {}
        self.turn = asyncio.Lock()
        self.tasks: set[asyncio.Task[None]] = set()

    async def add(self, kind: str, order: MatchOrder | TournamentOrder) -> Job:
        """Check a job and let it wait for its turn."""
        waiting = sum(job.told["state"] in (WAITING, RUNNING) for job in self.jobs.values())
        if waiting >= self.hall.limits.jobs_waiting:
            raise TooMany("too many jobs are waiting; stop one first")
        await self.hall.lanes.setup.run(check, self.hall.resolver, order)
        job = Job(kind, order)
        self.jobs[job.id] = job
        for old in [j for j in self.jobs.values() if j.told["state"] in (DONE, FAILED, STOPPED)][:-KEPT]:
            del self.jobs[old.id]
        task = asyncio.create_task(self.carry_out(job))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return job

    def find(self, job: str) -> Job:
        if job not in self.jobs:
            raise Missing(f"there is no job {job!r}")
        return self.jobs[job]

    def stop(self, job: str) -> Job:
        found = self.find(job)
        if found.told["state"] in (WAITING, RUNNING):
            found.told["state"] = STOPPED
            if found.process is not None:
                found.process.terminate()
        return found

    async def carry_out(self, job: Job) -> None:
        async with self.turn:
            if job.told["state"] == STOPPED:
                return
            job.told["state"] = RUNNING
            fresh = multiprocessing.get_context("spawn")
            line, far_end = fresh.Pipe(duplex=False)
            order = job.order.model_dump()
            job.process = fresh.Process(
                target=work, args=(job.kind, order, far_end, self.hall.resolver.files), daemon=True
            )
            job.process.start()
            far_end.close()
            alarm = asyncio.get_running_loop().call_later(LONGEST, self.stop, job.id)
            try:
                while (told := await receive(line)) is not None:
                    if job.told["state"] != STOPPED:
                        job.told |= told
            finally:
                alarm.cancel()
                job.process.terminate()
                line.close()
            if job.told["state"] == RUNNING:
                job.told |= {"state": FAILED, "error": "the process that played was lost"}
            await self.keep_records(job)

    async def keep_records(self, job: Job) -> None:
        """Make tables of the records, so that they can be opened."""
        for record in job.told.pop("kept", []):
            room = await self.hall.keep(read_record(record))
            table = {"table": room.id, "agents": record["agents"], "payoffs": record["payoffs"]}
            job.tables = [*job.tables, table]

    def close(self) -> None:
        for job in self.jobs.values():
            self.stop(job.id)


async def receive(line: Any) -> dict[str, Any] | None:
    """What the process says next; None when it says no more."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(line.fileno(), ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(line.fileno())
    try:
        return line.recv()
    except (EOFError, OSError):
        return None


def check(resolver: Resolver, order: MatchOrder | TournamentOrder) -> None:
    """In a lane: whether game and agents exist."""
    game = chosen_game(resolver, order.game, order.options)
    for text in order.agents:
        resolver.agent(game, text)
