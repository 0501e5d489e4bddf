"""The worker process: agents decide and explain in it, so that they can be stopped whatever they do.

It is sent tasks over a pipe, one at a time, and answers each. A task holds all that is needed to play the game up to
the moment in question; the session decides there, as everywhere, what the agent may see. Agents, and the tables of
the last tasks, are kept for the next task, as far as memory allows.
"""

from __future__ import annotations

import gc
import json
import signal
import threading
import time
import traceback
from collections import OrderedDict
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from typing import Any

from hiddenhand.belief.marginals import cases_of, counted
from hiddenhand.core.agent import Agent
from hiddenhand.core.agent_pool import AgentPool
from hiddenhand.core.errors import UserError
from hiddenhand.core.resolver import EVERYTHING, Resolver
from hiddenhand.core.session import PERSON, Deal, Question, Session
from hiddenhand.core.table import Memory, Table
from hiddenhand.core.text import Text, to_data
from hiddenhand.kernel.rule import Mode, Rule, recheck_cache, set_mode
from hiddenhand.lab.executors import leave_with_parent
from hiddenhand.web.errors import for_strangers
from hiddenhand.web.workers.memory import leave_when_too_large, resident

DECIDE, EXPLAIN, DRAW, SHOW, WATCH = "decide", "explain", "draw", "show", "watch"
"""What can be asked for: a move, its reasons, a search as a tree, the open table as text, a search in steps."""
SHARES, REMEMBER = "shares", "remember"
"""What can be asked for without naming an agent: what hidden things may be, and what the agents at the table
remember.
"""
READY = "ready"
LARGEST_PICTURE = 400_000
MOST_TABLES = 64


@dataclass(frozen=True)
class WorkerTask:
    """Something to ask of an agent at a table, in a form that can be sent to another process."""

    what: str
    question: Question
    table: str
    game: str
    options: dict[str, Any]
    contents: str
    """The contents of the game's file, to notice that it has changed."""
    seed: int
    dealt: list[int] | None
    open_cards: bool
    seats: list[str] = field(default_factory=list)
    """Who sits there."""
    memory: Memory = field(default_factory=dict)
    """What the agent in this seat remembers, if it is to decide."""
    cache_version: int = 0
    """A number that goes up whenever there may be new compiled code on disk."""
    details: dict[str, Any] = field(default_factory=dict)
    """How a search is to be shown step by step."""


@dataclass(frozen=True)
class TaskResult:
    """The answer to a task: its value, or an `error` to show to the user, or the traceback of a `failure`."""

    value: Any = None
    memory: Memory = field(default_factory=dict)
    seconds: float = 0.0
    """The processor time of the agent's work."""
    error: str = ""
    failure: str = ""


def task_for(session: Session, what: str, question: Question, table: str, memory: Memory | None = None) -> WorkerTask:
    """The task that lets a worker process answer a question about this session."""
    game, deal = session.game, session.deal
    return WorkerTask(
        what=what,
        question=question,
        table=table,
        game=game.origin.spec,
        options=dict(game.options),
        contents=game.origin.contents,
        seed=deal.seed,
        dealt=deal.dealt,
        open_cards=session.open_cards,
        seats=list(session.seats),
        memory=memory or {},
        cache_version=Rule.cache_version,
    )


# ---- in the process


