"""The store: tables, who sits at them and their moves, in SQLite with a write-ahead log.

A move is written before anybody is told of it. Written means: it survives the death of this process, however sudden.
What cannot be written leaves the store as it was. One server holds a store at a time. The secrets of games that go on
lie in it, so nobody else on this machine may read it.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text
from hiddenhand.lab.database import Execute, SqliteFile, bring_up_to_date
from hiddenhand.web.errors import NotSaved
from hiddenhand.web.schemas.outgoing import SeatInfo, SeatKind

SCHEMA = (
    """create table if not exists tables (
    id text primary key, created real not null, game text not null, version integer not null, options text not null,
    seed text not null, dealt text, open integer not null, recorded integer not null, delay real not null,
    opening integer not null, seats text not null, series text not null default '[]', notes text,
    given_up text
) without rowid""",
    """create table if not exists moves (
    of text not null, ply integer not null, action integer not null, primary key (of, ply)
) without rowid""",
)

COLUMNS = "id created game version options seed dealt open recorded delay opening seats series notes given_up".split()
ADDED = {"series": "text not null default '[]'", "notes": "text", "given_up": "text"}
"""The columns that older stores do not have, in their order, and what they are."""

EXPERIMENTS, OWN = "experiments", "own"
"""Folders beside the store: of experiments, and of texts that visitors brought."""
OURS = {EXPERIMENTS, OWN}

PERSON: SeatKind = "person"
OPEN: SeatKind = "open"
AGENT: SeatKind = "agent"
RECORD: SeatKind = "record"
LONGEST_NAME = 100
LONGEST_SHOWN = 1000
"""An agent whose text is longer is not named to clients."""


@dataclass
class SavedSeat:
    """One seat of a table. Of a token only the hash is kept: what lies in the store opens no seat."""

    seat: int
    kind: SeatKind
    name: str
    agent: str = ""
    key: str = ""

    def public(self, name: str, connected: bool) -> SeatInfo:
        """What everybody may know of it. It is short: everybody is sent it when somebody comes or goes."""
        name = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
        agent = self.agent if 0 < len(self.agent) <= LONGEST_SHOWN else None
        return SeatInfo(seat=self.seat, name=name, kind=self.kind, connected=connected, agent=agent)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def new_token() -> str:
    return secrets.token_urlsafe(18)


def key_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass
class SavedTable:
    """A table as it lies in the store: everything needed to sit down at it again."""

    id: str
    created: float
    game: str
    version: int
    options: dict[str, Any]
    seed: int
    seats: list[SavedSeat]
    dealt: list[int] | None = None
    open: bool = False
    recorded: bool = False
    """It came from a record: to look at and to branch from, nobody plays on."""
    delay: float = 0.0
    opening: int = 0
    """How many decisions at the start were drawn at random."""
    actions: list[int] = field(default_factory=list)
    series: list[list[float]] = field(default_factory=list)
    """What each earlier deal of the same players paid, by their present seats."""
    notes: list[list[str]] | None = None
    """What the players of a record noted of the cards."""
    given_up: list[Any] | None = None
    """The seat that could not go on, and why, where a record says that the game ended so."""


def close_to_others(path: Path) -> None:
    """Let nobody but this user read a store, an older one included; SQLite makes its log as open as its file.

    The folder is closed too, unless it is somebody else's, or holds other things: it may be anybody's home then.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    for file in path.parent.glob(f"{path.name}*"):
        file.chmod(0o600)
    strange = {each.name for each in path.parent.iterdir() if not each.name.startswith(path.name)} - OURS
    if not strange:
        with suppress(PermissionError):
            path.parent.chmod(0o700)


def make_tables(execute: Execute) -> None:
    """Version 1. Stores from before versions were counted lack some of the last columns, which are added."""
    for table in SCHEMA:
        execute(table)
    found = [row[1] for row in execute("pragma table_info(tables)")]
    missing = COLUMNS[len(found) :]
    if found == COLUMNS[: len(found)] and set(missing) <= set(ADDED):
        for name in missing:
            execute(f"alter table tables add column {name} {ADDED[name]}")


