"""Lower bounds: vectors over the states, each the value of some plan in every state.

The best of the vectors at a belief is what can surely be had there. A vector gets longer by one step of thought: an
action, and for each observation the vector that is best then (J. Pineau, G. Gordon, S. Thrun, 2003). Where the action
of a vector is illegal the vector holds the value of a fixed plan instead, which is legal everywhere; all states of a
belief agree on legality, so that a belief never mixes the two.

A vector's value is a promise only as long as the vectors that it goes on with are there. So each remembers them: a
vector that is no longer best anywhere is not weighed any more, but it is kept as long as another one needs it. With
all of them the promise holds at every belief: the action of the best vector leads to beliefs at which the vectors it
goes on with, or better ones, are to be had.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hiddenhand.kernel import rule
from hiddenhand.planning.model.pomdp import Array
from hiddenhand.planning.planners.point_based.compiled_model import Model, look_ahead
from hiddenhand.planning.planners.point_based.visited_beliefs import (
    FULL,
    GAIN,
    NODES,
    NONE,
    belief_of,
    most_promising,
    node_of,
)


class Vectors(NamedTuple):
    """Vector v's value in state s is values[s, v]: side by side, so that all are weighed at once.

    The first ones are the fixed plans, which are always kept; those that are weighed are the first, those that are
    only needed by others are the last.
    """

    used: Array  # int64 (2,): how many are weighed, how many are only needed
    values: Array  # (S, V)
    action: Array  # int64 (V,)
    then: Array  # int32 (V, Z): the vector that each goes on with after each observation
    safest: int  # the fixed plan that is followed where the action of a vector is illegal
    fallback: Array  # (S,): its value
    sums: Array  # (V,): room for the weighing
    chosen: Array  # int64 (2, Z): room for a vector per observation
    hoped: Array  # (S,): room


def new_vectors(model: Model, plans: Array, budget: int) -> Vectors:
    """Room for vectors in `budget` bytes, with the fixed plans (A, S) in it."""
    actions, states = plans.shape
    room = int(np.clip(budget / (8 * states + 4 * model.observations), actions + 2, 100_000))
    values = np.empty((states, room))
    values[:, :actions] = plans.T
    action = np.zeros(room, dtype=np.int64)
    action[:actions] = np.arange(actions)
    then = np.empty((room, model.observations), dtype=np.int32)
    then[:actions] = np.arange(actions)[:, None]
    safest = int(plans.mean(axis=1).argmax())
    return Vectors(
        np.array([actions, 0]),
        values,
        action,
        then,
        safest,
        np.ascontiguousarray(plans[safest]),
        np.empty(room),
        np.zeros((2, model.observations), dtype=np.int64),
        np.empty(states),
    )


@rule
def best_vector(vectors, belief):
    """The vector that is worth most, and its worth; for joint chances, times their sum."""
    sums, values, count = vectors.sums, vectors.values, vectors.used[0]
    for v in range(count):
        sums[v] = 0.0
    for i in range(len(belief)):
        state, chance = belief[i].place, belief[i].chance
        for v in range(count):
            sums[v] += chance * values[state, v]
    best = 0
    for v in range(1, count):
        if sums[v] > sums[best]:
            best = v
    return best, sums[best]


@rule
def visit(model, graph, vectors, number, outcomes, lowers):
    """Bring a node's bounds up to date. Returns its most promising action (or FULL, or OVER) and writes the lower
    bound of each of that action's followings."""
    node = graph.nodes[number]
    belief = belief_of(graph, number)
    node.lower = max(node.lower, best_vector(vectors, belief)[1])
    action = most_promising(model, graph, number, outcomes, True)
    if action < 0:
        return action
    look_ahead(model, belief, action, outcomes)
    choice = graph.choices[number, action]
    for k in range(choice.start, choice.end):
        following = graph.followings[k]
        joint = outcomes.joint[outcomes.start[following.what] : outcomes.start[following.what + 1]]
        lowers[k - choice.start] = best_vector(vectors, joint)[1] / following.chance
    return action


@rule
def step(model, graph, vectors, number, action, place, outcomes):
    """The node after one of the action's followings, made if it is new; FULL if there is no room."""
    following = graph.followings[graph.choices[number, action].start + place]
    if following.child == NONE:
        look_ahead(model, belief_of(graph, number), action, outcomes)
        joint = outcomes.joint[outcomes.start[following.what] : outcomes.start[following.what + 1]]
        for i in range(len(joint)):
            joint[i].chance /= following.chance
        child = node_of(model, graph, joint, best_vector(vectors, joint)[1])
        if child < 0:
            return child
        following.child = child
    return np.int64(following.child)