def think(pipe: Connection, resolver: Resolver, mode: Mode, memory: int) -> None:
    """Answer tasks until the pipe is closed. `memory`: the bytes that this process may take up."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    threading.Thread(target=leave_with_parent, daemon=True).start()
    threading.Thread(target=leave_when_too_large, args=(memory,), daemon=True).start()
    EVERYTHING.files = resolver.files
    set_mode(mode)
    recheck_cache()
    if mode is not Mode.PLAIN:
        from hiddenhand.kernel.numba_compat import compiler

        compiler()  # importing it takes a while
    runner = TaskRunner(resolver)
    with suppress(EOFError, OSError):  # the server is gone
        pipe.send(READY)
        while True:
            pipe.send(runner.answer(pipe.recv()))
            runner.make_room(memory // 2)


class TaskRunner:
    """Carries out tasks, and keeps agents and tables from one to the next."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.agents = AgentPool(resolver)
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self.cache_version = 0

    def answer(self, task: WorkerTask) -> TaskResult:
        if task.cache_version != self.cache_version:
            self.cache_version = task.cache_version
            recheck_cache()
        try:
            return self.carry_out(task)
        except UserError as error:
            return TaskResult(error=for_strangers(self.resolver.files, error.text))
        except MemoryError:
            return TaskResult(error=Text("{who} needs more memory than it is given here", who=task.question.who))
        except Exception:
            return TaskResult(failure=traceback.format_exc())

    def carry_out(self, task: WorkerTask) -> TaskResult:
        session = self.session(task)
        if task.what == SHOW:
            return TaskResult(self.open_text(task, session))
        if task.what == SHARES:
            worlds = cases_of(self.table(task, session), task.question.seat)
            return TaskResult((counted(worlds), len(worlds)))
        if task.what == REMEMBER:
            return TaskResult(self.memories(task, session))
        with self.agents.lend(session.game, task.question.who) as agent:
            started = time.thread_time()
            if task.what == DECIDE:
                table = self.table(task, session)
                table.remember(task.question.seat, task.memory)
                action = session.decide(table, agent)
                memory = table.remembered(task.question.seat)
                return TaskResult(int(action), memory, time.thread_time() - started)
            found = {DRAW: drawn, WATCH: watched}.get(task.what, explained)(session, task, agent)
            return TaskResult(json.dumps(to_data(found)), seconds=time.thread_time() - started)

    def open_text(self, task: WorkerTask, session: Session) -> str:
        """The open table, with what each agent at it believes."""
        with ExitStack() as stack:
            agents = {
                seat: stack.enter_context(self.agents.lend(session.game, text))
                for seat, text in enumerate(task.seats)
                if text != PERSON
            }
            return self.table(task, session).open_text(agents)

    def memories(self, task: WorkerTask, session: Session) -> list[Memory]:
        """By seat, what the agents remember that have played so far."""
        played = replace(session, seats=task.seats, recorded=False, actions=task.question.actions, given_up=None)
        return [played.table.remembered(seat) for seat in range(len(task.seats))]

    def session(self, task: WorkerTask) -> Session:
        game = self.resolver.game(task.game, task.options)
        if game.origin.contents != task.contents:
            raise UserError("{game} has changed since this table was dealt; deal a new one", game=task.game)
        deal = Deal(game, task.seed, task.dealt)
        return Session(deal, [PERSON] * game.players, task.open_cards, recorded=True, agents=self.agents)

    def table(self, task: WorkerTask, session: Session) -> Table:
        """The table of a task: that of an earlier task, played on, if there is one."""
        actions = task.question.actions
        table = self.tables.pop(task.table, None)
        if table is None or table.history != actions[: len(table.history)]:
            table = session.replay(actions)
        else:
            for action in actions[len(table.history) :]:
                table.play(action)
        self.tables[task.table] = table
        if len(self.tables) > MOST_TABLES:
            self.tables.popitem(last=False)
        return table

    def make_room(self, most: int) -> None:
        """Give up agents, the least recently used first, until this process takes up at most so many bytes."""
        while resident() > most and self.agents.give_up_oldest():
            gc.collect()


def explained(session: Session, task: WorkerTask, agent: Agent) -> dict[str, Any]:
    return session.answer(task.question, agent).to_json()


def drawn(session: Session, task: WorkerTask, agent: Agent) -> dict[str, Any]:
    """The tree that a small search looks at, cut branches included."""
    from hiddenhand.search import TreeSearch, trace

    if not isinstance(agent, TreeSearch):
        raise UserError(
            "{agent} does not search a tree; try minimax, alphabeta, expectiminimax or maxn", agent=agent.name
        )
    found = trace(agent, session.view_of(task.question, agent))
    svg = found.svg()
    if len(svg) > LARGEST_PICTURE:
        raise UserError("this tree is too large to be drawn: ask for a smaller depth")
    return {"title": found.title, "svg": svg, "text": found.text()}


def watched(session: Session, task: WorkerTask, agent: Agent) -> dict[str, Any]:
    """A search in steps, with the picture that they change; for alpha-beta, what other orders of moves would cost."""
    from hiddenhand.search import AlphaBeta
    from hiddenhand.search.stepwise import compare_orders, watch
    from hiddenhand.search.tree_drawing import stage_svg

    view = session.replay(task.question.actions).view(task.question.seat)
    found = watch(agent, view, **task.details)
    svg = stage_svg(found)
    if len(svg) > LARGEST_PICTURE:
        raise UserError("this tree is too large to be drawn: ask for a smaller depth or breadth")
    orders = compare_orders(agent, view, task.details["breadth"]) if isinstance(agent, AlphaBeta) else {}
    return {**found.to_json(), "svg": svg, "orders": orders}
