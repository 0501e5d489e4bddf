"""Nothing is lost at a table: failed writes, people who leave in the middle of something, and what time tells."""

import asyncio
import itertools
import sqlite3
import time
from contextlib import asynccontextmanager, contextmanager

import pytest

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError
from hiddenhand.core.files import AnyFile
from hiddenhand.core.resolver import Resolver
from hiddenhand.core.session import Deal
from hiddenhand.web.schemas import outgoing
from hiddenhand.web.schemas.http import SeatBody
from hiddenhand.web.security.limits import Limits
from hiddenhand.web.tables import live_table as live_tables
from hiddenhand.web.tables.connection import Connection
from hiddenhand.web.tables.live_table import Client
from hiddenhand.web.tables.registry import TableRegistry
from hiddenhand.web.tables.store import TableStore
from web_server import serving


class Wire:
    """Stands for the connection of a store; fails while it is told to."""

    def __init__(self, wire):
        self.wire = wire
        self.broken = False

    def __getattr__(self, name):
        return getattr(self.wire, name)

    def executemany(self, *words):
        self.object()
        return self.wire.executemany(*words)

    def execute(self, *words):
        if words[0].startswith(("update", "delete", "insert")):
            self.object()
        return self.wire.execute(*words)

    def object(self):
        if self.broken:
            raise sqlite3.OperationalError("database or disk is full")

    @contextmanager
    def breaking(self):
        self.broken = True
        yield
        self.broken = False


@asynccontextmanager
async def tables_in(folder):
    store = TableStore(folder / "tables.sqlite")
    store.connection = Wire(store.connection)
    tables = TableRegistry(store, Limits(), Resolver(AnyFile()))
    yield tables
    tables.scheduler.close()
    store.close()


def me_and(*agents):
    return [SeatBody(who="me"), *(SeatBody(who="agent", agent=agent) for agent in agents)]


async def seated(live, token):
    """Somebody in a seat, and what they are told."""
    told = []
    client = Client(told.append)
    await live.enter(client, token)
    return client, told


async def until(condition, seconds=600):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.01)


# ---- what cannot be written has not happened


def test_a_move_that_cannot_be_written_has_not_been_made(tmp_path):
    async def story():
        async with tables_in(tmp_path) as tables:
            live, token, _ = await tables.create(
                Deal(tables.resolver.game("backgammon"), 3), [SeatBody(who="me")] * 2
            )
            client, told = await seated(live, token)
            for _ in range(5):
                before = (
                    live.session.table.state.tobytes(),
                    list(live.session.steps),
                    list(live.session.table.history),
                )
                action, ply, heard = live.session.table.legal_actions()[0], len(live.session.steps), len(told)
                with tables.store.connection.breaking(), pytest.raises(UserError, match="nothing has changed"):
                    await live.play(client, ply, action)
                table = live.session.table
                assert (table.state.tobytes(), live.session.steps, table.history) == before
                assert len(table.history_names) == len(table.movers) == len(table.history)
                assert len(told) == heard
                await live.play(client, ply, action)
                assert tables.store.load(live.id).actions == live.session.table.history
            assert tables.live_tables[live.id] is live

    asyncio.run(story())


def test_an_undo_a_name_and_a_seat_that_cannot_be_written(tmp_path):
    async def story():
        async with tables_in(tmp_path) as tables:
            orders = [SeatBody(who="me", name="Ann"), SeatBody(who="open")]
            live, token, invited = await tables.create(Deal(tables.resolver.game("tictactoe"), 3), orders)
            client, _ = await seated(live, token)
            await live.play(client, 0, 4)
            friend = Client(lambda text: None)
            with tables.store.connection.breaking():
                for change in (live.undo(client), live.rename(client, "Zoe"), live.enter(friend, invited[0][1])):
                    with pytest.raises(UserError, match="nothing has changed"):
                        await change
            assert live.session.table.history == tables.store.load(live.id).actions == [4]
            assert live.saved.seats == tables.store.load(live.id).seats
            assert [seat.name for seat in live.seats()] == ["Ann", "Friend 2"]
            assert live.saved.seats[1].kind == "open"
            assert live.clients == {client}
            await live.undo(client)
            await live.rename(client, "Zoe")
            await live.enter(friend, invited[0][1])
            assert tables.store.load(live.id).actions == []
            assert [seat.name for seat in tables.store.load(live.id).seats] == ["Zoe", "Friend 2"]
            assert tables.store.load(live.id).seats[1].kind == "person"

    asyncio.run(story())


