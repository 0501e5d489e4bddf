"""Minimax: the definition. The value of a position, if both sides play best; at chance, the mean.

    value(n) = payoff(n)                       if n is the end (or EVAL, where the search is cut off)
             = max or min over the moves       if one of the sides moves
             = mean over the outcomes          if chance moves

Nothing is pruned: this is what the other searches are measured against. The walk through the tree is in `driver`.
"""

from hiddenhand.core.text import Text
from hiddenhand.kernel import CHANCE, generic, inlined
from hiddenhand.kernel.contract import odds, side
from hiddenhand.search import driver
from hiddenhand.search.driver import AVERAGES, INFINITY, MAXIMISES, MINIMISES
from hiddenhand.search.tree_search import TreeSearch


@generic
def take_side(search, d):
    """Whether the mover of level d is on the side that searches; the worst there is, before any move is tried."""
    frame, s = search.frames[d], search.states[d]
    if side(s, frame.seat) == side(s, search.me):
        frame.kind = MAXIMISES
        frame.best = -INFINITY
    else:
        frame.kind = MINIMISES
        frame.best = INFINITY


@inlined
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


@generic
def enter(search, workspace, d):
    """One of the sides moves here, or chance."""
    frame = search.frames[d]
    if frame.seat == CHANCE:
        frame.kind = AVERAGES
        frame.best = 0.0
        odds(search.states[d], search.chances[d])
    else:
        take_side(search, d)


@generic
def combine(search, workspace, d, value, how):
    """The maximum, the minimum or the mean."""
    frame = search.frames[d]
    number = frame.tried - 1
    if frame.kind == AVERAGES:
        frame.best += search.chances[d, number] * value
        return False
    return improve(frame, search.actions[d, number], value)


class Minimax(TreeSearch):
    """Minimax without any pruning."""

    name = "minimax"
    summary = Text("looks at every line of play to a depth, and skips nothing")
    plugs = {driver.enter: enter, driver.combine: combine}
