"""Reversi (Othello): outflank to turn discs over; most discs win. Black begins.

Cells are numbered 0 to 63 from a1 along the rows; an action is the cell to take, or PASS, which is the only legal
action when no disc can be turned. The game ends when neither player can move. A set of cells is a 64-bit number.
"""

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import Encoding, Opponent, Opponents, SearchDefaults
from hiddenhand.core.features import Feature, Features
from hiddenhand.core.game import define
from hiddenhand.core.picture import Picture, amounts, board, board_cell
from hiddenhand.core.positions import read_board, write_board
from hiddenhand.core.text import Seat, Text
from hiddenhand.kernel import OVER, record_type, rule, write_bits

PASS = 64
COLOURS: tuple[str, str] = (Text("black"), Text("white"))
STATE = record_type([("discs", "u8", (2,)), ("mover", "i1"), ("over", "i1")])

ONE = np.uint64(1)
NONE = np.uint64(0)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
NOT_A = np.uint64(0xFEFEFEFEFEFEFEFE)
NOT_H = np.uint64(0x7F7F7F7F7F7F7F7F)
START = (np.uint64(1 << 28 | 1 << 35), np.uint64(1 << 27 | 1 << 36))
CORNERS = np.uint64(0x8100000000000081)
# the cells diagonally next to each corner: a gift to the opponent while the corner is empty
BESIDE_CORNERS = np.uint64(0x0042000000004200)

EDGES = np.uint64(0x3C0081818181003C)  # without the corners and the cells next to them
FEATURES = Features(
    (
        Feature("mobility", 2.0, Text("a move to choose from")),
        Feature("corners", 20.0, Text("a disc in a corner")),
        Feature("gifts", -4.0, Text("a disc diagonally next to a corner")),
        Feature("edges", 0.0, Text("a disc on an edge, away from the corners")),
        Feature("frontier", 0.0, Text("a disc with an empty cell beside it")),
        Feature("discs", 0.2, Text("a disc")),
        Feature("late_discs", 0.0, Text("a disc, counted more the fuller the board")),
        Feature("late_mobility", 0.0, Text("a move to choose from, counted more the fuller the board")),
    ),
    scale=50.0,
)

# eight directions: how far a bit moves, whether to the left, and which cells may be entered that way
SHIFTS = np.array([1, 7, 8, 9], dtype=np.uint64)
MASKS_UP = np.array([NOT_A, NOT_H, ALL, NOT_A])
MASKS_DOWN = np.array([NOT_H, NOT_A, ALL, NOT_H])
# corners, edges, the inside, and last the cells that give a corner away
PREFERENCE = np.array(
    [
        [9, 2, 6, 5, 5, 6, 2, 9],
        [2, 1, 3, 3, 3, 3, 1, 2],
        [6, 3, 5, 4, 4, 5, 3, 6],
        [5, 3, 4, 4, 4, 4, 3, 5],
        [5, 3, 4, 4, 4, 4, 3, 5],
        [6, 3, 5, 4, 4, 5, 3, 6],
        [2, 1, 3, 3, 3, 3, 1, 2],
        [9, 2, 6, 5, 5, 6, 2, 9],
    ]
).ravel()


@rule
def deal(s, rng):
    if s.discs[0] | s.discs[1] != NONE:  # set up
        return
    s.discs[0] = START[0]
    s.discs[1] = START[1]
    s.mover = 0
    s.over = 0


@rule
def turn(s):
    if s.over != 0:
        return OVER
    return np.int64(s.mover)


@rule
def moves_of(mine, theirs):
    """The cells where a disc of mine would turn at least one of theirs."""
    empty = ~(mine | theirs)
    found = NONE
    for i in range(4):
        step, up, down = SHIFTS[i], MASKS_UP[i], MASKS_DOWN[i]
        line = (mine << step) & up & theirs
        for _ in range(5):
            line |= (line << step) & up & theirs
        found |= (line << step) & up
        line = (mine >> step) & down & theirs
        for _ in range(5):
            line |= (line >> step) & down & theirs
        found |= (line >> step) & down
    return found & empty


