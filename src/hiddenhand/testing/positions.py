"""The positions that the conformance suite looks at: some games between random players, from fixed seeds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from hiddenhand.core import resolver
from hiddenhand.core.game import Game
from hiddenhand.core.table import Table
from hiddenhand.kernel import CHANCE, game_seed

GAMES = 12
ENOUGH = 60
"""The first positions, this many, are all looked at; then every second one, later every third, and so on."""


def positions(game: Game, games: int = GAMES, seed: int = 1) -> Iterator[Table]:
    """The positions, chance's included, of some games between random players: all ends, and of long games a part."""
    agent = resolver.agent(game, "random")
    seen = 0
    for number in range(games):
        table = Table(game, int(game_seed(np.uint64(seed), number)), rolls=False)
        while True:
            if table.over or len(table.history) % (1 + seen // ENOUGH) == 0:
                seen += 1
                yield table
            if table.over:
                break
            assert len(table.history) < game.longest, f"no end after {game.longest} plies: is `longest` too small?"
            if table.turn == CHANCE:
                table.roll()
            else:
                table.play(table.ask(agent).action)


def snapshots(game: Game, games: int) -> list[dict[str, Any]]:
    """Some whole games between random players, as plain data."""
    return [
        {
            "actions": list(table.history),
            "payoffs": table.payoffs(),
            "decisions": sum(mover >= 0 for mover in table.movers),
            "state": table.state.tobytes().hex(),
        }
        for table in positions(game, games=games)
        if table.over
    ]
