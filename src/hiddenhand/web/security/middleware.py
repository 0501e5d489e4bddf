"""The security middleware: it checks Host and Origin, and limits rates, sockets and the size of requests.

A page of another site, opened in the same browser, could talk to a server on this machine. It cannot forge its
Origin, and a name of its own that leads here shows in Host: both are checked. Programs send no Origin and are let in;
they could do no more than their user.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import socket
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hiddenhand.core.text import Text, render
from hiddenhand.web.answers import reader_of
from hiddenhand.web.security.limits import Limits, TokenBuckets

READING = ("GET", "HEAD")
BODY_SECONDS = 20.0
POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'; object-src 'none'"
)


class SecurityMiddleware:
    """Wraps the application."""

    def __init__(self, app: ASGIApp, limits: Limits, names: tuple[str, ...] = ()) -> None:
        self.app = app
        self.limits = limits
        self.names = {"localhost", "testserver", socket.gethostname().lower(), *(name.lower() for name in names)}
        self.requests = TokenBuckets(limits.requests)
        self.sockets: dict[str, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        reason = self.objection(scope, headers)
        if scope["type"] == "websocket":
            await self.socket(scope, receive, send, reason)
        elif reason:
            await refuse(send, scope, 403, reason)
        elif not self.requests.take(address(scope)):
            await refuse(send, scope, 429, Text("too many requests; try again in a moment"))
        else:
            await self.request(scope, headers, receive, send)

    def objection(self, scope: Scope, headers: Headers) -> str:
        """Why this one is not let in; empty if it is."""
        host = headers.get("host", "")
        if not self.known(host):
            return Text(
                "this server does not answer to the name {host}; start it with --name to change that",
                host=repr(host[:80]),
            )
        origin = headers.get("origin")
        unsafe = scope["type"] == "websocket" or scope["method"] not in READING
        if origin is not None and unsafe and not same_place(origin, host):
            return Text("pages of other sites are not served")
        return ""

    def known(self, host: str) -> bool:
        """Whether a Host header means this server: an address as such always does, a name must be known."""
        name = ""
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
            ipaddress.ip_address(name)
            return True
        except ValueError:  # no address, or nothing that has a meaning
            return name in self.names

    async def socket(self, scope: Scope, receive: Receive, send: Send, reason: str) -> None:
        who = address(scope)
        full = sum(self.sockets.values()) >= self.limits.sockets
        full = full or self.sockets.get(who, 0) >= self.limits.sockets_per_address
        if reason or full or not self.requests.take(who):  # to become a socket is a request too
            await send({"type": "websocket.close", "code": 1008, "reason": str(reason or Text("too many sockets"))})
            return
        self.sockets[who] = self.sockets.get(who, 0) + 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.sockets[who] -= 1
            if not self.sockets[who]:
                del self.sockets[who]

    async def request(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        if scope["method"] in READING:
            await self.app(scope, receive, with_headers(send))
            return
        too_long = Text("at most {n} bytes are read", n=self.limits.body_size)
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self.limits.body_size:
            await refuse(send, scope, 413, too_long)
            return
        try:
            body = await asyncio.wait_for(read_body(receive, self.limits.body_size), BODY_SECONDS)
        except TimeoutError:
            await refuse(send, scope, 408, Text("the request took too long to arrive"))
            return
        if body is None:
            await refuse(send, scope, 413, too_long)
            return
        await self.app(scope, replayed(body, receive), with_headers(send))


def same_place(origin: str, host: str) -> bool:
    """Whether a page comes from where it asks."""
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False


def address(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else "nobody"


def at_the_machine(scope: Scope) -> bool:
    """Whether somebody asks from this very machine, as its owner does: both ends of the line have one address.

    What another server passes on says so in its headers, and may come from anywhere.
    """
    if {"forwarded", "x-forwarded-for"} & set(Headers(scope=scope)):
        return False
    server = scope.get("server")
    return server is not None and address(scope) == server[0]


async def read_body(receive: Receive, most: int) -> bytes | None:
    """The whole body; None if it is too long."""
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > most:
            return None
        if not message.get("more_body"):
            return bytes(body)


def replayed(body: bytes, receive: Receive) -> Receive:
    """A body that has been read, handed on as if it came now."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def with_headers(send: Send) -> Send:
    """Tell browsers to run nothing but our own files."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("content-security-policy", POLICY)
            headers.setdefault("x-content-type-options", "nosniff")
            headers.setdefault("referrer-policy", "no-referrer")
        await send(message)

    return sending


async def refuse(send: Send, scope: Scope, status: int, text: str) -> None:
    """A refusal in one line, in the language of whoever asks."""
    body: dict[str, Any] = {"error": render(text, reader_of(HTTPConnection(scope)))}
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})
