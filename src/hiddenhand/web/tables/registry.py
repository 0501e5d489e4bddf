"""The registry of all tables: those in use are in memory, the others in the store until somebody asks for them."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Sequence
from dataclasses import replace

from hiddenhand.core.agent_pool import AgentPool
from hiddenhand.core.background_compile import Background
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game, for_players
from hiddenhand.core.record import Record
from hiddenhand.core.resolver import Resolver
from hiddenhand.core.seeds import new_secret
from hiddenhand.core.session import PERSON as ANYBODY
from hiddenhand.core.session import Deal, Session
from hiddenhand.core.text import Text
from hiddenhand.web.schemas import outgoing
from hiddenhand.web.schemas.http import SeatBody, clean_name, recorded_game
from hiddenhand.web.schemas.socket import LONGEST_AGENT
from hiddenhand.web.security.limits import Limits
from hiddenhand.web.tables.live_table import LiveTable
from hiddenhand.web.tables.outbox import Outboxes
from hiddenhand.web.tables.store import (
    AGENT,
    OPEN,
    PERSON,
    RECORD,
    SavedSeat,
    SavedTable,
    TableStore,
    key_of,
    new_token,
)
from hiddenhand.web.workers.scheduler import Scheduler
from hiddenhand.web.workers.threads import ThreadLimiters

IDLE = 60.0
"""Seconds after which a table that nobody is at is put away, and its agents stop thinking."""
TABLES_KEPT = 200_000
LONGEST_SERIES = 200


class TableRegistry:
    """All tables of the server."""

    def __init__(self, store: TableStore, limits: Limits, resolver: Resolver) -> None:
        self.store = store
        self.resolver = resolver
        """Opens what the server's owner allows."""
        self.limits = limits
        self.outboxes = Outboxes(limits)
        self.live_tables: dict[str, LiveTable] = {}
        self.coming: dict[str, asyncio.Task[LiveTable]] = {}
        self.agents = AgentPool(resolver)
        self.threads = ThreadLimiters()
        self.background = Background(resolver.files)
        self.scheduler = Scheduler(self.agents, self.background, self.threads, limits)

    # ---- finding tables

    async def find(self, table: str, address: str = "") -> LiveTable:
        """A table by its id, brought back from the store if need be: once, however many ask and whoever leaves.

        `address`: where somebody is who asks for it.
        """
        while table not in self.live_tables:
            if table not in self.coming:
                self.coming[table] = asyncio.get_running_loop().create_task(self.bring_back(table, address))
                self.coming[table].add_done_callback(lambda _: self.coming.pop(table))
            await asyncio.shield(self.coming[table])
        return self.live_tables[table]

    async def bring_back(self, table: str, address: str) -> LiveTable:
        saved = self.store.load(table)
        if saved is None:
            raise UserError("there is no table {table}", table=repr(table))
        played = Record(saved.game, saved.version, saved.options, saved.seed, saved.actions)
        game = await self.threads.setup.run(self.resolver.game_of_record, played, address=address)
        if game.version != saved.version:
            raise UserError(
                "this table is of version {a} of {game}; the server has {b}",
                a=saved.version,
                game=game.name,
                b=game.version,
            )
        return await self.open(game, saved, address)

    async def open(self, game: Game, saved: SavedTable, address: str, new: bool = False) -> LiveTable:
        """Sit down at a table: at a new one, or again at the last move that is in the store."""
        self.make_place()
        session = await self.threads.setup.run(self.sit_down, game, saved, address=address)
        if new:
            saved.actions = list(session.table.history)  # chance has moved
            self.store.create(saved)
        elif len(session.steps) > len(saved.actions):
            self.store.append(saved.id, len(saved.actions), session.table.history[len(saved.actions) :])
        live = LiveTable(self, saved, session, address)
        self.live_tables[saved.id] = live
        for seat in saved.seats:
            if seat.kind == AGENT:
                self.scheduler.prepare(game, seat.agent)
        return live

    def sit_down(self, game: Game, saved: SavedTable) -> Session:
        """In a thread: the session as it was left; a UserError if an agent does not exist or a move is not legal."""
        for seat in saved.seats:
            if seat.kind == AGENT:
                seat.agent = self.checked(game, seat.agent)
        session = Session(
            Deal(game, saved.seed, saved.dealt),
            [seat.agent or ANYBODY for seat in saved.seats],
            open_cards=saved.open,
            recorded=saved.recorded,
            opening=saved.opening,
            agents=self.agents,
            pace=self.background,
            actions=saved.actions,
            notes=saved.notes,
            given_up=saved.given_up,
        )
        agents = [seat.agent for seat in saved.seats if seat.kind == AGENT]
        self.background.prepare(game, [*agents, session.adviser((session.people or [0])[0])])
        return session

    def checked(self, game: Game, text: str) -> str:
        """In a thread: the full spelling of an agent; a UserError if there is no such agent.

        Policies are made here, to see whether they can be. Others may take up much: they are made where they think.
        """
        character = self.resolver.character(game, text)
        if character.policy:
            with self.agents.lend(game, text):
                pass
        return character.text

    # ---- new tables

    async def create(
        self,
        deal: Deal,
        orders: Sequence[SeatBody] | None,
        *,
        address: str = "",
        open_cards: bool = False,
        delay: float = 0.0,
        actions: Sequence[int] = (),
    ) -> tuple[LiveTable, str, list[tuple[int, str]]]:
        """A new table; the token of my seats, and one for each seat that waits for a friend."""
        game = for_players(deal.game, len(orders)) if orders else deal.game
        seats, mine, invited = seated(game, orders, self.resolver.champion(game))
        saved = SavedTable(
            id=self.fresh_id(),
            created=time.time(),
            game=game.origin.spec,
            version=game.version,
            options=dict(game.options),
            seed=deal.seed,
            seats=seats,
            dealt=deal.dealt,
            open=open_cards,
            delay=delay,
            actions=list(actions),
        )
        live = await self.open(game, saved, address, new=True)
        live.wake()
        return live, mine, invited

    async def play_again(self, live: LiveTable) -> LiveTable:
        """Another deal for those at a table that is done with; the same one whoever of them asks.

        Everybody moves on by one seat. Its seed is drawn anew: what follows from the seed of the last deal is known,
        now that its record is.
        """
        if not live.session.over or live.saved.recorded:
            raise UserError("another deal is for when the game is over")
        async with live.lock:
            if live.next is None:
                again = replace(
                    live.saved,
                    id=self.fresh_id(),
                    created=time.time(),
                    seed=new_secret(),
                    dealt=None,
                    opening=0,
                    seats=moved_on(live.saved.seats),
                    actions=[],
                    given_up=None,
                    series=series_after(live),
                )
                live.next = await self.open(live.game, again, live.address, new=True)
                live.next.wake()
                live.tell_all(outgoing.NextTableMessage(table=live.id, next=live.next.id))
        return live.next

    async def keep(self, record: Record, address: str = "") -> LiveTable:
        """A table to look at, from a record."""
        threads = self.threads.setup
        game = await threads.run(recorded_game, self.resolver, record, address=address)
        if game.version != record.version:
            raise UserError(
                "the record is of version {a} of {game}; this is {b}",
                a=record.version,
                game=game.name,
                b=game.version,
            )
        if len(record.actions) > game.longest:
            raise UserError(
                "this is no record: a game of {game} has at most {n} plies", game=game.name, n=game.longest
            )
        await threads.run(record.replay, None, game, address=address)
        saved = SavedTable(
            id=self.fresh_id(),
            created=time.time(),
            game=game.origin.spec,
            version=game.version,
            options=dict(game.options),
            seed=record.seed,
            seats=seats_of_record(self.resolver, game, record),
            dealt=record.dealt,
            recorded=True,
            opening=record.opening,
            actions=record.actions,
            notes=record.notes,
            given_up=record.given_up,
        )
        return await self.open(game, saved, address, new=True)

    def fresh_id(self) -> str:
        if self.store.count() >= TABLES_KEPT:
            raise UserError("this server has as many tables as it can keep")
        return secrets.token_hex(6)

    # ---- putting tables away

    def make_place(self) -> None:
        """Before another table comes in: put one away if there are too many."""
        if len(self.live_tables) < self.limits.live_tables:
            return
        idle = [live for live in self.live_tables.values() if live.idle]
        if not idle:
            raise UserError("too many tables are in use; try again in a minute")
        self.forget(min(idle, key=lambda live: live.used))

    def put_away(self) -> None:
        """Forget the tables that nobody has been at for a while; the store has them."""
        now = time.monotonic()
        for live in list(self.live_tables.values()):
            if live.idle and now - live.used > IDLE:
                self.forget(live)
            elif not live.clients and now - live.left > IDLE:
                live.stop_thinking()
        self.scheduler.tidy()

    def forget(self, live: LiveTable) -> None:
        self.live_tables.pop(live.id, None)


