"""What a reproduction leaves: tables to print, and one HTML page that holds everything, pictures inside the file."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from hiddenhand.core import html
from hiddenhand.core.errors import UserError, one_of
from hiddenhand.lab.lab_result import LabResult
from hiddenhand.lab.tables import first_column_left

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b;
       background: #fff; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: 0.25rem 0.7rem; border-bottom: 1px solid #ddd; text-align: right; }
th:first-child, td:first-child { text-align: left; }
figure { margin: 1.5rem 0; } img { max-width: 100%; } figcaption { color: #555; }
@media (prefers-color-scheme: dark) { body { background: #16181b; color: #e6e6e6; } img { background: #fff; }
  th, td { border-color: #444; } figcaption { color: #aaa; } }
"""

Rows = list[list[str]]


@dataclass(repr=False)
class ReportTables(LabResult):
    """The finished tables of a reproduction, by their titles, as they are printed."""

    parts: dict[str, Rows] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    page: str = ""

    def headline(self) -> str:
        return f"everything with pictures in {self.page}"

    def _html_parts(self) -> list[str]:
        return [html.figure(html.table(rows[0], rows[1:]), title) for title, rows in self.parts.items()]

    def __str__(self) -> str:
        blocks = []
        for title, rows in self.parts.items():
            text = "\n".join(first_column_left(rows))
            took = f" ({self.seconds[title]:.0f} s)" if self.seconds[title] > 0.0 else ""
            blocks.append(f"{title}{took}\n\n{text}\n")
        return "\n".join([*blocks, f"everything with pictures in {self.page}"])

    def to_json(self) -> dict[str, Any]:
        return vars(self)


BOLD = "**"


def bold(cell: str) -> str:
    """A cell that stands out, in the terminal and on the page."""
    return f"{BOLD}{cell}{BOLD}"


def in_html(cell: str) -> str:
    if cell.startswith(BOLD) and cell.endswith(BOLD):
        return f"<b>{escape(cell.removeprefix(BOLD).removesuffix(BOLD))}</b>"
    return escape(cell)


class Page:
    """Collects parts and writes them as one page."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.parts: list[str] = [f"<h1>{escape(title)}</h1>"]

    def heading(self, text: str) -> None:
        self.parts.append(f"<h2>{escape(text)}</h2>")

    def text(self, text: str) -> None:
        self.parts.append(f"<p>{escape(text)}</p>")

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        head, *body = rows
        cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        lines = ["<tr>" + "".join(f"<td>{in_html(cell)}</td>" for cell in row) + "</tr>" for row in body]
        self.parts.append(f"<table><tr>{cells}</tr>{''.join(lines)}</table>")

    def picture(self, path: Path, caption: str) -> None:
        data = base64.b64encode(path.read_bytes()).decode()
        image = f'<img alt="{escape(caption)}" src="data:image/png;base64,{data}">'
        self.parts.append(f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>")

    def save(self, path: Path) -> None:
        head = (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(self.title)}</title>'
            f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>'
        )
        path.write_text(head + "\n".join(self.parts) + "</body></html>\n", encoding="utf-8")


def chosen(titles: list[str], part: str) -> list[str]:
    """The titles that begin with these words."""
    found = [title for title in titles if title.lower().startswith(part.lower())]
    if not found:
        raise UserError(
            "no part of the reproduction begins with {part}; there is: {titles}",
            part=repr(part),
            titles=one_of(titles),
        )
    return found
