"""Which card to name: a few candidates, compared in imagined deals, the weaker ones dropped on the way."""

import numpy as np

from hiddenhand.games.snaps.cards import RANKS, SUITS, count, suit_mask
from hiddenhand.games.snaps.pimc.worlds import judge_names
from hiddenhand.kernel import rule

LONG = 4  # trumps without which nobody plays alone
MOST_CANDIDATES = 2 * SUITS
FINALISTS = 2
FIRST_LOOK = 6  # a sixth of the worlds decides who the finalists are


@rule
def candidates(hand, cards):
    """The cards worth naming: in each suit the highest that is missing; in long suits one's own highest (alone)."""
    n = 0
    for suit in range(SUITS):
        missing, own = -1, -1
        for rank in range(RANKS):
            card = suit * RANKS + rank
            if hand >> card & 1:
                own = card
            else:
                missing = card
        if missing >= 0:
            cards[n] = missing
            n += 1
        if own >= 0 and count(hand & suit_mask(suit)) >= LONG:
            cards[n] = own
            n += 1
    return n


@rule
def keep_best(cards, totals, n, wanted):
    """Bring the best `wanted` candidates to the front, best first."""
    for i in range(min(wanted, n)):
        best = i
        for j in range(i + 1, n):
            if totals[j] > totals[best]:
                best = j
        cards[i], cards[best] = cards[best], cards[i]
        totals[i], totals[best] = totals[best], totals[i]


@rule
def compare_names(view, seat, worlds, rng, cards, totals, looks):
    """Judge the candidates: cards int64[8], totals float64[8], looks int64[8] (worlds seen) out; returns how many.

    All are tried in the same few worlds; the best two go on. The best comes first.
    """
    n = candidates(np.int64(view.hands[seat]), cards)
    few = max(1, worlds // FIRST_LOOK)
    for i in range(n):
        totals[i] = 0.0
        looks[i] = few
    judge_names(view, seat, cards[:n], few, rng, totals)
    keep_best(cards, totals, n, FINALISTS)
    last = min(FINALISTS, n)
    if worlds > few:
        judge_names(view, seat, cards[:last], worlds - few, rng, totals)
    for i in range(last):
        looks[i] = worlds
    keep_best(cards, totals, last, 1)
    return n
