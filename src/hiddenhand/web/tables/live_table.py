"""A room: one session on the server, the people connected to it, and the store in which its moves are kept.

What may be known, asked and taken back is the session's to say. All that changes it happens one after the other,
under the room's lock; what takes time is done elsewhere meanwhile. A move is written to the store first, then told;
what cannot be written has not happened. A change that has begun ends, whatever becomes of the connection that asked
for it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Coroutine, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hiddenhand.core.errors import UserError
from hiddenhand.core.hearing import WATCHER, Entry
from hiddenhand.core.naming import told_apart, with_names
from hiddenhand.core.session import Session, Tell, in_silence
from hiddenhand.core.table import Memory, Table
from hiddenhand.core.view import own_view
from hiddenhand.web.errors import NotSaved
from hiddenhand.web.schemas import outgoing as wire
from hiddenhand.web.tables.store import AGENT, OPEN, PERSON, SavedSeat, SavedTable, key_of
from hiddenhand.web.workers.pool import Requester

if TYPE_CHECKING:
    from hiddenhand.core.game import Game, Move
    from hiddenhand.web.tables.registry import TableRegistry
    from hiddenhand.web.tables.reviews import GameReview

LOG = logging.getLogger("hiddenhand.web")
TRY_AGAIN = 5.0
"""Seconds after which an agent's move that could not be written is tried again."""


class Client:
    """Somebody at a table: one connection's presence, with the seats that its token holds."""

    def __init__(self, send_text: Callable[[str], None], address: str = "") -> None:
        self.send_text = send_text
        self.address = address
        self.seats: tuple[int, ...] = ()
        self.ear = WATCHER
        """Whose knowledge is shown."""
        self.asking = False
        """A question is being answered; one at a time."""
        self.gone = False
        """The connection is no more."""

    def send(self, message: wire.OutgoingModel) -> None:
        self.send_text(message.written())

    def whose(self, table: str) -> Requester:
        """For whom it is worked out what this guest asks at a table."""
        return Requester(self.address, table, lambda: True)


