"""A connection: one WebSocket of one page. What it says is read strictly; what it is sent waits in an outbox."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from hiddenhand.core.catalogue import ENGLISH
from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Reader, Text
from hiddenhand.web.schemas import outgoing
from hiddenhand.web.schemas.base import OutgoingModel
from hiddenhand.web.schemas.socket import read_message
from hiddenhand.web.security.limits import TokenBucket
from hiddenhand.web.tables.handlers import HANDLERS
from hiddenhand.web.tables.live_table import Client, LiveTable
from hiddenhand.web.tables.outbox import Outbox
from hiddenhand.web.tables.registry import TableRegistry

LOG = logging.getLogger("hiddenhand.web")
POLICY = 1008
GOODBYE = 2.0
PATIENCE = 20
"""So many messages over the rate are refused with an error message; then the socket is closed."""
QUESTIONS_AT_ONCE = 8
"""So many requests that take time may be in work for one connection."""


class Connection:
    """One open socket, and its presence at tables."""

    def __init__(self, socket: WebSocket, tables: TableRegistry, address: str = "", language: str = ENGLISH) -> None:
        self.socket = socket
        self.tables = tables
        self.address = address
        self.language = language
        self.clients: dict[str, tuple[LiveTable, Client]] = {}
        """By the id of a table that was joined: the table, and the presence of this connection there."""
        self.outbox = Outbox(tables.outboxes)
        self.bucket = TokenBucket(tables.limits.messages)
        self.over_the_rate = 0
        self.in_work: set[asyncio.Task[None]] = set()
        """Requests that take time."""

    def send(self, message: OutgoingModel, table: str = "") -> None:
        """Send a message; `table`: at which table seats have the names that it may need."""
        live = self.clients[table][0] if table in self.clients else None
        self.outbox.put(message.written(live.reader(self.language) if live else Reader(self.language)))

    def complain(self, text: str, table: str = "") -> None:
        self.send(outgoing.ErrorMessage(text=text), table)

    # ---- reading and writing

    async def serve(self) -> None:
        """Read and write until the page leaves, or is made to leave."""
        await self.socket.accept()
        jobs = [asyncio.create_task(work()) for work in (self.read, self.write, self.outbox.overflown.wait)]
        try:
            await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for job in [*jobs, *self.in_work]:
                job.cancel()
            for live, client in self.clients.values():
                live.leave(client)
            self.outbox.let_go()
            with suppress(Exception):  # a page that does not read takes no farewell either
                await asyncio.wait_for(self.socket.close(POLICY), GOODBYE)
            for done in await asyncio.gather(*jobs, return_exceptions=True):
                if isinstance(done, Exception) and not isinstance(done, WebSocketDisconnect):
                    LOG.debug("a socket ended", exc_info=done)

    async def write(self) -> None:
        await self.outbox.send_all(self.socket.send_text)

    async def read(self) -> None:
        while True:
            try:
                text = await self.socket.receive_text()
            except KeyError:  # a binary frame
                self.complain(Text("messages are JSON texts"))
                continue
            if not self.bucket.take():
                self.over_the_rate += 1
                if self.over_the_rate > PATIENCE:
                    return
                self.complain(Text("too many messages; slow down"))
            elif len(text) > self.tables.limits.message_size:
                self.complain(Text("this message is too long"))
            else:
                await self.receive(text)

    # ---- handling messages

    async def receive(self, text: str) -> None:
        """Handle one message, or begin to, where it takes time."""
        try:
            message = read_message(text)
        except UserError as error:
            self.complain(error.text)
            return
        handler = HANDLERS[type(message)]
        table = getattr(message, "table", "")
        if not handler.takes_time:
            failure = Text("the server could not do that; nothing has changed")
            await self.carry_out(handler.handle(self, message), table, failure)
        elif len(self.in_work) >= QUESTIONS_AT_ONCE:
            self.complain(Text("too many questions at once; wait for an answer"))
        else:
            work = self.carry_out(handler.handle(self, message), table, Text("the server could not answer that"))
            task = asyncio.create_task(work)
            self.in_work.add(task)
            task.add_done_callback(self.in_work.discard)

    async def carry_out(self, work: Awaitable[None], table: str, failure: str) -> None:
        """Do what a message asks for; whatever is wrong with it is told to the client in one line."""
        try:
            await work
        except UserError as error:
            self.complain(error.text, table)
        except Exception:
            LOG.exception("a message could not be handled")
            self.complain(failure)

    # ---- tables

    async def join(self, table: str, token: str | None) -> None:
        if len(self.clients) >= self.tables.limits.tables_per_socket and table not in self.clients:
            raise UserError("this page is at too many tables; leave one first")
        live = await self.tables.find(table, self.address)
        if table in self.clients:
            before, client = self.clients.pop(table)
            before.leave(client)
        client = Client(self.outbox.put, self.address, self.language)
        self.clients[table] = (live, client)  # from now on, a page that hangs up is missed
        try:
            await live.carry_out(live.enter(client, token))
        except BaseException:
            live.leave(client)
            del self.clients[table]
            raise

    def leave(self, table: str) -> None:
        live, client = self.at(table)
        live.leave(client)
        del self.clients[table]

    def at(self, table: str) -> tuple[LiveTable, Client]:
        """A table that this connection has joined, and its presence there."""
        if table not in self.clients:
            raise UserError("join table {table} first", table=table)
        return self.clients[table]
