"""The driver: the walk through a game's tree that minimax, max^n, alpha-beta and expectiminimax share.

A search makes a move, comes back with a value, and uses it. How it uses the value is the algorithm; the walk itself
is the same for all of them and written here, once. An algorithm fills in these plug-in points (see `bind`):

    enter(search, workspace, d)                 prepare level d: whose turn it is, the best value before any move
    combine(search, workspace, d, value, how)   the next move of level d is worth `value`: whether it is the best yet
    choose(search, workspace, d)                which move of level d is next, and the window for it
    treat(search, workspace, d, mover, plies)   what to do with the position reached on level d
    close(search, workspace, d)                 the value of level d, all moves that matter having been tried
    estimate(search, s)                         the payoffs that EVAL expects in a position
    probe(search, s, mover)                     what a table of endgames knows of a position

The first two have no default; the other five do what plain minimax does. `workspace` is what the algorithm keeps
beside the stack: arrays and settings of its own, as a named tuple.

Nothing here recurses: the stack is explicit, so that a search can pause after any node and go on later. Level d holds
a state, its legal actions and a FRAME. The driver runs for a given number of nodes and returns; the Python side looks
at the clock, lets Ctrl-C through, and calls it again. That is all there is to time limits.

All values are payoffs of the seat that searches (`me`), so one side maximises and the other minimises.
"""

from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.endgames import UNKNOWN, value_of_code
from hiddenhand.core.features import squashed
from hiddenhand.kernel import OVER, copy, generic, inlined, record_type, unowned
from hiddenhand.kernel.contract import endgame, evaluate, features, judge, legal, payoff, play, turn

MINIMISES, MAXIMISES, AVERAGES = 0, 1, 2
INFINITY = np.inf
EVERYTHING = (-np.inf, np.inf)  # the window that leaves out no value
LINE = 64  # moves of the expected line that are kept

FRAME = record_type(
    [
        ("kind", "i8"),  # MINIMISES, MAXIMISES or AVERAGES
        ("seat", "i8"),  # who moves
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
        ("hint", "i8"),  # the table's move, or -1
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
        ("deepest", "i8"),  # decisions above the node that is farthest from the root
    ]
)

NODE = record_type(
    [
        ("parent", "i8"),  # number of the node above, -1 for the root
        ("action", "i8"),  # that led here
        ("mover", "i8"),
        ("alpha", "f8"),  # the window on arrival
        ("beta", "f8"),
        ("value", "f8"),
        ("values", "f8", (6,)),  # one per seat, in a search that keeps them apart (max^n)
        ("how", "i8"),  # OPEN, then one of the others
    ]
)

# How a node came by its value; OPEN: not at all (yet).
OPEN, ENDED, ESTIMATED, SEARCHED, REMEMBERED = 0, 1, 2, 3, 4


class Search(NamedTuple):
    """One search: what is asked, and the stack. Arrays marked * have one entry per level."""

    me: int  # the seat that searches
    limit: int  # decisions to look ahead
    work: Any  # WORK[1]
    log: Any  # NODE[nodes to write down]: the trace; of length 0 in a search without one
    states: Any  # * records
    actions: Any  # * int64[most actions]
    chances: Any  # * float64[most actions]: the odds, where chance moves
    frames: Any  # * FRAME
    lines: Any  # * int64[LINE]: the expected line from here on
    values: Any  # float64[seats]: payoffs of the node that was valued last
    found: Any  # float64[features]: what EVAL counts; empty in a game without features
    weights: Any  # float64[features]: what each is worth; or float32[a network's numbers]
    scale: float
    endgames: Any  # uint8[positions]: the codes of a table of endgames; empty without one
    rng: Any


# ---- the plug-in points


@generic
def enter(search, workspace, d):
    """Prepare level d: the driver has filled in what every search needs, `kind` and `best` are missing."""
    raise NotImplementedError


@generic
def combine(search, workspace, d, value, how):
    """Take the value of the move last chosen on level d into account: whether it is now the expected move."""
    raise NotImplementedError


@generic
def choose(search, workspace, d):
    """The number of the next action to try on level d, or -1 if no other matters; and the window for it."""
    frame = search.frames[d]
    if frame.tried == frame.count:
        return -1, EVERYTHING
    frame.tried += 1
    return frame.tried - 1, EVERYTHING


@generic
def treat(search, workspace, d, mover, plies):
    """What to do with the position on level d, `plies` decisions below the root: ESTIMATED or SEARCHED, or
    REMEMBERED (its value has been written into search.values) or OPEN (it gets none, and its parent goes on)."""
    return ESTIMATED if plies >= search.limit or d + 1 >= len(search.states) else SEARCHED


@generic
def close(search, workspace, d):
    """The value of level d, of which nothing more is to be searched."""
    return search.frames[d].best


