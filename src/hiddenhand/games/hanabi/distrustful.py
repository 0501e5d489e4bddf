"""distrustful: believes only what the rules of Hanabi prove (chapter 4.6 of the thesis)."""

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.games.hanabi.deduction import (
    CARDS,
    NONE,
    RANKS,
    SEATS,
    SLOTS,
    critical_cards,
    deduce_all,
    named_cards,
    oldest_spare,
    oldest_within,
    playable_cards,
    useless_cards,
)
from hiddenhand.kernel import rule

NECESSARY, PLAY, GOOD, DISCARD_TIP, DISCARD, MEDIOCRE, GUESS = 1, 2, 3, 4, 5, 6, 7
FEW, SOME, ALL = (1, 2, 5, 3, 4, 7, 0), (1, 2, 3, 4, 5, 6, 7), (1, 2, 3, 4, 6, 5, 7)
ORDERS = np.array([FEW, SOME, ALL])

SETTINGS = {
    "good_pass": Setting(2.0, "what a good play tip must be worth"),
    "good_completes": Setting(2.3, "factor of a card that becomes surely playable"),
    "mediocre_pass": Setting(1.0, "what a mediocre play tip must be worth"),
    "mediocre_completes": Setting(2.0, "its factor of a card that becomes surely playable"),
    "step": Setting(0.5, "factor for each card that must be played before"),
    "distance": Setting(0.99, "factor for each seat between"),
    "rank": Setting(1.1, "factor for each rank below 5"),
    "discard_pass": Setting(2.5, "what a discard tip must be worth"),
    "discard_distance": Setting(0.99, "its factor for each seat between"),
}


@rule
def lowest_play(known, seat, playable):
    """The slot that is surely playable, the lowest rank first, or NONE."""
    best, lowest = NONE, RANKS
    for slot in range(SLOTS):
        cards = known[seat, slot]
        if cards != 0 and cards & ~playable == 0:
            rank = 0
            while cards & named_cards(1, rank) == 0:
                rank += 1
            if rank < lowest:
                best, lowest = slot, rank
    return best


@rule
def order_of_modules(hints):
    return 0 if hints < 3 else 2 if hints == 8 else 1


@rule
def narrowed(cards, truth, named):
    """What a card can be after a hint; `truth` is the card itself."""
    return cards & named if (named >> truth) & 1 else cards & ~named


@rule
def better_known_elsewhere(v, me, target, slot, known):
    """Whether another seat holds the same card and knows at least as much about it."""
    card = np.int64(v.hands[target, slot])
    for seat in range(np.int64(v.players)):
        for other in range(SLOTS):
            if seat == target and other == slot:
                continue
            if seat == me:
                if known[seat, other] == 1 << card:
                    return True
            elif v.hands[seat, other] == card and v.touched[seat, other] > v.touched[target, slot]:
                return True
    return False
 
