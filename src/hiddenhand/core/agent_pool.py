"""A pool of agents: made once, lent to one asker at a time, and few enough to fit in memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from hiddenhand.core.agent import Agent
from hiddenhand.core.game import Game
from hiddenhand.core.resolver import EVERYTHING, Resolver

MOST_WAITING = 48


class AgentPool:
    """Agents by game and text. The same position gives the same decision whoever asked before, so they are shared.

    `resolver`: what finds an agent by its text; that of a server opens what its owner allows.
    """

    def __init__(self, resolver: Resolver = EVERYTHING) -> None:
        self.resolver = resolver
        self.lock = threading.Lock()
        self.waiting: OrderedDict[str, list[Agent]] = OrderedDict()

    @contextmanager
    def lend(self, game: Game, text: str) -> Iterator[Agent]:
        """An agent that nobody else uses meanwhile; the first time it is made, which may take a while."""
        key = agent_key(game, text)
        with self.lock:
            free = self.waiting.get(key)
            agent = free.pop() if free else None
        if agent is None:
            agent = self.resolver.agent(game, text)
        yield agent
        self.put(key, agent)

    def has(self, game: Game, text: str) -> bool:
        """Whether such an agent waits to be asked, so that none has to be made."""
        return bool(self.waiting.get(agent_key(game, text)))

    def add(self, agent: Agent) -> str:
        """Take in an agent made elsewhere; the text by which it is lent."""
        self.put(agent_key(agent.game, str(agent)), agent)
        return str(agent)

    def put(self, key: str, agent: Agent) -> None:
        with self.lock:
            self.waiting.setdefault(key, []).append(agent)
            self.waiting.move_to_end(key)
        while sum(map(len, self.waiting.values())) > MOST_WAITING:
            self.give_up_oldest()

    def give_up_oldest(self) -> bool:
        """Forget one of the agents that were not asked for longest; False if there is none."""
        with self.lock:
            while self.waiting:
                oldest = next(iter(self.waiting))
                if self.waiting[oldest]:
                    self.waiting[oldest].pop()
                    return True
                del self.waiting[oldest]
            return False


def agent_key(game: Game, text: str) -> str:
    """What makes an agent this agent."""
    return f"{game.origin.spec} {sorted(game.options.items())} {text}"
