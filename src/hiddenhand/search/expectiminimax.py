"""Expectiminimax with pruning at chance nodes: Star1 and Star2 (Ballard, 1983).

The value of a chance node is a mean, so it is known to lie between two sums: outcome i contributes odds[i] times a
number between low[i] and high[i], at first the lowest and highest payoff of the game, later the value that was found.

- Star1: outcome i is searched with the window in which it can still move the mean across alpha or beta. As soon as
  the sum of the highs falls to alpha, or the sum of the lows reaches beta, the other outcomes need no search.
- Star2: before that, one move is tried after every outcome. If the maximising side moves there, its value is a low
  for that outcome; if the minimising side does, a high. Often that alone is enough to cut. If it is not, the search
  of that outcome goes on with its second move: the work of a probe is never done twice.

The maximising and minimising nodes in between are those of alpha-beta.
"""

from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.kernel import CHANCE, generic, rule
from hiddenhand.kernel.contract import odds, order
from hiddenhand.search import driver
from hiddenhand.search.alphabeta import narrow, next_move
from hiddenhand.search.driver import AVERAGES, ESTIMATED, EVERYTHING, INFINITY, MAXIMISES, OPEN, SEARCHED
from hiddenhand.search.minimax import improve, take_side
from hiddenhand.search.tree_search import TreeSearch

NONE, STAR1, STAR2 = 0, 1, 2
PRUNINGS = ("none", "star1", "star2")

# what a value that comes back to a chance node tells about its outcome
THE_VALUE, INSIDE_WINDOW, A_LOW, A_HIGH = 0, 1, 2, 3


class ExpectiminimaxWorkspace(NamedTuple):
    """What expectiminimax needs besides the stack."""

    lows: np.ndarray[Any, Any]  # float64[levels, most actions]: at chance, bounds on the value of each outcome
    highs: np.ndarray[Any, Any]
    lowest: float  # payoff of the game
    highest: float
    star: int  # NONE, STAR1 or STAR2


@rule
def mean_of(chances, numbers, count, without):
    """The sum of odds times numbers, one outcome left out (none if `without` is -1)."""
    total = 0.0
    for i in range(count):
        if i != without:
            total += chances[i] * numbers[i]
    return total


@rule
def narrow_outcome(frame, chances, lows, highs, i):
    """Set the window in which outcome i can still move the mean of a chance node across alpha or beta."""
    frame.floor = (frame.alpha - mean_of(chances, highs, frame.count, i)) / chances[i]
    frame.ceiling = (frame.beta - mean_of(chances, lows, frame.count, i)) / chances[i]


@rule
def settle(frame, chances, lows, highs, value, meaning):
    """Note what a search of frame.outcome brought, and whether the node is cut."""
    i = frame.outcome
    if meaning == A_LOW or (meaning == INSIDE_WINDOW and value >= frame.ceiling):
        lows[i] = max(lows[i], value)
    elif meaning == A_HIGH or (meaning == INSIDE_WINDOW and value <= frame.floor):
        highs[i] = min(highs[i], value)
    else:
        lows[i] = value
        highs[i] = value
    if meaning == INSIDE_WINDOW and (value >= frame.ceiling or value <= frame.floor):
        frame.cut = 1
    lower = mean_of(chances, lows, frame.count, -1)
    upper = mean_of(chances, highs, frame.count, -1)
    if lower >= frame.beta or upper <= frame.alpha:
        frame.cut = 1
    frame.best = upper if upper <= frame.alpha else lower


@rule
def take_over(frame, actions, line, low, high):
    """The first move was searched by the probe, and not cut: begin with its value and the second move."""
    frame.tried = 1
    frame.action = actions[0]
    frame.length = 1
    line[0] = actions[0]
    if frame.kind == MAXIMISES:
        frame.best = low
        frame.alpha = max(frame.alpha, low)
    else:
        frame.best = high
        frame.beta = min(frame.beta, high)


@rule
def next_outcome(frame, lows, highs):
    """The outcome to look at next, or -1."""
    if frame.cut != 0:
        return -1
    if frame.probed < frame.count:
        frame.probed += 1
        return frame.probed - 1
    while frame.tried < frame.count and lows[frame.tried] == highs[frame.tried]:
        frame.tried += 1
    if frame.tried == frame.count:
        return -1
    frame.tried += 1
    return frame.tried - 1


