"""Hostile input: refused with one clear line, nothing executed, nothing lost, and the server lives."""

import socket
import time
import unicodedata
from contextlib import suppress

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from hiddenhand.core import resolver
from hiddenhand.web.security.limits import Limits, Rate
from web_server import serving


@pytest.fixture
def site(tmp_path):
    with serving(tmp_path, Limits()) as site:
        yield site


MALFORMED = [
    "",
    "{",
    "[]",
    "null",
    "7",
    '"join"',
    "{}",
    '{"type": "dance"}',
    '{"type": ["join"]}',
    '{"type": "join"}',
    '{"type": "join", "table": 7}',
    '{"type": "join", "table": "../../etc"}',
    '{"type": "join", "table": "abcdef", "token": {"$ne": 1}}',
    '{"type": "play", "table": "abcdef", "ply": "0", "action": 1}',
    '{"type": "play", "table": "abcdef", "ply": 0, "action": 1e999}',
    '{"type": "play", "table": "abcdef", "ply": -1, "action": 1}',
    '{"type": "play", "table": "abcdef", "ply": 0, "action": true}',
    '{"type": "play", "table": "abcdef", "ply": 0, "action": 99999999999999999999999}',
    '{"type": "ping", "more": 1}',
    '{"type": "look", "table": "abcdef", "ply": 0, "seat": -1}',
    "[" * 30000,
    '{"type": "ping", "a": ' + "[" * 20000 + "]" * 20000 + "}",
    "\x00\x01",
    '{"type": "name", "table": "abcdef", "name": NaN}',
]


def alive(site):
    made = site.table("tictactoe", "me random")
    with site.page(made) as page:
        page.play(page.my_turn())
        return page.my_turn()["ply"] == 2


def test_malformed_frames(site):
    with site.page() as page:
        for text in MALFORMED:
            page.wire.send(text)
            answer = page.hear("error")
            assert "\n" not in answer["text"]
            assert len(answer["text"]) < 400
        page.wire.send(b"\x00\xff")
        assert "JSON" in page.hear("error")["text"]
        page.wire.send('{"type": "ping"}')
        assert page.hear("pong")
    assert alive(site)


def test_moves_that_are_not_ones_own(site):
    made = site.table("tictactoe", "me open")
    with site.page(made) as mine, site.page(made, made["invite"][0]["token"]) as other, site.page() as stranger:
        frame = mine.my_turn()
        other.hear("frame")
        other.say("play", ply=0, action=0)
        assert "not your turn; Player 1" in other.hear("error")["text"]
        stranger.table = made["table"]
        stranger.say("play", ply=0, action=0)
        assert "join table" in stranger.hear("error")["text"]
        stranger.join("not-a-token-of-this-table")
        assert "opens no seat" in stranger.hear("error")["text"]
        stranger.join()
        stranger.hear("frame")
        stranger.say("play", ply=0, action=0)
        assert "only watch" in stranger.hear("error")["text"]
        stranger.say("name", name="Mallory")
        assert "only watch" in stranger.hear("error")["text"]
        stranger.say("undo")
        assert "nothing to take back" in stranger.hear("error")["text"]
        mine.say("play", ply=0, action=77)
        assert "is not legal here" in mine.hear("error")["text"]
        mine.say("play", ply=3, action=0)
        assert "too late" in mine.hear("error")["text"]
        mine.play(frame, 4)
        assert mine.hear("frame")["ply"] == 1
        mine.say("play", ply=0, action=4)
        assert "not your turn" in mine.hear("error")["text"]
    assert site.get(f"/api/tables/{made['table']}")["plies"] == 1


