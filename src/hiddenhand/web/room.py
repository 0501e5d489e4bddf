"""A room: one live table, the people connected to it, and the agents that sit there.

The room is the authority over its game. All that changes it happens one after the other, under its lock; what takes
time is done in a lane meanwhile. A move is written to the store first, then told.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from hiddenhand.core.agent import Agent, PolicyAgent
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.table import Table
from hiddenhand.kernel import CHANCE
from hiddenhand.web.bench import key_of as agent_key
from hiddenhand.web.frames import frame
from hiddenhand.web.guest import Guest, written
from hiddenhand.web.hearing import WATCHER, Ledger, Step, take_step
from hiddenhand.web.past import Deal, replay, steps
from hiddenhand.web.seats import AGENT, OPEN, PERSON, key_of
from hiddenhand.web.store import Saved

if TYPE_CHECKING:
    from hiddenhand.web.hall import Hall

LOG = logging.getLogger("hiddenhand.web")
SHORT = 40
"""So many plies are played again at once; more of them in a lane."""


class Room:
    """One live table."""

    def __init__(self, hall: Hall, saved: Saved, game: Game, table: Table, noticed: list[int]) -> None:
        self.hall = hall
        self.saved = saved
        self.deal = Deal(game, saved.seed, saved.dealt)
        self.table = table
        self.ledger = Ledger(game.players, noticed)
        self.guests: set[Guest] = set()
        self.lock = asyncio.Lock()
        self.epoch = 0
        """Goes up whenever moves are taken back: what was thought before is void."""
        self.thinker: asyncio.Task[None] | None = None
        self.used = time.monotonic()

    # ---- what it is

    @property
    def id(self) -> str:
        return self.saved.id

    @property
    def game(self) -> Game:
        return self.deal.game

    @property
    def revealed(self) -> bool:
        """Whether nothing needs to be kept from anybody."""
        return not self.game.hidden or self.saved.open or self.saved.recorded or self.table.over

    @property
    def can_be_copied(self) -> bool:
        """Whether the record may be read: with its seed, everything hidden and the dice to come are known."""
        secret = self.game.hidden or self.game.chance
        return not secret or self.saved.open or self.saved.recorded or self.table.over

    def ply_for(self, ear: int, plies: int | None = None) -> int:
        """The number of plies as these ears count them."""
        true = len(self.table.actions) if plies is None else plies
        return true if self.revealed else self.ledger.counted(ear, true)

    def true_ply(self, ear: int, ply: int) -> int:
        true = ply if self.revealed else self.ledger.true_ply(ear, ply)
        if true is None or true > len(self.table.actions):
            raise UserError(f"the game has {self.ply_for(ear)} plies so far, not {ply}")
        return true

    def seats_to_json(self) -> list[dict[str, Any]]:
        here = {seat for guest in self.guests for seat in guest.seats}
        return [seat.public(seat.kind == AGENT or seat.seat in here) for seat in self.saved.seats]

    def describe(self) -> dict[str, Any]:
        """What everybody may know of this table."""
        return {
            "table": self.id,
            "game": self.game.spec,
            "title": self.game.title,
            "options": dict(self.game.options),
            "seats": self.seats_to_json(),
            "plies": self.ply_for(WATCHER),
            "over": self.table.over,
            "open": self.saved.open,
            "recorded": self.saved.recorded,
            "created": self.saved.created,
        }

    # ---- people come and go

    async def enter(self, guest: Guest, token: str | None) -> None:
        """Somebody joins: with a token in a seat (or several), without one as a watcher."""
        async with self.lock:
            if token is not None:
                key = key_of(token)
                mine = [seat for seat in self.saved.seats if seat.key and seat.key == key]
                if not mine:
                    raise UserError("this token opens no seat of this table")
                if any(seat.kind == OPEN for seat in mine):
                    for seat in mine:
                        seat.kind = PERSON
                    self.hall.store.seat(self.id, self.saved.seats)
                guest.seats = tuple(seat.seat for seat in mine)
            guest.ear = self.ear(guest)
            self.guests.add(guest)
            self.tell_seats()
            await self.send_everything(guest)
        self.wake()

    def leave(self, guest: Guest) -> None:
        if guest in self.guests:
            self.guests.discard(guest)
            self.used = time.monotonic()
            self.tell_seats()

    def rename(self, guest: Guest, name: str) -> None:
        if not guest.seats:
            raise UserError("you only watch here; watchers have no names")
        for seat in guest.seats:
            self.saved.seats[seat].name = name
        self.hall.store.seat(self.id, self.saved.seats)
        self.tell_seats()

    def ear(self, guest: Guest) -> int:
        """Whose knowledge a guest is shown now: of several seats the one to move, or the last one shown."""
        if not guest.seats:
            return WATCHER
        if self.table.turn in guest.seats:
            return self.table.turn
        return guest.ear if guest.ear in guest.seats else guest.seats[0]

    # ---- moves

    async def play(self, guest: Guest, ply: int, action: int) -> None:
        """A person moves."""
        async with self.lock:
            if self.saved.recorded:
                raise UserError("this is a record: branch from it to play on")
            if not guest.seats:
                raise UserError("you only watch here")
            if self.table.over:
                raise UserError("the game is over")
            turn = self.table.turn
            if turn not in guest.seats:
                raise UserError(f"it is not your turn; seat {turn} is to move")
            if ply != self.ply_for(turn):
                raise UserError(f"too late: this move was meant for ply {ply}, the game is at {self.ply_for(turn)}")
            await self.move(action)
        self.wake()

    async def move(self, action: int) -> None:
        """A decision and what chance does after it: played, written, told. The lock is held."""
        hidden_before = not self.revealed
        first = len(self.table.actions)
        taken = [take_step(self.table, action), *self.chance()]
        self.write(first, taken)
        if hidden_before and self.revealed:
            for guest in self.guests:
                await self.send_everything(guest)
        else:
            await self.tell(first, taken)

    def chance(self) -> list[Step]:
        """Chance moves as long as it is its turn."""
        taken = []
        while self.table.turn == CHANCE:
            taken.append(take_step(self.table, None))
        return taken

    def write(self, first: int, taken: list[Step]) -> None:
        """To the store; if it refuses, the table goes back to what the store has."""
        try:
            self.hall.store.append(self.id, first, self.table.actions[first:])
        except Exception:
            self.hall.forget(self)
            raise
        self.ledger.noticed.extend(step.noticed for step in taken)
        self.used = time.monotonic()

    async def take_back(self, keep: int) -> None:
        """Only the first `keep` plies stay. The lock is held."""
        self.hall.store.cut(self.id, keep)
        self.epoch += 1
        self.table = await self.rebuilt(keep)
        del self.ledger.noticed[keep:]
        for guest in self.guests:
            guest.ear = self.ear(guest)
            guest.send({"type": "log", "table": self.id, "from": self.ply_for(guest.ear), "entries": []})
            guest.send(self.frame_for(guest.ear, await self.last_entry(guest.ear)))
        self.used = time.monotonic()

    async def rebuilt(self, plies: int) -> Table:
        """The table after so many plies, the agents' memories included."""
        actions = self.table.actions[:plies]
        texts = {seat.seat: seat.agent for seat in self.saved.seats if seat.kind == AGENT}
        return await self.hall.lanes.setup.run(self.hall.played_again, self.deal, actions, texts)

    # ---- agents

    def wake(self) -> None:
        """Let the agents move, if it is their turn."""
        if self.thinker is None and self.agent_to_move() is not None:
            self.thinker = asyncio.get_running_loop().create_task(self.let_agents_move())

    def agent_to_move(self) -> int | None:
        turn = self.table.turn
        if turn < 0 or self.saved.recorded or self.saved.seats[turn].kind != AGENT:
            return None
        return turn

    async def let_agents_move(self) -> None:
        try:
            while (seat := self.agent_to_move()) is not None:
                await self.agent_moves(seat)
        except UserError as error:
            self.tell_all({"type": "error", "table": self.id, "text": str(error)})
        except Exception:
            LOG.exception("an agent failed at table %s", self.id)
            text = f"the agent in seat {seat} has failed; its move is missing"
            self.tell_all({"type": "error", "table": self.id, "text": text})
        finally:
            self.thinker = None

    async def agent_moves(self, seat: int) -> None:
        """One move of an agent, unless moves are taken back while it thinks."""
        started, epoch, table = time.monotonic(), self.epoch, self.table
        text, lanes, bench = self.saved.seats[seat].agent, self.hall.lanes, self.hall.bench
        key = agent_key(self.game, text)
        if not lanes.is_quick(key) and (not table.movers or table.movers[-1] != seat or self.revealed):
            self.tell_all({"type": "thinking", "table": self.id, "seat": seat})

        def choose(agent: Agent) -> int:
            lanes.pace(key).simple = isinstance(agent, PolicyAgent)
            return table.ask(agent).action

        action = await lanes.think(key, partial(bench.ask, self.game, text, choose))
        if self.saved.delay:
            await asyncio.sleep(max(0.0, started + self.saved.delay - time.monotonic()))
        async with self.lock:
            if self.epoch == epoch and self.hall.rooms.get(self.id) is self:
                await self.move(action)

    # ---- telling

    async def tell(self, first: int, taken: list[Step]) -> None:
        """Send everybody what they noticed of these steps. The lock is held."""
        ready: dict[int, list[str]] = {}
        for guest in list(self.guests):
            before, guest.ear = guest.ear, self.ear(guest)
            if guest.ear != before and self.game.hidden and not self.revealed:
                await self.send_everything(guest)
                continue
            if guest.ear not in ready:
                ready[guest.ear] = [written(message) for message in self.messages(guest.ear, first, taken)]
            for message in ready[guest.ear]:
                guest.send_text(message)

    def messages(self, ear: int, first: int, taken: list[Step]) -> list[dict[str, Any]]:
        """The log entries of these steps and the frame after them, or nothing if they went unnoticed."""
        mask = self.ledger.mask(ear)
        start = ply = self.ply_for(ear, first)
        entries = []
        for step in taken:
            if self.revealed or step.noticed & mask == mask:
                entries.append(step.entry(ply, ear, self.revealed))
                ply += 1
        if not entries:
            return []
        log = {"type": "log", "table": self.id, "from": start, "entries": entries}
        return [log, self.frame_for(ear, entries[-1])]

    async def send_everything(self, guest: Guest) -> None:
        """The seats, the whole log and the present frame, for somebody who comes (back). The lock is held."""
        guest.ear = self.ear(guest)
        entries = await self.log_for(guest.ear)
        guest.send({"type": "seats", "table": self.id, "seats": self.seats_to_json(), "mine": list(guest.seats)})
        guest.send({"type": "log", "table": self.id, "from": 0, "entries": entries})
        guest.send(self.frame_for(guest.ear, entries[-1] if entries else None))

    async def log_for(self, ear: int, plies: int | None = None) -> list[dict[str, Any]]:
        """Everything these ears noticed, from the start on."""
        actions = self.table.actions[:plies]
        if len(actions) <= SHORT:
            return self.listed(actions, ear, self.revealed)
        return await self.hall.lanes.quick.run(self.listed, actions, ear, self.revealed)

    def listed(self, actions: list[int], ear: int, revealed: bool) -> list[dict[str, Any]]:
        mask = self.ledger.mask(ear)
        entries: list[dict[str, Any]] = []
        for step in steps(self.deal, actions):
            if revealed or step.noticed & mask == mask:
                entries.append(step.entry(len(entries), ear, revealed))
        return entries

    async def last_entry(self, ear: int) -> dict[str, Any] | None:
        entries = await self.log_for(ear)
        return entries[-1] if entries else None

    def frame_for(self, ear: int, last: dict[str, Any] | None) -> dict[str, Any]:
        """The present, for these ears."""
        moves = not self.saved.recorded
        return frame(self.table, self.id, self.ply_for(ear), ear, last, self.revealed, moves)

    async def frame_then(self, ear: int, eyes: int, ply: int, bench: bool) -> dict[str, Any]:
        """A moment of the past, heard by these ears and seen by these eyes; `bench`: with the open table as text."""
        true = self.true_ply(ear, ply)
        entries = await self.log_for(eyes, true)
        then = await self.hall.lanes.quick.run(replay, self.deal, self.table.actions[:true])
        last = entries[-1] if entries else None
        shown = frame(then, self.id, ply, eyes, last, self.revealed, moves=False, past=True)
        if bench and self.revealed:
            shown["open_text"] = await self.hall.lanes.slow.run(then.open_text)
        return shown

    def tell_seats(self) -> None:
        seats = self.seats_to_json()
        for guest in self.guests:
            guest.send({"type": "seats", "table": self.id, "seats": seats, "mine": list(guest.seats)})

    def tell_all(self, message: dict[str, Any]) -> None:
        for guest in self.guests:
            guest.send(message)
