"""Endgames of checkers: against published counts, against a solver of another kind, and in the hands of a search."""

from itertools import combinations

import numpy as np
import pytest

from hiddenhand.core.endgames import NOTHING, read_endgames
from hiddenhand.core.errors import UserError
from hiddenhand.core.resolver import agent, game
from hiddenhand.core.table import Table
from hiddenhand.games.checkers.position_index import STARTS, Slice, place_of, position_at, slices
from hiddenhand.games.checkers.retrograde import Endgames, set_position
from hiddenhand.kernel import below, stream
from hiddenhand.lab.endgames import EndgamesWork, endgames
from hiddenhand.lab.executors import ThisProcess

# All positions with so many pieces, those where one side has none included: OEIS A055213 (J. Schaeffer).
PUBLISHED = {2: 6972, 3: 261224}
ONE_SIDED = {2: 2 * 1742, 3: 2 * 32596}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """The file of up to three pieces, and what the command says of it."""
    path = tmp_path_factory.mktemp("endgames") / "three.npz"
    return path, endgames(game("checkers"), 3, 200, output=path)


def test_published_counts(table):
    _, made = table
    for row in made.counts:
        assert row["positions"] == PUBLISHED[row["pieces"]] - ONE_SIDED[row["pieces"]]
        assert row["wins"] + row["draws"] + row["losses"] == row["positions"]


def test_one_king_each_as_published(table):
    """230 wins, 654 draws and 108 losses of whoever moves, the longest win 11 moves (E. Trice's database)."""
    codes = part(table, Slice(0, 1, 0, 1))
    wins, draws = (codes % 2 == 0) & (codes > 0), codes == 0
    assert (wins.sum(), draws.sum(), len(codes) - wins.sum() - draws.sum()) == (230, 654, 108)
    assert codes.max() - 1 == 11


def part(table, kind):
    codes = read_endgames(table[0], game("checkers"))[int(STARTS[kind]) :][: kind.size]
    return codes[codes != NOTHING].astype(int)


# ---- a solver of another kind: forwards only, over and over, with moves of its own

Position = tuple[frozenset, frozenset]
"""The pieces of the mover and of the other, each (row, column, whether it is a king); the mover goes down."""


def all_positions(pieces):
    places = [(row, column) for row in range(8) for column in range(8) if (row + column) % 2 == 1]
    kinds = [(row, column, king) for row, column in places for king in (False, True)]
    for mine in [each for each in kinds if each[2] or each[0] != 7]:
        for theirs in [each for each in kinds if each[2] or each[0] != 0]:
            if mine[:2] != theirs[:2]:
                yield frozenset([mine]), frozenset([theirs])


def replies(position):
    """All positions after a move, as the other sees them."""
    mine, theirs = position
    jumped = [end for piece in mine for end in jumps(piece, mine - {piece}, theirs, False)]
    ends = jumped or [
        (mine - {piece} | {moved(row, column, king)}, theirs)
        for piece in mine
        for row, column, king in steps(piece)
        if not {(row, column)} & {each[:2] for each in mine | theirs}
    ]
    return [(turn(theirs), turn(mine)) for mine, theirs in ends]


def steps(piece):
    row, column, king = piece
    ways = [(row + down, column + right, king) for down in ((1, -1) if king else (1,)) for right in (-1, 1)]
    return [way for way in ways if 0 <= way[0] < 8 and 0 <= way[1] < 8]


def jumps(piece, mine, theirs, begun):
    """Where a piece ends after all its jumps; nothing if it has none."""
    found = []
    for row, column, king in steps(piece):
        over = [each for each in theirs if each[:2] == (row, column)]
        row, column = 2 * row - piece[0], 2 * column - piece[1]
        taken = {each[:2] for each in mine | theirs}
        if over and 0 <= row < 8 and 0 <= column < 8 and (row, column) not in taken:
            landed = moved(row, column, king)
            left = theirs - {over[0]}
            crowned = landed[2] and not king
            found += [] if crowned else jumps(landed, mine, left, True)
            if crowned or not jumps(landed, mine, left, True):
                found.append((mine | {landed}, left))
    return found


