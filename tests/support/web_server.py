"""A server on a free port, and a page that talks to it: what the tests of the web share."""

import json
import threading
import time
from contextlib import contextmanager, suppress

import httpx
from websockets.sync.client import connect

from hiddenhand.web.app import create_app
from hiddenhand.web.security.limits import Limits, Rate
from hiddenhand.web.serving import listen, server_for

FREE = Rate(1e6, 1e6)
GENEROUS = Limits(messages=FREE, requests=FREE, creations=FREE, decision=6000, question=6000, reading=600)
"""Here rules are compiled when they are first called, which counts as thinking."""


@contextmanager
def serving(folder, limits=GENEROUS, **details):
    """The server in a thread of this process; gives a Site."""
    app = create_app(folder, limits=limits, **details)
    listener = listen("127.0.0.1", [0])
    server = server_for(app, limits)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield Site(listener.getsockname()[1], app)
    finally:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


class Site:
    """What a browser knows of the server."""

    def __init__(self, port, app=None, home="127.0.0.1"):
        self.port = port
        self.address = f"127.0.0.1:{port}"
        self.app = app
        self.home = home

    def from_address(self, home):
        """The same server, as seen from another address of this machine."""
        return Site(self.port, self.app, home)

    def ask(self, method, path, **details):
        with httpx.Client(transport=httpx.HTTPTransport(local_address=self.home), timeout=300) as client:
            return client.request(method, f"http://{self.address}{path}", **details)

    def get(self, path):
        answer = self.ask("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path, **body):
        answer = self.ask("POST", path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refused(self, path, status=400, **body):
        """The one line with which a request is refused."""
        answer = self.ask("POST", path, json=body)
        assert answer.status_code == status, answer.text
        assert "\n" not in answer.json()["error"]
        return answer.json()["error"]

    def table(self, game, seats="", **more):
        """A new table; seats as text, such as `me random open`."""
        words = [word if word in ("me", "open") else ("agent", word) for word in seats.split()]
        orders = [{"who": word} if isinstance(word, str) else {"who": word[0], "agent": word[1]} for word in words]
        return self.post("/api/tables", game=game, **({"seats": orders} if orders else {}), **more)

    @contextmanager
    def page(self, made=None, token=None, **details):
        """A page, at a table if one is given."""
        details.setdefault("origin", f"http://{self.address}")
        details.setdefault("source_address", (self.home, 0))
        with connect(f"ws://{self.address}/ws", max_size=2**22, proxy=None, **details) as wire:
            page = Page(wire, made["table"] if made else None)
            if made:
                page.join(token if token is not None else made["token"])
            yield page


class Page:
    """One socket; remembers everything that it was sent."""

    def __init__(self, wire, table=None):
        self.wire = wire
        self.table = table
        self.sent = []

    def join(self, token=None):
        self.say("join", **({"token": token} if token else {}))

    def say(self, kind, **fields):
        self.wire.send(json.dumps({"type": kind, "table": self.table, **fields}))

    def hear(self, *kinds, seconds=600):
        """The next message of one of these kinds."""
        end = time.monotonic() + seconds
        while True:
            message = json.loads(self.wire.recv(timeout=max(0.01, end - time.monotonic())))
            self.sent.append(message)
            if message["type"] in kinds:
                return message
            assert message["type"] != "error" or "nothing" in kinds, message

    def read_all(self):
        """Everything that has arrived; a page that reads nothing for long is let go."""
        with suppress(TimeoutError):
            while True:
                self.sent.append(json.loads(self.wire.recv(timeout=0)))

    def my_turn(self):
        """The next frame in which this page may move, or the last one."""
        while True:
            frame = self.hear("frame")
            if frame["actions"] or frame["over"]:
                return frame

    def play(self, frame, action=None):
        chosen = frame["actions"][0]["action"] if action is None else action
        self.say("play", ply=frame["ply"], action=chosen)

    def play_on(self, choose=lambda actions: actions[0]["action"]):
        """To the end; the last frame."""
        frame = self.my_turn()
        while not frame["over"]:
            self.play(frame, choose(frame["actions"]))
            frame = self.my_turn()
        return frame
