"""The whole tree of a small game as flat arrays, for algorithms that must look at all of it.

Nodes are numbered so that parents come before their children and the children of a node stand side by side: a
loop upwards over the numbers meets every node after its parent, a loop downwards meets it after all its
children. No recursion is needed, and none is used.

An information set is all the nodes at which a seat sees exactly the same: nodes are put together by the bytes
of the seat's view record. Every pair of an information set and one of its actions has a `slot`, so that a
strategy, and everything else that is kept per action, is one flat array.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game, blank_state
from hiddenhand.core.text import Seat
from hiddenhand.kernel import CHANCE, OVER, copy, generic, new_records, rule, stream
from hiddenhand.kernel.contract import legal, observe, odds, payoff, play, turn

LIMIT = 2_000_000
NOWHERE = -1
TOO_DEEP = -1

# what `plant` can find wrong
FINE, HIDDEN_CHANCE, NOT_ZERO_SUM = 0, 1, 2


class Arrays(NamedTuple):
    """What compiled code reads of a `GameTree`, whose fields these are."""

    seat: np.ndarray[Any, Any]
    parent: np.ndarray[Any, Any]
    odds: np.ndarray[Any, Any]
    first: np.ndarray[Any, Any]
    children: np.ndarray[Any, Any]
    gain: np.ndarray[Any, Any]
    info: np.ndarray[Any, Any]
    edge: np.ndarray[Any, Any]
    owner: np.ndarray[Any, Any]
    start: np.ndarray[Any, Any]


@dataclass
class GameTree:
    """A game tree. Node 0 is the root; arrays without another word hold one number per node."""

    game: Game
    seat: np.ndarray[Any, Any]  # who moves here: 0, 1, CHANCE or OVER
    parent: np.ndarray[Any, Any]
    action: np.ndarray[Any, Any]  # what led here
    odds: np.ndarray[Any, Any]  # the probability that chance led here, 1 after a player's move
    first: np.ndarray[Any, Any]  # the first child
    children: np.ndarray[Any, Any]  # how many
    gain: np.ndarray[Any, Any]  # seat 0's payoff where the game is over

    # what `with_information` adds
    info: np.ndarray[Any, Any] = field(init=False)  # the information set where a player moves, else NOWHERE
    edge: np.ndarray[Any, Any] = field(init=False)  # the slot of the decision that led here, or NOWHERE
    owner: np.ndarray[Any, Any] = field(init=False)  # per information set: the seat
    start: np.ndarray[Any, Any] = field(init=False)  # per information set: its first slot; last, how many slots
    example: np.ndarray[Any, Any] = field(init=False)  # per information set: one of its nodes
    choice: np.ndarray[Any, Any] = field(init=False)  # per slot: the action
    views: Any = field(init=False)  # per information set: the view record
    level: np.ndarray[Any, Any] = field(init=False)  # [2, nodes]: how many decisions of each seat lie above
    numbers: dict[tuple[int, bytes], int] = field(init=False, default_factory=dict)

    @property
    def arrays(self) -> Arrays:
        return Arrays(*(getattr(self, name) for name in Arrays._fields))

    @property
    def nodes(self) -> int:
        return len(self.seat)

    @property
    def infos(self) -> int:
        return len(self.owner)

    @property
    def slots(self) -> int:
        return len(self.choice)

    def number(self, seat: int, view: np.record) -> int:
        """The information set of a seat with this view record."""
        key = (seat, view.tobytes())
        if key not in self.numbers:
            raise UserError(
                "{who} has nothing to decide in this position of {name}", who=Seat(seat), name=self.game.name
            )
        return self.numbers[key]

    def state(self, node: int) -> np.record:
        """The state at a node, played again from the root."""
        path = []
        while node != 0:
            path.append(int(self.action[node]))
            node = int(self.parent[node])
        s: np.record = blank_state(self.game)[0]
        self.game.rules.deal(s, stream(0))
        for action in reversed(path):
            self.game.rules.play(s, action, stream(0))
        return s


class Nodes(NamedTuple):
    """The arrays that `plant` fills, one number per node: those of `GameTree`, and its row in `views`."""

    seat: np.ndarray[Any, Any]
    parent: np.ndarray[Any, Any]
    action: np.ndarray[Any, Any]
    odds: np.ndarray[Any, Any]
    first: np.ndarray[Any, Any]
    children: np.ndarray[Any, Any]
    gain: np.ndarray[Any, Any]
    row: np.ndarray[Any, Any]


class GameTreeWorkspace(NamedTuple):
    """Where the tree is walked through; one entry per depth, but for `chances`."""

    states: Any  # records, the root first
    actions: np.ndarray[Any, Any]  # int64[depths, most actions]
    path: np.ndarray[Any, Any]  # the node; how many actions, while they are counted
    tried: np.ndarray[Any, Any]  # how many of its actions
    chances: np.ndarray[Any, Any]  # float64[most actions]
    rng: np.ndarray[Any, Any]


@generic
def count_nodes(workspace, limit):
    """How many nodes, and how many of them decisions; stops counting nodes beyond `limit`."""
    states, actions, counts, tried = workspace.states, workspace.actions, workspace.path, workspace.tried
    total, decisions, d = 1, 0, 0
    counts[0] = 0 if turn(states[0]) == OVER else legal(states[0], actions[0])
    tried[0] = 0
    if turn(states[0]) >= 0:
        decisions += 1
    while d >= 0 and total <= limit:
        if tried[d] == counts[d]:
            d -= 1
            continue
        action = actions[d, tried[d]]
        tried[d] += 1
        copy(states[d + 1], states[d])
        play(states[d + 1], action, workspace.rng)
        total += 1
        mover = turn(states[d + 1])
        if mover >= 0:
            decisions += 1
        if mover != OVER:
            if d + 2 == len(states):
                return TOO_DEEP, 0
            d += 1
            counts[d] = legal(states[d], actions[d])
            tried[d] = 0
    return total, decisions


@generic
def plant(nodes, views, workspace):
    """Fill the arrays of the tree, depth first; a node's children are numbered when the node is reached."""
    states, path, tried = workspace.states, workspace.path, workspace.tried
    untouched = workspace.rng[0]
    gains = np.zeros(2)
    path[0] = 0
    used, rows, d = 1, 0, 0
    arriving = True
    while d >= 0:
        node = path[d]
        if arriving:
            arriving = False
            mover = turn(states[d])
            nodes.seat[node] = mover
            tried[d] = 0
            if mover == OVER:
                payoff(states[d], gains)
                nodes.gain[node] = gains[0]
                if abs(gains[0] + gains[1]) > 1e-9:
                    return NOT_ZERO_SUM
            else:
                if mover >= 0:
                    observe(states[d], mover, views[rows])
                    nodes.row[node] = rows
                    rows += 1
                used += number_children(nodes, node, used, workspace, d)
        if tried[d] == nodes.children[node]:
            d -= 1
            continue
        child = nodes.first[node] + tried[d]
        tried[d] += 1
        copy(states[d + 1], states[d])
        play(states[d + 1], nodes.action[child], workspace.rng)
        if workspace.rng[0] != untouched:
            return HIDDEN_CHANCE
        d += 1
        path[d] = child
        arriving = True
    return FINE


