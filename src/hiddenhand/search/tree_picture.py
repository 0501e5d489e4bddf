"""The tree that a search looked at, as a lecturer would draw it: values, windows, and the branches that were cut.

found = trace(agent, table.view())
print(found.text())
Path("tree.svg").write_text(found.svg())
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hiddenhand.core import html
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.text import Text
from hiddenhand.core.view import View, legal_actions
from hiddenhand.kernel import CHANCE, OVER, assign, new_records, stream
from hiddenhand.search.driver import ESTIMATED, OPEN, REMEMBERED, SEARCHED
from hiddenhand.search.stepwise.steps import Change, Shape, TreeFrame
from hiddenhand.search.tree_drawing import Drawing
from hiddenhand.search.tree_search import TreeSearch

MOST = 600


@dataclass
class Branch:
    """One node of the drawn tree."""

    label: str
    who: str
    """MAX, MIN, CHANCE or DICE, a player's letter, or nothing for a leaf."""
    value: str = ""
    window: str = ""
    how: str = ""
    """'estimated', 'from the table', 'cut', or nothing."""
    probability: float | None = None
    children: list[Branch] = field(default_factory=list)

    @property
    def cut(self) -> bool:
        return self.how == "cut"


@dataclass(repr=False)
class Trace:
    """A searched tree."""

    root: Branch
    nodes: int
    title: str

    def __repr__(self) -> str:
        return f"<Trace of {self.title}>"

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return html.fragment(self.title, self.svg())

    def text(self) -> str:
        """The tree with one node a line."""
        return "\n".join([self.title, *text_lines(self.root, "", "", "")])

    def svg(self) -> str:
        """The tree as a picture."""
        return draw(self)


def trace(agent: TreeSearch, view: View, most: int = MOST) -> Trace:
    """Search the position once, to the agent's depth and without deepening, and keep every node."""
    if not isinstance(agent, TreeSearch):
        raise UserError("{agent} does not search a tree; try minimax, alphabeta, expectiminimax or maxn", agent=agent)
    agent.forget()
    outcome = agent.search(view.imagine(), view.seat, agent.limit(), trace=most)
    assert outcome is not None
    if outcome.nodes > most:
        raise UserError(
            "the search visited {nodes:,} nodes, a picture holds {most}; ask for a smaller depth",
            nodes=outcome.nodes,
            most=most,
        )
    root = Gathering(view.game, outcome.trace, view.seat, agent.vector).gather(view.imagine())
    title = Text(
        "{game}, {agent}: value {value}, {n:,} nodes, {estimates:,} of them estimated"
        if outcome.estimates
        else "{game}, {agent}: value {value}, {n:,} nodes",
        game=view.game.title,
        agent=agent,
        value=root.value if agent.vector else Text("{value:g}", value=outcome.value),
        n=outcome.nodes,
        **({"estimates": outcome.estimates} if outcome.estimates else {}),
    )
    return Trace(root, outcome.nodes, title)