def moved(row, column, king):
    return row, column, king or row == 7


def turn(pieces):
    return frozenset((7 - row, 7 - column, king) for row, column, king in pieces)


def solved():
    """In how many moves each position of two pieces is won or lost; draws are left out."""
    after = {each: replies(each) for each in all_positions(2)}
    known = {}
    for length in range(100):
        news = {}
        for position, found in after.items():
            if position in known:
                continue
            lengths = [known.get(each, -1) if each[0] else 0 for each in found]
            lost = [each for each in lengths if each >= 0 and each % 2 == 0]
            if (lost and min(lost) == length - 1) or (
                length % 2 == 0 and all(each > 0 and each % 2 == 1 for each in lengths)
            ):
                news[position] = length
        known |= news
    return known


def test_two_pieces_as_solved_forwards(table):
    known, codes = solved(), read_endgames(table[0], game("checkers"))
    for position in all_positions(2):
        mine, theirs = ((bits(side, False), bits(side, True)) for side in position)
        assert codes[place_of(*mine, *theirs)] == known.get(position, -1) + 1, position


def bits(pieces, kings):
    return sum(1 << (4 * row + column // 2) for row, column, king in pieces if king == kings)


# ---- places, work and search


def test_every_number_is_a_position_and_back():
    rng = stream(1)
    for kind in slices(6):
        for _ in range(20):
            number = int(below(rng, kind.size))
            position = position_at(number, tuple(kind))
            assert [bin(squares).count("1") for squares in position] == list(kind) or position[0] & position[2]
            if not position[0] & position[2]:
                assert place_of(*position) == STARTS[kind] + number
                assert not any(one & other for one, other in combinations(position, 2))


def test_what_was_kept_is_not_solved_again(table):
    work = EndgamesWork(game("checkers"), Endgames(game("checkers"), 3), table[0], ThisProcess())
    for _ in range(4):
        work.add(work.step())
    again = EndgamesWork(game("checkers"), Endgames(game("checkers"), 3), table[0], ThisProcess())
    again.restore(work.snapshot())
    assert (again.done, work.snapshot()) == (work.done, {})
    while not again.over:
        again.add(again.step())
    assert np.array_equal(again.maker.codes, read_endgames(table[0], game("checkers")))


def test_a_search_with_the_table_wins_as_quickly_as_can_be(table):
    path, made = table
    checkers = game("checkers")
    assert (made.position, len(made.line)) == ("B:WK10:B2,3", 61)
    player = agent(checkers, f"alphabeta:depth=1,endgames={path}")
    at = Table(checkers)
    set_position(at.state, (0b110, 0, 0, 1 << 9))
    told = at.ask(player, explain=True)
    assert told.value == pytest.approx(1.0)
    assert "The table of endgames knows this position: a win in 61 moves." in told.reasons
    for _ in range(61):
        at.play(at.ask(player).action)
    assert at.payoffs() == [1.0, -1.0]


def test_a_win_that_may_come_too_late_is_not_called_won(table):
    checkers = game("checkers")
    player = agent(checkers, f"alphabeta:depth=1,endgames={table[0]}")
    at = Table(checkers)
    set_position(at.state, (0, 0b11, 0, 1 << 20))
    quick = at.ask(player, explain=True)
    at.state.quiet_moves = 79
    late = at.ask(player, explain=True)
    assert quick.value == pytest.approx(1.0)
    assert late.value < 0.95
    assert any("unless the game is drawn before" in reason for reason in late.reasons)


def test_what_is_refused(table, tmp_path):
    checkers = game("checkers")
    with pytest.raises(UserError, match="endgames of 5 pieces need 171 MB; --memory 171 allows it"):
        endgames(checkers, 5, 100, output=tmp_path / "x.npz")
    with pytest.raises(UserError, match="reversi has no tables of endgames"):
        endgames(game("reversi"), 3, 100, output=tmp_path / "x.npz")
    (tmp_path / "no.npz").write_text("nothing")
    with pytest.raises(UserError, match=r"it is no \.npz file"):
        agent(checkers, f"alphabeta:endgames={tmp_path / 'no.npz'}")
