"""The store: all work, finished or not, and the records of single games, in an SQL database.

While work goes on, it is saved in parts, so that it can be continued after an interruption or when its process was
killed (see `runner`). The parts of one save are written in one transaction: either all of them or none.
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import numpy as np

from hiddenhand.core.errors import UserError, did_you_mean
from hiddenhand.core.files import data_folder
from hiddenhand.lab.database import Execute, bring_up_to_date, open_database
from hiddenhand.lab.frames import to_frame
from hiddenhand.lab.runner import RECORD, Parts, WorkEntry

LOG = logging.getLogger(__name__)

TABLES = (
    """create table if not exists works (
        "key" varchar(12) primary key, kind varchar(32) not null, plan text not null, output text not null,
        wanted integer not null, done integer not null, seconds float not null, created varchar(32) not null,
        finished varchar(32), result text
    )""",
    """create table if not exists parts (
        work varchar(12) not null, name varchar(64) not null, content {bytes} not null, primary key (work, name)
    )""",
    """create table if not exists game_records (
        work varchar(12) not null, number integer not null, record text not null, primary key (work, number)
    )""",
)
PAIRINGS = """create table if not exists pairings (
    tournament varchar(12) not null, work varchar(12) not null, place integer not null,
    primary key (tournament, work)
)"""
"""Which matches are line-ups of which tournaments, in their order; a tournament with more agents shares them."""
LISTED = '"key", plan, wanted, done, created, finished'
COLUMNS = '"key", kind, plan, output, wanted, done, seconds, created, finished, result'


def default_url() -> str:
    """$HIDDENHAND_STORE, or a file in the user's data directory."""
    return os.environ.get("HIDDENHAND_STORE") or str(data_folder() / "store.sqlite")


@contextmanager
def open_store(where: Store | str | None, needed: bool = True) -> Iterator[Store | None]:
    """The store to use: this one, or the one at an address, which is closed afterwards. An empty address stands for
    the user's own store. `needed`: refuse to go on without it."""
    if not isinstance(where, str):
        yield where
        return
    try:
        store = Store(where)
    except UserError as error:
        if needed:
            raise
        LOG.warning("note: %s; what comes of this is printed, but not kept", error)
        yield None
        return
    with store:
        yield store


