"""Latency under attack: how long an ordinary move takes beside hopeless searches, lab jobs and compilers.

    python benchmarks/attack/latency.py --seconds 30

A server of its own is started as `hiddenhand serve` starts it, with a cache of compiled code of its own, in a folder
that is removed afterwards. The ordinary games are compiled beforehand; three others are cold. First the ordinary
tables are measured alone, then beside everything else, which comes from another address of this machine. Told are the
time from a move to its frame (`move`), and the time until it is this person's turn again (`turn`).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

sys.path.insert(0, str(Path(__file__).parents[1]))

from hiddenhand.web.security.limits import Limits
from hiddenhand.web.serving import listen, server_for
from web_load import FREE, Load, memory, spread

ORDINARY = ["tictactoe", "connect_four", "leduc"]
COLD = ["dominion", "hanabi", "snaps"]
HOPELESS = "alphabeta:depth=42,table=0"
ATTACKERS = ("127.0.0.2", "127.0.0.3")
MOST = 0.150
"""Seconds that 95 % of the ordinary moves may take at most."""


def run_server(folder: str, port: Any) -> None:
    from hiddenhand.kernel.rule import Mode, set_mode
    from hiddenhand.web.app import create_app

    set_mode(Mode.PLAIN_UNTIL_COMPILED)
    limits = Limits(messages=FREE, requests=FREE, creations=FREE)
    listener = listen("127.0.0.1", [0])
    port.send(listener.getsockname()[1])
    server_for(create_app(Path(folder), limits=limits), limits).run(sockets=[listener])


def compile_ordinary() -> None:
    """In a process of its own: put what the ordinary games need into the cache."""
    from hiddenhand.core import resolver
    from hiddenhand.core.background_compile import rehearse

    for name in ORDINARY:
        game = resolver.game(name)
        rehearse(game, resolver.agent(game, "random"))
    game = resolver.game("connect_four")
    rehearse(game, resolver.agent(game, "alphabeta:depth=1"))


class Ordinary(Load):
    """People at ordinary tables."""

    async def table(self, client: httpx.AsyncClient, number: int) -> dict[str, Any]:
        return await new_table(client, self.address, ORDINARY[number % len(ORDINARY)], "random")


async def new_table(client: httpx.AsyncClient, address: str, game: str, agent: str | None = None) -> dict[str, Any]:
    seats = [{"who": "me"}, {"who": "agent", "agent": agent}] if agent else None
    answer = await client.post(f"http://{address}/api/tables", json={"game": game, "seats": seats})
    answer.raise_for_status()
    found: dict[str, Any] = answer.json()
    return found


async def people(load: Ordinary, client: httpx.AsyncClient, tables: int, sockets: int, seconds: float) -> None:
    """Ordinary games for so long; the first seconds, in which everybody sits down, are not counted."""
    made = [await load.table(client, number) for number in range(tables)]
    there = [asyncio.create_task(load.play(client, number, table)) for number, table in enumerate(made)]
    there += [asyncio.create_task(load.watch(made[i % tables])) for i in range(sockets - tables)]
    await asyncio.sleep(5)
    load.forget()
    await asyncio.sleep(seconds)
    load.stop.set()
    for done in await asyncio.gather(*there, return_exceptions=True):
        if isinstance(done, Exception):
            load.errors.append(f"{type(done).__name__}: {done}")


async def wait_for_a_hopeless_search(address: str, client: httpx.AsyncClient, heard: list[str]) -> None:
    """Somebody who asks for a search that never ends, and waits for it."""
    made = await new_table(client, address, "connect_four", HOPELESS)
    home = (ATTACKERS[0], 0)
    async with connect(f"ws://{address}/ws", proxy=None, compression=None, local_addr=home) as wire:
        await wire.send(json.dumps({"type": "join", "table": made["table"], "token": made["token"]}))
        async for text in wire:
            message = json.loads(text)
            if message["type"] == "error":
                heard.append(message["text"])
            if message["type"] == "frame" and message["actions"]:
                play = {"table": made["table"], "ply": message["ply"], "action": message["actions"][0]["action"]}
                await wire.send(json.dumps({"type": "play", **play}))


async def attack(address: str, hopeless: int, jobs: int, heard: list[str]) -> list[asyncio.Task[None]]:
    """Everything at once."""
    clients = [
        httpx.AsyncClient(timeout=600, transport=httpx.AsyncHTTPTransport(local_address=home)) for home in ATTACKERS
    ]
    for game in COLD:
        await new_table(clients[0], address, game)
    for number in range(jobs):
        order = {"game": "connect_four", "agents": ["alphabeta:time=1"] * 2, "games": 1000}
        await clients[number % len(clients)].post(f"http://{address}/api/lab/match", json=order)
    searches = [wait_for_a_hopeless_search(address, clients[0], heard) for _ in range(hopeless)]
    return [asyncio.create_task(search) for search in searches]


async def measure(port: int, server: int, chosen: argparse.Namespace) -> bool:
    heard: list[str] = []
    async with httpx.AsyncClient(timeout=600) as client:
        for sockets, beside in ((chosen.tables, False), (chosen.sockets, True)):
            load = Ordinary(port, chosen.think)
            attackers = await attack(load.address, chosen.hopeless, chosen.jobs, heard) if beside else []
            await people(load, client, chosen.tables, sockets, chosen.seconds)
            print("beside the attack" if beside else "alone")
            print(f"  {chosen.tables} tables, {sockets} sockets, {len(load.moves):,} moves in {chosen.seconds:g} s")
            print("  move    " + spread(load.moves))
            print("  turn    " + spread(load.turns))
            print(f"  errors  {len(load.errors)} {load.errors[:2]}")
            print(f"  server  {memory(server) / 1024:,.0f} MB", flush=True)
            for attacker in attackers:
                attacker.cancel()
    print(f"{chosen.hopeless} hopeless searches, {chosen.jobs} jobs, cold: {', '.join(COLD)}")
    print(f"stopped   {len(heard)} {heard[:1]}")
    slow = sorted(load.turns)[int(0.95 * len(load.turns))]
    print(f"95 % of the turns in {1000 * slow:.0f} ms; at most {1000 * MOST:.0f} ms are allowed")
    return slow <= MOST


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure ordinary moves beside an attack on the server.")
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--sockets", type=int, default=500)
    parser.add_argument("--hopeless", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--think", type=float, default=1.0, help="seconds before a person's move, about")
    chosen = parser.parse_args()
    fresh = multiprocessing.get_context("spawn")
    near, far = fresh.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HIDDENHAND_CACHE"] = str(Path(folder) / "cache")
        before = fresh.Process(target=compile_ordinary)
        before.start()
        before.join()
        server = fresh.Process(target=run_server, args=(folder, far))
        server.start()
        port = near.recv()
        time.sleep(0.5)
        try:
            fine = asyncio.run(measure(port, server.pid or 0, chosen))
        finally:
            server.terminate()
            server.join()
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