@generic
def estimate(search, s):
    """Write the payoffs that EVAL expects into search.values."""
    evaluate(s, search.values)


@generic
def estimate_by_features(search, s):
    """The same with the weights of this search, in a game with features."""
    features(s, search.found)
    squashed(search.found, search.weights, search.scale, search.values)


@generic
def estimate_by_network(search, s):
    """The same by a network: the weights of this search are its numbers."""
    judge(s, search.weights, search.values)


@generic
def probe(search, s, mover):
    """What is known of a position without a search: OPEN, or the values are written and REMEMBERED or ESTIMATED."""
    return OPEN


@generic
def probe_endgames(search, s, mover):
    """The same with a table of endgames, in a game of two sides."""
    code, settled = endgame(s, search.endgames)
    if code == UNKNOWN:
        return OPEN
    value = value_of_code(code, settled)
    for seat in range(2):
        search.values[seat] = value if seat == mover else -value
    return REMEMBERED if settled else ESTIMATED


# ---- the walk


@generic
def walk(search, workspace, budget):
    """Go on for at most `budget` nodes; whether the search is finished. The value is then frames[0].best."""
    search = borrowed(search)
    work, states, frames = search.work[0], search.states, search.frames
    stop = work.nodes + budget
    d = work.level
    if work.nodes == 0:
        work.nodes = 1
        mover = turn(states[0])
        note_node(search.log, 0, -1, -1, mover, EVERYTHING)
        arrive(search, 0, 0, mover, 0, EVERYTHING)
        enter(search, workspace, 0)
    while work.nodes < stop:
        number, window = choose(search, workspace, d)
        if number >= 0:
            frame, child = frames[d], states[d + 1]
            action = search.actions[d, number]
            copy(child, states[d])
            play(child, action, search.rng)
            mover = turn(child)
            node = work.nodes
            work.nodes += 1
            plies = frame.plies + (frame.kind != AVERAGES)
            work.deepest = max(work.deepest, plies)
            note_node(search.log, node, frame.node, action, mover, window)
            if mover == OVER:
                how = ENDED
                payoff(child, search.values)
            else:
                how = probe(search, child, mover)
                if how == ESTIMATED:
                    work.estimates += 1
                if how == OPEN:
                    how = treat(search, workspace, d + 1, mover, plies)
                    if how == OPEN:
                        continue
                    if how == SEARCHED:
                        d += 1
                        arrive(search, d, node, mover, plies, window)
                        enter(search, workspace, d)
                        continue
                    if how == ESTIMATED:
                        work.estimates += 1
                        estimate(search, child)
            value = search.values[search.me]
            note_value(search.log, node, value, search.values, how)
        else:
            how = SEARCHED
            value = close(search, workspace, d)
            frames[d].best = value
            note_value(search.log, frames[d].node, value, search.values, how)
            if d == 0:
                return True
            d -= 1
        if combine(search, workspace, d, value, how):
            lengthen(search.lines, frames, d, how)
    work.level = d
    return False


@inlined
def borrowed(search):
    """The same search, its arrays without counts of their users: the search is twice as fast without counting."""
    return Search(
        search.me,
        search.limit,
        unowned(search.work),
        unowned(search.log),
        unowned(search.states),
        unowned(search.actions),
        unowned(search.chances),
        unowned(search.frames),
        unowned(search.lines),
        unowned(search.values),
        unowned(search.found),
        unowned(search.weights),
        search.scale,
        unowned(search.endgames),
        unowned(search.rng),
    )


@generic
def arrive(search, d, node, mover, plies, window):
    """Begin level d, whose state is not the end, as every search does."""
    frame = search.frames[d]
    frame.node = node
    frame.seat = mover
    frame.plies = plies
    frame.alpha, frame.beta = window
    frame.count = legal(search.states[d], search.actions[d])
    frame.tried = 0
    frame.action = -1
    frame.length = 0


@inlined
def lengthen(lines, frames, d, how):
    """The expected line from level d: its best action, then the line of the level below, if that was searched."""
    lines[d, 0] = frames[d].action
    n = min(frames[d + 1].length, LINE - 1) if how == SEARCHED else 0
    for i in range(n):
        lines[d, i + 1] = lines[d + 1, i]
    frames[d].length = n + 1


# ---- the trace


@inlined
def note_node(log, node, parent, action, mover, window):
    """Write a node into the trace, if there is room (there is none in a search without a trace)."""
    if node < len(log):
        entry = log[node]
        entry.parent = parent
        entry.action = action
        entry.mover = mover
        entry.alpha, entry.beta = window
        entry.how = OPEN


@inlined
def note_value(log, node, value, values, how):
    """Write the value of a node into the trace."""
    if node < len(log):
        entry = log[node]
        entry.value = value
        for seat in range(len(values)):
            entry.values[seat] = values[seat]
        entry.how = how
