"""Checkers (English draughts): take the other's pieces by jumping over them, or leave them no move.

The 32 dark squares are numbered as players number them, 1 to 32 from Black's side; here square q is number q + 1. A
set of squares is a number whose bit q stands for square q. Black (seat 0) has squares 1 to 12, moves downwards and
begins; White (seat 1) has 21 to 32 and moves upwards. Men go one square forwards, kings also backwards; a piece jumps
over one of the other's beside it if the square behind is free. Who can jump must, and goes on jumping with the same
piece as long as it can. A man that reaches the far row becomes a king, and that ends the move.

An action is one step or one jump: 8 * square + direction, plus 4 for a jump; a move of several jumps is several
actions of the same seat. Who cannot move has lost. After 80 moves in a row without a jump or a man's move (40 of each
side) the game is a draw.
"""

import numpy as np

from hiddenhand.core.endgames import DRAW, UNKNOWN
from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import EndgameTables, Opponent, Opponents, SearchDefaults
from hiddenhand.core.features import Feature, Features
from hiddenhand.core.game import define
from hiddenhand.core.picture import Picture, amounts, board, board_cell
from hiddenhand.core.text import Seat, Text
from hiddenhand.games.checkers.position_index import NOWHERE, SQUARES, place_in_table
from hiddenhand.kernel import OVER, count_bits, record_type, rule

NOBODY = -1
DIRECTIONS = ((1, -1), (1, 1), (-1, -1), (-1, 1))  # rows down, columns right; Black's men have the first two
JUMP = 4
QUIET_MOVES = 80
LAST_ROW = (0xF0000000, 0x0000000F)  # where the men of each seat are crowned
SETUP = (0x00000FFF, 0xFFF00000)
COLOURS: tuple[str, str] = (Text("black"), Text("white"))
PIECES = ((Text("black man"), Text("black king")), (Text("white man"), Text("white king")))
BACK_ROW = (0x0000000F, 0xF0000000)
CENTRE = 0x00666600  # the eight squares in the middle
FEATURES = Features(
    (
        Feature("men", 100.0, Text("a man")),
        Feature("kings", 145.0, Text("a king")),
        Feature("far", 2.0, Text("a row that a man has come forwards")),
        Feature("guards", 5.0, Text("a man on its own back row")),
        Feature("centre", 3.0, Text("a piece on one of the eight squares in the middle")),
        Feature("central_kings", 0.0, Text("a king there")),
    ),
    scale=300.0,
)


def neighbour(square: int, direction: int, steps: int) -> int:
    """The square that is this many steps away, or NOWHERE if it is not on the board."""
    row, column = place(square)
    down, right = DIRECTIONS[direction]
    row, column = row + steps * down, column + steps * right
    return 4 * row + column // 2 if 0 <= row < 8 and 0 <= column < 8 else NOWHERE


def place(square: int) -> tuple[int, int]:
    """Row and column, from 0."""
    row = square // 4
    return row, 2 * (square % 4) + (row + 1) % 2


BESIDE = np.array([[neighbour(square, d, 1) for d in range(4)] for square in range(SQUARES)])
BEHIND = np.array([[neighbour(square, d, 2) for d in range(4)] for square in range(SQUARES)])

STATE = record_type(
    [
        ("men", "i8", (2,)),
        ("kings", "i8", (2,)),
        ("mover", "i1"),
        ("jumper", "i1"),  # the square of the piece that has to go on jumping, or NOWHERE
        ("quiet_moves", "i1"),  # in a row, without a jump or a man's move
        ("winner", "i1"),
    ]
)


@rule
def deal(s, rng):
    if s.men[0] | s.kings[0] != 0:  # set up
        return
    for seat in range(2):
        s.men[seat] = SETUP[seat]
        s.kings[seat] = 0
    s.mover = 0
    s.jumper = NOWHERE
    s.quiet_moves = 0
    s.winner = NOBODY


