"""A database: statements in plain SQL with named values (`:key`), run in transactions.

SQLite files are opened by Python itself; any other database by SQLAlchemy, which takes a while to import and is
imported only then.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text

Execute = Callable[..., Sequence[Sequence[Any]]]
"""Runs a statement with its values, `execute("select ... where key = :key", key=...)`: its rows."""
PATIENCE = 30
"""Seconds to wait for another process that writes."""


def open_database(address: str) -> SqliteFile | OtherDatabase:
    """`address`: the path of an SQLite file, or an SQLAlchemy URL."""
    if "://" in address:
        return OtherDatabase(address)
    return SqliteFile(Path(address).expanduser().absolute())


class SqliteFile:
    """A file of SQLite."""

    bytes_type = "blob"

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(Text("the store {path} cannot be made: {why}", path=path, why=error.strerror)) from None
        try:
            self.connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        except sqlite3.Error as error:
            raise UserError(Text("the store {path} cannot be used: {error}", path=path, error=error)) from None

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
            raise UserError(
                Text("the store {url} cannot be used: {error}", url=url, error=self.complaint(error))
            ) from None
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

    def close(self) -> None:
        self.engine.dispose()

    @staticmethod
    def complaint(error: Exception) -> str:
        from sqlalchemy.exc import SQLAlchemyError

        if not isinstance(error, SQLAlchemyError | ImportError):
            return ""
        return str(getattr(error, "orig", None) or error).splitlines()[0]
