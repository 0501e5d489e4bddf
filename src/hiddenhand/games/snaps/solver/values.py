"""What a position and its moves are worth with open cards.

WIN: what the deal is worth to the chooser's side before kontra and sumec multiply it: 1 or -1, with the option
`schwarz` up to 3, if nobody makes a mistake. A side claims as soon as it can, since more points of the others only
lower the stake; a false claim is never better than to play on. POINTS: the points of the chooser's side less those of
the others, bonuses that count included, if all tricks are played and nobody claims.

With `schwarz` the stake is found by more questions to the same search: do the losers stay below 33 (then 33 take the
place of 66 for them, and count at once), do they get no trick?
"""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS, SEATS, bit
from hiddenhand.games.snaps.solver.margin import exact_margin
from hiddenhand.games.snaps.solver.memory import DEALS
from hiddenhand.games.snaps.solver.tricks import (
    TRUMPS,
    WORTH,
    advance,
    forget,
    mover,
    new_deal,
    side_of,
    suit_of_card,
    take_back,
    trumps_on_top,
)
from hiddenhand.games.snaps.solver.winning import winning_side
from hiddenhand.games.snaps.state import (
    DOST,
    ENOUGH,
    MARRIAGE,
    MARRIAGE_AND_CLAIM,
    SCHWARZ,
    TRICKS,
    total_with,
    trump_of,
)
from hiddenhand.kernel import lowest_bit, rule

# --- a state of the game as the solver takes it ---------------------------------------------------


@rule
def place_of(s, seat):
    """0 for the chooser, 1 for who plays after him, and so on."""
    return (np.int64(seat) - s.chooser) * s.direction & 3


@rule
def card_bit(s, card):
    return trumps_on_top(bit(card), trump_of(s))


@rule
def load(s, m):
    """Read a state in which a card has been named: the hands, the sides, the score and the trick on the table.

    Returns the level at which it stands. While kontra is discussed it is the position before the first lead.
    """
    if m.generation >= DEALS - 1:
        forget(m)
    new_deal(m)
    load_sides(s, m)
    plays = np.int64(s.plays)
    first = plays & ~3
    leader = s.chooser
    if plays > first:
        leader = s.played_by[first]
    elif s.phase == TRICKS:
        leader = s.mover
    m.leader[first >> 2] = place_of(s, leader)
    load_trick(s, m, first, plays)
    return plays


@rule
def load_sides(s, m):
    trump = trump_of(s)
    plays = np.int64(s.plays)
    others = np.int64(0)
    taken = np.int64(0)
    pending = np.int64(0)
    for seat in range(SEATS):
        place = place_of(s, seat)
        m.hands[place] = trumps_on_top(s.hands[seat], trump)
        against = seat != s.chooser and seat != s.holder
        if against:
            others |= np.int64(1) << place
        else:
            pending += s.bonus[seat]
        if s.tricks[seat] > 0:
            taken |= np.int64(2) if against else np.int64(1)
    m.others = others
    m.relaxed = s.relaxed
    m.strict = 3 if s.strict_claim != 0 and s.auto_claim == 0 else 0
    m.taken[plays >> 2] = taken
    m.pending[plays] = 0 if taken & 1 else pending
    m.need[0, plays] = ENOUGH - total_with(s, 0, s.holder, 0)
    m.need[1, plays] = ENOUGH - total_with(s, 1, s.holder, 0)


@rule
def load_trick(s, m, first, plays):
    """The cards on the table, if any."""
    m.tabled[plays] = 0
    if plays == first:
        return
    best = card_bit(s, s.played[first])
    suit = suit_of_card(best)
    taker = place_of(s, s.played_by[first])
    high, tabled, pot = best, best, WORTH[lowest_bit(best)]
    for i in range(first + 1, plays):
        card = card_bit(s, s.played[i])
        tabled |= card
        pot += WORTH[lowest_bit(card)]
        high = max(high, card & suit)
        if card & (suit | TRUMPS) > best:
            best = card
            taker = place_of(s, s.played_by[i])
    m.led[first >> 2] = suit
    m.tabled[plays] = tabled
    m.high[plays] = high
    m.best[plays] = best
    m.taker[plays] = taker
    m.pot[plays] = pot


# --- values ---------------------------------------------------------------------------------------

# typed, since Numba compiles a function again for each plain number that is passed to it
WIN, POINTS = np.int64(0), np.int64(1)
GUESS = np.int64(30)  # points: the first guess matters little
WHO_WINS, BELOW_33, NO_TRICK = np.int64(0), np.int64(1), np.int64(3)  # questions; + 1 where side 1 is to lose
NOBODY = np.int64(-1)


@rule
def solve(s, objective, memory):
    """The value of a state for the chooser's side. A card must have been named; kontra is taken as passed."""
    m = memory[0]
    return value_at(s, m, load(s, m), objective, GUESS)


@rule
def solve_moves(s, actions, n, objective, memory, values):
    """Write the value of each of n legal actions for the mover's side, in a state where a card is to be played."""
    m = memory[0]
    p = load(s, m)
    sign = 1 - 2 * side_of(m, mover(m, p))
    value = GUESS
    for i in range(n):
        value = value_after(s, m, p, actions[i], objective, value)
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
    return s.auto_claim != 0 and p & 3 == 0 and m.gain[p] != 0 and m.need[m.gainer[p], p + 1] <= 0


@rule
def value_of_claim(s, m, p, place):
    """True or false."""
    side = side_of(m, place)
    return value_of_end(s, m, p, side if m.need[side, p] <= 0 else 1 - side)


@rule
def value_of_end(s, m, p, winner):
    """The deal ends at level p."""
    losers = 1 - winner
    stake = 1
    if s.schwarz != 0:
        if m.taken[p >> 2] >> losers & 1 == 0:
            stake = 3
        elif m.need[losers, p] > ENOUGH - SCHWARZ:
            stake = 2
    return stake if winner == 0 else -stake


@rule
def value_at(s, m, p, objective, guess):
    """The value of level p for the chooser's side."""
    if objective == POINTS:
        margin = m.need[1, p] - m.need[0, p]
        return margin if p == CARDS else margin + exact_margin(m, p, guess - margin)
    if p == CARDS:
        return value_of_end(s, m, p, side_of(m, m.taker[p]))
    winner = winning_side(m, p, NOBODY, WHO_WINS)
    stake = stake_won(m, p, winner) if s.schwarz != 0 else 1
    return stake if winner == 0 else -stake


@rule
def stake_won(m, p, winner):
    """How heavily the winners can win at level p."""
    losers = 1 - winner
    if not keeps_below(m, p, losers):
        return 1
    if m.taken[p >> 2] >> losers & 1 or winning_side(m, p, losers, NO_TRICK + losers) == losers:
        return 2
    return 3


@rule
def keeps_below(m, p, losers):
    """Whether the other side can win while these stay below 33 points."""
    if m.need[losers, p] <= ENOUGH - SCHWARZ:
        return False
    strict = m.strict
    m.strict &= ~(1 << losers)
    m.need[losers, p] -= ENOUGH - SCHWARZ
    winner = winning_side(m, p, NOBODY, BELOW_33 + losers)
    m.need[losers, p] += ENOUGH - SCHWARZ
    m.strict = strict
    return winner != losers