@generic
def number_children(nodes, node, used, workspace, d):
    """Give the children of a node the next numbers, `used` and following: how many there are."""
    s, actions = workspace.states[d], workspace.actions[d]
    count = legal(s, actions)
    nodes.first[node] = used
    nodes.children[node] = count
    chance = nodes.seat[node] == CHANCE
    if chance:
        odds(s, workspace.chances)
    for i in range(count):
        nodes.parent[used + i] = node
        nodes.action[used + i] = actions[i]
        nodes.odds[used + i] = workspace.chances[i] if chance else 1.0
    return count


@rule
def trace(seat, parent, edge, last, level):
    """For each node and seat: the slot of the seat's last decision above it, and how many there were."""
    for node in range(len(seat)):
        for who in range(2):
            if node == 0:
                last[who, node] = NOWHERE
                level[who, node] = 0
            elif seat[parent[node]] == who:
                last[who, node] = edge[node]
                level[who, node] = level[who, parent[node]] + 1
            else:
                last[who, node] = last[who, parent[node]]
                level[who, node] = level[who, parent[node]]


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


def build_tree(game: Game, limit: int = LIMIT) -> GameTree:
    """The tree of a two-player zero-sum game whose chance moves are all explicit."""
    check_kind(game)
    workspace = new_workspace(game)
    count, decisions = game.rules.bind(count_nodes)(workspace, limit)
    if count == TOO_DEEP:
        raise UserError(
            "{name} can last more than {longest} plies, the `longest` that it declares",
            name=game.name,
            longest=game.longest,
        )
    if count > limit:
        raise UserError(
            "the tree of {name} has more than {limit:,} nodes: too large to be looked at as a whole",
            name=game.name,
            limit=limit,
        )
    nodes = Nodes(
        **{name: np.full(count, NOWHERE) for name in ("seat", "parent", "action", "first", "row")},
        children=np.zeros(count, np.int64),
        odds=np.ones(count),
        gain=np.zeros(count),
    )
    views = new_records(game.rules.view, max(1, decisions))
    fault = game.rules.bind(plant)(nodes, views, new_workspace(game))
    if fault == HIDDEN_CHANCE:
        raise UserError(
            "{name} draws at random within a move: its tree needs every draw as a move of chance", name=game.name
        )
    if fault == NOT_ZERO_SUM:
        raise UserError("{name} is not zero-sum: the payoffs of a finished game do not add up to 0", name=game.name)
    arrays = nodes._asdict()
    row = arrays.pop("row")
    return with_information(GameTree(game=game, **arrays), views, row)


