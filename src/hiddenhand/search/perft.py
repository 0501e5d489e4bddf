"""Perft: counts the paths of moves of each length, the standard test of a move generator."""

import numpy as np

from hiddenhand.core.game import Game
from hiddenhand.kernel import OVER, copy, generic, new_records, stream
from hiddenhand.kernel.contract import legal, play, turn

FULL = -1


@generic
def count_paths(states, actions, counts, tried, moves, depth, rng):
    """How many sequences of exactly `depth` moves start in states[0].

    What a seat does until it is somebody else's turn is one move. FULL if there is no room for so many actions.
    """
    if turn(states[0]) == OVER:
        return 0
    total = 0
    d = 0
    counts[0] = legal(states[0], actions[0])
    tried[0] = 0
    moves[0] = 0
    while d >= 0:
        if tried[d] == counts[d]:
            d -= 1
            continue
        action = actions[d, tried[d]]
        tried[d] += 1
        copy(states[d + 1], states[d])
        play(states[d + 1], action, rng)
        then = turn(states[d + 1])
        made = moves[d] + (1 if then != turn(states[d]) else 0)
        if made == depth:
            total += 1
        elif then != OVER:
            d += 1
            if d == len(counts):
                return FULL
            counts[d] = legal(states[d], actions[d])
            tried[d] = 0
            moves[d] = made
    return total


def perft(game: Game, depth: int, state: np.record | None = None) -> int:
    """The number of move paths of this length from a state, or from the deal with seed 0."""
    levels, paths = depth, FULL
    while paths == FULL:
        states = new_records(game.rules.state, levels + 1)
        states[0] = game.deal(rolls=False).state if state is None else state
        counts, tried, moves = np.zeros((3, levels), np.int64)
        actions = np.zeros((levels, game.most_actions), np.int64)
        paths = int(game.rules.bind(count_paths)(states, actions, counts, tried, moves, depth, stream(0)))
        levels *= 2
    return paths
