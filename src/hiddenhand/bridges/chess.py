"""Chess positions for teaching: `chess`, its rules played by python-chess (GPL-3, an extra: hiddenhand[chess]).

Our searches, traces, explanations and reviews work on it as on any game. Its rules are not compiled, nor is what goes
through them: a search looks at some thousands of positions a second, enough for mates in two and for trees that fit a
blackboard, not for a strong opponent.

    hiddenhand explain chess --agent alphabeta:depth=3 --position "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"

An action is 64 * (where from) + (where to), squares counted from a1 to h8, plus 4096 times the piece that a pawn
becomes. White is seat 0. A state knows its position and not how it was reached: repetitions are not seen, and a
position is drawn by stalemate, by too few pieces, or after 75 moves of each without a capture or a pawn's move.
"""

from __future__ import annotations

import numpy as np

from hiddenhand.bridges import Numbers
from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import Opponent, Opponents, SearchDefaults
from hiddenhand.core.features import Feature, Features
from hiddenhand.core.game import Game, define
from hiddenhand.core.text import Text
from hiddenhand.kernel import OVER, record_type
from hiddenhand.kernel.rule import Uncompiled

try:
    import chess
except ImportError:
    raise UserError("chess needs python-chess: pip install 'hiddenhand[chess]'") from None

KINDS = ("pawns", "knights", "bishops", "rooks", "queens", "kings")
STATE = record_type(
    [
        ("pieces", "u8", (len(KINDS),)),  # the squares of each kind
        ("colours", "u8", (2,)),  # those of White and of Black
        ("castling", "u8"),
        ("passed", "i1"),  # the square that a pawn has just gone past, or -1
        ("black_moves", "i1"),
        ("quiet_moves", "i2"),  # plies without a capture or a pawn's move
        ("number", "i2"),  # of the move
    ]
)
FEATURES = Features(
    (
        Feature("pawns", 1.0, "a pawn"),
        Feature("knights", 3.25, "a knight"),
        Feature("bishops", 3.25, "a bishop"),
        Feature("rooks", 5.0, "a rook"),
        Feature("queens", 10.0, "a queen"),
        Feature("mobility", 0.05, Text("a move to choose from")),
    ),
    scale=10.0,
)
MOST_MOVES = 256
PROMOTION = 4096


def board_of(s: np.record) -> chess.Board:
    """The state as python-chess has it."""
    board = chess.Board(None)
    for kind, squares in zip(KINDS, s.pieces):
        setattr(board, kind, int(squares))
    white, black = (int(squares) for squares in s.colours)
    board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK], board.occupied = white, black, white | black
    board.castling_rights = int(s.castling)
    board.ep_square = int(s.passed) if s.passed >= 0 else None
    board.turn = not s.black_moves
    board.halfmove_clock, board.fullmove_number = int(s.quiet_moves), int(s.number)
    return board


def keep(s: np.record, board: chess.Board) -> None:
    """Make the state that of a board."""
    for i, kind in enumerate(KINDS):
        s.pieces[i] = getattr(board, kind)
    s.colours[0], s.colours[1] = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    s.castling = board.castling_rights
    s.passed = -1 if board.ep_square is None else board.ep_square
    s.black_moves = not board.turn
    s.quiet_moves, s.number = min(board.halfmove_clock, 9999), min(board.fullmove_number, 9999)


def number_of(move: chess.Move) -> int:
    return 64 * move.from_square + move.to_square + PROMOTION * (move.promotion or 0)


def move_of(action: int) -> chess.Move:
    squares = int(action) % PROMOTION
    return chess.Move(squares // 64, squares % 64, int(action) // PROMOTION or None)


# ---- rules


def deal(s: np.record, rng: Numbers) -> None:
    if s.colours[0] == 0:
        keep(s, chess.Board())


def turn(s: np.record) -> int:
    board = board_of(s)
    ended = board.is_insufficient_material() or board.is_seventyfive_moves() or not any(board.generate_legal_moves())
    return OVER if ended else int(s.black_moves)


def legal(s: np.record, out: Numbers) -> int:
    numbers = sorted(number_of(move) for move in board_of(s).generate_legal_moves())
    out[: len(numbers)] = numbers
    return len(numbers)


def play(s: np.record, action: int, rng: Numbers) -> None:
    board = board_of(s)
    board.push(move_of(action))
    keep(s, board)


def payoff(s: np.record, out: Numbers) -> None:
    out[:] = 0.0
    if board_of(s).is_checkmate():
        out[1 - s.black_moves] = 1.0
        out[s.black_moves] = -1.0


def features(s: np.record, out: Numbers) -> None:
    """Material, and how many moves each would have if it were to move."""
    white, black = int(s.colours[0]), int(s.colours[1])
    for i in range(5):
        squares = int(s.pieces[i])
        out[i] = (squares & white).bit_count() - (squares & black).bit_count()
    board = board_of(s)
    counts = []
    for colour in (chess.WHITE, chess.BLACK):
        board.turn = colour
        counts.append(board.pseudo_legal_moves.count())
    out[5] = counts[0] - counts[1]


def quiet(s: np.record) -> bool:
    """Whether neither king is in check."""
    return not board_of(s).is_check()


def order(s: np.record, actions: Numbers, n: int) -> None:
    """Captures of the largest first, promotions among them; then checks; then the others."""
    board = board_of(s)

    def promise(action: int) -> tuple[int, int]:
        move = move_of(action)
        taken = board.piece_type_at(move.to_square) or 0
        return taken + (move.promotion or 0), board.gives_check(move)

    actions[:n] = sorted(actions[:n].tolist(), key=promise, reverse=True)


# ---- for people


def action_name(s: np.record, action: int) -> str:
    return board_of(s).san(move_of(action))


def set_up(s: np.record, text: str) -> None:
    """A position as chess players write it (FEN)."""
    try:
        board = chess.Board(text.strip())
    except ValueError as error:
        raise UserError("this is no position in FEN: {error}", error=error) from None
    if not board.is_valid():
        faults = [str(flag.name).lower().replace("_", " ") for flag in chess.Status if flag and board.status() & flag]
        raise UserError("this position cannot come about: {faults}", faults=", ".join(faults))
    keep(s, board)


def written(s: np.record) -> str:
    return board_of(s).fen()


def show(view: np.record, seat: int) -> str:
    rows = str(board_of(view)).split("\n")
    return "\n".join([*(f"{8 - i} {row}" for i, row in enumerate(rows)), "  a b c d e f g h"])


def outcome(s: np.record) -> str:
    board = board_of(s)
    if board.is_checkmate():
        return Text("checkmate")
    if board.is_insufficient_material():
        return Text("neither has enough left to mate")
    return Text("75 moves without a capture or a pawn's move") if board.is_seventyfive_moves() else Text("stalemate")


def game_of(text: str) -> Game:
    """The game; what follows a colon, `chess:FEN`, is a position."""
    game = define(
        "chess",
        title="Chess",
        about=__doc__,
        state=STATE,
        rules=[Uncompiled(each) for each in (deal, turn, legal, play, payoff, features, quiet, order)],
        people=(action_name, set_up, written, show, outcome),
        most_actions=MOST_MOVES,
        longest=12000,
        extras=(
            FEATURES,
            SearchDefaults(depth=2),
            Opponents((Opponent("Careful", "alphabeta:depth=2", Text("sees its own move and your answer")),)),
        ),
    )
    return game.with_options({"position": text}) if text else game
