"""The store: what is in it survives, interrupted matches go on, and a bad store is reported in one line."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from conftest import BIDS
from hiddenhand.cli import main
from hiddenhand.core.errors import UserError
from hiddenhand.lab import match_work
from hiddenhand.lab.match import match
from hiddenhand.lab.match_runner import MatchRunner
from hiddenhand.lab.runner import Interrupted
from hiddenhand.lab.store import Store, default_url

AGENTS = ["random", "random"]
SLOW = ["slow:work=8000000", "random"]
KEEPS_OFTEN = """
import sys
from hiddenhand.lab import runner
runner.KEEP_EVERY = 0.1
from hiddenhand.cli import main
sys.exit(main())
"""


def press_at(games):
    """Presses Ctrl-C when so many games are done."""

    def progress(done, wanted):
        if done >= games:
            os.kill(os.getpid(), signal.SIGINT)

    return progress


def chunk_rows(path):
    connection = sqlite3.connect(path)
    rows = connection.execute("select name from parts where name like 'games %'").fetchall()
    connection.close()
    stretches = [name.split() for (name,) in rows]
    return sorted((int(first), int(last) - int(first) + 1) for _, first, _, last in stretches)


@pytest.mark.parametrize("mode", [{}, {"duplicate": True}], ids=str)
def test_interrupted_and_resumed_equals_uninterrupted(own_store, monkeypatch, mode):
    whole = match("tictactoe", AGENTS, games=60, seed=5, **mode)
    monkeypatch.setattr(match_work, "AIM", 1e-9)
    with pytest.raises(Interrupted, match="with --resume goes on from there") as stop:
        match("tictactoe", AGENTS, games=60, seed=5, store=str(own_store), progress=press_at(20), **mode)
    assert 20 <= stop.value.result.games < 60
    rest = match("tictactoe", AGENTS, games=60, seed=5, store=str(own_store), resume=True, **mode)
    assert np.array_equal(whole.payoffs, rest.payoffs)
    assert np.array_equal(whole.moves, rest.moves)


def test_a_finished_match_is_not_played_again(own_store, monkeypatch):
    first = match("tictactoe", AGENTS, games=30, store=str(own_store), records=3)
    monkeypatch.setattr(MatchRunner, "chunk", None)
    again = match("tictactoe", AGENTS, games=30, store=str(own_store), resume=True, records=3)
    assert again.to_json() == first.to_json()
    assert again.records == first.records


def test_any_database_of_sqlalchemy_will_do(own_store):
    """The same file, once opened by Python and once by SQLAlchemy."""
    own_store.parent.mkdir()
    first = match("tictactoe", AGENTS, games=30, store=f"sqlite:///{own_store}", records=2)
    again = match("tictactoe", AGENTS, games=30, store=str(own_store), resume=True, records=2)
    assert again.to_json() == first.to_json()
    with Store(f"sqlite:///{own_store}") as through, Store(str(own_store)) as plain:
        assert through.matches() == plain.matches()
        assert through.record(f"{plain.matches()[0]['id']}/1") == first.records[1]


@pytest.mark.parametrize("scheme", ["", "sqlite:///"], ids=["Python", "SQLAlchemy"])
def test_a_store_says_its_version_and_a_newer_one_is_refused(tmp_path, scheme):
    """A store of 0.2 says none: it has the tables of version 1, and what is in it is still read."""
    address = scheme + str(tmp_path / "store.sqlite")
    first = match("tictactoe", AGENTS, games=30, store=address)
    with Store(address) as store, store.transaction() as execute:
        assert store.database.version(execute) == 2
        store.database.set_version(execute, 0)
    again = match("tictactoe", AGENTS, games=30, store=address, resume=True)
    assert again.to_json() == first.to_json()
    with Store(address) as store, store.transaction() as execute:
        assert store.database.version(execute) == 2
        store.database.set_version(execute, 9)
    with pytest.raises(UserError, match=r"store\.sqlite was written by a newer version of hiddenhand"):
        Store(address)


def test_six_processes_may_make_one_new_store(tmp_path):
    program = f"from hiddenhand.lab.store import Store; Store({str(tmp_path / 'new' / 'store.sqlite')!r}).matches()"
    started = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(6)]
    assert [process.wait() for process in started] == [0] * 6


def test_gaps_of_any_shape_are_filled(own_store):
    whole = match("tictactoe", AGENTS, games=100, seed=9)
    match("tictactoe", AGENTS, games=100, seed=9, store=str(own_store))
    with Store(str(own_store)) as store:
        key = store.matches()[0]["id"]
        players = players_of(9)
        with store.transaction() as execute:
            execute("delete from parts")
        # overlapping, out of order, with holes between
        chunks = [players.chunk(90, 3), players.chunk(10, 20), players.chunk(25, 10)]
        parts = {
            f"games {chunk.first} to {chunk.first + chunk.count - 1}": {
                "payoffs": chunk.payoffs, "moves": chunk.moves, "metrics": chunk.metrics
            }
            for chunk in chunks
        }  # fmt: skip
        store.keep(key, parts, 0, 1.0)
        played = []
        chunk = MatchRunner.chunk

        def watched(self, first, count):
            played.extend(range(first, first + count))
            return chunk(self, first, count)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(MatchRunner, "chunk", watched)
            result = match("tictactoe", AGENTS, games=100, seed=9, store=store, resume=True)
    assert sorted(played) == [*range(10), *range(35, 90), *range(93, 100)]
    assert np.array_equal(result.payoffs, whole.payoffs)
    assert result.seconds > 1.0, "the time of both runs"


def players_of(seed):
    from hiddenhand.core import resolver

    game = resolver.game("tictactoe")
    return MatchRunner(game, [resolver.agent(game, text) for text in AGENTS], seed)


def test_without_resume_a_match_starts_again(own_store):
    match("tictactoe", AGENTS, games=30, store=str(own_store))
    match("tictactoe", AGENTS, games=30, store=str(own_store))
    assert sum(games for _, games in chunk_rows(own_store)) == 30


@pytest.mark.parametrize("other", [{"seed": 1}, {"games": 41}, {"rotate": True}, {"duplicate": True}], ids=str)
def test_another_match_has_another_key(own_store, other):
    match("tictactoe", AGENTS, **{"games": 40, "store": str(own_store), **other})
    match("tictactoe", AGENTS, games=40, store=str(own_store))
    with Store(str(own_store)) as store:
        assert len(store.matches()) == 2


def test_an_edited_game_is_another_game(own_store, bids):
    """A remark already makes it other work, which is not resumed; an edited rule makes other rules."""
    text = Path(bids).read_text()
    match(bids, ["low", "high"], games=4, store=str(own_store))
    for edited in (text + "# a remark\n", text.replace("below(rng, 5)", "below(rng, 4)")):
        Path(bids).write_text(edited)
        match(bids, ["low", "high"], games=4, store=str(own_store), resume=True)
    with Store(str(own_store)) as store:
        assert len(store.matches()) == 3
        assert len({entry["rules"] for entry in store.matches()}) == 2


def test_many_games_stay_compact(own_store):
    match("tictactoe", AGENTS, games=200_000, store=str(own_store))
    assert own_store.stat().st_size < 6 * 200_000


def test_records_are_kept_and_listed(own_store):
    result = match("tictactoe", AGENTS, games=5, store=str(own_store), records=2)
    with Store(str(own_store)) as store:
        entry = store.matches()[0]
        assert entry["records"] == [f"{entry['id']}/0", f"{entry['id']}/1"]
        assert [store.record(name) for name in entry["records"]] == result.records
        with pytest.raises(UserError, match="has no record 'x/1'"):
            store.record("x/1")


def test_records_asked_for_later_are_made_later(own_store):
    match("tictactoe", AGENTS, games=5, store=str(own_store))
    result = match("tictactoe", AGENTS, games=5, store=str(own_store), records=2, resume=True)
    assert result.records == match("tictactoe", AGENTS, games=5, records=2).records


def test_where_the_store_is(monkeypatch, tmp_path):
    assert default_url() == str(tmp_path / "store" / "store.sqlite")
    monkeypatch.delenv("HIDDENHAND_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert default_url() == str(tmp_path / "data" / "hiddenhand" / "store.sqlite")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_url() == str(tmp_path / ".local" / "share" / "hiddenhand" / "store.sqlite")


def test_bad_stores_are_reported(tmp_path):
    text = tmp_path / "text.sqlite"
    text.write_text("this is not a database, but it is long enough to look like a file of some kind\n" * 20)
    (tmp_path / "loop").symlink_to("loop")
    for url, message in [
        (str(tmp_path / "loop"), "cannot be used: unable to open"),
        (str(text), "cannot be used: file is not a database"),
        (str(text / "below"), "cannot be made"),
        ("nonsense://somewhere", "cannot be used"),
        ("postgresql+nonsense://somewhere/x", "cannot be used"),
    ]:
        with pytest.raises(UserError, match=message) as error:
            Store(url)
        assert "\n" not in str(error.value)


def test_a_damaged_chunk_is_reported(own_store):
    match("tictactoe", AGENTS, games=5, store=str(own_store))
    connection = sqlite3.connect(own_store)
    connection.execute("update parts set content = x'1234'")
    connection.commit()
    connection.close()
    with pytest.raises(UserError, match="is damaged"):
        match("tictactoe", AGENTS, games=5, store=str(own_store), resume=True)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("update works set plan = replace(plan, 'tictactoe', '\\ud800')", "not all of what is written in it is text"),
        ("update parts set name = 'chunk x'", "what it has of this work cannot be read"),
    ],
)
def test_damaged_texts_are_told_with_the_name_of_the_store(own_store, capsys, change, told):
    words = ["match", "tictactoe", *AGENTS, "--games", "5", "--store", str(own_store)]
    assert main(words) == 0
    with sqlite3.connect(own_store) as connection:
        connection.execute(change)
    statuses = [main([*words, "--resume"]), main(["records", "--store", str(own_store)])]
    lines = capsys.readouterr().err.splitlines()
    assert any(line.startswith(f"error: the store {own_store} is damaged: {told}") for line in lines), lines
    assert 2 in statuses


def test_a_usual_store_that_cannot_be_made_is_no_error(tmp_path, monkeypatch, caplog):
    """The match is played and printed; a line says that it is not kept."""
    (tmp_path / "file").touch()
    monkeypatch.delenv("HIDDENHAND_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file" / "data"))
    assert main(["match", "tictactoe", *AGENTS, "--games", "2"]) == 0
    (line,) = [line for line in caplog.messages if "not kept" in line]
    assert line.startswith("note: the store ")


def command(bids, *more):
    return [sys.executable, "-c", KEEPS_OFTEN, "match", bids, *SLOW, "--games", "400", "--json", *more]


def wait_for_games(path, process):
    """Until the store has some games of a match that is being played."""
    for _ in range(30_000):
        assert process.poll() is None, process.communicate()
        try:
            if path.exists() and chunk_rows(path):
                return
        except sqlite3.OperationalError:  # its tables are only just being made
            pass
        time.sleep(0.02)
    raise AssertionError("nothing was stored in ten minutes")


def start(*arguments):
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0)


def finish(bids, *more):
    """Resume the match in another process; its results."""
    done = subprocess.run(command(bids, "--resume", *more), capture_output=True, text=True, check=True)
    return results(json.loads(done.stdout))


def results(document):
    return {name: document[name] for name in ("games", "seats", "moves", "metrics")}


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """The results of the same match, played through."""
    path = tmp_path_factory.mktemp("whole") / "bids.py"
    path.write_text(BIDS)
    return results(match(str(path), SLOW, games=400, workers=2).to_json())


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_process_that_gets_ctrl_c(own_store, bids, workers, uninterrupted):
    process = start(*command(bids, "--workers", workers))
    wait_for_games(own_store, process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: the workers get it too
    out, error = process.communicate(timeout=600)
    assert process.returncode == 130, error
    done = json.loads(out)["games"]
    assert 0 < done < 400
    assert error == f"stopped: {done} of 400 games done; the same command with --resume goes on from there\n"
    assert sum(games for _, games in chunk_rows(own_store)) == done
    assert finish(bids, "--workers", "2") == uninterrupted


def test_a_process_that_is_killed(own_store, bids, uninterrupted):
    process = start(*command(bids))
    wait_for_games(own_store, process)
    process.kill()
    process.communicate(timeout=600)
    assert 0 < sum(games for _, games in chunk_rows(own_store)) < 400
    assert finish(bids) == uninterrupted


@pytest.mark.parametrize(
    "command",
    [
        "train hanabi reinforced --players 2 --games 1000",
        "tune hanabi trustful --players 2 --evaluations 4 --games 4",
        "evolve dominion --model ranks --generations 1 --mutants 1 --hall 1",
        "svarog precalculate dorban --depth 1",
    ],
)
def test_where_the_result_is_to_go_is_looked_at_before_the_work(command, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("hiddenhand.lab.runner.go_on", None)  # no work is begun
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    for place, reason in (("file/result", f"{tmp_path / 'file'} is no folder"), ("folder", "it is a folder")):
        assert main([*command.split(), "--output", str(tmp_path / place)]) == 2
        assert capsys.readouterr().err == f"error: {tmp_path / place} cannot be written: {reason}\n"


def test_a_store_that_fails_on_the_way_does_not_cost_the_match(own_store, monkeypatch, caplog):
    def full(*_, **__):
        raise UserError("the store is full")

    whole = match("tictactoe", AGENTS, games=30)
    for method in ("keep", "finish", "begin"):
        with monkeypatch.context() as broken:
            broken.setattr(Store, method, full)
            assert (
                match("tictactoe", AGENTS, games=30, store=str(own_store)).payoffs.tolist() == whole.payoffs.tolist()
            )
    assert [record.getMessage() for record in caplog.records] == [
        "hiddenhand: what follows is not kept: the store is full"
    ] * 3


def test_a_store_of_before_says_what_it_is(own_store, capsys, caplog):
    """One that kept matches alone opens empty: its matches are not lost, but they are not read either."""
    own_store.parent.mkdir(parents=True)
    connection = sqlite3.connect(own_store)
    connection.execute("create table matches (key text primary key, specification text not null)")
    connection.execute("insert into matches values ('1f0c77a2b3d4', '{}')")
    connection.commit()
    connection.close()
    assert main(["records"]) == 0
    assert "was written by a version before 0.2; its matches (1) stay in it" in caplog.text
    caplog.clear()
    match("tictactoe", AGENTS, games=2, store=str(own_store))
    Store(str(own_store)).close()
    assert caplog.text.count("before 0.2") == 1, "said while nothing newer is in it"
