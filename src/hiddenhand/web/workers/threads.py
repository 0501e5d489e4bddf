"""Threads for short work that must not hold up the event loop. What may take any time is done in worker processes.

Every call has a thread of its own. A `ThreadLimiter` bounds how many run at once, and lets addresses take turns
(anyio's CapacityLimiter is first come, first served). The threads are daemons: nobody waits for them when the server
stops.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from hiddenhand.web.workers.fair_queue import FairQueue

Result = TypeVar("Result")


@dataclass(eq=False)
class WaitingCall:
    """A call that waits for a thread."""

    address: str
    place: asyncio.Future[None]


class ThreadLimiter:
    """At most `threads` calls at once, and at most `per_address` of them for one address; the others wait for their
    turn.
    """

    def __init__(self, threads: int, per_address: int) -> None:
        self.free = threads
        self.per_address = per_address
        self.taken: Counter[str] = Counter()
        self.queue: FairQueue[WaitingCall] = FairQueue()

    async def run(self, work: Callable[..., Result], *arguments: Any, address: str = "") -> Result:
        """Call `work(*arguments)` in a thread; what it returns, or what it raises.

        The thread counts as used until the work is done, even if the caller does not wait any longer.

        address   of the client that has asked for it
        """
        await self.acquire(address)
        future = in_a_thread(work, *arguments)
        future.add_done_callback(lambda done: self.release(address))
        return await asyncio.shield(future)

    async def acquire(self, address: str) -> None:
        waiting = WaitingCall(address, asyncio.get_running_loop().create_future())
        self.queue.add(waiting, address)
        self.admit()
        try:
            await waiting.place
        except asyncio.CancelledError:
            self.queue.remove(waiting)
            if not waiting.place.cancelled():  # it was found in the same moment
                self.release(address)
            raise

    def release(self, address: str) -> None:
        self.free += 1
        self.taken[address] -= 1
        if not self.taken[address]:
            del self.taken[address]
        self.admit()

    def admit(self) -> None:
        """Start the calls whose turn it is."""
        while self.free and (next_one := self.queue.take(self.may_start)) is not None:
            if not next_one.place.cancelled():
                self.free -= 1
                self.taken[next_one.address] += 1
                next_one.place.set_result(None)

    def may_start(self, waiting: WaitingCall) -> bool:
        return self.taken[waiting.address] < self.per_address


class ThreadLimiters:
    """The limiters of the server: for quick work, and for dealing and sitting down."""

    def __init__(self) -> None:
        self.quick = ThreadLimiter(4, per_address=2)
        self.setup = ThreadLimiter(2, per_address=1)
        """Dealing and sitting down."""


def in_a_thread(work: Callable[..., Result], *arguments: Any) -> asyncio.Future[Result]:
    """Call `work(*arguments)` in a daemon thread of its own."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def carry_out() -> None:
        try:
            result = work(*arguments)
        except BaseException as error:
            tell(set_error, error)
        else:
            tell(set_result, result)

    def tell(what: Callable[..., None], value: object) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(what, value)

    def set_result(result: Result) -> None:
        if not future.done():
            future.set_result(result)

    def set_error(error: BaseException) -> None:
        if not future.done():
            future.set_exception(error)
            future.exception()  # whoever waits hears it; if nobody does, that is no mistake

    threading.Thread(target=carry_out, daemon=True).start()
    return future
