"""`pair`."""

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.games.hanabi.deduction import CARDS, NONE, RANKS, SLOTS, count_unseen, touched_slots
from hiddenhand.games.hanabi.pair_code import HINTS, MOST, leaf_of, set_layers, size
from hiddenhand.games.hanabi.pair_log import (
    CAN_BE,
    DECK,
    HINTED,
    MEMORY,
    alternatives,
    assign,
    chance,
    class_of,
    code_of,
    name,
    number_of,
    pace_of,
    place,
    promise,
    read_log,
    risk_of,
    set_kinds,
    settle,
    sure,
)
from hiddenhand.kernel import rule

DEFAULTS = {
    "w0": 1.0, "w1": 0.5, "w2": 0.5, "w3": 0.3, "w4": 0.3, "w5": 0.2, "w6": 0.02,
    "r3": 0.7, "r2": 0.8, "r1": 1.0, "t_play": 2.0, "t_none": 2.0, "pace": 1.0, "risk": 0.1, "tk": 1.0, "eps": 0.02, "tol": 0.02, "first": 9.0, "m0": 0.7, "fpace": 0.0, "m1": 0.8,"cd": 0.0, "cp": 9.0, "jp_max": 3.0, "jp_pace": 3.0, "jh_min": 2.0, "jh_max": 7.0, "jh_pace": 0.0, "dk": 1.0, "dh": 1.0
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
def is_legal(action, actions):
    for i in range(len(actions)):
        if actions[i] == action:
            return True
    return False


@rule
def say(v, me, memory, action, p, leaf):
    """The action, among the alternatives to this one, that tells the truth, or NONE; writes what it says."""
    items = np.zeros(MOST, np.int64)
    item_of = np.zeros(MOST, np.int64)
    count, target = alternatives(v, memory, me, np.int64(v.hints), action, p, items)
    listed = False
    for k in range(count):
        listed = listed or items[k] == action
    for slot in range(SLOTS):
        leaf[slot] = memory[CAN_BE + place(target, slot)]
    if not listed or count < 2:
        return action
    leaves = np.zeros((MOST, SLOTS), np.int64)
    n = code_of(v, memory, target, p, count, leaves)
    assign(memory, target, v.empty_hints == 0, leaves, n, items, count, p, item_of)
    i = leaf_of(v.hands[target], leaves, n)
    if i == NONE:
        return NONE
    for slot in range(SLOTS):
        leaf[slot] = leaves[i, slot]
    if item_of[i] < 10:
        return item_of[i]
    return best_of_class(v, memory, target, (item_of[i] - 10) % 10, leaf)


@rule
def best_of_class(v, memory, target, wanted, leaf):
    """The hint of this class that leaves least open; NONE if there is none."""
    if v.empty_hints != 0:
        return 10 + 10 * target + wanted
    best, open_cards = NONE, 1000
    for number in range(HINTS):
        touched = touched_slots(v, target, number // 5, number % 5)
        if touched != 0 and class_of(v, memory, target, np.int64(v.hints), number, touched) == wanted:
            later = memory.copy()
            promise(later, target, leaf, 0)
            name(later, target, number, touched)
            settle(v, later)
            total = 0
            for slot in range(SLOTS):
                total += size(later[CAN_BE + place(target, slot)])
            if total < open_cards:
                best, open_cards = 10 + 10 * target + number, total
    return best


@rule
def after_playing(playable, card):
    """The playable cards after one of them was played."""
    next_card = 0 if card % RANKS == RANKS - 1 else 2 << card
    return playable & ~(1 << card) | next_card


@rule
def best_two(first, second, playable):
    """How many cards two players with these cards can play in a turn each."""
    best = 0
    for card in range(CARDS):
        if (first & playable) >> card & 1:
            best = max(best, 2 if second & after_playing(playable, card) else 1)
    if best == 0 and second & playable:
        best = 1
    return best


@rule
def best_three(first, second, playable):
    """How many cards two players with these cards can play in three turns."""
    best = best_two(second, first, playable)
    for card in range(CARDS):
        if (first & playable) >> card & 1:
            rest = first & ~(1 << card)
            best = max(best, 1 + best_two(second, rest, after_playing(playable, card)))
    return best


@rule
def last_play(v, me, cards, playable, draws):
    """The sure play after which most cards can be played until the end, and whether to leave the last card to the other.

    """
    players = np.int64(v.players)
    other = (me + 1) % players
    mine, theirs = 0, 0
    for slot in range(SLOTS):
        if cards[slot] & (cards[slot] - 1) == 0:
            mine |= cards[slot]
        if v.hands[other, slot] != NONE:
            theirs |= 1 << np.int64(v.hands[other, slot])
    best, slot_played = -1, NONE
    for slot in range(SLOTS):
        if cards[slot] != 0 and cards[slot] & ~playable == 0:
            value = 1
            if cards[slot] & (cards[slot] - 1) == 0:
                rest = mine & ~cards[slot]
                later = after_playing(playable, number_of(cards[slot]))
            else:
                rest, later = mine, playable & ~cards[slot]
            if draws:
                value += best_two(theirs, rest, later)
            elif theirs & later and v.turns_left > 1:
                value += 1
            if value > best:
                best, slot_played = value, slot
    wait = draws and best_three(theirs, mine, playable) > best
    return slot_played, wait


@rule
def choose(v, me, actions, memory, p):
    read_log(v, memory, p)
    kinds = np.zeros(3, np.int64)
    leaf = np.zeros(SLOTS, np.int64)
    set_kinds(memory, kinds)
    playable, useless, critical = kinds[0], kinds[1], kinds[2]
    cards = np.zeros(SLOTS, np.int64)
    layers = np.zeros(3, np.int64)
    own_cards(v, me, memory, cards, layers)
    last_round = v.turns_left >= 0
    tokens = np.int64(v.hints)
    players = np.int64(v.players)
    pace = pace_of(v, memory, useless)
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
            if memory[CAN_BE + place(me, slot)] & ~playable == 0:
                value += 10.0
            if value > best:
                best, slot_played = value, slot
        c = chance(cards[slot], playable, layers)
        if c > top:
            top, likely = c, slot
    wait = False
    if slot_played != NONE and memory[DECK] <= p[28] and players == 2:
        slot_played, wait = last_play(v, me, cards, playable, memory[DECK] == 1)
    wait = wait and tokens > 0
    if slot_played != NONE and not wait:
        action = say(v, me, memory, slot_played, p, leaf)
        return (action if action != NONE else slot_played), 1
    # the hint
    hint, hint_value = NONE, -1.0
    if tokens > 0:
        for step in range(1, players):
            other = (me + step) % players
            if v.turns_left >= 0 and step >= v.turns_left:
                break
            action = say(v, me, memory, 10 + 10 * other, p, leaf)
            if action == NONE or not is_legal(action, actions):
                continue
            before = sure(memory, other, playable)
            later = memory.copy()
            promise(later, other, leaf, 0)
            if action >= 10:
                number = (action - 10) % 10
                name(later, other, number, touched_slots(v, other, number // 5, number % 5))
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
        return (hint if hint != NONE else slot_played), 13
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
        if say(v, me, memory, 5 + slot, p, leaf) != 5 + slot:
            continue
        if r < risk:
            risk, discard = r, slot
    may_discard = discard != NONE and is_legal(5 + discard, actions)
    if hint != NONE:
        if memory[DECK] == 1 and tokens >= p[29]:
            return hint, 14
        if not may_discard or tokens == 8 or hint < 10:
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
    return (likely if likely != NONE else actions[0]), 12


@policy("two players: every hint is a code for the whole hand", settings={k: Setting(x) for k, x in DEFAULTS.items()}, memory=MEMORY)
def pair(view, seat, actions, memory, parameters, rng):
    action, module = choose(view, seat, actions, memory, parameters)
    return action


@pair.explains
def reasons(view, action):
    return ["..."]
