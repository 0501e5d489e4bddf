"""How likely were the moves of another seat, had it held these cards? By a model of how people play.

Two models. *Rules*: the others play like the agent `rules`, but for some noise: with probability 1 - noise they make
its move, with probability `noise` any legal move, each equally likely. *Statistics*: they play as was counted in many
games (`statistics`), again with that noise. Naming a card and answering kontra are moves like any other.

A hand is judged by its own moves alone, for a player sees nothing of the other hands; so the likelihood of a world is
the product of those of its hands, and every hand needs to be judged once.
"""

import numpy as np

from hiddenhand.games.snaps.beliefs.statistics import statistics_chance
from hiddenhand.games.snaps.cards import CARDS, HAND, NONE, bit, count
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.rules import legal
from hiddenhand.games.snaps.state import CHOOSING, TRICKS
from hiddenhand.kernel import rule

BY_RULES, BY_STATISTICS = 0, 1
PARTICLES, NOISE, TABLE_FROM = 0, 1, 2  # places in a model: float64[2 + ...]


@rule
def hand_likelihood(past, actions, n, other, first_hand, kind, model):
    """The probability of all moves of a seat among past[:n], had it been dealt `first_hand` (a mask)."""
    offered = np.empty(CARDS + 8, np.int64)
    left = np.int64(first_hand)
    likelihood = 1.0
    for i in range(n):
        s = past[i]
        if s.mover != other:
            continue
        if s.phase == CHOOSING:
            likelihood *= naming_likelihood(s, actions[i], first_hand, kind, model, offered)
            continue
        s.hands[other] = left
        s.holder = other if np.int64(first_hand) & bit(s.named) else NONE
        likelihood *= move_chance(s, actions[i], kind, model, offered)
        if s.phase == TRICKS:
            left &= ~bit(actions[i] % CARDS)
    return likelihood


@rule
def naming_likelihood(s, named, first_hand, kind, model, offered):
    """The chance that the chooser names this card: the mean over the cards of his own that he may have seen."""
    cards = np.empty(HAND, np.int64)
    n = 0
    for card in range(CARDS):
        if np.int64(first_hand) >> card & 1:
            cards[n] = card
            n += 1
    total = 0.0
    ways = 0
    for choice in range(1 << HAND):
        if count(choice) != s.choose_after:
            continue
        seen = np.int64(0)
        for i in range(HAND):
            if choice >> i & 1:
                seen |= bit(cards[i])
        s.hands[s.mover] = seen
        s.seen_first = seen
        total += move_chance(s, named, kind, model, offered)
        ways += 1
    return total / ways


@rule
def move_chance(s, action, kind, model, offered):
    """The probability that the mover does this, with the hand that is in the state; 0 if he may not."""
    n = legal(s, offered)
    found = False
    for i in range(n):
        found |= offered[i] == action
    if not found:
        return 0.0
    if n == 1:
        return 1.0
    noise = model[NOISE]
    if kind == BY_STATISTICS:
        chance = statistics_chance(s, np.int64(s.mover), offered, n, action, model[TABLE_FROM:])
    else:
        chance = 1.0 if rule_action(s, np.int64(s.mover), offered, n) == action else 0.0
    return (1.0 - noise) * chance + noise / n
