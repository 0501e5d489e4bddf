"""trustful: plays what it is promised (chapter 4.7 of the thesis)."""

from collections import namedtuple

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.games.hanabi.deduction import (
    CARDS,
    NONE,
    RANKS,
    SEATS,
    SLOTS,
    deduce_all,
    named_cards,
    oldest_within,
    share,
    touched_slots,
)
from hiddenhand.games.hanabi.distrustful import any_hint, lowest_play
from hiddenhand.games.hanabi.promises import (
    CRITICAL,
    LENGTH,
    MESSAGE_SAVES,
    PLAYABLE,
    PROMISE,
    PROMISES,
    SIZE,
    TOUCHED,
    USELESS,
    count_bits,
    hear,
    planned_discard,
    planned_play,
    reading,
)
from hiddenhand.kernel import rule

NECESSARY, PLAY, HINTED, PLAY_TIP, DISCARD_TIP, RISKY, SAVE, INFORMATION, DISCARD, GUESS = range(1, 11)
ORDERS = np.array(
    [
        (1, 2, 3, 9, 4, 5, 10, 0, 0, 0),
        (1, 2, 3, 4, 5, 9, 10, 0, 0, 0),
        (1, 2, 3, 4, 5, 9, 6, 7, 10, 0),
        (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    ]
)
SURE = 0.95
LATE = 0.3

PASS, COMPLETES, FALSE, DISTANCE, RANK, INFORMS, ALREADY, CHAIN = range(8)
WEIGHTS = {
    "pass": "what a tip must be worth",
    "completes": "added for a card that becomes surely playable",
    "false": "added for a promise that is false",
    "distance": "factor for each seat between",
    "rank": "factor for each rank below 5",
    "information": "for each useful card that the hint tells something about, though it is not played",
    "already": "factor if the player has a card to play already",
    "chain": "factor of a card after which somebody can play the next",
}
DISCARD_WEIGHTS = {
    "discard_pass": "what a discard tip must be worth",
    "discard_false": "added to a discard tip for a promise that is false",
    "discard_distance": "factor of a discard tip for each seat between",
}
GOOD_AT, RISKY_AT, INFORMATION_AT = 3, 11, 19


def weights(discard, good, risky, information):
    """The 27 weights as settings."""
    found = {name: Setting(value, text) for (name, text), value in zip(DISCARD_WEIGHTS.items(), discard, strict=True)}
    for sort, values in (("good", good), ("risky", risky), ("information", information)):
        for (name, text), value in zip(WEIGHTS.items(), values, strict=True):
            found[f"{sort}_{name}"] = Setting(value, f"{sort} tip: {text}")
    return found


Scene = namedtuple("Scene", ["v", "me", "players", "m", "known", "counts", "sets", "plans", "right", "due", "w"])


@rule
def row(m, part, seat):
    return m[part + 5 * seat : part + 5 * seat + 5]


@rule
def after_play(playable, card):
    """The playable cards once this playable one is played."""
    playable &= ~(1 << card)
    if card % RANKS < RANKS - 1:
        playable |= 1 << (card + 1)
    return playable


@rule
def foresee(s):
    """What the others will play, each in its turn, if nobody says anything: plans (a slot or NONE), whether it is
    right, what is playable in their turn (sets), and which cards they will play sooner or later (due)."""
    now = s.m[PLAYABLE]
    spare = np.empty(SLOTS, np.int64)
    for away in range(1, s.players):
        seat = (s.me + away) % s.players
        s.sets[seat] = now
        s.due[seat] = 0
        promise, size = row(s.m, PROMISE, seat), row(s.m, SIZE, seat)
        plan = planned_play(s.known[seat], promise, size, now, s.m[2])
        s.plans[seat] = plan
        s.right[seat] = 0
        for slot in range(SLOTS):
            spare[slot] = s.known[seat, slot]
        later = now
        first = True
        while plan != NONE:
            card = np.int64(s.v.hands[seat, plan])
            if (later >> card) & 1 == 0:
                break
            later = after_play(later, card)
            s.due[seat] |= 1 << card
            if first:
                s.right[seat] = 1
                now = later
                first = False
            spare[plan] = 0
            plan = planned_play(spare, promise, size, later, s.m[2])


@rule
def due_elsewhere(s, seat):
    """The cards that somebody else will play."""
    found = 0
    for other in range(s.players):
        if other != seat and other != s.me:
            found |= s.due[other]
    for slot in range(SLOTS):
        cards = s.known[s.me, slot]
        if cards & (cards - 1) == 0:
            found |= cards
    return found


@rule
def starts_chain(s, seat, card):
    """Whether somebody else holds the card that comes next."""
    if card % RANKS == RANKS - 1:
        return False
    for other in range(s.players):
        if other != seat and other != s.me:
            for slot in range(SLOTS):
                if s.v.hands[other, slot] == card + 1:
                    return True
    return False


@rule
def power(base, n):
    product = 1.0
    for _ in range(n):
        product *= base
    return product


@rule
def tip_worth(s, target, hint, at, after, promise, size, common):
    """(worth, how many cards it makes its owner play rightly, 1 if the first play is wrong, reading)."""
    named = named_cards(hint // 5, hint % 5)
    slots = touched_slots(s.v, target, hint // 5, hint % 5)
    kind, promised, vetoed = reading(s.m, s.players, s.me, target, hint, slots, common)
    news = 0
    for slot in range(SLOTS):
        before = s.known[target, slot]
        after[slot] = before & (named if (slots >> slot) & 1 else ~named)
        promise[slot] = s.m[PROMISE + 5 * target + slot]
        size[slot] = s.m[SIZE + 5 * target + slot]
        if slot == vetoed:
            promise[slot] = 0
        if (promised >> slot) & 1:
            promise[slot] = s.sets[target] | s.m[PLAYABLE]
            size[slot] = count_bits(slots)
        if after[slot] != before:
            news |= 1 << slot
    elsewhere = due_elsewhere(s, target)
    useless = s.m[USELESS]
    w = s.w
    total = 0.0
    plays, wrong, first = 0, 0, True
    had = s.plans[target] != NONE and s.right[target] != 0
    now = s.sets[target]
    seen = 0
    old = s.due[target]
    lost = old
    while True:
        plan = planned_play(after, promise, size, now, s.m[2])
        if plan == NONE:
            break
        card = np.int64(s.v.hands[target, plan])
        if (now >> card) & 1 == 0 or (elsewhere >> card) & 1:
            if first:
                wrong = 1
                total += w[at + FALSE]
            else:
                total += w[at + FALSE] * LATE
            break
        lost &= ~(1 << card)
        if (old >> card) & 1 == 0:
            worth = 1.0
            if after[plan] & ~now == 0:
                worth += w[at + COMPLETES]
            if starts_chain(s, target, card):
                worth *= w[at + CHAIN]
            total += worth * power(w[at + RANK], RANKS - 1 - card % RANKS)
            plays += 1
        seen |= 1 << plan
        now = after_play(now, card)
        after[plan] = 0
        first = False
    for slot in range(SLOTS):
        card = np.int64(s.v.hands[target, slot])
        if (news & slots & ~seen) >> slot & 1 and (useless | elsewhere) >> card & 1 == 0:
            total += w[at + INFORMS]
    if had:
        total *= w[at + ALREADY] if total > 0.0 else 1.0
    if lost != 0:
        total -= 2.0 * count_bits(lost)
    if total > 0.0:
        total *= power(w[at + DISTANCE], (target - s.me) % s.players)
    return total, plays, wrong, kind


@rule
def best_play_tip(s, at):
    """The hint of the greatest worth that passes its mark, or NONE."""
    after, promise = np.empty(SLOTS, np.int64), np.empty(SLOTS, np.int64)
    size, common = np.empty(SLOTS, np.int64), np.empty(SLOTS, np.int64)
    best, most = NONE, s.w[at + PASS]
    for away in range(1, s.players):
        target = (s.me + away) % s.players
        for hint in range(10):
            if touched_slots(s.v, target, hint // 5, hint % 5) == 0:
                continue
            worth, plays, wrong, kind = tip_worth(s, target, hint, at, after, promise, size, common)
            if worth > most and (plays > 0 or at == INFORMATION_AT):
                best, most = 10 + 10 * target + hint, worth
    return best


@rule
def best_discard_tip(s):
    """A hint that lets somebody who has nothing to do throw away useless cards."""
    after, promise = np.empty(SLOTS, np.int64), np.empty(SLOTS, np.int64)
    size, common = np.empty(SLOTS, np.int64), np.empty(SLOTS, np.int64)
    best, most = NONE, s.w[0]
    useless = s.m[USELESS]
    for away in range(1, s.players):
        target = (s.me + away) % s.players
        if s.plans[target] != NONE or oldest_within(s.known, target, useless) != NONE:
            continue
        for hint in range(10):
            if touched_slots(s.v, target, hint // 5, hint % 5) == 0:
                continue
            _, plays, wrong, kind = tip_worth(s, target, hint, GOOD_AT, after, promise, size, common)
            worth = s.w[1] if wrong else 0.0
            for slot in range(SLOTS):
                if after[slot] != 0 and after[slot] & ~useless == 0:
                    worth += 1.0
            worth *= power(s.w[2], away)
            if worth > most:
                best, most = 10 + 10 * target + hint, worth
    return best


@rule
def fixing_play(s, card):
    """A surely playable card of mine after which this card can be played, or NONE."""
    if card % RANKS == 0:
        return NONE
    for slot in range(SLOTS):
        if s.known[s.me, slot] == 1 << (card - 1) and (s.m[PLAYABLE] >> (card - 1)) & 1:
            return slot
    return NONE


@rule
def rescue(s, target, at_risk):
    """The best hint for the next player: one that makes it play rightly; otherwise one that touches the slot at risk,
    the rank rather than the colour, and promises nothing false. NONE if there is none."""
    after, promise = np.empty(SLOTS, np.int64), np.empty(SLOTS, np.int64)
    size, common = np.empty(SLOTS, np.int64), np.empty(SLOTS, np.int64)
    best, most = NONE, 0.0
    for hint in range(9, -1, -1):
        slots = touched_slots(s.v, target, hint // 5, hint % 5)
        if slots == 0:
            continue
        worth, plays, wrong, kind = tip_worth(s, target, hint, GOOD_AT, after, promise, size, common)
        if wrong != 0:
            continue
        if plays > 0:
            worth = 10.0 + worth
        elif (slots >> at_risk) & 1:
            worth = 6.0 if hint >= 5 else 5.0
        else:
            continue
        if worth > most:
            best, most = 10 + 10 * target + hint, worth
    return best


@rule
def necessary(s):
    """Module 1: what must be done for the next player, or NONE."""
    target = (s.me + 1) % s.players
    plan = s.plans[target]
    if plan != NONE:
        if s.right[target]:
            return NONE
        slot = fixing_play(s, np.int64(s.v.hands[target, plan]))
        if slot != NONE:
            return slot
        return rescue(s, target, plan) if s.v.hints > 0 else NONE
    slot = planned_discard(s.known[target], row(s.m, TOUCHED, target), s.m[USELESS], s.m[CRITICAL])
    card = np.int64(s.v.hands[target, slot])
    if card == NONE or (s.m[CRITICAL] >> card) & 1 == 0 or s.v.hints == 0:
        return NONE
    return rescue(s, target, slot)


@rule
def likely_play(s):
    """A card that is almost surely playable, or NONE."""
    for slot in range(SLOTS):
        cards = s.known[s.me, slot]
        if cards & s.m[PLAYABLE] != 0 and share(cards, s.m[PLAYABLE], s.counts) >= SURE:
            return slot
    return NONE


@rule
def save_tip(s):
    """A message about a critical card, for somebody who has nothing to play first, of a low rank first."""
    after, promise = np.empty(SLOTS, np.int64), np.empty(SLOTS, np.int64)
    size, common = np.empty(SLOTS, np.int64), np.empty(SLOTS, np.int64)
    best, least = NONE, 100
    for away in range(1, s.players):
        target = (s.me + away) % s.players
        for slot in range(SLOTS):
            card = np.int64(s.v.hands[target, slot])
            if card == NONE or s.v.touched[target, slot] != 0 or (s.m[CRITICAL] >> card) & 1 == 0:
                continue
            for hint in (5 + card % RANKS, card // RANKS):
                _, plays, wrong, kind = tip_worth(s, target, hint, GOOD_AT, after, promise, size, common)
                cost = card % RANKS + (10 if s.plans[target] != NONE else 0)
                if kind != PROMISES and wrong == 0 and cost < least:
                    best, least = 10 + 10 * target + hint, cost
    return best


@rule
def fire(s, module):
    """The action of a module, or NONE."""
    v, me = s.v, s.me
    if module == NECESSARY:
        return necessary(s)
    if module == PLAY:
        slot = lowest_play(s.known, me, s.m[PLAYABLE])
        return slot if slot != NONE else likely_play(s)
    if module == HINTED:
        return planned_play(s.known[me], row(s.m, PROMISE, me), row(s.m, SIZE, me), s.m[PLAYABLE], s.m[2])
    if module == DISCARD or module == GUESS:
        if v.hints == 8 and v.discard_at_8 == 0:
            return any_hint(v, me) if module == GUESS else NONE
        if module == GUESS:
            return 5 + planned_discard(s.known[me], row(s.m, TOUCHED, me), s.m[USELESS], s.m[CRITICAL])
        slot = oldest_within(s.known, me, s.m[USELESS])
        return 5 + slot if slot != NONE else NONE
    if v.hints < 2:
        return NONE
    if module == PLAY_TIP:
        return best_play_tip(s, GOOD_AT)
    if module == RISKY:
        return best_play_tip(s, RISKY_AT)
    if module == INFORMATION:
        return best_play_tip(s, INFORMATION_AT)
    if module == DISCARD_TIP:
        return best_discard_tip(s)
    return save_tip(s)


@rule
def decide(v, me, memory, w):
    """The action, and the number of the module that chose it."""
    hear(v, memory)
    known = np.empty((SEATS, SLOTS), np.int64)
    counts = np.empty(CARDS, np.int64)
    deduce_all(v, me, counts, known)
    marks = np.zeros((4, SEATS), np.int64)
    s = Scene(v, me, np.int64(v.players), memory, known, counts, marks[0], marks[1], marks[2], marks[3], w)
    foresee(s)
    order = 0 if v.hints < 3 else 1 if v.hints < 6 else 2 if v.hints < 8 else 3
    for i in range(10):
        module = ORDERS[order, i]
        action = fire(s, module)
        if action != NONE:
            return action, module
    return NONE, 0


HAND_SET = weights(
    (1.8, -10.0, 1.01),
    (0.9, 0.3, -2.5, 1.01, 1.07, 0.2, 0.5, 1.3),
    (0.9, 0.3, -1.6, 1.01, 1.07, 0.2, 0.5, 1.3),
    (0.65, 0.3, -2.5, 1.01, 1.07, 0.7, 1.0, 1.3),
)
TUNED_2 = weights(
    (3.116, -5.870, 1.036),
    (0.727, 0.845, -6.846, 1.270, 1.226, -0.029, 0.031, 1.707),
    (0.578, 0.354, -1.999, 0.853, 0.936, 0.374, 0.199, 1.691),
    (4.191, 0.419, -9.258, 0.733, 1.175, 0.282, -0.158, 1.340),
)
TUNED_4 = weights(
    (3.968, -1.224, 1.106),
    (0.697, 0.494, -5.097, 1.180, 1.150, 0.105, 0.060, 1.731),
    (3.981, 0.692, -6.640, 0.996, 1.002, -0.211, -0.032, 1.703),
    (2.384, 0.293, -8.867, 1.030, 1.122, 0.488, 0.305, 1.498),
)


@policy("plays what hints promise; 10 rules in an order that depends on the hints left", settings=HAND_SET, memory=LENGTH)
def trustful(view, seat, actions, memory, parameters, rng):
    action, module = decide(view, seat, memory, parameters)
    return action


@policy("trustful with weights tuned for two players", settings=TUNED_2, memory=LENGTH)
def bayesian_trustful2(view, seat, actions, memory, parameters, rng):
    action, module = decide(view, seat, memory, parameters)
    return action


@policy("trustful with weights tuned for four players", settings=TUNED_4, memory=LENGTH)
def bayesian_trustful4(view, seat, actions, memory, parameters, rng):
    action, module = decide(view, seat, memory, parameters)
    return action
