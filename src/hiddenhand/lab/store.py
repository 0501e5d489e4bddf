"""The store: matches, the chunks of games they are made of, and records of single games, in any SQL database.

Chunks are written while the match goes on, so a match that was interrupted, or whose process was killed,
can be continued. A chunk may begin and end anywhere; since every game has its own seed, two chunks that hold
the same game hold the same result.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import sqlalchemy as sql

from hiddenhand.core.errors import UserError, did_you_mean
from hiddenhand.lab.playing import Array, Chunk

TABLES = sql.MetaData()
MATCHES = sql.Table(
    "matches",
    TABLES,
    sql.Column("key", sql.String(12), primary_key=True),
    sql.Column("specification", sql.Text, nullable=False),
    sql.Column("games", sql.Integer, nullable=False),
    sql.Column("done", sql.Integer, nullable=False),
    sql.Column("seconds", sql.Float, nullable=False),
    sql.Column("created", sql.String(32), nullable=False),
    sql.Column("finished", sql.String(32)),
    sql.Column("summary", sql.Text),
)
CHUNKS = sql.Table(
    "chunks",
    TABLES,
    sql.Column("match", sql.String(12), primary_key=True),
    sql.Column("first", sql.Integer, primary_key=True),
    sql.Column("games", sql.Integer, primary_key=True),
    sql.Column("payoffs", sql.LargeBinary, nullable=False),
    sql.Column("moves", sql.LargeBinary, nullable=False),
    sql.Column("metrics", sql.LargeBinary, nullable=False),
)
RECORDS = sql.Table(
    "records",
    TABLES,
    sql.Column("match", sql.String(12), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("record", sql.Text, nullable=False),
)


def default_url() -> str:
    """$HIDDENHAND_STORE, or a file in the user's data directory."""
    if os.environ.get("HIDDENHAND_STORE"):
        return os.environ["HIDDENHAND_STORE"]
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return str(Path(data) / "hiddenhand" / "store.sqlite")


