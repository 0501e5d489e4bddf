"""The policies `rules` and `risky`, with their explanations."""

import numpy as np

from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.games.snaps.cards import CARDS, SEATS
from hiddenhand.games.snaps.rule_agent.chances import enough_chance, ours_chance
from hiddenhand.games.snaps.rule_agent.decide import decide, rule_action
from hiddenhand.games.snaps.rule_agent.facts import facts_for
from hiddenhand.games.snaps.rule_agent.risky import (
    PROBABLE_CLAIM,
    PROBABLE_GIFT,
    claim_from,
    decide_risky,
    double_caution,
    give_from,
    name_caution,
    weigh,
)
from hiddenhand.games.snaps.rule_agent.telling import reasons_for
from hiddenhand.games.snaps.rule_agent.words import fired, the
from hiddenhand.games.snaps.rules import worth
from hiddenhand.games.snaps.state import DOST, TRICKS


@policy("a list of rules with priorities, on what is certain; the first that applies decides")
def rules(view, seat, actions, memory, parameters, rng):
    return rule_action(view, seat, actions, len(actions))


@rules.explains
def why_by_rules(view, action, parameters):
    actions = np.array(view.actions, np.int64)
    _, number = decide(view.record, view.seat, actions, len(actions))
    return reasons_for(view.record, view.seat, actions, number, action)


@policy(
    "the list of `rules` with rules that weigh chances",
    settings={"risk": Setting(0.5, "0 wants certainty, 1 is bold", low=0.0, high=1.0)},
)
def risky(view, seat, actions, memory, parameters, rng):
    action, _ = decide_risky(view, seat, actions, len(actions), parameters.risk)
    return action


@risky.explains
def why_by_chances(view, action, parameters):
    s, me, risk = view.record, view.seat, float(parameters.risk)
    actions = np.array(view.actions, np.int64)
    _, number = decide_risky(s, me, actions, len(actions), risk)
    told = reasons_for(s, me, actions, number, action, name_caution(risk), double_caution(risk))
    decision = Decision(action, view.text(action), alternatives=[Alternative(a, view.text(a)) for a in view.actions])
    if s.phase == TRICKS:
        chances, holders = np.zeros((SEATS, CARDS)), np.zeros(SEATS)
        weigh(s, me, chances, holders)
        told += chance_reasons(s, facts_for(s, me), chances, holders, number, action, risk)
        decision.belief = partner_belief(s, me, holders)
    decision.reasons = told
    return decision


def chance_reasons(s, f, chances, holders, number, action, risk):
    """The chance behind a rule that took a risk."""
    if number == PROBABLE_CLAIM:
        chance = enough_chance(s, f, holders, worth(s, action % CARDS) if action < DOST else 0)
        return [fired(number, f"we have 66 points with {chance:.0%}, and {claim_from(risk):.0%} is enough")]
    if number == PROBABLE_GIFT:
        chance = ours_chance(s, f, chances, holders, action)
        return [
            fired(
                number, f"with {the(action)} the trick is ours with {chance:.0%}, and {give_from(risk):.0%} is enough"
            )
        ]
    return []


def partner_belief(s, me, holders):
    """Who may hold the named card, where that is not certain."""
    if np.count_nonzero(holders) < 2:
        return []
    who = [(int(h), float(holders[h])) for h in np.argsort(-holders, kind="stable") if holders[h] > 0.0]
    return [("the chooser plays alone" if h == s.chooser else f"seat {h} is the partner", p) for h, p in who]
