"""The tree of likely futures as a picture (SVG): time runs from left to right, likely futures have thick lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from textwrap import wrap

from hiddenhand.core.svg import document, line, rect, text
from hiddenhand.planning.explain.futures import ActionFutures, Futures, PlannedStep
from hiddenhand.planning.explain.question import amount, percent

BOX, GAP, LINE, MARGIN, TOP = 272.0, 92.0, 14.0, 16.0, 40.0
LETTERS = 42
MOST_LINES = 5
STYLE = """
  text { font: 11px sans-serif; fill: #1b1b1b; } .title { font-size: 13px; font-weight: bold; }
  .bold { font-weight: bold; } .edge { font-size: 10px; fill: #444; text-anchor: middle; }
  .halo { stroke: white; stroke-width: 3px; }
  .rest { font-style: italic; fill: #666; }
  line { stroke: #555; } .aside { stroke-dasharray: 5 4; }
  .now { fill: #cfe3f5; } .advised { fill: #dcefd8; } .other { fill: #f9dfc0; } .moment { fill: #f4f4f4; }
  rect { stroke: #333; } .paper { fill: white; stroke: none; }
"""


@dataclass
class Box:
    """One box of the picture and all to the right of it."""

    lines: list[str]
    kind: str
    strong: int = 0
    """This line is written boldly; -1: none."""
    label: str = ""
    """On the line that leads here."""
    width: float = 1.0
    dashed: bool = False
    children: list[Box] = field(default_factory=list)
    y: float = 0.0

    @property
    def height(self) -> float:
        return LINE * len(self.lines) + 8.0


def picture(futures: Futures) -> str:
    """The whole picture."""
    root = Box(list(futures.now), "now", strong=-1, children=[branch_box(branch) for branch in futures.branches])
    height = place(root, TOP) + MARGIN
    width = max(2.0 * MARGIN + columns(root) * (BOX + GAP) - GAP, 7.5 * len(futures.title) + 2.0 * MARGIN)
    parts = [text(futures.title, MARGIN, 22, "title")]
    draw(root, MARGIN, parts)
    return document(futures.title, STYLE, (width, height), parts)


def branch_box(branch: ActionFutures) -> Box:
    kind = "advised" if branch.advised else "other"
    lines = [branch.action, f"worth {amount(branch.value)}"]
    children = [moment_box(moment) for moment in branch.following]
    if branch.left_out > 1e-9:
        children.append(rest_box(branch.left_out))
    return Box(lines, kind, width=3.0, dashed=not branch.advised, children=children)


def moment_box(moment: PlannedStep) -> Box:
    seen = wrap(moment.seen, LETTERS, break_long_words=False)
    lines = seen if len(seen) <= MOST_LINES else [*seen[: MOST_LINES - 1], "..."]
    if moment.action:
        lines = [*lines, f"then {moment.action} ({amount(moment.value)})"]
    label = percent(moment.probability) + (f", {moment.payoff:+g}" if moment.payoff else "")
    children = [moment_box(later) for later in moment.following]
    if moment.left_out > 1e-9 and moment.action:
        children.append(rest_box(moment.left_out))
    strong = len(lines) - 1 if moment.action else -1
    return Box(lines, "moment", strong, label, 0.8 + 4.0 * moment.reached, children=children)


def rest_box(probability: float) -> Box:
    return Box([f"other futures, {percent(probability)}"], "rest", strong=-1)


def columns(box: Box) -> int:
    return 1 + max((columns(child) for child in box.children), default=0)


def place(box: Box, top: float) -> float:
    """Give every box its y, the middle of its children if it has any; where the next one may begin."""
    if not box.children:
        box.y = top + box.height / 2.0
        return top + box.height + 12.0
    end = top
    for child in box.children:
        end = place(child, end)
    box.y = (box.children[0].y + box.children[-1].y) / 2.0
    box.y = max(box.y, top + box.height / 2.0)
    return max(end, box.y + box.height / 2.0 + 12.0)


def draw(box: Box, left: float, parts: list[str]) -> None:
    """A box, the lines to its children, and all to the right of it."""
    right = left + BOX
    for child in box.children:
        kind = "aside" if child.dashed else ""
        parts.append(line((right, box.y), (right + GAP, child.y), kind, stroke_width=child.width))
        if child.label:
            middle = (box.y + child.y) / 2.0 - 4.0
            # twice, as not every program can draw the white line below the letters
            parts += [text(child.label, right + GAP / 2.0, middle, kind) for kind in ("edge halo", "edge")]
        draw(child, right + GAP, parts)
    top = box.y - box.height / 2.0
    if box.kind != "rest":
        parts.append(rect(left, top, BOX, box.height, box.kind, rx=5))
    for number, words in enumerate(box.lines):
        kind = "bold" if number == box.strong else "rest" if box.kind == "rest" else "plain"
        parts.append(text(words, left + 8.0, top + 4.0 + LINE * (number + 0.8), kind))
