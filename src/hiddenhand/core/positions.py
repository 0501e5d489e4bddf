"""Positions as text: where a game begins elsewhere than at its start (`set_up` of a game), and boards in signs.

The text is the value of the option `position`, so that whatever begins a game can begin it there: play, match, trace,
explain, a table on the page, a record.
"""

from __future__ import annotations

from hiddenhand.core.errors import UserError
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text

POSITION = "position"
LONGEST = 2000
"""Letters that a text may have."""
SETTING = Setting("", Text("begin in this position instead of at the start, written as the game's page says"))


def read_board(text: str, rows: int, columns: int, signs: str = "XO") -> list[int]:
    """A board drawn row by row from the top, rows apart by / or lines: for each sign the set of its cells, as bits.

    A dot is an empty cell, spaces do not count; the first cell of the first row is bit 0.
    """
    lines = [line for line in text.upper().replace("/", "\n").replace(" ", "").split("\n") if line]
    if len(lines) != rows or any(len(line) != columns for line in lines):
        raise UserError(
            "a position has {rows} rows of {columns} cells, such as {example}, separated by /",
            rows=rows,
            columns=columns,
            example="." * columns,
        )
    sets = [0] * len(signs)
    for cell, sign in enumerate("".join(lines)):
        if sign in signs:
            sets[signs.index(sign)] |= 1 << cell
        elif sign != ".":
            raise UserError(
                "the cells of a position are {signs} and dots, not {sign}", signs=", ".join(signs), sign=repr(sign)
            )
    return sets


def write_board(sets: list[int], rows: int, columns: int, signs: str = "XO") -> str:
    """The same as text, in one line."""
    cells = [
        next((sign for sign, cells in zip(signs, sets) if cells >> cell & 1), ".") for cell in range(rows * columns)
    ]
    return "/".join("".join(cells[row * columns : (row + 1) * columns]) for row in range(rows))


def whose_turn(sets: list[int]) -> int:
    """Who moves where both put one piece after another: the first, or the second if he has one less."""
    first, second = (each.bit_count() for each in sets)
    if first - second not in (0, 1):
        raise UserError(
            "X begins and both put a piece in turn: {first} of X and {second} of O cannot be",
            first=first,
            second=second,
        )
    return first - second
