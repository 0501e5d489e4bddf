"""Draws the picture of a game (see `core/picture.py`) as HTML with SVG inside, for notebooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from hiddenhand.core import html
from hiddenhand.core.picture import Amounts, Board, Cards, Cell, Chances, MoveTree, Note, Picture, Places, PlainText
from hiddenhand.core.svg import Point, element, line, path, rect, text_width

CELL, LABEL, CARD = 34.0, 18.0, (38.0, 54.0)
MAP, NODE = (300.0, 200.0), (46.0, 52.0)
PAPERS = {"paper": "#fffdf7", "table": "#3b8f5d", "sea": "#c3def2", "rack": "#2f62b0", "chequered": "#b58863"}
LIGHT = "#ecd9b9"
"""The cells without names of a chequered board."""
OWNERS = {"paper": ("#1f4e79", "#a04000"), "rack": ("#d9382c", "#f2c230"), "": ("#1b1b1b", "#fafafa")}
"""The colours of both seats, by the look of a board."""
INK = "#222"


def drawn(picture: Picture) -> str:
    """A picture made of blocks as HTML; empty for one that only a screen of the game's own can draw."""
    blocks = list(picture.values())
    if not all(isinstance(block, Mapping) and block.get("kind") in DRAWN for block in blocks):
        return ""
    return "".join(DRAWN[block["kind"]](block) for block in blocks)


def fragment(title: str, picture: Picture, screen: str) -> str:
    """What a notebook shows of a position: its picture, or else its screen."""
    return html.fragment(title, drawn(picture) or html.preformatted(screen))


def drawing(size: Point, title: str, *parts: str) -> str:
    """An SVG of this size; `title` is what it is called for somebody who cannot see it."""
    width, height = (f"{side:.0f}" for side in size)
    view = f"0 0 {width} {height}"
    return element("svg", *parts, viewBox=view, width=width, height=height, role="img", aria_label=title)


def letters(words: str, at: Point, size: float = 13.0, fill: str = INK, anchor: str = "middle") -> str:
    """A line of text; `at` is the middle of where it stands."""
    return element(
        "text",
        escape(words),
        x=at[0],
        y=at[1] + 0.35 * size,
        font_size=size,
        font_family="DejaVu Sans, Verdana, sans-serif",
        text_anchor=anchor,
        fill=fill,
    )


