"""Connect four: drop discs into seven columns of six; four in a row win. The first player wins with best play.

An action is a column, 0 to 6. A board is a 49-bit number, seven bits to a column, the lowest cell first; the
seventh bit of a column stays empty, so that shifted lines never wrap round into the next column.
"""

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import Encoding, Opponent, Opponents, SearchDefaults
from hiddenhand.core.features import Feature, Features
from hiddenhand.core.game import define
from hiddenhand.core.picture import Picture, board, board_cell
from hiddenhand.core.positions import read_board, whose_turn, write_board
from hiddenhand.core.text import Seat, Text
from hiddenhand.kernel import OVER, count_bits, record_type, rule, write_bits

COLUMNS, ROWS = 7, 6
STRIDE = ROWS + 1
CELLS = COLUMNS * ROWS
NOBODY = -1
BOTTOM = sum(1 << (STRIDE * column) for column in range(COLUMNS))
BOARD = BOTTOM * ((1 << ROWS) - 1)
MIDDLE_FIRST = np.array([3, 2, 4, 1, 5, 0, 6])
WEIGHTS = np.array([3, 4, 5, 7, 5, 4, 3])
ODD_ROWS = BOTTOM * 0b010101  # the first, third and fifth: where the first player can wait for a cell
BITS = COLUMNS * STRIDE
ENCODED = 4 * BITS + 4 * COLUMNS + 1
FEATURES = Features(
    (
        Feature("threats", 10.0, Text("a free cell that would complete four")),
        Feature("kept_threats", 0.0, Text("one that can be waited for: in an odd row for X, in an even one for O")),
        Feature("middle", 1.0, Text("discs near the middle, 7 points in the middle column down to 3 at the sides")),
    ),
    scale=100.0,
)

STATE = record_type([("discs", "i8", (2,)), ("mover", "i1"), ("moves", "i1"), ("winner", "i1")])


@rule
def deal(s, rng):
    if s.discs[0] != 0:  # set up
        return
    s.discs[1] = 0
    s.mover = 0
    s.moves = 0
    s.winner = NOBODY


@rule
def turn(s):
    if s.winner != NOBODY or s.moves == CELLS:
        return OVER
    return np.int64(s.mover)


@rule
def legal(s, out):
    taken = s.discs[0] | s.discs[1]
    n = 0
    for column in range(COLUMNS):
        out[n] = column  # written over unless there is room: no branch to guess wrong
        n += 1 - ((taken >> (STRIDE * column + ROWS - 1)) & 1)
    return n


@rule
def play(s, action, rng):
    taken = s.discs[0] | s.discs[1]
    column = 127 << (STRIDE * action)
    cell = (taken + (1 << (STRIDE * action))) & column & ~taken
    mine = s.discs[s.mover] | cell
    s.discs[s.mover] = mine
    s.moves += 1
    if has_four(mine):
        s.winner = s.mover
    s.mover = 1 - s.mover


@rule
def has_four(board):
    pairs = board & (board >> 1)  # upright
    found = pairs & (pairs >> 2)
    pairs = board & (board >> STRIDE)  # level
    found |= pairs & (pairs >> (2 * STRIDE))
    pairs = board & (board >> (STRIDE - 1))  # falling
    found |= pairs & (pairs >> (2 * (STRIDE - 1)))
    pairs = board & (board >> (STRIDE + 1))  # rising
    found |= pairs & (pairs >> (2 * (STRIDE + 1)))
    return found != 0


@rule
def payoff(s, out):
    out[0] = 0.0
    out[1] = 0.0
    if s.winner != NOBODY:
        out[s.winner] = 1.0
        out[1 - s.winner] = -1.0


@rule
def threats(board, free):
    """The free cells that would complete four for the owner of `board`."""
    found = (board << 1) & (board << 2) & (board << 3)  # upright
    for step in (STRIDE, STRIDE - 1, STRIDE + 1):
        pair = (board << step) & (board << (2 * step))
        found |= pair & (board << (3 * step))
        found |= pair & (board >> step)
        pair = (board >> step) & (board >> (2 * step))
        found |= pair & (board >> (3 * step))
        found |= pair & (board << step)
    return found & free


@rule
def features(s, out):
    free = BOARD & ~(s.discs[0] | s.discs[1])
    for i in range(len(out)):
        out[i] = 0.0
    for seat in range(2):
        sign = 1.0 if seat == 0 else -1.0
        wins = threats(s.discs[seat], free)
        kept = wins & (ODD_ROWS if seat == 0 else ~ODD_ROWS)
        out[0] += sign * count_bits(wins)
        out[1] += sign * count_bits(kept)
        middle = 0
        for column in range(COLUMNS):
            middle += WEIGHTS[column] * count_bits(s.discs[seat] & (63 << (STRIDE * column)))
        out[2] += sign * middle


@rule
def quiet(s):
    """The mover cannot complete four at once."""
    reachable = ((s.discs[0] | s.discs[1]) + BOTTOM) & BOARD
    return threats(s.discs[s.mover], reachable) == 0


@rule
def order(s, actions, n):
    """Middle columns first."""
    playable = 0
    for i in range(n):
        playable |= 1 << actions[i]
    i = 0
    for column in MIDDLE_FIRST:
        if (playable >> column) & 1:
            actions[i] = column
            i += 1


