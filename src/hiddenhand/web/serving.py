"""How uvicorn serves the application: small messages, no compression of sockets, a quick end."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text
from hiddenhand.web.security.limits import Limits, files_allowed

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

AT_ONCE = 8
"""Lines that are let in before those who came in are looked at."""
QUEUE = 2048
"""Lines that may wait to be let in."""


def server_for(app: FastAPI, limits: Limits) -> uvicorn.Server:
    """A server that has not been started; `run(sockets=[...])` does."""
    import uvicorn

    from hiddenhand.web.security.connection_limits import http_class, websocket_class

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            for listener in sockets or ():
                listener.listen(QUEUE)

    sys.setswitchinterval(0.001)  # threads that think give way soon to the one that answers
    config = uvicorn.Config(
        app,
        http=http_class(limits.within(files_allowed())),
        backlog=AT_ONCE,
        log_level="warning",
        ws=websocket_class(limits),
        ws_max_size=limits.message_size,
        ws_per_message_deflate=False,  # it would cost more memory for a socket than all the rest
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    return Server(config)


def listen(host: str, ports: Iterable[int]) -> socket.socket:
    """A socket on the first of these ports that is free.

    It says that it speaks TCP: otherwise the event loop would let small messages wait for each other.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    problem = Text("no port was given")
    for port in ports:
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            return listener
        except OSError as error:
            listener.close()
            problem = Text("port {port}: {why}", port=str(port), why=error.strerror or error)
    raise UserError("cannot listen on {host} {problem}", host=host, problem=problem)
