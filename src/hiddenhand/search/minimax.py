"""Minimax: the definition. The value of a position, if both sides play best; at chance, the mean.

    value(n) = payoff(n)                       if n is the end (or EVAL, where the search is cut off)
             = max or min over the moves       if one of the sides moves
             = mean over the outcomes          if chance moves

Nothing is pruned: this is what the other searches are measured against.
"""

from hiddenhand.kernel import CHANCE, OVER, generic
from hiddenhand.kernel.contract import legal, odds, side, turn
from hiddenhand.search.stack import (
    AVERAGES,
    INFINITY,
    MAXIMISES,
    MINIMISES,
    SEARCHED,
    descend,
    estimated_value,
    final_value,
    improve,
    lengthen,
    note_node,
    note_value,
)
from hiddenhand.search.tree_search import TreeSearch


@generic
def enter(states, actions, frames, chances, d, mover, plies, node, me):
    """Prepare level d, whose state is not the end."""
    frame = frames[d]
    frame.count = legal(states[d], actions[d])
    frame.tried = 0
    frame.plies = plies
    frame.length = 0
    frame.node = node
    if mover == CHANCE:
        frame.kind = AVERAGES
        frame.best = 0.0
        odds(states[d], chances[d])
    elif side(states[d], mover) == side(states[d], me):
        frame.kind = MAXIMISES
        frame.best = -INFINITY
    else:
        frame.kind = MINIMISES
        frame.best = INFINITY


@generic
def search(work, log, states, actions, frames, lines, values, rng, me, limit, budget, chances):
    """Go on for at most `budget` nodes; whether the search is finished. The value is frames[0].best."""
    w = work[0]
    stop = w.nodes + budget
    d = w.level
    if w.nodes == 0:
        w.nodes = 1
        mover = turn(states[0])
        note_node(log, 0, -1, -1, mover, -INFINITY, INFINITY)
        enter(states, actions, frames, chances, 0, mover, 0, 0, me)
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
                value = final_value(states[d + 1], log, node, values, me)
            elif plies >= limit or d + 2 >= len(states):
                value = estimated_value(w, states[d + 1], log, node, values, me)
            else:
                d += 1
                enter(states, actions, frames, chances, d, mover, plies, node, me)
                continue
        else:
            value = frame.best
            note_value(log, frame.node, value, SEARCHED)
            if d == 0:
                return True
            tail = frame.length
            d -= 1
        frame = frames[d]
        if frame.kind == AVERAGES:
            frame.best += chances[d, frame.tried - 1] * value
        elif improve(frame, actions[d, frame.tried - 1], value):
            lengthen(lines, frames, d, frame.action, tail)


class Minimax(TreeSearch):
    """Minimax without any pruning."""

    name = "minimax"
    summary = "searches the whole tree to a depth; nothing is pruned"
    kernel = search

    def rooms(self, levels):
        return (self.room_for_odds(levels),)
