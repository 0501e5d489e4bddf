"""The queue of the laboratory: one experiment is worked on at a time, and addresses take turns.

A job is an experiment that waits or is worked on. It is kept on disk (`experiments`) when it begins, and again when
it ends, with all that came of it; then it can be looked at for as long as there is room.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import secrets
import time
from contextlib import suppress
from typing import Any

from hiddenhand.core.game import Game
from hiddenhand.core.processes import set_niceness
from hiddenhand.core.record import read_record
from hiddenhand.core.text import Text
from hiddenhand.lab.match_result import has_opponents
from hiddenhand.lab.work_kinds import work_kind
from hiddenhand.web.errors import Forbidden, NotFound, TooManyRequests
from hiddenhand.web.lab.offers import check
from hiddenhand.web.lab.saved import CUT_SHORT, SavedExperiments, is_private
from hiddenhand.web.lab.worker import ExperimentTask, work
from hiddenhand.web.schemas.lab import ExperimentBody, ExperimentInfo, ExperimentSummary, report_of
from hiddenhand.web.tables.registry import TableRegistry
from hiddenhand.web.tables.store import key_of
from hiddenhand.web.workers.fair_queue import FairQueue
from hiddenhand.web.workers.memory import MB, TOO_LARGE
from hiddenhand.web.workers.threads import in_a_thread

LOG = logging.getLogger("hiddenhand.web")
REMEMBERED = 50
"""How many jobs are remembered that are over but not on disk: stopped before they began, or not written."""
LONGEST = 3600.0
"""Seconds after which a job is stopped."""
NICENESS = 12
GOODBYE = 1.0
"""Seconds in which a process that has closed its pipe may end by itself."""
WAITING, RUNNING, DONE, FAILED, STOPPED = "waiting", "running", "done", "failed", "stopped"


class LabJob:
    """One experiment that waits or is worked on."""

    def __init__(self, kind: str, order: ExperimentBody, game: Game, address: str, token: str) -> None:
        self.id = secrets.token_hex(6)
        self.key = key_of(token)
        """The hash of the token with which it can be stopped."""
        self.address = address
        self.process: Any = None
        of = work_kind(kind)
        self.info = ExperimentInfo.model_validate(
            {
                "job": self.id,
                "kind": kind,
                "work": of.page.title if of.page is not None else kind,
                "game": game.origin.spec,
                "title": game.title,
                "when": time.time(),
                "state": WAITING,
                "order": order.model_dump(),
                "unit": of.unit,
                "opponents": has_opponents(game),
            }
        )

    @property
    def live(self) -> bool:
        return self.info.state in (WAITING, RUNNING)

    def after(self, news: dict[str, Any]) -> ExperimentInfo:
        """The experiment with these fields changed; results are reduced to the fields that are sent."""
        if news.get("result") is not None:
            news = {**news, "result": report_of(self.info.kind, news["result"])}
        return ExperimentInfo.model_validate({**self.info.model_dump(), **news})

    def update(self, news: dict[str, Any]) -> None:
        self.info = self.after(news)


class JobQueue:
    """All jobs of the server, and the experiments that are kept."""

    def __init__(self, tables: TableRegistry, experiments: SavedExperiments) -> None:
        self.tables = tables
        self.experiments = experiments
        self.jobs: dict[str, LabJob] = {}
        self.queue: FairQueue[LabJob] = FairQueue()
        self.worker: asyncio.Task[None] | None = None

    # ---- asking

    async def add(self, kind: str, order: ExperimentBody, address: str, token: str) -> LabJob:
        """Check a job and let it wait for its turn; whoever has the token may stop it."""
        self.require_place(address)
        game = await self.tables.threads.setup.run(check, self.tables, kind, order, address=address)
        self.require_place(address)  # others may have come meanwhile
        job = LabJob(kind, order, game, address, token)
        self.jobs[job.id] = job
        for old in [job for job in self.jobs.values() if not job.live][:-REMEMBERED]:
            del self.jobs[old.id]
        self.queue.add(job, address)
        if self.worker is None:
            self.worker = asyncio.create_task(self.carry_out_all())
        return job

    def require_place(self, address: str) -> None:
        """Raise TooManyRequests if too many jobs wait, of this address or of all."""
        waiting = [job.address for job in self.jobs.values() if job.live]
        if waiting.count(address) >= self.tables.limits.jobs_per_address:
            raise TooManyRequests(Text("too many of your jobs are waiting; stop one first"))
        if len(waiting) >= self.tables.limits.jobs_waiting:
            raise TooManyRequests(Text("too many jobs are waiting; try again later"))

    def find(self, job: str) -> ExperimentInfo:
        if job in self.jobs:
            return self.jobs[job].info
        found = self.experiments.read(job) if job in self.experiments.listed else None
        if found is None:
            raise NotFound(Text("there is no job {job}", job=repr(job)))
        return found

    def listed(self, private: bool) -> list[ExperimentSummary]:
        """All experiments, the latest first; `private`: those with texts that visitors brought too."""
        info = {job.id: ExperimentSummary.model_validate(job.info.model_dump()) for job in self.jobs.values()}
        kept = self.experiments.private | {job.id for job in self.jobs.values() if is_private(job.info)}
        found = {**self.experiments.listed, **info}.values()
        return sorted((each for each in found if private or each.job not in kept), key=lambda each: -each.when)

    def require_owner(self, job: str, token: str | None) -> None:
        """Refuse to stop an experiment of somebody else's."""
        found = self.jobs.get(job)
        if found is not None and found.live and (token is None or key_of(token) != found.key):
            raise Forbidden(
                Text("only who has begun an experiment can stop it, or whoever sits at the server's machine")
            )

    def stop(self, job: str, reason: str = "") -> ExperimentInfo:
        found = self.find(job)
        if job in self.jobs and self.jobs[job].live:
            stopped = self.jobs[job]
            stopped.update({"state": STOPPED, "error": reason})
            self.queue.remove(stopped)
            if stopped.process is not None:
                stopped.process.kill()
            return stopped.info
        return found

    def close(self) -> None:
        for job in list(self.jobs.values()):
            begun = job.info.state == RUNNING
            self.stop(job.id, CUT_SHORT)
            if begun:
                with suppress(OSError):
                    self.experiments.write(job.info)
        if self.worker is not None:
            self.worker.cancel()

    # ---- working

    async def carry_out_all(self) -> None:
        """Carry out one job after the other, addresses in turn, until none waits."""
        try:
            while (job := self.queue.take(lambda job: True)) is not None:
                try:
                    last = await self.carry_out(job)
                except Exception:
                    LOG.exception("a job could not be finished")
                    last = {"state": FAILED, "error": Text("the server could not finish it")}
                if await self.put_on_disk(job, last if job.info.state == RUNNING else {}):
                    self.jobs.pop(job.id, None)
        finally:
            self.worker = None

    async def carry_out(self, job: LabJob) -> dict[str, Any]:
        """Carry a job out in a process of its own; the fields of the experiment that are known at its end."""
        await self.put_on_disk(job, {"state": RUNNING})
        if job.info.state == STOPPED:  # somebody was quick
            return {}
        place, files = self.experiments.place(job.id), self.tables.resolver.files
        if not place.is_dir():
            return {"state": FAILED, "error": Text("the server cannot write its files")}
        fresh, memory = multiprocessing.get_context("spawn"), self.tables.limits.job_memory
        pipe, far_end = fresh.Pipe(duplex=False)
        task = ExperimentTask(job.id, job.info.kind, job.info.order, place, files, memory * MB)
        job.process = fresh.Process(target=work, args=(task, far_end), daemon=True)
        job.process.start()
        set_niceness(job.process.pid, NICENESS)
        far_end.close()
        too_long = Text("it took longer than {n:.0f} minutes", n=LONGEST / 60)
        alarm = asyncio.get_running_loop().call_later(LONGEST, self.stop, job.id, too_long)
        last: dict[str, Any] = {}
        try:
            while (info := await receive(pipe)) is not None:
                if info.get("state") in (DONE, FAILED):
                    last = info
                elif job.info.state != STOPPED:
                    job.update(info)
        finally:
            alarm.cancel()
            if not last:
                await in_a_thread(job.process.join, GOODBYE)
            status = job.process.exitcode
            job.process.kill()
            in_a_thread(job.process.join)  # so that nothing of it is left
            pipe.close()
        await self.keep_records(job, last.pop("kept", []))
        return last or {"state": FAILED, "error": lost(status, memory)}

    async def keep_records(self, job: LabJob, kept: list[dict[str, Any]]) -> None:
        """Make tables of the records of an experiment, so that people can open them."""
        for record in kept:
            live = await self.tables.keep(read_record(record))
            table = {"table": live.id, "agents": record["agents"], "payoffs": record["payoffs"]}
            job.update({"records": [*job.info.records, table]})

    async def put_on_disk(self, job: LabJob, news: dict[str, Any]) -> bool:
        """Write an experiment to disk with these changes, then show them to clients; whether it could be written."""
        try:
            files = await in_a_thread(self.experiments.files, job.id)
            news = {**news, "files": [file.model_dump() for file in files]}
            await in_a_thread(self.experiments.write, job.after(news))
        except OSError as error:
            LOG.warning("the experiment %s is not kept: %s", job.id, error)
            job.update(news)
            return False
        if job.info.state != STOPPED:  # which somebody may have asked for meanwhile
            job.update(news)
        self.experiments.enter(job.info)
        self.experiments.tidy(spared=[job.id for job in self.jobs.values() if job.live])
        return True


def lost(status: int | None, memory: int) -> str:
    """Why a process ended without a result, by its exit status."""
    if status == TOO_LARGE:
        return Text("it needed more than {n} MB of memory", n=memory)
    return Text("the process that worked on it was lost")


async def receive(pipe: Any) -> dict[str, Any] | None:
    """The next message of the process; None when it has closed its pipe."""
    try:
        info: dict[str, Any] = await in_a_thread(pipe.recv)
        return info
    except (EOFError, OSError):
        return None
