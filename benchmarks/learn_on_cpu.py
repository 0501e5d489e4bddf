"""PPO from nothing on a few cores, ten minutes each, and how strong it becomes: `learn_on_cpu.py GAME`.

    connect_four   against uct:simulations=200
    leduc          its exploitability, on the way and in the end
    snaps          against the agent `rules`

The network is left in `GAME_ppo.npz`. A match is over duplicate deals (connect four: the first two moves are drawn at
random), and its interval is of 95 %.
"""

from __future__ import annotations

import sys
import time

import hiddenhand as hh
from hiddenhand.learning.ppo import PPO
from hiddenhand.search import build_tree, exploitability, strategy_from

AGAINST = {"connect_four": "uct:simulations=200", "snaps": "rules"}
GAMES = {"connect_four": 400, "snaps": 20_000}
REPORTS = 10


def main(name: str, seconds: int | str = 600, **settings: str) -> None:
    seconds = int(seconds)
    started, game = time.perf_counter(), hh.game(name)
    learner = PPO(game, 1, 0, seconds=seconds, **settings)
    tree = build_tree(game) if name == "leduc" else None
    learner.learn(0)
    print(f"{name}: ready after {time.perf_counter() - started:.0f} s", flush=True)
    for _ in range(REPORTS):
        learner.learn(seconds // REPORTS)
        told = f"{learner.seconds:5.0f} s {learner.moves:12,} moves ({learner.moves / learner.seconds:,.0f} a second)"
        player = learner.player()
        if tree is not None:
            told += f"  exploitability {exploitability(tree, strategy_from(tree, player.chances)):.4f}"
        else:
            scores = hh.match(game, seated(game, player, "random"), 200, 5, duplicate=True, opening=learner.opening)
            told += f"  against random {scores.payoffs[:, : game.players // 2].mean():+.3f}"
        print(told, flush=True)
    learner.save(f"{name}_ppo.npz")
    if name in AGAINST:
        players = seated(game, learner.player(), AGAINST[name])
        print(hh.match(game, players, GAMES[name], 1_000_003, duplicate=True, opening=learner.opening))


def seated(game: hh.Game, player: object, other: str) -> list[object]:
    """Half of the seats for either."""
    mine = game.players // 2
    return [player] * mine + [hh.agent(game, other)] * (game.players - mine)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if not arguments or arguments[0] not in ("connect_four", "leduc", "snaps"):
        sys.exit(str(__doc__))
    main(arguments[0], **dict(pair.split("=", 1) for pair in arguments[1:]))
