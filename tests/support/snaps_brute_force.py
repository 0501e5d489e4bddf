"""Snaps with open cards by brute force: minimax over every legal action, played by the rules themselves.

There is no pruning of any kind. For whole deals, positions between two tricks that come up again are looked up, with
everything in the key on which the rest of the deal can depend.
"""

import numpy as np

from hiddenhand.games.snaps.cards import SEATS
from hiddenhand.games.snaps.rules import legal, play, stake
from hiddenhand.games.snaps.solver import POINTS, WIN
from hiddenhand.games.snaps.state import DOST, FINISHED, MARRIAGE, MARRIAGE_AND_CLAIM, STATE, TRICKS, side, total_with
from hiddenhand.kernel import assign, copy, new_records, rule, stream

LEVELS = 40
MOST_ACTIONS = 40
UNSEEN = -1


@rule
def result(s, objective):
    """What an ended deal is worth to the chooser's side, kontra left out."""
    if objective == POINTS:
        return total_with(s, 0, s.holder, 0) - total_with(s, 1, s.holder, 0)
    amount = stake(s)
    if s.doubled_by >= 0:
        amount //= 2
    if s.redoubled_by >= 0:
        amount //= 2
    return amount if s.winner == 0 else -amount


@rule
def play_for(s, action, objective, rng):
    """Play an action. Where points count, nothing is ever claimed and the deal goes on to its last trick."""
    if objective == POINTS:
        s.auto_claim = 0
        if action >= MARRIAGE_AND_CLAIM:
            action -= MARRIAGE_AND_CLAIM - MARRIAGE
    play(s, action, rng)


@rule
def legal_for(s, objective, out):
    n = legal(s, out)
    if objective == WIN:
        return n
    kept = 0
    for i in range(n):
        if out[i] < MARRIAGE_AND_CLAIM:
            out[kept] = out[i]
            kept += 1
    return kept


@rule
def find(s, keys):
    """The row of a position between two tricks in `keys` (int64[rows, 2]), or the empty row where it belongs."""
    cards = np.int64(0)
    small = np.int64(s.mover)
    second = np.int64(0)
    for seat in range(SEATS):
        cards |= s.hands[seat]  # of the same deal: so it says who holds each
        small = small << 1 | (1 if s.tricks[seat] > 0 else 0)
        second = second << 7 | s.points[seat]
        second = second << 7 | s.bonus[seat]
    first = cards << 32 | small
    row = (first ^ first >> 29 ^ second ^ second >> 31) * 7 & (len(keys) - 1)
    for _ in range(len(keys)):
        if keys[row, 0] == 0 or (keys[row, 0] == first and keys[row, 1] == second):
            break
        row = (row + 1) & (len(keys) - 1)
    else:
        raise MemoryError("the table is too small for this deal")
    keys[row, 0] = first
    keys[row, 1] = second
    return row


@rule
def search(s, objective, states, actions, numbers, keys, found, rng):
    """The value for the chooser's side.

    states STATE[LEVELS], actions int64[LEVELS, MOST_ACTIONS], numbers int64[4, LEVELS]: one level for each action.
    keys int64[rows, 2] (rows a power of two; 1 for no table), found int64[rows], 0 where nothing is known.
    """
    counts, tried, values, rows = numbers[0], numbers[1], numbers[2], numbers[3]
    copy(states[0], s)
    level = 0
    counts[0] = UNSEEN
    while True:
        state = states[level]
        if counts[level] == UNSEEN:
            tried[level] = 0
            rows[level] = UNSEEN
            if len(keys) > 1 and state.phase == TRICKS and state.plays & 3 == 0:
                rows[level] = find(state, keys)
            if state.phase == FINISHED:
                counts[level] = 0
                values[level] = result(state, objective)
            elif rows[level] != UNSEEN and found[rows[level]] != 0:
                counts[level] = 0
                values[level] = found[rows[level]] - 1000
            else:
                counts[level] = legal_for(state, objective, actions[level])
                values[level] = -999 if side(state, state.mover) == 0 else 999
        if tried[level] < counts[level]:
            copy(states[level + 1], state)
            play_for(states[level + 1], actions[level, tried[level]], objective, rng)
            tried[level] += 1
            level += 1
            counts[level] = UNSEEN
            continue
        value = values[level]
        if rows[level] != UNSEEN:
            found[rows[level]] = value + 1000
        if level == 0:
            return value
        level -= 1
        if side(states[level], states[level].mover) == 0:
            values[level] = max(values[level], value)
        else:
            values[level] = min(values[level], value)


class BruteForce:
    """The search with its arrays; `rows` (a power of two) is the size of the table, 1 for none."""

    def __init__(self, rows=1):
        self.states = new_records(STATE, LEVELS)
        self.after = new_records(STATE, 1)[0]
        self.actions = np.zeros((LEVELS, MOST_ACTIONS), np.int64)
        self.numbers = np.zeros((4, LEVELS), np.int64)
        self.keys = np.zeros((rows, 2), np.int64)
        self.found = np.zeros(rows, np.int64)

    def value(self, s, objective):
        """For the chooser's side, from a state in which a card is to be played."""
        arrays = (self.states, self.actions, self.numbers, self.keys, self.found)
        return search(s, objective, *arrays, stream(0))

    def value_of_move(self, s, action, objective):
        """For the side of the mover."""
        if objective == POINTS and action == DOST:
            value = self.value(s, objective)
        else:
            assign(self.after, s)
            play_for(self.after, action, objective, stream(0))
            value = self.value(self.after, objective)
        return value if side(s, s.mover) == 0 else -value

    def forget(self):
        self.keys[:] = 0
        self.found[:] = 0
