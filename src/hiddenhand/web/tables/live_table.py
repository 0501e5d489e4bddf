"""A live table: one session on the server, the clients connected to it, and the store in which its moves are kept.

What may be known, asked and taken back is the session's to say. All that changes it happens one after the other,
under the table's lock; what takes time is done elsewhere meanwhile. A move is written to the store before anybody is
told of it; what cannot be written has not happened. A change that has begun ends, whatever becomes of the connection
that asked for it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hiddenhand.core.catalogue import ENGLISH
from hiddenhand.core.errors import UserError
from hiddenhand.core.event_log import WATCHER, LogEntry
from hiddenhand.core.session import Session, Tell, in_silence
from hiddenhand.core.table import Memory
from hiddenhand.core.text import Reader, Seat, Text, render
from hiddenhand.core.view import own_view
from hiddenhand.planning.play.world_game import own_words
from hiddenhand.web.errors import NotSaved
from hiddenhand.web.schemas import outgoing
from hiddenhand.web.schemas.base import OutgoingModel
from hiddenhand.web.tables.frames import entry_sent, frame, name_of, numbered
from hiddenhand.web.tables.store import AGENT, OPEN, PERSON, SavedSeat, SavedTable, key_of
from hiddenhand.web.workers.pool import Requester

if TYPE_CHECKING:
    from hiddenhand.core.game import Game
    from hiddenhand.web.tables.registry import TableRegistry
    from hiddenhand.web.tables.reviews import GameReview

LOG = logging.getLogger("hiddenhand.web")
TRY_AGAIN = 5.0
"""Seconds after which an agent's move that could not be written is tried again."""


Ready = dict[tuple[int, str], list[str]]
"""Messages as JSON, by the seat whose knowledge they hold and by language."""


class Client:
    """The presence of one connection at a table, with the seats that its token opens."""

    def __init__(self, send_text: Callable[[str], None], address: str = "", language: str = ENGLISH) -> None:
        self.send_text = send_text
        self.address = address
        self.language = language
        self.seats: tuple[int, ...] = ()
        self.viewer = WATCHER
        """The seat whose knowledge it is shown."""
        self.asking = False
        """Whether a question of this client is being answered; there is one at a time."""
        self.gone = False
        """Whether the connection has ended."""

    def requester(self, table: str) -> Requester:
        """The requester of tasks that this client asks for at a table."""
        return Requester(self.address, table, lambda: True)


