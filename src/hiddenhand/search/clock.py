"""Clock: compiled work in slices of about a millisecond, so that a time limit is kept and Ctrl-C is heard."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from hiddenhand.core.decision import Decision
    from hiddenhand.core.game import Game
    from hiddenhand.core.view import View

Result = TypeVar("Result")
SLICE = 0.001  # seconds


class Clock:
    """Runs from its making; never expires if `seconds` is 0."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.deadline = time.perf_counter() + seconds if seconds > 0 else float("inf")
        self.amount = 256

    def expired(self) -> bool:
        return time.perf_counter() >= self.deadline

    def left(self) -> float:
        """Seconds."""
        return self.deadline - time.perf_counter()

    def run(self, work: Callable[[int], Result], most: int = 1 << 62) -> Result:
        """Call `work` with an amount that takes about one slice (at most `most`)."""
        before = time.perf_counter()
        result = work(min(self.amount, most))
        elapsed = time.perf_counter() - before
        if elapsed < SLICE / 2:
            self.amount *= 2
        elif elapsed > SLICE and self.amount > 1:
            self.amount //= 2
        return result


class Timed(Protocol):
    """An agent with a time limit."""

    game: Game
    time: float

    def decide(self, view: View) -> Decision: ...


def rehearse(agent: Timed) -> None:
    """Let an agent with a time limit decide once in the opening, so that compilation never counts as thinking."""
    allowed, agent.time = agent.time, SLICE
    agent.decide(agent.game.deal().view())
    agent.time = allowed
