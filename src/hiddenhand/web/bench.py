"""The bench on which agents wait: made once, lent to one table at a time, and few enough to fit in memory."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from hiddenhand.core.agent import Agent
from hiddenhand.core.game import Game
from hiddenhand.core.resolver import Resolver

Result = TypeVar("Result")
MOST_WAITING = 48


class Bench:
    """Agents by game and text. The same position gives the same decision whoever asked before, so they are shared."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.lock = threading.Lock()
        self.waiting: OrderedDict[str, list[Agent]] = OrderedDict()

    @contextmanager
    def lend(self, game: Game, text: str) -> Iterator[Agent]:
        """An agent that nobody else uses meanwhile; to be called in a lane, since making one may take time."""
        key = key_of(game, text)
        with self.lock:
            free = self.waiting.get(key)
            agent = free.pop() if free else None
        if agent is None:
            agent = self.resolver.agent(game, text)
        yield agent
        with self.lock:
            self.waiting.setdefault(key, []).append(agent)
            self.waiting.move_to_end(key)
            while sum(map(len, self.waiting.values())) > MOST_WAITING:
                oldest = next(iter(self.waiting))
                self.waiting[oldest].pop() if self.waiting[oldest] else self.waiting.pop(oldest)

    def ask(self, game: Game, text: str, question: Callable[[Agent], Result]) -> tuple[Result, float]:
        """The answer of an agent, and how many seconds it took."""
        with self.lend(game, text) as agent:
            started = time.perf_counter()
            answer = question(agent)
            return answer, time.perf_counter() - started


def key_of(game: Game, text: str) -> str:
    """What makes an agent this agent."""
    return f"{game.spec} {game.contents} {sorted(game.options.items())} {text}"
