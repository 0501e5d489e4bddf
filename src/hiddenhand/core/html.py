"""HTML that a notebook shows for an object: one element that brings its own style, and no script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
.hiddenhand { font: 14px/1.45 system-ui, sans-serif; } .hiddenhand svg { max-width: 100%; height: auto; }
.hiddenhand table { border-collapse: collapse; margin: 0.4em 0; font-variant-numeric: tabular-nums; }
.hiddenhand th, .hiddenhand td { padding: 0.15em 0.7em; border-bottom: 1px solid #8884; text-align: left; }
.hiddenhand .number { text-align: right; }
.hiddenhand pre { font: 13px/1.3 monospace; background: none; color: inherit; margin: 0.4em 0; }
.hiddenhand figure { display: inline-block; margin: 0.3em 1em 0.3em 0; vertical-align: top; }
.hiddenhand figcaption { opacity: 0.7; } .hiddenhand ul { margin: 0.2em 0; padding-left: 1.2em; }
.hiddenhand meter { width: 8em; }
"""


def fragment(title: str, *parts: str) -> str:
    """What a notebook shows: a title, and below it parts that are HTML already."""
    head = f"<style>{STYLE}</style><div><strong>{escape(title)}</strong></div>"
    return f'<div class="hiddenhand">{head}{"".join(parts)}</div>'


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of plain texts; a cell that is `Markup` is HTML already. Columns of numbers are flush right."""
    listed = [list(row) for row in rows]
    kinds = [' class="number"' if all(map(is_number, column)) else "" for column in zip(*listed)]

    def line(cells: Sequence[str], name: str) -> str:
        texts = (cell if isinstance(cell, Markup) else escape(cell) for cell in cells)
        return "".join(f"<{name}{kind}>{text}</{name}>" for kind, text in zip(kinds or [""] * len(cells), texts))

    lines = [*([line(head, "th")] if head else []), *(line(row, "td") for row in listed)]
    return f"<table>{''.join(f'<tr>{each}</tr>' for each in lines)}</table>"


def is_number(cell: str) -> bool:
    """Whether a cell begins like a number, or is empty, or stands for one that is missing."""
    return cell in ("", ".", "-") or cell.lstrip("+-± ")[:1].isdigit()


class Markup(str):
    """A cell of a table that is HTML already."""


def share_bar(share: float) -> Markup:
    """A share from 0 to 1 as a bar with its number."""
    return Markup(f'<meter value="{share:.4f}"></meter> {share:.1%}')


def preformatted(text: str) -> str:
    """Lines of text as they are."""
    return f"<pre>{escape(text)}</pre>"


def paragraph(text: str) -> str:
    return f"<div>{escape(text)}</div>"


def bullets(lines: Iterable[str]) -> str:
    """A list of sentences; nothing where there are none."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def figure(inside: str, caption: str = "") -> str:
    """A picture with what is said below it."""
    said = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f"<figure>{inside}{said}</figure>"
