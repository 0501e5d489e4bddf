"""Deals: how hidden cards can lie in three hands, counted, weighed and drawn exactly.

`weights[i, h]` says how well card i goes with hand h: 0 where it cannot be there. The weight of a whole deal is the
product over its cards, and every hand takes exactly as many cards as it has `slots`. With weights of 0 and 1 the
total is the number of possible deals (exact up to 2**53), and a draw is uniform among them.

One table does it all: `ways[i, a, b]` is the total weight of dealing the cards from i on when the first hand has room
for a more and the second for b more; the third takes the rest.
"""

import numpy as np

from hiddenhand.kernel import rule, uniform

HANDS = 3


@rule
def new_ways(cards, slots):
    """Room for the table: float64[cards + 1, slots[0] + 1, slots[1] + 1]."""
    return np.empty((cards + 1, slots[0] + 1, slots[1] + 1))


@rule
def count_ways(weights, slots, ways):
    """Fill the table and return the total weight of all deals of the `ways.shape[0] - 1` cards."""
    cards = ways.shape[0] - 1
    for a in range(slots[0] + 1):
        for b in range(slots[1] + 1):
            ways[cards, a, b] = 0.0
    ways[cards, 0, 0] = 1.0
    for i in range(cards - 1, -1, -1):
        left = cards - i
        for a in range(slots[0] + 1):
            for b in range(slots[1] + 1):
                c = left - a - b
                total = 0.0
                if 0 <= c <= slots[2]:
                    if a > 0:
                        total += weights[i, 0] * ways[i + 1, a - 1, b]
                    if b > 0:
                        total += weights[i, 1] * ways[i + 1, a, b - 1]
                    if c > 0:
                        total += weights[i, 2] * ways[i + 1, a, b]
                ways[i, a, b] = total
    return ways[0, slots[0], slots[1]]


@rule
def draw_deal(weights, slots, ways, rng, owners):
    """Write the hand of each card, drawn with probability in proportion to the weight of the deal."""
    a, b = slots[0], slots[1]
    for i in range(ways.shape[0] - 1):
        point = uniform(rng) * ways[i, a, b]
        first = weights[i, 0] * ways[i + 1, a - 1, b] if a > 0 else 0.0
        if point < first:
            owners[i] = 0
            a -= 1
            continue
        second = weights[i, 1] * ways[i + 1, a, b - 1] if b > 0 else 0.0
        third = weights[i, 2] * ways[i + 1, a, b]
        # a hand that cannot take the card is never chosen, whatever rounding did to the sum
        if point >= first + second and third > 0.0:
            owners[i] = 2
        elif second > 0.0:
            owners[i] = 1
            b -= 1
        else:
            owners[i] = 0
            a -= 1


@rule
def numbered_deal(weights, slots, ways, number, owners):
    """Write the hand of each card in deal `number` of all possible ones, counted from 0. The weights are 0 and 1."""
    a, b = slots[0], slots[1]
    left = np.float64(number)
    for i in range(ways.shape[0] - 1):
        first = weights[i, 0] * ways[i + 1, a - 1, b] if a > 0 else 0.0
        if left < first:
            owners[i] = 0
            a -= 1
            continue
        left -= first
        second = weights[i, 1] * ways[i + 1, a, b - 1] if b > 0 else 0.0
        if left < second:
            owners[i] = 1
            b -= 1
            continue
        left -= second
        owners[i] = 2


@rule
def marginals(weights, slots, ways, chances):
    """Write chances[i, h]: the probability that card i lies in hand h. Returns the total weight."""
    cards = ways.shape[0] - 1
    total = ways[0, slots[0], slots[1]]
    # reached[i, a, b]: total weight of the ways in which the cards before i leave the first two hands this room
    reached = np.zeros((cards + 1, slots[0] + 1, slots[1] + 1))
    reached[0, slots[0], slots[1]] = 1.0
    for i in range(cards):
        for h in range(HANDS):
            chances[i, h] = 0.0
        for a in range(slots[0] + 1):
            for b in range(slots[1] + 1):
                before = reached[i, a, b]
                if before == 0.0:
                    continue
                if a > 0 and weights[i, 0] > 0.0:
                    chances[i, 0] += before * weights[i, 0] * ways[i + 1, a - 1, b]
                    reached[i + 1, a - 1, b] += before * weights[i, 0]
                if b > 0 and weights[i, 1] > 0.0:
                    chances[i, 1] += before * weights[i, 1] * ways[i + 1, a, b - 1]
                    reached[i + 1, a, b - 1] += before * weights[i, 1]
                if weights[i, 2] > 0.0:
                    chances[i, 2] += before * weights[i, 2] * ways[i + 1, a, b]
                    reached[i + 1, a, b] += before * weights[i, 2]
        for h in range(HANDS):
            chances[i, h] /= total
    return total
