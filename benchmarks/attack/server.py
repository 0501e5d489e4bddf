"""A server to be attacked, in a process of its own, and somebody who talks to it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect


class Server:
    """`hiddenhand serve` over a folder; what it says goes into the file `said` there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said = folder / "said"
        with open(self.said, "ab") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "hiddenhand", "serve", "--port", "0", "--no-browser", "--data", str(folder)],
                stdout=subprocess.PIPE,
                stderr=said,
                text=True,
                start_new_session=True,
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the server does not start: {self.said.read_text()[-500:]}")
        self.address = line.split("//")[1].split("/")[0]

    def kill(self) -> None:
        """At once, without a warning."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def stop(self) -> None:
        """With everything that it started."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.kill()

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def first_traceback(self) -> str:
        """What the server said first when something went wrong that it had not foreseen."""
        return "\n".join(self.said.read_text(errors="replace").partition("Traceback")[2].splitlines()[:30])

    def tracebacks(self) -> int:
        return self.said.read_text(errors="replace").count("Traceback")

    def memory(self) -> float:
        """Megabytes of memory that it and its processes have for themselves."""
        return sum(map(private_memory, family(self.process.pid))) / 1024


def family(process: int) -> list[int]:
    """A process and all that it started."""
    found, waiting = [], [process]
    while waiting:
        number = waiting.pop()
        found.append(number)
        with suppress(OSError):
            for thread in Path(f"/proc/{number}/task").iterdir():
                waiting += map(int, (thread / "children").read_text().split())
    return found


def private_memory(process: int) -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return float(line.split()[1])
    return 0.0


class Somebody:
    """A page at one table."""

    def __init__(self, wire: Any, made: dict[str, Any]) -> None:
        self.wire = wire
        self.made = made
        self.log: dict[int, Any] = {}
        self.over = False

    async def say(self, kind: str, **fields: Any) -> None:
        await self.wire.send(json.dumps({"type": kind, "table": self.made["table"], **fields}))

    async def hear(self) -> dict[str, Any]:
        """The next message; what it tells of the game is remembered."""
        message: dict[str, Any] = json.loads(await self.wire.recv())
        if message["type"] == "log":
            if message["from"] == 0:
                self.log = {}
            self.log |= {entry["ply"]: entry for entry in message["entries"]}
        elif message["type"] == "frame" and not message["past"]:
            self.over = message["over"]
        return message

    async def my_turn(self) -> dict[str, Any]:
        """The next frame in which there is something to do, or the last one."""
        while True:
            message = await self.hear()
            if message["type"] == "frame" and not message["past"] and (message["actions"] or message["over"]):
                return message

    async def play(self, frame: dict[str, Any], action: int) -> None:
        await self.say("play", ply=frame["ply"], action=action)


async def new_table(client: httpx.AsyncClient, server: Server, game: str, *seats: str, **more: Any) -> dict[str, Any]:
    """A table; seats are `me`, `open` or agents."""
    orders = [{"who": seat} if seat in ("me", "open") else {"who": "agent", "agent": seat} for seat in seats]
    order = {"game": game, "seats": orders, **more}
    answer = await client.post(f"http://{server.address}/api/tables", json=order)
    while answer.status_code == 429:
        import asyncio

        await asyncio.sleep(1)
        answer = await client.post(f"http://{server.address}/api/tables", json=order)
    answer.raise_for_status()
    made: dict[str, Any] = answer.json()
    return made


@asynccontextmanager
async def sitting(server: Server, made: dict[str, Any]) -> AsyncIterator[Somebody]:
    """Somebody at a table, in their seat."""
    async with connect(
        f"ws://{server.address}/ws", proxy=None, compression=None, max_size=2**22, open_timeout=60
    ) as wire:
        person = Somebody(wire, made)
        await person.say("join", token=made["token"])
        yield person
