"""The endgames of checkers, made backwards from the end: retrograde analysis.

A slice (see `position_index`) holds the positions with the same pieces. It is solved together with the slice of the
same pieces in which the other side moves, because quiet moves lead from one to the other and back. The positions to
which a jump or a crowning leads are in slices that are solved already.

First every position is looked at once, forwards. A player who can jump must jump, so the value of such a position is
known at once. For every other position we note the number of quiet moves, and the best value that a crowning brings.
Then, backwards, one code after the other (see `core.endgames`): each position that has this code passes it on to all
positions from which a quiet move leads to it. A position is lost if each of its moves leads to a win of the other
side; a position that never receives a decisive code is a draw.

The rule that ends a game after 40 moves of each side without progress is not looked at here: see `endgame`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.endgames import DRAW, LOST, NOTHING, UNKNOWN, better_code, liking
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.view import legal_actions
from hiddenhand.games.checkers import BESIDE, LAST_ROW, NOBODY, STATE, jumps_from, play, written
from hiddenhand.games.checkers.position_index import (
    MOST_PIECES,
    NOWHERE,
    STARTS,
    Slice,
    place_in_table,
    place_of,
    position_at,
    slices,
    table_size,
    turned_round,
)
from hiddenhand.kernel import copy, lowest_bit, new_records, rule, stream

AT_ONCE = 1 << 19
"""Positions that are looked at before anybody is asked whether to go on."""
MUST_JUMP, CANNOT_LOSE = 255, 254  # instead of a number of quiet moves
JUMPS = 16  # more than a king can make


class RetrogradeWorkspace(NamedTuple):
    """What is needed while looking at a position: arrays with one entry per jump of a move."""

    states: Any  # records
    actions: Any  # int64[, 48]
    counts: Any  # int64: actions of each
    tried: Any  # int64
    rng: Any
    highest: Any  # int64[1]: the highest code that was written


class PositionRange(NamedTuple):
    """Some positions of a slice, one after the other: numbers `first` to before `last`."""

    counts: tuple[int, ...]  # of the slice
    start: int  # of the slice in the table
    first: int
    last: int


@rule
def set_position(s, position):
    """Make a state of a position as its mover sees it."""
    s.men[0], s.kings[0], s.men[1], s.kings[1] = position
    s.mover = 0
    s.jumper = NOWHERE
    s.quiet_moves = 0
    s.winner = NOBODY


@rule
def code_after(codes, s):
    """The code of a position for who moved into it."""
    place = place_in_table(s) if s.winner == NOBODY else NOWHERE
    return after(LOST if place == NOWHERE else np.int64(codes[place]))


@rule
def after(code):
    """What a code of the other is for me, who have to move there first."""
    return DRAW if code == DRAW else code + 1


@rule
def all_jumps(s, out):
    """Write the jumps of every piece of the mover, who has just begun; how many there are."""
    pieces, n = s.men[s.mover] | s.kings[s.mover], 0
    while pieces != 0:
        n = jumps_from(s, lowest_bit(pieces), out, n)
        pieces &= pieces - 1
    return n


@rule
def best_jump(codes, room):
    """The best code that jumping brings in room.states[0]; UNKNOWN if there is nothing to jump over."""
    best = UNKNOWN
    room.counts[0] = all_jumps(room.states[0], room.actions[0])
    room.tried[0] = 0
    d = 0
    while d >= 0:
        if room.tried[d] == room.counts[d]:
            d -= 1
            continue
        s, t = room.states[d], room.states[d + 1]
        action = room.actions[d, room.tried[d]]
        room.tried[d] += 1
        copy(t, s)
        play(t, action, room.rng)
        if t.jumper == NOWHERE:
            best = better_code(best, code_after(codes, t))
        else:
            d += 1
            room.counts[d] = jumps_from(t, np.int64(t.jumper), room.actions[d], 0)
            room.tried[d] = 0
    return best


@rule
def quiet_moves(codes, position):
    """How many steps there are that crown nobody, and the best code of those that do (or UNKNOWN)."""
    men, kings, other_men, other_kings = position
    taken = men | kings | other_men | other_kings
    count, best = 0, UNKNOWN
    pieces = men | kings
    while pieces != 0:
        square = lowest_bit(pieces)
        pieces &= pieces - 1
        king = (kings >> square) & 1
        for d in range(4 if king != 0 else 2):
            to = BESIDE[square, d]
            if to == NOWHERE or (taken >> to) & 1 != 0:
                continue
            if king != 0 or LAST_ROW[0] & (1 << to) == 0:
                count += 1
            else:
                place = place_of(
                    turned_round(other_men),
                    turned_round(other_kings),
                    turned_round(men ^ (1 << square)),
                    turned_round(kings | (1 << to)),
                )
                best = better_code(best, after(np.int64(codes[place])))
    return count, best


@rule
def look_forwards(codes, left, positions, room):
    """Look at each position of a range for the first time. Where the code is known already, it is written; otherwise
    the number of quiet moves that are still open is written into `left`."""
    for number in range(positions.first, positions.last):
        position = position_at(number, positions.counts)
        if position[0] & position[2] != 0:
            codes[positions.start + number] = NOTHING
            continue
        set_position(room.states[0], position)
        best = best_jump(codes, room)
        if best != UNKNOWN:
            left[number] = MUST_JUMP
        else:
            count, best = quiet_moves(codes, position)
            left[number] = CANNOT_LOSE if best == DRAW else count
            if best == UNKNOWN:
                best = LOST if count == 0 else DRAW
            elif best % 2 == 1 and count > 0:
                best = DRAW  # lost only if the quiet moves lose too
        codes[positions.start + number] = best
        room.highest[0] = max(room.highest[0], best)


@rule
def tell_backwards(codes, left, code, positions, back_start, room):
    """Let those positions of a range that have this code tell those from which a quiet move leads to them.

    `left` is that of the other slice, which begins at `back_start`.
    """
    for number in range(positions.first, positions.last):
        if codes[positions.start + number] != code:
            continue
        men, kings, other_men, other_kings = position_at(number, positions.counts)
        taken = men | kings | other_men | other_kings
        pieces = other_men | other_kings
        while pieces != 0:
            square = lowest_bit(pieces)
            pieces &= pieces - 1
            king = (other_kings >> square) & 1
            for d in range(4 if king != 0 else 2):  # the other's men came upwards, from below
                origin = BESIDE[square, d]
                if origin == NOWHERE or (taken >> origin) & 1 != 0:
                    continue
                moved = (1 << square) | (1 << origin)
                before_men = other_men if king != 0 else other_men ^ moved
                before_kings = other_kings ^ moved if king != 0 else other_kings
                position = (
                    turned_round(before_men),
                    turned_round(before_kings),
                    turned_round(men),
                    turned_round(kings),
                )
                hear(codes, left, code, position, back_start, room)


@rule
def hear(codes, left, code, position, start, room):
    """One of the quiet moves of this position leads to one with this code."""
    place = place_of(position[0], position[1], position[2], position[3])
    still = left[place - start]
    if still == MUST_JUMP:
        return
    known = np.int64(codes[place])
    if code % 2 == 1:
        if known == DRAW or known > code + 1:
            codes[place] = code + 1
            room.highest[0] = max(room.highest[0], code + 1)
    elif still != CANNOT_LOSE:
        left[place - start] = still - 1
        if still == 1 and known == DRAW:
            _, crowned = quiet_moves(codes, position)
            codes[place] = max(code + 1, crowned)
            room.highest[0] = max(room.highest[0], np.int64(codes[place]))


class Endgames:
    """The table of all positions with at most this many pieces, while it is made slice by slice."""

    fewest, most = 2, MOST_PIECES

    def __init__(self, game: Game, pieces: int) -> None:
        if not self.fewest <= pieces <= self.most:
            raise UserError(
                "{name} has endgames of {fewest} to {most} pieces, not of {pieces}",
                name=game.name,
                fewest=self.fewest,
                most=self.most,
                pieces=pieces,
            )
        self.game = game
        self.pieces = pieces
        self.codes = np.zeros(0, np.uint8)
        order = slices(pieces)
        self.pairs = [(each, each.turned) for each in order if each.turned >= each]
        """The pieces of work, in their order: slices that are solved together."""
        self.room = RetrogradeWorkspace(
            new_records(STATE, JUMPS),
            np.zeros((JUMPS, 48), np.int64),
            np.zeros(JUMPS, np.int64),
            np.zeros(JUMPS, np.int64),
            stream(0),
            np.zeros(1, np.int64),
        )

    @property
    def size(self) -> int:
        """Bytes of the table."""
        return table_size(self.pieces)

    @property
    def need(self) -> int:
        """Bytes at most while it is made: the table, and the counts of the largest pair."""
        return self.size + 2 * max(each.size for each, _ in self.pairs)

    def begin(self) -> None:
        if not len(self.codes):
            self.codes = np.zeros(self.size, np.uint8)

    def places(self, pair: int) -> list[slice]:
        """Where a pair lies in the table."""
        return [slice(start, start + each.size) for each in set(self.pairs[pair]) for start in [int(STARTS[each])]]

    def solve(self, pair: int) -> None:
        """Find the codes of a pair; those before it are known. An interruption in the middle leaves no trace that
        matters: the pair is begun anew."""
        self.begin()
        mine, theirs = self.pairs[pair]
        kinds = [mine] if mine == theirs else [mine, theirs]
        left = {each: np.zeros(each.size, np.uint8) for each in kinds}
        self.room.highest[0] = 0
        for each in kinds:
            for positions in position_ranges(each):
                look_forwards(self.codes, left[each], positions, self.room)
        code = LOST
        while code <= self.room.highest[0]:
            if code >= NOTHING - 1:
                raise UserError("a win in these endgames is longer than a byte can say")
            for each in kinds:
                for positions in position_ranges(each):
                    back = int(STARTS[each.turned])
                    tell_backwards(self.codes, left[each.turned], code, positions, back, self.room)
            code += 1

    def independent(self, pair: int) -> list[int]:
        """This pair and those after it that need no more than what lies before it."""
        first = self.pairs[pair][0]
        alike = [each.pieces == first.pieces and each.all_men == first.all_men for each, _ in self.pairs[pair:]]
        return [pair + i for i in range(len(alike)) if all(alike[: i + 1])]

    def needed(self, pair: int) -> list[slice]:
        """The places of the slices to which a jump or a crowning leads from a pair."""
        found = set()
        for men, kings, other_men, other_kings in self.pairs[pair]:
            changes = product(range(min(men, 1) + 1), range(other_men + 1), range(other_kings + 1))
            for crowned, lost_men, lost_kings in changes:
                left = Slice(other_men - lost_men, other_kings - lost_kings, men - crowned, kings + crowned)
                if crowned + lost_men + lost_kings and left.men + left.kings:
                    found.add(left)
        return [slice(int(STARTS[each]), int(STARTS[each]) + each.size) for each in sorted(found)]

    def counts(self) -> list[dict[str, int]]:
        """For each number of pieces: positions, wins, draws and losses of the mover, the longest win in moves."""
        rows = []
        for pieces in range(self.fewest, self.pieces + 1):
            found = np.zeros(NOTHING + 1, np.int64)
            for each in slices(pieces):
                if each.pieces == pieces:
                    start = int(STARTS[each])
                    found += np.bincount(self.codes[start : start + each.size], minlength=NOTHING + 1)
            real = found[:NOTHING]
            rows.append(
                {
                    "pieces": pieces,
                    "positions": int(real.sum()),
                    "wins": int(real[2::2].sum()),
                    "draws": int(real[DRAW]),
                    "losses": int(real[LOST::2].sum()),
                    "longest": max([code - 1 for code in range(2, NOTHING, 2) if real[code]], default=0),
                }
            )
        return rows

    def compile(self) -> None:
        """Get ready: the first pair is small, and is solved again."""
        Endgames(self.game, self.fewest).solve(0)

    def longest_win(self) -> tuple[str, list[str]]:
        """A position in which the mover needs the most moves to win, and the moves of both."""
        most, place = 0, 0
        for each in slices(self.pieces):
            part = self.codes[int(STARTS[each]) : int(STARTS[each]) + each.size]
            wins = np.where((part % 2 == 0) & (part != NOTHING), part, 0)
            at = int(wins.argmax())
            if wins[at] > most:
                most, kind, place = int(wins[at]), each, at
        state = new_records(STATE, 1)[0]
        set_position(state, position_at(place, tuple(kind)))
        return written(state), self.best_line(state)

    def best_line(self, state: np.record) -> list[str]:
        """How it goes on from a state until somebody has lost; changes the state."""
        names = []
        while state.winner == NOBODY:
            action = max(legal_actions(self.game, state), key=lambda each: self.liked(state, each))
            names.append(self.game.people.action_name(state, action))
            play(state, action, stream(0))
            state.quiet_moves = 0
        return names

    def liked(self, state: np.record, action: int) -> int:
        """How good an action is for the mover; a jump may be followed by others."""
        after_it = state.copy()
        play(after_it, action, stream(0))
        if after_it.jumper != NOWHERE:
            return max(self.liked(after_it, each) for each in legal_actions(self.game, after_it))
        return int(liking(code_after(self.codes, after_it)))


def position_ranges(kind: Slice) -> Iterator[PositionRange]:
    """A slice in parts of a size."""
    for first in range(0, kind.size, AT_ONCE):
        yield PositionRange(tuple(kind), int(STARTS[kind]), first, min(kind.size, first + AT_ONCE))