def new_workspace(game: Game) -> GameTreeWorkspace:
    """Room to walk in, the root in its place."""
    depths = game.longest + 2
    workspace = GameTreeWorkspace(
        states=new_records(game.rules.state, depths),
        actions=np.zeros((depths, game.most_actions), np.int64),
        path=np.zeros(depths, np.int64),
        tried=np.zeros(depths, np.int64),
        chances=np.zeros(game.most_actions),
        rng=stream(0),
    )
    workspace.states[0] = rooted(game)
    return workspace


def check_kind(game: Game) -> None:
    """Refuse what is not a game of two players in which one wins what the other loses."""
    if game.players != 2:
        raise UserError(
            "{name} has {players} players: its tree can be solved for two only", name=game.name, players=game.players
        )
    if game.utility != "zero-sum":
        raise UserError(
            "{name} is not zero-sum ({utility}): its tree cannot be solved", name=game.name, utility=game.utility
        )


def rooted(game: Game) -> np.record:
    """The state after the deal, which must not have drawn at random."""
    root: np.record = blank_state(game)[0]
    rng = stream(0)
    game.rules.deal(root, rng)
    if rng[0] != stream(0)[0]:
        raise UserError("{name} deals at random: its tree needs every draw as a move of chance", name=game.name)
    return root


def with_information(tree: GameTree, views: np.recarray[Any, Any], row: np.ndarray[Any, Any]) -> GameTree:
    """Put the nodes together into information sets and number the slots."""
    nodes = np.flatnonzero(row >= 0)
    tree.info = np.full(tree.nodes, NOWHERE)
    example: list[int] = []
    for node in nodes.tolist():
        key = (int(tree.seat[node]), views[row[node]].tobytes())
        info = tree.numbers.setdefault(key, len(example))
        if info == len(example):
            example.append(node)
        tree.info[node] = info
    tree.example = np.array(example, np.int64)
    tree.owner = tree.seat[tree.example]
    tree.views = views[row[tree.example]]
    tree.start = np.concatenate([[0], np.cumsum(tree.children[tree.example])])
    tree.choice = np.concatenate(
        [np.zeros(0, np.int64)] + [tree.action[tree.first[n] : tree.first[n] + tree.children[n]] for n in example]
    )
    number_edges(tree)
    check_recall(tree, nodes)
    return tree


def number_edges(tree: GameTree) -> None:
    """The slot of every move of a player. The same view must offer the same actions."""
    tree.edge = np.full(tree.nodes, NOWHERE)
    after = np.flatnonzero((tree.parent >= 0) & (tree.info[tree.parent] >= 0))
    above = tree.parent[after]
    offset = after - tree.first[above]
    info = tree.info[above]
    alike = tree.children[above] == tree.children[tree.example[info]]
    slot = np.where(alike, tree.start[info] + offset, 0)
    if not (alike & (tree.choice[slot] == tree.action[after])).all():
        raise UserError("{name}: the legal actions of a seat depend on what it cannot see", name=tree.game.name)
    tree.edge[after] = slot


def check_recall(tree: GameTree, nodes: np.ndarray[Any, Any]) -> None:
    """Refuse a game whose views forget what their seat saw or did before.

    With perfect recall, all nodes of an information set lie below the same last decision of its seat. Without
    it, neither the convergence of CFR nor the best response below would be what they claim to be.
    """
    last = np.empty((2, tree.nodes), np.int64)
    tree.level = np.empty((2, tree.nodes), np.int64)
    trace(tree.seat, tree.parent, tree.edge, last, tree.level)
    mine = last[tree.seat[nodes], nodes]
    expected = mine[np.searchsorted(nodes, tree.example)][tree.info[nodes]]
    if (mine != expected).any():
        raise UserError(
            "the views of {name} forget what their seat saw or did before (imperfect recall): "
            "its tree cannot be solved",
            name=tree.game.name,
        )
