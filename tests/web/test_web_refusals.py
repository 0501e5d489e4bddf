"""What makes no sense is refused with a sentence, never with a failure of the server."""

import json
import socket
import time
from pathlib import Path

import pytest

from hiddenhand.cli import main
from hiddenhand.core.errors import UserError
from hiddenhand.core.resolver import game
from web_server import serving

RECORD = {"format": "hiddenhand record", "game": "tictactoe", "version": 1, "options": {}, "seed": 1, "actions": []}
HALF = "\ud800"  # one half of a character that is written in two


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("refusals")
    gallery = folder / "gallery"
    gallery.mkdir()
    (gallery / "itself.png").symlink_to("itself.png")
    (gallery / "seen.svg").write_text("<svg/>")
    with serving(folder / "data", gallery=gallery) as site:
        yield site


def sentence(answer, status=400):
    assert answer.status_code == status, answer.text
    assert "\n" not in answer.json()["error"]
    return answer.json()["error"]


def post(site, path, body):
    """As JSON, in which half a character is a half."""
    return site.ask("POST", path, content=json.dumps(body).encode(), headers={"content-type": "application/json"})


def headed(site, *headers, method=b"POST"):
    """The first line of the answer to a request with these headers."""
    name, port = site.address.split(":")
    ending = [b"Content-Length: 2", b"", b"{}"] if method == b"POST" else [b"", b""]
    with socket.create_connection((name, int(port)), timeout=20) as line:
        line.sendall(b"\r\n".join([method + b" /api/tables HTTP/1.1", *headers, *ending]))
        return line.recv(1000).split(b"\r\n")[0]


@pytest.mark.parametrize(
    "headers",
    [
        [b"Host: ["],
        [b"Host: [::1"],
        [b"Host: ]"],
        [b"Host: \xff"],
        [b"Host: localhost", b"Origin: http://["],
        [b"Host: localhost", b"Origin: http://]/["],
        [b"Host: localhost", b"Origin: \xff"],
    ],
)
def test_headers_without_a_meaning(site, headers):
    assert headed(site, *headers) == b"HTTP/1.1 403 Forbidden"
    upgrade = [
        b"Connection: Upgrade",
        b"Upgrade: websocket",
        b"Sec-WebSocket-Version: 13",
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ]
    assert b" 403" in headed(site, *headers, *upgrade, method=b"GET")