@rule
def back_up(model, graph, vectors, number, outcomes):
    """Improve both bounds of a node by one step of thought: the upper one, and a vector that is better here, if one
    is found. False if there was no room."""
    if most_promising(model, graph, number, outcomes, False) == FULL:
        return False
    belief = belief_of(graph, number)
    now, present = best_vector(vectors, belief)
    node = graph.nodes[number]
    node.lower = max(node.lower, present)
    trial, chosen = vectors.chosen[0], vectors.chosen[1]
    best, best_worth = -1, present + GAIN
    for action in range(model.legal.shape[0]):
        choice = graph.choices[number, action]
        # an action that cannot be better than what can surely be had is not worth the weighing
        if choice.upper < best_worth:
            continue
        look_ahead(model, belief, action, outcomes)
        worth = 0.0
        for z in range(model.observations):
            trial[z] = now
            if outcomes.start[z] < outcomes.start[z + 1]:
                trial[z], value = best_vector(vectors, outcomes.joint[outcomes.start[z] : outcomes.start[z + 1]])
                worth += value
        worth = choice.reward + model.discount * worth
        if worth > best_worth:
            best, best_worth = action, worth
            for z in range(model.observations):
                chosen[z] = trial[z]
    if best == -1:
        return True
    if vectors.used[0] + vectors.used[1] == len(vectors.sums):
        return False
    add_vector(model, vectors, best, chosen)
    node.lower = max(node.lower, best_worth)
    return True


@rule
def add_vector(model, vectors, action, chosen):
    """The value, in every state, of the action followed by the vector chosen for each observation."""
    new = vectors.used[0]
    values, hoped = vectors.values, vectors.hoped
    for s in range(len(hoped)):
        total = 0.0
        for k in range(model.see_start[action, s], model.see_start[action, s + 1]):
            total += model.sights[k].chance * values[s, chosen[model.sights[k].place]]
        hoped[s] = total
    for s in range(len(hoped)):
        values[s, new] = vectors.fallback[s]
        if model.legal[action, s]:
            total = 0.0
            for k in range(model.move_start[action, s], model.move_start[action, s + 1]):
                total += model.moves[k].chance * hoped[model.moves[k].place]
            values[s, new] = model.rewards[action, s] + model.discount * total
    vectors.action[new] = action
    for z in range(vectors.then.shape[1]):
        vectors.then[new, z] = chosen[z]
    vectors.used[0] += 1


@rule
def find_witnesses(graph, vectors, nodes, weighed, best, worth):
    """Per node the best vector and its worth, (N,) each; the first `nodes` know theirs among the first `weighed`."""
    sums, values, count = vectors.sums, vectors.values, vectors.used[0]
    for number in range(graph.used[NODES]):
        first = weighed
        if number >= nodes:
            first = 0
            worth[number] = -np.inf
        for v in range(first, count):
            sums[v] = 0.0
        for k in range(graph.nodes[number].start, graph.nodes[number].end):
            state, chance = graph.pool[k].place, graph.pool[k].chance
            for v in range(first, count):
                sums[v] += chance * values[state, v]
        for v in range(first, count):
            if sums[v] > worth[number] + GAIN:
                worth[number] = sums[v]
                best[number] = v


@rule
def keep_vectors(vectors, keep):
    """Close up the vectors: those to be weighed, bool (used,), come first, those that they need come last."""
    values, action, then = vectors.values, vectors.action, vectors.then
    room = len(action)
    weighed = vectors.used[0]
    new = np.full(room, -1, dtype=np.int64)  # where each of them goes; -2 while it is known only that it is needed
    waiting = np.empty(room, dtype=np.int64)
    count, first = 0, 0
    for v in range(weighed):
        if keep[v]:
            new[v] = count
            waiting[count] = v
            count += 1
    kept = count
    while first < count:
        for z in range(then.shape[1]):
            other = then[waiting[first], z]
            if new[other] == -1:
                new[other] = -2
                waiting[count] = other
                count += 1
        first += 1
    order = np.empty(count, dtype=np.int64)
    place = room - (count - kept)
    for v in range(room):
        if new[v] == -2:
            new[v] = place
            place += 1
        if new[v] >= 0:
            order[new[v] if new[v] < kept else kept + new[v] - room + count - kept] = v
    row = np.empty(count)
    for s in range(values.shape[0]):
        for i in range(count):
            row[i] = values[s, order[i]]
        for i in range(count):
            values[s, i if i < kept else room - count + i] = row[i]
    move_up(action, then, order, new, kept)
    vectors.used[0] = kept
    vectors.used[1] = count - kept


@rule
def move_up(action, then, order, new, kept):
    """Move what the vectors do, and what they go on with, to their new places."""
    room, count = len(action), len(order)
    actions, followers = action[order], then[order]
    for i in range(count):
        place = i if i < kept else room - count + i
        action[place] = actions[i]
        for z in range(then.shape[1]):
            then[place, z] = new[followers[i, z]]