@rule
def turn(s):
    if s.winner != NOBODY or s.quiet_moves == QUIET_MOVES:
        return OVER
    return np.int64(s.mover)


@rule
def directions(s, square):
    """The directions of the mover's piece on a square: from the first to before the last."""
    if (s.kings[s.mover] >> square) & 1:
        return 0, 4
    return 2 * np.int64(s.mover), 2 * np.int64(s.mover) + 2


@rule
def jumps_from(s, square, out, n):
    """Write the jumps of the mover's piece on a square after the first n actions; how many there are then."""
    theirs = s.men[1 - s.mover] | s.kings[1 - s.mover]
    free = ~(theirs | s.men[s.mover] | s.kings[s.mover])
    first, last = directions(s, square)
    for d in range(first, last):
        behind = BEHIND[square, d]
        if behind != NOWHERE and (theirs >> BESIDE[square, d]) & (free >> behind) & 1:
            out[n] = 8 * square + JUMP + d
            n += 1
    return n


@rule
def steps_from(s, square, out, n):
    """The same for steps."""
    free = ~(s.men[0] | s.men[1] | s.kings[0] | s.kings[1])
    first, last = directions(s, square)
    for d in range(first, last):
        beside = BESIDE[square, d]
        if beside != NOWHERE and (free >> beside) & 1:
            out[n] = 8 * square + d
            n += 1
    return n


@rule
def legal(s, out):
    if s.jumper != NOWHERE:
        return jumps_from(s, np.int64(s.jumper), out, 0)
    pieces = s.men[s.mover] | s.kings[s.mover]
    n = 0
    for square in range(SQUARES):
        if (pieces >> square) & 1:
            n = jumps_from(s, square, out, n)
    if n == 0:
        for square in range(SQUARES):
            if (pieces >> square) & 1:
                n = steps_from(s, square, out, n)
    return n


@rule
def play(s, action, rng):
    me, square, d = np.int64(s.mover), action // 8, action % 4
    jumps = action & JUMP != 0
    to = BEHIND[square, d] if jumps else BESIDE[square, d]
    move = (1 << square) | (1 << to)
    man = (s.men[me] >> square) & 1 != 0
    crowned = False
    if man:
        s.men[me] ^= move
        crowned = s.men[me] & LAST_ROW[me] != 0
        if crowned:
            s.men[me] ^= 1 << to
            s.kings[me] |= 1 << to
    else:
        s.kings[me] ^= move
    if jumps:
        s.men[1 - me] &= ~(1 << BESIDE[square, d])
        s.kings[1 - me] &= ~(1 << BESIDE[square, d])
    s.quiet_moves = 0 if man or jumps else s.quiet_moves + 1
    room = np.empty(4, np.int64)
    if jumps and not crowned and jumps_from(s, to, room, 0) > 0:
        s.jumper = to
        return
    s.jumper = NOWHERE
    s.mover = 1 - me
    if not can_move(s):
        s.winner = me


@rule
def can_move(s):
    """Whether the mover has a piece that can step or jump."""
    room = np.empty(4, np.int64)
    pieces = s.men[s.mover] | s.kings[s.mover]
    for square in range(SQUARES):
        if (pieces >> square) & 1 and (steps_from(s, square, room, 0) > 0 or jumps_from(s, square, room, 0) > 0):
            return True
    return False


@rule
def payoff(s, out):
    out[0] = 0.0
    out[1] = 0.0
    if s.winner != NOBODY:
        out[s.winner] = 1.0
        out[1 - s.winner] = -1.0


@rule
def features(s, out):
    for i in range(len(out)):
        out[i] = 0.0
    for seat in range(2):
        sign = 1.0 if seat == 0 else -1.0
        men, kings = s.men[seat], s.kings[seat]
        out[0] += sign * count_bits(men)
        out[1] += sign * count_bits(kings)
        for row in range(1, 7):
            far = row if seat == 0 else 7 - row
            out[2] += sign * far * count_bits(men & (15 << (4 * row)))
        out[3] += sign * count_bits(men & BACK_ROW[seat])
        out[4] += sign * count_bits((men | kings) & CENTRE)
        out[5] += sign * count_bits(kings & CENTRE)