class TableStore:
    """The file in which tables are kept."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            close_to_others(path)
            database = SqliteFile(path, exclusive=True)
            self.connection = database.connection
            try:
                with database.transaction() as execute:
                    bring_up_to_date(database, execute, (make_tables,), path)
                    if [row[1] for row in execute("pragma table_info(tables)")] != COLUMNS:
                        raise UserError("{path} is no store of tables: use another folder", path=path)
            except BaseException:
                database.close()
                raise
        except sqlite3.Error as error:
            raise UserError(
                "{path} cannot be used ({error}); does another server use it?", path=path, error=error
            ) from None
        except OSError as error:
            raise UserError("{path} cannot be used: {error}", path=path, error=error.strerror or error) from None

    def create(self, saved: SavedTable) -> None:
        """A new table, with the moves that it has already."""
        row = (
            saved.id,
            saved.created,
            saved.game,
            saved.version,
            json.dumps(saved.options),
            str(saved.seed),
            None if saved.dealt is None else json.dumps(saved.dealt),
            saved.open,
            saved.recorded,
            saved.delay,
            saved.opening,
            self.written(saved.seats),
            json.dumps(saved.series),
            None if saved.notes is None else json.dumps(saved.notes),
            None if saved.given_up is None else json.dumps(saved.given_up),
        )
        with self.transaction():
            self.connection.execute(f"insert into tables values ({', '.join('?' * len(row))})", row)
            self.insert(saved.id, 0, saved.actions)

    def append(self, table: str, ply: int, actions: list[int]) -> None:
        """Moves from this ply on, all of them or none."""
        with self.transaction():
            last = self.connection.execute("select max(ply) from moves where of = ?", (table,)).fetchone()[0]
            kept = 0 if last is None else last + 1
            if kept != ply:
                raise NotSaved(f"table {table} has {kept} plies in the store, so that ply {ply} cannot be kept")
            self.insert(table, ply, actions)

    def insert(self, table: str, ply: int, actions: list[int]) -> None:
        rows = [(table, ply + i, action) for i, action in enumerate(actions)]
        self.connection.executemany("insert into moves values (?, ?, ?)", rows)

    def cut(self, table: str, keep: int) -> None:
        """Take moves back: only the first `keep` stay."""
        with self.transaction():
            self.connection.execute("delete from moves where of = ? and ply >= ?", (table, keep))

    def seat(self, table: str, seats: list[SavedSeat]) -> None:
        """Write who sits at a table."""
        with self.transaction():
            self.connection.execute("update tables set seats = ? where id = ?", (self.written(seats), table))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """A transaction: everything within it is written, or nothing if anything fails."""
        try:
            self.connection.execute("begin immediate")
            yield
            self.connection.execute("commit")
        except BaseException as error:
            if self.connection.in_transaction:  # after some errors SQLite has gone back by itself
                self.connection.execute("rollback")
            if isinstance(error, sqlite3.Error):
                raise NotSaved(
                    Text("the server cannot write its tables ({why}); nothing has changed", why=error)
                ) from error
            raise

    def load(self, table: str) -> SavedTable | None:
        row = self.connection.execute("select * from tables where id = ?", (table,)).fetchone()
        if row is None:
            return None
        moves = self.connection.execute(
            "select ply, action from moves where of = ? order by ply", (table,)
        ).fetchall()
        for number, (ply, _) in enumerate(moves):
            if ply != number:
                raise UserError(
                    "table {table} cannot be opened: its move {n} is missing in the store", table=table, n=number + 1
                )
        return SavedTable(
            id=row[0],
            created=row[1],
            game=row[2],
            version=row[3],
            options=json.loads(row[4]),
            seed=int(row[5]),
            dealt=None if row[6] is None else json.loads(row[6]),
            open=bool(row[7]),
            recorded=bool(row[8]),
            delay=row[9],
            opening=row[10],
            seats=[SavedSeat(**seat) for seat in json.loads(row[11])],
            series=json.loads(row[12]),
            notes=None if row[13] is None else json.loads(row[13]),
            given_up=None if row[14] is None else json.loads(row[14]),
            actions=[action for _, action in moves],
        )

    def games(self) -> set[str]:
        """The games of all tables."""
        return {row[0] for row in self.connection.execute("select distinct game from tables")}

    def count(self) -> int:
        return int(self.connection.execute("select count(*) from tables").fetchone()[0])

    def close(self) -> None:
        self.connection.close()

    @staticmethod
    def written(seats: list[SavedSeat]) -> str:
        return json.dumps([seat.to_json() for seat in seats])
