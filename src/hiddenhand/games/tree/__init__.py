"""A game given by its tree, for teaching and for tests: every node stands in a small text file.

    hiddenhand play tree --option file=coin
    hiddenhand trace tree alphabeta --option "text=(max (min 3 12 8) (min 2 4 6) (min 14 5 2))"

The text is described in `parser`. An action is the number of a child, 0 being the first. The nodes are numbered level
by level, so that the children of a node follow one another. With the option `teams`, players A and C are partners
against B and D.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.errors import TextFault, UserError
from hiddenhand.core.extras import SearchDefaults, Teams
from hiddenhand.core.game import Game, Origin, define
from hiddenhand.core.picture import Picture, TreeNode
from hiddenhand.core.picture import tree as tree_block
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.games.tree.parser import LEAF, LEVELS, ParsedNode, read_tree
from hiddenhand.kernel import CHANCE, OVER, record_type, rule

NODES = 512
SEATS = 4
CHILDREN = 64
LABEL = 12
EXAMPLES = Path(__file__).parent / "examples"
KNOWN = tuple(sorted(path.stem for path in EXAMPLES.glob("*.tree")))

STATE = record_type(
    [
        ("node", "i8"),
        ("teams", "i8"),
        ("mover", "i1", (NODES,)),
        ("noisy", "i1", (NODES,)),
        ("first", "i2", (NODES,)),
        ("children", "i2", (NODES,)),
        ("probability", "f8", (NODES,)),
        ("payoffs", "f8", (NODES, SEATS)),
        ("labels", "u1", (NODES, LABEL)),
    ]
)


@rule
def deal(s, rng):
    s.node = 0


@rule
def turn(s):
    mover = s.mover[s.node]
    if mover == LEAF:
        return OVER
    return np.int64(mover)


@rule
def legal(s, out):
    for child in range(s.children[s.node]):
        out[child] = child
    return np.int64(s.children[s.node])


@rule
def play(s, action, rng):
    s.node = s.first[s.node] + action


@rule
def odds(s, out):
    for child in range(s.children[s.node]):
        out[child] = s.probability[s.first[s.node] + child]


@rule
def payoff(s, out):
    for seat in range(len(out)):
        out[seat] = s.payoffs[s.node, seat]


@rule
def evaluate(s, out):
    """What the file says after `~`; 0 where it says nothing."""
    for seat in range(len(out)):
        out[seat] = s.payoffs[s.node, seat]


@rule
def quiet(s):
    return s.noisy[s.node] == 0


@rule
def side(s, seat):
    if s.teams != 0:
        return np.int64(seat % 2)
    return np.int64(seat)


def action_name(s: np.record, action: int) -> str:
    return label_of(s, s.first[s.node] + action) or str(action + 1)


def label_of(s: np.record, node: int) -> str:
    return bytes(s.labels[node]).rstrip(b"\0").decode()


def show(view: np.record, seat: int) -> str:
    node = int(view.node)
    mover = view.mover[node]
    if mover == LEAF:
        return Text("the end: payoff {payoff:g}", payoff=view.payoffs[node, seat])
    who = Text("chance moves") if mover == CHANCE else Text("player {letter} moves", letter="ABCD"[mover])
    branches = [
        f"  {action_name(view, a)}: {outline(view, view.first[node] + a)}" for a in range(view.children[node])
    ]
    return Text.joined("\n", [who, *branches])


def picture(view: np.record, seat: int) -> Picture:
    """The whole tree, the way to the present node marked."""
    drawn: list[TreeNode] = [drawn_node(view, 0, -1, seat)]
    for number, parent in enumerate(drawn):  # it grows while it is gone through: level by level
        node = int(parent["name"])
        if view.mover[node] != LEAF:
            children = range(int(view.first[node]), int(view.first[node]) + int(view.children[node]))
            drawn.extend(drawn_node(view, child, number, seat) for child in children)
    here = next(number for number, node in enumerate(drawn) if node["here"])
    while here >= 0:
        drawn[here]["passed"] = True
        here = drawn[here]["parent"]
    return {"tree": tree_block(Text("the tree"), drawn)}


def drawn_node(view: np.record, node: int, parent: int, seat: int) -> TreeNode:
    leaf = view.mover[node] == LEAF
    label = bytes(view.labels[node]).rstrip(b"\0").decode()
    if parent >= 0 and view.probability[node] > 0.0:
        label = label or f"{view.probability[node]:g}"
    return {
        "name": str(node),
        "parent": parent,
        "label": label,
        "value": f"{view.payoffs[node, max(seat, 0)]:g}" if leaf else "",
        "mover": OVER if leaf else int(view.mover[node]),
        "here": bool(node == view.node),
        "passed": False,
    }


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    return action_name(s, action), [str(int(s.first[s.node]) + action)]


def outline(view: np.record, node: int) -> str:
    """The part of the tree below a node, in one line."""
    mover = view.mover[node]
    if mover == LEAF:
        return f"{view.payoffs[node, 0]:g}"
    inside = " ".join(outline(view, view.first[node] + a) for a in range(view.children[node]))
    return f"({'chance' if mover == CHANCE else 'ABCD'[mover]} {inside})"


def outcome(s: np.record) -> str:
    """The path that was taken, and what its leaf pays."""
    node, path = int(s.node), []
    while node > 0:
        parent = next(n for n in range(node) if 0 <= node - s.first[n] < s.children[n])
        path.append(label_of(s, node) or str(node - s.first[parent] + 1))
        node = parent
    return Text(
        "the path {path} leads to a leaf that pays player A {payoff:g}",
        path=", ".join(reversed(path)),
        payoff=s.payoffs[s.node, 0],
    )


def source(options: Mapping[str, Any]) -> tuple[str, str]:
    """The text of the tree, and its name for error messages."""
    if options["text"]:
        return options["text"], Text("the tree")
    name = options["file"]
    path = EXAMPLES / f"{name}.tree" if name in KNOWN else Path(name)
    try:
        return path.read_text(encoding="utf-8"), name
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or Text("it is not text")
        raise UserError("cannot read the tree {file}: {why}", file=repr(name), why=reason) from None


def level_order(root: ParsedNode) -> list[ParsedNode]:
    """All nodes, level by level: the children of each stand together."""
    nodes = [root]
    for node in nodes:
        nodes.extend(node.children)
    return nodes


def height(node: ParsedNode) -> int:
    """How many moves the longest path has."""
    levels, row = 0, [node]
    while row := [child for parent in row for child in parent.children]:
        levels += 1
    return levels


def read(options: Mapping[str, Any]) -> tuple[list[ParsedNode], int]:
    """The tree of these options: its nodes in level order, and how many play."""
    text, name = source(options)
    nodes = level_order(read_tree(text, name))
    if len(nodes) > NODES or height(nodes[0]) > LEVELS or max(len(n.children) for n in nodes) > CHILDREN:
        raise UserError(
            "{name}: the tree has {n} nodes; the limits are {nodes} nodes, {levels} levels, {children} children",
            name=name,
            n=len(nodes),
            nodes=NODES,
            levels=LEVELS,
            children=CHILDREN,
        )
    lengths = {len(values) for n in nodes for values in (n.payoffs, n.estimate) if values}
    if len(lengths) > 1:
        raise UserError(
            "{name}: every payoff must be of the same kind, a number or a list of the same length", name=name
        )
    players = max(2, *lengths)
    for n in nodes:
        if n.mover >= players:
            message = Text("player {who} moves, but the payoffs are for {n} players", who="ABCD"[n.mover], n=players)
            raise TextFault.in_file(name, *n.place, message)
    return nodes, players


def everyone(values: list[float], players: int) -> list[float]:
    """One payoff per player: a single number is MAX's, and MIN gets the opposite."""
    return [values[0], -values[0]] if len(values) == 1 else values[:players]


