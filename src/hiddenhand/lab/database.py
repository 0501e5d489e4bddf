"""A database: statements in plain SQL with named values (`:key`), run in transactions.

SQLite files are opened by Python itself; any other database by SQLAlchemy, which takes a while to import and is
imported only then. A database says which version of our tables it holds, and `bring_up_to_date` makes an older one
like a new one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hiddenhand.core.errors import UserError

Execute = Callable[..., Sequence[Sequence[Any]]]
"""Runs a statement with its values, `execute("select ... where key = :key", key=...)`: its rows."""
Migration = Callable[[Execute], None]
"""Makes of the tables of one version those of the next."""
PATIENCE = 30
"""Seconds to wait for another process that writes."""


def open_database(address: str) -> SqliteFile | OtherDatabase:
    """`address`: the path of an SQLite file, or an SQLAlchemy URL."""
    if "://" in address:
        return OtherDatabase(address)
    return SqliteFile(Path(address).expanduser().absolute())


def bring_up_to_date(
    database: SqliteFile | OtherDatabase, execute: Execute, migrations: Sequence[Migration], place: object
) -> None:
    """Within a transaction, apply the migrations that a database has not seen yet; refuse one of a later release.

    `migrations[n]` makes of version n version n + 1. Version 0 is an empty database, or one from before versions were
    counted.
    """
    found = database.version(execute)
    if found > len(migrations):
        raise UserError(
            "{place} was written by a newer version of hiddenhand: use that version, or another store", place=place
        )
    for migration in migrations[found:]:
        migration(execute)
    if found < len(migrations):
        database.set_version(execute, len(migrations))


class SqliteFile:
    """A file of SQLite. `exclusive`: no other process may use it meanwhile, and threads share this connection."""

    bytes_type = "blob"

    def __init__(self, path: Path, exclusive: bool = False) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError("the store {path} cannot be made: {why}", path=path, why=error.strerror) from None
        try:
            self.connection = sqlite3.connect(
                path, timeout=1 if exclusive else PATIENCE, isolation_level=None, check_same_thread=not exclusive
            )
        except sqlite3.Error as error:
            raise UserError("the store {path} cannot be used: {error}", path=path, error=error) from None
        if exclusive:
            self.connection.execute("pragma locking_mode = exclusive")
            self.connection.execute("pragma journal_mode = wal")
            self.connection.execute("pragma synchronous = normal")

    @contextmanager
    def transaction(self) -> Iterator[Execute]:
        """All of what is executed in it is kept, or nothing."""
        self.connection.execute("begin immediate")
        try:
            yield lambda statement, **values: self.connection.execute(statement, values).fetchall()
        except BaseException:
            self.connection.rollback()
            raise
        self.connection.commit()

    def version(self, execute: Execute) -> int:
        """Which version of our tables is in it."""
        return int(execute("pragma user_version")[0][0])

    def set_version(self, execute: Execute, version: int) -> None:
        execute(f"pragma user_version = {version}")

    def close(self) -> None:
        self.connection.close()

    @staticmethod
    def complaint(error: Exception) -> str:
        """What this database said, if the error is one of its own."""
        return str(error) if isinstance(error, sqlite3.Error) else ""


class OtherDatabase:
    """Whatever SQLAlchemy can open."""

    def __init__(self, url: str) -> None:
        import sqlalchemy

        try:
            self.engine = sqlalchemy.create_engine(url)
        except (sqlalchemy.exc.SQLAlchemyError, ImportError) as error:
            raise UserError("the store {url} cannot be used: {error}", url=url, error=self.complaint(error)) from None
        self.bytes_type = {"postgresql": "bytea", "mysql": "longblob", "mariadb": "longblob"}.get(
            self.engine.dialect.name, "blob"
        )

    @contextmanager
    def transaction(self) -> Iterator[Execute]:
        from sqlalchemy import text

        with self.engine.begin() as connection:
            if self.engine.dialect.name in ("mysql", "mariadb"):
                connection.execute(text("set sql_mode = 'ANSI_QUOTES'"))  # names in quotes, as everywhere else

            def execute(statement: str, **values: Any) -> Sequence[Sequence[Any]]:
                found = connection.execute(text(statement), values)
                return found.all() if found.returns_rows else []

            yield execute

    def version(self, execute: Execute) -> int:
        """Which version of our tables is in it."""
        execute("create table if not exists hiddenhand_version (version integer not null)")
        return max((int(row[0]) for row in execute("select version from hiddenhand_version")), default=0)

    def set_version(self, execute: Execute, version: int) -> None:
        execute("delete from hiddenhand_version")
        execute("insert into hiddenhand_version (version) values (:version)", version=version)

    def close(self) -> None:
        self.engine.dispose()

    @staticmethod
    def complaint(error: Exception) -> str:
        from sqlalchemy.exc import SQLAlchemyError

        if not isinstance(error, SQLAlchemyError | ImportError):
            return ""
        return str(getattr(error, "orig", None) or error).splitlines()[0]