@rule
def encode(s, seat, out):
    """The discs and the threats of both, what is threatened where a disc can fall now and right above it, by column,
    and who began."""
    taken = s.discs[0] | s.discs[1]
    free = BOARD & ~taken
    here = (taken + BOTTOM) & BOARD
    above = (here << 1) & BOARD
    for i in range(2):
        who = seat if i == 0 else 1 - seat
        wins = threats(s.discs[who], free)
        write_bits(s.discs[who], BITS, out, i * BITS)
        write_bits(wins, BITS, out, (2 + i) * BITS)
        for column in range(COLUMNS):
            cells = np.int64(127) << (STRIDE * column)
            at = 4 * BITS + 2 * i * COLUMNS + column
            out[at] = 1 if wins & here & cells != 0 else 0
            out[at + COLUMNS] = 1 if wins & above & cells != 0 else 0
    out[ENCODED - 1] = seat


def action_name(s: np.record, action: int) -> str:
    return str(action + 1)


def set_up(s: np.record, text: str) -> None:
    """Six rows of X, O and dots, the top one first."""
    cells = read_board(text, ROWS, COLUMNS)
    discs = [on_their_side(each) for each in cells]
    taken = discs[0] | discs[1]
    if (taken + BOTTOM) & taken:
        raise UserError("a disc falls down: below each there is another, or the ground")
    s.mover = whose_turn(cells)
    complete = [seat for seat in range(2) if has_four(discs[seat])]
    if s.mover in complete:
        raise UserError("{sign} has four in a row already, and would not be to move", sign="XO"[s.mover])
    s.discs[:] = discs
    s.moves = sum(each.bit_count() for each in discs)
    s.winner = complete[0] if complete else NOBODY


def on_their_side(cells: int) -> int:
    """A set of cells counted row by row from the top, as it is kept: column by column from the ground."""
    return sum(
        1 << (STRIDE * (cell % COLUMNS) + ROWS - 1 - cell // COLUMNS) for cell in range(CELLS) if cells >> cell & 1
    )


def written(s: np.record) -> str:
    cells = [STRIDE * (cell % COLUMNS) + ROWS - 1 - cell // COLUMNS for cell in range(CELLS)]
    return write_board(
        [sum(1 << i for i, cell in enumerate(cells) if int(discs) >> cell & 1) for discs in s.discs], ROWS, COLUMNS
    )


def show(view: np.record, seat: int) -> str:
    def sign(column: int, row: int) -> str:
        bit = STRIDE * column + row
        return "X" if view.discs[0] >> bit & 1 else "O" if view.discs[1] >> bit & 1 else "."

    rows = [" ".join(sign(column, row) for column in range(COLUMNS)) for row in reversed(range(ROWS))]
    return "\n".join([*rows, " ".join(str(column + 1) for column in range(COLUMNS))])


def picture(view: np.record, seat: int) -> Picture:
    """Cells are pressed by their columns."""
    discs = [int(mask) for mask in view.discs]
    four = [fours(mask) for mask in discs]
    cells = []
    for row in reversed(range(ROWS)):
        for column in range(COLUMNS):
            bit = STRIDE * column + row
            owner = next((who for who in range(2) if discs[who] >> bit & 1), None)
            words = Text(
                "column {column}, row {row}, {what}",
                column=column + 1,
                row=row + 1,
                what=Text("empty") if owner is None else "XO"[owner],
            )
            line = owner is not None and bool(four[owner] >> bit & 1)
            cells.append(board_cell(str(column + 1), "" if owner is None else "disc", owner, words, line))
    return {"board": board(cells, COLUMNS, look="rack", column_names="1234567")}


def fours(discs: int) -> int:
    """The cells of all lines of four."""
    found = 0
    for step in (1, STRIDE - 1, STRIDE, STRIDE + 1):
        pairs = discs & (discs >> step)
        starts = pairs & (pairs >> 2 * step)
        found |= starts | starts << step | starts << 2 * step | starts << 3 * step
    return found


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    return Text("drop"), [str(action + 1)]


def outcome(s: np.record) -> str:
    if s.winner == NOBODY:
        return Text("the board is full and nobody has four in a row")
    return Text("{who} has four in a row after {n} moves", who=Seat(s.winner), n=s.moves)


def refusal(s: np.record, action: int) -> str:
    return Text("the column is full") if int(s.discs[0] | s.discs[1]) >> (STRIDE * action + ROWS - 1) & 1 else ""


GAME = define(
    "connect_four",
    title=Text("Connect four"),
    about=__doc__,
    state=STATE,
    rules=(deal, turn, legal, play, payoff, features, quiet, order, encode),
    people=(action_name, set_up, written, show, picture, verb_and_objects, outcome, refusal),
    most_actions=COLUMNS,
    all_actions=COLUMNS,
    longest=CELLS,
    extras=(
        Encoding(
            ENCODED,
            bits=True,
            groups={
                Text("my discs"): range(BITS),
                Text("the other's discs"): range(BITS, 2 * BITS),
                Text("where I threaten to win"): range(2 * BITS, 3 * BITS),
                Text("where the other threatens to win"): range(3 * BITS, 4 * BITS),
                Text("what wins now or gives a win away"): range(4 * BITS, ENCODED - 1),
            },
        ),
        FEATURES,
        SearchDefaults(depth=8),
        Opponents(
            (
                Opponent(Text("Beginner"), "random", Text("drops a disc anywhere")),
                Opponent(Text("Careful"), "alphabeta:depth=2", Text("sees its own move and your answer")),
                Opponent(
                    Text("Cunning"),
                    "alphabeta:depth=6",
                    Text("looks six moves ahead, and further where there are threats"),
                ),
                Opponent(Text("Strong"), "alphabeta:time=0.5", Text("looks as far ahead as it can in half a second")),
            )
        ),
    ),
)
