"""Limits of connections, inside uvicorn: of those that ask for nothing, and of those that do not read.

A connection that is opened and sends nothing costs a file descriptor, and there are only so many of them. It is
closed after a few seconds, one address may have only a part of all connections, and some files stay free for the
server itself.
"""

from __future__ import annotations

import asyncio
from typing import Any

from h11 import Request
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from hiddenhand.web.security.limits import KEPT_FREE, Limits, Rate, TokenBucket, files_allowed

FIRST_WORD = 5.0
"""Seconds that a connection may be open without a whole request."""
FAREWELL = 2.0
"""Seconds in which a page may read what was still on its way when its socket was closed."""
PART = 1024
"""Bytes that are taken apart at once: no more than some 170 frames can be in them."""


class ConnectionCounter:
    """How many connections each address has, and whether it may have another one."""

    def __init__(self, limits: Limits) -> None:
        self.per_address = limits.connections_per_address
        self.first_refused_file = files_allowed() - KEPT_FREE
        """File descriptors are numbered from below: a connection with this number, or a higher one, is refused."""
        self.open: dict[str, int] = {}

    def enter(self, address: str, file: int) -> bool:
        """Count one more connection, if it is within the limits; whether it is."""
        if file >= self.first_refused_file or self.open.get(address, 0) >= self.per_address:
            return False
        self.open[address] = self.open.get(address, 0) + 1
        return True

    def leave(self, address: str) -> None:
        self.open[address] -= 1
        if not self.open[address]:
            del self.open[address]


class HttpConnection(H11Protocol):
    """One HTTP connection, until it becomes a WebSocket or ends."""

    counter: ConnectionCounter
    alarm: asyncio.TimerHandle | None = None
    address: str | None = None
    """Of the client; set while the connection is counted."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if self.counter.enter(address, transport.get_extra_info("socket").fileno()):
            self.address = address
            self.watch()
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self.watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self.give_up_place()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Request) -> None:
        super().handle_websocket_upgrade(event)
        if not getattr(self.transport.get_protocol(), "handshake_initiated", True):
            self.send_400_response("This request cannot become a socket.")
        self.give_up_place()  # sockets are counted by the middleware

    def watch(self) -> None:
        """Wait for a request, or for the rest of one, but not for ever."""
        asked = self.address is None or (self.cycle is not None and not self.cycle.response_complete)
        if asked and self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None
        elif not asked and self.alarm is None:
            self.alarm = self.loop.call_later(FIRST_WORD, self.transport.abort)

    def give_up_place(self) -> None:
        if self.address is not None:
            self.counter.leave(self.address)
            self.address = None
        self.watch()


class WebSocketConnection(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket. Once closed, it ends soon, even if the page does not read the rest.

    All that comes in is counted, not only messages: pings and empty parts of messages cost time too, and nobody above
    this class ever sees them. Whoever sends too much is cut off.
    """

    limits: Limits

    def __init__(self, *arguments: Any, **details: Any) -> None:
        super().__init__(*arguments, **details)
        messages, others = self.limits.messages, self.limits.frames
        self.all_frames = TokenBucket(Rate(messages.a_second + others.a_second, messages.at_once + others.at_once))
        self.received = TokenBucket(self.limits.received)

    def data_received(self, data: bytes) -> None:
        if not self.received.take(len(data)):
            self.transport.abort()
        for start in range(0, len(data), PART):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + PART])

    def counted(self) -> bool:
        """Count one frame; whether it is still within the limits. If it is not, the connection is cut."""
        if not self.transport.is_closing() and not self.all_frames.take():
            self.transport.abort()
        return not self.transport.is_closing()

    def handle_ping(self) -> None:
        if self.counted():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self.counted():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self.counted():
            super().handle_cont(event)

    def handle_text(self, event: Frame) -> None:
        if self.counted():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        if self.counted():
            super().handle_bytes(event)

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.loop.call_later(FAREWELL, self.transport.abort)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()


def http_class(limits: Limits) -> type[HttpConnection]:
    """The class of HTTP connections for uvicorn, with these limits."""
    return type("HttpConnection", (HttpConnection,), {"counter": ConnectionCounter(limits)})


def websocket_class(limits: Limits) -> type[WebSocketConnection]:
    """The class of WebSocket connections for uvicorn, with these limits."""
    return type("WebSocketConnection", (WebSocketConnection,), {"limits": limits})
