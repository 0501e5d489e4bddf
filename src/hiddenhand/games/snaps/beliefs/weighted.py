"""The weighted belief: possible deals, weighted by how likely the moves of the others were in each (Bayes' rule).

The possible deals are listed in a fixed order. If there are more than the number of particles, their list is cut into
that many equal parts, and one deal is drawn from each part; otherwise all of them are taken. The weight of a particle
is the likelihood of the moves of the others. Probabilities of cards are weighted means over the particles. The worlds
of this belief are all particles with their weights or, if fewer are wanted, a sample drawn in proportion to the
weights.

The likelihood of a move comes from a model of how people play. *Rules*: with probability 1 - noise the others make
the move of the agent `rules`, with probability `noise` any legal move, each equally likely. *Statistics*: they play
as was counted in many games (`statistics`), with the same noise. Naming a card and answering kontra are moves like
any other. Players do not see the other hands, so the likelihood of a hand depends on its own moves alone. The
likelihood of a world is therefore the product over its hands, and no hand has to be computed twice.
"""

from collections import namedtuple

import numpy as np

from hiddenhand.games.snaps.beliefs.deals import HANDS, numbered_deal
from hiddenhand.games.snaps.beliefs.exact import lay_out, open_chances
from hiddenhand.games.snaps.beliefs.statistics import statistics_chance
from hiddenhand.games.snaps.cards import CARDS, HAND, NONE, SEATS, bit, count
from hiddenhand.games.snaps.deal_history import retrace
from hiddenhand.games.snaps.knowledge import other_seat, possible_deals
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.rules import legal, play
from hiddenhand.games.snaps.state import CHOOSING, STATE, TRICKS
from hiddenhand.kernel import allocate, copy, mix, rule, uniform

# --- the past of a deal, read from a view ---------------------------------------------------------

MOST_DECISIONS = 1 + 3 + 3 + CARDS


@rule
def past_decisions(view, hands, rng, past, actions):
    """Write past[i], the state before move i, and actions int64[i]; returns the number of moves so far.

    hands int64[4] are the hands now, in any world that agrees with the view; past has room for one state more than
    MOST_DECISIONS, which is worked on.
    """
    world, s = past[0], past[MOST_DECISIONS]
    copy(world, view)
    for seat in range(SEATS):
        world.hands[seat] = hands[seat]
    n = retrace(world, s, actions)
    for i in range(n):
        copy(past[i], s)
        play(s, actions[i], rng)
    return n


# --- how likely the moves of a seat were ----------------------------------------------------------

KINDS = ("exact", "table", "weighted", "statistics")
EXACT, TABLE, WEIGHTED, STATISTICS = range(len(KINDS))

# kind        which belief; the rest is for the two that weigh deals
# particles   how many deals are weighed
# noise       the share of moves that the model of the others does not foresee
# statistics  float64[4, ENTRIES]: how often each seat makes which moves; for STATISTICS alone
Model = namedtuple("Model", "kind particles noise statistics")

# what was decided so far: the states before each decision, what was played, and how many there are
Past = namedtuple("Past", "states actions moves")


@rule
def hand_likelihood(past, actions, n, other, first_hand, model):
    """The probability of all moves of a seat among past[:n], had it been dealt `first_hand` (a mask)."""
    offered = np.empty(CARDS + 8, np.int64)
    left = np.int64(first_hand)
    likelihood = 1.0
    for i in range(n):
        s = past[i]
        if s.mover != other:
            continue
        if s.phase == CHOOSING:
            likelihood *= naming_likelihood(s, actions[i], first_hand, model, offered)
            continue
        s.hands[other] = left
        s.holder = other if np.int64(first_hand) & bit(s.named) else NONE
        likelihood *= move_chance(s, actions[i], model, offered)
        if s.phase == TRICKS:
            left &= ~bit(actions[i] % CARDS)
    return likelihood


@rule
def naming_likelihood(s, named, first_hand, model, offered):
    """The chance that the chooser names this card: the mean over the cards of his own that he may have seen."""
    cards = np.empty(HAND, np.int64)
    n = 0
    for card in range(CARDS):
        if np.int64(first_hand) >> card & 1:
            cards[n] = card
            n += 1
    total = 0.0
    ways = 0
    for choice in range(1 << HAND):
        if count(choice) != s.choose_after:
            continue
        seen = np.int64(0)
        for i in range(HAND):
            if choice >> i & 1:
                seen |= bit(cards[i])
        s.hands[s.mover] = seen
        s.seen_first = seen
        total += move_chance(s, named, model, offered)
        ways += 1
    return total / ways


