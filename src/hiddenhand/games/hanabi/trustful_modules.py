"""The modules of trustful (see trustful.py): what each of them finds, and which comes first."""

import numpy as np

from hiddenhand.games.hanabi.conventions import PROMISES, planned_play
from hiddenhand.games.hanabi.deduction import share, surely
from hiddenhand.games.hanabi.distrustful import any_hint, power
from hiddenhand.games.hanabi.hand_knowledge import lowest_within, oldest_within, spare_slot
from hiddenhand.games.hanabi.hint_value import Scene, TipWeights, survey, weigh
from hiddenhand.games.hanabi.random_choice import can_discard
from hiddenhand.games.hanabi.rules import COLOURS, DISCARD, NONE, PLAY, RANKS, SLOTS, hint_action, touches
from hiddenhand.kernel import rule

NECESSARY, PLAYS, HINTED, PLAY_TIP, DISCARD_TIP, RISKY, SAVE, INFORMATION, DISCARDS, GUESS = range(1, 11)
ORDERS = np.array(
    [
        (1, 2, 3, 9, 4, 5, 10, 0, 0, 0),  # fewer than 3 tokens
        (1, 2, 3, 4, 5, 9, 10, 0, 0, 0),  # 3 to 5
        (1, 2, 3, 4, 5, 9, 6, 7, 10, 0),  # 6 or 7
        (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),  # 8
    ]
)
SURE = 0.95
TIP_TOKENS = 2


# --- the modules that give tips -------------------------------------------------------------------


@rule
def good_weights(s):
    """The weights of a play tip."""
    w = s.weights
    return TipWeights(
        mark=w.good_pass,
        completes=w.good_completes,
        false=w.good_false,
        distance=w.good_distance,
        rank=w.good_rank,
        information=w.good_information,
        already=w.good_already,
        chain=w.good_chain,
    )


@rule
def risky_weights(s):
    """The weights of a risky tip."""
    w = s.weights
    return TipWeights(
        mark=w.risky_pass,
        completes=w.risky_completes,
        false=w.risky_false,
        distance=w.risky_distance,
        rank=w.risky_rank,
        information=w.risky_information,
        already=w.risky_already,
        chain=w.risky_chain,
    )


@rule
def information_weights(s):
    """The weights of an information tip."""
    w = s.weights
    return TipWeights(
        mark=w.information_pass,
        completes=w.information_completes,
        false=w.information_false,
        distance=w.information_distance,
        rank=w.information_rank,
        information=w.information_information,
        already=w.information_already,
        chain=w.information_chain,
    )


@rule
def weights_of(s, module):
    """The weights of a module that gives tips by the plays that they lead to."""
    if module == PLAY_TIP:
        return good_weights(s)
    return risky_weights(s) if module == RISKY else information_weights(s)


@rule
def mark(s, module):
    """The worth that a tip must exceed."""
    return s.weights.discard_pass if module == DISCARD_TIP else weights_of(s, module).mark


