"""The tree of questions about a hand, and its leaves.

A hand is a row of five sets of cards (numbers with 25 bits, as in `deduction`): what each card can be as far as
everybody knows. A question asks whether one of the cards is in a part of its set: "is card 4 playable?", "is card 1
useless?". The tree is grown question by question: always the leaf and the question that are worth most. A leaf is
again a row of five sets. The true hand lies in exactly one leaf.
"""

import numpy as np

from hiddenhand.games.hanabi.rules import CARDS, COLOURS, NONE, RANKS, SLOTS
from hiddenhand.kernel import COMPILED, rule

MOST = 16  # leaves
PLAYABLE, USELESS, CRITICAL = 0, 1, 2  # the kinds of cards: rows of `kinds`
STEPS = 1 + COLOURS * RANKS

# What a question is worth, times chance of yes times chance of no.
FIRST_PLAY = 1.0  # is it playable, if no card of the leaf surely is
MORE_PLAYS = 0.5  # ... if one is
FIRST_WASTE = 0.5  # is it useless, if no card of the leaf surely is
MORE_WASTE = 0.3  # ... if one is
LAST_COPY = 0.3  # is it critical
SOONER = 0.2  # is it among the half of its set that can be played sooner
SETTLED = 0.02  # the same of a card that is surely playable or surely useless

if COMPILED:
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def size(typing_context, cards):
        """How many cards are in a set: one instruction of the processor."""

        def generate(context, builder, signature, arguments):
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

else:

    def size(cards: int) -> int:
        return int(cards).bit_count()


@rule
def set_layers(counts, layers):
    """Write the sets of cards of which at least one, two and three copies are left."""
    for k in range(3):
        found = 0
        for card in range(CARDS):
            if counts[card] > k:
                found |= 1 << card
        layers[k] = found


@rule
def copies_in(cards, layers):
    """How many copies are left of all cards of a set together."""
    return size(cards & layers[0]) + size(cards & layers[1]) + size(cards & layers[2])


@rule
def only_one(cards):
    """Whether a set is a single card (or empty)."""
    return cards & (cards - 1) == 0


@rule
def chance(cards, part, layers):
    """The chance that a card, one of a set, is in a part of it, by the copies left."""
    if only_one(cards):
        return 1.0 if cards & part else 0.0
    total = copies_in(cards, layers)
    if total == 0:
        return 0.0
    return copies_in(cards & part, layers) / total


@rule
def set_steps(piles, useless, steps):
    """Write the order in which cards can be played: the useless ones, then one by one, next of each pile first."""
    steps[0] = useless
    n = 1
    for ahead in range(RANKS):
        for colour in range(COLOURS):
            rank = piles[colour] + ahead
            steps[n] = 0
            if rank < RANKS:
                steps[n] = (1 << (colour * RANKS + rank)) & ~useless
            n += 1


@rule
def sooner_half(cards, layers, steps):
    """The cards of a set in the order of `steps`, up to about half of the copies."""
    total = copies_in(cards, layers)
    part, best, distance = 0, 0, total
    for i in range(STEPS):
        if cards & steps[i]:
            part |= cards & steps[i]
            off = abs(2 * copies_in(part, layers) - total)
            if off < distance:
                best, distance = part, off
    return best


@rule
def count_sure(hand, part):
    """How many cards of a hand are surely in a set."""
    n = 0
    for slot in range(SLOTS):
        if hand[slot] != 0 and hand[slot] & ~part == 0:
            n += 1
    return n


@rule
def best_question(leaf, layers, kinds, steps, question):
    """Write the slot and the part of its set to ask about; returns what that is worth and the chance of yes."""
    plays = FIRST_PLAY if count_sure(leaf, kinds[PLAYABLE]) == 0 else MORE_PLAYS
    waste = FIRST_WASTE if count_sure(leaf, kinds[USELESS]) == 0 else MORE_WASTE
    best, best_yes = 0.0, 0.0
    for slot in range(SLOTS):
        cards = leaf[slot]
        if only_one(cards):
            continue
        settled = cards & ~kinds[PLAYABLE] == 0 or cards & ~kinds[USELESS] == 0
        for number in range(4):
            if number == 0:
                part, weight = kinds[PLAYABLE], plays
            elif number == 1:
                part, weight = kinds[USELESS], waste
            elif number == 2:
                part, weight = kinds[CRITICAL], LAST_COPY
            else:
                part, weight = sooner_half(cards, layers, steps), SETTLED if settled else SOONER
            yes = chance(cards, part, layers)
            worth = weight * yes * (1.0 - yes)
            if worth > best:
                best, best_yes = worth, yes
                question[0], question[1] = slot, part
    return best, best_yes


@rule
def grow(hand, layers, kinds, steps, most, leaves):
    """Write up to `most` leaves (int64[MOST, SLOTS]) for a hand; returns how many."""
    chances = np.zeros(MOST)
    worths = np.zeros(MOST)
    yes = np.zeros(MOST)
    questions = np.zeros((MOST, 2), np.int64)
    for slot in range(SLOTS):
        leaves[0, slot] = hand[slot]
    chances[0] = 1.0
    worths[0], yes[0] = best_question(leaves[0], layers, kinds, steps, questions[0])
    n = 1
    while n < most:
        at = 0
        for i in range(1, n):
            if worths[i] * chances[i] > worths[at] * chances[at]:
                at = i
        if worths[at] <= 0.0:
            break
        slot, part = questions[at, 0], questions[at, 1]
        for other in range(SLOTS):
            leaves[n, other] = leaves[at, other]
        leaves[n, slot] &= ~part
        leaves[at, slot] &= part
        chances[n] = chances[at] * (1.0 - yes[at])
        chances[at] *= yes[at]
        worths[n], yes[n] = best_question(leaves[n], layers, kinds, steps, questions[n])
        worths[at], yes[at] = best_question(leaves[at], layers, kinds, steps, questions[at])
        n += 1
    return n


@rule
def leaf_of(cards, leaves, n):
    """The leaf in which a hand of cards lies, or NONE."""
    for i in range(n):
        fits = True
        for slot in range(SLOTS):
            if cards[slot] != NONE and (leaves[i, slot] >> np.int64(cards[slot])) & 1 == 0:
                fits = False
                break
        if fits:
            return i
    return NONE
