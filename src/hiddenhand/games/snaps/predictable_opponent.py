"""An opponent with a habit: plays by the rules, but for one thing that gives its cards away to whoever has noticed.

    ace       leads its lowest card of a side suit of which it holds the ace, and its dearest side card without such
              a suit: a low lead says where the ace is
    discard   throws its dearest card when it cannot win the trick: what it throws says that it has nothing dearer
    trumps    draws trumps, its highest first, whenever it is to lead and holds two: a lead of another suit says no

It is there to learn from (see `experience`): nobody plays better for such a habit.
"""

import numpy as np

from hiddenhand.core.decision import Decision
from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.cards import ACE, NONE, RANKS, SUITS, bit, count, lowest, suit_mask
from hiddenhand.games.snaps.rule_agent.agents import why_by_rules
from hiddenhand.games.snaps.rule_agent.decide import cards_among, rule_action
from hiddenhand.games.snaps.rule_agent.facts import dearest, facts_for, highest
from hiddenhand.games.snaps.rule_agent.playing import taking_cards
from hiddenhand.games.snaps.state import MARRIAGE, TRICKS
from hiddenhand.kernel import rule

TELLS = ("ace", "discard", "trumps")
FROM_ACE, THROWS, DRAWS = range(len(TELLS))
TOLD = {
    FROM_ACE: Text("I always lead low from a suit of which I hold the ace, and high without one."),
    THROWS: Text("I always throw my dearest card when I cannot win the trick."),
    DRAWS: Text("I always lead my highest trump while I hold two."),
}


@rule
def habit_card(view, seat, actions, tell):
    """The card that the habit plays; NONE where it does not apply."""
    if view.phase != TRICKS:
        return np.int64(NONE)
    f = facts_for(view, seat)
    cards = cards_among(actions, len(actions))
    if tell == THROWS:
        if f.led == NONE or taking_cards(f, cards) != 0:
            return np.int64(NONE)
        return np.int64(dearest(cards))
    if f.led != NONE:
        return np.int64(NONE)
    if tell == DRAWS:
        trumps = f.hand & suit_mask(f.trump)
        return np.int64(highest(trumps)) if count(trumps) > 1 else np.int64(NONE)
    for suit in range(SUITS):
        held = f.hand & suit_mask(suit)
        if suit != f.trump and held & bit(suit * RANKS + ACE) and count(held) > 1:
            return np.int64(lowest(held))
    return np.int64(dearest(f.hand & ~suit_mask(f.trump)))


@rule
def habit_action(view, seat, actions, tell):
    usual = rule_action(view, seat, actions, len(actions))
    if view.phase != TRICKS or usual >= MARRIAGE:  # a marriage or a claim comes before any habit
        return usual
    card = habit_card(view, seat, actions, tell)
    return usual if card == NONE else card


@policy(
    Text("plays by the rules but for a habit that gives its cards away: for others to learn from"),
    settings={"tell": Setting("ace", Text("which habit it has"), choices=TELLS)},
)
def habit(view, seat, actions, memory, parameters, rng):
    return habit_action(view, seat, actions, np.int64(parameters.tell))


@habit.explains
def why_by_habit(view: View, action: int, parameters: np.record) -> list[str] | Decision:
    actions = np.array(view.legal_actions(), np.int64)
    usual = int(rule_action(view.record, view.seat, actions, len(actions)))
    if action == usual:
        return why_by_rules(view, action, parameters)
    return [TOLD[int(parameters.tell)]]
