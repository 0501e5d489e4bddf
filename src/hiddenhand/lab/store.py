"""The store: every piece of work, finished or not, and records of single games, in any SQL database.

Work is kept in parts while it goes on, so that what was interrupted, or whose process was killed, can be continued
(see `runner`). Parts are written in one transaction: all of them or none.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import numpy as np
import sqlalchemy as sql

from hiddenhand.core.errors import UserError, did_you_mean
from hiddenhand.lab.runner import RECORD, Entry, Parts

TABLES = sql.MetaData()
WORKS = sql.Table(
    "works",
    TABLES,
    sql.Column("key", sql.String(12), primary_key=True),
    sql.Column("kind", sql.String(32), nullable=False),
    sql.Column("plan", sql.Text, nullable=False),
    sql.Column("output", sql.Text, nullable=False),
    sql.Column("wanted", sql.Integer, nullable=False),
    sql.Column("done", sql.Integer, nullable=False),
    sql.Column("seconds", sql.Float, nullable=False),
    sql.Column("created", sql.String(32), nullable=False),
    sql.Column("finished", sql.String(32)),
    sql.Column("result", sql.Text),
)
PARTS = sql.Table(
    "parts",
    TABLES,
    sql.Column("work", sql.String(12), primary_key=True),
    sql.Column("name", sql.String(64), primary_key=True),
    sql.Column("content", sql.LargeBinary, nullable=False),
)
RECORDS = sql.Table(
    "game_records",
    TABLES,
    sql.Column("work", sql.String(12), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("record", sql.Text, nullable=False),
)


def default_url() -> str:
    """$HIDDENHAND_STORE, or a file in the user's data directory."""
    if os.environ.get("HIDDENHAND_STORE"):
        return os.environ["HIDDENHAND_STORE"]
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return str(Path(data) / "hiddenhand" / "store.sqlite")