@rule
def quiet(s):
    """The mover has nothing to jump over."""
    room = np.empty(4, np.int64)
    pieces = s.men[s.mover] | s.kings[s.mover]
    for square in range(SQUARES):
        if (pieces >> square) & 1 and jumps_from(s, square, room, 0) > 0:
            return False
    return True


@rule
def endgame(s, codes):
    """The code of a position in the table of endgames. It is settled unless the win might come too late: the table
    knows nothing of moves without a jump or a man's move."""
    place = place_in_table(s) if s.jumper == NOWHERE else NOWHERE
    if place == NOWHERE or place >= len(codes):
        return UNKNOWN, False
    code = np.int64(codes[place])
    return code, code == DRAW or code - 1 + s.quiet_moves <= QUIET_MOVES


@rule
def measure(s, out):
    for seat in range(2):
        out[seat] = count_bits(s.men[seat] | s.kings[seat])


# ---- for people


def action_name(s: np.record, action: int) -> str:
    return f"{action // 8 + 1}{'x' if action & JUMP else '-'}{target(action) + 1}"


def target(action: int) -> int:
    """The square where a piece comes to."""
    table = BEHIND if action & JUMP else BESIDE
    return int(table[action // 8, action % 4])


def sign(v: np.record, square: int) -> str:
    """b and w for men, B and W for kings."""
    for seat in range(2):
        if int(v.men[seat]) >> square & 1:
            return "bw"[seat]
        if int(v.kings[seat]) >> square & 1:
            return "BW"[seat]
    return "."


def set_up(s: np.record, text: str) -> None:
    """As draughts players write it: W:W18,K5:B2,K30 is White to move, his pieces, and Black's; K is a king."""
    mover, *sides = "".join(text.upper().split()).rstrip(".").split(":")
    if mover not in ("B", "W") or sorted(side[:1] for side in sides) != ["B", "W"]:
        raise UserError(
            "a position is written W:W18,K5:B2,K30: who moves, and the squares of both sides; K is a king"
        )
    taken = 0
    for side in sides:
        seat = "BW".index(side[0])
        for piece in filter(None, side[1:].split(",")):
            number = piece.removeprefix("K")
            if not number.isdecimal() or not 1 <= int(number) <= SQUARES:
                raise UserError("there is no square {piece}: they are 1 to {most}", piece=piece, most=SQUARES)
            bit = 1 << (int(number) - 1)
            if taken & bit:
                raise UserError("there are two pieces on {square}", square=number)
            if piece == number and bit & LAST_ROW[seat]:
                raise UserError(
                    "a man of {colour} on {square} would be a king: K{square}", colour=COLOURS[seat], square=number
                )
            taken |= bit
            (s.men if piece == number else s.kings)[seat] |= bit
    if not all(s.men[seat] | s.kings[seat] for seat in range(2)):
        raise UserError("both sides have pieces in a position")
    s.mover = "BW".index(mover)
    s.jumper = NOWHERE
    s.winner = NOBODY if can_move(s) else 1 - s.mover


def written(s: np.record) -> str:
    """The position as draughts players write it: who moves, then the squares of White and of Black; K is a king."""
    sides = [
        colour
        + ",".join(
            ("K" if int(s.kings[seat]) >> square & 1 else "") + str(square + 1)
            for square in range(SQUARES)
            if int(s.men[seat] | s.kings[seat]) >> square & 1
        )
        for seat, colour in ((1, "W"), (0, "B"))
    ]
    return ":".join(["BW"[s.mover], *sides])


def show(view: np.record, seat: int) -> str:
    """The board with the numbers of its squares."""
    rows = []
    for row in range(8):
        cells = ["   "] * 8
        for square in range(4 * row, 4 * row + 4):
            cells[place(square)[1]] = f"  {sign(view, square)}"
        squares = Text("{first:2} to {last:2}", first=4 * row + 1, last=4 * row + 4)
        rows.append(Text("{cells}    {squares}", cells="".join(cells), squares=squares))
    return Text.joined("\n", [*rows, Text("b, w: men; B, W: kings")])


def picture(view: np.record, seat: int) -> Picture:
    cells = [board_cell("", words=Text("light square")) for _ in range(64)]
    counts = [0, 0]
    for square in range(SQUARES):
        found = sign(view, square)
        owner = None if found == "." else "bw".index(found.lower())
        piece = Text("empty") if owner is None else PIECES[owner][found.isupper()]
        mark = "" if owner is None else "king" if found.isupper() else "stone"
        row, column = place(square)
        cells[8 * row + column] = board_cell(
            str(square + 1), mark, owner, Text("{square}, {piece}", square=square + 1, piece=piece)
        )
        if owner is not None:
            counts[owner] += 1
    return {
        "board": board(cells, 8, look="chequered"),
        "pieces": amounts(Text("pieces"), dict(zip(COLOURS, counts)), {COLOURS[seat]: seat for seat in range(2)}),
    }


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    return Text("jump") if action & JUMP else Text("move"), [str(action // 8 + 1), str(target(action) + 1)]


def outcome(s: np.record) -> str:
    if s.winner == NOBODY:
        return Text("{n} moves without a jump or a man's move: a draw", n=QUIET_MOVES)
    loser = 1 - s.winner
    left = int(s.men[loser] | s.kings[loser]).bit_count()
    return Text("{who} has no pieces left" if left == 0 else "{who} has no move left", who=Seat(loser))


def refusal(s: np.record, action: int) -> str:
    square, to = action // 8, target(action)
    mine, theirs = (int(s.men[seat] | s.kings[seat]) for seat in (s.mover, 1 - s.mover))
    if to == NOWHERE:
        return Text("there is no such square")
    if not mine >> square & 1:
        return Text("you have no piece on {square}", square=square + 1)
    if s.jumper not in (NOWHERE, square):
        return Text("the piece on {square} has to go on jumping", square=s.jumper + 1)
    if (mine | theirs) >> to & 1:
        return Text("there is a piece on {square}", square=to + 1)
    if not int(s.kings[s.mover]) >> square & 1 and action % 4 // 2 != s.mover:
        return Text("men move forwards only")
    if action & JUMP:
        return "" if theirs >> int(BESIDE[square, action % 4]) & 1 else Text("there is nothing to jump over")
    return "" if quiet(s) else Text("who can jump must jump")


GAME = define(
    "checkers",
    title=Text("Checkers"),
    about=__doc__,
    state=STATE,
    rules=(deal, turn, legal, play, payoff, features, quiet, endgame, measure),
    people=(action_name, set_up, written, show, picture, verb_and_objects, outcome, refusal),
    most_actions=48,
    all_actions=8 * SQUARES,
    longest=16000,
    metrics=(Text("black pieces"), Text("white pieces")),
    extras=(
        FEATURES,
        SearchDefaults(depth=6),
        EndgameTables("hiddenhand.games.checkers.retrograde:Endgames"),
        Opponents(
            (
                Opponent(Text("Beginner"), "random", Text("any move that the rules allow")),
                Opponent(
                    Text("Careful"), "alphabeta:depth=3", Text("sees its own move, your answer and its own next one")
                ),
                Opponent(
                    Text("Cunning"),
                    "alphabeta:depth=7",
                    Text("looks seven moves ahead, and further where there are jumps"),
                ),
                Opponent(Text("Strong"), "alphabeta:time=0.5", Text("looks as far ahead as it can in half a second")),
            )
        ),
    ),
)
