"""What strangers must not get: other people's time, the deal, names that deceive, and what lies where.

    python benchmarks/attack/strangers.py --seconds 10

A server of its own is started as `hiddenhand serve` starts it, over a folder that is removed afterwards. Pings and
questions for beliefs come in floods from one address, while somebody at another address asks for a small file, makes
moves and looks at them: told is how long the slowest of that took, alone and beside each flood. Then a friend is
invited to a deal that one of the two knows, names are given that cannot be seen, a file is named that is no network,
an experiment of somebody else is stopped, and the modes of the server's files are read.

The status of this program is 1 if anything was not refused, or if somebody had to wait longer than 300 ms, which is
meant for a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import stat
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from server import Server, Somebody, new_table, sitting
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

MOST = 0.3
"""Seconds that others may have to wait at most."""
ATTACKER, OTHER = "127.0.0.2", "127.0.0.3"
PING = b"\x89\x80\0\0\0\0"
"""An empty ping, masked with zeros."""
SOCKETS = 12
BEGUN = 5.0
"""Seconds after which an attack has begun: its tables are made, the processes that think are there."""
QUESTIONS = 8
"""At once, from one socket."""
HIDDEN = ("hanabi", "battleship")
SECRET = ("kuhn", "leduc", "hanabi", "snaps", "dominion", "battleship", "backgammon")
NAMES = ("\u3164", "\u115f", "\u2800", "a" + "\u0301\u0336\u0321" * 8, "\u202eanna", "<b>", "a\x00b", " ")


class Strangers:
    """An attacker, somebody else, and what the server let happen."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.faults: list[str] = []
        self.number = 0
        self.attacker, self.other = (
            httpx.AsyncClient(
                timeout=60,
                base_url=f"http://{server.address}",
                transport=httpx.AsyncHTTPTransport(local_address=address),
            )
            for address in (ATTACKER, OTHER)
        )

    def expect(self, fine: bool, what: str) -> None:
        print(f"  {'held    ' if fine else 'NOT HELD'}  {what}", flush=True)
        if not fine:
            self.faults.append(what)

    # ---- floods

    async def flood(self, name: str, attack: Any, seconds: float) -> None:
        """The slowest request of somebody else while an attack goes on."""
        stop = asyncio.Event()
        attackers = [asyncio.create_task(attack(stop)) for _ in range(SOCKETS)]
        await asyncio.sleep(BEGUN)
        slowest = await self.slowest(seconds)
        stop.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*attackers, return_exceptions=True), 30)
        self.expect(slowest <= MOST, f"{name}: the slowest other request took {1000 * slowest:.0f} ms")

    async def slowest(self, seconds: float) -> float:
        """A small file, a move and a look at it, again and again."""
        end, waits = time.monotonic() + seconds, [0.0]
        made = await new_table(self.other, self.server, "tictactoe", "me", "me")
        async with sitting(self.server, made) as person:
            frame = await person.my_turn()
            while time.monotonic() < end:
                waits.append(await timed(self.other.get("/favicon.svg")))
                if frame["over"]:
                    made = await new_table(self.other, self.server, "tictactoe", "me", "me")
                    await person.wire.send(
                        json.dumps({"type": "join", "table": made["table"], "token": made["token"]})
                    )
                    person.made = made
                    frame = await at_table(person)
                    continue
                started = time.monotonic()
                await person.play(frame, frame["actions"][0]["action"])
                frame = await at_table(person)
                await person.say("look", ply=max(0, frame["ply"] - 1))
                while not (await person.hear()).get("past"):
                    pass
                waits.append(time.monotonic() - started)
                await asyncio.sleep(0.05)
        return max(waits)

    async def pings(self, stop: asyncio.Event) -> None:
        """As many as go through; whoever is cut off comes back."""
        while not stop.is_set():
            with suppress(OSError, WebSocketException, TimeoutError):
                async with self.socket() as wire:
                    while not stop.is_set():
                        wire.transport.write(PING * 2000)
                        await asyncio.sleep(0.01)
                        if wire.transport.is_closing():
                            break
            await asyncio.sleep(0.05)

    async def beliefs(self, stop: asyncio.Event) -> None:
        """Questions for the chances of everything hidden, as many at once as a socket may ask."""
        self.number += 1
        game = HIDDEN[self.number % len(HIDDEN)]
        made = await new_table(self.attacker, self.server, game, "me", "random")
        with suppress(OSError, WebSocketException):
            async with self.socket() as wire:
                person = Somebody(wire, made)
                await person.say("join", token=made["token"])
                await person.my_turn()
                for _ in range(QUESTIONS):
                    await person.say("belief", ply=0)
                while not stop.is_set():
                    with suppress(TimeoutError):
                        message = await asyncio.wait_for(person.hear(), 0.5)
                        if message["type"] in ("belief", "error"):
                            await asyncio.sleep(0.03)
                            await person.say("belief", ply=0)

    def socket(self) -> Any:
        return connect(
            f"ws://{self.server.address}/ws", proxy=None, compression=None, max_size=2**22, local_addr=(ATTACKER, 0)
        )

    # ---- what is refused

    async def deals(self) -> None:
        """A friend is invited to a deal that was chosen, by a seed or by a record."""
        seats = [{"who": "me"}, {"who": "open"}]
        for name in SECRET:
            info = (await self.attacker.get(f"/api/games/{name}")).json()
            places = seats + [{"who": "agent"}] * (info["players"][0] - 2)
            version = await self.version_of(name)
            record = {"format": "hiddenhand record", "game": name, "options": {}, "seed": 5, "actions": []}
            kept = (await self.attacker.post("/api/records", json={**record, "version": version})).json()
            answer = await self.attacker.post(f"/api/tables/{kept['table']}/branch", json={"ply": 0, "seats": places})
            self.expect(answer.status_code == 400, f"{name}: a friend at a record's deal: {answer.json()}"[:120])

    async def version_of(self, name: str) -> int:
        from hiddenhand.core import resolver

        return resolver.definition(name).version

    async def names(self) -> None:
        for name in NAMES:
            order = {"game": "tictactoe", "seats": [{"who": "me", "name": name}, {"who": "me"}]}
            answer = await self.attacker.post("/api/tables", json=order)
            self.expect(answer.status_code == 400, f"the name {name[:6].encode('unicode_escape').decode()}")

    async def paths(self) -> None:
        """A file that may be named but is not what it is named for."""
        brought = await self.attacker.post("/api/own", json={"kind": "tree", "text": "(max 1 2)", "name": "mine"})
        game = brought.json()["game"]
        seats = [{"who": "me"}, {"who": "agent", "agent": f"reinforced:file={game}"}]
        answer = await self.attacker.post("/api/tables", json={"game": "hanabi", "seats": seats})
        told = answer.json().get("error", "")
        self.expect(answer.status_code == 400 and str(self.server.folder) not in told, f"paths: {told}")

    async def experiments(self) -> None:
        order = {"game": "connect_four", "agents": ["alphabeta:time=1"] * 2, "games": 1000}
        begun = (await self.other.post("/api/lab/match", json=order)).json()
        path = f"/api/lab/jobs/{begun['job']}"
        answer = await self.attacker.request("DELETE", path, json={})
        self.expect(answer.status_code == 403, "an experiment of somebody else is stopped")
        mine = await self.other.request("DELETE", path, json={"token": begun["token"]})
        self.expect(mine.status_code == 200 and mine.json()["state"] == "stopped", "one's own can be stopped")

    def modes(self) -> None:
        open_ones = [
            path.relative_to(self.server.folder.parent).as_posix()
            for path in [self.server.folder, *self.server.folder.rglob("*")]
            if path.name != "said" and stat.S_IMODE(path.stat().st_mode) & 0o077 and not closed_above(path)
        ]
        self.expect(not open_ones, f"nobody else on this machine reads the server's files {open_ones}")


