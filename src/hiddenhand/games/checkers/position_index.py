"""The endgames of checkers as places in one long table.

A position is looked at by the mover, as Black: if White is to move, the board is turned round and the colours change.
A slice holds all positions with as many men and kings of the mover, and of the other, as its four counts say. Within
it a position has the number of its men among all ways to put so many on 28 squares (men never stand on the row where
they are crowned), for both sides, and of its kings among all ways to put so many on the squares left free. Some
numbers stand for nothing, since men of both sides would be on the same square.

Slices with fewer pieces come first, and among equals those with fewer men. So the table of up to n pieces is the
beginning of that of up to n + 1, and whatever a jump or a crowning leads to lies before.
"""

from itertools import product
from math import comb
from typing import NamedTuple

import numpy as np

from hiddenhand.kernel import count_bits, lowest_bit, rule

SQUARES, MEN_SQUARES = 32, 28
MOST_PIECES = 6
NOWHERE = -1
ALL = 0xFFFFFFFF


class Slice(NamedTuple):
    """How many men and kings the mover and the other have."""

    men: int
    kings: int
    other_men: int
    other_kings: int

    @property
    def pieces(self) -> int:
        return sum(self)

    @property
    def all_men(self) -> int:
        return self.men + self.other_men

    @property
    def size(self) -> int:
        """How many places it takes."""
        free = SQUARES - self.all_men
        men = comb(MEN_SQUARES, self.men) * comb(MEN_SQUARES, self.other_men)
        return men * comb(free, self.kings) * comb(free - self.kings, self.other_kings)

    @property
    def turned(self) -> "Slice":
        """The same pieces, the other to move."""
        return Slice(self.other_men, self.other_kings, self.men, self.kings)


def slices(pieces: int) -> list[Slice]:
    """All slices with at most this many pieces, in the order of the table; both sides have at least one piece."""
    counts = [Slice(*each) for each in product(range(pieces + 1), repeat=4)]
    real = [
        each
        for each in counts
        if each.pieces <= pieces and each.men + each.kings and each.other_men + each.other_kings
    ]
    return sorted(real, key=lambda each: (each.pieces, each.all_men, each))


def table_size(pieces: int) -> int:
    """How many places the table has that holds all positions with at most this many pieces."""
    return sum(each.size for each in slices(pieces))


def slice_starts() -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Where each slice begins, by its four counts; NOWHERE where there is none."""
    starts = np.full((MOST_PIECES + 1,) * 4, NOWHERE, np.int64)
    start = 0
    for each in slices(MOST_PIECES):
        starts[each] = start
        start += each.size
    return starts


STARTS = slice_starts()
WAYS = np.array([[comb(n, k) for k in range(MOST_PIECES + 1)] for n in range(SQUARES + 1)])


@rule
def turned_round(squares):
    """The set of squares as seen from the other side: square q becomes 31 - q."""
    found = ((squares >> 1) & 0x55555555) | ((squares & 0x55555555) << 1)
    found = ((found >> 2) & 0x33333333) | ((found & 0x33333333) << 2)
    found = ((found >> 4) & 0x0F0F0F0F) | ((found & 0x0F0F0F0F) << 4)
    found = ((found >> 8) & 0x00FF00FF) | ((found & 0x00FF00FF) << 8)
    return ((found >> 16) | (found << 16)) & ALL


@rule
def number_of(squares, taken):
    """The number of a set of squares among all sets as large of squares that are not taken."""
    number, nth = 0, 0
    while squares != 0:
        square = lowest_bit(squares)
        nth += 1
        number += WAYS[square - count_bits(taken & ((1 << square) - 1)), nth]
        squares &= squares - 1
    return number


@rule
def squares_of(number, count, taken):
    """The set of `count` squares that has this number."""
    squares = 0
    highest = SQUARES - 1
    while count > 0:
        while WAYS[highest, count] > number:
            highest -= 1
        number -= WAYS[highest, count]
        count -= 1
        squares |= 1 << nth_free(highest, taken)
    return squares


@rule
def nth_free(n, taken):
    """The square before which n squares are free, itself free."""
    while taken != 0:
        square = lowest_bit(taken)
        if square > n:
            break
        n += 1
        taken &= taken - 1
    return n


@rule
def place_of(men, kings, other_men, other_kings):
    """The place of a position as the mover sees it, as Black; NOWHERE if it has too many pieces, or a side none."""
    m, k, o, q = count_bits(men), count_bits(kings), count_bits(other_men), count_bits(other_kings)
    if m + k + o + q > MOST_PIECES or STARTS[m, k, o, q] == NOWHERE:
        return NOWHERE
    standing = men | other_men
    free = SQUARES - m - o
    number = number_of(men, 0) * WAYS[MEN_SQUARES, o] + number_of(other_men >> 4, 0)
    number = number * WAYS[free, k] + number_of(kings, standing)
    number = number * WAYS[free - k, q] + number_of(other_kings, standing | kings)
    return STARTS[m, k, o, q] + number


@rule
def position_at(number, counts):
    """The position with this number in the slice with these counts: men, kings, the other's men, the other's kings.

    Men of both may be on the same square: there is then no such position.
    """
    m, k, o, q = counts
    free = SQUARES - m - o
    number, last = number // WAYS[free - k, q], number % WAYS[free - k, q]
    number, third = number // WAYS[free, k], number % WAYS[free, k]
    men = squares_of(number // WAYS[MEN_SQUARES, o], m, 0)
    other_men = squares_of(number % WAYS[MEN_SQUARES, o], o, 0) << 4
    if men & other_men != 0:
        return men, 0, other_men, 0
    kings = squares_of(third, k, men | other_men)
    return men, kings, other_men, squares_of(last, q, men | other_men | kings)


@rule
def place_in_table(s):
    """The place of a state between two moves."""
    if s.mover == 0:
        return place_of(s.men[0], s.kings[0], s.men[1], s.kings[1])
    return place_of(
        turned_round(s.men[1]), turned_round(s.kings[1]), turned_round(s.men[0]), turned_round(s.kings[0])
    )
