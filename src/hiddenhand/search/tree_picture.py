"""The tree that a search looked at, as a lecturer would draw it: values, windows, and the branches that were cut.

found = trace(agent, table.view())
print(found.text())
Path("tree.svg").write_text(found.svg())
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.view import View, legal_actions
from hiddenhand.kernel import CHANCE, OVER, assign, new_records, stream
from hiddenhand.search.driver import ESTIMATED, OPEN, REMEMBERED, SEARCHED
from hiddenhand.search.tree_search import TreeSearch

MOST = 600


@dataclass
class Branch:
    """One node of the drawn tree."""

    label: str
    who: str
    """MAX, MIN, CHANCE, a player's letter, or nothing for a leaf."""
    value: str = ""
    window: str = ""
    how: str = ""
    """'estimated', 'from the table', 'cut', or nothing."""
    probability: float | None = None
    children: list[Branch] = field(default_factory=list)
    x: float = 0.0

    @property
    def cut(self) -> bool:
        return self.how == "cut"


@dataclass
class Trace:
    """A searched tree."""

    root: Branch
    nodes: int
    title: str

    def text(self) -> str:
        """The tree with one node a line."""
        return "\n".join([self.title, *text_lines(self.root, "", "", "")])

    def svg(self) -> str:
        """The tree as a picture."""
        return draw(self)


def trace(agent: TreeSearch, view: View, most: int = MOST) -> Trace:
    """Search the position once, to the agent's depth and without deepening, and keep every node."""
    if not isinstance(agent, TreeSearch):
        raise UserError(f"{agent} does not search a tree; try minimax, alphabeta, expectiminimax or maxn")
    agent.forget()
    outcome = agent.search(view.imagine(), view.seat, agent.limit(), trace=most)
    assert outcome is not None
    if outcome.nodes > most:
        raise UserError(
            f"the search visited {outcome.nodes:,} nodes, a picture holds {most}; ask for a smaller depth"
        )
    root = Gathering(view.game, outcome.trace, view.seat, agent.vector).gather(view.imagine())
    seen = f"{outcome.nodes:,} nodes" + (f", {outcome.estimates:,} of them estimated" if outcome.estimates else "")
    value = root.value if agent.vector else f"{outcome.value:g}"
    return Trace(root, outcome.nodes, f"{view.game.title}, {agent}: value {value}, {seen}")


class Gathering:
    """Turns the kernel's list of nodes into a tree, and adds the branches that it never entered."""

    def __init__(self, game: Game, log: Any, me: int, vector: bool) -> None:
        self.game = game
        self.log = log
        self.me = me
        self.vector = vector
        self.below: dict[int, list[int]] = {}
        for number in range(1, len(log)):
            self.below.setdefault(int(log[number].parent), []).append(number)

    def gather(self, state: Any) -> Branch:
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
                node = self.branch(child, self.game.text(state, action), after)
                if branch.who == "CHANCE":
                    node.probability = float(odds[legal.index(action)])
                branch.children.append(node)
                waiting.append((child, node, after))
            for action in legal:
                if action not in tried:
                    branch.children.append(Branch(self.game.text(state, action), "", how="cut"))
        self.mark_bounds(0, root)
        return root

    def mark_bounds(self, number: int, branch: Branch) -> bool:
        """Write <= or >= before a value that rests on cut branches and missed its window; whether any are cut."""
        cut = any(child.cut for child in branch.children)
        for child_number, child in zip(self.below.get(number, ()), branch.children):
            cut = self.mark_bounds(child_number, child) or cut
        node = self.log[number]
        if cut and not self.vector and int(node.how) == SEARCHED:
            if node.value <= node.alpha:
                branch.value = f"≤ {branch.value}"
            elif node.value >= node.beta:
                branch.value = f"≥ {branch.value}"
        return cut

    def after(self, state: Any, action: int) -> Any:
        records = new_records(self.game.state, 1)
        assign(records[0], state)
        self.game.rules.play(records[0], action, stream(0))
        return records[0]

    def branch(self, number: int, label: str, state: Any) -> Branch:
        node = self.log[number]
        how = {ESTIMATED: "estimated", REMEMBERED: "from the table", OPEN: "cut"}.get(int(node.how), "")
        who = "" if how else self.who(state, int(node.mover))
        window = "" if not who or self.vector else window_text(float(node.alpha), float(node.beta))
        values = node.values[: self.game.players] if self.vector else [node.value]
        value = "" if how == "cut" else " ".join(f"{v:.4g}" for v in values)
        return Branch(label, who, f"({value})" if self.vector and value else value, window, how)

    def who(self, state: Any, mover: int) -> str:
        if mover == OVER:
            return ""
        if mover == CHANCE:
            return "CHANCE"
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

