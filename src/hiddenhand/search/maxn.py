"""Max^n: minimax for many players. Every node has a vector of values, one per seat, and the mover takes the vector in
which its own number is largest (the first of several); at chance, the mean vector.

For two players and payoffs of opposite sign this is minimax.
"""

import numpy as np

from hiddenhand.kernel import CHANCE, OVER, generic, rule
from hiddenhand.kernel.contract import legal, odds, turn
from hiddenhand.search.stack import (
    AVERAGES,
    ENDED,
    ESTIMATED,
    INFINITY,
    MAXIMISES,
    SEARCHED,
    descend,
    estimated_value,
    final_value,
    improve,
    lengthen,
    note_node,
)
from hiddenhand.search.tree_search import TreeSearch


@generic
def enter(states, actions, frames, chances, vectors, d, mover, plies, node):
    """Prepare level d, whose state is not the end."""
    frame = frames[d]
    frame.count = legal(states[d], actions[d])
    frame.tried = 0
    frame.plies = plies
    frame.length = 0
    frame.node = node
    frame.seat = mover
    frame.kind = MAXIMISES
    frame.best = -INFINITY
    if mover == CHANCE:
        frame.kind = AVERAGES
        odds(states[d], chances[d])
        for seat in range(vectors.shape[1]):
            vectors[d, seat] = 0.0


@rule
def note_values(log, node, values, how):
    """Write the whole vector of a node into the trace."""
    if node < len(log):
        for seat in range(len(values)):
            log[node].values[seat] = values[seat]
        log[node].how = how


@generic
def search(work, log, states, actions, frames, lines, values, rng, me, limit, budget, chances, vectors):
    """Go on for at most `budget` nodes; whether the search is finished. The values are vectors[0]."""
    w = work[0]
    stop = w.nodes + budget
    d = w.level
    if w.nodes == 0:
        w.nodes = 1
        mover = turn(states[0])
        note_node(log, 0, -1, -1, mover, -INFINITY, INFINITY)
        enter(states, actions, frames, chances, vectors, 0, mover, 0, 0)
    while True:
        frame = frames[d]
        tail = 0
        if frame.tried < frame.count:
            if w.nodes >= stop:
                w.level = d
                return False
            frame.tried += 1
            action = actions[d, frame.tried - 1]
            mover, node = descend(w, log, states[d], states[d + 1], frame, action, -INFINITY, INFINITY, rng)
            plies = frame.plies + (frame.kind != AVERAGES)
            if mover == OVER:
                final_value(states[d + 1], log, node, values, me)
                note_values(log, node, values, ENDED)
            elif plies >= limit or d + 2 >= len(states):
                estimated_value(w, states[d + 1], log, node, values, me)
                note_values(log, node, values, ESTIMATED)
            else:
                d += 1
                enter(states, actions, frames, chances, vectors, d, mover, plies, node)
                continue
        else:
            for seat in range(len(values)):
                values[seat] = vectors[d, seat]
            note_values(log, frame.node, values, SEARCHED)
            if d == 0:
                frame.best = values[me]
                return True
            tail = frame.length
            d -= 1
        frame = frames[d]
        if frame.kind == AVERAGES:
            for seat in range(len(values)):
                vectors[d, seat] += chances[d, frame.tried - 1] * values[seat]
        elif improve(frame, actions[d, frame.tried - 1], values[frame.seat]):
            lengthen(lines, frames, d, frame.action, tail)
            for seat in range(len(values)):
                vectors[d, seat] = values[seat]


class MaxN(TreeSearch):
    """Every player for itself."""

    name = "maxn"
    summary = "every player maximises its own payoff (max^n): for more than two players and for general payoffs"
    kernel = search

    @classmethod
    def refuses(cls, game):
        if game.draws and not game.hidden:
            return "its moves draw at random, which a search of its tree would foresee; use uct"
        return "it has hidden information; use pimc or ismcts" if game.hidden else ""

    def rooms(self, levels):
        return (self.room_for_odds(levels), np.zeros((levels, self.game.players)))
