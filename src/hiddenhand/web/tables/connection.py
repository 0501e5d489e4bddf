"""A connection: one WebSocket of one page. What it says is read strictly; what it is sent waits in an outbox."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from hiddenhand.core.errors import UserError
from hiddenhand.web.schemas import outgoing as wire
from hiddenhand.web.schemas.http import clean_name
from hiddenhand.web.schemas.socket import (
    AdviceRequest,
    BeliefRequest,
    JoinRequest,
    LeaveRequest,
    LookRequest,
    PingRequest,
    PlayRequest,
    PressRequest,
    RenameRequest,
    RetryRequest,
    SocketRequest,
    TreeRequest,
    UndoRequest,
    WhyRequest,
    WriteRequest,
    read_message,
)
from hiddenhand.web.security.limits import TokenBucket
from hiddenhand.web.tables import handlers as questions
from hiddenhand.web.tables.live_table import Client, LiveTable
from hiddenhand.web.tables.outbox import Outbox
from hiddenhand.web.tables.registry import TableRegistry

Question = AdviceRequest | WhyRequest | TreeRequest | BeliefRequest | LookRequest
LOG = logging.getLogger("hiddenhand.web")
POLICY = 1008
GOODBYE = 2.0
PATIENCE = 20
"""So many messages over the rate are refused with a word; then the socket is closed."""


class Connection:
    """One open socket."""

    def __init__(self, socket: WebSocket, hall: TableRegistry, address: str = "") -> None:
        self.socket = socket
        self.hall = hall
        self.address = address
        self.guests: dict[str, tuple[LiveTable, Client]] = {}
        self.outbox = Outbox(hall.outboxes)
        self.bucket = TokenBucket(hall.limits.messages)
        self.over_the_rate = 0
        self.errands: set[asyncio.Task[None]] = set()

    def send(self, message: wire.OutgoingModel) -> None:
        self.outbox.put(message.written())

    async def serve(self) -> None:
        """Until the page leaves or is shown the door."""
        await self.socket.accept()
        jobs = [asyncio.create_task(work()) for work in (self.read, self.write, self.outbox.overflown.wait)]
        try:
            await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for job in [*jobs, *self.errands]:
                job.cancel()
            for room, guest in self.guests.values():
                room.leave(guest)
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
                self.complain("messages are JSON texts")
                continue
            if not self.bucket.take():
                self.over_the_rate += 1
                if self.over_the_rate > PATIENCE:
                    return
                self.complain("too many messages; slow down")
            elif len(text) > self.hall.limits.message_size:
                self.complain("this message is too long")
            else:
                await self.listen(text)

    async def listen(self, text: str) -> None:
        """Do what a message asks for; whatever is wrong with it is said in one line."""
        try:
            message = read_message(text)
            if isinstance(
                message, AdviceRequest | WhyRequest | TreeRequest | BeliefRequest | LookRequest
            ):  # these may take time: others go on meanwhile
                self.start(self.answer(message))
            else:
                await self.obey(message)
        except UserError as error:
            self.complain(str(error))
        except Exception:
            LOG.exception("a message could not be dealt with")
            self.complain("the server could not do that; nothing has changed")

    def complain(self, text: str) -> None:
        self.send(wire.ErrorMessage(text=" ".join(text.split())))

    async def obey(self, message: SocketRequest) -> None:
        if isinstance(message, PingRequest):
            self.send(wire.PongMessage())
        elif isinstance(message, JoinRequest):
            await self.join(message)
        else:
            room, guest = self.at(message.table)
            if isinstance(message, PlayRequest):
                await room.carry_out(room.play(guest, message.ply, message.action))
            elif isinstance(message, WriteRequest):
                await room.carry_out(room.play(guest, message.ply, message.text))
            elif isinstance(message, PressRequest):
                await room.why_not(guest, message.thing)
            elif isinstance(message, UndoRequest):
                await room.carry_out(room.undo(guest))
            elif isinstance(message, RenameRequest):
                await room.carry_out(room.rename(guest, clean_name(message.name)))
            elif isinstance(message, RetryRequest):
                room.ask_again(guest)
            elif isinstance(message, LeaveRequest):
                room.leave(guest)
                del self.guests[message.table]

    async def answer(self, message: Question) -> None:
        room, guest = self.at(message.table)
        if isinstance(message, AdviceRequest):
            await questions.advice(room, guest, message)
        elif isinstance(message, WhyRequest):
            await questions.why(room, guest, message)
        elif isinstance(message, TreeRequest):
            await questions.tree(room, guest, message)
        elif isinstance(message, BeliefRequest):
            await questions.believe(room, guest, message)
        else:
            await questions.look(room, guest, message)

    async def join(self, message: JoinRequest) -> None:
        if len(self.guests) >= self.hall.limits.tables_of_socket and message.table not in self.guests:
            raise UserError("this page is at too many tables; leave one first")
        room = await self.hall.room(message.table, self.address)
        if message.table in self.guests:
            before, guest = self.guests.pop(message.table)
            before.leave(guest)
        guest = Client(self.outbox.put, self.address)
        self.guests[message.table] = (room, guest)  # from now on, a page that hangs up is missed
        try:
            await room.carry_out(room.enter(guest, message.token))
        except BaseException:
            room.leave(guest)
            del self.guests[message.table]
            raise

    def at(self, table: str) -> tuple[LiveTable, Client]:
        if table not in self.guests:
            raise UserError(f"join table {table} first")
        return self.guests[table]

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside reading on; a few such errands at a time."""
        if len(self.errands) >= 8:
            work.close()
            raise UserError("too many questions at once; wait for an answer")

        async def carry_out() -> None:
            try:
                await work
            except UserError as error:
                self.complain(str(error))
            except Exception:
                LOG.exception("a question could not be answered")
                self.complain("the server could not answer that")

        errand = asyncio.create_task(carry_out())
        self.errands.add(errand)
        errand.add_done_callback(self.errands.discard)