STEP_X, STEP_Y, RADIUS, MARGIN = 62.0, 92.0, 17.0, 46.0
STYLE = """
  text { font: 12px sans-serif; fill: #1b1b1b; text-anchor: middle; }
  .value { font-weight: bold; } .title { text-anchor: start; }
  .small, .edge { font-size: 10px; fill: #444; paint-order: stroke; stroke: white; stroke-width: 3px; }
  line { stroke: #555; stroke-width: 1.3; } .cut { stroke: #b4451f; stroke-dasharray: 4 3; } .bar { stroke: #b4451f; }
  .max { fill: #cfe3f5; } .min { fill: #f9dfc0; } .chance { fill: #dcefd8; } .leaf { fill: #f4f4f4; }
  .max, .min, .chance, .leaf { stroke: #333; }
"""


def place(branch: Branch, next_x: float) -> float:
    """Give every node its x: leaves side by side, parents above the middle of their children."""
    if not branch.children:
        branch.x = next_x
        return next_x + STEP_X
    for child in branch.children:
        next_x = place(child, next_x)
    branch.x = (branch.children[0].x + branch.children[-1].x) / 2
    return next_x


def levels(branch: Branch) -> int:
    return 1 + max((levels(child) for child in branch.children), default=0)


def draw(found: Trace) -> str:
    """The whole picture."""
    right = place(found.root, MARGIN)
    width = max(right, 9.0 * len(found.title)) + MARGIN - STEP_X / 2
    height = levels(found.root) * STEP_Y + MARGIN
    parts: list[str] = []
    draw_branch(found.root, MARGIN + 22, parts)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
            f'width="{width:.0f}" height="{height:.0f}" role="img" aria-label="{escape(found.title)}">',
            f"<style>{STYLE}</style>",
            f'<rect width="{width:.0f}" height="{height:.0f}" fill="white"/>',
            f'<text class="title" x="12" y="22">{escape(found.title)}</text>',
            *parts,
            "</svg>",
        ]
    )


def draw_branch(branch: Branch, y: float, parts: list[str]) -> None:
    """A node, the lines to its children, and all below it."""
    for child in branch.children:
        kind = ' class="cut"' if child.cut else ""
        share = 0.62 if child.cut else 1.0
        end, x = y + STEP_Y * share, branch.x + (child.x - branch.x) * share
        parts.append(f'<line{kind} x1="{branch.x:.1f}" y1="{y:.1f}" x2="{x:.1f}" y2="{end:.1f}"/>')
        if child.cut:
            parts.append(f'<line class="bar" x1="{x - 7:.1f}" y1="{end:.1f}" x2="{x + 7:.1f}" y2="{end:.1f}"/>')
        odds = "" if child.probability is None else f"{child.probability:.3g} "
        at = branch.x + (child.x - branch.x) * 0.5
        parts.append(
            f'<text class="edge" x="{at:.1f}" y="{y + STEP_Y * 0.5 + 4:.1f}">{escape(odds + child.label)}</text>'
        )
        if not child.cut:
            draw_branch(child, y + STEP_Y, parts)
    draw_node(branch, y, parts)


def draw_node(branch: Branch, y: float, parts: list[str]) -> None:
    """The shape of a node: up for MAX, down for MIN, round for chance, a box for a leaf or another player."""
    x, r = branch.x, RADIUS
    if branch.who == "MAX":
        parts.append(
            f'<path class="max" d="M{x - r * 1.3:.1f},{y + r:.1f} h{r * 2.6:.1f} L{x:.1f},{y - r * 1.2:.1f} Z"/>'
        )
    elif branch.who == "MIN":
        parts.append(
            f'<path class="min" d="M{x - r * 1.3:.1f},{y - r:.1f} h{r * 2.6:.1f} L{x:.1f},{y + r * 1.2:.1f} Z"/>'
        )
    elif branch.who == "CHANCE":
        parts.append(f'<circle class="chance" cx="{x:.1f}" cy="{y:.1f}" r="{r}"/>')
    else:
        wide = max(r, 3.6 * len(branch.value))
        box = f'x="{x - wide:.1f}" y="{y - r * 0.8:.1f}" width="{2 * wide:.1f}" height="{r * 1.6:.1f}"'
        parts.append(f'<rect class="leaf" {box}/>')
    parts.append(f'<text class="value" x="{x:.1f}" y="{y + 4:.1f}">{escape(branch.value)}</text>')
    under = [branch.who if len(branch.who) == 1 else "", branch.window, branch.how]
    note = " ".join(part for part in under if part)
    if note:
        parts.append(f'<text class="small" x="{x:.1f}" y="{y - r * 1.2 - 5:.1f}">{escape(note)}</text>')
