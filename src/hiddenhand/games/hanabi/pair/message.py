"""What an action says: the actions that it stands among, the leaf that each of them means, and what is heard."""

import numpy as np

from hiddenhand.games.hanabi.deduction import FREE
from hiddenhand.games.hanabi.pair.memory import (
    MEMORY,
    count_left,
    leaves_for,
    name,
    named_by,
    pace_of,
    promise,
    set_kinds,
    settle,
    sure,
)
from hiddenhand.games.hanabi.pair.tree import (
    CRITICAL,
    MOST,
    PLAYABLE,
    USELESS,
    chance,
    copies_in,
    leaf_of,
    set_layers,
)
from hiddenhand.games.hanabi.rules import CARDS, DISCARD, HINT, MOST_HINTS, NONE, SLOTS, touches
from hiddenhand.kernel import allocate, copy, count_bits, rule

HINTS = 10  # to one player: five colours, five ranks
CLASSES = 6  # of hints, where no hint may be empty
CLASSES_AT_8 = 4  # ... while nobody may discard

EQUAL = 0.02  # discards whose risks differ by no more count as equally good
TOKENS_WITH_PLAYS = 3  # up to so many tokens, discards of useless cards are alternatives to plays
PACE_WITH_PLAYS = 3  # ... while so many discards can be afforded
TOKENS_WITH_HINTS = 2  # from so many tokens on they are alternatives to hints
LAST_CARD = 1  # with so many cards in the deck plays are no messages any more

# How likely leaves choose: plays first, then hints by what they tell themselves (0 to 1.25), then discards.
OF_A_PLAY, OF_A_DISCARD = 9.0, 0.0
OF_A_CLASS = np.array([0.9, 0.8, 0.4, 0.5, 0.6, 0.7])  # those that can be given more often first


@rule
def risk_of(cards, kinds, layers):
    """How bad it is to discard a card that is one of a set."""
    return chance(cards, kinds[CRITICAL], layers) + 0.1 * chance(cards, FREE & ~kinds[USELESS], layers)


@rule
def class_of(v, memory, target, tokens, number, touched):
    """The class of a hint. Where hints may be empty, each of the ten is its own.

    Where they may not, a hint belongs to the newest card it touches: 0 (a rank) and 1 (a colour) touch the newest
    card of the hand; 2 and 3 the one before it; 4 the one before that; 5 all others. With eight tokens, when nobody
    may discard and something must be sayable, 2 and 3 are all hints that do not touch the newest card.
    """
    if v.empty_hints != 0:
        return number
    colour = 1 if number < 5 else 0
    newer = 0
    for slot in range(SLOTS - 1, -1, -1):
        if memory.can_be[target, slot] != 0:
            if (touched >> slot) & 1:
                if newer == 0:
                    return colour
                if newer == 1 or tokens == MOST_HINTS:
                    return 2 + colour
                return 4 if newer == 2 else 5
            newer += 1
    return 5


@rule
def count_classes(v, tokens):
    if v.empty_hints != 0:
        return HINTS
    return CLASSES if tokens < MOST_HINTS else CLASSES_AT_8


@rule
def alternatives(v, memory, actor, tokens, action, items):
    """Write the actions that this one stands among; returns how many, and the player whose hand they are about.

    A hint is about the player who gets it, any other action about the next player. Hints stand for their classes.
    """
    target = (action - HINT) // 10 if action >= HINT else (actor + 1) % np.int64(v.players)
    kinds = np.zeros(3, np.int64)
    set_kinds(memory, kinds)
    plays = sure(memory, actor, kinds[PLAYABLE])
    waste = sure(memory, actor, kinds[USELESS])
    playing, hinting = action < DISCARD, action >= HINT
    if playing and memory.deck <= LAST_CARD:
        return 0, target
    with_plays = plays > 0 and waste > 0 and tokens <= TOKENS_WITH_PLAYS and memory.deck > LAST_CARD
    with_plays = with_plays and pace_of(v, memory, kinds[USELESS]) >= PACE_WITH_PLAYS
    with_hints = plays == 0 and waste > 0 and TOKENS_WITH_HINTS <= tokens < MOST_HINTS
    with_hints = with_hints and v.empty_hints != 0 and v.players == 2
    n = 0
    if hinting or (not playing and with_hints):
        for number in range(count_classes(v, tokens)):
            items[n] = HINT + 10 * target + number
            n += 1
    if playing or (not hinting and with_plays):
        n = add_sure(memory, actor, kinds[PLAYABLE], 0, items, n)
    if (playing and with_plays) or (hinting and with_hints) or (not playing and not hinting and waste > 0):
        n = add_sure(memory, actor, kinds[USELESS], DISCARD, items, n)
    elif not playing and not hinting:
        n = add_equal(memory, actor, kinds, items, n)
    return n, target


@rule
def add_sure(memory, seat, part, first, items, n):
    """Add the actions, from `first` on, with the cards that are surely in a set, as everybody knows."""
    hand = memory.can_be[seat]
    for slot in range(SLOTS):
        if hand[slot] != 0 and hand[slot] & ~part == 0:
            items[n] = first + slot
            n += 1
    return n


