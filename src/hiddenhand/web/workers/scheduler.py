"""The scheduler: it chooses where each agent decides. Quick agents decide in the server itself, all others in
workers.

An agent has to show in a worker process that it is quick before it may decide in the server. Only compiled policies
may: they take about as long every time, while a search may take any time.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import time
from collections import OrderedDict, deque
from dataclasses import replace
from functools import partial
from typing import Any

from hiddenhand.belief.marginals import Shares
from hiddenhand.core.agent_pool import AgentPool, agent_key
from hiddenhand.core.background_compile import Background
from hiddenhand.core.game import Game
from hiddenhand.core.resolver import Character
from hiddenhand.core.session import LOOK_AGAIN, PERSON, Question, Session, Tell, in_silence
from hiddenhand.core.table import Memory
from hiddenhand.core.text import Text, from_data
from hiddenhand.web.security.limits import Limits
from hiddenhand.web.workers.memory import MB
from hiddenhand.web.workers.pool import PoolConfig, Preempted, Requester, WorkerPool
from hiddenhand.web.workers.process import DECIDE, REMEMBER, SHARES, SHOW, WATCH, TaskResult, WorkerTask, task_for
from hiddenhand.web.workers.threads import ThreadLimiters

AT_ONCE = 0.002
"""Seconds for a decision, up to which a simple agent decides in the event loop, without a thread."""
QUICK = 0.02
"""Seconds for a decision, up to which an agent counts as quick."""
MOST_TIMINGS = 4096
CORES = max(2, os.cpu_count() or 1)
SIMPLE = PoolConfig(workers=1, time_slice=1.0, niceness=1, per_address=1)
"""For compiled policies, which should be quick."""
SHORT = PoolConfig(workers=CORES, time_slice=3.0, niceness=4, per_address=CORES)
LONG = PoolConfig(workers=CORES, time_slice=20.0, niceness=8, per_address=CORES - 1)
"""For tasks that were preempted: one worker is kept free for other addresses."""


class AgentTimings:
    """An agent, and how long it has taken for its last decisions."""

    REMEMBERED = 8

    def __init__(self, character: Character) -> None:
        self.character = character
        self.simple = character.policy and not character.heavy
        self.times: deque[float] = deque(maxlen=self.REMEMBERED)

    @property
    def slowest(self) -> float:
        return max(self.times, default=math.inf)

    @property
    def quick(self) -> bool:
        return self.slowest <= QUICK

    def suits(self, config: PoolConfig) -> bool:
        """Whether its decisions may be expected to fit into the time slice of a pool."""
        if config is SIMPLE and not self.simple:
            return False
        return config is LONG or not self.times or self.slowest <= config.time_slice


class Scheduler:
    """Where agents decide and answer questions."""

    def __init__(self, agents: AgentPool, background: Background, threads: ThreadLimiters, limits: Limits) -> None:
        self.agents = agents
        self.background = background
        self.threads = threads
        self.limits = limits
        self.pools = [
            WorkerPool(config, agents.resolver, limits.worker_memory * MB) for config in (SIMPLE, SHORT, LONG)
        ]
        self.all_timings: OrderedDict[str, AgentTimings] = OrderedDict()

    def timings(self, game: Game, text: str) -> AgentTimings:
        """How long an agent has taken so far; a UserError if there is no such agent."""
        key = agent_key(game, text)
        if key not in self.all_timings:
            self.all_timings[key] = AgentTimings(self.agents.resolver.character(game, text))
        self.all_timings.move_to_end(key)
        if len(self.all_timings) > MOST_TIMINGS:
            self.all_timings.popitem(last=False)
        return self.all_timings[key]

    def prepare(self, game: Game, text: str) -> None:
        """Start a worker process for an agent that has sat down at a table."""
        self.pools_for(self.timings(game, text))[0].prepare()

    def pools_for(self, timings: AgentTimings) -> list[WorkerPool]:
        """The pools in which an agent may decide; a preempted task goes to the next one."""
        return [pool for pool in self.pools if timings.suits(pool.config)]

    # ---- moves

    async def decide(self, session: Session, requester: Requester, tell: Tell) -> tuple[int, Memory]:
        """What the agent to move plays, and what it remembers then; the session's table stays as it is."""
        seat, table = session.table.turn, session.table
        timings = self.timings(session.game, session.seats[seat])
        await self.ready(timings.character, tell)
        if timings.simple and timings.quick:
            return await self.decide_here(session, timings, requester)
        question = Question(list(table.history), seat, session.seats[seat], secret=False)
        task = task_for(session, DECIDE, question, requester.table, table.remembered(seat))
        answer = await self.ask(task, timings, requester, self.limits.decision)
        timings.times.append(answer.seconds)
        return answer.value, answer.memory

    async def decide_here(self, session: Session, timings: AgentTimings, requester: Requester) -> tuple[int, Memory]:
        """In the server itself: in the event loop, or in a thread."""
        table, seat = session.table, session.table.turn

        def choose() -> tuple[int, Memory, float]:
            before = table.remembered(seat)
            with self.agents.lend(session.game, session.seats[seat]) as agent:
                started = time.thread_time()
                action = session.decide(table, agent)
                seconds = time.thread_time() - started
            after = table.remembered(seat)
            table.remember(seat, before)
            return action, after, seconds

        if timings.slowest <= AT_ONCE and self.agents.has(session.game, session.seats[seat]):
            await asyncio.sleep(0)  # others first
            action, memory, seconds = choose()
        else:
            action, memory, seconds = await self.threads.quick.run(choose, address=requester.address)
        timings.times.append(seconds)
        return action, memory

    # ---- questions

    async def answer(self, session: Session, what: str, question: Question, requester: Requester, tell: Tell) -> Any:
        """What an agent says to a question, as JSON."""
        timings = self.timings(session.game, question.who)
        await self.ready(timings.character, tell)
        answer = await self.ask(
            task_for(session, what, question, requester.table), timings, requester, self.limits.question
        )
        return from_data(json.loads(answer.value))

    async def watch(self, session: Session, question: Question, details: dict[str, Any], requester: Requester) -> Any:
        """A search in steps, as JSON."""
        timings = self.timings(session.game, question.who)
        await self.ready(timings.character, in_silence)
        task = replace(task_for(session, WATCH, question, requester.table), details=details)
        return from_data(json.loads((await self.pools[-1].ask(task, requester, self.limits.question)).value))

    async def show(self, session: Session, plies: int, requester: Requester) -> str:
        """The open table after so many plies, as text."""
        question = Question(session.table.history[:plies], 0, Text("the open table"), secret=False)
        task = task_for(session, SHOW, question, requester.table)
        found: str = (await self.pools[-1].ask(task, requester, self.limits.question)).value
        return found

    # ---- what no agent is asked for, but takes time

    async def shares(self, session: Session, plies: int, seat: int, requester: Requester) -> tuple[Shares, int]:
        """What each hidden thing may be after so many plies, by what a seat knows then, and in how many worlds."""
        question = Question(session.table.history[:plies], seat, Text("the chances of what is hidden"), secret=True)
        found: tuple[Shares, int] = (
            await self.work_out(task_for(session, SHARES, question, requester.table), requester)
        ).value
        return found

    async def memories(self, session: Session, plies: int, requester: Requester) -> list[Memory]:
        """By seat, what the agents at the table remember after so many plies."""
        if all(text == PERSON or session.forgets(text) for text in session.seats):
            return []
        question = Question(session.table.history[:plies], 0, "taking a move back", secret=False)
        found: list[Memory] = (
            await self.work_out(task_for(session, REMEMBER, question, requester.table), requester)
        ).value
        return found

    async def work_out(self, task: WorkerTask, requester: Requester) -> TaskResult:
        """Have a task answered that asks no particular agent, but takes as long as one."""
        _, short, long = self.pools
        try:
            return await short.ask(task, requester, self.limits.question)
        except Preempted:
            return await long.ask(task, requester, self.limits.question)

    # ---- both

    async def ask(self, task: WorkerTask, timings: AgentTimings, requester: Requester, limit: float) -> TaskResult:
        """Have a task answered by the first pool in which it is not preempted."""
        *others, last = self.pools_for(timings)
        for pool in others:
            try:
                return await pool.ask(task, requester, limit, partial(timings.suits, pool.config))
            except Preempted:
                if task.what == DECIDE:
                    timings.times.append(2 * pool.config.time_slice)
        return await last.ask(task, requester, limit)

    async def ready(self, character: Character, tell: Tell) -> None:
        """Wait until the agent can decide, for instance until it is compiled; tell what it waits for, whenever that
        changes.
        """
        last = ""
        while text := self.background.ready_for(character):
            if text != last:
                tell(text)
                last = text
            await asyncio.sleep(LOOK_AGAIN)

    def tidy(self) -> None:
        for pool in self.pools:
            pool.tidy()

    def close(self) -> None:
        for pool in self.pools:
            pool.close()
