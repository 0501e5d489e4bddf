"""What a strategy is worth, and how much a perfect opponent could take from it: exact, on the tree of a game.

A strategy gives a probability to every slot of the tree: those of one information set add up to 1.
Exploitability is what the best responses win against it, averaged over the seats:

    (value of the best response in seat 0 + value of the best response in seat 1) / 2

In a zero-sum game that is 0 for an equilibrium and above 0 for everything else. OpenSpiel's `exploitability`
is the same number; some papers leave out the division by 2 (NashConv).
"""

from typing import Any

import numpy as np

from hiddenhand.kernel import CHANCE, OVER, rule
from hiddenhand.search.game_tree import Tree


@rule
def node_values(seat, parent, edge, odds, gain, strategy, values):
    """Seat 0's expected payoff from every node on, if both follow the strategy."""
    for node in range(len(seat)):
        values[node] = gain[node]
    for node in range(len(seat) - 1, 0, -1):
        chance = odds[node] if edge[node] < 0 else strategy[edge[node]]
        values[parent[node]] += chance * values[node]


@rule
def reach_without(me, seat, parent, edge, odds, strategy, reach):
    """The probability that chance and the other seat let the game come to each node."""
    reach[0] = 1.0
    for node in range(1, len(seat)):
        above = parent[node]
        if seat[above] == me:
            reach[node] = reach[above]
        elif seat[above] == CHANCE:
            reach[node] = reach[above] * odds[node]
        else:
            reach[node] = reach[above] * strategy[edge[node]]


@rule
def respond(
    me,
    order,
    ends,
    seat,
    first,
    children,
    info,
    edge,
    start,
    odds,
    gain,
    strategy,
    reach,
    worth,
    best,
    values,
):
    """Seat 0's payoff from every node on, if `me` answers the strategy as well as can be.

    `order` holds the nodes with the most decisions of `me` above them first, `ends` where each such level
    ends, and within a level the children come before their parents. All nodes of an information set are on
    one level, and what their actions lead to is on the next, which is finished: so the best action is known
    before it is needed.

    worth: per slot, the sum over the information set of reach times value. best: per information set, a slot.
    """
    sign = 1.0 if me == 0 else -1.0
    for slot in range(len(worth)):
        worth[slot] = 0.0
    begin = 0
    for end in ends:
        for i in range(begin, end):
            node = order[i]
            if seat[node] == me:
                for child in range(first[node], first[node] + children[node]):
                    worth[edge[child]] += sign * reach[node] * values[child]
        for i in range(begin, end):
            node = order[i]
            if seat[node] == me:
                values[node] = values[first[node] + choose(info[node], start, worth, best)]
            elif seat[node] == OVER:
                values[node] = gain[node]
            else:
                values[node] = 0.0
                for child in range(first[node], first[node] + children[node]):
                    chance = odds[child] if seat[node] == CHANCE else strategy[edge[child]]
                    values[node] += chance * values[child]
        begin = end


@rule
def choose(i, start, worth, best):
    """Which action of information set i is worth most, counted from 0; remembered in `best`."""
    slot = start[i]
    for other in range(start[i] + 1, start[i + 1]):
        if worth[other] > worth[slot]:
            slot = other
    best[i] = slot
    return slot - start[i]


def uniform_strategy(tree: Tree) -> np.ndarray[Any, Any]:
    """Every action of an information set with the same probability."""
    sizes = np.diff(tree.start)
    return np.repeat(1.0 / sizes, sizes)


def value(tree: Tree, strategy: np.ndarray[Any, Any]) -> float:
    """Seat 0's expected payoff if both seats follow the strategy."""
    values = np.empty(tree.nodes)
    node_values(tree.seat, tree.parent, tree.edge, tree.odds, tree.gain, strategy, values)
    return float(values[0])


def best_response(tree: Tree, strategy: np.ndarray[Any, Any], me: int) -> tuple[float, np.ndarray[Any, Any]]:
    """What seat `me` can win at most against the strategy, and the slots it chooses (one per information
    set)."""
    reach, values = np.empty(tree.nodes), np.zeros(tree.nodes)
    reach_without(me, tree.seat, tree.parent, tree.edge, tree.odds, strategy, reach)
    level = tree.level[me]
    order = np.lexsort((-np.arange(tree.nodes), -level))
    ends = np.cumsum(np.bincount(level.max() - level))
    best = tree.start[:-1].copy()
    respond(
        me,
        order,
        ends,
        tree.seat,
        tree.first,
        tree.children,
        tree.info,
        tree.edge,
        tree.start,
        tree.odds,
        tree.gain,
        strategy,
        reach,
        np.empty(tree.slots),
        best,
        values,
    )
    return float(values[0] if me == 0 else -values[0]), best


def exploitability(tree: Tree, strategy: np.ndarray[Any, Any]) -> float:
    """What a perfect opponent wins per game against this strategy, averaged over the two seats."""
    return (best_response(tree, strategy, 0)[0] + best_response(tree, strategy, 1)[0]) / 2.0
