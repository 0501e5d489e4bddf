"""How much alpha-beta saves by the order of moves: counted, and compared with the formulas.

With b moves in every position and m moves to the end there are b^m leaves, and minimax looks at all of them.
Alpha-beta needs b^ceil(m/2) + b^floor(m/2) - 1 of them if the best move comes first everywhere (Knuth and Moore,
1975), about b^(3m/4) in a random order, and next to all of them if the worst comes first. Memory is that of one path:
b moves at each of m levels.
"""

from __future__ import annotations

import random
from math import inf

from hiddenhand.core.errors import UserError
from hiddenhand.core.view import View
from hiddenhand.search.alphabeta import AlphaBeta
from hiddenhand.search.minimax import Minimax
from hiddenhand.search.stepwise.positions import Growing, TreePosition
from hiddenhand.search.stepwise.shapes import Naming

MOST = 200_000
"""Nodes of a tree that is counted."""
Counts = dict[str, dict[str, float]]
Leaves = float | list["Leaves"]
"""A tree as nothing but the payoffs of MAX: a leaf is a number."""


def formulas(breadth: int, depth: int) -> dict[str, float]:
    """By name: leaves, and the positions that are held in memory."""
    b, m = breadth, depth
    return {
        "b^m": b**m,
        "b^ceil(m/2) + b^floor(m/2) - 1": b ** -(-m // 2) + b ** (m // 2) - 1,
        "b^(m/2)": b ** (m / 2),
        "b^(3m/4)": b ** (3 * m / 4),
        "memory, b m": b * m,
    }


def counted_in_random_trees(breadth: int, depth: int, trees: int, seed: int = 0) -> Counts:
    """The mean over random trees, in which every payoff is another."""
    if breadth**depth > MOST:
        raise UserError("such a tree has {n:,} leaves, more than {most:,}; ask for less", n=breadth**depth, most=MOST)
    rng = random.Random(seed)
    return averaged([counted(random_leaves(breadth, depth, rng), rng) for _ in range(trees)])


def counted_in_game(view: View, breadth: int, depth: int, trees: int, seed: int = 0) -> Counts:
    """The same tree of a game in random orders again and again; the best and the worst are always the same."""
    game = view.game
    refusal = AlphaBeta.refuses(game)
    if refusal:
        raise UserError(
            "orders are counted for alpha-beta, which cannot play {name}: {refusal}", name=game.name, refusal=refusal
        )
    root = Growing(game, Minimax(game, depth=depth), depth, breadth).whole(view.imagine(), MOST)
    rng = random.Random(seed)
    leaves = only_leaves(root, Naming(game, view.seat, boards=False))
    return averaged([counted(leaves, rng) for _ in range(trees)])


def only_leaves(position: TreePosition, naming: Naming) -> Leaves:
    """The payoffs of MAX. A move more for the same side is no level of its own, so movers must take turns."""
    if position.leaf:
        return position.values[naming.me]
    above = position.parent
    if above is not None and naming.who(above) == naming.who(position):
        raise UserError("the order of moves is counted where MAX and MIN take turns")
    return [only_leaves(child, naming) for child in position.children]


def random_leaves(breadth: int, depth: int, rng: random.Random) -> Leaves:
    if depth == 0:
        return rng.random()
    return [random_leaves(breadth, depth - 1, rng) for _ in range(breadth)]


def counted(tree: Leaves, rng: random.Random) -> Counts:
    """Nodes and leaves that alpha-beta visits in each order."""
    found: Counts = {}
    for name in ("best", "random", "worst"):
        count = {"nodes": 0.0, "leaves": 0.0}
        alphabeta(arranged(tree, name, rng, True)[1], -inf, inf, True, count)
        found[name] = count
    return found


def arranged(tree: Leaves, order: str, rng: random.Random, maximises: bool) -> tuple[float, Leaves]:
    """The value of a tree, and the same tree with the moves of every node in an order."""
    if not isinstance(tree, list):
        return tree, tree
    children = [arranged(child, order, rng, not maximises) for child in tree]
    value = (max if maximises else min)(value for value, _ in children)
    if order == "random":
        rng.shuffle(children)
    else:
        children.sort(key=lambda child: child[0], reverse=(order == "best") == maximises)
    return value, [child for _, child in children]


def alphabeta(tree: Leaves, alpha: float, beta: float, maximises: bool, count: dict[str, float]) -> float:
    count["nodes"] += 1
    if not isinstance(tree, list):
        count["leaves"] += 1
        return tree
    best = -inf if maximises else inf
    for child in tree:
        value = alphabeta(child, alpha, beta, not maximises, count)
        if maximises:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def averaged(counts: list[Counts]) -> Counts:
    return {
        order: {what: sum(one[order][what] for one in counts) / len(counts) for what in ("nodes", "leaves")}
        for order in counts[0]
    }
