"""The modules of trustful (see trustful.py): what each of them finds, and which comes first."""

import numpy as np

from hiddenhand.games.hanabi.choosing import can_discard
from hiddenhand.games.hanabi.deduction import share, surely
from hiddenhand.games.hanabi.distrustful import any_hint, power
from hiddenhand.games.hanabi.hands import lowest_within, oldest_within, spare_slot
from hiddenhand.games.hanabi.promises import (
    CRITICAL,
    LIVES,
    PLAYABLE,
    PROMISE,
    PROMISES,
    SIZE,
    TOUCHED,
    USELESS,
    planned_play,
    row,
)
from hiddenhand.games.hanabi.rules import COLOURS, DISCARD, NONE, PLAY, RANKS, SLOTS, hint_action, touches
from hiddenhand.games.hanabi.tips import PASS, weigh
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

DISCARD_AT, GOOD_AT, RISKY_AT, INFORMATION_AT = 0, 3, 11, 19  # where the weights of each sort of tip begin
DISCARD_FALSE, DISCARD_DISTANCE = 1, 2  # after the mark to pass


# --- the modules that give tips -------------------------------------------------------------------


@rule
def best_play_tip(v, s, at):
    """Of the hints that lead to a play, or of all if information is asked, the one of the greatest worth by the
    weights that begin at `at`, for the nearest player if equal; and that worth. NONE if there is none."""
    best, most = NONE, -1.0e9
    for i in range(1, s.players):
        target = (s.me + i) % s.players
        for hint in range(COLOURS + RANKS):
            if touches(v, target, hint // COLOURS, hint % COLOURS) != 0:
                tip = weigh(v, s, target, hint, at)
                if tip.worth > most and (tip.plays > 0 or at == INFORMATION_AT):
                    best, most = hint_action(target, 0, hint), tip.worth
    return best, most


@rule
def best_discard_tip(v, s):
    """The hint that shows most useless cards to somebody who has nothing to play or to throw away; and its worth."""
    best, most = NONE, -1.0e9
    useless = s.record[USELESS]
    for i in range(1, s.players):
        target = (s.me + i) % s.players
        if s.plans[target] != NONE or oldest_within(s.known[target], useless) != NONE:
            continue
        for hint in range(COLOURS + RANKS):
            if touches(v, target, hint // COLOURS, hint % COLOURS) != 0:
                worth = s.weights[DISCARD_FALSE] if weigh(v, s, target, hint, GOOD_AT).wrong != 0 else 0.0
                for slot in range(SLOTS):
                    if surely(s.cards[slot], useless):
                        worth += power(s.weights[DISCARD_DISTANCE], i)
                if worth > most:
                    best, most = hint_action(target, 0, hint), worth
    return best, most


@rule
def tip_at(module):
    """Where the weights of a module begin."""
    if module == DISCARD_TIP:
        return DISCARD_AT
    return GOOD_AT if module == PLAY_TIP else RISKY_AT if module == RISKY else INFORMATION_AT


@rule
def best_tip(v, s, module):
    """The best hint by a module that weighs hints, and its worth; NONE if there is none."""
    if module == DISCARD_TIP:
        return best_discard_tip(v, s)
    return best_play_tip(v, s, tip_at(module))


@rule
def save_tip(v, s):
    """A message about a critical card that no hint has touched, or NONE."""
    best, least = NONE, 2 * RANKS
    for i in range(1, s.players):
        target = (s.me + i) % s.players
        for slot in range(SLOTS):
            card = np.int64(v.hands[target, slot])
            if card == NONE or v.touched[target, slot] != 0 or (s.record[CRITICAL] >> card) & 1 == 0:
                continue
            cost = card % RANKS + (RANKS if s.plans[target] != NONE else 0)
            for hint in (COLOURS + card % RANKS, card // RANKS):
                tip = weigh(v, s, target, hint, GOOD_AT)
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
    slot = spare_slot(s.known[target], row(s.record, TOUCHED, target), s.record[USELESS], s.record[CRITICAL])
    return slot if (s.record[CRITICAL] >> np.int64(v.hands[target, slot])) & 1 else NONE


@rule
def helping_play(v, s, slot):
    """A card that I know to be the one before the card that the next player will play from this slot; NONE."""
    target = (s.me + 1) % s.players
    card = np.int64(v.hands[target, slot]) - 1
    if s.plans[target] == slot and (s.record[PLAYABLE] >> max(card, 0)) & 1 and (card + 1) % RANKS > 0:
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
            tip = weigh(v, s, target, hint, GOOD_AT)
            if tip.wrong == 0 and tip.plays > 0 and tip.worth > max(most, 0.0):
                best, most = hint_action(target, 0, hint), tip.worth
    if best != NONE:
        return best
    for hint in (COLOURS + card % RANKS, card // RANKS):
        if weigh(v, s, target, hint, GOOD_AT).wrong == 0:
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
        if s.known[s.me, slot] & s.record[PLAYABLE] != 0:
            chance = share(s.known[s.me, slot], s.record[PLAYABLE], s.unseen)
            if chance >= most and (best == NONE or chance > most):
                best, most = slot, chance
    return best


@rule
def discard(v, s, module):
    """A useless card; as a last resort, the card that seems dispensable, or a hint where one may not discard."""
    me = s.me
    if module == DISCARDS:
        slot = oldest_within(s.known[me], s.record[USELESS])
        return DISCARD + slot if slot != NONE and can_discard(v) else NONE
    if not can_discard(v):
        return any_hint(v, me)
    return DISCARD + spare_slot(s.known[me], row(s.record, TOUCHED, me), s.record[USELESS], s.record[CRITICAL])


@rule
def fire(v, s, module):
    """What a module does; NONE if it does nothing."""
    m, me = s.record, s.me
    if module == NECESSARY:
        return necessary(v, s)
    if module == PLAYS:
        slot = lowest_within(s.known[me], m[PLAYABLE])
        return slot if slot != NONE else likely_play(s)
    if module == HINTED:
        return planned_play(s.known[me], row(m, PROMISE, me), row(m, SIZE, me), m[PLAYABLE], m[LIVES])
    if module >= DISCARDS:
        return discard(v, s, module)
    if v.hints < TIP_TOKENS:
        return NONE
    if module == SAVE:
        return save_tip(v, s)
    hint, worth = best_tip(v, s, module)
    return hint if worth > s.weights[tip_at(module) + PASS] else NONE


@rule
def module_at(v, place):
    """The module that comes first (place 0), second and so on."""
    return ORDERS[0 if v.hints < 3 else 1 if v.hints < 6 else 2 if v.hints < 8 else 3, place]


@rule
def decide(v, s):
    """The action, and the number of the module that gave it."""
    for place in range(len(ORDERS[0])):
        module = module_at(v, place)
        action = fire(v, s, module)
        if action != NONE:
            return action, module
    return NONE, 0
