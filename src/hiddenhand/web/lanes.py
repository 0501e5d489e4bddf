"""Lanes: threads for short work that must not hold up the server. What may take any time is done in other processes.

Every piece of work has a thread of its own; a lane bounds how many run at once. The threads are daemons: nobody waits
for them when the server stops.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")


class Lane:
    """So many pieces of work at once, the others in the order in which they came."""

    def __init__(self, places: int) -> None:
        self.places = asyncio.Semaphore(places)

    async def run(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """What the work returns, or what it raises. Its place is taken until it is done, whoever still waits."""
        await self.places.acquire()
        future = in_a_thread(work, *arguments)
        future.add_done_callback(lambda done: self.places.release())
        return await asyncio.shield(future)


class Lanes:
    """The lanes of the server."""

    def __init__(self) -> None:
        self.quick = Lane(4)
        self.setup = Lane(2)
        """Dealing and sitting down."""


def in_a_thread(work: Callable[..., Result], *arguments: Any) -> asyncio.Future[Result]:
    """Do something in a thread of its own."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def carry_out() -> None:
        try:
            result = work(*arguments)
        except BaseException as error:
            tell(set_error, error)
        else:
            tell(set_result, result)

    def tell(what: Callable[..., None], value: Any) -> None:
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
