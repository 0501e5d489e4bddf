"""The code of `pair`: what each of the ten hints to a player says about the whole hand.

Both players keep, for every card in every hand, the set of cards it can be as far as everybody knows. From these
sets a tree of yes-or-no questions follows ("is card 4 playable?", "is card 1 useless?"): always the question that is
worth most is asked next, until there are as many leaves as hints. The hand of the player who is told lies in exactly
one leaf; the hint with the number of that leaf is given. Everybody knows the tree, so everybody knows what was said.

A leaf, like a hand, is a row of sets of cards (numbers with 25 bits, as in `deduction`).
"""

import numpy as np

from hiddenhand.games.hanabi.deduction import CARDS, COLOURS, COPIES, NONE, RANKS, SLOTS
from hiddenhand.kernel import COMPILED, rule

HINTS = 10  # to one player: five colours, five ranks
MOST = 16  # leaves


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

    def size(cards):
        return int(cards).bit_count()


@rule
def copies_in(cards, layers):
    """How many unseen copies the cards of a set have together; layers: those with at least one, two, three."""
    return size(cards & layers[0]) + size(cards & layers[1]) + size(cards & layers[2])


@rule
def set_layers(counts, layers):
    """Write the sets of cards of which at least one, two and three copies are unseen."""
    for k in range(3):
        found = 0
        for card in range(CARDS):
            if counts[card] > k:
                found |= 1 << card
        layers[k] = found


@rule
def worth(cards, part, layers, weight):
    """What it is worth to learn whether a card out of a set is in a part of it: nothing if that is known."""
    inside = copies_in(cards & part, layers)
    total = copies_in(cards, layers)
    if inside == 0 or inside == total:
        return 0.0, 0.0
    chance = inside / total
    return weight * chance * (1.0 - chance), chance


@rule
def lower_half(cards, layers, steps):
    """The cards of a set in the order in which they can be played, up to half of the copies."""
    total = copies_in(cards, layers)
    part = 0
    best, distance = 0, total
    for i in range(len(steps)):
        if cards & steps[i]:
            part |= cards & steps[i]
            off = abs(2 * copies_in(part, layers) - total)
            if off < distance:
                best, distance = part, off
    return best


@rule
def set_steps(piles, useless, steps):
    """Write the order in which cards matter: the useless ones, then one by one, the next of each pile first."""
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
def best_question(leaf, layers, kinds, steps, weights, out):
    """The slot and the part of its cards to ask about: out[0], out[1]; returns its worth and the chance of yes."""
    playable, useless, critical = kinds[0], kinds[1], kinds[2]
    plays, wastes = 0, 0
    for slot in range(SLOTS):
        if leaf[slot] != 0 and leaf[slot] & ~playable == 0:
            plays += 1
        if leaf[slot] != 0 and leaf[slot] & ~useless == 0:
            wastes += 1
    best, likely = 0.0, 0.0
    for slot in range(SLOTS):
        cards = leaf[slot]
        if cards & (cards - 1) == 0:
            continue
        for q in range(4):
            if q == 0:
                part, weight = playable, weights[0] if plays == 0 else weights[1]
            elif q == 1:
                part, weight = useless, weights[2] if wastes == 0 else weights[3]
            elif q == 2:
                part, weight = critical, weights[4]
            else:
                part, weight = lower_half(cards, layers, steps), weights[5]
                if cards & ~useless == 0 or (cards & ~playable == 0):
                    weight = weights[6]
            value, chance = worth(cards, part, layers, weight)
            if value > best:
                best, likely = value, chance
                out[0], out[1] = slot, part
    return best, likely


@rule
def grow(hand, layers, kinds, steps, weights, most, leaves):
    """Write the leaves (int64[MOST, SLOTS]) for a hand of sets of cards; returns how many there are, up to `most`."""
    chances = np.zeros(MOST)
    gains = np.zeros(MOST)
    yes = np.zeros(MOST)
    questions = np.zeros((MOST, 2), np.int64)
    for slot in range(SLOTS):
        leaves[0, slot] = hand[slot]
    chances[0] = 1.0
    gains[0], yes[0] = best_question(leaves[0], layers, kinds, steps, weights, questions[0])
    n = 1
    while n < most:
        split = 0
        for i in range(1, n):
            if gains[i] * chances[i] > gains[split] * chances[split]:
                split = i
        if gains[split] <= 0.0:
            break
        slot, part = questions[split, 0], questions[split, 1]
        for other in range(SLOTS):
            leaves[n, other] = leaves[split, other]
        leaves[n, slot] &= ~part
        leaves[split, slot] &= part
        chances[n] = chances[split] * (1.0 - yes[split])
        chances[split] *= yes[split]
        gains[n], yes[n] = best_question(leaves[n], layers, kinds, steps, weights, questions[n])
        gains[split], yes[split] = best_question(leaves[split], layers, kinds, steps, weights, questions[split])
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
