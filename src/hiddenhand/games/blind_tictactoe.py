"""Blind tic-tac-toe: neither player sees the other's marks. It is also called phantom tic-tac-toe.

The mover names a cell. If the other holds it, an umpire tells the mover so, and nobody else, and the mover
names another cell; otherwise the mark is placed and the turn passes. Nobody tells the other where. Three in a
row win, a full board is a draw; that the game is over, and who has won, is told to both.

Cells and sets of cells are numbered as in tic-tac-toe; an action is the cell to name. `found[seat]` holds the
other's marks that the seat has run into: it may name every cell that is neither its own nor found. Both
always know how many marks lie on the board, because turns alternate, but not how often the other was refused.
Each remembers which cells it named, in order.
"""

import numpy as np

from hiddenhand.core.extras import Opponent, Opponents, PrivateFields, SearchDefaults
from hiddenhand.core.game import define
from hiddenhand.core.picture import Picture, note
from hiddenhand.core.text import Text
from hiddenhand.games.tictactoe import (
    FULL,
    NOBODY,
    action_name,
    evaluate,
    has_line,
    line_of,
    nine_cells,
    outcome,
    payoff,
)
from hiddenhand.kernel import OVER, below, copy, record_type, rule

COUNTS = np.array([marks.bit_count() for marks in range(FULL + 1)])
CELLS = 9
MOST = 5  # marks of one seat
NONE = -1

PUBLIC = [("mover", "i1"), ("moves", "i1"), ("winner", "i1")]
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


@rule
def deal(s, rng):
    begin(s)


@rule
def begin(s):
    for seat in range(2):
        s.marks[seat] = 0
        s.found[seat] = 0
        forget(s, seat)
    s.mover = 0
    s.moves = 0
    s.winner = NOBODY


@rule
def forget(s, seat):
    s.names[seat] = 0
    for i in range(CELLS):
        s.named[seat, i] = NONE


@rule
def note_down(s, seat, cell):
    s.named[seat, s.names[seat]] = cell
    s.names[seat] += 1


@rule
def turn(s):
    if s.winner != NOBODY or s.moves == 9:
        return OVER
    return np.int64(s.mover)


@rule
def legal(s, out):
    known = s.marks[s.mover] | s.found[s.mover]
    n = 0
    for cell in range(9):
        out[n] = cell
        n += 1 - ((known >> cell) & 1)
    return n


@rule
def play(s, action, rng):
    cell = 1 << action
    note_down(s, np.int64(s.mover), action)
    if s.marks[1 - s.mover] & cell != 0:
        s.found[s.mover] |= cell
        return
    s.marks[s.mover] |= cell
    s.moves += 1
    if has_line(s.marks[s.mover]):
        s.winner = s.mover
    s.mover = 1 - s.mover


@rule
def observe(s, seat, view):
    view.mine = s.marks[seat]
    view.found = s.found[seat]
    view.names = s.names[seat]
    for i in range(CELLS):
        view.named[i] = s.named[seat, i]
    view.mover = s.mover
    view.moves = s.moves
    view.winner = s.winner


# Which games can have led to what a seat knows? What it cannot know is the order in which the other placed its marks,
# and when the other ran into which of the seat's own: two lists that have nothing to do with one another.
#
# The marks, in order: any cells that the seat does not hold, all different, so many as the other has had turns. Every
# one that the seat ran into was there by then. No three of them are in a row, unless the other has won: then the last
# one made it so.
#
# The refusals: in each of its turns the other may have named any of the seat's marks that lay there and that it had
# not found, in any order. How many such lists there are follows from the end: `refusals[turn, found]` counts those
# that can still follow.


@rule
def worlds(s, seat):
    refusals = np.zeros((MOST + 2, MOST + 1), np.int64)
    count_refusals(s, 1 - seat, refusals)
    marks = np.zeros(MOST, np.int64)
    return list_marks(s, 1 - seat, -1, marks) * refusals[0, 0]


