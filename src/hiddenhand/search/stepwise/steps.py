"""What is seen of a search: a tree of shapes, and steps that change a few of them. All of it is plain data.

A node shows a value, a note (the window, a count of visits, a probability) and one of a few looks. A step says in a
sentence what happens, where, and which nodes show something else from then on; the picture after step k is what the
first k steps have left (`Watched.frame`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from typing_extensions import TypedDict

Look = Literal["ahead", "open", "done", "cut", "more"]
"""Not reached yet; being searched; finished; cut off; or not a node but a sign that there are more."""


class Shape(TypedDict):
    """One node as it stays throughout. A parent comes before its children."""

    parent: int
    """-1 for the root."""
    action: int
    """Which action led here: with those of its parents, the way to this node."""
    label: str
    who: str
    """MAX, MIN, CHANCE, DICE, a player's letter, or nothing for a leaf."""
    estimated: bool
    """A leaf at which the search is cut off."""
    value: str
    """What is known of a leaf before any search."""
    board: list[str]
    """The marks of a small board, cell by cell; empty for none."""
    columns: int


class Change(TypedDict):
    """What a node shows from now on."""

    node: int
    look: Look
    value: str
    note: str


class SearchStep(TypedDict):
    """Something that happens in a search."""

    kind: str
    """enter, leaf, back, cut, done, simulate, world, learn."""
    at: int
    """The node where it happens."""
    says: str
    changes: list[Change]
    line: list[int]
    """The nodes of the best line so far, or of the path that is followed."""
    visited: int
    cut: int
    """Nodes that are known not to matter."""


@dataclass
class TreeFrame:
    """The picture after some steps: one change a node, the last."""

    shown: list[Change]
    step: SearchStep | None


@dataclass
class Watched:
    """A search that was watched."""

    title: str
    nodes: list[Shape]
    steps: list[SearchStep]
    result: str
    """What came of it, in a sentence."""

    def frame(self, steps: int) -> TreeFrame:
        """The picture of the tree after `count` steps; after none, the bare tree."""
        shown = [unseen(number, shape) for number, shape in enumerate(self.nodes)]
        for step in self.steps[:steps]:
            for change in step["changes"]:
                shown[change["node"]] = change
        return TreeFrame(shown, self.steps[steps - 1] if steps > 0 else None)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def unseen(number: int, shape: Shape) -> Change:
    look: Look = "more" if shape["who"] == MORE else "ahead"
    return {"node": number, "look": look, "value": shape["value"], "note": ""}


MORE = "MORE"
"""Who moves at a sign that says how many children are left out."""


@dataclass
class Recorder:
    """Writes the steps down while a search goes on."""

    nodes: list[Shape]
    steps: list[SearchStep] = field(default_factory=list)
    shown: dict[int, Change] = field(default_factory=dict)
    waiting: dict[int, Change] = field(default_factory=dict)
    visited: int = 0
    cut: int = 0

    def show(self, node: int, look: Look | None = None, value: str | None = None, note: str | None = None) -> None:
        """A node looks different from the next step on; what is not given stays."""
        before = self.shown.get(node) or unseen(node, self.nodes[node])
        change: Change = {
            "node": node,
            "look": before["look"] if look is None else look,
            "value": before["value"] if value is None else value,
            "note": before["note"] if note is None else note,
        }
        if change != before:
            self.shown[node] = self.waiting[node] = change

    def step(self, kind: str, at: int, says: str, line: list[int] | None = None) -> None:
        self.steps.append(
            {
                "kind": kind,
                "at": at,
                "says": says,
                "changes": list(self.waiting.values()),
                "line": line or [],
                "visited": self.visited,
                "cut": self.cut,
            }
        )
        self.waiting = {}


def number_text(value: float) -> str:
    """A number as a node shows it."""
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else "-∞"
    return f"{round(value, 3) + 0.0:.6g}"


def window_text(alpha: float, beta: float) -> str:
    return f"[{number_text(alpha)}, {number_text(beta)}]"
