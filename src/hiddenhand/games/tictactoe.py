"""Tic-tac-toe: three in a row on a board of nine cells. With best play it is a draw.

Cells are numbered 0 to 8 from the top left, row by row; an action is the cell to mark. A set of cells is a number
whose bit i stands for cell i.
"""

from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import Encoding, Opponent, Opponents, SearchDefaults
from hiddenhand.core.game import define
from hiddenhand.core.picture import Picture, board, board_cell
from hiddenhand.core.positions import read_board, whose_turn, write_board
from hiddenhand.core.text import Seat, Text
from hiddenhand.kernel import OVER, record_type, rule, write_bits

STATE = record_type([("marks", "i8", (2,)), ("mover", "i1"), ("moves", "i1"), ("winner", "i1")])
FULL = 0b111111111
NOBODY = -1
LINES = np.array([0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124])
COMPLETE = np.array([any(marks & line == line for line in LINES) for marks in range(FULL + 1)])


@rule
def deal(s, rng):
    if s.marks[0] != 0:  # set up
        return
    s.marks[1] = 0
    s.mover = 0
    s.moves = 0
    s.winner = NOBODY


@rule
def turn(s):
    if s.winner != NOBODY or s.moves == 9:
        return OVER
    return np.int64(s.mover)


@rule
def legal(s, out):
    free = FULL & ~(s.marks[0] | s.marks[1])
    n = 0
    for cell in range(9):
        out[n] = cell  # written over unless the cell is free: no branch to guess wrong
        n += (free >> cell) & 1
    return n


@rule
def play(s, action, rng):
    mine = s.marks[s.mover] | (1 << action)
    s.marks[s.mover] = mine
    s.moves += 1
    if has_line(mine):
        s.winner = s.mover
    s.mover = 1 - s.mover


@rule
def has_line(marks):
    return COMPLETE[marks]


@rule
def payoff(s, out):
    out[0] = 0.0
    out[1] = 0.0
    if s.winner != NOBODY:
        out[s.winner] = 1.0
        out[1 - s.winner] = -1.0


@rule
def evaluate(s, out):
    """Lines still open to one player less those still open to the other."""
    open_lines = 0
    for line in LINES:
        if s.marks[1] & line == 0:
            open_lines += 1
        if s.marks[0] & line == 0:
            open_lines -= 1
    out[0] = open_lines / 10.0
    out[1] = -out[0]


@rule
def encode(s, seat, out):
    write_bits(s.marks[seat], 9, out, 0)
    write_bits(s.marks[1 - seat], 9, out, 9)


def action_name(s: np.record | None, action: int) -> str:
    return "abc"[action % 3] + "321"[action // 3]


def set_up(s: np.record, text: str) -> None:
    """Three rows of X, O and dots, the top one first: X.O/.X./..."""
    marks = read_board(text, 3, 3)
    s.mover = whose_turn(marks)
    complete = [seat for seat in range(2) if COMPLETE[marks[seat]]]
    if s.mover in complete:
        raise UserError("{sign} has three in a row already, and would not be to move", sign="XO"[s.mover])
    s.marks[:] = marks
    s.moves = sum(each.bit_count() for each in marks)
    s.winner = complete[0] if complete else NOBODY


def written(s: np.record) -> str:
    return write_board([int(each) for each in s.marks], 3, 3)


def show(view: np.record, seat: int) -> str:
    signs = ["X" if view.marks[0] >> cell & 1 else "O" if view.marks[1] >> cell & 1 else "." for cell in range(9)]
    rows = [f"{3 - row} " + " ".join(signs[3 * row : 3 * row + 3]) for row in range(3)]
    return "\n".join([*rows, "  a b c"])


MARKS = (Text("cross"), Text("nought"))


def nine_cells(marks: Any, line: int = 0) -> Picture:
    """The board with the marks of both seats; `line`: the cells that have won."""
    cells = []
    for i in range(9):
        owner = next((seat for seat in range(2) if int(marks[seat]) >> i & 1), None)
        shape = "" if owner is None else ("cross", "nought")[owner]
        mark = Text("empty") if owner is None else MARKS[owner]
        words = Text("{cell}, {mark}", cell=action_name(None, i), mark=mark)
        cells.append(board_cell(action_name(None, i), shape, owner, words, line=bool(line >> i & 1)))
    return {"board": board(cells, 3, column_names="abc", row_names="321")}


def picture(view: np.record, seat: int) -> Picture:
    return nine_cells(view.marks, line_of(view))


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    return Text("mark"), [action_name(s, action)]


def line_of(s: np.record) -> int:
    """The cells of the line that has won; 0 if none has."""
    if s.winner == NOBODY:
        return 0
    return next(int(line) for line in LINES if int(s.marks[s.winner]) & int(line) == line)


def outcome(s: np.record) -> str:
    if s.winner == NOBODY:
        return Text("the board is full and nobody has three in a row")
    line = line_of(s)
    cells = " ".join(action_name(s, i) for i in range(9) if line >> i & 1)
    return Text("{who} has three in a row, {cells}", who=Seat(s.winner), cells=cells)


def refusal(s: np.record, action: int) -> str:
    return Text("the cell is marked already") if (s.marks[0] | s.marks[1]) >> action & 1 else ""


GAME = define(
    "tictactoe",
    title=Text("Tic-tac-toe"),
    about=__doc__,
    state=STATE,
    rules=(deal, turn, legal, play, payoff, evaluate, encode),
    people=(action_name, set_up, written, show, picture, verb_and_objects, outcome, refusal),
    most_actions=9,
    all_actions=9,
    longest=9,
    extras=(
        Encoding(18, bits=True, groups={Text("my marks"): range(9), Text("the other's marks"): range(9, 18)}),
        SearchDefaults(depth=9),
        Opponents(
            (
                Opponent(Text("Beginner"), "random", Text("marks any free cell")),
                Opponent(
                    Text("Careful"), "alphabeta:depth=2", Text("sees its own move and your answer, and no further")
                ),
                Opponent(Text("Perfect"), "alphabeta", Text("looks at everything to the end, and never loses")),
            ),
            champion="alphabeta",
        ),
    ),
)