@rule
def play_tip_worth(v, me, known, target, named, playable, useless, completes, weights):
    """The worth of a hint: the sum over the cards about which it says something new."""
    total = 0.0
    for slot in range(SLOTS):
        card = np.int64(v.hands[target, slot])
        before = known[target, slot]
        if card == NONE or (useless >> card) & 1 or before & ~playable == 0:
            continue
        after = narrowed(before, card, named)
        if (named >> card) & 1 == 0 or after == before or better_known_elsewhere(v, me, target, slot, known):
            continue
        worth = 1.0
        steps = card % RANKS - np.int64(v.piles[card // RANKS])
        for _ in range(steps):
            worth *= weights[4]
        if after & ~playable == 0:
            worth *= completes
        for _ in range(card % RANKS, RANKS - 1):
            worth *= weights[6]
        total += worth
    for _ in range((target - me) % np.int64(v.players)):
        total *= weights[5]
    return total


@rule
def discard_tip_worth(v, me, known, target, named, useless, weights):
    """How many cards a hint lets their owner throw away safely."""
    total = 0.0
    if oldest_within(known, target, useless) != NONE:
        return total
    for slot in range(SLOTS):
        card = np.int64(v.hands[target, slot])
        if card != NONE and narrowed(known[target, slot], card, named) & ~useless == 0:
            total += 1.0
    for _ in range((target - me) % np.int64(v.players)):
        total *= weights[8]
    return total


@rule
def best_tip(v, me, known, sort, playable, useless, weights):
    """The hint of the greatest worth that passes its mark, or NONE."""
    best = NONE
    most = weights[0] if sort == GOOD else weights[2] if sort == MEDIOCRE else weights[7]
    completes = weights[1] if sort == GOOD else weights[3]
    for away in range(1, np.int64(v.players)):
        target = (me + away) % np.int64(v.players)
        for hint in range(10):
            named = named_cards(hint // 5, hint % 5)
            if sort == DISCARD_TIP:
                worth = discard_tip_worth(v, me, known, target, named, useless, weights)
            else:
                worth = play_tip_worth(v, me, known, target, named, playable, useless, completes, weights)
            if worth > most:
                best, most = 10 + 10 * target + hint, worth
    return best


@rule
def necessary_tip(v, me, known, playable, useless, critical, weights):
    """A hint for the next player if it would discard a critical card that could be played; or NONE."""
    target = (me + 1) % np.int64(v.players)
    if lowest_play(known, target, playable) != NONE or oldest_within(known, target, useless) != NONE:
        return NONE
    if v.hints > 1 and best_tip(v, target, known, MEDIOCRE if v.hints>2 else GOOD, playable, useless, weights) != NONE:
        return NONE
    slot = oldest_spare(v, target, known, critical)
    card = np.int64(v.hands[target, slot])
    if card == NONE or (critical & playable) >> card & 1 == 0:
        return NONE
    best, most = NONE, -1.0
    for hint in (card // RANKS, 5 + card % RANKS):
        named = named_cards(hint // 5, hint % 5)
        worth = play_tip_worth(v, me, known, target, named, playable, useless, 10.0, weights)
        if worth > most:
            best, most = 10 + 10 * target + hint, worth
    return best


@rule
def decide(v, me, weights):
    """The action, and the number of the module that chose it."""
    known = np.empty((SEATS, SLOTS), np.int64)
    counts = np.empty(CARDS, np.int64)
    deduce_all(v, me, counts, known)
    playable, useless, critical = playable_cards(v), useless_cards(v), critical_cards(v)
    order = order_of_modules(v.hints)
    for i in range(6):
        module = ORDERS[order, i]
        if module == NECESSARY:
            if v.hints > 0:
                action = necessary_tip(v, me, known, playable, useless, critical, weights)
                if action != NONE:
                    return action, module
        elif module == PLAY:
            slot = lowest_play(known, me, playable)
            if slot != NONE:
                return slot, module
        elif module == DISCARD:
            slot = oldest_within(known, me, useless)
            if slot != NONE and (v.hints < 8 or v.discard_at_8 != 0):
                return 5 + slot, module
        elif module != GUESS and v.hints > 1:
            action = best_tip(v, me, known, module, playable, useless, weights)
            if action != NONE:
                return action, module
    if v.hints == 8 and v.discard_at_8 == 0:
        return any_hint(v, me), GUESS
    return 5 + oldest_spare(v, me, known, critical), GUESS


@rule
def any_hint(v, me):
    """A hint about the oldest card of the next player, for tables where one may not discard."""
    target = (me + 1) % np.int64(v.players)
    return 15 + 10 * target + np.int64(v.hands[target, 0]) % RANKS


@policy("plays and discards only what is proved; 7 rules in an order that depends on the hints left", settings=SETTINGS)
def distrustful(view, seat, actions, memory, parameters, rng):
    action, module = decide(view, seat, parameters)
    return action
