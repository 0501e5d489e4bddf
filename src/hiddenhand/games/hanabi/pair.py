"""`pair`."""

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.games.hanabi.deduction import (
    CARDS,
    COLOURS,
    FREE,
    NONE,
    RANKS,
    SLOTS,
    count_unseen,
    touched_slots,
)
from hiddenhand.games.hanabi.pair_code import HINTS, copies_in, leaf_of, set_layers
from hiddenhand.games.hanabi.pair_log import (
    CAN_BE,
    DISCARDED,
    HINTED,
    MEMORY,
    PILES,
    assign_hints,
    chance,
    code_of,
    name,
    number_of,
    promise,
    settle,
    options,
    place,
    risk_of,
    read_log,
    set_kinds,
)
from hiddenhand.kernel import rule

DEFAULTS = {
    "w0": 1.0, "w1": 0.5, "w2": 0.5, "w3": 0.3, "w4": 0.3, "w5": 0.3, "w6": 0.02,
    "r3": 0.7, "r2": 0.8, "r1": 1.0, "t_play": 4.0, "t_none": 2.0, "pace": 0.0, "risk": 0.1, "tk": 1.0, "eps": 0.02, "tol": 0.02, "first": 9.0, "m0": 0.7, "fpace": 0.0, "m1": 0.8
}


@rule
def own_cards(v, me, memory, cards, layers):
    """What my cards can be by all that I know: what everybody knows, less what I see in the other hands."""
    counts = np.zeros(CARDS, np.int64)
    count_unseen(v, me, me, counts)
    for slot in range(SLOTS):
        cards[slot] = memory[CAN_BE + place(me, slot)]
    for _ in range(SLOTS):
        changed = False
        for slot in range(SLOTS):
            if cards[slot] == 0 or cards[slot] & (cards[slot] - 1) == 0:
                continue
            gone = 0
            for card in range(CARDS):
                left = counts[card]
                for other in range(SLOTS):
                    if other != slot and cards[other] == 1 << card:
                        left -= 1
                if left <= 0:
                    gone |= 1 << card
            if cards[slot] & gone:
                changed = True
                cards[slot] &= ~gone
                if cards[slot] == 0:
                    cards[slot] = memory[HINTED + place(me, slot)]
        if not changed:
            break
    for slot in range(SLOTS):
        if cards[slot] != 0 and cards[slot] & (cards[slot] - 1) == 0:
            counts[number_of(cards[slot])] -= 1
    set_layers(counts, layers)


@rule
def sure(memory, seat, part):
    """How many cards of a seat are surely in a set, as everybody knows."""
    n = 0
    for slot in range(SLOTS):
        cards = memory[CAN_BE + place(seat, slot)]
        if cards != 0 and cards & ~part == 0:
            n += 1
    return n


@rule
def is_legal(action, actions):
    for i in range(len(actions)):
        if actions[i] == action:
            return True
    return False


@rule
def signal(v, me, memory, playing, p):
    """The slot that tells the next player the truth, if I can choose between several; otherwise NONE."""
    slots = np.zeros(SLOTS, np.int64)
    n = options(memory, me, playing, p, slots)
    if n < 2:
        return NONE
    other = (me + 1) % np.int64(v.players)
    leaves = np.zeros((HINTS, SLOTS), np.int64)
    leaf = leaf_of(v.hands[other], leaves, code_of(v, memory, other, p, n, leaves))
    return NONE if leaf == NONE else slots[leaf]


