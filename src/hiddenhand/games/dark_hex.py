"""Dark hex: each joins two sides of a board of hexagons, and neither sees the other's marks.

The board is a rhombus of hexagonal cells; each cell inside touches six others. Seat 0 begins and joins the top with
the bottom, seat 1 the left with the right. The mover names a cell. If the other holds it, an umpire tells the mover
so, and nobody else, and the mover names another cell; otherwise the mark is placed and the turn passes. Whoever has a
chain of marks between both of its sides wins. There are no draws. In the abrupt game (the option `abrupt`) a refused
attempt ends the turn too. Both are known as phantom games; everything but the board is as in blind tic-tac-toe.

Cells are numbered row by row from the top left; an action is the cell to name. Cell (row, column) touches those
beside it, above it and below it, and (row - 1, column + 1) and (row + 1, column - 1).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hiddenhand.core.extras import Opponent, Opponents, PrivateFields, SearchDefaults
from hiddenhand.core.game import define
from hiddenhand.core.picture import Picture, board, board_cell
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Seat, Text
from hiddenhand.games.blind_tictactoe import (
    UNKNOWN,
    attempt,
    begin,
    count_worlds,
    heard_of,
    known_marks,
    list_unknown,
    note_on_unseen,
    refusal_of,
    rewind,
    write_world,
)
from hiddenhand.games.tictactoe import MARKS, NOBODY, payoff
from hiddenhand.kernel import OVER, draw, record_type, rule
from hiddenhand.kernel.bits import zeros_above

SMALLEST, LARGEST = 3, 4
CELLS = LARGEST * LARGEST
MOST = CELLS // 2  # marks of one seat

PUBLIC = [("mover", "i1"), ("moves", "i1"), ("winner", "i1"), ("width", "i1"), ("abrupt", "i1")]
STATE = record_type(
    [
        ("marks", "i8", (2,)),
        ("found", "i8", (2,)),
        ("named", "i1", (2, CELLS)),  # by each seat, in order; then NONE
        ("names", "i1", (2,)),  # how many
        *PUBLIC,
    ]
)
VIEW = record_type([("mine", "i8"), ("found", "i8"), ("named", "i1", (CELLS,)), ("names", "i1"), *PUBLIC])


def rows_and_columns(width: int) -> list[list[int]]:
    rows = [sum(1 << width * row + column for column in range(width)) for row in range(width)]
    columns = [sum(1 << width * row + column for row in range(width)) for column in range(width)]
    return [[rows[0], columns[0]], [rows[-1], columns[-1]]]


SIDES = np.array([rows_and_columns(width) for width in range(1, LARGEST + 1)])
"""Sets of cells: [width of the board less one, first side or last, seat that joins them]."""


def configure(s: np.record, options: Mapping[str, Any]) -> None:
    s.width = options["size"]  # not called size: every NumPy record already has an attribute of that name
    s.abrupt = options["abrupt"]


@rule
def deal(s, rng):
    begin(s)


@rule
def turn(s):
    return OVER if s.winner != NOBODY else np.int64(s.mover)


@rule
def legal(s, out):
    return list_unknown(s, np.int64(s.width) ** 2, out)


@rule
def play(s, action, rng):
    attempt(s, action, wins)


@rule
def touching(cells, width):
    """These cells and those that touch one of them; some of them beyond the board."""
    not_first, not_last = cells & ~SIDES[width - 1, 0, 1], cells & ~SIDES[width - 1, 1, 1]
    across = not_last << 1 | not_first >> 1 | not_first << width - 1 | not_last >> width - 1
    return cells | cells << width | cells >> width | across


@rule
def joined_to(start, cells, width):
    """Those of the cells that a chain of them joins to some of these, which are among them."""
    before = np.int64(0)
    while before != start:
        before, start = start, touching(start, width) & cells
    return start


@rule
def wins(s, cells, owner):
    """Whether these cells join the sides of a seat."""
    width = np.int64(s.width)
    first, last = SIDES[width - 1, 0, owner], SIDES[width - 1, 1, owner]
    return joined_to(cells & first, cells, width) & last != 0


@rule
def observe(s, seat, view):
    view.mine = s.marks[seat]
    view.found = s.found[seat]
    view.names = s.names[seat]
    for i in range(CELLS):
        view.named[i] = s.named[seat, i]
    view.mover = s.mover
    view.moves = UNKNOWN if s.abrupt != 0 else s.moves
    view.winner = s.winner
    view.width = s.width
    view.abrupt = s.abrupt


@rule
def worlds(s, seat):
    orders, refusals = new_tables(s)
    return count_worlds(s, seat, orders, refusals, wins)


@rule
def world(s, seat, number, rng):
    orders, refusals = new_tables(s)
    count_worlds(s, seat, orders, refusals, wins)
    write_world(s, seat, number, orders, refusals)
    return 1.0


@rule
def new_tables(s):
    return np.zeros(1 << np.int64(s.width) ** 2, np.int64), np.zeros((MOST + 2, MOST + 1), np.int64)


@rule
def redeal(s, seat, rng):
    """There may be more worlds than `below` can choose from: bits are drawn until they make a number that is one."""
    count = worlds(s, seat)
    unused, number = np.uint64(zeros_above(count)), count
    while number >= count:
        number = np.int64(draw(rng) >> unused)
    world(s, seat, number, rng)


@rule
def missing(s, seat):
    """How many more marks a seat needs at least for a chain, if the other places no more."""
    width, mine = np.int64(s.width), np.int64(s.marks[seat])
    first, last = SIDES[width - 1, 0, seat], SIDES[width - 1, 1, seat]
    free = (1 << width * width) - 1 & ~np.int64(s.marks[1 - seat])
    reached = joined_to(mine & first, mine, width)
    for count in range(width):
        if reached & last != 0:
            return count
        front = (touching(reached, width) | first) & free
        reached = joined_to(front, front | mine, width)
    return width


@rule
def evaluate(s, out):
    """Whoever needs fewer marks for a chain is ahead."""
    out[0] = (missing(s, 1) - missing(s, 0)) / (LARGEST + 1.0)
    out[1] = 0.0 - out[0]


def action_name(s: np.record, action: int) -> str:
    row, column = divmod(action, int(s.width))
    return f"{'abcdefgh'[column]}{row + 1}"


def heard(s: np.record, action: int, seat: int) -> str:
    return heard_of(s, action, seat, action_name(s, action))


def show(view: np.record, seat: int) -> str:
    width, (mine, theirs) = int(view.width), "XO" if seat == 0 else "OX"
    signs = [mine if view.mine >> i & 1 else theirs if view.found >> i & 1 else "." for i in range(width * width)]
    rows = [f"{' ' * row}{row + 1} {' '.join(signs[width * row : width * (row + 1)])}" for row in range(width)]
    sides = Text("X joins top and bottom, O left and right")
    return Text.joined("\n", ["  " + " ".join("abcd"[:width]), *rows, sides, known_marks(view, mine, theirs)])


def picture(view: np.record, seat: int) -> Picture:
    marks = (view.mine, view.found) if seat == 0 else (view.found, view.mine)
    return {**all_cells(view, marks), "unseen": note_on_unseen(view, seat)}


def open_picture(s: np.record, seat: int) -> Picture:
    return all_cells(s, s.marks)


def all_cells(s: np.record, marks: Any) -> Picture:
    """The board with the marks of both seats, from a view or from the state."""
    cells, width = [], int(s.width)
    for i in range(width * width):
        owner = next((seat for seat in range(2) if int(marks[seat]) >> i & 1), None)
        shape = "" if owner is None else ("cross", "nought")[owner]
        mark = Text("empty") if owner is None else MARKS[owner]
        cells.append(
            board_cell(action_name(s, i), shape, owner, Text("{cell}, {mark}", cell=action_name(s, i), mark=mark))
        )
    rows = [str(row + 1) for row in range(width)]
    title = Text("X joins top and bottom, O left and right")
    return {"board": board(cells, width, title, column_names="abcd"[:width], row_names=rows)}


def facts(s: np.record, seat: int) -> dict[str, str]:
    """Where the marks of the other lie that this seat has not found."""
    unseen = int(s.marks[1 - seat]) & ~int(s.found[seat])
    return {action_name(s, i): "OX"[seat] for i in range(CELLS) if unseen >> i & 1}


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    """Only the mover knows where."""
    return (Text("name"), [action_name(s, action)]) if seat == s.mover else ("", [])


def outcome(s: np.record) -> str:
    if s.winner == 0:
        return Text("{who} joins top and bottom", who=Seat(0))
    return Text("{who} joins left and right", who=Seat(1))


def refusal(s: np.record, action: int) -> str:
    if action >= int(s.width) ** 2:
        return Text("there is no such cell on this board")
    return refusal_of(s, action)


GAME = define(
    "dark_hex",
    title=Text("Dark hex"),
    about=__doc__,
    state=STATE,
    view=VIEW,
    rules=(deal, turn, legal, play, payoff, observe, redeal, rewind, worlds, world, evaluate),
    people=(action_name, show, picture, open_picture, facts, verb_and_objects, configure, heard, outcome, refusal),
    hidden=True,
    most_actions=CELLS,
    all_actions=CELLS,
    longest=2 * CELLS - 1,  # a mark in every cell, and a refusal for each of them but the last
    options={
        "size": Setting(3, Text("rows and columns of the board"), low=SMALLEST, high=LARGEST),
        "abrupt": Setting(False, Text("a refused attempt ends the turn too")),
    },
    extras=(
        PrivateFields(("found", "named", "names")),
        SearchDefaults(depth=6),
        Opponents(
            (
                Opponent(Text("Beginner"), "random", Text("names any cell that it does not know to be taken")),
                Opponent(Text("Thoughtful"), "pimc:worlds=10", Text("imagines ten ways in which your marks may lie")),
                Opponent(Text("Strong"), "ismcts:simulations=3000", Text("plays thousands of games in its head")),
            )
        ),
    ),
)
