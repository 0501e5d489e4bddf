"""The list of rules, tried in order."""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS, HAND, NONE, bit, suit_of
from hiddenhand.games.snaps.rule_agent.facts import facts_for, least_total
from hiddenhand.games.snaps.rule_agent.follow import follow
from hiddenhand.games.snaps.rule_agent.lead import lead
from hiddenhand.games.snaps.rule_agent.naming import card_to_name, score
from hiddenhand.games.snaps.rules import CHOOSING, DOST, ENOUGH, KONTRA, MARRIAGE, MARRIAGE_AND_CLAIM, PASS, TRICKS, worth
from hiddenhand.kernel import rule

NAME, DOUBLE, NOT_DOUBLE, ENOUGH_POINTS, MARRY_AND_CLAIM = 1, 2, 3, 4, 5


@rule
def claim_for_certain(s, f, actions, n):
    """The claim that is surely right; NONE if there is none."""
    for i in range(n):
        action = np.int64(actions[i])
        if action == DOST and least_total(s, f, 0) >= ENOUGH:
            return action
        if MARRIAGE_AND_CLAIM <= action < DOST and least_total(s, f, worth(s, action % CARDS)) >= ENOUGH:
            return action
    return np.int64(NONE)


@rule
def decide(s, me, actions, n, x):
    """(action, number of the rule that gave it)."""
    if s.phase == CHOOSING:
        hand = np.int64(s.hands[me]) if s.choose_after == HAND else np.int64(s.seen_first)
        return np.int64(card_to_name(hand)), NAME
    if s.phase != TRICKS:
        if n == 2 and s.phase == 1 and score(np.int64(s.hands[me]), suit_of(s.named), 2) >= -15 + 10 * ((x >> 16) - 8 if x >> 16 else 0):
            return np.int64(actions[1]), DOUBLE
        return np.int64(actions[0]), NOT_DOUBLE
    f = facts_for(s, me)
    action = claim_for_certain(s, f, actions, n)
    if action != NONE:
        return action, ENOUGH_POINTS
    if f.led == NONE:
        action, why = lead(s, f, x)
        return np.int64(action), why
    cards = np.int64(0)
    for i in range(n):
        if actions[i] < CARDS:
            cards |= bit(actions[i])
    action, why = follow(s, f, cards, x)
    return np.int64(action), why


@rule
def rule_action(s, seat, actions, n):
    """What the agent `rules` does in this seat, from hands[seat] and public fields alone."""
    action, _ = decide(s, seat, actions, n, 0)
    return action
