"""Searches that can be watched: each gives a list of steps, which can be gone through forwards and backwards.

    found = watch(agent, table.view(), breadth=3)
    print(found.steps[0]["says"])
    Path("last.svg").write_text(frame_svg(found, len(found.steps)))

`positions` makes the tree, `plain` and `chance` go through it as books do; `simulations`, `deals` and `regret` show
UCT, PIMC and CFR; `steps` is the data, and `tree_drawing` draws it.
"""

from __future__ import annotations

import random
from math import inf

from hiddenhand.core.agent import Agent
from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.kernel import CHANCE
from hiddenhand.search.alphabeta import AlphaBeta
from hiddenhand.search.cfr import CFR
from hiddenhand.search.expectiminimax import Expectiminimax
from hiddenhand.search.maxn import MaxN
from hiddenhand.search.pimc import PIMC
from hiddenhand.search.stepwise.chance import Star
from hiddenhand.search.stepwise.deals import watch_pimc
from hiddenhand.search.stepwise.plain import Walk, alphabeta, max_n, minimax
from hiddenhand.search.stepwise.positions import MOST, ORDERS, Growing, Order, TreePosition
from hiddenhand.search.stepwise.regret import watch_cfr
from hiddenhand.search.stepwise.shapes import Naming, Numbered
from hiddenhand.search.stepwise.simulations import watch_uct
from hiddenhand.search.stepwise.steps import Recorder, Watched
from hiddenhand.search.tree_search import TreeSearch
from hiddenhand.search.uct import UCT

__all__ = ["MOST", "ORDERS", "Order", "Watched", "compare_orders", "watch"]


def watch(
    agent: Agent, view: View, breadth: int = 0, order: Order = "legal", boards: bool | None = None, seed: int = 0
) -> Watched:
    """The steps of a search, in the position of a view.

    breadth   moves of a position and outcomes of chance that are looked at; 0: all
    order     in which moves are looked at: as the rules give them, by the game's own order, the best or the worst
              first (as if somebody knew), or at random
    boards    whether boards stand inside the nodes; None: where they are small
    """
    naming = Naming(agent.game, view.seat, isinstance(agent, MaxN), boards)
    if isinstance(agent, TreeSearch):
        root = Growing(agent.game, agent, agent.limit(), breadth, order).whole(view.imagine())
        arrange(root, naming, order, seed)
        return watch_tree(agent, root, naming)
    if isinstance(agent, CFR):
        return watch_cfr(agent)
    if isinstance(agent, PIMC):
        return watch_pimc(agent, view)
    if type(agent) is UCT:
        return watch_uct(agent, view, naming)
    raise UserError(
        "{agent} cannot be watched; try minimax, alphabeta, maxn, expectiminimax, uct, pimc or cfr", agent=agent
    )


def watch_tree(agent: TreeSearch, root: TreePosition, naming: Naming) -> Watched:
    """One of the searches that go through a whole tree."""
    numbered = Numbered(naming)
    numbered.add_tree(root)
    record = Recorder(numbered.nodes)
    walk = Walk(numbered, record, naming.me)
    if isinstance(agent, MaxN):
        max_n(walk, root)
    elif isinstance(agent, AlphaBeta):
        alphabeta(walk, root, -inf, inf)
    elif isinstance(agent, Expectiminimax):
        Star(walk, agent.pruning, *map(float, agent.game.payoffs)).search(root, -inf, inf)
    else:
        minimax(walk, root)
    value = record.shown[0]["value"]
    best = walk.best.get(id(root))
    result = Text(
        "Worth {value}; {visited} nodes visited, {cut} cut."
        if best is None
        else "Worth {value}, by {node}; {visited} nodes visited, {cut} cut.",
        value=value,
        visited=record.visited,
        cut=record.cut,
        **({} if best is None else {"node": best.name}),
    )
    record.steps[-1]["says"] = result
    return Watched(Text("{game}, {agent}", game=agent.game.title, agent=agent), numbered.nodes, record.steps, result)


def compare_orders(agent: AlphaBeta, view: View, breadth: int = 0) -> dict[str, tuple[int, int]]:
    """Nodes that alpha-beta visits and cuts in every order of the same tree."""
    counts = dict[str, tuple[int, int]]()
    for order in ORDERS:
        last = watch(agent, view, breadth, order, boards=False).steps[-1]
        counts[order] = (last["visited"], last["cut"])
    return counts


def arrange(root: TreePosition, naming: Naming, order: Order, seed: int = 0) -> None:
    """Put the moves of every node into the best, the worst or a random order."""
    if order in ("legal", "game"):
        return
    if naming.vector and order != "random":
        raise UserError("the {order} order is for two sides, MAX and MIN", order=order)
    rng = random.Random(seed)
    values = dict[int, float]()
    for position in reversed(list(root.walk())):
        who = naming.who(position)
        if position.leaf:
            values[id(position)] = position.values[naming.me]
        elif order == "random":
            if position.mover != CHANCE:
                rng.shuffle(position.children)
        elif who in ("MAX", "MIN"):
            sign = 1 if who == "MAX" else -1
            values[id(position)] = sign * max(sign * values[id(child)] for child in position.children)
            backwards = (order == "best") == (who == "MAX")
            position.children.sort(key=lambda child: values[id(child)], reverse=backwards)
        else:
            values[id(position)] = sum((child.probability or 0.0) * values[id(child)] for child in position.children)
