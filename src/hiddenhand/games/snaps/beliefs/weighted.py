"""The weighted belief: possible deals, weighted by how likely the others' moves were in each (Bayes' rule).

A number of deals, the particles, is taken from all that are possible: one by lot from each of as many equal parts, or
all of them when there are no more. Each gets the likelihood of the others' moves as its weight. Chances are weighted
means; worlds are drawn in proportion to their weights.
"""

import numpy as np

from hiddenhand.belief.deals import HANDS, count_ways, new_ways, numbered_deal
from hiddenhand.games.snaps.beliefs.exact import draw_exact, lay_out, open_chances
from hiddenhand.games.snaps.beliefs.history import MOST_DECISIONS, new_states, past_decisions
from hiddenhand.games.snaps.beliefs.likelihood import PARTICLES, hand_likelihood
from hiddenhand.games.snaps.cards import CARDS, SEATS, bit
from hiddenhand.games.snaps.knowledge import other_seat, unseen_cards
from hiddenhand.games.snaps.state import CHOOSING, FINISHED
from hiddenhand.kernel import mix, rule, uniform

EMPTY = -1


@rule
def weigh_worlds(view, seat, kind, model, rng):
    """(hands int64[m, 4], weights float64[m]): m worlds and the likelihood of the others' moves in each, m >= 1."""
    cards = np.empty(CARDS, np.int64)
    allowed = np.empty((CARDS, HANDS))
    slots = np.empty(HANDS, np.int64)
    owners = np.empty(CARDS, np.int64)
    n = unseen_cards(view, seat, cards, allowed, slots)
    ways = new_ways(n, slots)
    total = count_ways(allowed, slots, ways)
    m = np.int64(min(total, max(model[PARTICLES], 1.0)))
    hands = np.empty((m, SEATS), np.int64)
    weights = np.empty(m)
    for i in range(m):
        number = np.float64(i)
        if total > m:
            number = min(np.floor((i + uniform(rng)) * (total / m)), total - 1.0)
        numbered_deal(allowed, slots, ways, number, owners)
        lay_out(view, seat, cards, owners, n, hands[i])
    weigh(view, seat, kind, model, rng, hands, weights)
    return hands, weights


@rule
def weigh(view, seat, kind, model, rng, hands, weights):
    """Write the weight of each world, float64[m]; each hand is judged once."""
    past = new_states(MOST_DECISIONS + 1)
    actions = np.empty(MOST_DECISIONS, np.int64)
    moves = past_decisions(view, hands[0], rng, past, actions)
    size = 16
    while size < 2 * len(hands):
        size *= 2
    keys = np.full(size, EMPTY)
    values = np.empty(size)
    for i in range(len(hands)):
        weights[i] = 1.0
    for hand in range(HANDS):
        other = other_seat(seat, hand)
        played = np.int64(0)
        for i in range(view.plays):
            if view.played_by[i] == other:
                played |= bit(view.played[i])
        for slot in range(size):
            keys[slot] = EMPTY
        for i in range(len(hands)):
            slot = find(keys, hands[i, other])
            if keys[slot] == EMPTY:
                keys[slot] = hands[i, other]
                first_hand = hands[i, other] | played
                values[slot] = hand_likelihood(past, actions, moves, other, first_hand, kind, model)
            weights[i] *= values[slot]


@rule
def find(keys, key):
    """The slot of a key in a table of open addresses, or the empty one where it belongs."""
    slot = np.int64(mix(np.uint64(key)) >> np.uint64(16)) & (len(keys) - 1)
    while keys[slot] not in (EMPTY, key):
        slot = (slot + 1) & (len(keys) - 1)
    return slot


@rule
def draw_weighted(view, seat, kind, model, rng, hands):
    """Fill hands int64[n, 4]: each particle as often as its weight asks, fractions by lot."""
    if view.phase == CHOOSING or view.phase == FINISHED:
        draw_exact(view, seat, rng, hands)
        return
    found, weights = weigh_worlds(view, seat, kind, model, rng)
    level(weights)
    step = 1.0 / len(hands)
    point = uniform(rng) * step
    passed = weights[0]
    i = 0
    for world in range(len(hands)):
        while point >= passed and i < len(weights) - 1:
            i += 1
            passed += weights[i]
        for other in range(SEATS):
            hands[world, other] = found[i, other]
        point += step


@rule
def level(weights):
    """Make the weights add up to 1; all equal if the model thinks every world impossible."""
    total = 0.0
    for weight in weights:
        total += weight
    for i in range(len(weights)):
        weights[i] = weights[i] / total if total > 0.0 else 1.0 / len(weights)


@rule
def weighted_chances(view, seat, kind, model, rng, chances):
    """Write chances float64[4, 24]: the weighted share of worlds in which a seat holds a card now."""
    if open_chances(view, seat, chances):
        return
    found, weights = weigh_worlds(view, seat, kind, model, rng)
    level(weights)
    for other in range(SEATS):
        if other != seat:
            for i in range(len(weights)):
                for card in range(CARDS):
                    if found[i, other] >> card & 1:
                        chances[other, card] += weights[i]
