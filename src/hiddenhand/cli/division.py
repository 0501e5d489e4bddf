"""The division of games that lectures begin with: chance or none, something hidden or nothing; of our own games."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from hiddenhand.search.text_width import text_width

COLUMNS = ("deterministic", "chance")
ROWS = ("perfect", "hidden")
ROW_NAMES = {"perfect": "perfect information", "hidden": "imperfect information"}
SIZE, LINE, PAD = 13.0, 19.0, 14.0
STYLE = 'text { font: 13px "DejaVu Sans", Verdana, sans-serif; fill: #1b1b1b; } .head { font-weight: bold; }'


def division_svg(games: Sequence[dict[str, Any]]) -> str:
    """A table of two columns and two rows, as a picture; `games` as `Game.describe` describes them."""
    cells = {
        (row, column): [game["title"] for game in games if (game["information"], chance_word(game)) == (row, column)]
        for row in ROWS
        for column in COLUMNS
    }
    first = max(text_width(name, SIZE, bold=True) for name in ROW_NAMES.values()) + 2 * PAD
    widths = [
        max(text_width(text, SIZE, bold=True) for row in ROWS for text in [column, *cells[row, column]]) + 2 * PAD
        for column in COLUMNS
    ]
    heights = [LINE * max(len(cells[row, column]) for column in COLUMNS) + 2 * PAD for row in ROWS]
    parts, y = [], LINE + PAD
    for x, column in zip((first, first + widths[0]), COLUMNS):
        parts.append(written(x + PAD, LINE, column, "head"))
    for row, height in zip(ROWS, heights):
        parts.append(written(PAD, y + PAD + SIZE, ROW_NAMES[row], "head"))
        for x, width, column in zip((first, first + widths[0]), widths, COLUMNS):
            box = f'x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}"'
            parts.append(f'<rect {box} fill="#f6f8fa" stroke="#555"/>')
            for number, title in enumerate(cells[row, column]):
                parts.append(written(x + PAD, y + PAD + SIZE + LINE * number, title))
        y += height
    wide, tall = first + sum(widths) + PAD, y + PAD
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {tall:.0f}" width="{wide:.0f}" '
        f'height="{tall:.0f}" role="img" aria-label="the division of games">\n<style>{STYLE}</style>\n'
        f'<rect width="{wide:.0f}" height="{tall:.0f}" fill="white"/>\n{"".join(parts)}\n</svg>\n'
    )


def chance_word(game: dict[str, Any]) -> str:
    return "chance" if game["chance"] else "deterministic"


def written(x: float, y: float, text: str, kind: str = "") -> str:
    return f'<text class="{kind}" x="{x:.0f}" y="{y:.0f}">{escape(text)}</text>'
