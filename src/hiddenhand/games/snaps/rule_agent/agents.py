"""The policies `rules` and `risky`, with their explanations.

`risky` follows the list of `rules` with rules whose conditions are chances. `risk` moves all thresholds: at 0 it
wants certainty, at 1 it is bold. It says "dost" when 66 points are likely enough, gives points to a trick that is
likely enough to be ours, and goes alone or doubles on weaker hands the more it dares. Rules that lead or take by
chance were tried as well and lost on duplicate deals: there the list is the same.

`chances` float64[4, 24] says how likely each seat holds each card, `holders` float64[4] how likely each was dealt the
named one: the exact marginals over all deals that agree with what the seat has seen. Several cards of one hand are
treated as independent, which they nearly are.
"""

import numpy as np

from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Seat, Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.beliefs.exact import exact_chances, holders_from
from hiddenhand.games.snaps.cards import CARDS, NONE, SEATS, Array, above, beats, bit, suit_mask, suit_of
from hiddenhand.games.snaps.rule_agent.decide import (
    GIVE,
    PROBABLE_CLAIM,
    PROBABLE_GIFT,
    SURE_CLAIM,
    answer,
    cards_among,
    decide,
    follow,
    lead,
    name,
    rule_action,
    sure_claim,
)
from hiddenhand.games.snaps.rule_agent.facts import Facts, best_gift, facts_for
from hiddenhand.games.snaps.rule_agent.playing import taking_cards
from hiddenhand.games.snaps.rule_agent.reasons import fired, reasons_for, the
from hiddenhand.games.snaps.rules import worth
from hiddenhand.games.snaps.state import (
    CHOOSING,
    DOST,
    ENOUGH,
    MARRIAGE_AND_CLAIM,
    TRICKS,
    after,
    side_with,
    total_with,
)
from hiddenhand.kernel import rule

# --- how likely a trick or a claim is ours --------------------------------------------------------


@rule
def chance_of_none(chances, seat, cards):
    """How likely a seat holds none of these cards."""
    chance = 1.0
    for card in range(CARDS):
        if cards >> card & 1:
            chance *= 1.0 - chances[seat, card]
    return chance


@rule
def beat_chance(f, chances, other, led, card):
    """How likely another seat can, and so must, beat the card that wins the trick so far."""
    void = chance_of_none(chances, other, suit_mask(led) & f.unseen)
    harmful = f.unseen & ~f.harmless
    if suit_of(card) == f.trump:
        higher = 1.0 - chance_of_none(chances, other, above(card) & harmful)
        return higher if led == f.trump else void * higher
    higher = 1.0 - chance_of_none(chances, other, above(card) & harmful)
    return higher + void * (1.0 - chance_of_none(chances, other, suit_mask(f.trump) & harmful))


@rule
def friend_chance(s, f, holders, other):
    """How likely another seat is on my side."""
    if f.friends >> other & 1:
        return 1.0
    if f.foes >> other & 1:
        return 0.0
    return holders[other] if f.me == s.chooser else 1.0 - holders[other]


@rule
def ours_chance(s, f, chances, holders, card):
    """How likely my side takes the trick if I play this card."""
    led, best, owner = f.led, f.best, f.owner
    if led == NONE:
        led, best, owner = suit_of(card), np.int64(card), f.me
    elif beats(card, best, f.trump):
        best, owner = np.int64(card), f.me
    ours = friend_chance(s, f, holders, owner)
    other = f.me
    for _ in range(f.later):
        other = after(s, other)
        beaten = min(beat_chance(f, chances, other, led, best), 1.0)
        ours = (1.0 - beaten) * ours + beaten * friend_chance(s, f, holders, other)
    return ours


@rule
def enough_chance(s, f, holders, more):
    """How likely my side has 66 points, with `more` of a bonus."""
    chance = 0.0
    for holder in range(SEATS):
        if f.holders >> holder & 1 and total_with(s, side_with(s, f.me, holder), holder, more) >= ENOUGH:
            chance += holders[holder]
    return chance