def test_script_in_a_name(site):
    made = site.table("tictactoe", "me random")
    with site.page(made) as page:
        page.my_turn()
        for name in ("<script>alert(1)</script>", "a" * 33, "", " ", "a\u202eb", 'x" onload="', "a\x00b", "&lt;"):
            page.say("name", name=name)
            assert "a name has 1 to 32" in page.hear("error")["text"]
        for name in ("\u3164", "\u115f\u3164", "\u2800", "\u0301\u0302", "!?"):
            page.say("name", name=name)
            assert page.hear("error")["text"] == "a name has at least one letter or digit that can be seen"
        page.say("name", name="a" + "\u0336\u0321\u033c\u0317" * 7)
        assert "at most 2 marks" in page.hear("error")["text"]
        for name in ("7", "Nguye\u0302\u0303n", "हिन्दी", "ผู้เล่น", "한글"):
            page.say("name", name=name)
            assert page.hear("seats")["seats"][0]["name"] == unicodedata.normalize("NFC", name)
        page.say("name", name="Zoë  O'Hara-Čech")
        assert page.hear("seats")["seats"][0]["name"] == "Zoë O'Hara-Čech"
    seats = [{"who": "me", "name": "<b>"}, {"who": "agent", "agent": "random"}]
    assert "a name has 1 to 32" in site.refused("/api/tables", game="tictactoe", seats=seats)
    record = {"format": "hiddenhand record", "game": "tictactoe", "version": 1, "options": {}, "seed": 1}
    kept = site.post("/api/records", **record, actions=[0], agents=["<script>", "random"])
    assert [seat["name"] for seat in site.get(f"/api/tables/{kept['table']}")["seats"]] == ["Player 1", "Beginner"]


def test_ten_megabytes(site):
    with site.page() as page:
        page.wire.send("x" * 66_000)
        with pytest.raises(ConnectionClosed):
            page.hear("pong")
        assert page.wire.protocol.close_rcvd.code == 1009  # too big
    with site.page() as page:
        with suppress(ConnectionClosed):  # the server hangs up while this is being said
            page.wire.send("x" * 10_000_000)
        with pytest.raises(ConnectionClosed):
            page.hear("pong")
    answer = site.ask("POST", "/api/tables", content=b"x" * 10_000_000)
    assert answer.status_code == 413
    assert "bytes are read" in answer.json()["error"]

    def endless():
        for _ in range(200):
            yield b"x" * 50_000

    with suppress(httpx.TransportError):  # the server may hang up before all has been said
        assert site.ask("POST", "/api/tables", content=endless()).status_code == 413
    assert alive(site)


def test_a_thousand_creations_a_second(tmp_path):
    with serving(tmp_path, Limits(requests=Rate(1e6, 1e6), creations=Rate(0.01, 10))) as site:
        body = {"game": "tictactoe"}
        site.table("tictactoe")
        statuses = []
        with httpx.Client() as client:
            for _ in range(1000):
                statuses.append(client.post(f"http://{site.address}/api/tables", json=body).status_code)
        assert statuses.count(200) == 9
        assert statuses.count(429) == 991
        assert site.get("/api/games")
        assert len(site.app.state.tables.live_tables) == 10


def test_too_many_requests_and_messages(tmp_path):
    few = Limits(requests=Rate(0.01, 5), messages=Rate(0.01, 5))
    with serving(tmp_path, few) as site, site.page() as page:
        statuses = [site.ask("GET", "/").status_code for _ in range(7)]
        assert statuses == [200] * 4 + [429] * 3
        with pytest.raises(InvalidStatus), site.page():  # nor can one come back as often as one likes
            pass
        for _ in range(26):
            page.wire.send('{"type": "ping"}')
        with pytest.raises(ConnectionClosed):
            page.hear("nothing", "seats")
        assert [message["type"] for message in page.sent].count("pong") == 5


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Host": "evil.example", "Origin": "http://evil.example"},
    ],
)
def test_pages_of_other_sites(site, headers):
    answer = site.ask("POST", "/api/tables", json={"game": "tictactoe"}, headers=headers)
    assert answer.status_code == 403
    if "Host" not in headers:
        with pytest.raises(InvalidStatus), site.page(origin=headers["Origin"]):
            pass
    else:
        assert site.ask("GET", "/api/games", headers=headers).status_code == 403
    with site.page(origin=None) as page:  # a program, not a page
        page.wire.send('{"type": "ping"}')
        assert page.hear("pong")


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ({}, "game"),
        ({"game": 7}, "game"),
        ({"game": "../kuhn"}, "game"),
        ({"game": "tictactoe", "seed": -1}, "seed"),
        ({"game": "tictactoe", "seed": 2**64}, "seed"),
        ({"game": "tictactoe", "more": 1}, "more"),
        ({"game": "tictactoe", "options": {"players": 9}}, "option"),
        ({"game": "hanabi", "options": {"players": [1]}}, "options"),
        ({"game": "tictactoe", "seats": [{"who": "me"}]}, "seats"),
        ({"game": "tictactoe", "seats": [{"who": "root"}, {"who": "me"}]}, "who"),
        ({"game": "tictactoe", "seats": [{"who": "me"}, {"who": "agent", "agent": "nobody"}]}, "unknown agent"),
        ({"game": "tictactoe", "seats": [{"who": "me"}, {"who": "agent", "agent": "alphabeta:depth=-1"}]}, "depth"),
    ],
)
def test_orders_that_make_no_sense(site, body, word):
    assert word in site.refused("/api/tables", **body)


