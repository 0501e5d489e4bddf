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

import numpy as np

from hiddenhand.core.settings import Setting
from hiddenhand.kernel import CHANCE, OVER, generic, rule
from hiddenhand.kernel.contract import legal, odds, order, side, turn
from hiddenhand.search.alphabeta import narrow
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

NONE, STAR1, STAR2 = 0, 1, 2
PRUNINGS = ("none", "star1", "star2")

# what a value that comes back to a chance node tells about its outcome
THE_VALUE, INSIDE_WINDOW, A_LOW, A_HIGH = 0, 1, 2, 3


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
    """The outcome to look at next, or -1; frame.probed < frame.count means that it is to be probed."""
    if frame.cut != 0:
        return -1
    if frame.probed < frame.count:
        return frame.probed
    while frame.tried < frame.count and lows[frame.tried] == highs[frame.tried]:
        frame.tried += 1
    if frame.tried < frame.count:
        return frame.tried
    return -1


@generic
def enter(states, actions, frames, chances, lows, highs, d, mover, node, me, alpha, beta, bounds, star):
    """Prepare level d, whose state is not the end; frame.plies is already set."""
    frame = frames[d]
    count = legal(states[d], actions[d])
    frame.count = count
    frame.tried = 0
    frame.length = 0
    frame.action = -1
    frame.node = node
    frame.alpha = alpha
    frame.beta = beta
    if mover == CHANCE:
        frame.kind = AVERAGES
        frame.cut = 0
        frame.best = 0.0
        frame.probed = 0 if star == STAR2 else count
        odds(states[d], chances[d])
        for i in range(count):
            lows[d, i] = bounds[0]
            highs[d, i] = bounds[1]
    else:
        if star != NONE:
            order(states[d], actions[d], count)
        if side(states[d], mover) == side(states[d], me):
            frame.kind = MAXIMISES
            frame.best = -INFINITY
        else:
            frame.kind = MINIMISES
            frame.best = INFINITY


@generic
def search(
    work, log, states, actions, frames, lines, values, rng, me, limit, budget, chances, lows, highs, bounds, star
):
    """Go on for at most `budget` nodes; whether the search is finished. The value is frames[0].best."""
    w = work[0]
    stop = w.nodes + budget
    d = w.level
    if w.nodes == 0:
        w.nodes = 1
        mover = turn(states[0])
        note_node(log, 0, -1, -1, mover, -INFINITY, INFINITY)
        frames[0].plies = 0
        enter(states, actions, frames, chances, lows, highs, 0, mover, 0, me, -INFINITY, INFINITY, bounds, star)
    while True:
        frame = frames[d]
        tail = 0
        meaning = THE_VALUE
        probe = False
        i = -1
        alpha, beta = frame.alpha, frame.beta
        if frame.kind == AVERAGES:
            i = next_outcome(frame, lows[d], highs[d])
            probe = frame.probed < frame.count
        elif frame.tried < frame.count and alpha < beta:
            i = frame.tried
        if i >= 0:
            if w.nodes >= stop:
                w.level = d
                return False
            if frame.kind == AVERAGES:
                frame.outcome = i
                alpha, beta = -INFINITY, INFINITY
                if star != NONE:
                    narrow_outcome(frame, chances[d], lows[d], highs[d], i)
                    alpha, beta = frame.floor, frame.ceiling
            if probe:
                frame.probed += 1
            else:
                frame.tried += 1
            plies = frame.plies + (frame.kind != AVERAGES)
            mover, node = descend(w, log, states[d], states[d + 1], frame, actions[d, i], alpha, beta, rng)
            child = states[d + 1]
            if mover == OVER:
                value = final_value(child, log, node, values, me)
            elif plies >= limit or d + 2 >= len(states):
                value = estimated_value(w, child, log, node, values, me)
            elif probe and mover == CHANCE:
                continue  # chance after chance: one outcome more would bound nothing
            else:
                if probe:  # what one move brings is a bound only if that move's own value is not cut short
                    if side(child, mover) == side(child, me):
                        alpha = -INFINITY
                    else:
                        beta = INFINITY
                d += 1
                frames[d].plies = plies
                enter(states, actions, frames, chances, lows, highs, d, mover, node, me, alpha, beta, bounds, star)
                if probe:
                    frames[d].count = 1
                elif star == STAR2 and mover != CHANCE and frame.kind == AVERAGES:
                    take_over(frames[d], actions[d], lines[d], lows[d - 1, i], highs[d - 1, i])
                continue
        else:
            value = frame.best
            if frame.kind == AVERAGES and frame.cut == 0:
                value = mean_of(chances[d], lows[d], frame.count, -1)
            note_value(log, frame.node, value, SEARCHED)
            if d == 0:
                frame.best = value
                return True
            tail = frame.length
            d -= 1
            if frames[d].kind == AVERAGES and star != NONE:
                meaning = INSIDE_WINDOW
                if frames[d].tried == 0:  # it was a probe
                    meaning = A_LOW if frame.kind == MAXIMISES else A_HIGH
        frame = frames[d]
        if frame.kind == AVERAGES:
            settle(frame, chances[d], lows[d], highs[d], value, meaning)
        elif improve(frame, actions[d, frame.tried - 1], value):
            narrow(frame, value)
            lengthen(lines, frames, d, frame.action, tail)


class Expectiminimax(TreeSearch):
    """Minimax with chance nodes, pruned by Star1 or Star2."""

    name = "expectiminimax"
    summary = "minimax with chance nodes, pruned by Star1 or Star2"
    kernel = search
    settings = {
        **TreeSearch.settings,
        "pruning": Setting("star2", "at chance nodes: none, star1 or star2", choices=PRUNINGS),
    }

    def rooms(self, levels):
        shape = (levels, self.game.most_actions)
        bounds = np.array(self.game.payoffs, np.float64)
        return (np.zeros(shape), np.zeros(shape), np.zeros(shape), bounds, PRUNINGS.index(self.pruning))
