"""What a strategy is worth, and how much a perfect opponent could take from it: exact, on the tree of a game.

A strategy gives a probability to every slot of the tree: those of one information set add up to 1.
Exploitability is what the best responses win against it, averaged over the seats:

    (value of the best response in seat 0 + value of the best response in seat 1) / 2

In a zero-sum game that is 0 for an equilibrium and above 0 for everything else. OpenSpiel's `exploitability`
is the same number; some papers leave out the division by 2 (NashConv).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.kernel import CHANCE, OVER, rule
from hiddenhand.search.game_tree import GameTree


class Response(NamedTuple):
    """How the nodes are gone through, and what is found out."""

    order: np.ndarray[Any, Any]  # the nodes with the most decisions of the answering seat above them first
    ends: np.ndarray[Any, Any]  # where each such level ends
    worth: np.ndarray[Any, Any]  # per slot: the sum over the information set of reach times value
    best: np.ndarray[Any, Any]  # per information set: the slot chosen
    values: np.ndarray[Any, Any]  # per node: seat 0's payoff from there on


@rule
def node_values(tree, strategy, values):
    """Seat 0's expected payoff from every node on, if both follow the strategy; `tree`: its arrays."""
    for node in range(len(values)):
        values[node] = tree.gain[node]
    for node in range(len(values) - 1, 0, -1):
        slot = tree.edge[node]
        values[tree.parent[node]] += (tree.odds[node] if slot < 0 else strategy[slot]) * values[node]


@rule
def reach_without(me, tree, strategy, reach):
    """The probability that chance and the other seat let the game come to each node."""
    reach[0] = 1.0
    for node in range(1, len(reach)):
        above = tree.parent[node]
        if tree.seat[above] == me:
            reach[node] = reach[above]
        elif tree.seat[above] == CHANCE:
            reach[node] = reach[above] * tree.odds[node]
        else:
            reach[node] = reach[above] * strategy[tree.edge[node]]


@rule
def respond(me, tree, strategy, reach, response):
    """Fill `response`: what seat 0 wins from every node on, if `me` answers the strategy as well as can be.

    Within a level of `order` the children come before their parents. All nodes of an information set are on one
    level, and what their actions lead to is on the next, which is finished: so the best action is known before it is
    needed.
    """
    sign = 1.0 if me == 0 else -1.0
    order, worth, values = response.order, response.worth, response.values
    for slot in range(len(worth)):
        worth[slot] = 0.0
    begin = 0
    for end in response.ends:
        for i in range(begin, end):
            node = order[i]
            if tree.seat[node] == me:
                for child in range(tree.first[node], tree.first[node] + tree.children[node]):
                    worth[tree.edge[child]] += sign * reach[node] * values[child]
        for i in range(begin, end):
            node = order[i]
            if tree.seat[node] == me:
                values[node] = values[tree.first[node] + choose(tree.info[node], tree.start, worth, response.best)]
            elif tree.seat[node] == OVER:
                values[node] = tree.gain[node]
            else:
                values[node] = 0.0
                for child in range(tree.first[node], tree.first[node] + tree.children[node]):
                    chance = tree.odds[child] if tree.seat[node] == CHANCE else strategy[tree.edge[child]]
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


def uniform_strategy(tree: GameTree) -> np.ndarray[Any, Any]:
    """Every action of an information set with the same probability."""
    sizes = np.diff(tree.start)
    return np.repeat(1.0 / sizes, sizes)


def strategy_from(tree: GameTree, chances: Callable[[Any, int, list[int]], Any]) -> np.ndarray[Any, Any]:
    """The strategy of an agent, which is given as chances(view record, seat, actions): a probability for each."""
    strategy = np.empty(tree.slots)
    for info, seat in enumerate(tree.owner.tolist()):
        slots = slice(tree.start[info], tree.start[info + 1])
        strategy[slots] = chances(tree.views[info], seat, tree.choice[slots].tolist())
    return strategy


def strategy_value(tree: GameTree, strategy: np.ndarray[Any, Any]) -> float:
    """Seat 0's expected payoff if both seats follow the strategy."""
    values = np.empty(tree.nodes)
    node_values(tree.arrays, strategy, values)
    return float(values[0])


def best_response(tree: GameTree, strategy: np.ndarray[Any, Any], me: int) -> tuple[float, np.ndarray[Any, Any]]:
    """What seat `me` can win at most against the strategy, and the slots it chooses (one per information
    set)."""
    reach = np.empty(tree.nodes)
    reach_without(me, tree.arrays, strategy, reach)
    level = tree.level[me]
    response = Response(
        order=np.lexsort((-np.arange(tree.nodes), -level)),
        ends=np.cumsum(np.bincount(level.max() - level)),
        worth=np.empty(tree.slots),
        best=tree.start[:-1].copy(),
        values=np.zeros(tree.nodes),
    )
    respond(me, tree.arrays, strategy, reach, response)
    return float(response.values[0] if me == 0 else -response.values[0]), response.best


def exploitability(tree: GameTree, strategy: np.ndarray[Any, Any]) -> float:
    """What a perfect opponent wins per game against this strategy, averaged over the two seats."""
    return (best_response(tree, strategy, 0)[0] + best_response(tree, strategy, 1)[0]) / 2.0