def configure(s: np.record, options: Mapping[str, Any]) -> None:
    nodes, players = read(options)
    following = 1
    for i, node in enumerate(nodes):
        s.mover[i] = node.mover
        s.noisy[i] = node.noisy
        s.first[i] = following
        s.children[i] = len(node.children)
        s.probability[i] = node.probability
        values = node.payoffs or node.estimate
        if values:
            s.payoffs[i, :players] = everyone(values, players)
        label = node.label.encode()[:LABEL]
        s.labels[i, : len(label)] = list(label)
        following += len(node.children)
    s.teams = options["teams"]


def adapt(options: Mapping[str, Any]) -> dict[str, Any]:
    """What the tree decides about the game itself."""
    nodes, players = read(options)
    values = [everyone(n.payoffs or n.estimate or [0.0] * players, players) for n in nodes]
    numbers = [number for row in values for number in row]
    zero_sum = all(abs(sum(row)) < 1e-9 for row in values)
    return {
        "players": players,
        "chance": ("outcomes",) if any(n.mover == CHANCE for n in nodes) else (),
        "utility": "zero-sum" if zero_sum else "general",
        "payoffs": (min(numbers), max(numbers)),
        "extras": (Teams(2 if options["teams"] else players),),
    }


def game_from_file(path: Path) -> Game:
    """The game of one tree: `hiddenhand play lecture.tree`."""
    given = {"file": str(path), "text": ""}

    def adapt_this(options: Mapping[str, Any]) -> dict[str, Any]:
        return adapt({**options, **given})

    def configure_this(s: np.record, options: Mapping[str, Any]) -> None:
        configure(s, {**options, **given})

    teams = {"teams": GAME.settings["teams"]}
    people = replace(GAME.people, configure=configure_this, adapt=adapt_this)
    game = replace(
        GAME, name=path.stem, title=path.stem.replace("_", " ").capitalize(), people=people,
        about=Text("A tree: {file}.", file=path.name), origin=Origin(path.stem),
        settings=teams, options={"teams": False},
    )  # fmt: skip
    return game.with_options({})


__all__ = ["GAME", "ParsedNode", "game_from_file", "read_tree"]

GAME = define(
    "tree",
    title=Text("A tree of your own"),
    about=__doc__,
    state=STATE,
    rules=(deal, turn, legal, play, payoff, odds, evaluate, quiet, side),
    people=(action_name, show, picture, verb_and_objects, configure, adapt, outcome),
    most_actions=CHILDREN,
    longest=LEVELS,
    players=(2, SEATS),
    chance=("outcomes",),
    utility="general",
    options={
        "file": Setting("coin", Text("a file with a tree, or the name of an example"), choices=KNOWN, kind="file"),
        "text": Setting("", Text("the tree itself, instead of a file")),
        "teams": Setting(False, Text("A and C are partners against B and D")),
    },
    extras=(Teams(SEATS), SearchDefaults(depth=LEVELS)),
)
