"""PPO from nothing on a few cores, ten minutes each, and how strong it becomes: `learn_on_cpu.py GAME`.

    connect_four   against uct:simulations=200
    leduc          its exploitability
    snaps          against the agent `rules`

Ten times on the way, and in the end. More can be said: `seconds=600`, `out=FILE`, and every setting of the learner,
such as `width=128`. The network is left in `GAME_ppo.npz` unless `out` says otherwise. Matches are over duplicate
deals (connect four: the first two moves are drawn at random), and their intervals are of 95 %; those on the way are
shorter, over other games. The time counts learning only.
"""

from __future__ import annotations

import sys
import time

import hiddenhand as hh
from hiddenhand.lab.statistics import summarise
from hiddenhand.learning.ppo import PPO
from hiddenhand.search import evaluate, sequence_form, strategy_of_agents

AGAINST = {"connect_four": "uct:simulations=200", "snaps": "rules"}
GAMES = {"connect_four": 1000, "snaps": 100_000}
REPORTS = 10


def main(name: str, seconds: int | str = 600, out: str = "", **settings: str) -> None:
    seconds = int(seconds)
    started, game = time.perf_counter(), hh.game(name)
    learner = PPO(game, 1, 0, seconds=seconds, **settings)
    form = sequence_form(game) if name == "leduc" else None
    learner.learn(0)
    print(f"{name}: ready after {time.perf_counter() - started:.0f} s", flush=True)
    for part in range(REPORTS):
        learner.learn(seconds // REPORTS)
        told = f"{learner.seconds:5.0f} s {learner.moves:12,} moves ({learner.moves / learner.seconds:,.0f} a second)"
        if form is not None:
            policy = strategy_of_agents(form, [learner.player()] * 2).policy
            told += f"  exploitability {evaluate(form, policy).exploitability:.4f}"
        else:
            last = part == REPORTS - 1
            told += "  " + match(learner, AGAINST[name], GAMES[name] // (1 if last else 5), 1_000_003 if last else 5)
        print(told, flush=True)
    learner.save(out or f"{name}_ppo.npz")


def match(learner: PPO, other: str, games: int, seed: int) -> str:
    """What the network won, a game and seat; half of the seats are its own."""
    game = learner.game
    mine = game.players // 2
    players = [learner.player()] * mine + [hh.agent(game, other)] * (game.players - mine)
    result = hh.match(game, players, games, seed, duplicate=True, opening=learner.opening)
    won = result.payoffs[:, :mine].mean(axis=1)
    found = summarise(won, result.per_deal(won))
    return f"against {other} {found.mean:+.3f} ({found.low:+.3f} to {found.high:+.3f}), {games:,} games"


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if not arguments or arguments[0] not in ("connect_four", "leduc", "snaps"):
        sys.exit(str(__doc__))
    main(arguments[0], **dict(pair.split("=", 1) for pair in arguments[1:]))
