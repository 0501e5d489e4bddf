"""Hostile messages: whatever is sent to the server, it answers with one line, and goes on for everybody else.

    python benchmarks/attack/messages.py --messages 20000 --seed 1

Two thirds go over sockets, one third are HTTP requests: ours with fields spoilt, left out, exchanged or added, and
such as no page would ever send. Now and then an ordinary person makes a move, who must not notice anything. Told are
answers of 500 and more, sockets' "could not", tracebacks of the server, and moves of the ordinary person that took
longer than 2 seconds. The status of this program is 1 if there were any.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from server import Server, new_table, sitting
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

PATIENCE = 2.0
SPOILT: list[Any] = [
    None, True, False, 0, -1, 1, 2, 7, 63, 64, 10**6, 10**18, 2**53, 2**62, 2**63, 2**64, 10**30, 1.5, 1e308, -0.0,
    "", " ", "a", "random", "uct:simulations=1000000000000000", "alphabeta:table=40", "planner:knowledge=/etc/passwd",
    "x" * 5000, "\ud800", "\x00", "\u202e", "<script>", "../../etc/passwd", "/dev/zero", "name", "nan", [], [[]], {},
    [1] * 500, {"a": {"b": {}}}, "tree", "tictactoe", "hanabi", "1e999", "٣",
]  # fmt: skip
KINDS = ["join", "play", "look", "advice", "why", "tree", "undo", "name", "leave", "ping", "nonsense", "", None, 3]
GAMES = ["tictactoe", "kuhn", "leduc", "hanabi", "blind_tictactoe", "tree", "dorban", "snaps", "nothing"]
PATHS = [
    "/", "/api/games", "/api/games/hanabi", "/api/games/tree", "/api/tables/", "/api/lab/jobs", "/api/lab/gallery",
    "/api/lab/gallery/" + "a" * 4000, "/api/lab/gallery/..%2f..%2fetc/passwd", "/api/games/%00", "/api/games/%ff",
    "/static/../../x", "/t/" + "x" * 100, "//", "/ws", "/api/tables/abcd/record?form=" + "f" * 1000, "/%ed%a0%80",
]  # fmt: skip
HEADERS = [
    {"Host": "["}, {"Host": ""}, {"Host": "a" * 3000}, {"Origin": "http://["}, {"Origin": "null"},
    {"Origin": "http://example.org"}, {"Content-Type": "text/plain"}, {"Content-Length": "5"}, {"Range": "bytes=9-1"},
    {"Accept-Encoding": "gzip, " * 200}, {"If-None-Match": "\x7f"}, {"Transfer-Encoding": "chunked"},
]  # fmt: skip


class Attack:
    """The attacker, and what went wrong at the server."""

    def __init__(self, server: Server, seed: int) -> None:
        self.server = server
        self.draw = random.Random(seed)
        self.tables: list[dict[str, Any]] = []
        self.faults: list[str] = []
        self.answers: Counter[str] = Counter()

    def fault(self, text: str) -> None:
        self.faults.append(text)
        print(text[:700], flush=True)

    # ---- what is sent

    def message(self) -> str:
        """Something for a socket."""
        draw = self.draw
        if draw.random() < 0.05:
            return draw.choice(["", "{", "[" * 3000, "null", '{"type":', "\x00", '{"a":' * 800, "9" * 400])
        made = draw.choice(self.tables)
        message: dict[str, Any] = {
            "type": draw.choice(KINDS),
            "table": made["table"],
            "ply": draw.randrange(12),
            "action": draw.randrange(12),
        }
        wanted = {"join": ["table"], "play": ["table", "ply", "action"], "look": ["table", "ply"], "ping": []}
        fields = wanted.get(str(message["type"]), ["table", *draw.sample(["ply", "action"], draw.randrange(2))])
        message = {"type": message["type"], **{name: message[name] for name in fields}}
        if message["type"] == "join" and draw.random() < 0.7:
            message["token"] = made["token"]
        if message["type"] in ("advice", "why", "tree") and draw.random() < 0.5:
            message["agent"] = draw.choice(["random", "alphabeta:depth=1", draw.choice(SPOILT)])
        return json.dumps(self.spoilt(message))

    def spoilt(self, body: dict[str, Any]) -> dict[str, Any]:
        draw, body = self.draw, dict(body)
        while draw.random() < 0.45 and body:
            name = draw.choice(list(body))
            change = draw.randrange(4)
            if change == 0:
                del body[name]
            elif change == 1:
                body[str(draw.choice(SPOILT))] = draw.choice(SPOILT)
            else:
                body[name] = draw.choice(SPOILT)
        return body

    def request(self) -> tuple[str, str, Any, dict[str, str]]:
        """Something over HTTP: method, path, body, headers."""
        draw, table = self.draw, self.draw.choice(self.tables)["table"]
        headers = dict(draw.choice(HEADERS)) if draw.random() < 0.1 else {}
        kind = draw.randrange(6)
        if kind == 0:
            return draw.choice(["GET", "POST", "PUT", "DELETE", "HEAD", "X"]), draw.choice(PATHS), None, headers
        if kind == 1:
            seats = [{"who": draw.choice(["me", "open", "agent"])} for _ in range(draw.randrange(4))]
            options = {str(draw.choice(["players", "steps", "name", "game", "text", "file", *SPOILT])): self.plain()}
            order = {"game": draw.choice(GAMES), "seats": seats, "options": options, "delay": 0, "seed": 3}
            return "POST", "/api/tables", self.spoilt(order), headers
        if kind == 2:
            record = {
                "format": "hiddenhand record",
                "game": draw.choice(GAMES),
                "version": 1,
                "options": {},
                "seed": 1,
            }
            more = {"actions": [draw.randrange(9)], "opening": 0, "agents": ["random"], "payoffs": None}
            return "POST", "/api/records", self.spoilt({**record, **more}), headers
        if kind == 3:
            return "POST", f"/api/tables/{table}/branch", self.spoilt({"ply": 0, "delay": 0}), headers
        if kind == 4:
            return (
                "GET",
                f"/api/games/{draw.choice(GAMES)}?{draw.choice(['players', 'name', 'self'])}=2",
                None,
                headers,
            )
        return "POST", f"/api/tables/{table}/next", self.spoilt({"token": "a" * 24}), headers

    def plain(self) -> Any:
        """A value that JSON has for an option, sense or nonsense; a tree that is nested too deeply among them."""
        return self.draw.choice([*SPOILT, "(" * 600 + "1" + ")" * 600, "A(1, 1e999)"])

    # ---- sending it

    async def over_sockets(self, count: int) -> None:
        sent = 0
        while sent < count and self.server.alive:
            with suppress(ConnectionClosed, OSError, TimeoutError):
                async with connect(f"ws://{self.server.address}/ws", proxy=None, max_size=2**22) as wire:
                    listener = asyncio.create_task(self.listen(wire))
                    for _ in range(self.draw.randrange(1, 90)):
                        sent += 1
                        await wire.send(self.message() if self.draw.random() < 0.98 else self.draw.randbytes(30))
                        await asyncio.sleep(0.01)
                    listener.cancel()

    async def listen(self, wire: Any) -> None:
        with suppress(ConnectionClosed):
            async for text in wire:
                message = json.loads(text)
                self.answers[message["type"]] += 1
                if message["type"] == "error" and "could not" in message["text"]:
                    self.fault(f"socket: {message['text']}")

    async def over_http(self, client: httpx.AsyncClient, count: int) -> None:
        for _ in range(count):
            method, path, body, headers = self.request()
            content = None if body is None else json.dumps(body).encode()
            kind = {"Content-Type": "application/json"} if content else {}
            try:
                answer = await client.request(
                    method, f"http://{self.server.address}{path}", content=content, headers={**kind, **headers}
                )
            except Exception:  # what the client itself refuses to send
                self.answers["not even sent"] += 1
                continue
            self.answers[str(answer.status_code)] += 1
            if answer.status_code >= 500:
                self.fault(f"{answer.status_code}: {method} {path[:200]} {str(body)[:300]} {headers}")
            await asyncio.sleep(0.02)

    async def ordinary_person(self, client: httpx.AsyncClient, stop: asyncio.Event, times: list[float]) -> None:
        """Plays tic-tac-toe, as if nothing were the matter."""
        while not stop.is_set():
            made = await new_table(client, self.server, "tictactoe", "me", "random")
            async with sitting(self.server, made) as person:
                frame = await person.my_turn()
                while not frame["over"] and not stop.is_set():
                    started = time.monotonic()
                    await person.play(frame, frame["actions"][0]["action"])
                    frame = await asyncio.wait_for(person.my_turn(), 60)
                    times.append(time.monotonic() - started)
                    if times[-1] > PATIENCE:
                        self.fault(f"an ordinary move took {times[-1]:.1f} s")
                    await asyncio.sleep(0.3)


async def attack(chosen: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        server = Server(Path(folder))
        try:
            attack = Attack(server, chosen.seed)
            async with httpx.AsyncClient(timeout=60) as client:
                for game in ("tictactoe", "kuhn", "blind_tictactoe", "leduc", "tree"):
                    attack.tables.append(await new_table(client, server, game, "me", "random"))
                stop, times = asyncio.Event(), list[float]()
                person = asyncio.create_task(attack.ordinary_person(client, stop, times))
                started = time.monotonic()
                await asyncio.gather(
                    *(attack.over_sockets(chosen.messages // 6) for _ in range(4)),
                    attack.over_http(client, chosen.messages // 3),
                )
                stop.set()
                await person
            if server.tracebacks():
                attack.fault(server.said.read_text(errors="replace")[-3000:])
            seconds, slowest = time.monotonic() - started, max(times, default=0.0)
            print(f"{chosen.messages} messages in {seconds:.0f} s; answers {dict(attack.answers.most_common())}")
            print(f"{len(times)} ordinary moves, the slowest {1000 * slowest:.0f} ms; {server.memory():.0f} MB")
            print(f"{len(attack.faults)} failed")
            return bool(attack.faults) or not server.alive
        finally:
            server.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description="Send the server hostile messages.")
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    return asyncio.run(attack(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