@rule
def add_equal(memory, seat, kinds, items, n):
    """Add the discards that are as good as the best one by public knowledge."""
    counts = np.zeros(CARDS, np.int64)
    layers = np.zeros(3, np.int64)
    count_left(memory, counts)
    set_layers(counts, layers)
    hand = memory.can_be[seat]
    least = 9.0
    for slot in range(SLOTS):
        if hand[slot] != 0:
            least = min(least, risk_of(hand[slot], kinds, layers))
    for slot in range(SLOTS):
        if hand[slot] != 0 and risk_of(hand[slot], kinds, layers) <= least + EQUAL:
            items[n] = DISCARD + slot
            n += 1
    return n


@rule
def tells(leaf, number, kinds, layers):
    """How much the colour or rank that a hint names tells about a leaf, useless cards left out."""
    value = 0.0
    for slot in range(SLOTS):
        if leaf[slot] & ~kinds[USELESS] != 0:
            yes = chance(leaf[slot], named_by(number), layers)
            value += yes * (1.0 - yes)
    return value


@rule
def appeal(v, item, leaf, kinds, layers):
    """What makes a leaf choose an action."""
    if item < DISCARD:
        return OF_A_PLAY
    if item < HINT:
        return OF_A_DISCARD
    number = (item - HINT) % 10
    return tells(leaf, number, kinds, layers) if v.empty_hints != 0 else OF_A_CLASS[number]


@rule
def share_out(v, memory, leaves, n, items, count, item_of):
    """Write which action means which leaf: the leaves choose, the most likely one first."""
    counts = np.zeros(CARDS, np.int64)
    layers = np.zeros(3, np.int64)
    kinds = np.zeros(3, np.int64)
    count_left(memory, counts)
    set_layers(counts, layers)
    set_kinds(memory, kinds)
    chances = np.ones(MOST)
    for i in range(n):
        for slot in range(SLOTS):
            if leaves[i, slot] != 0:
                chances[i] *= copies_in(leaves[i, slot], layers)
    taken = np.zeros(MOST, np.bool_)
    done = np.zeros(MOST, np.bool_)
    for _ in range(n):
        at = NONE
        for i in range(n):
            if not done[i] and (at == NONE or chances[i] > chances[at]):
                at = i
        best, chosen = -1.0, 0
        for k in range(count):
            if not taken[k]:
                value = appeal(v, items[k], leaves[at], kinds, layers)
                if value > best:
                    best, chosen = value, k
        done[at] = True
        taken[chosen] = True
        item_of[at] = items[chosen]


@rule
def hear(v, memory, actor, tokens, action, touched, move):
    """An action was taken: everybody learns in which leaf the hand lies that it is about."""
    items = np.zeros(MOST, np.int64)
    count, target = alternatives(v, memory, actor, tokens, action, items)
    if count < 2:
        return
    leaves = np.empty((MOST, SLOTS), np.int64)
    item_of = np.zeros(MOST, np.int64)
    n = leaves_for(memory, target, count, leaves)
    share_out(v, memory, leaves, n, items, count, item_of)
    if action >= HINT:
        action = HINT + 10 * target + class_of(v, memory, target, tokens, (action - HINT) % 10, touched)
    for i in range(n):
        if item_of[i] == action:
            promise(memory, target, leaves[i], move)
            return


@rule
def say(v, memory, me, action, leaf):
    """The action, among those that this one stands among, that says the truth; NONE if it cannot be taken.

    Writes what it says: the leaf. An action that is no message is returned as it is, and so is one about a hand that
    does not fit what everybody knows (somebody did not follow the code).
    """
    items = np.zeros(MOST, np.int64)
    count, target = alternatives(v, memory, me, np.int64(v.hints), action, items)
    listed = action >= HINT
    for k in range(count):
        listed = listed or items[k] == action
    for slot in range(SLOTS):
        leaf[slot] = memory.can_be[target, slot]
    if not listed or count < 2:
        return action
    leaves = np.empty((MOST, SLOTS), np.int64)
    item_of = np.zeros(MOST, np.int64)
    n = leaves_for(memory, target, count, leaves)
    i = leaf_of(v.hands[target], leaves, n)
    if i == NONE:
        return action
    share_out(v, memory, leaves, n, items, count, item_of)
    for slot in range(SLOTS):
        leaf[slot] = leaves[i, slot]
    if item_of[i] < HINT or v.empty_hints != 0:
        return item_of[i]
    return best_of_class(v, memory, target, (item_of[i] - HINT) % 10, leaf)


@rule
def best_of_class(v, memory, target, wanted, leaf):
    """The hint of a class that leaves least open; NONE if none can be given."""
    best, fewest = NONE, 1000
    later = allocate(MEMORY, 1)
    for number in range(HINTS):
        touched = touches(v, target, number // 5, number % 5)
        if touched != 0 and class_of(v, memory, target, np.int64(v.hints), number, touched) == wanted:
            action = HINT + 10 * target + number
            after(v, memory, target, action, leaf, later[0])
            left = 0
            for slot in range(SLOTS):
                left += count_bits(later[0].can_be[target, slot])
            if left < fewest:
                best, fewest = action, left
    return best


@rule
def after(v, memory, target, action, leaf, later):
    """Write what everybody will know after an action that says this about a hand."""
    copy(later, memory)
    promise(later, target, leaf, 0)
    if action >= HINT:
        number = (action - HINT) % 10
        name(later, target, number, touches(v, target, number // 5, number % 5))
    settle(later)