@rule
def world(s, seat, number, rng):
    other = 1 - seat
    refusals = np.zeros((MOST + 2, MOST + 1), np.int64)
    turns = count_refusals(s, other, refusals)
    marks = np.zeros(MOST, np.int64)
    list_marks(s, other, number // refusals[0, 0], marks)
    write_world(s, other, turns, marks, refusals, number % refusals[0, 0])
    return 1.0


@rule
def redeal(s, seat, rng):
    world(s, seat, below(rng, worlds(s, seat)), rng)


@rule
def marks_before(owner, number):
    """How many marks of a seat lie on the board when the other's turn of this number begins, counted from 0."""
    return number + 1 - owner


@rule
def read_deadlines(s, owner, deadlines):
    """For each cell, before which of its marks `owner` can have placed one there: NONE where the other's mark is."""
    other = 1 - owner
    for cell in range(CELLS):
        deadlines[cell] = CELLS
    number = 0
    for i in range(s.names[other]):
        cell = np.int64(s.named[other, i])
        if s.marks[other] >> cell & 1:
            deadlines[cell] = NONE
            number += 1
        else:
            deadlines[cell] = marks_before(owner, number)


@rule
def list_marks(s, owner, number, marks):
    """Write list `number` of the marks that `owner` can have placed, in order; returns how many came before its end.

    With -1 for the number: how many there are. A walk through a tree, at each depth the next mark.
    """
    deadlines = np.empty(CELLS, np.int64)
    read_deadlines(s, owner, deadlines)
    found = np.int64(s.found[1 - owner])
    count = np.int64(s.moves) - COUNTS[s.marks[1 - owner]]
    lists = 0
    depth, placed = 0, 0
    marks[0] = -1
    while depth >= 0:
        if depth == count:
            if found & ~placed == 0 and has_line(placed) == (s.winner == owner):
                if lists == number:
                    return lists
                lists += 1
        else:
            cell = marks[depth] + 1
            while cell < CELLS and (placed >> cell & 1 or deadlines[cell] <= depth or has_line(placed)):
                cell += 1
            if cell < CELLS:
                marks[depth] = cell
                placed |= 1 << cell
                depth += 1
                if depth < count:
                    marks[depth] = -1
                continue
        depth -= 1
        if depth >= 0:
            placed &= ~(1 << marks[depth])
    return lists


@rule
def count_refusals(s, finder, refusals):
    """Fill `refusals`; returns how many turns the finder has had, one that is under way included."""
    turns = np.int64(s.moves) - COUNTS[s.marks[1 - finder]]
    if turn(s) == finder:
        turns += 1
    for found in range(MOST + 1):
        refusals[turns, found] = 1
    for number in range(turns - 1, -1, -1):
        there = marks_before(1 - finder, number)
        for found in range(there, -1, -1):
            refusals[number, found] = refusals[number + 1, found]
            if found < there:
                refusals[number, found] += (there - found) * refusals[number, found + 1]
    return turns


@rule
def write_world(s, other, turns, marks, refusals, number):
    """Put the other's marks, and its list `number` of refusals, in the place of what it did."""
    me, count = 1 - other, np.int64(s.moves) - COUNTS[s.marks[1 - other]]
    s.marks[other] = 0
    s.found[other] = 0
    forget(s, other)
    for i in range(turns):
        found = COUNTS[s.found[other]]
        while number >= refusals[i + 1, found]:
            number -= refusals[i + 1, found]
            cell = unfound(s, me, marks_before(me, i), number // refusals[i, found + 1])
            number %= refusals[i, found + 1]
            s.found[other] |= 1 << cell
            note_down(s, other, cell)
            found += 1
        if i < count:
            s.marks[other] |= 1 << marks[i]
            note_down(s, other, marks[i])


@rule
def unfound(s, owner, there, skip):
    """The cell of a mark of `owner` that the other has not found: of those among the first `there` marks, number
    `skip`, counted from 0."""
    for i in range(s.names[owner]):
        cell = np.int64(s.named[owner, i])
        if s.marks[owner] >> cell & 1:
            if s.found[1 - owner] >> cell & 1 == 0:
                if skip == 0:
                    return cell
                skip -= 1
            there -= 1
            if there == 0:
                break
    return np.int64(0)


@rule
def rewind(s, first, actions):
    """The two lists make one: a seat names cells until it places a mark, and then the other does."""
    copy(first, s)
    begin(first)
    at = np.zeros(2, np.int64)
    seat = 0
    for n in range(s.names[0] + s.names[1]):
        actions[n] = s.named[seat, at[seat]]
        at[seat] += 1
        if s.marks[seat] >> actions[n] & 1:
            seat = 1 - seat
    return s.names[0] + s.names[1]


def heard(s: np.record, action: int, seat: int) -> str:
    """The mover hears the umpire; the other hears nothing of a refusal, and not where a mark is placed."""
    refused = (s.marks[1 - s.mover] >> action) & 1
    if seat == s.mover:
        cell = action_name(s, action)
        return Text("{cell} is taken", cell=cell) if refused else cell
    return "" if refused else Text("a mark is placed")


def show(view: np.record, seat: int) -> str:
    mine, theirs = ("X", "O") if seat == 0 else ("O", "X")
    signs = [mine if view.mine >> cell & 1 else theirs if view.found >> cell & 1 else "." for cell in range(9)]
    rows = [f"{3 - row} " + " ".join(signs[3 * row : 3 * row + 3]) for row in range(3)]
    hidden = int(view.moves) - int(view.mine).bit_count() - int(view.found).bit_count()
    known = Text("you are {mine}; marks of {theirs} not found yet: {n}", mine=mine, theirs=theirs, n=hidden)
    return Text.joined("\n", [*rows, "  a b c", known])


def picture(view: np.record, seat: int) -> Picture:
    marks = (view.mine, view.found) if seat == 0 else (view.found, view.mine)
    hidden = int(view.moves) - int(view.mine).bit_count() - int(view.found).bit_count()
    unseen = Text("You know every mark of the other.")
    if hidden:
        unseen = Text.plural(
            "{n} mark of the other lies where you cannot see.",
            "{n} marks of the other lie where you cannot see.",
            n=hidden,
        )
    return {**nine_cells(marks), "unseen": note(Text("You are {sign}. {unseen}", sign="XO"[seat], unseen=unseen))}


def open_picture(s: np.record, seat: int) -> Picture:
    return nine_cells(s.marks, line_of(s))


def facts(s: np.record, seat: int) -> dict[str, str]:
    """Where the marks of the other lie that this seat has not found."""
    unseen = int(s.marks[1 - seat]) & ~int(s.found[seat])
    return {action_name(s, i): "OX"[seat] for i in range(9) if unseen >> i & 1}


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    """Only the mover knows where."""
    return (Text("name"), [action_name(s, action)]) if seat == s.mover else ("", [])


def refusal(s: np.record, action: int) -> str:
    if s.marks[s.mover] >> action & 1:
        return Text("your own mark is there")
    return Text("the other's mark is there, as the umpire told you") if s.found[s.mover] >> action & 1 else ""


GAME = define(
    "blind_tictactoe",
    title=Text("Blind tic-tac-toe"),
    about=__doc__,
    state=STATE,
    view=VIEW,
    rules=(deal, turn, legal, play, payoff, observe, redeal, rewind, worlds, world, evaluate),
    people=(action_name, show, picture, open_picture, facts, verb_and_objects, heard, outcome, refusal),
    hidden=True,
    most_actions=9,
    all_actions=9,
    longest=17,  # nine marks; each seat runs into at most four
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