class LiveTable:
    """One live table."""

    def __init__(self, hall: TableRegistry, saved: SavedTable, session: Session, address: str = "") -> None:
        self.hall = hall
        self.saved = saved
        self.session = session
        self.address = address
        """Who has made this table, or has brought it back."""
        self.guests: set[Client] = set()
        self.lock = asyncio.Lock()
        self.epoch = 0
        """Goes up whenever moves are taken back: what was thought before is void."""
        self.changes: set[asyncio.Task[None]] = set()
        """What people have asked for and is not done yet."""
        self.thinker: asyncio.Task[None] | None = None
        self.used = self.noticed_at = time.monotonic()
        """When somebody was last here, and when something happened that others than its mover noticed."""
        self.left = time.monotonic()
        """Since when nobody is here, if nobody is."""
        self.next: LiveTable | None = None
        """The table at which the same play again."""
        self.names = self.find_names()
        self.reviews: dict[str, GameReview] = {}
        """By who reviews."""

    # ---- what it is

    @property
    def id(self) -> str:
        return self.saved.id

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def idle(self) -> bool:
        """Whether nobody is here and nothing goes on: it may be put away."""
        return not self.guests and not self.changes and self.thinker is None and not self.lock.locked()

    def seats(self) -> list[wire.SeatInfo]:
        here = {seat for guest in self.guests for seat in guest.seats}
        seats = zip(self.saved.seats, self.names)
        return [seat.public(name, seat.kind == AGENT or seat.seat in here) for seat, name in seats]

    def find_names(self) -> list[str]:
        """What the players are called: people as they say, agents as the game names them among its opponents."""
        known = {each.agent: each.name for each in self.hall.resolver.opponents(self.game)}
        return told_apart([name_of(seat, known) for seat in self.saved.seats])

    def describe(self) -> wire.TableInfo:
        """What everybody may know of this table."""
        return wire.TableInfo(
            table=self.id,
            game=self.game.spec,
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
        """Do what changes something, to its end: whoever asked for it may be gone by then."""
        task = asyncio.create_task(change)
        self.changes.add(task)
        task.add_done_callback(self.changes.discard)
        await asyncio.shield(task)

    # ---- people come and go

    async def enter(self, guest: Client, token: str | None) -> None:
        """Somebody joins: with a token in a seat (or several), without one as a watcher."""
        async with self.lock:
            if guest.gone:
                return
            if token is not None:
                key = key_of(token)
                mine = [seat for seat in self.saved.seats if seat.key and seat.key == key]
                if not mine:
                    raise UserError("this token opens no seat of this table")
                if any(seat.kind == OPEN for seat in mine):
                    self.reseat([replace(seat, kind=PERSON) if seat in mine else seat for seat in self.saved.seats])
                guest.seats = tuple(seat.seat for seat in mine)
            self.guests.add(guest)
            self.tell_seats()
            self.send_everything(guest)
        self.wake()

    def leave(self, guest: Client) -> None:
        guest.gone = True
        if guest in self.guests:
            self.guests.discard(guest)
            self.used = self.left = time.monotonic()
            self.tell_seats()

    async def rename(self, guest: Client, name: str) -> None:
        if not guest.seats:
            raise UserError("you only watch here; watchers have no names")
        async with self.lock:
            self.reseat([replace(seat, name=name) if seat.seat in guest.seats else seat for seat in self.saved.seats])
            self.tell_seats()

    def reseat(self, seats: list[SavedSeat]) -> None:
        """Who sits where, from now on: written first. The lock is held."""
        self.hall.store.seat(self.id, seats)
        self.saved.seats = seats
        self.names = self.find_names()

    def ear(self, guest: Client) -> int:
        """Whose knowledge a guest is shown now: of several seats the one to move, or the last one shown."""
        if not guest.seats:
            return WATCHER
        if self.session.table.turn in guest.seats:
            return self.session.table.turn
        return guest.ear if guest.ear in guest.seats else guest.seats[0]

    # ---- moves

    async def play(self, guest: Client, ply: int, move: int | str) -> None:
        """A person moves: an action, or one as it is written."""
        async with self.lock:
            session = self.session
            if session.recorded:
                raise UserError("this is a record: branch from it to play on")
            if not guest.seats:
                raise UserError("you only watch here")
            if session.over:
                raise UserError("the game is over")
            turn = session.table.turn
            if turn not in guest.seats:
                raise UserError(f"it is not your turn; seat {turn} is to move")
            if ply != session.ply_for(turn):
                raise UserError(
                    f"too late: this move was meant for ply {ply}, the game is at {session.ply_for(turn)}"
                )
            if isinstance(move, str):
                move = own_view(self.game, session.table.state, turn).read(move)
            self.move(move)
        self.wake()

    async def why_not(self, guest: Client, thing: str) -> None:
        """Tell a person why nothing can be done with a thing now."""
        async with self.lock:
            turn = self.session.table.turn
            if turn in guest.seats and not self.session.recorded:
                reason = own_view(self.game, self.session.table.state, turn).why_not(thing)
                if reason:
                    raise UserError(with_names(reason, self.names))

    def move(self, action: int) -> None:
        """A decision and what chance does after it: played, written, told. The lock is held."""
        session = self.session
        hidden_before, first = not session.revealed, len(session.steps)
        with session.altogether():
            session.play(action)
            self.hall.store.append(self.id, first, session.table.actions[first:])
        self.used = time.monotonic()
        if session.revealed or any(step.noticed_by_others() for step in session.steps[first:]):
            self.noticed_at = self.used
        if hidden_before and session.revealed:
            ready: dict[int, list[str]] = {}
            for guest in list(self.guests):
                self.send_everything(guest, ready)
        else:
            self.tell(first)

    async def undo(self, guest: Client) -> None:
        """Back to this person's previous decision."""
        async with self.lock:
            lane, session, whose = self.hall.lanes.quick, self.session, guest.whose(self.id)
            keep = await lane.run(session.undo_ply, guest.seats, address=whose.address)
            table = await lane.run(session.replay, session.table.actions[:keep], address=whose.address)
            for seat, memory in enumerate(await self.hall.thinking.memories(session, keep, whose)):
                table.remember(seat, memory)
            self.hall.store.cut(self.id, keep)
            self.epoch += 1
            session.return_to(table)
            self.stop_thinking()
            for each in list(self.guests):
                each.ear = self.ear(each)
                each.send(self.log_message(session.ply_for(each.ear), []))
                each.send(self.frame_for(each.ear))
            self.used = self.noticed_at = time.monotonic()
        self.wake()

    # ---- agents

    def wake(self) -> None:
        """Let the agents move, if it is their turn."""
        if self.thinker is None and self.session.agent_to_move() is not None:
            self.thinker = asyncio.get_running_loop().create_task(self.let_agents_move())

    async def let_agents_move(self) -> None:
        try:
            while (seat := self.session.agent_to_move()) is not None:
                await self.agent_moves(seat)
        except UserError as error:
            self.tell_all(wire.ErrorMessage(table=self.id, text=str(error), again=True))
        except Exception:
            LOG.exception("an agent failed at table %s", self.id)
            text = f"the agent in seat {seat} has failed; its move is missing"
            self.tell_all(wire.ErrorMessage(table=self.id, text=text, again=True))
        finally:
            if self.thinker is asyncio.current_task():
                self.thinker = None

    def ask_again(self, guest: Client) -> None:
        """A person wants the move of an agent that has given up."""
        if not guest.seats:
            raise UserError("you only watch here")
        self.wake()

    async def agent_moves(self, seat: int) -> None:
        """One move of an agent, unless moves are taken back while it thinks."""
        epoch, session, thinking = self.epoch, self.session, self.hall.thinking
        unnoticed = bool(session.steps) and session.steps[-1].mover == seat and not session.revealed
        if not thinking.known(self.game, session.seats[seat]).quick and not unnoticed:
            self.tell_all(wire.ThinkingMessage(table=self.id, seat=seat))
        tell = in_silence if unnoticed else self.status_for(self.guests)
        action, memory = await thinking.decide(session, Requester(self.address, self.id, self.person_waits), tell)
        if self.saved.delay and await self.will_be_noticed(action, epoch):
            await asyncio.sleep(max(0.0, self.noticed_at + self.saved.delay - time.monotonic()))
        while not await self.settle(action, memory, epoch):
            await asyncio.sleep(TRY_AGAIN)

    async def will_be_noticed(self, action: int, epoch: int) -> bool:
        """Whether an agent's move is one that others notice. Only those wait: how long it took must tell nothing."""
        async with self.lock:
            return self.epoch == epoch and self.session.noticed_by_others(action)

    async def settle(self, action: int, memory: Memory, epoch: int) -> bool:
        """Make an agent's move, unless moves were taken back meanwhile; False if it could not be written."""
        async with self.lock:
            if self.epoch == epoch and self.hall.rooms.get(self.id) is self:
                seat = self.session.table.turn
                try:
                    self.move(action)
                except NotSaved as error:
                    self.tell_all(wire.ErrorMessage(table=self.id, text=str(error)))
                    return False
                self.session.table.remember(seat, memory)
            return True

    def person_waits(self) -> bool:
        """Whether somebody who plays is here."""
        return any(guest.seats for guest in self.guests)

    def stop_thinking(self) -> None:
        """Nobody wants the move that is thought about; the agents can be woken again at once."""
        if self.thinker is not None:
            self.thinker.cancel()
            self.thinker = None

    def status_for(self, guests: Collection[Client]) -> Tell:
        """How these guests are told what they wait for."""

        def tell(text: str) -> None:
            for guest in list(guests):
                guest.send(wire.StatusMessage(table=self.id, text=text))

        return tell

    # ---- telling

    def tell(self, first: int) -> None:
        """Send everybody what they noticed from this ply on. The lock is held."""
        ready: dict[int, list[str]] = {}
        for guest in list(self.guests):
            before, guest.ear = guest.ear, self.ear(guest)
            if guest.ear != before and not self.session.revealed:
                self.send_everything(guest)
                continue
            if guest.ear not in ready:
                ready[guest.ear] = [message.written() for message in self.messages(guest.ear, first)]
            for message in ready[guest.ear]:
                guest.send_text(message)

    def messages(self, ear: int, first: int) -> list[wire.OutgoingModel]:
        """The log from this ply on and the frame after it, or nothing if nothing was noticed."""
        entries = self.session.log(ear, first)
        if not entries:
            return []
        return [self.log_message(entries[0].ply, entries), self.frame_for(ear)]

    def send_everything(self, guest: Client, ready: dict[int, list[str]] | None = None) -> None:
        """The seats, the whole log and the present frame, for somebody who comes (back). The lock is held.

        `ready`: log and frame as written for others with the same ears, where many are told at once.
        """
        ear = guest.ear = self.ear(guest)
        ready = {} if ready is None else ready
        if ear not in ready:
            messages = (self.log_message(0, self.session.log(ear)), self.frame_for(ear))
            ready[ear] = [message.written() for message in messages]
        guest.send(self.seats_message(guest))
        for text in ready[ear]:
            guest.send_text(text)

    def log_message(self, start: int, entries: list[Entry]) -> wire.LogMessage:
        """The log from this ply on, as its reader counts."""
        names = self.names
        return wire.LogMessage(table=self.id, since=start, entries=[entry_sent(entry, names) for entry in entries])

    def tell_seats(self) -> None:
        ready: dict[tuple[int, ...], str] = {}
        for guest in list(self.guests):
            if guest.seats not in ready:
                ready[guest.seats] = self.seats_message(guest).written()
            guest.send_text(ready[guest.seats])

    def seats_message(self, guest: Client) -> wire.SeatsMessage:
        return wire.SeatsMessage(table=self.id, seats=self.seats(), mine=list(guest.seats))

    def tell_all(self, message: wire.OutgoingModel) -> None:
        for guest in list(self.guests):
            guest.send(message)

    # ---- frames: what is sent to be drawn

    def frame_for(self, ear: int) -> wire.FrameMessage:
        """The present, for these ears."""
        session = self.session
        last = self.said(session.last_heard(ear))
        shown = frame(session.table, ear, last, session.revealed, moves=not session.recorded)
        reason = with_names(session.reason(), self.names)
        return wire.FrameMessage(table=self.id, ply=session.ply_for(ear), reason=reason, **shown)

    def said(self, entry: Entry | None) -> wire.EntryInfo | None:
        return None if entry is None else entry_sent(entry, self.names)

    async def frame_then(self, ear: int, eyes: int, ply: int, whose: Requester, bench: bool) -> wire.FrameMessage:
        """A moment of the past, heard by these ears and seen by these eyes; `bench`: the open table too."""
        session, lanes = self.session, self.hall.lanes
        true, revealed = session.true_ply(ear, ply), session.revealed
        last = session.last_heard(eyes, before=true)
        then = await lanes.quick.run(session.replay, session.table.actions[:true], address=whose.address)
        shown = frame(then, eyes, self.said(last), revealed, moves=False)
        if bench and revealed:
            shown["open_text"] = with_names(await self.hall.thinking.show(session, true, whose), self.names)
        return wire.FrameMessage(table=self.id, ply=ply, past=True, **shown)


def frame(table: Table, ear: int, last: wire.EntryInfo | None, revealed: bool, moves: bool) -> dict[str, Any]:
    """What one pair of ears sees of a table: it can be computed from what they may know.

    `moves`: they may move if it is their turn. Watchers see nothing until everything is revealed; then they see
    everything, as all do when the game is over.
    """
    game, over = table.game, table.over
    seen: dict[str, Any] = {"picture": None, "actions": []}
    if ear != WATCHER or revealed:
        view = own_view(game, table.state, max(ear, 0))
        openly = revealed and (over or ear == WATCHER)
        seen = {
            "picture": game.drawn_openly(table.state, max(ear, 0)) if openly else view.picture(),
            "actions": [move_sent(move) for move in view.moves()] if moves and ear == table.turn else [],
        }
    return {
        "seat": None if ear == WATCHER else ear,
        "turn": table.turn,
        **seen,
        "over": over,
        "payoffs": table.payoffs() if over else None,
        "last": last,
    }


def entry_sent(entry: Entry, names: list[str]) -> wire.EntryInfo:
    return wire.EntryInfo(
        ply=entry.ply,
        seat=entry.seat,
        text=with_names(entry.text, names),
        news=[with_names(sentence, names) for sentence in entry.news],
        verb=entry.verb,
        objects=list(entry.objects),
    )


def name_of(seat: SavedSeat, known: Mapping[str, str]) -> str:
    """What a player is called, as far as the seat alone says."""
    return known.get(seat.agent, "") or seat.name or seat.agent.partition(":")[0]


def move_sent(move: Move) -> wire.MoveInfo:
    return wire.MoveInfo(**move._asdict())