def moved_on(seats: Sequence[SavedSeat]) -> list[SavedSeat]:
    """Everybody one seat further, so that each begins in turn."""
    return [replace(seat, seat=number) for number, seat in enumerate([*seats[-1:], *seats[:-1]])]


def series_after(live: LiveTable) -> list[list[float]]:
    """The results of a series once the game at a table has ended, by the seats of the next deal."""
    results = [*live.saved.series, live.session.table.payoffs()][-LONGEST_SERIES:]
    return [[*result[-1:], *result[:-1]] for result in results]


def seated(
    game: Game, orders: Sequence[SeatBody] | None, champion: str
) -> tuple[list[SavedSeat], str, list[tuple[int, str]]]:
    """The seats of a new table, the token of mine, and those of the open ones."""
    given = list(orders) if orders else [SeatBody(who="me")]
    given += [SeatBody(who="agent")] * (game.players - len(given) if not orders else 0)
    if len(given) != game.players:
        raise UserError(
            "{game} has {n} seats, but {given} were given", game=game.name, n=game.players, given=len(given)
        )
    mine, invited, seats = new_token(), [], []
    for number, order in enumerate(given):
        name = clean_name(order.name) if order.name else ""
        if order.who == "agent":
            seats.append(SavedSeat(number, AGENT, name, order.agent or champion))
        elif order.who == "me":
            seats.append(SavedSeat(number, PERSON, name or Text("Player {n}", n=number + 1), key=key_of(mine)))
        else:
            token = new_token()
            invited.append((number, token))
            seats.append(SavedSeat(number, OPEN, name or Text("Friend {n}", n=number + 1), key=key_of(token)))
    return seats, mine if any(seat.key == key_of(mine) for seat in seats) else "", invited


def seats_of_record(resolver: Resolver, game: Game, record: Record) -> list[SavedSeat]:
    """Who played a record, as far as it says so; agents by their texts can be asked why."""
    names = record.names or record.agents or []
    agents = record.agents or []
    seats = []
    for number in range(game.players):
        name = str(names[number]) if number < len(names) else ""
        try:
            agent = str(agents[number]) if number < len(agents) else ""
            known = len(agent) <= LONGEST_AGENT and resolver.knows(game, agent)
            shown = clean_name(name[:32]) if name else Text("Player {n}", n=number + 1)
        except UserError:
            known, shown = False, Text("Player {n}", n=number + 1)
        seats.append(SavedSeat(number, RECORD, shown, agent if known else ""))
    return seats
