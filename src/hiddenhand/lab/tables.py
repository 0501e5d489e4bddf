"""Text in columns, for people: every table that is printed is made here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import StringIO

Rows = Sequence[Sequence[str]]


def in_columns(rows: Rows, flush: str = "") -> list[str]:
    """The rows as lines in columns. `flush` has a < (left) or > (right) for each column; the rest are flush left."""
    from rich.console import Console
    from rich.table import Table

    if not rows:
        return []
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for column in range(len(rows[0])):
        table.add_column(justify="right" if flush[column : column + 1] == ">" else "left", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    text = StringIO()
    width = sum(2 + max(map(len, column)) for column in zip(*rows)) * 2  # wide enough for characters of any width
    Console(file=text, width=width, markup=False, emoji=False, highlight=False, color_system=None).print(table)
    return [line.rstrip() for line in text.getvalue().splitlines()]


def first_column_left(rows: Rows) -> list[str]:
    """A table of names and numbers: the names flush left, the numbers flush right."""
    return in_columns(rows, "<" + ">" * (len(rows[0]) - 1))


def names_of(agents: Sequence[str]) -> list[str]:
    """The texts of agents as a table shows them: files without their folders, unless two agents are then the same."""
    names = list(map(without_folder, agents))
    return names if len(set(names)) == len(set(agents)) else list(agents)


def without_folder(agent: str) -> str:
    """The text of an agent; its file, if it comes from one, without the folder."""
    return re.sub(r"^[^:]*[/\\](?=[^/\\:]+\.py)", "", agent)


def shortened(agent: str) -> str:
    """The text of an agent, or its beginning, for a headline."""
    return without_folder(agent)[:60]
