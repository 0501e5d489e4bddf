"""Thinking: where each agent decides. The quick ones in the server itself, all others in processes of the governor.

An agent has to show in another process that it is quick before it is let into the server, and only a compiled policy
ever is: it takes about as long every time, where a search may take any time.
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

from hiddenhand.belief.shares import Shares
from hiddenhand.core.agent_pool import AgentPool, agent_key
from hiddenhand.core.background import Background
from hiddenhand.core.game import Game
from hiddenhand.core.resolver import Character
from hiddenhand.core.session import LOOK_AGAIN, PERSON, Question, Session, Tell, in_silence
from hiddenhand.core.table import Memory
from hiddenhand.web.security.limits import Limits
from hiddenhand.web.workers.memory import MB
from hiddenhand.web.workers.pool import PoolConfig, Preempted, Requester, WorkerPool
from hiddenhand.web.workers.process import DECIDE, REMEMBER, SHARES, SHOW, WATCH, TaskResult, WorkerTask, order_for
from hiddenhand.web.workers.threads import ThreadLimiters

AT_ONCE = 0.002
"""Seconds for a decision, up to which a simple agent is not worth a thread."""
QUICK = 0.02
"""Seconds for a decision, up to which an agent counts as quick."""
MOST_KNOWN = 4096
CORES = max(2, os.cpu_count() or 1)
SIMPLE = PoolConfig(places=1, share=1.0, politeness=1, of_address=1)
"""For policies that should be quick."""
SHORT = PoolConfig(places=CORES, share=3.0, politeness=4, of_address=CORES)
LONG = PoolConfig(places=CORES, share=20.0, politeness=8, of_address=CORES - 1)
"""For those that have given way: one place is kept for other addresses."""


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

    def suits(self, terms: PoolConfig) -> bool:
        """Whether it may be expected to think on these terms."""
        if terms is SIMPLE and not self.simple:
            return False
        return terms is LONG or not self.times or self.slowest <= terms.share


class Scheduler:
    """All thinking of the server."""

    def __init__(self, agents: AgentPool, background: Background, lanes: ThreadLimiters, limits: Limits) -> None:
        self.agents = agents
        self.background = background
        self.lanes = lanes
        self.limits = limits
        self.crews = [
            WorkerPool(terms, agents.resolver, limits.thinker_memory * MB) for terms in (SIMPLE, SHORT, LONG)
        ]
        self.agents_known: OrderedDict[str, AgentTimings] = OrderedDict()

    def known(self, game: Game, text: str) -> AgentTimings:
        """What is known of an agent; refused if there is no such one."""
        key = agent_key(game, text)
        if key not in self.agents_known:
            self.agents_known[key] = AgentTimings(self.agents.resolver.character(game, text))
        self.agents_known.move_to_end(key)
        if len(self.agents_known) > MOST_KNOWN:
            self.agents_known.popitem(last=False)
        return self.agents_known[key]

    def prepare(self, game: Game, text: str) -> None:
        """An agent has sat down: have a process started in which it can think."""
        self.crews_for(self.known(game, text))[0].prepare()

    def crews_for(self, known: AgentTimings) -> list[WorkerPool]:
        """Who may think for an agent, in this order: whoever gives way goes on with the next crew."""
        return [crew for crew in self.crews if known.suits(crew.terms)]

    # ---- moves

    async def decide(self, session: Session, whose: Requester, tell: Tell) -> tuple[int, Memory]:
        """What the agent to move plays, and what it remembers then; the session's table stays as it is."""
        seat, table = session.table.turn, session.table
        known = self.known(session.game, session.seats[seat])
        await self.ready(known.character, tell)
        if known.simple and known.quick:
            return await self.decide_here(session, known, whose)
        question = Question(list(table.actions), seat, session.seats[seat], secret=False)
        order = order_for(session, DECIDE, question, whose.table, table.remembered(seat))
        answer = await self.ask(order, known, whose, self.limits.decision)
        known.times.append(answer.seconds)
        return answer.value, answer.memory

    async def decide_here(self, session: Session, known: AgentTimings, whose: Requester) -> tuple[int, Memory]:
        """In the server: at once, or in a thread."""
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

        if known.slowest <= AT_ONCE and self.agents.has(session.game, session.seats[seat]):
            await asyncio.sleep(0)  # others first
            action, memory, seconds = choose()
        else:
            action, memory, seconds = await self.lanes.quick.run(choose, address=whose.address)
        known.times.append(seconds)
        return action, memory

    # ---- questions

    async def answer(self, session: Session, what: str, question: Question, whose: Requester, tell: Tell) -> Any:
        """What an agent says to a question, as JSON."""
        known = self.known(session.game, question.who)
        await self.ready(known.character, tell)
        answer = await self.ask(order_for(session, what, question, whose.table), known, whose, self.limits.question)
        return json.loads(answer.value)

    async def watch(self, session: Session, question: Question, details: dict[str, Any], whose: Requester) -> Any:
        """A search in steps, as JSON."""
        known = self.known(session.game, question.who)
        await self.ready(known.character, in_silence)
        order = replace(order_for(session, WATCH, question, whose.table), details=details)
        return json.loads((await self.crews[-1].ask(order, whose, self.limits.question)).value)

    async def show(self, session: Session, plies: int, whose: Requester) -> str:
        """The open table after so many plies, as text."""
        question = Question(session.table.actions[:plies], 0, "the open table", secret=False)
        order = order_for(session, SHOW, question, whose.table)
        return str((await self.crews[-1].ask(order, whose, self.limits.question)).value)

    # ---- what no agent is asked for, but takes time

    async def shares(self, session: Session, plies: int, seat: int, whose: Requester) -> tuple[Shares, int]:
        """What each hidden thing may be after so many plies, by what a seat knows then, and in how many worlds."""
        question = Question(session.table.actions[:plies], seat, "the chances of what is hidden", secret=True)
        found: tuple[Shares, int] = (
            await self.work_out(order_for(session, SHARES, question, whose.table), whose)
        ).value
        return found

    async def memories(self, session: Session, plies: int, whose: Requester) -> list[Memory]:
        """By seat, what the agents at the table remember after so many plies."""
        if all(text == PERSON or session.forgets(text) for text in session.seats):
            return []
        question = Question(session.table.actions[:plies], 0, "taking a move back", secret=False)
        found: list[Memory] = (await self.work_out(order_for(session, REMEMBER, question, whose.table), whose)).value
        return found

    async def work_out(self, order: WorkerTask, whose: Requester) -> TaskResult:
        """Where agents think, for it takes as long as they do."""
        _, short, long = self.crews
        try:
            return await short.ask(order, whose, self.limits.question)
        except Preempted:
            return await long.ask(order, whose, self.limits.question)

    # ---- both

    async def ask(self, order: WorkerTask, known: AgentTimings, whose: Requester, limit: float) -> TaskResult:
        """Have an order answered by the first crew that can."""
        *others, last = self.crews_for(known)
        for crew in others:
            try:
                return await crew.ask(order, whose, limit, partial(known.suits, crew.terms))
            except Preempted:
                if order.what == DECIDE:
                    known.times.append(2 * crew.terms.share)
        return await last.ask(order, whose, limit)

    async def ready(self, character: Character, tell: Tell) -> None:
        """Until the agent may think; every new line about what it waits for is told."""
        told = ""
        while text := self.background.ready_for(character):
            if text != told:
                tell(text)
                told = text
            await asyncio.sleep(LOOK_AGAIN)

    def tidy(self) -> None:
        for crew in self.crews:
            crew.tidy()

    def close(self) -> None:
        for crew in self.crews:
            crew.close()