@rule
def choose(v, me, actions, memory, p):
    read_log(v, memory, p)
    kinds = np.zeros(3, np.int64)
    set_kinds(memory, kinds)
    playable, useless, critical = kinds[0], kinds[1], kinds[2]
    cards = np.zeros(SLOTS, np.int64)
    layers = np.zeros(3, np.int64)
    own_cards(v, me, memory, cards, layers)
    # plays
    best, slot_played, top = -1.0, NONE, 0.0
    likely = NONE
    for slot in range(SLOTS):
        if cards[slot] == 0:
            continue
        if cards[slot] & ~playable == 0:
            low = 0
            while (cards[slot] >> low) & 1 == 0:
                low += 1
            value = 5.0 - low % RANKS
            if value > best:
                best, slot_played = value, slot
        c = chance(cards[slot], playable, layers)
        if c > top:
            top, likely = c, slot
    last_round = v.turns_left >= 0
    tokens = np.int64(v.hints)
    players = np.int64(v.players)
    score, most = 0, 0
    for colour in range(COLOURS):
        score += memory[PILES + colour]
        for rank in range(RANKS):
            if (useless >> (colour * RANKS + rank)) & 1 == 0 or rank < memory[PILES + colour]:
                most += 1
    pace = score + np.int64(v.deck_left) + players - most
    # the hint
    hint, hint_value = NONE, -1.0
    if tokens > 0:
        leaves = np.zeros((HINTS, SLOTS), np.int64)
        for step in range(1, players):
            other = (me + step) % players
            if v.turns_left >= 0 and step >= v.turns_left:
                break
            n = code_of(v, memory, other, p, HINTS, leaves)
            leaf = leaf_of(v.hands[other], leaves, n)
            if leaf == NONE:
                continue
            hint_of = np.zeros(HINTS, np.int64)
            assign_hints(memory, other, leaves, n, p, hint_of)
            action = 10 + 10 * other + hint_of[leaf]
            if not is_legal(action, actions):
                continue
            before = sure(memory, other, playable)
            later = memory.copy()
            promise(later, other, leaves[leaf], 0)
            name(later, other, hint_of[leaf], touched_slots(v, other, hint_of[leaf] // 5, hint_of[leaf] % 5))
            settle(v, later)
            after = sure(later, other, playable)
            value = 0.0
            if before == 0:
                value += 1.0
                if after > 0:
                    value += 1.0
            if value > hint_value:
                hint, hint_value = action, value
    if slot_played != NONE:
        if p[17] <= tokens and hint_value >= 2.0 and not last_round and pace > p[19]:
            return hint, 13
        free = signal(v, me, memory, True, p)
        return (free if free != NONE else slot_played), 1
    mark = p[7] if v.lives == 3 else p[8] if v.lives == 2 else p[9]
    if tokens == 0:
        mark = min(mark, p[18] if v.lives == 3 else p[20] if v.lives == 2 else 2.0)
    if top >= mark and likely != NONE:
        return likely, 2
    if last_round:
        if hint != NONE and hint_value >= 2.0:
            return hint, 3
        if top > 0.0 and (v.lives > 1 or v.bomb_zero == 0):
            return likely, 4
        if hint != NONE:
            return hint, 3
    # the discard
    discard, risk = NONE, 1e9
    for slot in range(SLOTS):
        if cards[slot] == 0:
            continue
        r = risk_of(cards[slot], kinds, layers)
        if r < risk:
            risk, discard = r, slot
    free = signal(v, me, memory, False, p)
    if free != NONE:
        slots = np.zeros(SLOTS, np.int64)
        n = options(memory, me, False, p, slots)
        risk = risk_of(cards[free], kinds, layers) - p[16]
        discard = free
        for slot in range(SLOTS):
            listed = False
            for i in range(n):
                listed = listed or slots[i] == slot
            if cards[slot] != 0 and not listed:
                r = risk_of(cards[slot], kinds, layers)
                if r < risk:
                    risk, discard = r, slot
        risk = risk_of(cards[discard], kinds, layers)
    may_discard = discard != NONE and is_legal(5 + discard, actions)
    if hint != NONE:
        if not may_discard or (tokens == 8):
            return hint, 5
        if hint_value >= 2.0:
            return hint, 5
        if pace <= p[12]:
            return hint, 6
        if hint_value >= 1.0 and tokens >= p[11]:
            return hint, 7
        if tokens >= p[10]:
            return hint, 8
        if risk > p[13] and tokens >= p[14]:
            return hint, 9
    if may_discard:
        return 5 + discard, 10
    if hint != NONE:
        return hint, 11
    return actions[len(actions) - 1], 12


@policy("two players: every hint is a code for the whole hand", settings={k: Setting(x) for k, x in DEFAULTS.items()}, memory=MEMORY)
def pair(view, seat, actions, memory, parameters, rng):
    action, module = choose(view, seat, actions, memory, parameters)
    return action


@pair.explains
def reasons(view, action):
    return ["..."]