@rule
def best_play_tip(v, s, module):
    """Of the hints that lead to a play, or of all if information is asked, the one of the greatest worth, for the
    nearest player if equal; and that worth. NONE if there is none."""
    weights = weights_of(s, module)
    best, most = NONE, -1.0e9
    for i in range(1, s.players):
        target = (s.me + i) % s.players
        for hint in range(COLOURS + RANKS):
            if touches(v, target, hint // COLOURS, hint % COLOURS) != 0:
                tip = weigh(v, s, target, hint, weights)
                if tip.worth > most and (tip.plays > 0 or module == INFORMATION):
                    best, most = hint_action(target, 0, hint), tip.worth
    return best, most


@rule
def best_discard_tip(v, s):
    """The hint that shows most useless cards to somebody who has nothing to play or to throw away; and its worth."""
    best, most = NONE, -1.0e9
    useless = s.record.useless
    for i in range(1, s.players):
        target = (s.me + i) % s.players
        if s.plans[target] != NONE or oldest_within(s.known[target], useless) != NONE:
            continue
        for hint in range(COLOURS + RANKS):
            if touches(v, target, hint // COLOURS, hint % COLOURS) != 0:
                worth = s.weights.discard_false if weigh(v, s, target, hint, good_weights(s)).wrong != 0 else 0.0
                for slot in range(SLOTS):
                    if surely(s.cards[slot], useless):
                        worth += power(s.weights.discard_distance, i)
                if worth > most:
                    best, most = hint_action(target, 0, hint), worth
    return best, most


@rule
def best_tip(v, s, module):
    """The best hint by a module that weighs hints, and its worth; NONE if there is none."""
    if module == DISCARD_TIP:
        return best_discard_tip(v, s)
    return best_play_tip(v, s, module)


@rule
def save_tip(v, s):
    """A message about a critical card that no hint has touched, or NONE."""
    best, least = NONE, 2 * RANKS
    for i in range(1, s.players):
        target = (s.me + i) % s.players
        for slot in range(SLOTS):
            card = np.int64(v.hands[target, slot])
            if card == NONE or v.touched[target, slot] != 0 or (s.record.critical >> card) & 1 == 0:
                continue
            cost = card % RANKS + (RANKS if s.plans[target] != NONE else 0)
            for hint in (COLOURS + card % RANKS, card // RANKS):
                tip = weigh(v, s, target, hint, good_weights(s))
                if tip.reading != PROMISES and tip.wrong == 0 and cost < least:
                    best, least = hint_action(target, 0, hint), cost
    return best


# --- the first module -----------------------------------------------------------------------------


@rule
def endangered(v, s):
    """The next player's slot that it is about to play wrongly, or to discard though its card is critical; NONE."""
    target = (s.me + 1) % s.players
    if s.plans[target] != NONE:
        return s.plans[target] if s.right[target] == 0 else NONE
    slot = spare_slot(s.known[target], s.record.touched[target], s.record.useless, s.record.critical, 0)
    return slot if (s.record.critical >> np.int64(v.hands[target, slot])) & 1 else NONE


@rule
def helping_play(v, s, slot):
    """A card that I know to be the one before the card that the next player will play from this slot; NONE."""
    target = (s.me + 1) % s.players
    card = np.int64(v.hands[target, slot]) - 1
    if s.plans[target] == slot and (s.record.playable >> max(card, 0)) & 1 and (card + 1) % RANKS > 0:
        for mine in range(SLOTS):
            if s.known[s.me, mine] == 1 << card:
                return mine
    return NONE


@rule
def rescue(v, s, slot):
    """The best hint for the next player that makes it play something right; or else one that touches this slot and
    leads to no wrong play, rank before colour; NONE."""
    target = (s.me + 1) % s.players
    card = np.int64(v.hands[target, slot])
    best, most = NONE, -1.0e9
    for hint in range(COLOURS + RANKS):
        if touches(v, target, hint // COLOURS, hint % COLOURS) != 0:
            tip = weigh(v, s, target, hint, good_weights(s))
            if tip.wrong == 0 and tip.plays > 0 and tip.worth > max(most, 0.0):
                best, most = hint_action(target, 0, hint), tip.worth
    if best != NONE:
        return best
    for hint in (COLOURS + card % RANKS, card // RANKS):
        if weigh(v, s, target, hint, good_weights(s)).wrong == 0:
            return hint_action(target, 0, hint)
    return NONE


@rule
def necessary(v, s):
    """What must be done for the next player, or NONE."""
    slot = endangered(v, s)
    if slot == NONE:
        return NONE
    mine = helping_play(v, s, slot)
    if mine != NONE:
        return PLAY + mine
    return rescue(v, s, slot) if v.hints > 0 else NONE


# --- the others, and the choice -------------------------------------------------------------------


@rule
def likely_play(s):
    """The card most likely to be playable, by the unseen copies; NONE below a chance of 95 %."""
    best, most = NONE, SURE
    for slot in range(SLOTS):
        if s.known[s.me, slot] & s.record.playable != 0:
            chance = share(s.known[s.me, slot], s.record.playable, s.unseen)
            if chance >= most and (best == NONE or chance > most):
                best, most = slot, chance
    return best


@rule
def discard(v, s, module):
    """A useless card; as a last resort, the card that seems dispensable, or a hint where one may not discard."""
    me = s.me
    if module == DISCARDS:
        slot = oldest_within(s.known[me], s.record.useless)
        return DISCARD + slot if slot != NONE and can_discard(v) else NONE
    if not can_discard(v):
        return any_hint(v, me)
    return DISCARD + spare_slot(s.known[me], s.record.touched[me], s.record.useless, s.record.critical, 0)


@rule
def fire(v, s, module):
    """What a module does; NONE if it does nothing."""
    m, me = s.record, s.me
    if module == NECESSARY:
        return necessary(v, s)
    if module == PLAYS:
        slot = lowest_within(s.known[me], m.playable)
        return slot if slot != NONE else likely_play(s)
    if module == HINTED:
        return planned_play(s.known[me], m.promise[me], m.promise_size[me], m.playable, m.lives)
    if module >= DISCARDS:
        return discard(v, s, module)
    if v.hints < TIP_TOKENS:
        return NONE
    if module == SAVE:
        return save_tip(v, s)
    hint, worth = best_tip(v, s, module)
    return hint if worth > mark(s, module) else NONE


@rule
def module_at(v, place):
    """The module that comes first (place 0), second and so on."""
    return ORDERS[0 if v.hints < 3 else 1 if v.hints < 6 else 2 if v.hints < 8 else 3, place]


@rule
def decide(v, me, record, weights):
    """The action, and the number of the module that gave it. The public record is brought up to date."""
    o = survey(v, me, record, np.int64(weights.reading))
    s = Scene(
        record, weights, o.me, o.players, o.known, o.unseen,
        o.then, o.plans, o.right, o.due, o.cards, o.promise, o.size,
    )  # fmt: skip
    for place in range(len(ORDERS[0])):
        module = module_at(v, place)
        action = fire(v, s, module)
        if action != NONE:
            return action, module
    return NONE, 0
