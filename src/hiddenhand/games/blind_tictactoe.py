"""Blind tic-tac-toe: neither player sees the other's marks. It is also called phantom tic-tac-toe.

The mover names a cell. If the other holds it, an umpire tells the mover so, and nobody else, and the mover
names another cell; otherwise the mark is placed and the turn passes. Nobody tells the other where. Three in a
row win, a full board is a draw; that the game is over, and who has won, is told to both.

Cells and sets of cells are numbered as in tic-tac-toe; an action is the cell to name. `found[seat]` holds the
other's marks that the seat has run into: it may name every cell that is neither its own nor found. Both
always know how many marks lie on the board, because turns alternate, but not how often the other was refused.
"""

from typing import Any

import numpy as np

from hiddenhand.core.game import define
from hiddenhand.core.opponents import Opponent
from hiddenhand.core.picture import Picture, note
from hiddenhand.games.tictactoe import (
    FULL,
    LINES,
    NOBODY,
    action_name,
    evaluate,
    has_line,
    line_of,
    nine_cells,
    outcome,
    payoff,
)
from hiddenhand.kernel import OVER, below, record_type, rule

COUNTS = np.array([marks.bit_count() for marks in range(FULL + 1)])

STATE = record_type(
    [("marks", "i8", (2,)), ("found", "i8", (2,)), ("mover", "i1"), ("moves", "i1"), ("winner", "i1")]
)
VIEW = record_type([("mine", "i8"), ("found", "i8"), ("mover", "i1"), ("moves", "i1"), ("winner", "i1")])


@rule
def deal(s, rng):
    for seat in range(2):
        s.marks[seat] = 0
        s.found[seat] = 0
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
    known = s.marks[s.mover] | s.found[s.mover]
    n = 0
    for cell in range(9):
        out[n] = cell
        n += 1 - ((known >> cell) & 1)
    return n


@rule
def play(s, action, rng):
    cell = 1 << action
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
    view.mover = s.mover
    view.moves = s.moves
    view.winner = s.winner


@rule
def last_marks(marks):
    """The cells of which one must have been the winner's last: without it, no line was complete."""
    cells = FULL
    for line in LINES:
        if marks & line == line:
            cells &= line
    return cells & marks


# Which states can the game reach? Let it be seat p that has found `found`, a set of the marks of seat q.
#
# The order in which q placed its marks is in no record and nobody's knowledge, so a state can be reached if
# any order leads to it. A mark can be found in every turn of p that begins after it was placed, and p can
# name any number of taken cells in a turn. What matters is therefore which marks of q lay on the board at p's
# last turn:
#
# - p is to move. All of them: p can have found any of them in this very turn, even the one just placed.
# - q is to move, the game goes on. All of them too: p has had a turn since q's last mark. (Before q's first
#   mark there is nothing to find.)
# - The game is over and p made the last mark: as in the case before, all of them.
# - The game is over and q made the last mark: all but that one, which p had no turn to find.
#
# So every set of q's marks can have been found, save that at the end the last mark cannot. If q won, its last
# mark is one of `last_marks`: as long as one of them is not in `found`, that one can have been the last. In a
# drawn game any mark can have been: `last_marks` of a board without a line is all of it. Nothing else ties
# what one seat has found to what the other has, nor to where the other's marks are.


@rule
def may_be_found(s, found, finder):
    """Whether `finder` can have found exactly these marks of the other's by now."""
    if (s.winner == NOBODY and s.moves < 9) or s.mover != finder:
        return True
    return last_marks(s.marks[1 - finder]) & ~found != 0


@rule
def may_be_marks(s, marks, count, owner):
    """Whether the marks of `owner`, who won or did not, can be these, for all that the other seat knows."""
    if COUNTS[marks] != count or has_line(marks) != (s.winner == owner):
        return False
    if s.winner != owner:
        return True
    return last_marks(marks) & ~s.found[1 - owner] != 0


@rule
def redeal(s, seat, rng):
    """The other's marks, and what it has found of mine: two independent draws, as shown above."""
    other = 1 - seat
    s.marks[other] = draw_marks(s, other, rng)
    s.found[other] = draw_found(s, other, rng)


