"""The rules of the agent `rules` in the order in which they are tried: the first that gives an action decides.

After J. Barič, "Možnosti rozhodovacích agentov hrajúcich hracie karty" (2009), section 6.3.3: many simple rules with
priorities, whose conditions are the history and what is certain about who holds which card. The rules and their order
are ours: each was kept because it gained on duplicate deals.

Before the first trick three scores say how strong a hand is: which card to name, and when to double the stakes. They
are sums over what a hand holds. Their weights were fitted to the results of some millions of deals played out by
these rules (5,000 hands, each of the 24 cards named in 40 deals), and rounded:

    with a partner   hundredths of the stake that a chooser can expect who names the highest trump he has not
    alone            hundredths of the stake that he can expect who names a trump of his own (sumec, for three stakes)
    in defence       hundredths of the log-odds that an opponent of the chooser has of winning
"""

import numpy as np

from hiddenhand.games.snaps.cards import (
    ACE,
    CARDS,
    HAND,
    KING,
    NONE,
    OVER_KNAVE,
    PAIR,
    RANKS,
    SUITS,
    TEN,
    bit,
    count,
    of_suit,
    suit_of,
)
from hiddenhand.games.snaps.rule_agent.facts import certain_points, cheapest, facts_for, surely_ours
from hiddenhand.games.snaps.rule_agent.playing import (
    announce_marriage,
    attack_trumps,
    cash_winner,
    give_points,
    lead_quietly,
    lead_top,
    only_card,
    play_top,
    pull_trumps,
    reach_enough,
    show_partner,
    take_surely,
    taking_cards,
    trust,
)
from hiddenhand.games.snaps.rules import worth
from hiddenhand.games.snaps.state import CHOOSING, DOST, ENOUGH, KONTRA_ROUND, MARRIAGE_AND_CLAIM, TRICKS
from hiddenhand.kernel import rule

# --- how strong a hand is -------------------------------------------------------------------------

WITH_PARTNER, ALONE, DEFENCE = range(3)
# by the number of trumps held, 0 to 6
LENGTHS = np.array(
    [[0, 20, 38, 56, 56, 47, 95], [-900, -720, -550, -370, -290, -370, -550], [-340, -305, -270, -145, -75, 0, 0]]
)
# trump ace, ten, king, over, both of the last two; ace, ten, marriage of another suit, no card of another suit
WEIGHTS = np.array(
    [
        [10, 11, 6, 4, 21, 18, 3, 17, 6],
        [180, 100, 30, 23, 200, 170, 27, 100, 110],
        [25, 20, 30, 25, 0, 65, 10, 45, 15],
    ]
)
MOST_WITH_PARTNER = 95  # however good the hand, the stake is one


@rule
def score(hand, trump, what):
    """How strong a hand is WITH_PARTNER, ALONE or in DEFENCE if this suit is trumps."""
    weights = WEIGHTS[what]
    trumps = of_suit(hand, trump)
    total = LENGTHS[what, count(trumps)]
    total += weights[0] * (trumps >> ACE & 1) + weights[1] * (trumps >> TEN & 1)
    total += weights[2] * (trumps >> KING & 1) + weights[3] * (trumps >> OVER_KNAVE & 1)
    if trumps & PAIR == PAIR:
        total += weights[4]
    complete = count(hand) == HAND  # a chooser who has not seen all his cards is not void of what he has not seen
    for suit in range(SUITS):
        if suit != trump:
            cards = of_suit(hand, suit)
            total += weights[5] * (cards >> ACE & 1) + weights[6] * (cards >> TEN & 1)
            if cards & PAIR == PAIR:
                total += weights[7]
            if cards == 0 and complete:
                total += weights[8]
    return min(total, MOST_WITH_PARTNER) if what == WITH_PARTNER else total


@rule
def best_suit(hand, what):
    """(the suit with the highest score as trumps, that score)."""
    best, most = 0, score(hand, 0, what)
    for suit in range(1, SUITS):
        total = score(hand, suit, what)
        if total > most:
            best, most = suit, total
    return best, most


@rule
def plays_alone(hand, caution):
    """Whether the chooser does better without a partner, by more than `caution` hundredths of a stake."""
    suit, alone = best_suit(hand, ALONE)
    _, together = best_suit(hand, WITH_PARTNER)
    return of_suit(hand, suit) != 0 and alone > together + caution


@rule
def card_to_name(hand, caution):
    """The highest trump that the chooser has not; or, to play alone, the highest that he has."""
    alone = plays_alone(hand, caution)
    suit, _ = best_suit(hand, ALONE if alone else WITH_PARTNER)
    for rank in range(RANKS - 1, -1, -1):
        if (hand >> (suit * RANKS + rank) & 1 != 0) == alone:
            return suit * RANKS + rank
    return suit * RANKS + ACE


# --- the list of rules ----------------------------------------------------------------------------

NAME_OWN, NAME_MISSING, DOUBLE, PASS_BY = 1, 2, 3, 4
SURE_CLAIM = 5
PULL, ANNOUNCE, CASH, SHOW, ATTACK, TOP, QUIET = 6, 7, 8, 9, 10, 11, 12  # leads
ONLY, REACH, GIVE, TAKE, PLAY_TOP, TRUST, LEAST = 13, 14, 15, 16, 17, 18, 19  # follows
PROBABLE_CLAIM, PROBABLE_GIFT = 20, 21  # of `risky` alone

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
    """Double the stakes if that is allowed and the hand is stronger than needed by at least `caution`; otherwise
    pass."""
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
