"""Choosers: the best and the worst card of those that can be chosen, after each kind of chromosome (Fulla, 5.1.3).

Choosers look at legal actions: each stands for one kind of card, STOP for no card at all. `must` forbids that.
`first` is the place of the first action that is no STOP; `numbers` has the chromosome's number for each card. Where
all that is left is chance, every kind of card is equally likely. Of equal demands the dearer card is better (cards
are numbered by cost), and no card at all is best.
"""

from hiddenhand.games.dominion.default_play.card_worth import cards_owned
from hiddenhand.games.dominion.models.genome import RANDOM, RANKS, RATIOS
from hiddenhand.games.dominion.stack import CHOOSE, STOP
from hiddenhand.games.dominion.state import WIDTH
from hiddenhand.kernel import below, rule, uniform


@rule
def best_card(view, seat, actions, must, parameters, season, rng):
    first = 1 if actions[0] == STOP else 0
    if first == len(actions):
        return STOP
    kind, numbers = parameters.kind[season], parameters.numbers[season]
    if kind == RATIOS:
        return most_wanted(view, seat, actions, first, must, numbers)
    if kind == RANKS:
        chosen = highest_rank(actions, first, numbers)
    elif kind == RANDOM:
        chosen = any_card(actions, first, rng)
    else:
        chosen = weighted_draw(actions, first, numbers, rng)
    return any_card(actions, first, rng) if must and chosen == STOP else chosen


@rule
def worst_card(view, seat, actions, must, parameters, season, rng):
    first = 1 if actions[0] == STOP else 0
    if first == len(actions):
        return STOP
    kind, numbers = parameters.kind[season], parameters.numbers[season]
    if kind == RATIOS:
        return least_wanted(view, seat, actions, first, must, numbers)
    if kind == RANDOM:
        return any_card(actions, first, rng)
    unused = any_unused(actions, first, numbers, rng)
    if unused != STOP or not must:
        return unused
    if kind == RANKS:
        return lowest_rank(actions, first, numbers)
    return inverse_draw(actions, first, numbers, rng)


@rule
def any_card(actions, first, rng):
    return actions[first + below(rng, len(actions) - first)]


@rule
def any_unused(actions, first, numbers, rng):
    """A card that the chromosome does not use, STOP if there is none."""
    count = 0
    chosen = STOP
    for i in range(first, len(actions)):
        if numbers[actions[i] - CHOOSE] == 0.0:
            count += 1
            if below(rng, count) == 0:  # so that each of them is chosen equally often
                chosen = actions[i]
    return chosen


# ---- ranks


@rule
def highest_rank(actions, first, numbers):
    chosen = STOP
    best = WIDTH + 1.0
    for i in range(first, len(actions)):
        place = numbers[actions[i] - CHOOSE]
        if 0.0 < place < best:
            best = place
            chosen = actions[i]
    return chosen


@rule
def lowest_rank(actions, first, numbers):
    chosen = actions[first]
    for i in range(first + 1, len(actions)):
        if numbers[actions[i] - CHOOSE] > numbers[chosen - CHOOSE]:
            chosen = actions[i]
    return chosen


# ---- ratios


@rule
def most_wanted(view, seat, actions, first, must, numbers):
    size = cards_owned(view, seat)
    chosen = STOP
    most = 0.0
    for i in range(first, len(actions)):
        action = actions[i]
        demand = numbers[action - CHOOSE] * size - view.owned[seat, action - CHOOSE]
        if demand > most or (must and chosen == STOP) or (demand == most and chosen != STOP):
            most = demand
            chosen = action
    return chosen


@rule
def least_wanted(view, seat, actions, first, must, numbers):
    size = cards_owned(view, seat)
    chosen = STOP
    least = 0.0
    for i in range(first, len(actions)):
        action = actions[i]
        demand = numbers[action - CHOOSE] * size - view.owned[seat, action - CHOOSE]
        if demand < least or (must and chosen == STOP):
            least = demand
            chosen = action
    return chosen


# ---- weights


@rule
def weighted_draw(actions, first, numbers, rng):
    """A card with probability in proportion to its weight, STOP if none has any."""
    total = 0.0
    for i in range(first, len(actions)):
        total += numbers[actions[i] - CHOOSE]
    point = uniform(rng) * total
    chosen = STOP
    for i in range(first, len(actions)):
        weight = numbers[actions[i] - CHOOSE]
        if weight > 0.0:
            chosen = actions[i]
            point -= weight
            if point < 0.0:
                break
    return chosen


@rule
def inverse_draw(actions, first, numbers, rng):
    """A card with probability in inverse proportion to its weight; all have one."""
    total = 0.0
    for i in range(first, len(actions)):
        total += 1.0 / numbers[actions[i] - CHOOSE]
    point = uniform(rng) * total
    for i in range(first, len(actions)):
        point -= 1.0 / numbers[actions[i] - CHOOSE]
        if point < 0.0:
            return actions[i]
    return actions[len(actions) - 1]