@rule
def draw_marks(s, owner, rng):
    """The found marks and any others outside the cells of the seat that looks; one of all such sets."""
    known = s.found[1 - owner]
    unknown = FULL & ~(s.marks[1 - owner] | known)
    count = s.moves - COUNTS[s.marks[1 - owner]]
    possible = 0
    more = unknown
    while more >= 0:  # every subset of `unknown`, downwards
        if may_be_marks(s, known | more, count, owner):
            possible += 1
        more = (more - 1) & unknown if more > 0 else -1
    skip = below(rng, possible)
    more = unknown
    while more >= 0:
        if may_be_marks(s, known | more, count, owner):
            if skip == 0:
                return known | more
            skip -= 1
        more = (more - 1) & unknown if more > 0 else -1
    return known


@rule
def draw_found(s, finder, rng):
    """Any set of the other's marks that can have been found by now."""
    marks = s.marks[1 - finder]
    possible = 0
    found = marks
    while found >= 0:
        if may_be_found(s, found, finder):
            possible += 1
        found = (found - 1) & marks if found > 0 else -1
    skip = below(rng, possible)
    found = marks
    while found >= 0:
        if may_be_found(s, found, finder):
            if skip == 0:
                return found
            skip -= 1
        found = (found - 1) & marks if found > 0 else -1
    return np.int64(0)


def heard(s: Any, action: int, seat: int) -> str:
    """The mover hears the umpire; the other hears nothing of a refusal, and not where a mark is placed."""
    refused = (s.marks[1 - s.mover] >> action) & 1
    if seat == s.mover:
        return action_name(s, action) + (" is taken" if refused else "")
    return "" if refused else "a mark is placed"


def show(view: Any, seat: int) -> str:
    mine, theirs = ("X", "O") if seat == 0 else ("O", "X")
    signs = [mine if view.mine >> cell & 1 else theirs if view.found >> cell & 1 else "." for cell in range(9)]
    rows = [f"{3 - row} " + " ".join(signs[3 * row : 3 * row + 3]) for row in range(3)]
    hidden = int(view.moves) - int(view.mine).bit_count() - int(view.found).bit_count()
    return "\n".join([*rows, "  a b c", f"you are {mine}; marks of {theirs} not found yet: {hidden}"])


def picture(view: Any, seat: int) -> Picture:
    marks = (view.mine, view.found) if seat == 0 else (view.found, view.mine)
    hidden = int(view.moves) - int(view.mine).bit_count() - int(view.found).bit_count()
    lie = "mark of the other lies" if hidden == 1 else "marks of the other lie"
    unseen = f"{hidden} {lie} where you cannot see." if hidden else "You know every mark of the other."
    return {**nine_cells(marks), "unseen": note(f"You are {'XO'[seat]}. {unseen}")}


def open_picture(s: Any, seat: int) -> Picture:
    return nine_cells(s.marks, line_of(s))


def facts(s: Any, seat: int) -> dict[str, str]:
    """Where the marks of the other lie that this seat has not found."""
    unseen = int(s.marks[1 - seat]) & ~int(s.found[seat])
    return {action_name(s, i): "OX"[seat] for i in range(9) if unseen >> i & 1}


def verb_and_objects(s: Any, action: int, seat: int) -> tuple[str, list[str]]:
    """Only the mover knows where."""
    return ("name", [action_name(s, action)]) if seat == s.mover else ("", [])


def refusal(s: Any, action: int) -> str:
    if s.marks[s.mover] >> action & 1:
        return "your own mark is there"
    return "the other's mark is there, as the umpire told you" if s.found[s.mover] >> action & 1 else ""


GAME = define(
    "blind_tictactoe",
    title="Blind tic-tac-toe",
    about=__doc__,
    state=STATE,
    view=VIEW,
    rules=(deal, turn, legal, play, payoff, observe, redeal, evaluate),
    people=(action_name, show, picture, open_picture, facts, verb_and_objects, heard, outcome, refusal),
    hidden=True,
    most_actions=9,
    all_actions=9,
    longest=17,  # nine marks; each seat runs into at most four
    depth=6,
    opponents=(
        Opponent("Beginner", "random", "names any cell that it does not know to be taken"),
        Opponent("Thoughtful", "pimc:worlds=10", "imagines ten ways in which your marks may lie"),
        Opponent("Strong", "ismcts:simulations=3000", "plays thousands of games in its head"),
    ),
)
