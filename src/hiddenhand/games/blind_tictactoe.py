"""Blind tic-tac-toe: neither player sees the other's marks. It is also called phantom tic-tac-toe.

The mover names a cell. If the other holds it, an umpire tells the mover so, and nobody else, and the mover
names another cell; otherwise the mark is placed and the turn passes. Nobody tells the other where. Three in a
row win, a full board is a draw; that the game is over, and who has won, is told to both. In the abrupt game (the
option `abrupt`) a refused attempt ends the turn too.

Cells and sets of cells are numbered as in tic-tac-toe; an action is the cell to name. `found[seat]` holds the
other's marks that the seat has run into: it may name every cell that is neither its own nor found. Both
always know how many marks lie on the board, because turns alternate, but not how often the other was refused.
Each remembers which cells it named, in order. In the abrupt game both know how often the other has named a cell, but
not how many marks lie on the board: `moves` of the view is UNKNOWN until the board is full.
"""

import numpy as np

from hiddenhand.core.extras import Opponent, Opponents, PrivateFields, SearchDefaults
from hiddenhand.core.game import define
from hiddenhand.core.picture import Note, Picture, note
from hiddenhand.core.settings import Setting
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
from hiddenhand.kernel import OVER, below, copy, count_bits, record_type, rule

CELLS = 9
MOST = 5  # marks of one seat
NONE = -1
UNKNOWN = -1

