"""The tree of questions about a hand, and its leaves.

A hand is a row of five sets of cards (numbers with 25 bits, as in `deduction`): what each card can be as far as
everybody knows. A question asks whether one of the cards is in a part of its set: "is card 4 playable?", "is card 1
useless?". The tree is grown question by question: always the leaf and the question that are worth most. A leaf is
again a row of five sets. The true hand lies in exactly one leaf.
"""

import numpy as np

from hiddenhand.games.hanabi.rules import CARDS, COLOURS, NONE, RANKS, SLOTS
from hiddenhand.kernel import count_bits, rule

MOST = 16  # leaves
PLAYABLE, USELESS, CRITICAL = 0, 1, 2  # the kinds of cards: rows of `kinds`
QUESTIONS = 4  # about a card: is it of each of these kinds, is it among the half that can be played sooner
STEPS = 1 + COLOURS * RANKS

# What a question is worth, times chance of yes times chance of no.
FIRST_PLAY = 1.0  # is it playable, if no card of the leaf surely is
MORE_PLAYS = 0.5  # ... if one is
FIRST_WASTE = 0.5  # is it useless, if no card of the leaf surely is
MORE_WASTE = 0.3  # ... if one is
LAST_COPY = 0.3  # is it critical
SOONER = 0.2  # is it among the half of its set that can be played sooner
SETTLED = 0.02  # the same of a card that is surely playable or surely useless


@rule
def set_layers(counts, layers):
    """Write the sets of cards of which at least one, two and three copies are left."""
    one, two, three = 0, 0, 0
    for card in range(CARDS):
        bit, count = 1 << card, counts[card]
        one |= bit if count > 0 else 0
        two |= bit if count > 1 else 0
        three |= bit if count > 2 else 0
    layers[0], layers[1], layers[2] = one, two, three


@rule
def copies_in(cards, layers):
    """How many copies are left of all cards of a set together."""
    return count_bits(cards & layers[0]) + count_bits(cards & layers[1]) + count_bits(cards & layers[2])


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
def sooner_half(cards, total, layers, steps):
    """The cards of a set in the order of `steps`, up to about half of the copies (`total`)."""
    part, upto, best, distance = 0, 0, 0, total
    for i in range(STEPS):
        if cards & steps[i]:
            part |= cards & steps[i]
            upto += copies_in(cards & steps[i], layers)
            off = abs(2 * upto - total)
            if off < distance:
                best, distance = part, off
            if 2 * upto >= total:  # from here on it is ever more than half
                break
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
def set_answers(cards, layers, kinds, steps, answers):
    """Write the chances of yes to the four questions about a card; returns the part of the last one."""
    for number in range(QUESTIONS):
        answers[number] = 0.0
    if only_one(cards):
        return 0
    total = copies_in(cards, layers)
    half = sooner_half(cards, total, layers, steps)
    if total > 0:
        for kind in range(3):
            answers[kind] = copies_in(cards & kinds[kind], layers) / total
        answers[3] = copies_in(half, layers) / total
    return half


@rule
def best_question(leaf, kinds, answers):
    """(What the best question about a leaf is worth, its number: slot and kind in one.)"""
    plays = FIRST_PLAY if count_sure(leaf, kinds[PLAYABLE]) == 0 else MORE_PLAYS
    waste = FIRST_WASTE if count_sure(leaf, kinds[USELESS]) == 0 else MORE_WASTE
    best, found = 0.0, 0
    for slot in range(SLOTS):
        cards = leaf[slot]
        if only_one(cards):
            continue
        settled = cards & ~kinds[PLAYABLE] == 0 or cards & ~kinds[USELESS] == 0
        for number in range(QUESTIONS):
            if number == PLAYABLE:
                weight = plays
            elif number == USELESS:
                weight = waste
            elif number == CRITICAL:
                weight = LAST_COPY
            else:
                weight = SETTLED if settled else SOONER
            yes = answers[slot, number]
            worth = weight * yes * (1.0 - yes)
            if worth > best:
                best, found = worth, slot * QUESTIONS + number
    return best, found


@rule
def grow(hand, layers, kinds, steps, most, leaves):
    """Write up to `most` leaves (int64[MOST, SLOTS]) for a hand; returns how many."""
    chances = np.empty(MOST)
    worths = np.empty(MOST)
    questions = np.empty(MOST, np.int64)
    answers = np.empty((MOST, SLOTS, QUESTIONS))
    halves = np.empty((MOST, SLOTS), np.int64)
    for slot in range(SLOTS):
        leaves[0, slot] = hand[slot]
        halves[0, slot] = set_answers(hand[slot], layers, kinds, steps, answers[0, slot])
    chances[0] = 1.0
    worths[0], questions[0] = best_question(leaves[0], kinds, answers[0])
    n = 1
    while n < most:
        at = 0
        for i in range(1, n):
            if worths[i] * chances[i] > worths[at] * chances[at]:
                at = i
        if worths[at] <= 0.0:
            break
        slot, number = questions[at] // QUESTIONS, questions[at] % QUESTIONS
        part = halves[at, slot] if number == QUESTIONS - 1 else kinds[number]
        yes = answers[at, slot, number]
        for other in range(SLOTS):
            leaves[n, other] = leaves[at, other]
            halves[n, other] = halves[at, other]
            for each in range(QUESTIONS):
                answers[n, other, each] = answers[at, other, each]
        leaves[n, slot] &= ~part
        leaves[at, slot] &= part
        chances[n] = chances[at] * (1.0 - yes)
        chances[at] *= yes
        for leaf in (n, at):
            halves[leaf, slot] = set_answers(leaves[leaf, slot], layers, kinds, steps, answers[leaf, slot])
            worths[leaf], questions[leaf] = best_question(leaves[leaf], kinds, answers[leaf])
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