class LiveTable:
    """One live table."""

    def __init__(self, tables: TableRegistry, saved: SavedTable, session: Session, address: str = "") -> None:
        self.tables = tables
        self.saved = saved
        self.session = session
        self.address = address
        """Who has made this table, or has brought it back."""
        self.clients: set[Client] = set()
        self.lock = asyncio.Lock()
        self.epoch = 0
        """Goes up whenever moves are taken back: answers to questions that were asked before are void."""
        self.changes: set[asyncio.Task[None]] = set()
        """Changes that people have asked for and that are not done yet."""
        self.agent_task: asyncio.Task[None] | None = None
        self.used = self.noticed_at = time.monotonic()
        """When somebody was last connected, and when something last happened that others than its mover noticed."""
        self.left = time.monotonic()
        """Since when nobody has been connected, if nobody is."""
        self.next: LiveTable | None = None
        """The table at which the same play again."""
        self.names = self.find_names()
        self.readers: dict[str, Reader] = {}
        """Readers at this table, by language."""
        self.reviews: dict[str, GameReview] = {}
        """Reviews of this game, by the text of the reviewer."""

    # ---- what it is

    @property
    def id(self) -> str:
        return self.saved.id

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def idle(self) -> bool:
        """Whether nobody is connected and nothing goes on, so that the table may be put away."""
        return not self.clients and not self.changes and self.agent_task is None and not self.lock.locked()

    def seats(self) -> list[outgoing.SeatInfo]:
        here = {seat for client in self.clients for seat in client.seats}
        seats = zip(self.saved.seats, self.names)
        return [seat.public(name, seat.kind == AGENT or seat.seat in here) for seat, name in seats]

    def find_names(self) -> list[str]:
        """What the players are called: people as they say, agents as the game names them among its opponents."""
        known = {each.agent: each.name for each in self.tables.resolver.opponents(self.game)}
        return numbered([name_of(seat, known) for seat in self.saved.seats])

    def reader(self, language: str = ENGLISH) -> Reader:
        """The reader for clients of this table that speak a language."""
        if language not in self.readers:
            words = own_words(self.game).get(language, {})
            names = [render(name, Reader(language, words=words)) for name in self.names]
            self.readers[language] = Reader(language, names, words)
        return self.readers[language]

    def describe(self) -> outgoing.TableInfo:
        """What everybody may know of this table."""
        return outgoing.TableInfo(
            table=self.id,
            game=self.game.origin.spec,
            title=self.game.title,
            options=dict(self.game.options),
            seats=self.seats(),
            plies=self.session.ply_for(WATCHER),
            over=self.session.over,
            open=self.saved.open,
            recorded=self.saved.recorded,
            created=self.saved.created,
            series=self.saved.series,
        )

    async def carry_out(self, change: Coroutine[Any, Any, None]) -> None:
        """Carry out a change to its end, even if the client that has asked for it disconnects meanwhile."""
        task = asyncio.create_task(change)
        self.changes.add(task)
        task.add_done_callback(self.changes.discard)
        await asyncio.shield(task)

    # ---- people come and go

    async def enter(self, client: Client, token: str | None) -> None:
        """A client joins: with a token for a seat or several seats, without one as a watcher."""
        async with self.lock:
            if client.gone:
                return
            if token is not None:
                key = key_of(token)
                mine = [seat for seat in self.saved.seats if seat.key and seat.key == key]
                if not mine:
                    raise UserError("this token opens no seat of this table")
                if any(seat.kind == OPEN for seat in mine):
                    self.reseat([replace(seat, kind=PERSON) if seat in mine else seat for seat in self.saved.seats])
                client.seats = tuple(seat.seat for seat in mine)
            self.clients.add(client)
            self.tell_seats()
            self.send_everything(client)
        self.wake()

    def leave(self, client: Client) -> None:
        client.gone = True
        if client in self.clients:
            self.clients.discard(client)
            self.used = self.left = time.monotonic()
            self.tell_seats()

    async def rename(self, client: Client, name: str) -> None:
        if not client.seats:
            raise UserError("you only watch here; watchers have no names")
        async with self.lock:
            self.reseat(
                [replace(seat, name=name) if seat.seat in client.seats else seat for seat in self.saved.seats]
            )
            self.tell_seats()

    def reseat(self, seats: list[SavedSeat]) -> None:
        """Change who sits where; it is written to the store first. The lock is held."""
        self.tables.store.seat(self.id, seats)
        self.saved.seats = seats
        self.names = self.find_names()
        self.readers.clear()

    def viewer_of(self, client: Client) -> int:
        """The seat whose knowledge a client is shown now: of several seats the one to move, or the last one shown."""
        if not client.seats:
            return WATCHER
        if self.session.table.turn in client.seats:
            return self.session.table.turn
        return client.viewer if client.viewer in client.seats else client.seats[0]

    # ---- moves

    async def play(self, client: Client, ply: int, move: int | str) -> None:
        """Make the move of a person: an action, or a move as the person has written it."""
        async with self.lock:
            session = self.session
            if session.recorded:
                raise UserError("this is a record: branch from it to play on")
            if not client.seats:
                raise UserError("you only watch here")
            if session.over:
                raise UserError("the game is over")
            turn = session.table.turn
            if turn not in client.seats:
                raise UserError("it is not your turn; {who} is to move", who=Seat(turn))
            if ply != session.ply_for(turn):
                raise UserError(
                    "too late: this move was meant for ply {a}, the game is at {b}", a=ply, b=session.ply_for(turn)
                )
            if isinstance(move, str):
                move = self.read(move, turn, client.language)
            self.move(move)
        self.wake()

    def read(self, text: str, turn: int, language: str) -> int:
        """The move that a person has written: as moves are shown in this language, or as the game writes them."""
        view, reader = own_view(self.game, self.session.table.state, turn), self.reader(language)
        typed = " ".join(text.lower().split())
        actions = [
            move.action for move in view.legal_moves() if " ".join(render(move.text, reader).lower().split()) == typed
        ]
        return actions[0] if len(actions) == 1 else view.read(text)

    async def why_not(self, client: Client, thing: str) -> None:
        """Raise a UserError that says why nothing can be done with a thing of the picture now."""
        async with self.lock:
            turn = self.session.table.turn
            if turn in client.seats and not self.session.recorded:
                reason = own_view(self.game, self.session.table.state, turn).why_not(thing)
                if reason:
                    raise UserError(reason)

    def move(self, action: int) -> None:
        """Play a decision and the chance moves after it, write them to the store, and tell everybody. The lock is
        held.
        """
        session = self.session
        hidden_before, first = not session.revealed, len(session.steps)
        with session.altogether():
            session.play(action)
            self.tables.store.append(self.id, first, session.table.history[first:])
        self.used = time.monotonic()
        if session.revealed or any(step.noticed_by_others() for step in session.steps[first:]):
            self.noticed_at = self.used
        if hidden_before and session.revealed:
            ready: Ready = {}
            for client in list(self.clients):
                self.send_everything(client, ready)
        else:
            self.tell(first)

    async def undo(self, client: Client) -> None:
        """Take back moves until this person's previous decision."""
        async with self.lock:
            threads, session, requester = self.tables.threads.quick, self.session, client.requester(self.id)
            keep = await threads.run(session.undo_ply, client.seats, address=requester.address)
            table = await threads.run(session.replay, session.table.history[:keep], address=requester.address)
            for seat, memory in enumerate(await self.tables.scheduler.memories(session, keep, requester)):
                table.remember(seat, memory)
            self.tables.store.cut(self.id, keep)
            self.epoch += 1
            session.return_to(table)
            self.stop_thinking()
            for each in list(self.clients):
                each.viewer = self.viewer_of(each)
                self.send(each, self.log_message(session.ply_for(each.viewer), []))
                self.send(each, self.frame_for(each.viewer))
            self.used = self.noticed_at = time.monotonic()
        self.wake()

    # ---- agents

    def wake(self) -> None:
        """Start the task in which agents move, if it is their turn."""
        if self.agent_task is None and self.session.agent_to_move() is not None:
            self.agent_task = asyncio.get_running_loop().create_task(self.let_agents_move())

    async def let_agents_move(self) -> None:
        try:
            while (seat := self.session.agent_to_move()) is not None:
                await self.agent_moves(seat)
        except UserError as error:
            self.tell_all(outgoing.ErrorMessage(table=self.id, text=error.text, again=True))
        except Exception:
            LOG.exception("an agent failed at table %s", self.id)
            text = Text("the agent of {who} has failed; its move is missing", who=Seat(seat or 0))
            self.tell_all(outgoing.ErrorMessage(table=self.id, text=text, again=True))
        finally:
            if self.agent_task is asyncio.current_task():
                self.agent_task = None

    def ask_again(self, client: Client) -> None:
        """Ask an agent that has given up once more, because a person wants its move."""
        if not client.seats:
            raise UserError("you only watch here")
        self.wake()

    async def agent_moves(self, seat: int) -> None:
        """One move of an agent, unless moves are taken back while it thinks."""
        epoch, session, scheduler = self.epoch, self.session, self.tables.scheduler
        unnoticed = bool(session.steps) and session.steps[-1].mover == seat and not session.revealed
        if not scheduler.timings(self.game, session.seats[seat]).quick and not unnoticed:
            self.tell_all(outgoing.ThinkingMessage(table=self.id, seat=seat))
        tell = in_silence if unnoticed else self.status_for(self.clients)
        action, memory = await scheduler.decide(session, Requester(self.address, self.id, self.person_waits), tell)
        if self.saved.delay and await self.will_be_noticed(action, epoch):
            await asyncio.sleep(max(0.0, self.noticed_at + self.saved.delay - time.monotonic()))
        while not await self.settle(action, memory, epoch):
            await asyncio.sleep(TRY_AGAIN)

    async def will_be_noticed(self, action: int, epoch: int) -> bool:
        """Whether others notice an agent's move. Only then it is delayed: the time of a hidden move must tell
        nothing.
        """
        async with self.lock:
            return self.epoch == epoch and self.session.noticed_by_others(action)

    async def settle(self, action: int, memory: Memory, epoch: int) -> bool:
        """Make an agent's move, unless moves were taken back meanwhile; False if it could not be written."""
        async with self.lock:
            if self.epoch == epoch and self.tables.live_tables.get(self.id) is self:
                seat = self.session.table.turn
                try:
                    self.move(action)
                except NotSaved as error:
                    self.tell_all(outgoing.ErrorMessage(table=self.id, text=error.text))
                    return False
                self.session.table.remember(seat, memory)
            return True

    def person_waits(self) -> bool:
        """Whether a client that holds a seat is connected."""
        return any(client.seats for client in self.clients)

    def stop_thinking(self) -> None:
        """Cancel the move that an agent works on; the agents can be woken again at once."""
        if self.agent_task is not None:
            self.agent_task.cancel()
            self.agent_task = None

    def status_for(self, clients: Collection[Client]) -> Tell:
        """A function that tells these clients what they wait for."""

        def tell(text: str) -> None:
            for client in list(clients):
                self.send(client, outgoing.StatusMessage(table=self.id, text=text))

        return tell

    # ---- telling

    def tell(self, first: int) -> None:
        """Send all clients what their seats have noticed from this ply on. The lock is held."""
        ready: Ready = {}
        for client in list(self.clients):
            before, client.viewer = client.viewer, self.viewer_of(client)
            if client.viewer != before and not self.session.revealed:
                self.send_everything(client)
                continue
            key = (client.viewer, client.language)
            if key not in ready:
                reader = self.reader(client.language)
                ready[key] = [message.written(reader) for message in self.messages(client.viewer, first)]
            for text in ready[key]:
                client.send_text(text)

    def messages(self, viewer: int, first: int) -> list[OutgoingModel]:
        """The log from this ply on and the frame after it; empty if the viewer has noticed nothing."""
        entries = self.session.log(viewer, first)
        if not entries:
            return []
        return [self.log_message(entries[0].ply, entries), self.frame_for(viewer)]

    def send_everything(self, client: Client, ready: Ready | None = None) -> None:
        """The seats, the whole log and the present frame, for somebody who comes (back). The lock is held.

        ready   log and frame as they were written for others already
        """
        viewer = client.viewer = self.viewer_of(client)
        ready = {} if ready is None else ready
        key, reader = (viewer, client.language), self.reader(client.language)
        if key not in ready:
            messages = (self.log_message(0, self.session.log(viewer)), self.frame_for(viewer))
            ready[key] = [message.written(reader) for message in messages]
        self.send(client, self.seats_message(client))
        for text in ready[key]:
            client.send_text(text)

    def log_message(self, start: int, entries: list[LogEntry]) -> outgoing.LogMessage:
        """The log from this ply on, as its reader counts."""
        return outgoing.LogMessage(table=self.id, since=start, entries=[entry_sent(entry) for entry in entries])

    def tell_seats(self) -> None:
        ready: dict[tuple[tuple[int, ...], str], str] = {}
        for client in list(self.clients):
            key = (client.seats, client.language)
            if key not in ready:
                ready[key] = self.seats_message(client).written(self.reader(client.language))
            client.send_text(ready[key])

    def seats_message(self, client: Client) -> outgoing.SeatsMessage:
        return outgoing.SeatsMessage(table=self.id, seats=self.seats(), mine=list(client.seats))

    def tell_all(self, message: OutgoingModel) -> None:
        for client in list(self.clients):
            self.send(client, message)

    def send(self, client: Client, message: OutgoingModel) -> None:
        """Send a message in the client's language, with the names of this table's players."""
        client.send_text(message.written(self.reader(client.language)))

    # ---- frames: what is sent to be drawn

    def frame_for(self, viewer: int) -> outgoing.FrameMessage:
        """The present moment, as a viewer sees it."""
        session = self.session
        last = self.said(session.last_heard(viewer))
        shown = frame(session.table, viewer, last, session.revealed, moves=not session.recorded)
        return outgoing.FrameMessage(table=self.id, ply=session.ply_for(viewer), reason=session.reason(), **shown)

    def said(self, entry: LogEntry | None) -> outgoing.EntryInfo | None:
        return None if entry is None else entry_sent(entry)

    async def frame_then(
        self, listener: int, viewer: int, ply: int, requester: Requester, open_text: bool
    ) -> outgoing.FrameMessage:
        """A moment of the past as `viewer` sees it; the ply is counted as `listener` has heard of the game.

        open_text   whether the open table is sent as text too, if everything is revealed
        """
        session, threads = self.session, self.tables.threads
        true, revealed = session.true_ply(listener, ply), session.revealed
        last = session.last_heard(viewer, before=true)
        then = await threads.quick.run(session.replay, session.table.history[:true], address=requester.address)
        shown = frame(then, viewer, self.said(last), revealed, moves=False)
        if open_text and revealed:
            shown["open_text"] = await self.tables.scheduler.show(session, true, requester)
        return outgoing.FrameMessage(table=self.id, ply=ply, past=True, **shown)
