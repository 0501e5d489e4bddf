"""What the plans for the subproblems of a model are worth together: one plan after the other.

Every plan gains something above what can be had whatever is hidden, and takes its time. What comes after it waits so
long, and begins in the situation in which the plan ends. The plan that gains most for the time it takes goes first,
as in J. C. Gittins' index (1979): where situations did not matter, no other order would be better.

What such a route is worth depends on what is hidden. It is averaged over a few cases, in which each hidden variable
takes its values as often as it is believed to have them: so that no chance is in it, and what two beliefs are worth
can be compared.
"""

from __future__ import annotations

import numpy as np

from hiddenhand.kernel import rule
from hiddenhand.planning.planners.factored.subproblems import plan_for


@rule
def urgency(subproblems, f, g, belief):
    """What the plan of a subproblem gains for the time it takes, that part of a payoff's worth which is lost until
    the plan is through, where its values are stored, and its action. Nothing is urgent that gains nothing."""
    value, number, at = plan_for(subproblems, f, g, belief)
    low, lost = subproblems.first[f], 1.0
    for x in range(subproblems.size[f]):
        lost -= belief[low + x] * subproblems.delay[at + x]
    gain = value - subproblems.least[g]
    if gain <= subproblems.epsilon[0] or lost <= 0.0:
        return 0.0, lost, at, subproblems.vector_actions[number]
    return gain / lost, lost, at, subproblems.vector_actions[number]


@rule
def most_urgent(subproblems, g, belief):
    """The action of the plan that is most urgent, or of the one that promises most if none is; how urgent it is."""
    greatest, best, action = 0.0, -np.inf, 0
    for f in range(len(subproblems.size)):
        urgent, _, _, its_action = urgency(subproblems, f, g, belief)
        if urgent > greatest:
            greatest, action = urgent, its_action
        elif greatest == 0.0:
            value, _, _ = plan_for(subproblems, f, g, belief)
            if value > best:
                best, action = value, its_action
    return action, greatest


@rule
def joint_value(subproblems, g, belief, done):
    """What all plans are worth one after the other. `done`, bool (F,): room to note which were followed."""
    if subproblems.terminal[g]:
        return 0.0
    total = 0.0
    for k in range(len(subproblems.scenarios)):
        total += joint_value_in_scenario(subproblems, g, belief, subproblems.scenarios[k], done)
    return total / len(subproblems.scenarios)


@rule
def joint_value_in_scenario(subproblems, g, belief, ranks, done):
    for f in range(len(done)):
        done[f] = False
    total, weight = 0.0, 1.0
    while True:
        greatest, chosen, place = 0.0, -1, 0
        for f in range(len(done)):
            if not done[f]:
                urgent, _, at, _ = urgency(subproblems, f, g, belief)
                if urgent > greatest:
                    greatest, chosen, place = urgent, f, at
        if chosen < 0:
            return total + weight * subproblems.least[g]
        total += weight * earned_by(subproblems, chosen, place, belief)
        x, part = value_at(subproblems, chosen, belief, ranks[chosen])
        if subproblems.ending[place + x] < 0:
            return total
        weight *= subproblems.delay[place + x] * part
        done[chosen], g = True, subproblems.ending[place + x]


@rule
def earned_by(subproblems, f, place, belief):
    """What a plan earns on average until it is through; `place`: where its values are."""
    total = 0.0
    for x in range(subproblems.size[f]):
        end, left = subproblems.ending[place + x], subproblems.vectors[place + x]
        if end >= 0:
            left -= subproblems.delay[place + x] * subproblems.least[end]
        total += belief[subproblems.first[f] + x] * left
    return total


@rule
def value_at(subproblems, f, belief, rank):
    """The hidden value at a rank, and how much likelier it is than the part of all ranks that have it."""
    count = len(subproblems.scenarios)
    x, reached, before = 0, belief[subproblems.first[f]], 0.0
    while reached < rank and x < subproblems.size[f] - 1:
        x += 1
        before = reached
        reached += belief[subproblems.first[f] + x]
    low, high = np.floor(before * count + 0.5), np.floor(min(reached, 1.0) * count + 0.5)
    return x, (reached - before) * count / max(high - low, 1.0)