@rule
def turned_by(cell, mine, theirs):
    """The discs of theirs that a disc on `cell` (one bit) turns over."""
    turned = NONE
    for i in range(4):
        step, up, down = SHIFTS[i], MASKS_UP[i], MASKS_DOWN[i]
        line = (cell << step) & up & theirs
        for _ in range(5):
            line |= (line << step) & up & theirs
        if (line << step) & up & mine != NONE:
            turned |= line
        line = (cell >> step) & down & theirs
        for _ in range(5):
            line |= (line >> step) & down & theirs
        if (line >> step) & down & mine != NONE:
            turned |= line
    return turned


@rule
def count_bits(board):
    n = 0
    while board != NONE:
        board &= board - ONE
        n += 1
    return n


@rule
def legal(s, out):
    possible = moves_of(s.discs[s.mover], s.discs[1 - s.mover])
    if possible == NONE:
        out[0] = PASS
        return 1
    n = 0
    for cell in range(64):
        if possible & ONE != NONE:
            out[n] = cell
            n += 1
        possible >>= ONE
    return n


@rule
def play(s, action, rng):
    me = np.int64(s.mover)
    if action != PASS:
        cell = ONE << np.uint64(action)
        turned = turned_by(cell, s.discs[me], s.discs[1 - me])
        s.discs[me] |= cell | turned
        s.discs[1 - me] &= ~turned
    s.mover = 1 - me
    if moves_of(s.discs[1 - me], s.discs[me]) == NONE and moves_of(s.discs[me], s.discs[1 - me]) == NONE:
        s.over = 1


@rule
def payoff(s, out):
    lead = count_bits(s.discs[0]) - count_bits(s.discs[1])
    out[0] = 0.0
    if lead > 0:
        out[0] = 1.0
    elif lead < 0:
        out[0] = -1.0
    out[1] = 0.0 - out[0]  # not -out[0], which makes a draw -0


@rule
def beside(discs):
    """All cells next to some of these."""
    found = NONE
    for i in range(4):
        found |= (discs << SHIFTS[i]) & MASKS_UP[i]
        found |= (discs >> SHIFTS[i]) & MASKS_DOWN[i]
    return found


@rule
def features(s, out):
    mine, theirs = s.discs[0], s.discs[1]
    open_cells = beside(~(mine | theirs))
    out[0] = count_bits(moves_of(mine, theirs)) - count_bits(moves_of(theirs, mine))
    out[1] = count_bits(mine & CORNERS) - count_bits(theirs & CORNERS)
    out[2] = count_bits(mine & BESIDE_CORNERS) - count_bits(theirs & BESIDE_CORNERS)
    out[3] = count_bits(mine & EDGES) - count_bits(theirs & EDGES)
    out[4] = count_bits(mine & open_cells) - count_bits(theirs & open_cells)
    out[5] = count_bits(mine) - count_bits(theirs)
    full = count_bits(mine | theirs) / 64.0
    out[6] = full**6 * out[5]
    out[7] = full**2 * out[0]


@rule
def order(s, actions, n):
    """Corners first, the cells beside them last."""
    if actions[0] == PASS:
        return
    for i in range(1, n):
        action = actions[i]
        j = i
        while j > 0 and PREFERENCE[actions[j - 1]] < PREFERENCE[action]:
            actions[j] = actions[j - 1]
            j -= 1
        actions[j] = action


@rule
def measure(s, out):
    out[0] = count_bits(s.discs[0])
    out[1] = count_bits(s.discs[1])


@rule
def encode(s, seat, out):
    write_bits(s.discs[seat], 64, out, 0)
    write_bits(s.discs[1 - seat], 64, out, 64)