def test_a_request_that_cannot_become_a_socket(site):
    upgrade = [b"Host: localhost", b"Connection: Upgrade", b"Upgrade: websocket"]
    assert b" 400" in headed(site, *upgrade, b"Content-Length: 2", method=b"GET")
    assert b" 400" in headed(site, *upgrade, b"Sec-WebSocket-Version: 7", method=b"GET")
    assert b" 400" in headed(site, *upgrade, b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Key: 7", method=b"GET")


@pytest.mark.parametrize("name", ["name", "game", "games", "self", "text", "given", "seed", "agents", "options"])
def test_options_called_like_something_else(site, name, capsys):
    options = {"options": {name: 1}}
    for path, body in (
        ("/api/tables", {"game": "tictactoe"}),
        ("/api/lab/match", {"game": "tictactoe", "agents": ["random", "random"]}),
        ("/api/records", RECORD),
    ):
        assert f"has no option {name!r}" in sentence(post(site, path, {**body, **options}))
    assert f"has no option {name!r}" in sentence(site.ask("GET", f"/api/games/tictactoe?{name}=1"))
    for command in ("match", "tournament"):
        assert main([command, "tictactoe", "random", "random", "--no-store", "--option", f"{name}=1"]) == 2
        assert f"has no option {name!r}" in capsys.readouterr().err


def test_a_game_whose_options_are_called_like_something_else(tmp_path, bids, capsys):
    """Options travel as a mapping: they cannot be taken for arguments."""
    source = Path(bids).read_text()
    for old, new in (("prize", "seed"), ('("players", "i8"), ', '("players", "i8"), ("games", "i8"), ')):
        source = source.replace(old, new)
    source = source.replace(
        "utility=", 'options={"games": Setting(1), "players": Setting(2, low=2, high=4)}, utility='
    )
    (tmp_path / "files").mkdir()
    file = tmp_path / "files" / "odd.py"
    file.write_text(source)
    order = {"game": "odd.py", "agents": ["low", "high"], "options": {"games": 7}, "games": 4}
    with serving(tmp_path / "data", allow=[tmp_path / "files"]) as site:
        job = site.post("/api/lab/match", **order)["job"]
        told = {"state": "waiting"}
        while told["state"] in ("waiting", "running"):
            time.sleep(0.1)
            told = site.get(f"/api/lab/jobs/{job}")
        assert told["state"] == "done", told
        assert told["result"]["games"] == 4
        assert site.post("/api/tables", game="odd.py", options={"games": 7})["table"]
    assert main(["match", str(file), "low", "high", "--no-store", "-n", "4", "--option", "games=7", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 4


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("(max " * 600 + "1" + ")" * 600, "expected at most 64 levels"),
        ("(max " * 65 + "1" + ")" * 65, "expected at most 64 levels"),
        ("(max 1 1e999)", "a number of at most 1e"),
        ("(max 1 -1e999)", "a number of at most 1e"),
        ("(max ~1e999 1 2)", "a number of at most 1e"),
        ("(max 1 [1e300 1])", "a number of at most 1e"),
    ],
)
def test_trees_beyond_measure(site, text, word):
    assert word in sentence(post(site, "/api/tables", {"game": "tree", "options": {"text": text}}))
    with pytest.raises(UserError, match=word):
        game("tree", text=text)
    assert game("tree", text="(max " * 64 + "1" + ")" * 64)


@pytest.mark.parametrize("value", [1e999, -1e999, float("nan"), 10**400, 2**64, "1e999", "nan", "9" * 3000])
def test_numbers_beyond_measure(site, value):
    text = json.dumps({"game": "hanabi", "options": {"players": value}}).encode()
    sentence(site.ask("POST", "/api/tables", content=text, headers={"content-type": "application/json"}))
    if not isinstance(value, float):
        sentence(site.ask("GET", f"/api/games/hanabi?players={value}"))
        agent = f"alphabeta:depth={value}"
        seats = [{"who": "me"}, {"who": "agent", "agent": agent[:3900]}]
        sentence(post(site, "/api/tables", {"game": "tictactoe", "seats": seats}))
        seats[1]["agent"] = f"alphabeta:time={value}"[:3900]
        sentence(post(site, "/api/tables", {"game": "tictactoe", "seats": seats}))


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/tables", {"game": HALF}),
        ("/api/tables", {"game": "tictactoe", HALF: 1}),
        ("/api/tables", {"game": "tictactoe", "options": {HALF: 1}}),
        ("/api/tables", {"game": "hanabi", "options": {"rules": HALF}}),
        ("/api/tables", {"game": "hanabi", "options": {"players": HALF}}),
        ("/api/tables", {"game": "tree", "options": {"text": HALF}}),
        ("/api/tables", {"game": "dominion", "options": {"kingdom": f"Chapel{HALF}"}}),
        ("/api/tables", {"game": "tictactoe", "seats": [{"who": "me", "name": HALF}, {"who": "me"}]}),
        ("/api/tables", {"game": "tictactoe", "seats": [{"who": "me"}, {"who": "agent", "agent": HALF}]}),
        ("/api/tables", {"game": "dominion", "seats": [{"who": "me"}, {"who": "agent", "agent": f"menu:{HALF}"}]}),
        ("/api/lab/match", {"game": "tictactoe", "agents": ["random", HALF]}),
        ("/api/lab/match", {"game": "hanabi", "agents": ["random", "random"], "options": {"rules": HALF}}),
        ("/api/records", {**RECORD, "game": HALF}),
        ("/api/records", {**RECORD, "options": {"a": HALF}}),
        ("/api/records", {**RECORD, "agents": [HALF, "random"]}),
        ("/api/records", {"format": HALF}),
    ],
)
def test_half_characters(site, path, body):
    sentence(post(site, path, body))


def test_half_characters_over_a_socket(site):
    made = site.table("tictactoe", "me random")
    with site.page(made) as page:
        page.my_turn()
        for kind, fields in {
            "name": {"name": HALF},
            "advice": {"agent": f"random{HALF}"},
            "why": {"ply": 0, "agent": f"alphabeta:{HALF}=1"},
            "tree": {"ply": 0, "agent": HALF},
            "join": {"token": HALF * 10},
        }.items():
            page.say(kind, **fields)
            assert "\n" not in page.hear("error")["text"]
        page.say("ping")
        page.hear("error")
        page.wire.send('{"type": "ping"}')
        assert page.hear("pong")


def test_a_reply_with_half_a_character_is_sent_all_the_same(site, monkeypatch):
    """Whatever a game, an agent or an error says."""
    made = site.table("tictactoe", "me me")
    live = site.app.state.tables.live_tables[made["table"]]
    with site.page(made) as page:
        frame = page.my_turn()
        monkeypatch.setattr(live.session, "log", lambda *ears: (_ for _ in ()).throw(UserError(f"half {HALF}")))
        page.play(frame)
        assert page.hear("error")["text"] == "half ?"


@pytest.mark.parametrize(
    "name", ["itself.png", "x" * 300 + ".png", "x" * 5000 + ".png", "a/" * 3000 + "b.png", "%00.png", "../x.png"]
)
def test_names_that_are_not_in_the_gallery(site, name):
    sentence(site.ask("GET", f"/api/lab/gallery/{name}"), 404)
    assert [shown["name"] for shown in site.get("/api/lab/gallery")] == ["seen.svg"]
    assert site.ask("GET", "/api/lab/gallery/seen.svg").status_code == 200