class Gathering:
    """Turns the kernel's list of nodes into a tree, and adds the branches that it never entered."""

    def __init__(self, game: Game, log: np.recarray[Any, Any], me: int, vector: bool) -> None:
        self.game = game
        self.log = log
        self.me = me
        self.vector = vector
        self.below: dict[int, list[int]] = {}
        for number in range(1, len(log)):
            self.below.setdefault(int(log[number].parent), []).append(number)
        for number in [number for number in self.below if int(log[number].mover) == CHANCE]:
            self.below[number] = self.once_each(self.below[number])

    def once_each(self, outcomes: list[int]) -> list[int]:
        """The outcomes of a chance node, each once: Star2 first tries one move after each, and goes on later."""
        last: dict[int, int] = {}
        for node in outcomes:
            action = int(self.log[node].action)
            if action in last:
                self.below[node] = self.below.get(last[action], []) + self.below.get(node, [])
            last[action] = node
        return list(last.values())

    def gather(self, state: np.record) -> Branch:
        """The whole tree from the root, whose state is given."""
        root = self.branch(0, "", state)
        waiting = [(0, root, state)]
        while waiting:
            number, branch, state = waiting.pop()
            if int(self.log[number].mover) == OVER or number not in self.below:
                continue
            legal = legal_actions(self.game, state)
            odds = np.ones(self.game.most_actions)
            if int(self.log[number].mover) == CHANCE:
                self.game.rules.odds(state, odds)
            tried = set()
            for child in self.below[number]:
                action = int(self.log[child].action)
                tried.add(action)
                after = self.after(state, action)
                node = self.branch(child, self.game.people.action_name(state, action), after)
                if int(self.log[number].mover) == CHANCE:
                    node.probability = float(odds[legal.index(action)])
                branch.children.append(node)
                waiting.append((child, node, after))
            for action in legal:
                if action not in tried:
                    branch.children.append(Branch(self.game.people.action_name(state, action), "", how="cut"))
        self.mark_bounds(0, root)
        return root

    def mark_bounds(self, number: int, branch: Branch) -> bool:
        """Write <= or >= before a value that rests on cut branches and missed its window; whether any are cut."""
        cut = any(child.cut for child in branch.children)
        for child_number, child in zip(self.below.get(number, ()), branch.children):
            cut = self.mark_bounds(child_number, child) or cut
        node = self.log[number]
        if cut and not self.vector and int(node.how) == SEARCHED:
            probed = any(child.cut for child in branch.children)  # inside its window, one move was tried and no other
            if node.value <= node.alpha or (probed and node.value < node.beta and branch.who == "MIN"):
                branch.value = f"≤ {branch.value}"
            elif node.value >= node.beta or (probed and branch.who == "MAX"):
                branch.value = f"≥ {branch.value}"
        return cut

    def after(self, state: np.record, action: int) -> np.record:
        following: np.record = new_records(self.game.rules.state, 1)[0]
        assign(following, state)
        self.game.rules.play(following, action, stream(0))
        return following

    def branch(self, number: int, label: str, state: np.record) -> Branch:
        node = self.log[number]
        how = {ESTIMATED: "estimated", REMEMBERED: Text("from the table"), OPEN: "cut"}.get(int(node.how), "")
        who = "" if how else self.who(state, int(node.mover))
        window = "" if not who or self.vector else window_text(float(node.alpha), float(node.beta))
        values = node.values[: self.game.players] if self.vector else [node.value]
        value = "" if how == "cut" else " ".join(f"{v:.4g}" for v in values)
        return Branch(label, who, f"({value})" if self.vector and value else value, window, how)

    def who(self, state: np.record, mover: int) -> str:
        if mover == OVER:
            return ""
        if mover == CHANCE:
            return self.game.chance.name.upper()
        if self.vector:
            return "ABCDEF"[mover]
        side = self.game.rules.side
        return "MAX" if side(state, mover) == side(state, self.me) else "MIN"


def window_text(alpha: float, beta: float) -> str:
    """The window on arrival, unless it is wide open."""
    if np.isinf(alpha) and np.isinf(beta):
        return ""
    return f"[{bound_text(alpha)}, {bound_text(beta)}]"


def bound_text(bound: float) -> str:
    return ("-∞" if bound < 0 else "∞") if np.isinf(bound) else f"{bound:.4g}"


def text_lines(branch: Branch, lead: str, stem: str, label_lead: str) -> list[str]:
    """The lines of a branch and all below it."""
    odds = "" if branch.probability is None else f"{branch.probability:.3g} "
    label = f"{odds}{branch.label}: " if branch.label else ""
    parts = [branch.who, branch.value, branch.window, f"({branch.how})" if branch.how else ""]
    lines = [f"{lead}{label}" + " ".join(part for part in parts if part)]
    for i, child in enumerate(branch.children):
        last = i == len(branch.children) - 1
        lines += text_lines(child, stem + ("└─ " if last else "├─ "), stem + ("   " if last else "│  "), "")
    return lines


# ---- the picture


def draw(found: Trace) -> str:
    """The whole picture: every node as it is at the end."""
    shapes: list[Shape] = []
    shown: list[Change] = []
    add(found.root, -1, shapes, shown)
    return Drawing(shapes, shown).frame(TreeFrame(shown, None), [found.title])


def add(branch: Branch, parent: int, shapes: list[Shape], shown: list[Change]) -> None:
    """A branch and all below it, as the drawing knows nodes."""
    number, odds = len(shapes), "" if branch.probability is None else f"{branch.probability:.3g} "
    shapes.append(
        {
            "parent": parent,
            "action": -1,
            "label": f"{odds}{branch.label}",
            "who": branch.who,
            "estimated": branch.how == "estimated",
            "value": "",
            "board": [],
            "columns": 0,
        }
    )
    note = " ".join(
        part for part in (branch.window, Text("from the table") if branch.how == "from the table" else "") if part
    )
    shown.append({"node": number, "look": "cut" if branch.cut else "done", "value": branch.value, "note": note})
    for child in branch.children:
        add(child, number, shapes, shown)
