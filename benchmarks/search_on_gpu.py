"""Search on a learned network in many games at once, on a graphics card (or, slowly, without one).

    python benchmarks/search_on_gpu.py hanabi --option players=2 rules=strict --games 1000 --who single

plays the same deals with nobody searching and with one seat searching (seat 0 in every second game, seat 1 in the
others), or with `--who joint` all seats, and tells the mean payoffs, their difference and the time. Before it, joint
search learns from `--learn` other games how to read one who searches. `--file` names the network; left out, it is the
one that comes with the game. All settings of the search can be given by `--set`.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from hiddenhand.core import resolver
from hiddenhand.core.settings import parse_pairs
from hiddenhand.learning.network_agent import shipped
from hiddenhand.learning.ppo import PPO
from hiddenhand.search.many_games import Answer, Effort, ManyGames, Reading

Array = np.ndarray[Any, Any]
LEARNING = 1_000_000
"""Seeds of the games that are learnt from lie so far from those of the games that count."""


def network(learner: PPO) -> Answer:
    """The network of a file, as the search asks it."""
    layers = learner.layers(learner.mean)
    room: dict[int, torch.Tensor] = {}

    def answer(observation: torch.Tensor, legal: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        count, size = observation.shape
        if count not in room:
            room[count] = torch.zeros((count, learner.inputs), dtype=observation.dtype, device=learner.device)
        room[count][:, :size] = observation
        chances, worth = learner.forward(layers, room[count], legal)
        return chances, worth * learner.scale

    return answer


def learned(many: ManyGames, games: int, seed: int, seats: list[list[int]]) -> Reading:
    """How to read one who searches, from so many games."""
    reading, started = Reading(many.device), time.perf_counter()
    many.play(games, seed, seats, learning=reading)
    print(f"learnt from {games} games in {time.perf_counter() - started:.0f} s: of {reading.moves:,} moves", end=" ")
    print(
        f"{reading.kept / reading.moves:.1%} were the blueprint's; others were made in so many of a thousand cases,"
    )
    print("by what they bring at a glance (down) and the logarithm of the blueprint's chance (across):")
    print("         " + "".join(f"{above:8g}" for above in (-float("inf"), *reading.CHANCES)))
    for above, seen, made in zip((-float("inf"), *reading.GAINS), reading.seen, reading.made, strict=True):
        shares = 1000 * made / seen.clamp(min=1)
        print(f"{above:8g} " + "".join(f"{share:8.1f}" for share in shares.tolist()), flush=True)
    return reading


def told(name: str, payoffs: Array) -> str:
    return f"{name} {payoffs.mean():.4f} +- {1.96 * payoffs.std(ddof=1) / len(payoffs) ** 0.5:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--option", nargs="*", default=[])
    parser.add_argument("--set", nargs="*", default=[], help=f"of {', '.join(Effort._fields)}")
    parser.add_argument("--file", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=500, help="games that are played at once")
    parser.add_argument("--seed", type=int, default=9_000_001)
    parser.add_argument("--places", type=int, default=1 << 19, help="worlds that are played at once")
    parser.add_argument("--who", choices=["single", "joint"], default="single")
    parser.add_argument("--learn", type=int, default=300, help="games with one seat searching, before joint search")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--out", type=Path, help="where the payoffs of every game are kept (.npz)")
    given = parser.parse_args()
    started = time.perf_counter()
    game = resolver.game(given.game, parse_pairs(",".join(given.option), given.game, "option"))
    kinds = {name: type(value) for name, value in Effort()._asdict().items()}
    chosen = parse_pairs(",".join(given.set), "the search", "setting")
    for name in chosen:
        if name not in kinds:
            parser.error(f"the search has no setting {name}; it has {', '.join(kinds)}")
    effort = Effort(**{name: kinds[name](value) for name, value in chosen.items()})
    learner = PPO(game, 1, 0, device=given.device, start=str(given.file or shipped(game)))
    many = ManyGames(game, network(learner), effort, given.places, given.device)
    seats = [[seat] for seat in range(game.players)]
    print(f"{effort}\n{given.who}; ready after {time.perf_counter() - started:.0f} s", flush=True)
    if given.who == "joint":
        many.reading = learned(many, given.learn, given.seed + LEARNING, seats)
        seats = [list(range(game.players))]
    started, without, searched, moves, changed = time.perf_counter(), [], [], 0, 0
    for number, first in enumerate(range(0, given.games, given.batch)):
        games, seed = min(given.batch, given.games - first), given.seed + number
        without.append(many.play(games, seed, [[]]).payoffs[:, 0])
        found = many.play(games, seed, seats)
        searched.append(found.payoffs[:, 0])
        moves, changed = moves + found.moves, changed + found.changed
        report(np.concatenate(without), np.concatenate(searched), game.payoffs[1])
        seconds = time.perf_counter() - started
        each = 1000 * seconds / moves
        print(f"{moves:,} moves searched, {changed / moves:.1%} changed; {each:.2f} ms a move", flush=True)
        if given.out:
            np.savez(given.out, blueprint=np.concatenate(without), searched=np.concatenate(searched))


def report(without: Array, searched: Array, best: float) -> None:
    """The means, with intervals of 95 %."""
    print(f"{len(without)} games:", told("blueprint", without), told(" search", searched), end=" ")
    print(told(" gained", searched - without), f" best possible in {np.mean(searched == best):.1%}")


if __name__ == "__main__":
    main()
