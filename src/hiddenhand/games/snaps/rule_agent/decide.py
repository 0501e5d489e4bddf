"""The rules of the agent `rules` in the order in which they are tried: the first that gives an action decides.

After J. Barič, "Možnosti rozhodovacích agentov hrajúcich hracie karty" (2009), section 6.3.3: many simple rules with
priorities, whose conditions are the history and what is certain about who holds which card. The rules and their order
are ours: each was kept because it gained on duplicate deals.
"""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS, HAND, NONE, bit, suit_of
from hiddenhand.games.snaps.rule_agent.facts import certain_points, facts_for, surely_ours
from hiddenhand.games.snaps.rule_agent.following import (
    give_points,
    only_card,
    play_top,
    reach_enough,
    take_surely,
    taking_cards,
    trust,
)
from hiddenhand.games.snaps.rule_agent.leading import (
    announce_marriage,
    attack_trumps,
    cash_winner,
    lead_quietly,
    lead_top,
    pull_trumps,
    show_partner,
)
from hiddenhand.games.snaps.rule_agent.naming import ALONE, DEFENCE, WITH_PARTNER, card_to_name, plays_alone, score
from hiddenhand.games.snaps.rule_agent.picking import cheapest
from hiddenhand.games.snaps.rules import worth
from hiddenhand.games.snaps.state import CHOOSING, DOST, ENOUGH, KONTRA_ROUND, MARRIAGE_AND_CLAIM, TRICKS
from hiddenhand.kernel import rule

NAME_OWN, NAME_MISSING, DOUBLE, PASS_BY = 1, 2, 3, 4
SURE_CLAIM = 5
PULL, ANNOUNCE, CASH, SHOW, ATTACK, TOP, QUIET = 6, 7, 8, 9, 10, 11, 12  # leads
ONLY, REACH, GIVE, TAKE, PLAY_TOP, TRUST, LEAST = 13, 14, 15, 16, 17, 18, 19  # follows

KONTRA_FROM = -15
REKONTRA_FROM = np.array([79, 200, -120])  # of a chooser with a partner, a chooser alone, the partner


@rule
def cards_seen(s, me):
    """The cards that the chooser has seen when he names one."""
    return np.int64(s.hands[me]) if s.choose_after == HAND else np.int64(s.seen_first)


@rule
def name(s, me, caution):
    hand = cards_seen(s, me)
    return np.int64(card_to_name(hand, caution)), NAME_OWN if plays_alone(hand, caution) else NAME_MISSING


@rule
def doubling_score(s, me):
    """(how strong my hand is for kontra or rekontra, from what score on it is strong enough)."""
    hand = np.int64(s.hands[me])
    trump = suit_of(s.named)
    if s.phase == KONTRA_ROUND:
        return score(hand, trump, DEFENCE), KONTRA_FROM
    if me != s.chooser:
        return score(hand, trump, DEFENCE), REKONTRA_FROM[2]
    what = ALONE if hand & bit(s.named) else WITH_PARTNER
    return score(hand, trump, what), REKONTRA_FROM[what]


@rule
def answer(s, me, actions, n, caution):
    """Pass, or double the stakes where that is allowed and the hand is strong enough, with `caution` to spare."""
    strength, enough = doubling_score(s, me)
    if n > 1 and strength >= enough + caution:
        return np.int64(actions[1]), DOUBLE
    return np.int64(actions[0]), PASS_BY


@rule
def sure_claim(s, f, actions, n):
    """A claim that is right whoever is the partner; NONE if there is none."""
    for i in range(n):
        action = np.int64(actions[i])
        if action == DOST and certain_points(s, f, 0) >= ENOUGH:
            return action
        if MARRIAGE_AND_CLAIM <= action < DOST and certain_points(s, f, worth(s, action % CARDS)) >= ENOUGH:
            return action
    return np.int64(NONE)


@rule
def lead(s, f):
    sure = surely_ours(s, f, f.hand)
    action = pull_trumps(s, f, sure)
    if action != NONE:
        return action, PULL
    action = announce_marriage(s, f, sure)
    if action != NONE:
        return action, ANNOUNCE
    action = cash_winner(s, f, sure)
    if action != NONE:
        return action, CASH
    action = show_partner(s, f)
    if action != NONE:
        return action, SHOW
    action = attack_trumps(s, f)
    if action != NONE:
        return action, ATTACK
    action = lead_top(s, f)
    if action != NONE:
        return action, TOP
    return lead_quietly(s, f), QUIET


@rule
def follow(s, f, cards):
    action = only_card(cards)
    if action != NONE:
        return action, ONLY
    ours = surely_ours(s, f, cards)
    taking = taking_cards(f, cards)
    action = reach_enough(s, f, ours, taking)
    if action != NONE:
        return action, REACH
    action = give_points(f, ours, taking)
    if action != NONE:
        return action, GIVE
    action = take_surely(f, ours)
    if action != NONE:
        return action, TAKE
    action = play_top(f, taking)
    if action != NONE:
        return action, PLAY_TOP
    action = trust(s, f, cards, taking)
    if action != NONE:
        return action, TRUST
    return np.int64(cheapest(f, cards)), LEAST


@rule
def cards_among(actions, n):
    """The plain cards among the legal actions, as a mask."""
    cards = np.int64(0)
    for i in range(n):
        if actions[i] < CARDS:
            cards |= bit(actions[i])
    return cards


@rule
def decide(s, me, actions, n):
    """(the action, the number of the rule that gave it). Reads hands[me] and public fields of a state or a view."""
    if s.phase == CHOOSING:
        return name(s, me, 0)
    if s.phase != TRICKS:
        return answer(s, me, actions, n, 0)
    f = facts_for(s, me)
    action = sure_claim(s, f, actions, n)
    if action != NONE:
        return action, SURE_CLAIM
    if f.led == NONE:
        return lead(s, f)
    return follow(s, f, cards_among(actions, n))


@rule
def rule_action(s, seat, actions, n):
    """What the agent `rules` does in this seat: deterministic, from hands[seat] and public fields alone."""
    action, _ = decide(s, seat, actions, n)
    return action