@rule
def move_chance(s, action, model, offered):
    """The probability that the mover does this, with the hand that is in the state; 0 if he may not."""
    n = legal(s, offered)
    found = False
    for i in range(n):
        found |= offered[i] == action
    if not found:
        return 0.0
    if n == 1:
        return 1.0
    if model.kind == STATISTICS:
        chance = statistics_chance(s, np.int64(s.mover), offered, n, action, model.statistics[s.mover])
    else:
        chance = 1.0 if rule_action(s, np.int64(s.mover), offered, n) == action else 0.0
    return (1.0 - model.noise) * chance + model.noise / n


# --- worlds and their weights ---------------------------------------------------------------------

EMPTY = -1


@rule
def weigh_worlds(view, seat, model, rng):
    """(hands int64[m, 4], weights float64[m]): m worlds and the likelihood of the others' moves in each, m >= 1."""
    deals = possible_deals(view, seat)
    total = deals.total
    owners = np.empty(CARDS, np.int64)
    m = np.int64(min(total, max(model.particles, 1.0)))
    hands = np.empty((m, SEATS), np.int64)
    weights = np.empty(m)
    for i in range(m):
        number = np.float64(i)
        if total > m:
            number = min(np.floor((i + uniform(rng)) * (total / m)), total - 1.0)
        numbered_deal(deals.weights, deals.slots, deals.ways, number, owners)
        lay_out(view, seat, deals, owners, hands[i])
    weigh(view, seat, model, rng, hands, weights)
    return hands, weights


@rule
def weigh(view, seat, model, rng, hands, weights):
    """Write the weight of each world, float64[m]."""
    past = allocate(STATE, MOST_DECISIONS + 1)
    actions = np.empty(MOST_DECISIONS, np.int64)
    moves = past_decisions(view, hands[0], rng, past, actions)
    for i in range(len(hands)):
        weights[i] = 1.0
    for hand in range(HANDS):
        other = other_seat(seat, hand)
        weigh_seat(view, other, hands, model, Past(past, actions, moves), weights)


@rule
def weigh_seat(view, other, hands, model, past, weights):
    """Multiply the weight of each world by how likely its hand of one seat would have played as it did.

    Each hand is judged once.
    """
    size = 16
    while size < 2 * len(hands):
        size *= 2
    keys = np.full(size, EMPTY)
    values = np.empty(size)
    played = np.int64(0)
    for i in range(view.plays):
        if view.played_by[i] == other:
            played |= bit(view.played[i])
    for i in range(len(hands)):
        slot = find(keys, hands[i, other])
        if keys[slot] == EMPTY:
            keys[slot] = hands[i, other]
            first_hand = hands[i, other] | played
            values[slot] = hand_likelihood(past.states, past.actions, past.moves, other, first_hand, model)
        weights[i] *= values[slot]


@rule
def find(keys, key):
    """The slot of a key in a table of open addresses, or the empty one where it belongs."""
    slot = np.int64(mix(np.uint64(key)) >> np.uint64(16)) & (len(keys) - 1)
    while keys[slot] not in (EMPTY, key):
        slot = (slot + 1) & (len(keys) - 1)
    return slot


@rule
def weighted_worlds(view, seat, model, most, rng):
    """(hands int64[n, 4], shares float64[n]): worlds and their probabilities, n <= most.

    All particles if they are no more than `most`. Otherwise `most` are drawn, each particle as often as its weight
    asks, fractions by lot; one that is drawn several times is one world with a larger share.
    """
    found, weights = weigh_worlds(view, seat, model, rng)
    level(weights)
    if len(found) <= most:
        return found, weights
    hands, shares = np.empty((most, SEATS), np.int64), np.zeros(most)
    step = 1.0 / most
    point = uniform(rng) * step
    passed = weights[0]
    i, last, n = 0, -1, 0
    for _ in range(most):
        while point >= passed and i < len(weights) - 1:
            i += 1
            passed += weights[i]
        if i != last:
            for other in range(SEATS):
                hands[n, other] = found[i, other]
            last = i
            n += 1
        shares[n - 1] += step
        point += step
    return hands[:n], shares[:n]


@rule
def level(weights):
    """Make the weights add up to 1; all equal if the model thinks every world impossible."""
    total = 0.0
    for weight in weights:
        total += weight
    for i in range(len(weights)):
        weights[i] = weights[i] / total if total > 0.0 else 1.0 / len(weights)


@rule
def weighted_chances(view, seat, model, rng, chances):
    """Write chances float64[4, 24]: the weighted share of worlds in which a seat holds a card now."""
    if open_chances(view, seat, chances):
        return
    found, weights = weigh_worlds(view, seat, model, rng)
    level(weights)
    for other in range(SEATS):
        if other != seat:
            for i in range(len(weights)):
                for card in range(CARDS):
                    if found[i, other] >> card & 1:
                        chances[other, card] += weights[i]
