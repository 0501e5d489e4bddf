"""The graphics card against the CPU: same games, and how fast. Writes gpu.json into the folder that it is given.

    python benchmarks/gpu.py FOLDER

For every game: 2,000 games in lockstep on both with the same moves; everything shown of them must be equal. Then
whole matches between compiled policies, whose payoffs must be equal. Then speeds. What does not compile is listed
with the reason. Every part is tried by itself, so that one that fails does not hide the others.
"""

from __future__ import annotations

import json
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand import game

GAMES = 2000
SECONDS = 20.0
"""How long the moves of one game are compared at most."""
LOCKSTEP = [
    ("dominion", {}),
    ("snaps", {}),
    ("hanabi", {"players": 2, "rules": "strict"}),
    ("hanabi", {"players": 5}),
    *((name, {}) for name in ("backgammon", "battleship", "checkers", "reversi", "leduc", "kuhn", "connect_four")),
    *((name, {}) for name in ("tictactoe", "blind_tictactoe", "tiger", "ferryman", "dorban", "tree")),
]
MATCHES = [
    ("hanabi", ["cheater", "simple_distrustful"]),
    ("hanabi", ["distrustful", "distrustful", "distrustful"]),
    ("dominion", ["bigmoney", "random"]),
    ("snaps", ["rules", "random", "rules", "random"]),
    ("leduc", ["random", "random"]),
    ("connect_four", ["random", "random"]),
]

POLICIES = ["hanabi", "snaps", "dominion"]
"""Games whose policies are all tried."""


def told(part: Any, *arguments: Any) -> dict[str, Any]:
    """What came of a part, or why it failed."""
    start = time.perf_counter()
    try:
        found = part(*arguments)
    except Exception as error:
        traceback.print_exc()
        found = {"failed": f"{type(error).__name__}: {error}"[:600]}
    return {"part": part.__name__, "of": repr(arguments), **found, "seconds": round(time.perf_counter() - start, 1)}


def lockstep_agrees(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """The same moves on both devices: are turns, legal moves, observations, payoffs and gains the same?"""
    import hiddenhand as hh

    there = hh.VectorEnv(name, GAMES, seed=7, device="cuda", **options)
    here = hh.VectorEnv(name, GAMES, seed=7, threads=1, **options)
    rng, start, steps, finished = np.random.default_rng(1), time.perf_counter(), 0, 0
    differences: dict[str, int] = {}
    worst = 0.0
    while (here.numbers < GAMES).any() and time.perf_counter() - start < SECONDS:
        for word in ("turn", "legal", "observation", "rewards", "done", "gains", "numbers"):
            mine, its = getattr(here, word), getattr(there, word).cpu().numpy()
            if word == "gains":
                worst = max(worst, float(np.abs(mine - its).max()))
            differences[word] = differences.get(word, 0) + int((mine != its).sum())
        chosen = (rng.random(here.legal.shape) * here.legal).argmax(axis=1)
        here.step(chosen)
        there.step(chosen)
        steps += 1
        finished += int(here.done.sum())
    there.check()
    return {"steps": steps, "finished": finished, "different": differences, "gains differ by": worst}


def match_agrees(name: str, agents: list[str]) -> dict[str, Any]:
    """The same match on both devices: are all payoffs, moves and measurements the same?"""
    import hiddenhand as hh

    there = hh.match(name, agents, games=GAMES, seed=5, device="cuda")
    here = hh.match(name, agents, games=GAMES, seed=5)
    same = {
        word: bool(np.array_equal(getattr(here, word), getattr(there, word)))
        for word in ("payoffs", "moves", "metrics")
    }
    return {**same, "CPU games/s": round(here.games_per_second), "GPU games/s": round(there.games_per_second)}


def policy_compiles(name: str, agent: str) -> dict[str, Any]:
    """Whether a policy can play on a card, by a match of two games."""
    import hiddenhand as hh

    game = hh.game(name)
    played = hh.match(game, [agent] * game.players, games=2, seed=5, device="cuda")
    return {"payoffs": played.payoffs.tolist()}


def match_speed(name: str, agents: list[str], games: int) -> dict[str, Any]:
    import hiddenhand as hh

    result = hh.match(name, agents, games=games, seed=1, device="cuda")
    return {
        "games/s": round(result.games_per_second),
        "actions/s": round(result.games_per_second * result.moves.mean()),
    }


def lockstep_speed(name: str, options: dict[str, Any], count: int, registers: int | None = None) -> dict[str, Any]:
    """Steps a second, whoever chooses, and of the kernel alone; `registers`: of a thread at most."""
    import torch

    import hiddenhand as hh
    from hiddenhand.gpu import vector_env
    from speed import gpu as speed

    vector_env.REGISTERS = registers
    start = time.perf_counter()
    env = hh.VectorEnv(name, count, seed=3, device="cuda", **options)
    torch.cuda.synchronize()
    found: dict[str, Any] = {"made in": round(time.perf_counter() - start, 2)}
    found["registers"] = env._holder.kernel.get_regs_per_thread()
    for word, choose in speed.choosers(env).items():
        found[f"{word}, M steps/s"] = round(speed.steps_per_second(env, choose) / 1e6, 1)
    chosen = speed.choosers(env)["drawn at random"]()
    before, after = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    before.record()
    env.step(chosen)
    after.record()
    torch.cuda.synchronize()
    found["kernel alone, M steps/s"] = round(count / before.elapsed_time(after) / 1e3, 1)
    env.check()
    return found


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    results: list[dict[str, Any]] = []

    def keep(result: dict[str, Any]) -> None:
        results.append(result)
        print(json.dumps(result), flush=True)
        (folder / "gpu.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")

    keep(told(lockstep_speed, "hanabi", {"players": 2, "rules": "strict"}, 1 << 19))
    with ProcessPoolExecutor(14, get_context("spawn")) as pool:
        waiting = [pool.submit(told, lockstep_agrees, *each) for each in LOCKSTEP]
        waiting += [pool.submit(told, match_agrees, *each) for each in MATCHES]
        for name in POLICIES:
            for text, policy in game(name).agents.items():
                waiting.append(
                    pool.submit(told, policy_compiles, name, text + (policy.example and f":{policy.example}"))
                )
        for future in waiting:
            keep(future.result())
    for registers in (64, 96, 128):
        keep(told(lockstep_speed, "hanabi", {"players": 2, "rules": "strict"}, 1 << 19, registers))
    keep(told(lockstep_speed, "connect_four", {}, 1 << 20))
    keep(told(match_speed, "connect_four", ["random", "random"], 1 << 22))
    keep(told(match_speed, "hanabi", ["random", "random"], 1 << 21))


if __name__ == "__main__":
    main()