def test_an_agents_move_is_written_when_the_disk_works_again(tmp_path, monkeypatch):
    monkeypatch.setattr(live_tables, "TRY_AGAIN", 0.05)

    async def story():
        async with tables_in(tmp_path) as tables:
            game = tables.resolver.game("hanabi", players=2)
            straight, detour = [await tables.create(Deal(game, 9), me_and("trustful")) for _ in range(2)]
            for moves in range(3):
                for live, token, _ in (straight, detour):
                    client, told = await seated(live, token)
                    action = live.session.table.legal_actions()[-1 - moves]
                    await live.play(client, len(live.session.steps), action)
                    if live is detour[0]:
                        with tables.store.connection.breaking():
                            await until(lambda told=told: any("disk is full" in text for text in told))
                            assert len(live.session.steps) == 2 * moves + 1
                    await until(lambda live=live, moves=moves: len(live.session.steps) == 2 * moves + 2)
            assert (
                straight[0].session.table.history_names == detour[0].session.table.history_names
            )  # its memory too is as it was
            assert tables.store.load(detour[0].id).actions == detour[0].session.table.history

    asyncio.run(story())


def test_a_full_disk_and_then_one_that_is_not(tmp_path):
    with serving(tmp_path) as site:
        made = site.table("connect_four", "me me")
        store = site.app.state.tables.store
        (pages,) = store.connection.execute("pragma page_count").fetchone()
        store.connection.execute(f"pragma max_page_count = {pages}")
        order, answer = {"game": "tictactoe", "seats": [{"who": "me"}, {"who": "me"}]}, None
        assert not all(fits(store, f"full{name}") for name in range(200))
        while answer is None or answer.status_code == 200:
            answer = site.ask("POST", "/api/tables", json=order)
        assert answer.status_code == 503
        assert "disk is full" in answer.json()["error"]
        with site.page(made) as page:
            frame, error = page.my_turn(), None
            while error is None:  # the room that is left in the store's last page
                page.play(frame, frame["actions"][0]["action"])
                message = page.hear("frame", "nothing", "error")
                if message["type"] == "error":
                    error = message["text"]
                else:
                    frame = message
                    assert not frame["over"], "the disk was never full"
            assert "nothing has changed" in error
            assert site.get(f"/api/tables/{made['table']}")["plies"] == frame["ply"]
            store.connection.execute("pragma max_page_count = 1000000")
            page.play(frame, frame["actions"][0]["action"])
            assert page.hear("frame")["ply"] == frame["ply"] + 1
        assert (
            store.load(made["table"]).actions
            == site.app.state.tables.live_tables[made["table"]].session.table.history
        )


def fits(store, name):
    try:
        with store.transaction():
            store.connection.execute("insert into moves values (?, 0, 0)", (name * 20,))
    except UserError:
        return False
    return True


# ---- people who leave in the middle of something


@pytest.mark.parametrize("change", ["play", "undo", "rename", "enter"])
def test_a_change_ends_although_its_connection_does_not_wait_for_it(tmp_path, change):
    async def story():
        async with tables_in(tmp_path) as tables:
            orders = [SeatBody(who="me"), SeatBody(who="open")]
            live, token, invited = await tables.create(Deal(tables.resolver.game("tictactoe"), 3), orders)
            client, _ = await seated(live, token)
            friend = Client(lambda text: None)
            await live.play(client, 0, 4)
            await live.enter(friend, invited[0][1])
            work = {
                "play": lambda: live.play(friend, 1, 0),
                "undo": lambda: live.undo(client),
                "rename": lambda: live.rename(client, "Zoe"),
                "enter": lambda: live.enter(Client(lambda text: None), token),
            }[change]
            async with live.lock:
                asking = asyncio.create_task(live.carry_out(work()))
                await asyncio.sleep(0.01)
                asking.cancel()
                await asyncio.sleep(0.01)
                assert asking.cancelled()
                assert not live.idle
            await until(lambda: not live.changes)
            done = {
                "play": live.session.table.history == [4, 0],
                "undo": live.session.table.history == [],
                "rename": live.saved.seats[0].name == "Zoe",
                "enter": len(live.clients) == 3,
            }
            assert [name for name, happened in done.items() if happened] == [change]
            assert tables.store.load(live.id).actions == live.session.table.history

    asyncio.run(story())


def test_a_page_that_hangs_up_while_it_joins_is_not_there(tmp_path):
    async def story():
        async with tables_in(tmp_path) as tables:
            live, token, _ = await tables.create(Deal(tables.resolver.game("tictactoe"), 3), me_and("random"))
            connection = Connection(None, tables)
            async with live.lock:
                joining = asyncio.create_task(connection.join(live.id, token))
                await asyncio.sleep(0.01)
                joining.cancel()
                await asyncio.sleep(0.01)
            await until(lambda: not live.changes)
            assert not live.clients
            assert not connection.clients

    asyncio.run(story())


