"""Kill: a server that is killed again and again loses no move that anybody was told of.

    python benchmarks/attack/kills.py --kills 200 --tables 10 --seed 1

Each round starts a server over the same folder, lets people move at some tables, kills it at a random instant
(SIGKILL), starts it again and compares the log of every table with what was told. Takes some 3 seconds a kill.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from pathlib import Path

import httpx
from server import Server, Somebody, new_table, sitting

GAMES = [("tictactoe", 1), ("kuhn", 1), ("leduc", 1), ("connect_four", 1), ("hanabi", 1), ("backgammon", 1)]


async def play(server: Server, made: dict, draw: random.Random, told: dict[str, dict[int, dict]]) -> None:
    """Move, and take moves back, until the server is gone."""
    person: Somebody | None = None
    try:
        async with sitting(server, made) as person:
            while True:
                frame = await person.my_turn()
                if frame["over"]:
                    return
                if draw.random() < 0.1:
                    await person.say("undo")
                await person.play(frame, draw.choice(frame["actions"])["action"])
                await asyncio.sleep(draw.random() * 0.05)
    except Exception:  # the server is dead
        pass
    finally:
        if person is not None:
            told[made["table"]] = (person.log, person.over)


async def one_round(folder: Path, tables: int, draw: random.Random) -> tuple[int, list[str]]:
    """So many checks, and what was lost."""
    server = Server(folder)
    told: dict = {}
    async with httpx.AsyncClient(timeout=60) as client:
        made = [await new_table(client, server, GAMES[i % len(GAMES)][0], "me", "random") for i in range(tables)]
        people = [asyncio.create_task(play(server, table, random.Random(draw.random()), told)) for table in made]
        await asyncio.sleep(0.1 + draw.random())
        server.kill()
        await asyncio.wait(people, timeout=20)
    server, faults, checks = Server(folder), [], 0
    try:
        for table in made:
            if table["table"] not in told:
                continue
            before, over = told[table["table"]]
            async with asyncio.timeout(60), sitting(server, table) as person:
                message = await person.hear()
                while message["type"] != "frame":
                    message = await person.hear()
                    if message["type"] == "error":
                        faults.append(f"{table['table']}: {message['text']}")
                        break
            for ply, entry in before.items():
                checks += 1
                again = person.log.get(ply)
                same = again == entry if person.over == over else again is not None and again["seat"] == entry["seat"]
                if not same and not taken_back(before, person.log):
                    faults.append(f"{table['table']} ply {ply}: told {entry}, kept {again}")
    finally:
        server.stop()
    return checks, faults


def taken_back(before: dict, after: dict) -> bool:
    """The last thing that was asked for was an undo, which was written but not told any more."""
    return len(after) < len(before) and all(after[ply] == before[ply] for ply in after)


async def attack(chosen: argparse.Namespace) -> int:
    draw, checks, faults = random.Random(chosen.seed), 0, []
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        for number in range(chosen.kills):
            done, lost = await one_round(Path(folder), chosen.tables, draw)
            checks += done
            faults += lost
            for fault in lost:
                print(f"kill {number}: {fault}", flush=True)
            if number % 20 == 19:
                print(f"{number + 1} kills, {checks:,} told moves, {len(faults)} lost", file=sys.stderr, flush=True)
        said = (Path(folder) / "said").read_text(errors="replace")
    tracebacks = said.split("Traceback")[1:]
    for text in tracebacks:
        print("\n".join(("Traceback" + text).splitlines()[:40]))
    print(f"{chosen.kills} kills, {checks:,} told moves, {len(tracebacks)} tracebacks: {len(faults)} lost")
    return bool(faults or tracebacks)


def main() -> int:
    parser = argparse.ArgumentParser(description="Kill the server again and again.")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    return asyncio.run(attack(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
