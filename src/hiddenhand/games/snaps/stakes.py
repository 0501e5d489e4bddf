"""The end of a deal: the stakes, the payoffs, what is measured, and an estimate before the end."""

import numpy as np

from hiddenhand.games.snaps.cards import NONE, SEATS
from hiddenhand.games.snaps.sides import side, total_with
from hiddenhand.games.snaps.state import CLAIM, ENOUGH, FALSE_CLAIM, SCHWARZ
from hiddenhand.kernel import rule


@rule
def stake(s):
    """How much each of the two opponents wins or loses."""
    losers = 1 - s.winner
    stake = 1
    if s.schwarz != 0:
        tricks = 0
        for seat in range(SEATS):
            if side(s, seat) == losers:
                tricks += s.tricks[seat]
        stake = 3 if tricks == 0 else 2 if total_with(s, losers, s.holder, 0) < SCHWARZ else 1
    if s.doubled_by != NONE:
        stake *= 2
    if s.redoubled_by != NONE:
        stake *= 2
    return stake


@rule
def payoff(s, out):
    amount = np.float64(stake(s))
    for seat in range(SEATS):
        out[seat] = amount if side(s, seat) == s.winner else -amount
    if s.holder == s.chooser:
        out[s.chooser] *= SEATS - 1


@rule
def measure(s, out):
    """chooser_won, sumec, kontra, claimed, false_claim, chooser_points."""
    out[0] = 1.0 if s.winner == 0 else 0.0
    out[1] = 1.0 if s.holder == s.chooser else 0.0
    out[2] = 1.0 if s.doubled_by != NONE else 0.0
    out[3] = 1.0 if s.ending == CLAIM else 0.0
    out[4] = 1.0 if s.ending == FALSE_CLAIM else 0.0
    out[5] = np.float64(total_with(s, 0, s.holder, 0))


@rule
def evaluate(s, out):
    """The points that are ahead, on a scale on which 66 win."""
    lead = 0.0
    if s.named != NONE:
        lead = (total_with(s, 0, s.holder, 0) - total_with(s, 1, s.holder, 0)) / ENOUGH
    lead = min(max(lead, -1.0), 1.0)
    for seat in range(SEATS):
        out[seat] = lead if side(s, seat) == 0 else -lead
    alone = s.holder == s.chooser or s.named == NONE
    if alone:
        out[s.chooser] *= SEATS - 1
