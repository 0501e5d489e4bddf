"""What search adds to its blueprint: the same deals played by the blueprint alone and with one seat searching.

    python benchmarks/search_gain.py hanabi pair "search:blueprint=pair,playouts=800" --option players=2 rules=strict
        --seconds 200 --workers 16 --out gain.txt

Everybody else follows the blueprint (or `--others`). Several settings are compared on the same deals, one deal after
the other until the time is up; the seat that searches changes from deal to deal. The table is written after every
few deals: mean payoff of that seat, its gain over the blueprint with a 95 % interval, how often a move was changed,
and the processor seconds of a decision.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import hiddenhand as hh

Rows = list[tuple[float, int, int, float]]
"""For the blueprint and for each setting: the payoff, moves changed, decisions, seconds."""


@cache
def cast(game: str, options: tuple[str, ...], texts: tuple[str, ...]) -> list[Any]:
    of = hh.game(game, **dict(option.split("=", 1) for option in options))
    return [hh.agent(of, text) for text in texts]


def play(player: Any, other: Any, seed: int, moves: int) -> tuple[float, int, int, float]:
    """One game: the player in a seat that the seed decides, the other in all others."""
    table = player.game.deal(seed)
    me, changed, decisions, start = seed % player.game.players, 0, 0, time.process_time()
    while not table.over and len(table.history) < moves:
        decision = table.ask(player if table.turn == me else other)
        if table.turn == me and len(table.legal_actions()) > 1:
            decisions += 1
            changed += decision.counts.get("changed", 0)
        table.play(decision.action)
    payoff = table.payoffs()[me] if table.over else 0.0
    return payoff, changed, decisions, time.process_time() - start


def play_all(game: str, options: tuple[str, ...], texts: tuple[str, ...], seed: int, moves: int = 1 << 30) -> Rows:
    """A deal with every setting; the first text is the others', the second the blueprint."""
    other, *players = cast(game, options, texts)
    return [play(player, other, seed, moves) for player in players]


def table_of(texts: list[str], results: list[Rows]) -> str:
    lines = [f"{len(results)} deals"]
    base = np.array([rows[0][0] for rows in results])
    for i, text in enumerate(texts):
        payoffs = np.array([rows[i][0] for rows in results])
        changed, decisions, seconds = (sum(rows[i][part] for rows in results) for part in (1, 2, 3))
        gain, half = (payoffs - base).mean(), 1.96 * (payoffs - base).std(ddof=1) / len(base) ** 0.5
        own = 1.96 * payoffs.std(ddof=1) / len(base) ** 0.5
        often, each = changed / max(1, decisions), seconds / max(1, decisions)
        lines.append(
            f"{payoffs.mean():8.3f} ± {own:.3f}  gain {gain:+.3f} ± {half:.3f}  changed {often:.1%}"
            f"  {each:.3f} s a decision  {text}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("blueprint")
    parser.add_argument("settings", nargs="+")
    parser.add_argument("--others", default="")
    parser.add_argument("--option", nargs="*", default=[])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--out", default="")
    given = parser.parse_args()
    texts = [given.blueprint, *given.settings]
    call = (given.game, tuple(given.option), (given.others or given.blueprint, *texts))
    start = time.perf_counter()
    play_all(*call, given.first, 4)  # compiles
    print(f"compiled in {time.perf_counter() - start:.0f} s", flush=True)
    results: list[Rows] = []
    with ProcessPoolExecutor(given.workers) as pool:
        waiting, seed = set(), given.first
        while waiting or time.perf_counter() - start < given.seconds:
            while len(waiting) < 2 * given.workers and time.perf_counter() - start < given.seconds:
                waiting.add(pool.submit(play_all, *call, seed))
                seed += 1
            done = next(as_completed(waiting))
            waiting.discard(done)
            results.append(done.result())
            if len(results) > 1 and (len(results) % 4 == 0 or not waiting):
                table = table_of(texts, results)
                print(table, flush=True)
                if given.out:
                    Path(given.out).write_text(table + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