def board(block: Board) -> str:
    columns, rows = block["columns"], -(-len(block["cells"]) // block["columns"])
    left = LABEL if block["row_names"] else 2.0
    top = LABEL if block["column_names"] else 2.0
    parts = [
        letters(name, (left + CELL * (x + 0.5), top / 2), 11.0, "currentColor")
        for x, name in enumerate(block["column_names"])
    ]
    parts += [
        letters(name, (left / 2, top + CELL * (y + 0.5)), 11.0, "currentColor")
        for y, name in enumerate(block["row_names"])
    ]
    for place, cell in enumerate(block["cells"]):
        corner = (left + CELL * (place % columns), top + CELL * (place // columns))
        parts.append(board_cell(cell, corner, block["look"]))
    size = (left + CELL * columns + 2, top + CELL * rows + 2)
    return html.figure(drawing(size, block["title"], *parts), block["title"])


def board_cell(cell: Cell, corner: Point, look: str) -> str:
    """One cell with its mark."""
    light = look == "chequered" and not cell["name"]
    paper = "#ffe08a" if cell["line"] else LIGHT if light else PAPERS[look]
    middle = (corner[0] + CELL / 2, corner[1] + CELL / 2)
    parts = [rect(*corner, CELL, CELL, fill=paper, stroke="#0005")]
    if look == "rack" and not cell["mark"]:
        parts.append(filled_circle(middle, 0.38 * CELL, "#e8eef7"))
    if cell["mark"]:
        colours = OWNERS.get(look, OWNERS[""])
        colour = INK if cell["owner"] is None else colours[cell["owner"] % 2]
        parts.append(SHAPES.get(cell["mark"], lettered)(cell["mark"], middle, colour))
    return element("g", element("title", escape(cell["words"])), *parts)


def filled_circle(middle: Point, radius: float, fill: str, stroke: str = "#0006", width: float = 1.0) -> str:
    return element("circle", cx=middle[0], cy=middle[1], r=radius, fill=fill, stroke=stroke, stroke_width=width)


def disc(mark: str, middle: Point, colour: str) -> str:
    return filled_circle(middle, 0.38 * CELL, colour)


def nought(mark: str, middle: Point, colour: str) -> str:
    return filled_circle(middle, 0.28 * CELL, "none", colour, 4.0)


def cross(mark: str, middle: Point, colour: str) -> str:
    (x, y), r = middle, 0.26 * CELL
    strokes = path("M", (x - r, y - r), "L", (x + r, y + r), "M", (x - r, y + r), "L", (x + r, y - r))
    return element("g", strokes, stroke=colour, stroke_width=4.0)


def king(mark: str, middle: Point, colour: str) -> str:
    crown = "#fafafa" if colour == OWNERS[""][0] else INK
    return disc(mark, middle, colour) + letters("♔", middle, 18.0, crown)


def ship(mark: str, middle: Point, colour: str) -> str:
    return rect(middle[0] - 0.32 * CELL, middle[1] - 0.32 * CELL, 0.64 * CELL, 0.64 * CELL, rx=5, fill="#5b6770")


def miss(mark: str, middle: Point, colour: str) -> str:
    return filled_circle(middle, 4.0, "#fff", "#567")


def hit(mark: str, middle: Point, colour: str) -> str:
    return ship(mark, middle, colour) + cross(mark, middle, "#d9382c")


def lettered(mark: str, middle: Point, colour: str) -> str:
    return letters(mark, middle, 15.0, colour)


SHAPES: dict[str, Callable[[str, Point, str], str]] = {
    "cross": cross,
    "nought": nought,
    "disc": disc,
    "stone": disc,
    "king": king,
    "ship": ship,
    "hit": hit,
    "miss": miss,
    "sunk": hit,
}
"""The marks that are shapes; all others are letters."""


def cards(block: Cards) -> str:
    width, height = CARD
    parts = []
    for place, card in enumerate(block["cards"]):
        x = place * (width + 6.0) + 1.0
        paper = "#41618a" if card["back"] else "#fff"
        ink = "#b3202a" if card["red"] else INK
        face = "?" if card["back"] else card["face"] + card["suit"]
        body = rect(x, 1.0, width, height, rx=5, fill=paper, stroke="#0008")
        title = element("title", escape(card["words"]))
        mark = letters(face, (x + width / 2, height / 2), 17.0, "#dfe8f3" if card["back"] else ink)
        parts.append(element("g", title, body, mark))
    size = (max(1, len(parts)) * (width + 6.0), height + 2.0)
    return html.figure(drawing(size, block["title"], *parts), block["title"])


def chances(block: Chances) -> str:
    rows = [(each["what"], html.share_bar(each["chance"])) for each in block["chances"]]
    return html.figure(html.table((), rows), block["title"])


def amounts(block: Amounts) -> str:
    rows = [(each["what"], each["amount"]) for each in block["amounts"]]
    return html.figure(html.table((), rows), block["title"])


def places(block: Places) -> str:
    pad, (width, height) = 70.0, MAP

    def at(x: float, y: float) -> Point:
        return pad + x * width, pad + y * height

    spots = {place["name"]: at(place["x"], place["y"]) for place in block["places"]}
    parts = [line(spots[start], spots[end], stroke="#888", stroke_width=2) for start, end in block["roads"]]
    for place in block["places"]:
        x, y = spots[place["name"]]
        title = element("title", escape(place["words"]))
        spot = element("circle", cx=x, cy=y, r=14.0, fill="#fff", stroke=INK)
        shade = element("circle", cx=x, cy=y, r=14.0, fill="#7a1f5c", fill_opacity=f"{place['shade']:.2f}")
        name = letters(place["name"], (x, y + 23.0), 12.0, "currentColor")
        marks = ", ".join(mark["words"] for mark in place["marks"])
        parts.append(element("g", title, spot, shade, name, letters(marks, (x, y - 23.0), 10.0, "currentColor")))
    return html.figure(drawing((width + 2 * pad, height + 2 * pad), block["title"], *parts), block["title"])


def tree(block: MoveTree) -> str:
    """Leaves side by side, every other node above the middle of its children."""
    nodes, (apart, down) = block["nodes"], NODE
    below: dict[int, list[int]] = {}
    level = [0] * len(nodes)
    for number, node in enumerate(nodes):
        if node["parent"] >= 0:
            below.setdefault(node["parent"], []).append(number)
            level[number] = level[node["parent"]] + 1
    across, leaves = [0.0] * len(nodes), 0

    def spread(number: int) -> float:
        nonlocal leaves
        children = [spread(child) for child in below.get(number, [])]
        leaves += not children
        across[number] = sum(children) / len(children) if children else apart * (leaves - 0.5)
        return across[number]

    if nodes:
        spread(0)
    spots = [(x, 20.0 + down * depth) for x, depth in zip(across, level)]
    parts: list[str] = []
    for number, node in enumerate(nodes):
        (x, y), parent = spots[number], node["parent"]
        if parent >= 0:
            passed = node["passed"] and nodes[parent]["passed"]
            parts.insert(0, line(spots[parent], (x, y), stroke="#c2185b" if passed else "#888", stroke_width=2))
            parts.append(letters(node["label"], ((x + spots[parent][0]) / 2, y - down / 2), 10.0, "currentColor"))
        said = node["value"] or {-1: "", -2: "?"}.get(node["mover"], "ABCDEFGH"[node["mover"] % 8])
        wide = max(20.0, text_width(said, 12.0) + 8.0)
        edge, bend = "#c2185b" if node["here"] else "#555", 9 if node["mover"] == -2 else 3
        parts.append(rect(x - wide / 2, y - 10.0, wide, 20.0, fill="#f4f4f4", stroke=edge, rx=bend))
        parts.append(letters(said, (x, y), 12.0))
    size = (apart * max(1, leaves), 40.0 + down * max(level, default=0))
    return html.figure(drawing(size, block["title"], *parts), block["title"])


def plain_text(block: PlainText) -> str:
    return html.preformatted(block["text"])


def note(block: Note) -> str:
    return html.paragraph(block["text"])


DRAWN: dict[str, Callable[[Any], str]] = {
    "board": board,
    "cards": cards,
    "chances": chances,
    "places": places,
    "amounts": amounts,
    "tree": tree,
    "text": plain_text,
    "note": note,
}
"""What draws a block, by its kind."""
