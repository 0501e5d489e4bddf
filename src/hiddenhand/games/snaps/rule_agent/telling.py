"""Why a rule agent did what it did: the rule that fired, the facts behind it, and why the earlier ones did not fire.

Every sentence is made from the same compiled functions that decided.
"""

from hiddenhand.games.snaps.cards import CARDS, NONE
from hiddenhand.games.snaps.rule_agent import decide as d
from hiddenhand.games.snaps.rule_agent.facts import certain_points, facts_for, surely_ours
from hiddenhand.games.snaps.rule_agent.following import taking_cards
from hiddenhand.games.snaps.rule_agent.risky import PROBABLE_CLAIM, PROBABLE_GIFT
from hiddenhand.games.snaps.rule_agent.telling_hands import doubling_reasons, naming_reasons
from hiddenhand.games.snaps.rule_agent.telling_tricks import follow_because, follow_not, lead_because, lead_not
from hiddenhand.games.snaps.rule_agent.words import FOLLOWS, LEADS, fired, skipped
from hiddenhand.games.snaps.rules import worth
from hiddenhand.games.snaps.state import CHOOSING, DOST, ENOUGH, TRICKS


def play_reasons(s, me, actions, number, action):
    """The rules up to the one that fired, for a decision in the tricks."""
    f = facts_for(s, me)
    if number == d.SURE_CLAIM:
        bonus = worth(s, action % CARDS) if action < DOST else 0
        return [fired(number, f"whoever is the partner, we have at least {certain_points(s, f, bonus)} points")]
    told = [claim_not(s, f)] if s.auto_claim == 0 else []
    if f.led == NONE:
        return told + lead_reasons(s, f, number, action)
    return told + follow_reasons(s, f, d.cards_among(actions, len(actions)), number, action)


def lead_reasons(s, f, number, action):
    sure = int(surely_ours(s, f, f.hand))
    told = [skipped(earlier, lead_not(earlier, s, f, sure)) for earlier in before(LEADS, number)]
    return [*told, fired(number, lead_because(number, s, f, action))] if number in LEADS else told


def follow_reasons(s, f, cards, number, action):
    ours, taking = int(surely_ours(s, f, cards)), int(taking_cards(f, cards))
    told = [skipped(earlier, follow_not(earlier, s, f, cards, ours, taking)) for earlier in before(FOLLOWS, number)]
    return [*told, fired(number, follow_because(number, s, f, action))] if number in FOLLOWS else told


def before(order, number):
    """The rules that were tried in vain, the claim left out; for a rule of chance, those of certainty before it."""
    last = {PROBABLE_CLAIM: order[1], PROBABLE_GIFT: d.TAKE}.get(number, number)
    return order[1 : order.index(last)]


def claim_not(s, f):
    return skipped(d.SURE_CLAIM, f"for certain we have only {certain_points(s, f, 0)} points of {ENOUGH}")


def reasons_for(s, me, actions, number, action, name_caution=0, double_caution=0):
    """Sentences for any decision."""
    if s.phase == CHOOSING:
        return naming_reasons(s, me, number, action, name_caution)
    if s.phase != TRICKS:
        return doubling_reasons(s, me, number, actions, double_caution)
    return play_reasons(s, me, actions, number, action)
