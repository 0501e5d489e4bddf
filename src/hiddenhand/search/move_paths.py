"""Perft: counts the paths of moves of each length, the standard test of a move generator."""

from typing import Any

import numpy as np

from hiddenhand.core.game import Game
from hiddenhand.kernel import OVER, copy, generic, new_records, stream
from hiddenhand.kernel.contract import legal, play, turn


@generic
def count_paths(states, actions, counts, tried, depth, rng):
    """How many sequences of exactly `depth` moves start in states[0]; states: record[depth + 1]."""
    if turn(states[0]) == OVER:
        return 0
    total = 0
    d = 0
    counts[0] = legal(states[0], actions[0])
    tried[0] = 0
    while d >= 0:
        if d == depth - 1:
            total += counts[d]
            d -= 1
        elif tried[d] < counts[d]:
            action = actions[d, tried[d]]
            tried[d] += 1
            copy(states[d + 1], states[d])
            play(states[d + 1], action, rng)
            if turn(states[d + 1]) != OVER:
                d += 1
                counts[d] = legal(states[d], actions[d])
                tried[d] = 0
        else:
            d -= 1
    return total


def perft(game: Game, depth: int, state: Any = None) -> int:
    """The number of move paths of this length from a state, or from the deal with seed 0."""
    states = new_records(game.state, depth + 1)
    states[0] = game.deal(rolls=False).state if state is None else state
    room = (np.zeros((depth, game.most_actions), np.int64), np.zeros(depth, np.int64), np.zeros(depth, np.int64))
    return int(game.bind(count_paths)(states, *room, depth, stream(0)))