def key_of(entry: WorkEntry) -> str:
    """The name under which work is kept: the same plan, the same name."""
    text = json.dumps([entry.kind, entry.plan, entry.output], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


class Store:
    """An open store. `url` is the path of an SQLite file, or an SQLAlchemy URL."""

    def __init__(self, url: str | None = None) -> None:
        self.url = url or default_url()
        self.database = open_database(self.url)
        try:
            with self.transaction() as execute:
                bring_up_to_date(self.database, execute, (self.make_tables, self.make_pairings), self.url)
                execute(f"select {COLUMNS} from works where \"key\" = ''")  # refuses somebody else's tables
        except BaseException:
            self.close()
            raise
        self.tell_of_older()

    @property
    def folder(self) -> Path | None:
        """The folder of its file, if it is one."""
        return None if "://" in self.url else Path(self.url).expanduser().absolute().parent

    def make_tables(self, execute: Execute) -> None:
        """Version 1. Stores of 0.2 have these tables too, without saying so."""
        for table in TABLES:
            execute(table.format(bytes=self.database.bytes_type))

    def make_pairings(self, execute: Execute) -> None:
        """Version 2: a tournament is an entry of its own."""
        execute(PAIRINGS)

    def tell_of_older(self) -> None:
        """A store of a version that kept matches alone opens as if it were empty: nothing of it is read, or lost."""
        try:
            with self.transaction() as execute:
                older = execute("select count(specification) from matches")[0][0]
                ours = execute("select count(kind) from works")[0][0]
        except UserError:  # there is no such table
            return
        if older and not ours:
            LOG.warning(
                "hiddenhand: the store %s was written by a version before 0.2; its matches (%d) stay in it, but this "
                "version cannot read them",
                self.url,
                older,
            )

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self.database.close()

    @contextmanager
    def transaction(self) -> Iterator[Execute]:
        """All of what is executed in it is kept, or nothing; a complaint of the database is said in one line."""
        try:
            with self.database.transaction() as execute:
                yield execute
        except UnicodeError:
            raise UserError(
                "the store {url} is damaged: not all of what is written in it is text", url=self.url
            ) from None
        except (zlib.error, ValueError) as error:
            raise UserError("the store {url} is damaged: {error}", url=self.url, error=error) from None
        except Exception as error:
            complaint = self.database.complaint(error)
            if not complaint:
                raise
            raise UserError(
                "the store {url} cannot be used: {complaint}", url=self.url, complaint=complaint
            ) from None

    # --- some work ---

    def begin(self, entry: WorkEntry, resume: bool) -> str:
        """Enter some work, and say its key; unless it is resumed, what the store has of it is forgotten."""
        key = key_of(entry)
        with self.transaction() as execute:
            if resume:
                if execute('select "key" from works where "key" = :key', key=key):
                    return key
                self.refuse_another(execute, entry)
            execute('delete from works where "key" = :key', key=key)
            execute("delete from parts where work = :key", key=key)
            execute("delete from game_records where work = :key", key=key)
            execute(
                'insert into works ("key", kind, plan, output, wanted, done, seconds, created)'
                " values (:key, :kind, :plan, :output, :wanted, 0, 0, :created)",
                key=key,
                kind=entry.kind,
                plan=json.dumps(entry.plan),
                output=entry.output,
                wanted=entry.wanted,
                created=now(),
            )
        return key

    def refuse_another(self, execute: Execute, entry: WorkEntry) -> None:
        """Work of another plan is under way for the same file: it cannot be resumed as this."""
        if not entry.output:
            return
        found = execute(
            "select plan from works where kind = :kind and output = :output and finished is null and done > 0",
            kind=entry.kind,
            output=entry.output,
        )
        if not found:
            return
        kept, wanted = parsed(found[0][0]), json.loads(json.dumps(entry.plan))
        for name in wanted:
            if kept.get(name) != wanted[name]:
                raise UserError(
                    "what there is for {output} is of another {kind}: {name} was {kept}, not "
                    "{wanted}; without --resume it begins anew",
                    output=entry.output,
                    kind=entry.kind,
                    name=name,
                    kept=kept.get(name),
                    wanted=wanted[name],
                )

    def load(self, key: str) -> tuple[dict[str, dict[str, Any]], float]:
        """All parts of some work, and the seconds that they took."""
        with self.transaction() as execute:
            seconds = execute('select seconds from works where "key" = :key', key=key)[0][0]
            rows = execute("select name, content from parts where work = :key order by name", key=key)
            parts = {name: unpacked(content) for name, content in rows}
            for number, record in execute("select number, record from game_records where work = :key", key=key):
                parts[f"{RECORD}{number}"] = parsed(record)
        return parts, float(seconds)

    def keep(self, key: str, parts: Parts, done: int, seconds: float) -> None:
        """Keep some parts, in one transaction; a part replaces the one of the same name."""
        with self.transaction() as execute:
            for name, content in parts.items():
                if name.startswith(RECORD):
                    number = int(name.removeprefix(RECORD))
                    execute("delete from game_records where work = :key and number = :number", key=key, number=number)
                    execute(
                        "insert into game_records (work, number, record) values (:key, :number, :record)",
                        key=key,
                        number=number,
                        record=json.dumps(content),
                    )
                else:
                    execute("delete from parts where work = :key and name = :name", key=key, name=name)
                    execute(
                        "insert into parts (work, name, content) values (:key, :name, :content)",
                        key=key,
                        name=name,
                        content=packed(content),
                    )
            execute(
                'update works set done = :done, seconds = :seconds where "key" = :key',
                key=key,
                done=done,
                seconds=seconds,
            )

    def finish(self, key: str, result: dict[str, Any], forget: bool) -> None:
        """Note that some work is complete, and forget its parts if its result is in files."""
        with self.transaction() as execute:
            execute(
                'update works set finished = :finished, result = :result where "key" = :key',
                key=key,
                finished=now(),
                result=json.dumps(result),
            )
            if forget:
                execute("delete from parts where work = :key", key=key)

    def document(self, key: str) -> dict[str, Any] | None:
        """The result of some work that is finished."""
        with self.transaction() as execute:
            text = execute('select result from works where "key" = :key', key=key)[0][0]
            found: dict[str, Any] | None = None if text is None else parsed(text)
        return found

    # --- tournaments ---

    def add_pairing(self, tournament: str, work: str, place: int) -> None:
        """Note that a match is a line-up of a tournament."""
        with self.transaction() as execute:
            values = {"tournament": tournament, "work": work, "place": place}
            execute("delete from pairings where tournament = :tournament and work = :work", **values)
            execute("insert into pairings (tournament, work, place) values (:tournament, :work, :place)", **values)

    def listing(self) -> list[dict[str, Any]]:
        """Every match and every tournament, oldest first; a tournament has its matches in it."""
        matches = {match["id"]: {"kind": "match", **match} for match in self.matches()}
        with self.transaction() as execute:
            pairs = execute("select tournament, work from pairings order by tournament, place")
            rows = execute(f"select {LISTED} from works where kind = :kind", kind="tournament")
            entries = [(self.entry_of(row), [work for key, work in pairs if key == row[0]]) for row in rows]
        tournaments = [
            {"kind": "tournament", **entry, "matches": [matches[work] for work in works if work in matches]}
            for entry, works in entries
        ]
        inside = {match["id"] for each in tournaments for match in each["matches"]}
        alone = [match for key, match in matches.items() if key not in inside]
        return sorted([*alone, *tournaments], key=lambda entry: (entry["created"], entry["id"]))

    def to_frame(self) -> Any:
        """The listing as a DataFrame of pandas or Polars, whichever is installed: a row for each match, with the
        tournament that it belongs to."""
        rows = [
            {"tournament": entry["id"] if entry["kind"] == "tournament" else None, **match}
            for entry in self.listing()
            for match in entry.get("matches", [entry])
        ]
        names = ("id", "tournament", "game", "agents", "seed", "seating", "games", "done", "created", "finished")
        return to_frame({name: [row.get(name) for row in rows] for name in names})

    def __repr__(self) -> str:
        return f"<Store {self.url}>"

    # --- matches and their records ---

    def matches(self) -> list[dict[str, Any]]:
        """Every match that is kept, oldest first."""
        with self.transaction() as execute:
            names: dict[str, list[str]] = {}
            for key, number in execute("select work, number from game_records order by number"):
                names.setdefault(key, []).append(f"{key}/{number}")
            rows = execute(f'select {LISTED} from works where kind = :kind order by created, "key"', kind="match")
            return [{**self.entry_of(row), "records": names.get(row[0], [])} for row in rows]

    @staticmethod
    def entry_of(row: Sequence[Any]) -> dict[str, Any]:
        """An entry as it is listed, from its key, plan and so on."""
        key, plan, wanted, done, created, finished = row
        return {
            "id": key,
            **parsed(plan),
            "wanted": wanted,
            "done": done,
            "created": created,
            "finished": finished,
        }

    def record(self, name: str) -> dict[str, Any]:
        """One record by its id, such as `1f0c77a2b3d4/0`."""
        known = [record for match in self.matches() for record in match["records"]]
        if name not in known:
            raise UserError(
                "the store {url} has no record {name}{guess}",
                url=self.url,
                name=repr(name),
                guess=did_you_mean(name, known),
            )
        key, _, number = name.partition("/")
        with self.transaction() as execute:
            wanted = "select record from game_records where work = :key and number = :number"
            found: dict[str, Any] = parsed(execute(wanted, key=key, number=int(number))[0][0])
        return found


def parsed(text: str) -> Any:
    """The meaning of JSON that was kept; UnicodeError where it has half characters, which nobody could print."""
    found = json.loads(text)
    json.dumps(found, ensure_ascii=False).encode()
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
