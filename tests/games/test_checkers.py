"""Checkers against published counts, and its special cases one by one."""

import pytest

from hiddenhand.core.errors import IllegalAction
from hiddenhand.core.resolver import game
from hiddenhand.search import perft

PATHS = [7, 49, 302, 1469, 7361, 36768, 179740, 845931]


def squares(*numbers):
    return sum(1 << (number - 1) for number in numbers)


def position(mover, men=((), ()), kings=((), ())):
    """A table with these pieces."""
    table = game("checkers").deal()
    for seat in range(2):
        table.state.men[seat], table.state.kings[seat] = squares(*men[seat]), squares(*kings[seat])
    table.state.mover = mover
    return table


def moves(table):
    return {table.action_name(action) for action in table.legal_actions()}


def test_published_counts():
    assert [perft(game("checkers"), depth) for depth in range(1, 9)] == PATHS


def test_a_move_of_two_jumps_is_one_move():
    table = position(0, men=((1, 12), (6, 14, 32)))
    assert moves(table) == {"1x10"}
    assert perft(game("checkers"), 1, table.state) == 1
    table.play("1x10")
    assert table.turn == 0
    assert moves(table) == {"10x17"}
    with pytest.raises(IllegalAction, match="12-16 is not legal: the piece on 10 has to go on jumping"):
        table.play("12-16")
    table.play("10x17")
    assert table.turn == 1
    assert [int(mask) for mask in table.state.men] == [squares(12, 17), squares(32)]


def test_a_man_that_is_crowned_jumps_no_further():
    table = position(0, men=((22,), (26, 27)))
    table.play("22x31")
    assert int(table.state.kings[0]) == squares(31)
    assert table.turn == 1  # though a king on 31 could jump over 27


@pytest.mark.parametrize(
    ("kings", "expected"), [((), {"15-18", "15-19"}), ((15,), {"15-10", "15-11", "15-18", "15-19"})]
)
def test_men_go_forwards_and_kings_anywhere(kings, expected):
    men = () if kings else (15,)
    assert moves(position(0, men=(men, (32,)), kings=(kings, ()))) == expected


def test_a_king_may_jump_round_to_where_it_began():
    table = position(1, men=((7, 8, 15, 16), ()), kings=((), (3,)))
    for move in ("3x10", "10x19", "19x12", "12x3"):
        table.play(move)
    assert table.over
    assert table.payoffs() == [-1.0, 1.0]


def test_who_cannot_move_has_lost():
    table = position(0, men=((1, 12), (5,)))
    table.play("12-16")
    assert table.over
    assert table.payoffs() == [1.0, -1.0]


def test_eighty_quiet_moves_are_a_draw():
    table = position(0, kings=((1,), (32,)))
    for _ in range(20):
        for move in ("1-5", "32-28", "5-1", "28-32"):
            assert not table.over
            table.play(move)
    assert table.over
    assert table.payoffs() == [0.0, 0.0]


def test_a_man_s_move_begins_the_count_anew():
    table = position(0, men=((4,), ()), kings=((1,), (32,)))
    for move in ("1-5", "32-28", "4-8"):
        table.play(move)
    assert table.state.quiet_moves == 0
