"""Draws a tree of a search as SVG: one picture, a picture after every step, or all steps as one animated picture.

MAX has a roof, MIN a point below, chance is round, leaves and the players of max^n are boxes; a leaf with round
corners is where EVAL was asked. Rows are named on the left. What is cut off is grey and dashed; the best line is
thick. Nothing depends on what only browsers can do: labels stand on small white boxes, and every box is as wide as
the widest text that it will ever hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from hiddenhand.core.svg import circle, document, element, line, path, rect, text, text_width, wrapped
from hiddenhand.search.stepwise.steps import MORE, Change, Shape, TreeFrame, Watched

SIZE, SMALL = 12.0, 10.0
BOX = 22.0
ROOF = 9.0
GAP = 10.0
ROAD = 44.0
MARGIN = 14.0
CELL, SMALL_CELL, FEW_CELLS = 11.0, 6.0, 16
NARROWEST = 420.0
SECONDS = 1.6
"""That an animated picture stays at one step."""

RULES = (
    'text { font: 12px "DejaVu Sans", Verdana, sans-serif; fill: #1b1b1b; text-anchor: middle; }',
    ".value { font-weight: bold; }",
    ".small { font-size: 10px; fill: #444; }",
    ".start { text-anchor: start; }",
    ".row-name { font-size: 10px; fill: #777; text-anchor: start; letter-spacing: 1px; }",
    ".road { stroke: #555; stroke-width: 1.2; }",
    ".backing { fill: white; stroke: none; }",
    ".box { stroke: #333; stroke-width: 1.2; fill: #f4f4f4; }",
    ".max .box { fill: #cfe3f5; }",
    ".min .box { fill: #f9dfc0; }",
    ".chance .box { fill: #dcefd8; }",
    ".player .box { fill: #eadcf2; }",
    ".ahead .box { fill: #fcfcfc; stroke: #bbb; }",
    ".ahead .value { fill: #888; font-weight: normal; }",
    ".ahead .road { stroke: #ccc; }",
    ".cut .box { fill: #eee; stroke: #bbb; stroke-dasharray: 3 3; }",
    ".cut text { fill: #999; }",
    ".cut .road { stroke: #b4451f; stroke-dasharray: 4 3; }",
    ".best .road { stroke: #1f6f43; stroke-width: 3; }",
    ".best .box { stroke: #1f6f43; stroke-width: 2.6; }",
    ".now .box { stroke: #c2185b; stroke-width: 3.2; }",
    ".more text { fill: #777; }",
    ".more .road { stroke: #ccc; stroke-dasharray: 1 4; }",
    ".grid { fill: none; stroke: #777; stroke-width: 0.8; }",
    ".cross { stroke: #1f4e79; stroke-width: 1.6; }",
    ".nought { fill: none; stroke: #a04000; stroke-width: 1.6; }",
    ".first { fill: #1f4e79; }",
    ".second { fill: #d98c2b; }",
)
STYLE = "\n".join(f".watched {rule}" for rule in RULES)
"""The style rules, restricted to this picture: a page may hold several."""


@dataclass
class Placed:
    """A node with its place: the middle of its box, and how much room it needs."""

    shape: Shape
    level: int
    children: list[int] = field(default_factory=list)
    width: float = 0.0
    """Of the box."""
    slot: float = 0.0
    """Of the box and the texts above and below it."""
    notes: bool = False
    """Whether it ever has a note."""
    x: float = 0.0
    y: float = 0.0
    board: float = 0.0
    """How high the board is inside."""
    note_width: float = 0.0

    @property
    def height(self) -> float:
        return BOX + self.board

    @property
    def kind(self) -> str:
        who = self.shape["who"]
        known = {"MAX": "max", "MIN": "min", "": "leaf", MORE: "more"}
        return known.get(who, "player" if len(who) == 1 else "chance")


class Drawing:
    """A tree in its places; `changes` are all that its nodes will ever show."""

    def __init__(self, shapes: Sequence[Shape], changes: Iterable[Change]) -> None:
        self.nodes: list[Placed] = []
        for number, shape in enumerate(shapes):
            parent = shape["parent"]
            self.nodes.append(Placed(shape, 0 if parent < 0 else self.nodes[parent].level + 1))
            if parent >= 0:
                self.nodes[parent].children.append(number)
        self.measure(changes)
        self.rows = self.row_names()
        self.left = MARGIN + max((text_width(name, SMALL) + 8 for name in self.rows), default=0.0) + GAP
        self.place()

    # ---- where everything stands

    def measure(self, changes: Iterable[Change]) -> None:
        for node in self.nodes:
            cells = len(node.shape["board"])
            if cells:
                size = cell_size(cells)
                node.board = size * -(-cells // node.shape["columns"]) + 4
                node.width = size * node.shape["columns"] + 8
            node.width = max(node.width, 20.0)
        for change in changes:
            node = self.nodes[change["node"]]
            node.width = max(node.width, text_width(change["value"], SIZE, bold=True) + 10)
            node.note_width = max(node.note_width, text_width(change["note"], SMALL) + 4)
        for node in self.nodes:
            node.slot = max(node.width, text_width(node.shape["label"], SMALL) + 4, node.note_width)

    def row_names(self) -> list[str]:
        """Who moves in each row, if it is the same throughout; leaves are named where there is nothing else."""
        names: list[str] = []
        for level in range(1 + max(node.level for node in self.nodes)):
            row = [node for node in self.nodes if node.level == level and node.kind != "more"]
            movers = dict.fromkeys(node.shape["who"] for node in row if node.shape["who"])
            if movers:
                names.append(" / ".join(movers) if len(movers) <= 2 else "")
            else:
                names.append("EVAL" if any(node.shape["estimated"] for node in row) else "PAYOFF")
        return names

    def place(self) -> None:
        """Leaves side by side, parents over the middle of their children; no two slots of a row overlap."""
        free = [self.left] * len(self.rows)
        self.settle(0, free)
        shift = max(0.0, self.left - min(node.x - node.slot / 2 for node in self.nodes))
        tops: list[float] = [MARGIN]
        for level in range(len(self.rows)):
            row = [node for node in self.nodes if node.level == level]
            tall = max(node.height for node in row)
            noted = 14.0 if any(node.note_width > 4 for node in row) else 2.0
            for node in row:
                node.x += shift
                node.y = tops[-1] + ROOF + tall / 2
            tops.append(tops[-1] + 2 * ROOF + tall + noted + ROAD)
        self.height = tops[-1] - ROAD + MARGIN
        self.width = max(node.x + node.slot / 2 for node in self.nodes) + MARGIN

    def settle(self, number: int, free: list[float]) -> None:
        node = self.nodes[number]
        for child in node.children:
            self.settle(child, free)
        least = free[node.level] + node.slot / 2
        if node.children:
            middle = (self.nodes[node.children[0]].x + self.nodes[node.children[-1]].x) / 2
            if middle < least:
                self.shift(node.children, least - middle, free)
                middle = least
            node.x = middle
        else:
            node.x = least
        free[node.level] = node.x + node.slot / 2 + GAP

    def shift(self, numbers: list[int], by: float, free: list[float]) -> None:
        """Move subtrees to the right."""
        for number in numbers:
            node = self.nodes[number]
            node.x += by
            free[node.level] = max(free[node.level], node.x + node.slot / 2 + GAP)
            self.shift(node.children, by, free)

    # ---- the parts of a picture

    def road(self, number: int) -> str:
        """The line to a node from its parent, and the move that it stands for."""
        node = self.nodes[number]
        if node.shape["parent"] < 0:
            return ""
        above = self.nodes[node.shape["parent"]]
        top = node.y - node.height / 2 - (ROOF if node.kind == "max" else 0.0)
        start = above.y + above.height / 2
        road, label = line((above.x, start), (node.x, top), "road"), node.shape["label"]
        return road + (on_paper(label, node.x, top - 6, text_width(label, SMALL) + 4, "small") if label else "")

    def box(self, number: int) -> str:
        """The shape of a node, and the board in it."""
        node = self.nodes[number]
        half, tall = node.width / 2, node.height / 2
        top, bottom = node.y - tall, node.y + tall
        if node.kind == "more":
            return ""
        if node.kind == "max":
            drawn = house(node, bottom, top, top - ROOF)
        elif node.kind == "min":
            drawn = house(node, top, bottom, bottom + ROOF)
        else:
            round_ = min(half, tall) if node.kind == "chance" else 7.0 if node.shape["estimated"] else 0.0
            drawn = rect(node.x - half, top, node.width, node.height, "box", rx=round_)
        return drawn + self.board(node)

    def board(self, node: Placed) -> str:
        cells, columns = node.shape["board"], node.shape["columns"]
        if not cells:
            return ""
        size = cell_size(len(cells))
        left, top = node.x - size * columns / 2, node.y - node.height / 2 + 3
        parts = []
        for number, mark in enumerate(cells):
            x, y = left + size * (number % columns), top + size * (number // columns)
            parts.append(rect(x, y, size, size, "grid"))
            parts.append(mark_in_cell(mark, x + size / 2, y + size / 2, size * 0.3))
        return "".join(parts)

    def texts(self, number: int, change: Change) -> str:
        """The value of a node, and its note."""
        node = self.nodes[number]
        bottom = node.y + node.height / 2
        y = node.y + 4.5 if not node.board else bottom - 6
        below = bottom + (ROOF if node.kind == "min" else 0.0) + 11
        value = text(change["value"], node.x, y, "small" if node.kind == "more" else "value")
        if node.kind == "more" or node.note_width <= 4:
            return value
        note = on_paper(change["note"], node.x, below, node.note_width, "note small")
        return value + element("g", note, kind="under", visibility=None if change["note"] else "hidden")

    def looks(self, number: int, frame: TreeFrame) -> str:
        """The classes of a node in a frame."""
        step = frame.step
        now = step is not None and step["at"] == number
        best = step is not None and number in step["line"] and frame.shown[number]["look"] != "cut"
        words = ["node", self.nodes[number].kind, frame.shown[number]["look"]]
        return " ".join([*dict.fromkeys(words), *(["best"] if best else []), *(["now"] if now else [])])

    def row_labels(self) -> str:
        parts = []
        for level, name in enumerate(self.rows):
            y = next(node.y for node in self.nodes if node.level == level) + 4
            parts.append(text(name, MARGIN, y, "row-name"))
        return "".join(parts)

    # ---- whole pictures

    def frame(self, frame: TreeFrame, heading: Sequence[str] = (), caption: str = "") -> str:
        """The picture after a step. Every node is a group with the id n and its number."""
        roads, boxes = "", ""
        for number in range(len(self.nodes)):
            looks, texts = self.looks(number, frame), self.texts(number, frame.shown[number])
            roads += element("g", self.road(number), kind=looks, id=f"r{number}")
            boxes += element("g", self.box(number), texts, kind=looks, id=f"n{number}")
        return self.sheet(self.row_labels() + roads + boxes, heading, [caption] if caption else [])

    def sheet(self, inside: str, heading: Sequence[str], captions: Sequence[str]) -> str:
        """A white sheet with a heading above, room for the longest of some captions, and the tree below."""
        width = max(self.width, NARROWEST if heading else 0.0)
        top = MARGIN
        lines = []
        for title in heading:
            for words in wrapped(title, SIZE, width - 2 * MARGIN):
                top += 16
                lines.append(text(words, MARGIN, top, "start value"))
        rows = max((len(wrapped(caption, SIZE, width - 2 * MARGIN)) for caption in captions), default=0)
        if len(captions) == 1:
            lines.append(caption_lines(captions[0], top, width))
        self.caption_top = top
        top += 16 * rows + (4 if heading or captions else 0)
        height = top + self.height if heading or captions else self.height
        down = top if heading or captions else 0.0
        name = " ".join(heading) or "a tree of moves"
        tree = element("g", inside, transform=f"translate(0 {down:.0f})")
        return document(name, STYLE, (width, height), ["".join(lines) + tree], kind="watched", paper="backing")


def caption_lines(caption: str, top: float, width: float) -> str:
    rows = wrapped(caption, SIZE, width - 2 * MARGIN)
    return "".join(text(words, MARGIN, top + 16 * row, "start") for row, words in enumerate(rows, 1))


def house(node: Placed, foot: float, wall: float, peak: float) -> str:
    """A box with a roof: its walls go from `foot` to `wall`, and the roof up (or down) to `peak`."""
    left, right = node.x - node.width / 2, node.x + node.width / 2
    corners = (left, foot), (right, foot), (right, wall), (node.x, peak), (left, wall)
    return path("M", *corners, "Z", kind="box")


def on_paper(words: str, x: float, y: float, width: float, kind: str) -> str:
    """A small text on a white box, so that it can be read on a line."""
    return rect(x - width / 2, y - 9, width, 12, "backing") + text(words, x, y, kind)


def cell_size(cells: int) -> float:
    return CELL if cells <= FEW_CELLS else SMALL_CELL


def mark_in_cell(mark: str, x: float, y: float, r: float) -> str:
    if mark == "x":
        return path("M", (x - r, y - r), (x + r, y + r), "M", (x + r, y - r), (x - r, y + r), kind="cross")
    if mark == "o":
        return circle(x, y, r, kind="nought")
    if mark in ("first", "second"):
        return circle(x, y, r * 1.2, kind=mark)
    return text(mark, x, y + 3, "small") if mark else ""


# ---- a search that was watched


def drawing_of(watched: Watched) -> Drawing:
    first = watched.frame(0).shown
    return Drawing(watched.nodes, [*first, *(change for step in watched.steps for change in step["changes"])])


def frame_svg(watched: Watched, steps: int, drawing: Drawing | None = None) -> str:
    """The picture after `count` steps, with the sentence of the last step."""
    frame = watched.frame(steps)
    says = frame.step["says"] if frame.step is not None else watched.result
    counts = f"step {steps} of {len(watched.steps)}"
    return (drawing or drawing_of(watched)).frame(frame, [watched.title, counts], says)


def stage_svg(watched: Watched) -> str:
    """The bare tree for a page, which changes it by itself: no heading, and nothing has been searched yet."""
    return drawing_of(watched).frame(watched.frame(0))


def animated_svg(watched: Watched, seconds: float = SECONDS) -> str:
    """All steps in one picture, over and over; a program that knows no animation shows the last."""
    drawing, total = drawing_of(watched), len(watched.steps) + 1
    frames = [watched.frame(steps) for steps in range(total)]
    inside = [drawing.row_labels()]
    for part in (drawing.road, drawing.box):
        for number in range(len(watched.nodes)):
            kinds = [(drawing.looks(number, frame), frame.shown[number]) for frame in frames]
            for begin, end in spans([repr(kind) for kind in kinds]):
                look, change = kinds[begin]
                texts = drawing.texts(number, change) if part == drawing.box else ""
                inside.append(shown_during(look, part(number) + texts, (begin, end, total), seconds))
    captions = [watched.result, *(step["says"] for step in watched.steps)]
    sheet = drawing.sheet("".join(inside), [watched.title], captions)
    width = max(drawing.width, NARROWEST)
    lines = [
        shown_during("", caption_lines(caption, drawing.caption_top, width), (number, number + 1, total), seconds)
        for number, caption in enumerate(["", *captions[1:]])
    ]
    return sheet.replace('<g transform="translate', "".join(lines) + '<g transform="translate', 1)


def spans(kinds: Sequence[str]) -> list[tuple[int, int]]:
    """Where the same stands several times in a row: from, up to."""
    found, begin = [], 0
    for end in range(1, len(kinds) + 1):
        if end == len(kinds) or kinds[end] != kinds[begin]:
            found.append((begin, end))
            begin = end
    return found


def shown_during(kind: str, inside: str, steps: tuple[int, int, int], seconds: float) -> str:
    """A group that is seen from one step up to another, of so many; without animation, only if that is the last."""
    begin, end, total = steps
    if (begin, end) == (0, total):
        return element("g", inside, kind=kind)
    last = end == total
    times, values = [0.0], ["visible" if begin == 0 else "hidden"]
    if begin > 0:
        times.append(begin / total)
        values.append("visible")
    if not last:
        times.append(end / total)
        values.append("hidden")
    animate = element(
        "animate",
        attributeName="visibility",
        calcMode="discrete",
        dur=f"{seconds * total:.1f}s",
        repeatCount="indefinite",
        keyTimes=";".join(f"{time:.5f}" for time in times),
        values=";".join(values),
    )
    return element("g", animate, inside, kind=kind, visibility="visible" if last else "hidden")