def action_name(s: np.record, action: int) -> str:
    return Text("pass") if action == PASS else "abcdefgh"[action % 8] + str(action // 8 + 1)


def set_up(s: np.record, text: str) -> None:
    """Eight rows of X (black), O (white) and dots, the top one first; then ; and who moves, X if left out."""
    drawn, _, mover = text.partition(";")
    discs = read_board(drawn, 8, 8)
    mover = mover.strip().upper() or "X"
    if mover not in ("X", "O"):
        raise UserError("after ; stands who moves, X or O, not {mover}", mover=repr(mover))
    if not discs[0] | discs[1]:
        raise UserError("a position has discs")
    s.discs[:] = discs
    s.mover = "XO".index(mover)
    s.over = moves_of(s.discs[0], s.discs[1]) == NONE and moves_of(s.discs[1], s.discs[0]) == NONE


def written(s: np.record) -> str:
    return f"{write_board([int(each) for each in s.discs], 8, 8)};{'XO'[s.mover]}"


def show(view: np.record, seat: int) -> str:
    def sign(cell: int) -> str:
        return "X" if int(view.discs[0]) >> cell & 1 else "O" if int(view.discs[1]) >> cell & 1 else "."

    rows = [f"{row + 1} " + " ".join(sign(8 * row + column) for column in range(8)) for row in range(8)]
    return "\n".join(["  a b c d e f g h", *rows])


def picture(view: np.record, seat: int) -> Picture:
    discs = [int(mask) for mask in view.discs]
    cells = []
    for i in range(64):
        owner = next((who for who in range(2) if discs[who] >> i & 1), None)
        colour = Text("empty") if owner is None else COLOURS[owner]
        words = Text("{cell}, {colour}", cell=action_name(view, i), colour=colour)
        cells.append(board_cell(action_name(view, i), "" if owner is None else "stone", owner, words))
    counts = {COLOURS[who]: discs[who].bit_count() for who in range(2)}
    owners = {COLOURS[who]: who for who in range(2)}
    return {
        "board": board(cells, 8, look="table", column_names="abcdefgh", row_names="12345678"),
        "discs": amounts(Text("discs"), counts, owners),
    }


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    return (Text("pass"), []) if action == PASS else (Text("place"), [action_name(s, action)])


def outcome(s: np.record) -> str:
    black, white = (int(discs).bit_count() for discs in s.discs)
    return Text(
        "{first} has {black} discs, {second} has {white}", first=Seat(0), black=black, second=Seat(1), white=white
    )


def refusal(s: np.record, action: int) -> str:
    mine, theirs = s.discs[s.mover], s.discs[1 - s.mover]
    possible = int(moves_of(mine, theirs))
    if action == PASS:
        return Text("you can turn discs over, so you must not pass") if possible else ""
    if int(mine | theirs) >> action & 1:
        return Text("there is a disc already")
    return "" if possible >> action & 1 else Text("it would turn no disc over")


GAME = define(
    "reversi",
    title=Text("Reversi"),
    about=__doc__,
    state=STATE,
    rules=(deal, turn, legal, play, payoff, features, order, measure, encode),
    people=(action_name, set_up, written, show, picture, verb_and_objects, outcome, refusal),
    most_actions=60,
    all_actions=PASS + 1,
    longest=120,
    metrics=(Text("black discs"), Text("white discs")),
    extras=(
        Encoding(128, bits=True, groups={Text("my discs"): range(64), Text("the other's discs"): range(64, 128)}),
        FEATURES,
        SearchDefaults(depth=5),
        Opponents(
            (
                Opponent(Text("Beginner"), "random", Text("any move that turns a disc")),
                Opponent(Text("Careful"), "alphabeta:depth=2", Text("sees its own move and your answer")),
                Opponent(
                    Text("Cunning"),
                    "alphabeta:depth=4",
                    Text("looks four moves ahead, and knows what corners are worth"),
                ),
                Opponent(Text("Strong"), "alphabeta:time=0.5", Text("looks as far ahead as it can in half a second")),
            )
        ),
    ),
)
