"""The stack that tree searches share: explicit, so that a search can pause after any node and go on later.

A search never recurses. Level d of the stack holds a state, its legal actions and a FRAME: how many of them have been
tried, the best value so far, the window. A kernel runs for a given number of nodes and returns; the Python side looks
at the clock, lets Ctrl-C through, and calls it again. That is all there is to time limits.

All values are payoffs of the seat that searches (`me`), so one side maximises and the other minimises.
"""

import numpy as np

from hiddenhand.kernel import generic, record_type, rule
from hiddenhand.kernel.contract import evaluate, payoff, play, turn
from hiddenhand.kernel.records import copy

MINIMISES, MAXIMISES, AVERAGES = 0, 1, 2
INFINITY = np.inf
LINE = 64  # moves of the expected line that are kept

FRAME = record_type(
    [
        ("kind", "i8"),  # MINIMISES, MAXIMISES or AVERAGES
        ("count", "i8"),  # actions to try
        ("tried", "i8"),
        ("plies", "i8"),  # decisions above this level: chance does not count
        ("best", "f8"),  # of those tried; at chance, the sum so far
        ("action", "i8"),  # that gave it
        ("length", "i8"),  # of the expected line from here
        ("alpha", "f8"),  # the window now: values outside it cannot matter
        ("beta", "f8"),
        ("floor", "f8"),  # the window at first
        ("ceiling", "f8"),
        ("node", "i8"),  # number of this node, for the trace
        ("key", "u8"),  # fingerprint, for the table
        ("seat", "i8"),  # who moves
        ("probed", "i8"),  # at chance, for Star2: outcomes probed so far
        ("outcome", "i8"),  # at chance: the one being searched
        ("cut", "i8"),  # at chance: whether the other outcomes no longer matter
    ]
)

WORK = record_type(
    [
        ("level", "i8"),  # of the stack, where the search stands
        ("nodes", "i8"),  # visited, the root included
        ("estimates", "i8"),  # nodes where the search was cut off and EVAL was asked
        ("hits", "i8"),  # answers found in the table
    ]
)

NODE = record_type(
    [
        ("parent", "i8"),
        ("action", "i8"),  # that led here
        ("mover", "i8"),
        ("alpha", "f8"),  # the window on arrival
        ("beta", "f8"),
        ("values", "f8", (6,)),  # one number, or one per player
        ("how", "i8"),  # OPEN, then one of the others
    ]
)

OPEN, ENDED, ESTIMATED, SEARCHED, REMEMBERED = 0, 1, 2, 3, 4


@rule
def lengthen(lines, frames, d, action, tail):
    """The expected line from level d: this action, then the line of the level below (`tail` moves of it)."""
    lines[d, 0] = action
    n = min(tail, LINE - 1)
    for i in range(n):
        lines[d, i + 1] = lines[d + 1, i]
    frames[d].length = n + 1


@rule
def note_node(log, node, parent, action, mover, alpha, beta):
    """Write a node into the trace, if there is room (there is none in a search without a trace)."""
    if node < len(log):
        entry = log[node]
        entry.parent = parent
        entry.action = action
        entry.mover = mover
        entry.alpha = alpha
        entry.beta = beta
        entry.how = OPEN


@rule
def note_value(log, node, value, how):
    """Write the value of a node into the trace."""
    if node < len(log):
        log[node].values[0] = value
        log[node].how = how


@generic
def descend(w, log, s, child, frame, action, alpha, beta, rng):
    """Play an action of a frame, from its state on that of the level below: (who moves there, the node's number)."""
    copy(child, s)
    play(child, action, rng)
    node = w.nodes
    w.nodes += 1
    mover = turn(child)
    note_node(log, node, frame.node, action, mover, alpha, beta)
    return mover, node


@generic
def final_value(s, log, node, values, me):
    """The value of the end of a game."""
    payoff(s, values)
    note_value(log, node, values[me], ENDED)
    return values[me]


@generic
def estimated_value(w, s, log, node, values, me):
    """What EVAL says where the search is cut off."""
    evaluate(s, values)
    w.estimates += 1
    note_value(log, node, values[me], ESTIMATED)
    return values[me]


@rule
def improve(frame, action, value):
    """Take the value of an action into account: whether it is the best so far for the side that moves."""
    if frame.kind == MAXIMISES:
        if value <= frame.best:
            return False
    elif value >= frame.best:
        return False
    frame.best = value
    frame.action = action
    return True