def key_of(entry: Entry) -> str:
    """The name under which work is kept: the same plan, the same name."""
    text = json.dumps([entry.kind, entry.plan, entry.output], sort_keys=True)
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

    # --- some work ---

    def begin(self, entry: Entry, resume: bool) -> str:
        """Enter some work, and say its key; unless it is resumed, what the store has of it is forgotten."""
        key = key_of(entry)
        with self.transaction() as connection:
            if resume:
                if connection.execute(sql.select(WORKS.c.key).where(WORKS.c.key == key)).first():
                    return key
                self.refuse_another(connection, entry)
            for table, column in ((WORKS, WORKS.c.key), (PARTS, PARTS.c.work), (RECORDS, RECORDS.c.work)):
                connection.execute(sql.delete(table).where(column == key))
            connection.execute(
                sql.insert(WORKS).values(
                    key=key,
                    kind=entry.kind,
                    plan=json.dumps(entry.plan),
                    output=entry.output,
                    wanted=entry.wanted,
                    done=0,
                    seconds=0.0,
                    created=now(),
                )
            )
        return key

    def refuse_another(self, connection: sql.Connection, entry: Entry) -> None:
        """Work of another plan is under way for the same file: it cannot be resumed as this."""
        if not entry.output:
            return
        same = (WORKS.c.kind == entry.kind) & (WORKS.c.output == entry.output) & WORKS.c.finished.is_(None)
        found = connection.execute(sql.select(WORKS.c.plan).where(same & (WORKS.c.done > 0))).scalars().first()
        if found is None:
            return
        kept, wanted = json.loads(found), json.loads(json.dumps(entry.plan))
        for name in wanted:
            if kept.get(name) != wanted[name]:
                raise UserError(
                    f"what there is for {entry.output} is of another {entry.kind}: {name} was {kept.get(name)}, "
                    f"not {wanted[name]}; without --resume it begins anew"
                )

    def load(self, key: str) -> tuple[dict[str, dict[str, Any]], float]:
        """All parts of some work, and the seconds that they took."""
        with self.transaction() as connection:
            seconds = connection.execute(sql.select(WORKS.c.seconds).where(WORKS.c.key == key)).scalar_one()
            rows = connection.execute(sql.select(PARTS).where(PARTS.c.work == key).order_by(PARTS.c.name)).all()
            parts = {row.name: unpacked(row.content) for row in rows}
            for row in connection.execute(sql.select(RECORDS).where(RECORDS.c.work == key)):
                parts[f"{RECORD}{row.number}"] = json.loads(row.record)
        return parts, float(seconds)

    def keep(self, key: str, parts: Parts, done: int, seconds: float) -> None:
        """Keep some parts, in one transaction; a part replaces the one of the same name."""
        with self.transaction() as connection:
            for name, content in parts.items():
                if name.startswith(RECORD):
                    self.keep_record(connection, key, int(name.removeprefix(RECORD)), content)
                    continue
                same = (PARTS.c.work == key) & (PARTS.c.name == name)
                connection.execute(sql.delete(PARTS).where(same))
                connection.execute(sql.insert(PARTS).values(work=key, name=name, content=packed(content)))
            progress = {"done": done, "seconds": seconds}
            connection.execute(sql.update(WORKS).where(WORKS.c.key == key).values(progress))

    def keep_record(self, connection: sql.Connection, key: str, number: int, record: Mapping[str, Any]) -> None:
        same = (RECORDS.c.work == key) & (RECORDS.c.number == number)
        connection.execute(sql.delete(RECORDS).where(same))
        connection.execute(sql.insert(RECORDS).values(work=key, number=number, record=json.dumps(record)))

    def finish(self, key: str, result: dict[str, Any], forget: bool) -> None:
        """Note that some work is complete, and forget its parts if its result is in files."""
        with self.transaction() as connection:
            done = {"finished": now(), "result": json.dumps(result)}
            connection.execute(sql.update(WORKS).where(WORKS.c.key == key).values(done))
            if forget:
                connection.execute(sql.delete(PARTS).where(PARTS.c.work == key))

    def document(self, key: str) -> dict[str, Any] | None:
        """The result of some work that is finished."""
        with self.transaction() as connection:
            text = connection.execute(sql.select(WORKS.c.result).where(WORKS.c.key == key)).scalar_one()
            found: dict[str, Any] | None = None if text is None else json.loads(text)
        return found

    # --- matches and their records ---

    def matches(self) -> list[dict[str, Any]]:
        """Every match that is kept, oldest first."""
        with self.transaction() as connection:
            matches = sql.select(WORKS).where(WORKS.c.kind == "match")
            rows = connection.execute(matches.order_by(WORKS.c.created, WORKS.c.key)).all()
            names: dict[str, list[str]] = {}
            wanted = sql.select(RECORDS.c.work, RECORDS.c.number).order_by(RECORDS.c.number)
            for key, number in connection.execute(wanted):
                names.setdefault(key, []).append(f"{key}/{number}")
            return [
                {
                    "id": row.key,
                    **json.loads(row.plan),
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
            wanted = (RECORDS.c.work == key) & (RECORDS.c.number == int(number))
            found: dict[str, Any] = json.loads(
                connection.execute(sql.select(RECORDS.c.record).where(wanted)).scalar_one()
            )
        return found


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def packed(content: Mapping[str, Any]) -> bytes:
    """A part as bytes: arrays as NumPy writes them, everything else as JSON."""
    arrays = {name: value for name, value in content.items() if isinstance(value, np.ndarray)}
    others = {name: value for name, value in content.items() if name not in arrays}
    text = json.dumps(others).encode()
    file = io.BytesIO()
    np.savez(file, **cast(Any, arrays))
    return zlib.compress(len(text).to_bytes(8, "little") + text + file.getvalue(), level=1)


def unpacked(content: bytes) -> dict[str, Any]:
    file = io.BytesIO(zlib.decompress(content))
    others: dict[str, Any] = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    with np.load(io.BytesIO(file.read()), allow_pickle=False) as arrays:
        return {**others, **arrays}
