"""What a position and its moves are worth with open cards.

WIN: what the deal is worth to the chooser's side before kontra and sumec multiply it: 1 or -1, with the option
`schwarz` up to 3, if nobody makes a mistake. A side claims as soon as it can, since more points of the others only
lower the stake; a false claim is never better than to play on. POINTS: the points of the chooser's side less those of
the others, bonuses that count included, if all tricks are played and nobody claims.

With `schwarz` the stake is found by more questions to the same search: do the losers stay below 33 (then 33 take the
place of 66 for them, and count at once), do they get no trick?
"""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS
from hiddenhand.games.snaps.solver.margin import exact_margin
from hiddenhand.games.snaps.solver.position import card_bit, load
from hiddenhand.games.snaps.solver.tricks import (
    GAIN,
    GAINER,
    LEVELS,
    NEED,
    NEED_1,
    STRICT,
    TAKEN,
    TAKER,
    advance,
    mover,
    side_of,
    take_back,
)
from hiddenhand.games.snaps.solver.winning import winning_side
from hiddenhand.games.snaps.state import DOST, ENOUGH, MARRIAGE, MARRIAGE_AND_CLAIM, SCHWARZ
from hiddenhand.kernel import rule

# typed, since Numba compiles a function again for each plain number that is passed to it
WIN, POINTS = np.int64(0), np.int64(1)
GUESS = np.int64(30)  # points: the first guess matters little
WHO_WINS, BELOW_33, NO_TRICK = np.int64(0), np.int64(1), np.int64(3)  # questions; + 1 where side 1 is to lose
NOBODY = np.int64(-1)


@rule
def solve(s, objective, memory):
    """The value of a state for the chooser's side. A card must have been named; kontra is taken as passed."""
    return value_at(s, memory, load(s, memory), objective, GUESS)


@rule
def solve_moves(s, actions, n, objective, memory, values):
    """Write the value of each of n legal actions for the mover's side, in a state where a card is to be played."""
    load(s, memory)
    move_values(s, actions, np.int64(n), objective, memory, values)


@rule
def move_values(s, actions, n, objective, memory, values):
    """`solve_moves` for the state that was loaded last."""
    p = np.int64(s.plays)
    sign = 1 - 2 * side_of(memory, mover(memory, p))
    value = GUESS
    for i in range(n):
        value = value_after(s, memory, p, actions[i], objective, value)
        values[i] = sign * value


@rule
def value_after(s, m, p, action, objective, guess):
    """The value of an action for the chooser's side. Where points alone count, a claim changes nothing."""
    place = mover(m, p)
    if action == DOST:
        return value_of_claim(s, m, p, place) if objective == WIN else value_at(s, m, p, objective, guess)
    advance(m, p, card_bit(s, action % CARDS), np.int64(action >= MARRIAGE))
    if objective == WIN and (action >= MARRIAGE_AND_CLAIM or ends_at_once(s, m, p)):
        value = value_of_claim(s, m, p + 1, place)
    else:
        value = value_at(s, m, p + 1, objective, guess)
    take_back(m, p)
    return value


@rule
def ends_at_once(s, m, p):
    """Whether a marriage announced at level p is claimed without a word."""
    return s.auto_claim != 0 and p & 3 == 0 and m[GAIN + p] != 0 and m[NEED + LEVELS * m[GAINER + p] + p + 1] <= 0


@rule
def value_of_claim(s, m, p, place):
    """True or false."""
    side = side_of(m, place)
    return value_of_end(s, m, p, side if m[NEED + LEVELS * side + p] <= 0 else 1 - side)


@rule
def value_of_end(s, m, p, winner):
    """The deal ends at level p."""
    losers = 1 - winner
    stake = 1
    if s.schwarz != 0:
        if m[TAKEN + (p >> 2)] >> losers & 1 == 0:
            stake = 3
        elif m[NEED + LEVELS * losers + p] > ENOUGH - SCHWARZ:
            stake = 2
    return stake if winner == 0 else -stake


@rule
def value_at(s, m, p, objective, guess):
    """The value of level p for the chooser's side."""
    if objective == POINTS:
        margin = m[NEED_1 + p] - m[NEED + p]
        return margin if p == CARDS else margin + exact_margin(m, p, guess - margin)
    if p == CARDS:
        return value_of_end(s, m, p, side_of(m, m[TAKER + p]))
    winner = winning_side(m, p, NOBODY, WHO_WINS)
    stake = stake_won(m, p, winner) if s.schwarz != 0 else 1
    return stake if winner == 0 else -stake


@rule
def stake_won(m, p, winner):
    """How heavily the winners can win at level p."""
    losers = 1 - winner
    if not keeps_below(m, p, losers):
        return 1
    if m[TAKEN + (p >> 2)] >> losers & 1 or winning_side(m, p, losers, NO_TRICK + losers) == losers:
        return 2
    return 3


@rule
def keeps_below(m, p, losers):
    """Whether the other side can win while these stay below 33 points."""
    need = NEED + LEVELS * losers + p
    if m[need] <= ENOUGH - SCHWARZ:
        return False
    strict = m[STRICT]
    m[STRICT] &= ~(1 << losers)
    m[need] -= ENOUGH - SCHWARZ
    winner = winning_side(m, p, NOBODY, BELOW_33 + losers)
    m[need] += ENOUGH - SCHWARZ
    m[STRICT] = strict
    return winner != losers