def closed_above(path: Path) -> bool:
    """Whether a folder on the way to it is closed to others."""
    return any(not stat.S_IMODE(folder.stat().st_mode) & 0o077 for folder in path.parents)


async def at_table(person: Somebody) -> dict[str, Any]:
    """The next frame of the table that the person sits at now."""
    while True:
        frame = await person.my_turn()
        if frame["table"] == person.made["table"]:
            return frame


async def timed(asked: Any) -> float:
    started = time.monotonic()
    await asked
    return time.monotonic() - started


async def attack(server: Server, seconds: float) -> list[str]:
    strangers = Strangers(server)
    await strangers.slowest(2)  # until everything is loaded
    alone = await strangers.slowest(seconds)
    print(f"  alone the slowest request took {1000 * alone:.0f} ms", flush=True)
    await strangers.flood(f"pings from {SOCKETS} sockets", strangers.pings, seconds)
    await strangers.flood(f"beliefs asked by {SOCKETS} sockets", strangers.beliefs, seconds)
    await strangers.deals()
    await strangers.names()
    await strangers.paths()
    await strangers.experiments()
    strangers.modes()
    return strangers.faults


def main() -> None:
    parser = argparse.ArgumentParser(description="Try to get from a server what strangers must not get.")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each flood")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.mkdir(mode=0o755)
        server = Server(data)
        try:
            faults = asyncio.run(attack(server, chosen.seconds))
            traceback = server.first_traceback()
        finally:
            server.stop()
    if traceback:
        print(traceback)
    print(f"{len(faults)} faults" if faults else "everything was refused, and nobody had to wait")
    sys.exit(1 if faults or traceback else 0)


if __name__ == "__main__":
    main()
