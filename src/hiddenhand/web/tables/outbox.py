"""Outboxes: what waits to be sent to each page, bounded in messages and in bytes, for each of them and for all.

A page that does not read is let go, and what waited for it is forgotten. When all together hold too much, it is the
one furthest behind that goes: where a message has waited longest to be sent.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from sys import getsizeof
from weakref import WeakSet

from hiddenhand.web.security.limits import Limits


class Outboxes:
    """Those of all pages."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.boxes: WeakSet[Outbox] = WeakSet()
        self.size = 0
        """Bytes that wait in them."""

    def make_room(self) -> None:
        while self.size > self.limits.outboxes_size:
            min((box for box in self.boxes if box.size), key=lambda box: box.moved).let_go()


class Outbox:
    """That of one page."""

    def __init__(self, others: Outboxes) -> None:
        self.others = others
        self.texts: deque[str] = deque()
        self.size = 0
        self.moved = 0.0
        """When the message that waits longest came to the front."""
        self.filled = asyncio.Event()
        self.overflown = asyncio.Event()
        others.boxes.add(self)

    def put(self, text: str) -> None:
        """Let a message wait for its turn; if too much waits already, the page is let go instead."""
        if self.overflown.is_set():
            return
        if not self.texts:
            self.moved = time.monotonic()
        self.texts.append(text)
        self.grow(getsizeof(text))
        self.filled.set()
        if len(self.texts) > self.others.limits.outbox or self.too_large():
            self.let_go()
        self.others.make_room()

    def too_large(self) -> bool:
        """Whether too many bytes wait, not counting the longest message: one may be as long as it needs."""
        most = self.others.limits.outbox_size
        return self.size > most and self.size - max(map(getsizeof, self.texts)) > most

    async def send_all(self, send: Callable[[str], Awaitable[None]]) -> None:
        """Send one message after the other, for ever. A message waits until it has been sent."""
        while True:
            while not self.texts:
                self.filled.clear()
                await self.filled.wait()
            text = self.texts[0]
            await send(text)
            if self.texts:  # else the page was let go meanwhile
                self.moved = time.monotonic()
                self.texts.popleft()
                self.grow(-getsizeof(text))

    def let_go(self) -> None:
        """Whoever serves the page hears of it."""
        self.texts.clear()
        self.grow(-self.size)
        self.overflown.set()

    def grow(self, size: int) -> None:
        self.size += size
        self.others.size += size