PUBLIC = [("mover", "i1"), ("moves", "i1"), ("winner", "i1")]
STATE = record_type(
    [
        ("marks", "i8", (2,)),
        ("found", "i8", (2,)),
        ("named", "i1", (2, CELLS)),  # by each seat, in order; then NONE
        ("names", "i1", (2,)),  # how many
        *PUBLIC,
        ("abrupt", "i1"),
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
    for i in range(s.named.shape[1]):
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
    return list_unknown(s, CELLS, out)


@rule
def list_unknown(s, cells, out):
    """The cells that the mover may name."""
    known = s.marks[s.mover] | s.found[s.mover]
    n = 0
    for cell in range(cells):
        out[n] = cell
        n += 1 - ((known >> cell) & 1)
    return n


@rule
def play(s, action, rng):
    attempt(s, action, wins)


@rule
def attempt(s, action, wins):
    """The mover names a cell; `wins` is the rule that says whether cells of one seat win."""
    cell = 1 << action
    note_down(s, np.int64(s.mover), action)
    if s.marks[1 - s.mover] & cell != 0:
        s.found[s.mover] |= cell
        if s.abrupt != 0:
            s.mover = 1 - s.mover
        return
    s.marks[s.mover] |= cell
    s.moves += 1
    if wins(s, s.marks[s.mover], np.int64(s.mover)):
        s.winner = s.mover
    s.mover = 1 - s.mover


@rule
def wins(s, cells, owner):
    return has_line(cells)


@rule
def is_draw(s):
    return s.moves == 9 and s.winner == NOBODY


@rule
def observe(s, seat, view):
    view.mine = s.marks[seat]
    view.found = s.found[seat]
    view.names = s.names[seat]
    for i in range(s.named.shape[1]):
        view.named[i] = s.named[seat, i]
    view.mover = s.mover
    view.moves = UNKNOWN if s.abrupt != 0 and not is_draw(s) else s.moves
    view.winner = s.winner


# Which games can have led to what a seat knows? What it cannot know is which cells the other has named, and when:
# two lists that have nothing to do with one another.
#
# The order: the cells in which the other has placed its marks, all different and none of them the seat's, as many as
# the other has had turns. Every mark that the seat ran into was there by then. No three of them are in a row, unless
# the other has won: then the last one made it so. In the abrupt game the order holds the other's refusals too: cells
# of the seat's, each named after the seat's mark was placed. What can still follow depends only on which cells have
# been named, not on their order: `orders[named]` counts it.
#
# The refusals of the other, if they do not end its turn: in each turn it may have named any of the seat's marks that
# lay there and that it had not found, in any order. `refusals[turn, found]` counts the lists that can still follow.


@rule
def worlds(s, seat):
    orders, refusals = np.zeros(FULL + 1, np.int64), np.zeros((MOST + 2, MOST + 1), np.int64)
    return count_worlds(s, seat, orders, refusals, wins)


@rule
def world(s, seat, number, rng):
    orders, refusals = np.zeros(FULL + 1, np.int64), np.zeros((MOST + 2, MOST + 1), np.int64)
    count_worlds(s, seat, orders, refusals, wins)
    write_world(s, seat, number, orders, refusals)
    return 1.0


@rule
def redeal(s, seat, rng):
    world(s, seat, below(rng, worlds(s, seat)), rng)


@rule
def count_worlds(s, seat, orders, refusals, wins):
    """Fill both tables: `orders` has a place for each set of cells. Returns how many worlds there are."""
    count_orders(s, seat, orders, wins)
    refusals[0, 0] = 1
    if s.abrupt == 0:
        count_refusals(s, 1 - seat, refusals)
    return orders[0] * refusals[0, 0]


@rule
def turns_before(owner, turn):
    """How many turns a seat has had when the other's turn of this number begins, counted from 0."""
    return turn + 1 - owner


@rule
def read_windows(s, seat, first, last):
    """For each cell, the first and the last place in the other's order at which it may stand.

    Where the seat ran into a mark of the other, that was there before; where its own mark lies, the other can have
    been refused only after it was placed.
    """
    turn, other = 0, 1 - seat
    for cell in range(len(first)):
        first[cell], last[cell] = 0, len(first)
    for i in range(s.names[seat]):
        cell, before = np.int64(s.named[seat, i]), turns_before(other, turn)
        placed = s.marks[seat] >> cell & 1
        if placed == 0:
            last[cell] = before - 1
        elif s.abrupt != 0:
            first[cell] = before
        else:
            last[cell] = NONE
        turn += 1 if s.abrupt != 0 else placed
    if s.moves == len(first) and s.winner == NOBODY and s.mover == seat:  # the other's last attempt filled the board
        for cell in range(len(first)):
            if s.marks[seat] >> cell & 1:
                last[cell] = min(last[cell], length_of_order(s, other) - 2)


@rule
def length_of_order(s, other):
    return np.int64(s.names[other]) if s.abrupt != 0 else np.int64(s.moves) - count_bits(s.marks[1 - other])


@rule
def count_orders(s, seat, orders, wins):
    """Fill `orders`, which is all 0, for the sets of cells that the other of `seat` can have named at some time."""
    other, mine, cells = 1 - seat, np.int64(s.marks[seat]), count_bits(len(orders) - 1)
    first, last = np.zeros(cells, np.int64), np.zeros(cells, np.int64)
    read_windows(s, seat, first, last)
    length = length_of_order(s, other)
    sets = np.zeros(len(orders), np.int64)  # in ascending order of how many cells they have
    at, found = 0, 1
    while at < found:
        named, place = sets[at], count_bits(sets[at])
        at += 1
        if place < length and not wins(s, named & ~mine, other):
            for cell in range(cells):
                larger = named | 1 << cell
                if larger != named and first[cell] <= place <= last[cell] and orders[larger] == 0:
                    orders[larger] = 1
                    sets[found] = larger
                    found += 1
    for at in range(found - 1, -1, -1):
        named, place = sets[at], count_bits(sets[at])
        orders[named] = is_so(s, seat, named & ~mine, cells, wins) if place == length else 0
        if place < length and not wins(s, named & ~mine, other):
            for cell in range(cells):
                if named >> cell & 1 == 0 and first[cell] <= place <= last[cell]:
                    orders[named] += orders[named | 1 << cell]


@rule
def is_so(s, seat, theirs, cells, wins):
    """1 if the game stands as it does when these are the marks of the other of `seat`, 0 if not."""
    if s.found[seat] & ~theirs != 0 or wins(s, theirs, 1 - seat) != (s.winner == 1 - seat):
        return 0
    full = count_bits(theirs) + count_bits(s.marks[seat]) == cells
    return 1 if s.winner != NOBODY or full == (s.moves == cells) else 0


@rule
def count_refusals(s, finder, refusals):
    """Fill `refusals`, for the turns that the finder has had, one that is under way included."""
    turns = turns_had(s, finder)
    for found in range(refusals.shape[1]):
        refusals[turns, found] = 1
    for number in range(turns - 1, -1, -1):
        there = turns_before(1 - finder, number)
        for found in range(there, -1, -1):
            refusals[number, found] = refusals[number + 1, found]
            if found < there:
                refusals[number, found] += (there - found) * refusals[number, found + 1]


@rule
def turns_had(s, seat):
    """Turns that a seat has begun, where only a mark ends them."""
    under_way = s.mover == seat and s.winner == NOBODY and s.moves < len(s.named[0])
    return length_of_order(s, seat) + (1 if under_way else 0)


@rule
def write_world(s, seat, number, orders, refusals):
    """Put world `number` of the two tables in the place of what the other of `seat` did."""
    other, cells = 1 - seat, count_bits(len(orders) - 1)
    order, length = np.zeros(cells, np.int64), length_of_order(s, other)
    list_order(s, seat, orders, number // refusals[0, 0], order[:length])
    number %= refusals[0, 0]
    s.marks[other] = 0
    s.found[other] = 0
    forget(s, other)
    for i in range(length if s.abrupt != 0 else turns_had(s, other)):
        found = count_bits(s.found[other])
        while s.abrupt == 0 and number >= refusals[i + 1, found]:
            number -= refusals[i + 1, found]
            cell = unfound(s, seat, turns_before(seat, i), number // refusals[i, found + 1])
            number %= refusals[i, found + 1]
            s.found[other] |= 1 << cell
            note_down(s, other, cell)
            found += 1
        if i < length:
            if s.marks[seat] >> order[i] & 1:
                s.found[other] |= 1 << order[i]
            else:
                s.marks[other] |= 1 << order[i]
            note_down(s, other, order[i])
    s.moves = count_bits(s.marks[0]) + count_bits(s.marks[1])


@rule
def list_order(s, seat, orders, number, order):
    """Write order `number` of the table."""
    cells, named = count_bits(len(orders) - 1), 0
    first, last = np.zeros(cells, np.int64), np.zeros(cells, np.int64)
    read_windows(s, seat, first, last)
    for place in range(len(order)):
        for cell in range(cells):
            if named >> cell & 1 == 0 and first[cell] <= place <= last[cell]:
                ways = orders[named | 1 << cell]
                if number < ways:
                    named |= 1 << cell
                    order[place] = cell
                    break
                number -= ways


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
    """The two lists make one: a seat names cells until its turn ends, and then the other does."""
    copy(first, s)
    begin(first)
    at = np.zeros(2, np.int64)
    seat = 0
    for n in range(s.names[0] + s.names[1]):
        actions[n] = s.named[seat, at[seat]]
        at[seat] += 1
        if s.abrupt != 0 or s.marks[seat] >> actions[n] & 1:
            seat = 1 - seat
    return s.names[0] + s.names[1]


def heard(s: np.record, action: int, seat: int) -> str:
    return heard_of(s, action, seat, action_name(s, action))


def heard_of(s: np.record, action: int, seat: int, cell: str) -> str:
    """The mover hears the umpire; the other hears nothing of a refusal, and not where a mark is placed.

    In the abrupt game the other hears only that it is its turn.
    """
    refused = (s.marks[1 - s.mover] >> action) & 1
    if seat == s.mover:
        return Text("{cell} is taken", cell=cell) if refused else cell
    if s.abrupt:
        return Text("a cell is named")
    return "" if refused else Text("a mark is placed")


def unfound_marks(view: np.record) -> int:
    """How many marks of the other the seat has not found; -1 if it cannot know."""
    if view.moves == UNKNOWN:
        return -1
    return int(view.moves) - int(view.mine).bit_count() - int(view.found).bit_count()


def show(view: np.record, seat: int) -> str:
    mine, theirs = ("X", "O") if seat == 0 else ("O", "X")
    signs = [mine if view.mine >> cell & 1 else theirs if view.found >> cell & 1 else "." for cell in range(9)]
    rows = [f"{3 - row} " + " ".join(signs[3 * row : 3 * row + 3]) for row in range(3)]
    return Text.joined("\n", [*rows, "  a b c", known_marks(view, mine, theirs)])


def known_marks(view: np.record, mine: str, theirs: str) -> str:
    hidden = unfound_marks(view)
    known = Text("you are {mine}; marks of {theirs} not found yet: {n}", mine=mine, theirs=theirs, n=hidden)
    if hidden < 0:
        known = Text("you are {mine}; nobody tells how many marks of {theirs} there are", mine=mine, theirs=theirs)
    return known


def picture(view: np.record, seat: int) -> Picture:
    marks = (view.mine, view.found) if seat == 0 else (view.found, view.mine)
    return {**nine_cells(marks), "unseen": note_on_unseen(view, seat)}


def note_on_unseen(view: np.record, seat: int) -> Note:
    hidden = unfound_marks(view)
    unseen = Text("You know every mark of the other.")
    if hidden < 0:
        unseen = Text("Nobody tells how many marks the other has.")
    elif hidden:
        unseen = Text.plural(
            "{n} mark of the other lies where you cannot see.",
            "{n} marks of the other lie where you cannot see.",
            n=hidden,
        )
    return note(Text("You are {sign}. {unseen}", sign="XO"[seat], unseen=unseen))


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
    return refusal_of(s, action)


def refusal_of(s: np.record, action: int) -> str:
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
    longest=17,  # nine marks, and a refusal for each of them but the last
    options={"abrupt": Setting(False, Text("a refused attempt ends the turn too"))},
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