@rule
def probably_ours(s, f, chances, holders, cards, least):
    """Those of the cards with which the trick is ours with at least this chance."""
    mask = np.int64(0)
    for card in range(CARDS):
        if cards >> card & 1 and ours_chance(s, f, chances, holders, card) >= least:
            mask |= bit(card)
    return mask


# --- the list of `risky` --------------------------------------------------------------------------

BALANCED = 0.5  # the risk at which hands are valued as `rules` values them
ALONE_CAUTION = 20.0  # hundredths of a stake, from one end of the scale of risk to the other
DOUBLE_CAUTION = 20.0  # hundredths of log-odds


@rule
def claim_from(risk):
    """How likely 66 points must be: 1 for the cautious, 0.6 for the bold."""
    return 1.0 - 0.4 * risk


@rule
def give_from(risk):
    """How likely a trick must be ours to be given points: 1 for the cautious, 0.65 for the bold."""
    return 1.0 - 0.35 * risk


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


# --- the agents -----------------------------------------------------------------------------------


@policy(Text("a list of rules with priorities, on what is certain; the first that applies decides"))
def rules(view, seat, actions, memory, parameters, rng):
    return rule_action(view, seat, actions, len(actions))


@rules.explains
def why_by_rules(view: View, action: int, parameters: np.record) -> list[str]:
    actions = np.array(view.legal_actions(), np.int64)
    _, number = decide(view.record, view.seat, actions, len(actions))
    return reasons_for(view.record, view.seat, actions, number, action)


@policy(
    Text("the list of `rules` with rules that weigh chances"),
    settings={"risk": Setting(0.5, Text("0 wants certainty, 1 is bold"), low=0.0, high=1.0)},
)
def risky(view, seat, actions, memory, parameters, rng):
    action, _ = decide_risky(view, seat, actions, len(actions), parameters.risk)
    return action


@risky.explains
def why_by_chances(view: View, action: int, parameters: np.record) -> Decision:
    s, me, risk = view.record, view.seat, float(parameters.risk)
    actions = np.array(view.legal_actions(), np.int64)
    _, number = decide_risky(s, me, actions, len(actions), risk)
    sentences = reasons_for(s, me, actions, number, action, name_caution(risk), double_caution(risk))
    decision = Decision(
        action,
        view.action_name(action),
        alternatives=[Alternative(a, view.action_name(a)) for a in view.legal_actions()],
    )
    if s.phase == TRICKS:
        chances, holders = np.zeros((SEATS, CARDS)), np.zeros(SEATS)
        weigh(s, me, chances, holders)
        sentences += chance_reasons(s, facts_for(s, me), chances, holders, number, action, risk)
        decision.belief = partner_belief(s, me, holders)
    decision.reasons = sentences
    return decision


def chance_reasons(
    s: np.record, f: Facts, chances: Array, holders: Array, number: int, action: int, risk: float
) -> list[str]:
    """The chance behind a rule that took a risk."""
    if number == PROBABLE_CLAIM:
        chance = enough_chance(s, f, holders, worth(s, action % CARDS) if action < DOST else 0)
        return [
            fired(
                number,
                Text(
                    "we have 66 points with {chance:.0%}, and {bar:.0%} is enough",
                    chance=chance,
                    bar=claim_from(risk),
                ),
            )
        ]
    if number == PROBABLE_GIFT:
        chance = ours_chance(s, f, chances, holders, action)
        return [
            fired(
                number,
                Text(
                    "with {card} the trick is ours with {chance:.0%}, and {bar:.0%} is enough",
                    card=the(action),
                    chance=chance,
                    bar=give_from(risk),
                ),
            )
        ]
    return []


def partner_belief(s: np.record, me: int, holders: Array) -> list[tuple[str, float]]:
    """Who may hold the named card, with probabilities; empty if that is certain."""
    if np.count_nonzero(holders) < 2:
        return []
    who = [(int(h), float(holders[h])) for h in np.argsort(-holders, kind="stable") if holders[h] > 0.0]
    return [
        (Text("the chooser plays alone") if h == s.chooser else Text("{who} is the partner", who=Seat(h)), p)
        for h, p in who
    ]
