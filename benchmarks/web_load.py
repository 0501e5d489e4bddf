"""Load: many tables with agents moving, more sockets than tables, on this machine.

    python benchmarks/web_load.py --tables 200 --sockets 500 --seconds 20 --think 1

A server of its own is started in a process of its own, in a folder that is removed afterwards. One person plays at
each table against rule agents and thinks for a while before each move; the other sockets watch. Told are the time
from a move to its frame (`move`), the time until it is this person's turn again, the agents' moves included (`turn`),
and what a table costs in memory, its sockets included.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from hiddenhand.web.security.limits import Limits, Rate
from hiddenhand.web.serving import listen, server_for

GAMES = [
    ("tictactoe", ["random"]),
    ("connect_four", ["random"]),
    ("leduc", ["random"]),
    ("hanabi", ["trustful"]),
    ("dominion", ["bigmoney"]),
    ("reversi", ["random"]),
]
SETTLING = 5.0
"""Seconds for everybody to sit down, which are not measured."""
FREE = Rate(1e9, 1e9)


def run_server(folder: str, port: Any) -> None:
    from hiddenhand.web.app import create_app

    limits = Limits(messages=FREE, requests=FREE, creations=FREE)
    listener = listen("127.0.0.1", [0])
    port.send(listener.getsockname()[1])
    server_for(create_app(Path(folder), limits=limits), limits).run(sockets=[listener])


def memory(process: int) -> float:
    """Kilobytes of memory that a process really has for itself."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return float(line.split()[1])
    return 0.0


