"""Alpha-beta: minimax's answer from far fewer nodes.

alpha is what the maximising side is already sure of, beta what the minimising side is; a branch in which alpha
reaches beta cannot matter and is cut. On top of that, each of them optional:

- iterative deepening: depth 1, 2, 3, ..., each search ordering the next; a time limit ends it after any node;
- a table of positions already searched, reached again by another order of moves;
- ordering: first the table's move, then moves that cut elsewhere on this level, then the game's own order;
- quiescence: at the depth limit, positions that the game calls unquiet are searched a few moves further, against the
  horizon effect.

Sides, not seats, oppose each other, so partners maximise together (`side` in the contract). An entry of the table
counts only for the same remaining depth: the value is exactly that of minimax to the same depth.
"""

import numpy as np

from hiddenhand.core.settings import Setting
from hiddenhand.kernel import OVER, digest, generic, new_records, record_type, rule
from hiddenhand.kernel.contract import legal, order, quiet, side, turn
from hiddenhand.search.stack import (
    INFINITY,
    MAXIMISES,
    MINIMISES,
    REMEMBERED,
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

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
ENTRY = record_type([("key", "u8"), ("value", "f8"), ("action", "i4"), ("depth", "i2"), ("bound", "i2")])


@rule
def bring_forward(actions, count, wanted):
    """Move one action to the front, if it is there."""
    for i in range(count):
        if actions[i] == wanted:
            for j in range(i, 0, -1):
                actions[j] = actions[j - 1]
            actions[0] = wanted
            return


@rule
def fingerprint(s, salt):
    """The key of a position in this search. The salt leaves the lower bits alone, and so the place in the table: the
    same search visits the same nodes whatever was searched before."""
    return digest(s, 0) ^ (salt << np.uint64(26))


@rule
def recall(table, key, depth, alpha, beta):
    """What the table says: (whether it settles the value, the value, the best action or -1)."""
    entry = table[key & np.uint64(len(table) - 1)]
    if entry.key != key or entry.bound == 0:
        return False, 0.0, -1
    settles = entry.depth == depth and (
        entry.bound == EXACT
        or (entry.bound == AT_LEAST and entry.value >= beta)
        or (entry.bound == AT_MOST and entry.value <= alpha)
    )
    return settles, entry.value, np.int64(entry.action)


@rule
def remember(table, frame, depth):
    """Keep what was found out about the position of a frame."""
    entry = table[frame.key & np.uint64(len(table) - 1)]
    entry.key = frame.key
    entry.value = frame.best
    entry.action = frame.action
    entry.depth = depth
    if frame.best <= frame.floor:
        entry.bound = AT_MOST
    elif frame.best >= frame.ceiling:
        entry.bound = AT_LEAST
    else:
        entry.bound = EXACT


@rule
def narrow(frame, value):
    """The best value so far is what one side is sure of from now on."""
    if frame.kind == MAXIMISES:
        frame.alpha = max(frame.alpha, value)
    else:
        frame.beta = min(frame.beta, value)


@generic
def enter(states, actions, frames, killers, d, mover, node, me, alpha, beta, key, hint, ordering):
    """Prepare level d, whose state is not the end."""
    frame = frames[d]
    count = legal(states[d], actions[d])
    if ordering:
        order(states[d], actions[d], count)
        bring_forward(actions[d], count, killers[d, 1])
        bring_forward(actions[d], count, killers[d, 0])
    if hint >= 0:
        bring_forward(actions[d], count, hint)
    frame.count = count
    frame.tried = 0
    frame.length = 0
    frame.action = -1
    frame.node = node
    frame.key = key
    frame.alpha = alpha
    frame.beta = beta
    frame.floor = alpha
    frame.ceiling = beta
    if side(states[d], mover) == side(states[d], me):
        frame.kind = MAXIMISES
        frame.best = -INFINITY
    else:
        frame.kind = MINIMISES
        frame.best = INFINITY


@generic
def search(
    work, log, states, actions, frames, lines, values, rng, me, limit, budget, table, killers, salt, ordering, further
):
    """Go on for at most `budget` nodes; whether the search is finished. The value is frames[0].best."""
    w = work[0]
    stop = w.nodes + budget
    d = w.level
    if w.nodes == 0:
        w.nodes = 1
        mover = turn(states[0])
        note_node(log, 0, -1, -1, mover, -INFINITY, INFINITY)
        hint = -1
        key = np.uint64(0)
        if len(table) > 0:
            key = fingerprint(states[0], salt)
            hint = recall(table, key, limit, -INFINITY, INFINITY)[2]
        enter(states, actions, frames, killers, 0, mover, 0, me, -INFINITY, INFINITY, key, hint, ordering)
    while True:
        frame = frames[d]
        tail = 0
        if frame.tried < frame.count and frame.alpha < frame.beta:
            if w.nodes >= stop:
                w.level = d
                return False
            frame.tried += 1
            action = actions[d, frame.tried - 1]
            mover, node = descend(w, log, states[d], states[d + 1], frame, action, frame.alpha, frame.beta, rng)
            child = states[d + 1]
            if mover == OVER:
                value = final_value(child, log, node, values, me)
            elif d + 1 >= limit and (d + 1 >= limit + further or d + 2 >= len(states) or quiet(child)):
                value = estimated_value(w, child, log, node, values, me)
            else:
                settled, value, hint, key = False, 0.0, -1, np.uint64(0)
                if len(table) > 0 and d + 1 < limit:
                    key = fingerprint(child, salt)
                    settled, value, hint = recall(table, key, limit - d - 1, frame.alpha, frame.beta)
                if not settled:
                    alpha, beta = frame.alpha, frame.beta
                    d += 1
                    enter(states, actions, frames, killers, d, mover, node, me, alpha, beta, key, hint, ordering)
                    continue
                w.hits += 1
                note_value(log, node, value, REMEMBERED)
        else:
            value = frame.best
            note_value(log, frame.node, value, SEARCHED)
            if frame.tried < frame.count and frame.action != killers[d, 0]:
                killers[d, 1] = killers[d, 0]
                killers[d, 0] = frame.action
            if len(table) > 0 and d < limit:
                remember(table, frame, limit - d)
            if d == 0:
                return True
            tail = frame.length
            d -= 1
        frame = frames[d]
        if improve(frame, actions[d, frame.tried - 1], value):
            narrow(frame, value)
            lengthen(lines, frames, d, frame.action, tail)


class AlphaBeta(TreeSearch):
    """Alpha-beta with everything that makes it strong; each part can be switched off."""

    name = "alphabeta"
    summary = "minimax's move from far fewer nodes: windows, deepening, table, ordering, quiescence"
    kernel = search
    settings = {
        **TreeSearch.settings,
        "deepening": Setting(True, "search depth 1, 2, 3, ... in turn"),
        "ordering": Setting(True, "try promising moves first"),
        "table": Setting(18, "2 to this power positions are remembered; 0 for none", low=0, high=26),
        "quiescence": Setting(4, "search unquiet positions so many moves further", low=0, high=32),
    }

    @classmethod
    def refuses(cls, game):
        if game.outcomes:
            return "chance moves in it; use expectiminimax"
        return super().refuses(game)

    def rooms(self, levels):
        if not hasattr(self, "entries"):
            self.entries = new_records(ENTRY, 1 << self.table if self.table else 0)
            self.searches = 0
            self.killers = np.full((self.levels(self.limit()), 2), -1, np.int64)
        return (self.entries, self.killers, np.uint64(self.searches), self.ordering, self.quiescence)

    def forget(self):
        """A new decision owes nothing to earlier ones: old entries no longer match."""
        self.rooms(0)
        self.searches += 1
        self.killers.fill(-1)
