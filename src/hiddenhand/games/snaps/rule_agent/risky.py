"""The rules of the agent `risky`: the list of `rules` with rules whose conditions are chances.

`risk` moves all thresholds: at 0 it wants certainty, at 1 it is bold. It says "dost" when 66 points are likely
enough, gives points to a trick that is likely enough to be ours, and goes alone or doubles on weaker hands the more
it dares.
Rules that lead or take by chance were tried as well and lost on duplicate deals: there the list is the same.
"""

import numpy as np

from hiddenhand.games.snaps.beliefs.exact import exact_chances, holders_from
from hiddenhand.games.snaps.cards import CARDS, NONE, SEATS
from hiddenhand.games.snaps.rule_agent.chances import enough_chance, probably_ours
from hiddenhand.games.snaps.rule_agent.decide import (
    GIVE,
    SURE_CLAIM,
    answer,
    cards_among,
    follow,
    lead,
    name,
    sure_claim,
)
from hiddenhand.games.snaps.rule_agent.facts import facts_for
from hiddenhand.games.snaps.rule_agent.following import taking_cards
from hiddenhand.games.snaps.rule_agent.picking import best_gift
from hiddenhand.games.snaps.rules import worth
from hiddenhand.games.snaps.state import CHOOSING, DOST, MARRIAGE_AND_CLAIM, TRICKS
from hiddenhand.kernel import rule

PROBABLE_CLAIM, PROBABLE_GIFT = 20, 21
BALANCED = 0.5  # the risk at which hands are judged as `rules` judges them
ALONE_CAUTION = 200.0  # hundredths of a stake, from one end of the scale of risk to the other
DOUBLE_CAUTION = 60.0  # hundredths of log-odds


@rule
def claim_from(risk):
    """How likely 66 points must be: 1 for the cautious, 0.6 for the bold."""
    return 1.0 - 0.4 * risk


@rule
def give_from(risk):
    """How likely a trick must be ours to be given points: 1 for the cautious, 0.4 for the bold."""
    return 1.0 - 0.6 * risk


@rule
def name_caution(risk):
    """By how many hundredths of a stake it must be better to play alone."""
    return ALONE_CAUTION * (BALANCED - risk)


@rule
def double_caution(risk):
    """How much stronger than usual, in hundredths of log-odds, a hand must be for kontra."""
    return DOUBLE_CAUTION * (BALANCED - risk)


@rule
def weigh(s, me, chances, holders):
    """Fill chances float64[4, 24] and holders float64[4]."""
    exact_chances(s, me, chances)
    holders_from(s, chances, holders)


@rule
def probable_claim(s, f, holders, actions, n, least):
    """A claim that is right with at least this chance; NONE if there is none."""
    for i in range(n):
        action = np.int64(actions[i])
        if action == DOST and enough_chance(s, f, holders, 0) >= least:
            return action
        if MARRIAGE_AND_CLAIM <= action < DOST and enough_chance(s, f, holders, worth(s, action % CARDS)) >= least:
            return action
    return np.int64(NONE)


@rule
def probable_gift(s, f, chances, holders, cards, least):
    """Add points to a trick that another wins for us with at least this chance."""
    idle = cards & ~taking_cards(f, cards)
    return np.int64(best_gift(f, probably_ours(s, f, chances, holders, idle, least)))


@rule
def decide_risky(s, me, actions, n, risk):
    """(the action, the number of the rule that gave it)."""
    if s.phase == CHOOSING:
        return name(s, me, name_caution(risk))
    if s.phase != TRICKS:
        return answer(s, me, actions, n, double_caution(risk))
    f = facts_for(s, me)
    action = sure_claim(s, f, actions, n)
    if action != NONE:
        return action, SURE_CLAIM
    chances = np.empty((SEATS, CARDS))
    holders = np.empty(SEATS)
    weigh(s, me, chances, holders)
    action = probable_claim(s, f, holders, actions, n, claim_from(risk))
    if action != NONE:
        return action, PROBABLE_CLAIM
    if f.led == NONE:
        return lead(s, f)
    cards = cards_among(actions, n)
    action, number = follow(s, f, cards)
    if number > GIVE:
        gift = probable_gift(s, f, chances, holders, cards, give_from(risk))
        if gift != NONE:
            return gift, PROBABLE_GIFT
    return action, number
