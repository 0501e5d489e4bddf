"""Which card to play to a trick that another has led."""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS, NONE, TEN, RANKS, VALUES, bit
from hiddenhand.games.snaps.duties import beats
from hiddenhand.games.snaps.rule_agent.facts import OURS, THEIRS, fate
from hiddenhand.games.snaps.rule_agent.lead import cheapest, dearest
from hiddenhand.kernel import rule

ONLY, GIVE, TAKE, LEAST = 20, 21, 22, 23


@rule
def follow(s, f, cards, x):
    if cards & (cards - 1) == 0:
        return cheapest(f, cards), ONLY
    ours = np.int64(0)
    theirs = np.int64(0)
    taking = np.int64(0)
    for card in range(CARDS):
        if cards >> card & 1:
            who = fate(s, f, card)
            if who == OURS:
                ours |= bit(card)
            elif who == THEIRS:
                theirs |= bit(card)
            if beats(card, f.best, f.trump):
                taking |= bit(card)
    if ours & ~taking != 0:
        return dearest(ours & ~taking), GIVE
    if ours != 0:
        return dearest(ours), TAKE
    return cheapest(f, cards), LEAST