def busy(process: int) -> float:
    """Seconds that a process has been at work."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Load:
    """The people at the tables, and what they measured."""

    def __init__(self, port: int, think: float) -> None:
        self.address = f"127.0.0.1:{port}"
        self.think = think
        self.moves: list[float] = []
        self.turns: list[float] = []
        self.errors: list[str] = []
        self.received = 0
        self.worked = 0.0
        self.stop = asyncio.Event()

    def forget(self) -> None:
        """Everybody has sat down: what counts begins now."""
        self.moves, self.turns, self.received = [], [], 0

    async def table(self, client: httpx.AsyncClient, number: int) -> dict[str, Any]:
        game, agents = GAMES[number % len(GAMES)]
        seats = [{"who": "me"}, *({"who": "agent", "agent": agent} for agent in agents)]
        answer = await client.post(f"http://{self.address}/api/tables", json={"game": game, "seats": seats})
        answer.raise_for_status()
        return answer.json()

    async def watch(self, made: dict[str, Any]) -> None:
        async with connect(f"ws://{self.address}/ws", proxy=None, compression=None) as wire:
            await wire.send(json.dumps({"type": "join", "table": made["table"]}))
            await self.until_stopped(self.listen(wire))

    async def listen(self, wire: Any) -> None:
        async for text in wire:
            self.note(json.loads(text))

    def note(self, message: dict[str, Any]) -> None:
        self.received += 1
        if message["type"] == "error":
            self.errors.append(message["text"])

    async def play(self, client: httpx.AsyncClient, number: int, made: dict[str, Any]) -> None:
        """One game after the other until it is enough."""
        draw = random.Random(number)
        await asyncio.sleep(draw.random() * self.think)
        async with connect(f"ws://{self.address}/ws", proxy=None, compression=None) as wire:
            await self.until_stopped(self.play_games(client, number, made, wire, draw))

    async def play_games(self, client: Any, number: int, made: dict[str, Any], wire: Any, draw: Any) -> None:
        while True:
            await wire.send(json.dumps({"type": "join", "table": made["table"], "token": made["token"]}))
            await self.play_game(made, wire, draw)
            await wire.send(json.dumps({"type": "leave", "table": made["table"]}))
            made = await self.table(client, number)

    async def play_game(self, made: dict[str, Any], wire: Any, draw: Any) -> None:
        sent, acknowledged = 0.0, True
        async for text in wire:
            message = json.loads(text)
            self.note(message)
            if message["type"] != "frame" or message["table"] != made["table"]:
                continue
            if not acknowledged:
                self.moves.append(time.perf_counter() - sent)
                acknowledged = True
            if message["over"]:
                return
            if message["actions"]:
                if sent:
                    self.turns.append(time.perf_counter() - sent)
                await asyncio.sleep(self.think * (0.5 + draw.random()))
                action = draw.choice(message["actions"])["action"]
                play = {"type": "play", "table": made["table"], "ply": message["ply"], "action": action}
                sent, acknowledged = time.perf_counter(), False
                await wire.send(json.dumps(play))

    async def until_stopped(self, work: Any) -> None:
        task, stop = asyncio.ensure_future(work), asyncio.ensure_future(self.stop.wait())
        await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
        stop.cancel()
        if task.done():
            task.result()
        task.cancel()


async def measure(port: int, process: int, chosen: argparse.Namespace) -> None:
    load = Load(port, chosen.think)
    async with httpx.AsyncClient(timeout=600) as client:
        for number in range(len(GAMES)):  # compiled once
            await load.table(client, number)
        warm = Load(port, 0.0)
        await one_round(warm, client, len(GAMES), len(GAMES), 4.0)
        before = memory(process)
        load.stop = asyncio.Event()
        cost = await one_round(load, client, chosen.tables, chosen.sockets, chosen.seconds, process)
    rate = len(load.moves) / chosen.seconds
    print(f"{chosen.tables} tables, {chosen.sockets} sockets, {chosen.think:g} s of thought, {chosen.seconds:g} s")
    print(f"errors    {len(load.errors)} {load.errors[:3]}")
    print(f"moves     {len(load.moves):,} by people, {rate:,.0f} a second; {load.received:,} messages received")
    print("move      " + spread(load.moves))
    print("turn      " + spread(load.turns))
    print(f"server    {100 * load.worked / chosen.seconds:.0f} % of a core")
    print(f"a table   {(cost - before) / chosen.tables:,.0f} KB with its sockets; the server {cost / 1024:,.0f} MB")


async def one_round(
    load: Load, client: httpx.AsyncClient, tables: int, sockets: int, seconds: float, process: int = 0
) -> float:
    """Everybody at once for so long; the memory of the server shortly before the end."""
    made = [await load.table(client, number) for number in range(tables)]
    people = [asyncio.create_task(load.play(client, number, table)) for number, table in enumerate(made)]
    people += [asyncio.create_task(load.watch(made[i % tables])) for i in range(sockets - tables)]
    if process:
        await asyncio.sleep(SETTLING)
        load.forget()
        at_work = busy(process)
    await asyncio.sleep(seconds)
    cost = memory(process) if process else 0.0
    load.worked = busy(process) - at_work if process else 0.0
    load.stop.set()
    for done in await asyncio.gather(*people, return_exceptions=True):
        if isinstance(done, Exception):
            load.errors.append(f"{type(done).__name__}: {done}")
    return cost


def spread(times: list[float]) -> str:
    if len(times) < 2:
        return "nothing was measured"
    cuts = statistics.quantiles(times, n=100)
    return f"median {1000 * cuts[49]:.1f} ms, 95 % {1000 * cuts[94]:.1f} ms, longest {1000 * max(times):.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description="Load the server with many tables and sockets.")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--sockets", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument(
        "--think", type=float, default=1.0, help="seconds before a person's move, half to one and a half"
    )
    chosen = parser.parse_args()
    fresh = multiprocessing.get_context("spawn")
    near, far = fresh.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as folder:
        server = fresh.Process(target=run_server, args=(folder, far))  # agents think in children of it
        server.start()
        port = near.recv()
        time.sleep(0.5)
        try:
            asyncio.run(measure(port, server.pid or 0, chosen))
        finally:
            server.terminate()
            server.join()


if __name__ == "__main__":
    main()
