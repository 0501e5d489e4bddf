"""Inclined: a family of agents that differ in how much they hint and how much they risk.

R. Canaan, J. Togelius, A. Nealen and S. Menzel ("Diverse agents for ad-hoc cooperation in Hanabi", 2019) describe
agents by two numbers: communicativeness, how often a player hints when it can, and risk aversion, how sure it is of
the cards that it plays. The thesis on Hanabi (Wroclaw, 2020) shows their scores beside unknown partners as its figure
6.4. Their agents were bred; ours have the two numbers as settings, and are otherwise alike:

1. With the chance `communicativeness`, a hint that the nearest player can use, if there is one (as simple_distrustful
   gives it).
2. The card that is most likely playable, if its chance is at least `risk_aversion`.
3. The oldest card that is surely useless; or else untouched; or else not surely critical; or else the oldest. Where
   one may not discard: a hint drawn by lot.
"""

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.hanabi.deduction import critical_cards, playable_cards, share, useless_cards
from hiddenhand.games.hanabi.hand_knowledge import deduce_all, spare_slot
from hiddenhand.games.hanabi.random_choice import can_discard, can_hint, random_hint
from hiddenhand.games.hanabi.rules import CARDS, DISCARD, NONE, PLAY, SEATS, SLOTS
from hiddenhand.games.hanabi.simple_distrustful import nearest_hint
from hiddenhand.games.hanabi.texts import hint_told_only
from hiddenhand.kernel import rule, uniform

HINTS, PLAYS, DISCARDS, PASSES = 1, 2, 3, 4

SETTINGS = {
    "communicativeness": Setting(0.5, Text("the chance that it hints when it can"), low=0.0, high=1.0),
    "risk_aversion": Setting(0.8, Text("how likely playable a card must be to be played"), low=0.0, high=1.0),
}


@rule
def choose(v, me, actions, parameters, rng):
    """The action, the number of the module that gave it, and the chance that the best card is playable."""
    known, unseen = np.empty((SEATS, SLOTS), np.int64), np.empty(CARDS, np.int64)
    deduce_all(v, me, 0, unseen, known)
    playable = playable_cards(v)
    slot, most = NONE, 0.0
    for i in range(SLOTS):
        chance = share(known[me, i], playable, unseen)
        if chance > most:
            slot, most = i, chance
    if can_hint(v) and uniform(rng) < parameters.communicativeness:
        hint = nearest_hint(v, me, False)
        if hint != NONE:
            return hint, HINTS, most
    if slot != NONE and most >= parameters.risk_aversion:
        return PLAY + slot, PLAYS, most
    if not can_discard(v):
        return random_hint(actions, rng), PASSES, most
    return DISCARD + spare_slot(known[me], v.touched[me], useless_cards(v), critical_cards(v), 0), DISCARDS, most


@policy(Text("hints as often, and plays as surely, as you say"), settings=SETTINGS)
def inclined(view, seat, actions, memory, parameters, rng):
    action, _, _ = choose(view, seat, actions, parameters, rng)
    return action


@inclined.explains
def reasons(view: View, action: int, parameters: np.record) -> list[str]:
    v, me = view.record, view.seat
    _, module, most = choose(v, me, np.array(view.legal_actions(), np.int64), parameters, view.stream())
    asked = Text("{chance:.0%}, and it asks for {least:.0%}", chance=most, least=float(parameters.risk_aversion))
    if module == HINTS:
        often = float(parameters.communicativeness)
        return [
            Text("It hints in {chance:.0%} of the turns in which it can, and the lot said so.", chance=often),
            hint_told_only(v, action),
        ]
    if module == PLAYS:
        return [Text("Card {n} is the most likely to be playable: {asked}.", n=action + 1, asked=asked)]
    unsure = Text("No card is likely enough to be playable: the best with {asked}.", asked=asked)
    if module == PASSES:
        return [unsure, Text("With all tokens there it may not discard, so it gives a hint drawn by lot.")]
    return [unsure, Text("Card {n} is the one that it can spare most easily.", n=action - DISCARD + 1)]
