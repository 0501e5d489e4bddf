"""Lanes: where work is done that must not hold up the server. Slow thinkers wait for each other, never for the quick.

Every piece of work has a thread of its own; compiled code lets the others run meanwhile. A lane bounds how many run
at once. Work that outstays `PATIENCE` gives its place away, so that a hopeless search cannot fill the lane for good;
only `MOST_STRAYS` may do so. The threads are daemons: nobody waits for them when the server stops.
"""

from __future__ import annotations

import asyncio
import math
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")
PATIENCE = 30.0
MOST_STRAYS = 16


class Lane:
    """So many pieces of work at once, the others in the order in which they came."""

    def __init__(self, places: int, patience: float = PATIENCE) -> None:
        self.places = asyncio.Semaphore(places)
        self.patience = patience
        self.strays = 0

    async def run(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """What the work returns, or what it raises."""
        await self.places.acquire()
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        errand = Errand(self, future, loop)
        threading.Thread(target=errand.carry_out, args=(work, arguments), daemon=True).start()
        return await future


class Errand:
    """One piece of work on a lane: it frees its place when it is done, or when it has taken too long."""

    def __init__(self, lane: Lane, future: asyncio.Future[Any], loop: asyncio.AbstractEventLoop) -> None:
        self.lane = lane
        self.future = future
        self.loop = loop
        self.strayed = False
        self.alarm = loop.call_later(lane.patience, self.stray)

    def stray(self) -> None:
        if self.lane.strays < MOST_STRAYS:
            self.strayed = True
            self.lane.strays += 1
            self.lane.places.release()

    def carry_out(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        """In the thread."""
        result, error = None, None
        try:
            result = work(*arguments)
        except BaseException as raised:
            error = raised
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.done, result, error)

    def done(self, result: Any, error: BaseException | None) -> None:
        """Back in the loop."""
        self.alarm.cancel()
        if self.strayed:
            self.lane.strays -= 1
        else:
            self.lane.places.release()
        if self.future.cancelled():
            return
        if error is None:
            self.future.set_result(result)
        else:
            self.future.set_exception(error)


class Speed:
    """How long an agent has taken for its last decisions."""

    REMEMBERED = 8

    def __init__(self) -> None:
        self.times: deque[float] = deque(maxlen=self.REMEMBERED)
        self.simple = False
        """A compiled policy, which takes about as long every time; a search may take any time."""

    @property
    def slowest(self) -> float:
        return max(self.times, default=math.inf)


class Lanes:
    """The three lanes of the server, and how quick each agent has been."""

    AT_ONCE = 0.002
    """Seconds for a decision, up to which a simple agent is not worth a thread."""
    QUICK = 0.02
    """Seconds for a decision, up to which an agent counts as quick."""

    def __init__(self) -> None:
        self.quick = Lane(4)
        self.slow = Lane(4)
        self.setup = Lane(2, patience=300.0)
        """Dealing and sitting down: the first time, a game is compiled."""
        self.speeds: dict[str, Speed] = {}

    def is_quick(self, key: str) -> bool:
        return self.speed(key).slowest <= self.QUICK

    async def think(self, key: str, ask: Callable[[], tuple[Result, float]]) -> Result:
        """Let an agent think where it belongs: slowly, until it has shown that it is quick."""
        speed = self.speed(key)
        if speed.simple and speed.slowest <= self.AT_ONCE:
            await asyncio.sleep(0)  # others first
            result, seconds = ask()
        else:
            result, seconds = await (self.quick if self.is_quick(key) else self.slow).run(ask)
        speed.times.append(seconds)
        return result

    def speed(self, key: str) -> Speed:
        if len(self.speeds) > 10_000:
            self.speeds.clear()
        return self.speeds.setdefault(key, Speed())
