"""The store: what cannot be written leaves it as it was, and it goes on."""

import os
import sqlite3
import stat
from contextlib import closing
from dataclasses import replace

import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.web.tables.store import COLUMNS, PERSON, SavedSeat, SavedTable, TableStore


@pytest.fixture
def store(tmp_path):
    store = TableStore(tmp_path / "tables.sqlite")
    store.create(saved("table"))
    yield store
    store.close()


def saved(name, actions=(0, 1)):
    seats = [SavedSeat(0, PERSON, "Ann"), SavedSeat(1, PERSON, "Bob")]
    return SavedTable(name, 0.0, "tictactoe", 1, {}, 7, seats, actions=list(actions))


class Interrupted(BaseException):
    """As Ctrl-C and a cancelled task are."""


def test_a_number_that_no_store_holds(store):
    with pytest.raises(OverflowError):
        store.append("table", 2, [2, 2**70])
    with pytest.raises(OverflowError):
        store.create(saved("other", [2**70]))
    store.append("table", 2, [2])
    store.create(saved("other"))
    assert store.load("table").actions == [0, 1, 2]
    assert store.load("other").actions == [0, 1]


def test_whatever_goes_wrong_within_a_transaction_is_undone(store):
    for error in (Interrupted, KeyboardInterrupt, ValueError, sqlite3.OperationalError):
        with pytest.raises((error, UserError)):
            insert_and_fail(store, error)
        assert not store.connection.in_transaction
        assert store.load("table").actions == [0, 1]


def insert_and_fail(store, error):
    with store.transaction():
        store.insert("table", 2, [5])
        raise error


def test_a_transaction_that_was_left_open_stops_nobody_for_good(store):
    store.connection.execute("begin")
    with pytest.raises(UserError, match="nothing has changed"):
        store.append("table", 2, [5])
    store.append("table", 2, [5])
    assert store.load("table").actions == [0, 1, 5]


@pytest.mark.parametrize("ply", [0, 1, 3, 100])
def test_moves_join_on_to_those_that_are_there(store, ply):
    with pytest.raises(UserError, match=f"has 2 plies in the store, so that ply {ply} cannot be kept"):
        store.append("table", ply, [5])
    store.append("table", 2, [5])
    assert store.load("table").actions == [0, 1, 5]


def test_a_table_with_a_gap_is_not_opened(store):
    store.connection.execute("insert into moves values ('table', 5, 1)")
    with pytest.raises(UserError, match="table table cannot be opened: its move 3 is missing"):
        store.load("table")


def test_a_full_disk(store):
    (pages,) = store.connection.execute("pragma page_count").fetchone()
    store.connection.execute(f"pragma max_page_count = {pages}")
    with pytest.raises(UserError, match=r"cannot write its tables \(database or disk is full\); nothing has changed"):
        store.append("table", 2, list(range(5000)))
    with pytest.raises(UserError, match="disk is full"):
        store.seat("table", [SavedSeat(0, PERSON, "x" * 100_000)])
    with pytest.raises(UserError, match="disk is full"):
        store.create(saved("other", range(5000)))
    assert store.load("table").actions == [0, 1]
    assert [seat.name for seat in store.load("table").seats] == ["Ann", "Bob"]
    assert store.load("other") is None
    store.connection.execute("pragma max_page_count = 1000000")
    store.append("table", 2, list(range(5000)))
    assert len(store.load("table").actions) == 5002


@pytest.mark.skipif(os.name == "nt", reason="there a user's folders are closed to others")
def test_nobody_else_may_read_the_secrets_of_games(tmp_path):
    """Neither in a new folder nor in one that was made when it was open to all."""
    old = tmp_path / "old"
    old.mkdir(mode=0o755)
    (old / "experiments").mkdir()
    for name in ("tables.sqlite", "tables.sqlite-wal"):
        (old / name).touch()
        (old / name).chmod(0o644)
    before = os.umask(0)
    try:
        for folder in (old, tmp_path / "new"):
            store = TableStore(folder / "tables.sqlite")
            store.create(saved("table"))
            assert mode_of(folder) == 0o700
            files = [path for path in folder.iterdir() if path.is_file()]
            assert {path.name for path in files} >= {"tables.sqlite", "tables.sqlite-wal"}
            assert {mode_of(path) for path in files} == {0o600}
            store.close()
    finally:
        os.umask(before)
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)
    (shared / "letters").mkdir()
    TableStore(shared / "tables.sqlite").close()
    assert (mode_of(shared), mode_of(shared / "tables.sqlite")) == (0o755, 0o600)


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_a_store_of_an_older_form_is_read_and_written(tmp_path, missing):
    path = tmp_path / "tables.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        columns = COLUMNS[:-missing]
        connection.execute(f"create table tables (id text primary key, {', '.join(columns[1:])}) without rowid")
        connection.execute("create table moves (of, ply, action, primary key (of, ply)) without rowid")
        row = ["old", 0.0, "tictactoe", 1, "{}", "7", None, 0, 0, 0.0, 0, "[]", "[[1, -1]]", None]
        row = row[: len(columns)]
        connection.execute(f"insert into tables values ({', '.join('?' * len(row))})", row)
        connection.commit()
    store = TableStore(path)
    assert (store.load("old").series, store.load("old").given_up) == ([[1, -1]] if missing < 3 else [], None)
    store.create(replace(saved("new"), given_up=[0, "no answer"]))
    assert store.load("new").given_up == [0, "no answer"]
    assert store.connection.execute("pragma user_version").fetchone() == (1,)
    store.close()


def test_a_store_of_a_newer_version_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "tables.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma user_version = 7")
    with pytest.raises(UserError, match="was written by a newer version of hiddenhand"):
        TableStore(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("select name from sqlite_master").fetchall() == []