def key_of(specification: dict[str, Any]) -> str:
    """The name under which a match is kept: the same specification, the same name."""
    text = json.dumps(specification, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


class Store:
    """An open store. `url` is an SQLAlchemy URL, or the path of an SQLite file."""

    def __init__(self, url: str | None = None) -> None:
        self.url = url or default_url()
        address = self.url
        if "://" not in address:
            path = Path(address).expanduser().absolute()
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise UserError(f"the store {address} cannot be made: {error.strerror}") from None
            address = f"sqlite:///{path}"
        with self.clear_errors():
            waiting = {"timeout": 30} if address.startswith("sqlite") else {}
            self.engine = sql.create_engine(address, connect_args=waiting)
        try:
            with self.clear_errors():
                TABLES.create_all(self.engine)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def clear_errors(self) -> Iterator[None]:
        """What a database complains about, in one line."""
        try:
            yield
        except (sql.exc.SQLAlchemyError, ImportError) as error:
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise UserError(f"the store {self.url} cannot be used: {reason}") from None
        except (zlib.error, ValueError) as error:
            raise UserError(f"the store {self.url} is damaged: {error}") from None

    @contextmanager
    def transaction(self) -> Iterator[sql.Connection]:
        with self.clear_errors(), self.engine.begin() as connection:
            yield connection

    def begin(self, specification: dict[str, Any], resume: bool) -> None:
        """Enter a match; unless it is resumed, what is stored of it is forgotten."""
        key = key_of(specification)
        with self.transaction() as connection:
            if not resume:
                for table, column in (
                    (MATCHES, MATCHES.c.key),
                    (CHUNKS, CHUNKS.c.match),
                    (RECORDS, RECORDS.c.match),
                ):
                    connection.execute(sql.delete(table).where(column == key))
            elif connection.execute(sql.select(MATCHES.c.key).where(MATCHES.c.key == key)).first():
                return
            connection.execute(
                sql.insert(MATCHES).values(
                    key=key,
                    specification=json.dumps(specification),
                    games=specification["games"],
                    done=0,
                    seconds=0.0,
                    created=now(),
                )
            )

    def load(self, key: str, agents: int, metrics: int) -> tuple[list[Chunk], float]:
        """The chunks of a match, their records included, and the seconds they took."""
        with self.transaction() as connection:
            seconds = connection.execute(sql.select(MATCHES.c.seconds).where(MATCHES.c.key == key)).scalar_one()
            rows = connection.execute(sql.select(CHUNKS).where(CHUNKS.c.match == key)).all()
            chunks = [
                Chunk(
                    row.first,
                    unpacked(row.payoffs, np.float64).reshape(row.games, agents),
                    unpacked(row.moves, np.int64).reshape(row.games),
                    unpacked(row.metrics, np.float64).reshape(row.games, metrics),
                )
                for row in rows
            ]
            records = connection.execute(sql.select(RECORDS).where(RECORDS.c.match == key)).all()
            kept = {row.number: json.loads(row.record) for row in records}
        if chunks:
            chunks[0].records = kept
        return chunks, float(seconds)

    def write(self, key: str, chunks: list[Chunk], done: int, seconds: float) -> None:
        """Keep some chunks, in one transaction."""
        with self.transaction() as connection:
            for chunk in chunks:
                same = (CHUNKS.c.match == key) & (CHUNKS.c.first == chunk.first) & (CHUNKS.c.games == chunk.count)
                connection.execute(sql.delete(CHUNKS).where(same))
                connection.execute(
                    sql.insert(CHUNKS).values(
                        match=key,
                        first=chunk.first,
                        games=chunk.count,
                        payoffs=packed(chunk.payoffs),
                        moves=packed(chunk.moves),
                        metrics=packed(chunk.metrics),
                    )
                )
                self.write_records(connection, key, chunk.records)
            progress = {"done": done, "seconds": seconds}
            connection.execute(sql.update(MATCHES).where(MATCHES.c.key == key).values(progress))

    def write_records(self, connection: sql.Connection, key: str, records: dict[int, dict[str, Any]]) -> None:
        for number, record in records.items():
            same = (RECORDS.c.match == key) & (RECORDS.c.number == number)
            connection.execute(sql.delete(RECORDS).where(same))
            connection.execute(sql.insert(RECORDS).values(match=key, number=number, record=json.dumps(record)))

    def finish(self, key: str, summary: dict[str, Any], records: dict[int, dict[str, Any]]) -> None:
        """Note that a match is complete."""
        with self.transaction() as connection:
            self.write_records(connection, key, records)
            done = {"finished": now(), "summary": json.dumps(summary)}
            connection.execute(sql.update(MATCHES).where(MATCHES.c.key == key).values(done))

    def matches(self) -> list[dict[str, Any]]:
        """Every match that is kept, oldest first."""
        with self.transaction() as connection:
            rows = connection.execute(sql.select(MATCHES).order_by(MATCHES.c.created, MATCHES.c.key)).all()
            names: dict[str, list[str]] = {}
            wanted = sql.select(RECORDS.c.match, RECORDS.c.number).order_by(RECORDS.c.number)
            for key, number in connection.execute(wanted):
                names.setdefault(key, []).append(f"{key}/{number}")
            return [
                {
                    "id": row.key,
                    **json.loads(row.specification),
                    "done": row.done,
                    "created": row.created,
                    "finished": row.finished,
                    "records": names.get(row.key, []),
                }
                for row in rows
            ]

    def record(self, name: str) -> dict[str, Any]:
        """One record by its id, such as `1f0c77a2b3d4/0`."""
        known = [record for match in self.matches() for record in match["records"]]
        if name not in known:
            raise UserError(f"the store {self.url} has no record {name!r}{did_you_mean(name, known)}")
        key, _, number = name.partition("/")
        with self.transaction() as connection:
            wanted = (RECORDS.c.match == key) & (RECORDS.c.number == int(number))
            found: dict[str, Any] = json.loads(
                connection.execute(sql.select(RECORDS.c.record).where(wanted)).scalar_one()
            )
        return found


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def packed(array: Array) -> bytes:
    return zlib.compress(np.ascontiguousarray(array).tobytes(), level=1)


def unpacked(blob: bytes, kind: type) -> Array:
    return np.frombuffer(zlib.decompress(blob), kind)