def test_records_that_lie(site):
    record = {"format": "hiddenhand record", "game": "hanabi", "version": 1, "options": {}, "seed": 1, "actions": []}
    assert "files are not opened" in site.refused("/api/records", **{**record, "game": "/tmp/evil.py"})
    assert "'seed' must be a seed" in site.refused("/api/records", **{**record, "seed": -5})
    assert "at most" in site.refused("/api/records", **{**record, "actions": [0] * 20_000})
    assert "50 cards" in site.refused("/api/records", **{**record, "dealt": [99] * 50})
    assert "list of cards" in site.refused("/api/records", **{**record, "dealt": "x"})
    assert "from a list of cards" in site.refused("/api/records", **{**record, "game": "tictactoe", "dealt": [1]})
    assert "breaks the rules" in site.refused("/api/records", **{**record, "actions": [2**62]})
    assert "'actions' must be" in site.refused("/api/records", **{**record, "actions": [2**80]})
    assert "'opening' must be" in site.refused("/api/records", **{**record, "opening": 10**30})
    assert "version" in site.refused("/api/records", **{**record, "version": 99})


def test_half_a_request(site):
    """A line that is never finished keeps nobody else waiting."""
    name, port = site.address.split(":")
    lazy = [socket.create_connection((name, int(port))) for _ in range(20)]
    for line in lazy:
        line.sendall(b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
    assert alive(site)
    for line in lazy:
        line.close()


def test_a_reader_that_does_not_read_is_let_go(tmp_path):
    with serving(tmp_path, Limits(messages=Rate(1e6, 1e6), outbox=50)) as site:
        made = site.table("hanabi", "me trustful")
        live = site.app.state.tables.live_tables[made["table"]]
        with site.page(made) as page:
            page.hear("frame")
            deadline = time.monotonic() + 600
            while live.clients and time.monotonic() < deadline:
                ask_again_and_again(page, made)
            assert not live.clients
            with pytest.raises((ConnectionClosed, OSError)):  # its line is cut, though what was sent is never read
                join_until(page, made, deadline)
        assert alive(site)


def join_until(page, made, deadline):
    while time.monotonic() < deadline:
        page.join(made["token"])


def ask_again_and_again(page, made):
    with suppress(ConnectionClosed, OSError):
        for _ in range(100):
            page.join(made["token"])


def test_nobody_chooses_the_cards_of_others(site):
    seats = [{"who": "me"}, {"who": "open"}]
    assert "whoever chooses the seed" in site.refused("/api/tables", game="kuhn", seats=seats, seed=1)
    assert site.table("kuhn", "me random", seed=1)
    assert site.table("tictactoe", "me open", seed=1)  # where there is nothing to be known


def test_who_invites_a_friend_cannot_choose_the_deal(site):
    """Neither by a seed nor by a record that one has written or knows: all of it would be known to one of the two."""
    seats = [{"who": "me"}, {"who": "open"}]
    for name in ("kuhn", "backgammon", "battleship"):
        kept = site.post("/api/records", **unplayed(name))
        told = site.refused(f"/api/tables/{kept['table']}/branch", ply=0, seats=seats)
        assert "not at a table with other people" in told
        assert site.post(f"/api/tables/{kept['table']}/branch", ply=0)["token"]  # against agents it is as good as any
    kept = site.post("/api/records", **unplayed("connect_four"))
    assert site.post(f"/api/tables/{kept['table']}/branch", ply=0, seats=seats)["invite"]


def unplayed(name):
    """The record of a game in which nobody has moved, dealt as somebody liked."""
    fields = {"format": "hiddenhand record", "version": resolver.definition(name).version, "options": {}}
    return {**fields, "game": name, "seed": 5, "actions": []}
