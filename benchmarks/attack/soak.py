"""Soak: the server under ordinary use for long; its memory after ten minutes is its memory at the end.

    python benchmarks/attack/soak.py --minutes 60 --people 20

People come, play a game or half of one, ask for advice and reasons, take moves back, watch, and leave; now and then a
match runs in the laboratory. Once a minute the memory of the server and of all its processes is told. The status of
this program is 1 if the last tenth of the time needs more than a tenth (and 20 MB) above the tenth before which the
first sixth has passed, or if anybody was told of a failure.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from server import Server, new_table, sitting

GAMES = [
    ("tictactoe", ["alphabeta"]),
    ("connect_four", ["alphabeta:depth=4"]),
    ("kuhn", ["cfr"]),
    ("leduc", ["ismcts:simulations=200"]),
    ("hanabi", ["trustful"]),
    ("dominion", ["bigmoney"]),
    ("snaps", ["rules", "rules", "rules"]),
    ("backgammon", ["random"]),
    ("dorban", []),
]


class Crowd:
    """The people, and what they met with."""

    def __init__(self, server: Server, seed: int) -> None:
        self.server = server
        self.draw = random.Random(seed)
        self.did: Counter[str] = Counter()
        self.faults: list[str] = []

    async def come_and_go(self, client: httpx.AsyncClient, end: float) -> None:
        while time.monotonic() < end:
            try:
                await self.visit(client, end)
            except Exception as error:
                self.faults.append(f"{type(error).__name__}: {error}")
                await asyncio.sleep(1)

    async def visit(self, client: httpx.AsyncClient, end: float) -> None:
        """One game, or half of one."""
        draw = self.draw
        game, agents = draw.choice(GAMES)
        made = await new_table(client, self.server, game, "me", *agents)
        moves = draw.choice([5, 20, 200])
        async with asyncio.timeout(600), sitting(self.server, made) as person:
            for _ in range(moves):
                frame = await self.turn(person)
                if frame["over"] or time.monotonic() > end:
                    break
                if draw.random() < 0.1:
                    await person.say("advice")
                    self.did["advice"] += 1
                elif draw.random() < 0.05:
                    await person.say("undo")
                await asyncio.sleep(draw.random() * 0.6)
                await person.play(frame, draw.choice(frame["actions"])["action"])
                self.did["moves"] += 1
            if person.over:
                await person.say("why", ply=draw.randrange(1 + len(person.log)))
        self.did["visits"] += 1

    async def turn(self, person: Any) -> dict[str, Any]:
        while True:
            message = await person.hear()
            if message["type"] == "error" and "could not" in message["text"]:
                self.faults.append(message["text"])
            if message["type"] == "frame" and not message["past"] and (message["actions"] or message["over"]):
                return message

    async def experiment(self, client: httpx.AsyncClient, end: float) -> None:
        """A match in the laboratory every half minute."""
        while time.monotonic() < end:
            order = {"game": "kuhn", "agents": ["random", "cfr"], "games": 500, "seed": self.draw.randrange(1000)}
            with suppress(httpx.HTTPError):
                await client.post(f"http://{self.server.address}/api/lab/match", json=order)
                self.did["matches"] += 1
            await asyncio.sleep(30)


async def soak(chosen: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        server = Server(Path(folder))
        try:
            crowd = Crowd(server, chosen.seed)
            started = time.monotonic()
            end = started + 60 * chosen.minutes
            async with httpx.AsyncClient(timeout=60) as client:
                people = [asyncio.create_task(crowd.come_and_go(client, end)) for _ in range(chosen.people)]
                people.append(asyncio.create_task(crowd.experiment(client, end)))
                seen: list[tuple[float, float]] = []
                while time.monotonic() < end:
                    await asyncio.sleep(min(10.0, max(0.1, end - time.monotonic())))
                    seen.append((time.monotonic() - started, server.memory()))
                    if len(seen) % 6 == 0:
                        print(f"{seen[-1][0] / 60:5.1f} min {seen[-1][1]:7.0f} MB  {dict(crowd.did)}", flush=True)
                await asyncio.wait(people, timeout=30)
            whole = end - started
            early = statistics.median(memory for at, memory in seen if whole / 6 <= at < whole * (1 / 6 + 0.1))
            late = statistics.median(memory for at, memory in seen if at >= 0.9 * whole)
            print(f"after a sixth {early:.0f} MB, at the end {late:.0f} MB; {server.tracebacks()} tracebacks")
            print(server.first_traceback())
            print(f"{dict(crowd.did)}: {len(crowd.faults)} failed {crowd.faults[:3]}")
            return bool(crowd.faults or server.tracebacks() or late > 1.1 * early + 20)
        finally:
            server.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description="Use the server for long.")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    return asyncio.run(soak(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
