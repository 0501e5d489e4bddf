"""Which action to take when worlds have been judged: the rule agent's, unless another is clearly better."""

import numpy as np

from hiddenhand.games.snaps.cards import RANKS, SUITS, bit, count, suit_mask
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.state import CHOOSING, DOST, MARRIAGE, MARRIAGE_AND_CLAIM, TRICKS
from hiddenhand.kernel import rule

LONG = 2  # trumps without which nobody plays alone
CLOSE = 1e-9


@rule
def place_of(actions, action):
    for i in range(len(actions)):
        if actions[i] == action:
            return i
    return 0


@rule
def doubt_at(view, doubt):
    """Before the play the stakes differ from action to action, and chance with them: more certainty is asked for."""
    return doubt if view.phase == TRICKS else 3.0 * doubt


@rule
def choose(actions, judged, usual, doubt):
    """The place of the action to take; judged float64[worlds, actions], `usual` the place of the rule agent's action.

    A claim that no action beats is made. Otherwise the best action must beat the usual one by more than `doubt`
    standard errors of their difference, world by world.
    """
    n = judged.shape[0]
    best, most = usual, 0.0
    for i in range(len(actions)):
        total, squares = 0.0, 0.0
        for w in range(n):
            gain = judged[w, i] - judged[w, usual]
            total += gain
            squares += gain * gain
        mean = total / n
        error = np.sqrt(max(squares / n - mean * mean, 0.0) / n)
        if mean > most + CLOSE and mean > doubt * error:
            best, most = i, mean
    return surest(actions, judged, best)


@rule
def surest(actions, judged, best):
    """A claim that is worth as much as the best action, if there is one; otherwise that action."""
    for i in range(len(actions) - 1, -1, -1):
        claims = actions[i] == DOST or MARRIAGE_AND_CLAIM <= actions[i] < DOST
        if claims and judged[:, i].sum() >= judged[:, best].sum() - CLOSE:
            return i
    return best


@rule
def candidates(view, seat, actions, found):
    """List the actions worth judging in found int64[24]; returns how many. The rule agent's is always among them.

    Of the cards to name: in each suit the highest that is missing, and one's own highest (to play alone) in suits
    that are not too short.
    """
    usual = rule_action(view, seat, actions, len(actions))
    if view.phase != CHOOSING:
        for i in range(len(actions)):
            found[i] = actions[i]
        return len(actions)
    hand = np.int64(view.hands[seat])
    worth = bit(usual)
    for suit in range(SUITS):
        for held in range(2):
            if held == 1 and count(hand & suit_mask(suit)) < LONG:
                continue
            for card in range(suit * RANKS + RANKS - 1, suit * RANKS - 1, -1):
                if hand >> card & 1 == held:
                    worth |= bit(card)
                    break
    n = 0
    for card in range(MARRIAGE):
        if worth >> card & 1:
            found[n] = card
            n += 1
    return n
