"""How uvicorn serves the application: small messages, no compression of sockets, a quick end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenhand.web.limits import Limits

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI


def server_for(app: FastAPI, limits: Limits) -> uvicorn.Server:
    """A server that has not been started; `run(sockets=[...])` does."""
    import uvicorn

    config = uvicorn.Config(
        app,
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=limits.message_size,
        ws_per_message_deflate=False,  # it would cost more memory for a socket than all the rest
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    return uvicorn.Server(config)
