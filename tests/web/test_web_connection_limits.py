"""Lines that ask for nothing: they shut nobody out."""

import inspect
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress

import pytest
from websockets.exceptions import ConnectionClosed

from hiddenhand.web.security import connection_limits
from hiddenhand.web.security.connection_limits import ConnectionCounter
from hiddenhand.web.security.limits import KEPT_FREE, Limits, Rate
from web_server import Site, serving

FEW_FILES = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
from hiddenhand.cli import main
main(["serve", "--no-browser", "--port", "0", "--data", sys.argv[1]])
"""


@contextmanager
def lines_to(site, count, said=b"", addresses=("127.0.0.1",)):
    """So many open lines that have said no more than this, from these addresses in turn."""
    name, port = site.address.split(":")
    sources = [(addresses[i % len(addresses)], 0) for i in range(count)]
    lines = [socket.create_connection((name, int(port)), 60, source) for source in sources]
    try:
        for line in lines:
            if said:
                say(line, said)
        yield lines
    finally:
        for line in lines:
            line.close()


def say(line, said):
    with suppress(OSError):  # shown out already
        line.sendall(said)


def closed(line):
    """Whether the other side hangs up, after whatever it still has to say, before the time is over."""
    with suppress(ConnectionError):
        while line.recv(1000):
            pass
    return True


@pytest.mark.parametrize("ours", [connection_limits.HttpConnection, connection_limits.WebSocketConnection])
def test_what_is_extended_of_uvicorn_is_still_there(ours):
    """Where this fails, uvicorn has changed: mend the class, then raise the bound in pyproject.toml."""
    theirs = ours.__bases__[0]
    extended = {name for name, value in vars(ours).items() if callable(value) and not name.startswith("__")}
    own = {"watch", "give_up_place", "counted"}
    assert {name for name in extended - own if not hasattr(theirs, name)} == set()
    written = inspect.getsource(theirs)
    used = {"HttpConnection": ("transport", "client", "cycle", "loop"), "WebSocketConnection": ("transport", "loop")}
    assert [name for name in used[ours.__name__] if f"self.{name}" not in written] == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a machine has one address, or counts no files")
@pytest.mark.parametrize("addresses", [1, 9])
def test_three_hundred_idle_lines_where_256_files_are_allowed(tmp_path, addresses):
    errors = tmp_path / "errors"
    command = [sys.executable, "-c", FEW_FILES, str(tmp_path / "data")]
    with errors.open("w") as said:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True)
    try:
        line = process.stdout.readline()
        assert line.startswith("hiddenhand is at http://127.0.0.1:"), line
        site = Site(line.split(":")[2].split("/")[0])
        site.table("tictactoe", "me me")
        with lines_to(site, 300, addresses=[f"127.0.0.{2 + i}" for i in range(addresses)]) as lines:
            if addresses == 1:  # the others still come in
                assert site.get("/api/games")
            for line in lines:
                assert closed(line)
            site.get("/api/games")
            made = site.table("tictactoe", "me me")
            with site.page(made) as page:
                page.play(page.my_turn())
                assert page.my_turn()["ply"] == 1
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    assert errors.read_text() == ""


@pytest.mark.parametrize("said", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
def test_a_line_without_a_request_is_closed(tmp_path, monkeypatch, said):
    monkeypatch.setattr(connection_limits, "FIRST_WORD", 0.5)
    with serving(tmp_path) as site, lines_to(site, 3, said) as lines:
        at = time.monotonic()
        assert all(closed(line) for line in lines)
        assert time.monotonic() - at > 0.3, "not before its time"


def test_words_that_drip_keep_no_line_open(tmp_path, monkeypatch):
    """Not at the start, and not after a request that was answered."""
    monkeypatch.setattr(connection_limits, "FIRST_WORD", 0.5)
    whole = b"GET /api/lab/jobs HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with serving(tmp_path) as site, lines_to(site, 1) as (fresh,), lines_to(site, 1, whole) as (answered,):
        assert answered.recv(10_000).startswith(b"HTTP/1.1 200")
        for line in (fresh, answered):
            dripping = threading.Thread(target=drip, args=(line,), daemon=True)
            dripping.start()
            assert closed(line)
            dripping.join()


def drip(line):
    for letter in b"GET / HTTP/1.1\r\nX-Slow: " + b"x" * 400:
        try:
            line.sendall(bytes([letter]))
        except OSError:
            return
        time.sleep(0.05)


def test_sockets_and_long_answers_are_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(connection_limits, "FIRST_WORD", 0.3)
    with serving(tmp_path) as site:
        made = site.table("tictactoe", "me me")
        with site.page(made) as page:
            frame = page.my_turn()
            time.sleep(1)
            page.play(frame)
            assert page.my_turn()["ply"] == 1


def frame(kind, content=b"", last=True):
    """A frame as a page sends it, masked with zeros."""
    return bytes([kind | 0x80 * last, 0x80 | len(content)]) + b"\0\0\0\0" + content


TEXT, PART, PING, PONG = 1, 0, 9, 10


@pytest.mark.parametrize(
    "sent", [frame(PING), frame(PONG, b"x"), frame(PART, last=False)], ids=["ping", "pong", "part"]
)
def test_frames_that_are_no_messages_are_counted(tmp_path, sent):
    """They are answered below our reading of messages, so they have to be counted there."""
    few = Limits(messages=Rate(0.001, 20), frames=Rate(0.001, 20))
    with serving(tmp_path, few) as site, site.page() as page, site.page() as other:
        line = page.wire.socket
        line.sendall(frame(TEXT, b"", last=False) + sent * 20)
        other.wire.send('{"type": "ping"}')
        assert other.hear("pong")
        assert page.wire.close_code is None
        with suppress(OSError):  # cut off in the middle
            line.sendall(sent * 40)
        with pytest.raises(ConnectionClosed):
            page.wire.recv(timeout=60)
        other.wire.send('{"type": "ping"}')
        assert other.hear("pong")


def test_bytes_of_a_socket_are_counted(tmp_path):
    long = "x" * 60_000
    few = Limits(received=Rate(0.001, 200_000))
    with serving(tmp_path, few) as site, site.page() as page:
        for _ in range(3):
            page.wire.send(long)
            assert "cannot be read" in page.hear("error")["text"]
        with pytest.raises(ConnectionClosed):
            send_and_hear(page, long)


def send_and_hear(page, text):
    while True:
        page.wire.send(text)
        page.wire.recv(timeout=60)


def test_no_address_takes_all_places(tmp_path):
    standing = ConnectionCounter(Limits(connections_per_address=2))
    assert [standing.enter("a", 10) for _ in range(3)] == [True, True, False]
    assert standing.enter("b", 10)
    assert not standing.enter("c", standing.first_refused_file)
    for address in "aab":
        standing.leave(address)
    assert standing.open == {}
    narrow = Limits().within(1024)
    assert narrow.sockets_per_address + narrow.connections_per_address < 1024 - KEPT_FREE
    assert Limits().within(10**6) == Limits()
    with serving(tmp_path, Limits(connections_per_address=3)) as site, lines_to(site, 4) as lines:
        lines[3].settimeout(2)
        assert closed(lines[3])