def test_a_join_that_fails_leaves_nobody_behind(tmp_path, monkeypatch):
    async def story():
        async with tables_in(tmp_path) as tables:
            live, token, _ = await tables.create(Deal(tables.resolver.game("tictactoe"), 3), me_and("random"))
            connection = Connection(None, tables)
            monkeypatch.setattr(live, "frame_for", lambda viewer: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                await connection.join(live.id, token)
            assert not live.clients
            assert not connection.clients

    asyncio.run(story())


def test_a_table_comes_back_once_whoever_hangs_up_meanwhile(tmp_path, monkeypatch):
    """Otherwise there would be two tables of that name, and moves at one of them would be lost."""

    async def story():
        async with tables_in(tmp_path) as tables:
            live, _, _ = await tables.create(Deal(tables.resolver.game("tictactoe"), 3), me_and("random"))
            tables.forget(live)
            asking = [asyncio.create_task(tables.find(live.id)) for _ in range(2)]
            await asyncio.sleep(0)
            asking[0].cancel()
            await asyncio.sleep(0)
            asking.append(asyncio.create_task(tables.find(live.id)))
            found = [await each for each in asking[1:]]
            assert found[0] is found[1] is tables.live_tables[live.id]
            assert not tables.coming
            with pytest.raises(UserError, match="there is no table"):
                await tables.find("nosuchtable")
            assert not tables.coming

    asyncio.run(story())


def test_people_who_leave_while_others_are_told(tmp_path):
    """Whoever is told something may thereby be shown out: the others are told all the same."""

    async def story():
        async with tables_in(tmp_path) as tables:
            live, token, _ = await tables.create(Deal(tables.resolver.game("kuhn"), 3), [SeatBody(who="me")] * 2)
            client, told = await seated(live, token)

            def leaving():
                watchers = [Client(lambda text: None) for _ in range(3)]
                for watcher, other in itertools.pairwise([*watchers, watchers[0]]):
                    watcher.send_text = lambda text, other=other: live.leave(other)
                live.clients |= set(watchers)

            for tell in (
                live.tell_seats,
                lambda: live.tell_all(outgoing.PongMessage()),
                lambda: live.status_for(live.clients)("waiting"),
            ):
                leaving()
                tell()
            await asyncio.sleep(0.01)
            while not live.session.over:
                leaving()
                await live.play(
                    client, live.session.ply_for(live.session.table.turn), live.session.table.legal_actions()[0]
                )
            assert any('"over":true' in text for text in told)
            assert live.clients == {client}

    asyncio.run(story())


# ---- what time tells


def test_the_time_of_an_answer_does_not_tell_what_was_not_noticed(tmp_path, monkeypatch):
    """An agent whose first attempt the umpire refuses answers as soon as one that is not refused."""
    delay = 0.4
    pauses = []

    class Recording:
        """Asyncio, but that pauses are noted, and over at once."""

        def __getattr__(self, name):
            return getattr(asyncio, name)

        async def sleep(self, seconds):
            pauses.append(seconds)

    monkeypatch.setattr(live_tables, "asyncio", Recording())
    with serving(tmp_path) as site:
        with site.page(site.table("blind_tictactoe", "me random")) as page:
            page.play_on()  # the process in which agents think is there from now on
        waited = {True: [], False: []}
        for seed in range(40):
            made = site.table("blind_tictactoe", "me random", seed=seed, delay=delay)
            live = site.app.state.tables.live_tables[made["table"]]
            with site.page(made) as page:
                frame = page.my_turn()
                while not frame["over"]:
                    mine, steps = frame["ply"], len(live.session.steps)
                    pauses.clear()
                    page.play(frame)
                    frame = page.hear("frame")
                    if frame["over"] or frame["actions"]:  # my own attempt was refused
                        continue
                    frame = page.hear("frame")
                    if frame["over"]:
                        break
                    assert frame["ply"] > mine
                    attempts = len(live.session.steps) - steps - 1  # without my own
                    assert all(0.0 <= pause <= delay for pause in pauses), "from what was noticed last"
                    waited[attempts > 1].append(len(pauses))
            if min(map(len, waited.values())) >= 4:
                break
        assert min(map(len, waited.values())) >= 4
        assert {*waited[True], *waited[False]} == {1}, "one pause, however many attempts"


def test_a_record_of_a_game_that_was_given_up_stays_one(tmp_path):
    """It is over, somebody has lost, and it says why; after a restart too, and it can be downloaded as it came."""
    table = resolver.game("tictactoe").deal(seed=1)
    table.play(4)
    table.give_up(1, "my_bot did not answer")
    record = table.record(["random", "random"]).to_json()
    with serving(tmp_path) as site:
        kept = site.post("/api/records", **record)
        assert kept["over"]
        place = f"/api/tables/{kept['table']}"
        assert site.post(f"{place}/branch", ply=1)["token"]
    with serving(tmp_path) as site, site.page(kept, "") as page:
        frame = page.hear("frame")
        assert (frame["over"], frame["payoffs"]) == (True, [1.0, -1.0])
        assert "could not go on: my_bot did not answer" in frame["reason"]
        again = site.get(f"{place}/record")
        assert (again["given_up"], again["payoffs"]) == (record["given_up"], record["payoffs"])