@rule
def probes(frame):
    """Whether a level is a chance node at which Star2 tries one move after every outcome."""
    return frame.kind == AVERAGES and frame.tried == 0


@generic
def enter(search, workspace, d):
    """Chance: nothing is known of any outcome. Otherwise one of the sides moves, and Star2 may be at work above."""
    frame = search.frames[d]
    if frame.seat == CHANCE:
        frame.kind = AVERAGES
        frame.cut = 0
        frame.best = 0.0
        frame.probed = 0 if workspace.star == STAR2 else frame.count
        odds(search.states[d], search.chances[d])
        for i in range(frame.count):
            workspace.lows[d, i] = workspace.lowest
            workspace.highs[d, i] = workspace.highest
        return
    if workspace.star != NONE:
        order(search.states[d], search.actions[d], frame.count)
    take_side(search, d)
    if d == 0 or search.frames[d - 1].kind != AVERAGES:
        return
    above = search.frames[d - 1]
    if probes(above):  # what one move brings is a bound only if that move's own value is not cut short
        frame.count = 1
        if frame.kind == MAXIMISES:
            frame.alpha = -INFINITY
        else:
            frame.beta = INFINITY
    elif workspace.star == STAR2:
        low, high = workspace.lows[d - 1, above.outcome], workspace.highs[d - 1, above.outcome]
        take_over(frame, search.actions[d], search.lines[d], low, high)


@generic
def choose(search, workspace, d):
    """The next move as in alpha-beta; the next outcome with the window in which it can still matter."""
    frame = search.frames[d]
    if frame.kind == AVERAGES:
        lows, highs = workspace.lows[d], workspace.highs[d]
        number = next_outcome(frame, lows, highs)
        frame.outcome = number
        if number < 0 or workspace.star == NONE:
            return number, EVERYTHING
        narrow_outcome(frame, search.chances[d], lows, highs, number)
        return number, (frame.floor, frame.ceiling)
    return next_move(frame), (frame.alpha, frame.beta)


@generic
def treat(search, workspace, d, mover, plies):
    """As in minimax; but chance after a probed outcome is let be: one outcome more would bound nothing."""
    if plies >= search.limit or d + 1 >= len(search.states):
        return ESTIMATED
    return OPEN if mover == CHANCE and probes(search.frames[d - 1]) else SEARCHED


@generic
def combine(search, workspace, d, value, how):
    """A move as in alpha-beta; an outcome by what its value tells."""
    frame = search.frames[d]
    if frame.kind == AVERAGES:
        meaning = THE_VALUE
        if how == SEARCHED and workspace.star != NONE:
            meaning = INSIDE_WINDOW
            if probes(frame):
                meaning = A_LOW if search.frames[d + 1].kind == MAXIMISES else A_HIGH
        settle(frame, search.chances[d], workspace.lows[d], workspace.highs[d], value, meaning)
        return False
    better = improve(frame, search.actions[d, frame.tried - 1], value)
    if better:
        narrow(frame, value)
    return better


@generic
def close(search, workspace, d):
    """The best value; of a chance node that was not cut, the mean."""
    frame = search.frames[d]
    if frame.kind == AVERAGES and frame.cut == 0:
        return mean_of(search.chances[d], workspace.lows[d], frame.count, -1)
    return frame.best


class Expectiminimax(TreeSearch):
    """Minimax with chance nodes, pruned by Star1 or Star2."""

    name = "expectiminimax"
    summary = Text("looks ahead through dice and other chance, and takes averages")
    plugs = {
        driver.enter: enter,
        driver.choose: choose,
        driver.treat: treat,
        driver.combine: combine,
        driver.close: close,
    }
    settings = {
        **TreeSearch.settings,
        "pruning": Setting(
            "star2",
            Text("how it skips outcomes that cannot matter: not at all, by Star1 or by Star2"),
            choices=PRUNINGS,
        ),
    }
    pruning: str

    def workspace(self, levels: int) -> ExpectiminimaxWorkspace:
        shape = (levels, self.game.most_actions)
        lowest, highest = self.game.payoffs
        return ExpectiminimaxWorkspace(
            np.zeros(shape), np.zeros(shape), float(lowest), float(highest), PRUNINGS.index(self.pruning)
        )
