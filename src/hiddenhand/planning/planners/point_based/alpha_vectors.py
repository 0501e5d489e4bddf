"""Lower bounds: vectors over the states, each the value of some plan in every state of a group.

The best of the vectors at a belief is what can surely be had there. A vector gets longer by one step of thought: an
action, and for each observation the vector that is best then (J. Pineau, G. Gordon, S. Thrun, 2003). Where the action
of a vector is illegal the vector holds the value of a fixed plan instead, which is legal everywhere; all states of a
belief agree on legality, so that a belief never mixes the two. Nor does it mix groups (see `supports`): a vector
knows the states of its own group alone, and is weighed there only.

A vector's value is a promise only as long as the vectors that it goes on with are there. So each remembers them: a
vector that is no longer best at any visited belief is not weighed any more while the bounds are narrowed, but it is
kept as long as another one needs it. Whoever follows the plan weighs all of them again (`weigh_all`), and then the
promise holds at every belief: the action of the best vector leads to beliefs at which the vectors it goes on with, or
better ones, are to be had. One that is only needed may be the best at a belief that was never visited.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hiddenhand.kernel import rule
from hiddenhand.planning.model.pomdp import Array
from hiddenhand.planning.planners.point_based.belief_tree import (
    FULL,
    GAIN,
    NODES,
    NONE,
    Graph,
    belief_of,
    look_from,
    most_promising,
    node_of,
)
from hiddenhand.planning.planners.point_based.compiled_model import ActionOutcomes, CompiledModel, look_ahead
from hiddenhand.planning.planners.point_based.supports import Groups, group_at, places_of, states_after


class Vectors(NamedTuple):
    """G groups with up to V vectors each: their values in a state are side by side, so that all are weighed at once.

    The first of each group are the fixed plans, which are always kept; those that are weighed are the first, those
    that are only needed by others are the last. There is room for few to begin with: what lies close together is
    quick to reach.
    """

    plans: int  # how many fixed plans there are: one for each action
    used: Array  # int64 (G, 2): how many are weighed, how many are only needed
    values: Array  # (members, V): see `Groups.members`
    action: Array  # int64 (G, V)
    then: Array  # int32 (G, V, W): what each goes on with after what may be seen, in the order of `Groups.seen`
    safest: int  # the fixed plan that is followed where the action of a vector is illegal
    fallback: Array  # (S,): its value
    sums: Array  # (V,): workspace: what each is worth at a belief
    chosen: Array  # int64 (2, W): workspace: a vector per observation, for one action and for the best
    by_sight: Array  # int64 (Z,): workspace: where an observation lies in `Groups.seen`
    hoped: Array  # (S,): workspace: what is worth in a state what comes after it


class Bounds(NamedTuple):
    """Lower and upper bounds of a model, and what they are found with."""

    model: CompiledModel
    groups: Groups
    graph: Graph  # the beliefs that were visited, with their upper bounds
    vectors: Vectors  # the lower bounds
    outcomes: ActionOutcomes  # workspace


LEAST_ROOM = 256
GROWING = 1.5  # while the room grows, the old one is still there: together they take so much of what they are given


def new_vectors(groups: Groups, plans: Array, observations: int, budget: int) -> tuple[Vectors, int]:
    """Vectors with the fixed plans (A, S) in them, and how often `budget` bytes allow their room to double."""
    actions, states = plans.shape
    count, widest = len(groups.start) - 1, int(np.diff(groups.seen_start).max(initial=1))
    each = GROWING * (8 * len(groups.members) + count * (8 + 4 * widest))
    room, doublings = int(np.clip(budget / each, actions + 2, 100_000)), 0
    while room // 2 >= max(LEAST_ROOM, actions + 2):
        room, doublings = room // 2, doublings + 1
    values = np.empty((len(groups.members), room))
    values[:, :actions] = plans.T[groups.members]
    action = np.zeros((count, room), dtype=np.int64)
    action[:, :actions] = np.arange(actions)
    then = np.empty((count, room, widest), dtype=np.int32)
    then[:, :actions] = np.arange(actions)[:, None]
    safest = int(plans.mean(axis=1).argmax())
    used = np.zeros((count, 2), dtype=np.int64)
    used[:, 0] = actions
    vectors = Vectors(
        plans=actions,
        used=used,
        values=values,
        action=action,
        then=then,
        safest=safest,
        fallback=np.ascontiguousarray(plans[safest]),
        sums=np.empty(room),
        chosen=np.zeros((2, widest), dtype=np.int64),
        by_sight=np.zeros(observations, dtype=np.int64),
        hoped=np.empty(states),
    )
    return vectors, doublings


def doubled(groups: Groups, vectors: Vectors) -> Vectors:
    """The same vectors with twice the room between those that are weighed and those that are only needed."""
    weighed, needed = vectors.used.max(axis=0)

    def moved(array: Array, axis: int) -> Array:
        shape = list(array.shape)
        shape[axis] *= 2
        new, old = np.empty(shape, dtype=array.dtype), np.moveaxis(array, axis, 0)
        to = np.moveaxis(new, axis, 0)
        to[:weighed] = old[:weighed]
        to[len(to) - needed :] = old[len(old) - needed :]
        return new

    room = np.arange(len(vectors.sums))
    place = (room + len(room) * (room >= vectors.used[:, :1])).astype(np.int32)
    result = vectors._replace(
        values=moved(vectors.values, 1),
        action=moved(vectors.action, 1),
        then=moved(vectors.then, 1),
        sums=np.empty(2 * len(room)),
    )
    for group in range(len(place)):
        follow_up(groups, result, group, place)
    return result


@rule
def best_vector(groups, vectors, group, belief):
    """The vector of a group that is worth most, and its worth; for joint chances, times their sum. At a mixed belief
    the fixed plans alone are weighed."""
    sums, values = vectors.sums, vectors.values
    count = vectors.used[group, 0] if group >= 0 else vectors.plans
    place = places_of(groups, group)
    for v in range(count):
        sums[v] = 0.0
    for i in range(len(belief)):
        row, chance = place[belief[i].place], belief[i].chance
        for v in range(count):
            sums[v] += chance * values[row, v]
    best = 0
    for v in range(1, count):
        if sums[v] > sums[best]:
            best = v
    return best, sums[best]


@rule
def worth_ahead(model, groups, vectors, belief, action, outcomes):
    """What an action is worth at any belief at least, by a step of thought."""
    group = group_at(groups, belief)
    look_ahead(model, belief, action, states_after(groups, group, model.legal.shape[0], action), outcomes)
    reward, then = 0.0, 0.0
    for i in range(len(belief)):
        reward += belief[i].chance * model.rewards[action, belief[i].place]
    for z in range(model.observations):
        joint = outcomes.joint[outcomes.start[z] : outcomes.start[z + 1]]
        if len(joint):
            then += best_vector(groups, vectors, group_at(groups, joint), joint)[1]
    return reward + model.discount * then


@rule
def visit(bounds, number, lowers):
    """Bring a node's bounds up to date. Returns its most promising action (or FULL, or OVER) and writes the lower
    bound of each of that action's followings."""
    model, groups, graph, vectors, outcomes = bounds
    node = graph.nodes[number]
    node.lower = max(node.lower, best_vector(groups, vectors, node.group, belief_of(graph, number))[1])
    action = most_promising(model, groups, graph, number, outcomes, True)
    if action < 0:
        return action
    look_from(model, groups, graph, number, action, outcomes)
    choice = graph.choices[number, action]
    for k in range(choice.start, choice.end):
        following = graph.followings[k]
        joint = outcomes.joint[outcomes.start[following.what] : outcomes.start[following.what + 1]]
        to = groups.seen[following.number].to
        lowers[k - choice.start] = best_vector(groups, vectors, to, joint)[1] / following.chance
    return action


@rule
def step(bounds, number, action, place):
    """The node after one of the followings of an action in a node, made if it is new; FULL if there is no room."""
    model, groups, graph, vectors, outcomes = bounds
    following = graph.followings[graph.choices[number, action].start + place]
    if following.child == NONE:
        look_from(model, groups, graph, number, action, outcomes)
        joint = outcomes.joint[outcomes.start[following.what] : outcomes.start[following.what + 1]]
        for i in range(len(joint)):
            joint[i].chance /= following.chance
        to = groups.seen[following.number].to
        child = node_of(model, graph, joint, to, best_vector(groups, vectors, to, joint)[1])
        if child < 0:
            return child
        following.child = child
    return np.int64(following.child)


@rule
def back_up(bounds, number):
    """Improve both bounds of a node by one step of thought: the upper one, and a vector that is better here, if one
    is found. False if there was no room."""
    model, groups, graph, vectors, outcomes = bounds
    if most_promising(model, groups, graph, number, outcomes, False) == FULL:
        return False
    belief = belief_of(graph, number)
    node = graph.nodes[number]
    group = node.group
    now, present = best_vector(groups, vectors, group, belief)
    node.lower = max(node.lower, present)
    trial, chosen = vectors.chosen[0], vectors.chosen[1]
    best, best_worth = -1, present + GAIN
    for action in range(model.legal.shape[0]):
        choice = graph.choices[number, action]
        # an action that cannot be better than what can surely be had is not worth the weighing
        if choice.upper < best_worth:
            continue
        look_from(model, groups, graph, number, action, outcomes)
        first = groups.seen_start[group * model.legal.shape[0] + action]
        sights = groups.seen_start[group * model.legal.shape[0] + action + 1] - first
        worth = 0.0
        for i in range(sights):
            z, to = groups.seen[first + i].what, groups.seen[first + i].to
            trial[i] = now if to == group else vectors.safest
            if outcomes.start[z] < outcomes.start[z + 1]:
                joint = outcomes.joint[outcomes.start[z] : outcomes.start[z + 1]]
                trial[i], value = best_vector(groups, vectors, to, joint)
                worth += value
        worth = choice.reward + model.discount * worth
        if worth > best_worth:
            best, best_worth = action, worth
            for i in range(sights):
                chosen[i] = trial[i]
    if best == -1:
        return True
    if vectors.used[group, 0] + vectors.used[group, 1] == len(vectors.sums):
        return False
    add_vector(model, groups, vectors, group, best, chosen)
    node.lower = max(node.lower, best_worth)
    return True


@rule
def add_vector(model, groups, vectors, group, action, chosen):
    """The value, in every state of the group, of the action followed by the vector chosen for each observation."""
    new = vectors.used[group, 0]
    values, hoped, by_sight = vectors.values, vectors.hoped, vectors.by_sight
    number = group * model.legal.shape[0] + action
    first, last = groups.seen_start[number], groups.seen_start[number + 1]
    for i in range(first, last):
        by_sight[groups.seen[i].what] = i
        vectors.then[group, new, i - first] = chosen[i - first]
    for s in states_after(groups, group, model.legal.shape[0], action):
        total = 0.0
        for k in range(model.see_start[action, s], model.see_start[action, s + 1]):
            i = by_sight[model.sights[k].place]
            row = places_of(groups, groups.seen[i].to)[s]
            total += model.sights[k].chance * values[row, chosen[i - first]]
        hoped[s] = total
    for row in range(groups.start[group], groups.start[group + 1]):
        s = groups.members[row]
        values[row, new] = vectors.fallback[s]
        if model.legal[action, s]:
            total = 0.0
            for k in range(model.move_start[action, s], model.move_start[action, s + 1]):
                total += model.moves[k].chance * hoped[model.moves[k].place]
            values[row, new] = model.rewards[action, s] + model.discount * total
    vectors.action[group, new] = action
    vectors.used[group, 0] += 1


@rule
def find_witnesses(groups, graph, vectors, nodes, weighed, best, worth):
    """Per node the best vector and its worth, (N,) each; the first `nodes` know theirs among the first ones that were
    weighed before, `weighed` (G,)."""
    sums, values = vectors.sums, vectors.values
    for number in range(graph.used[NODES]):
        group = graph.nodes[number].group
        first, count = weighed[group], vectors.used[group, 0]
        place = places_of(groups, group)
        if number >= nodes:
            first = 0
            worth[number] = -np.inf
        for v in range(first, count):
            sums[v] = 0.0
        for k in range(graph.nodes[number].start, graph.nodes[number].end):
            row, chance = place[graph.pool[k].place], graph.pool[k].chance
            for v in range(first, count):
                sums[v] += chance * values[row, v]
        for v in range(first, count):
            if sums[v] > worth[number] + GAIN:
                worth[number] = sums[v]
                best[number] = v


@rule
def keep_vectors(groups, vectors, graph, best):
    """Close up the vectors: the fixed plans and those that are best at a node come first, those that they need last;
    `best`, (N,), follows them to their new places."""
    count, room = vectors.action.shape
    new = np.full((count, room), -1, dtype=np.int32)  # where each goes; -2: to be weighed, -3: needed only
    waiting = np.empty((vectors.used.sum(), 2), dtype=np.int64)
    last = 0
    for group in range(count):
        for v in range(vectors.plans):
            new[group, v] = -2
            waiting[last, 0], waiting[last, 1] = group, v
            last += 1
    for number in range(graph.used[NODES]):
        group = graph.nodes[number].group
        if new[group, best[number]] == -1:
            new[group, best[number]] = -2
            waiting[last, 0], waiting[last, 1] = group, best[number]
            last += 1
    first = 0
    while first < last:
        group, v = waiting[first, 0], waiting[first, 1]
        number = group * vectors.plans + vectors.action[group, v]
        begin = groups.seen_start[number]
        for i in range(begin, groups.seen_start[number + 1]):
            to, other = groups.seen[i].to, vectors.then[group, v, i - begin]
            if new[to, other] == -1:
                new[to, other] = -3
                waiting[last, 0], waiting[last, 1] = to, other
                last += 1
        first += 1
    for group in range(count):
        close_up(groups, vectors, group, new[group])
    for group in range(count):
        follow_up(groups, vectors, group, new)
    for number in range(graph.used[NODES]):
        best[number] = new[graph.nodes[number].group, best[number]]


@rule
def weigh_all(groups, vectors):
    """Include the vectors that were kept only because others need them: a simulation of the plan needs them, too."""
    count, room = vectors.action.shape
    new = np.full((count, room), -1, dtype=np.int32)
    for group in range(count):
        for i in range(vectors.used[group, 0]):
            new[group, i] = -2
        for i in range(vectors.used[group, 1]):
            new[group, room - 1 - i] = -2
        close_up(groups, vectors, group, new[group])
    for group in range(count):
        follow_up(groups, vectors, group, new)


@rule
def close_up(groups, vectors, group, new):
    """Move the vectors of a group to where they go, and write down where that is."""
    room = len(new)
    used = vectors.used[group]
    weighed, needed = 0, 0
    order = np.empty(used[0] + used[1], dtype=np.int64)
    for wanted in (-2, -3):
        for i in range(used[0] + used[1]):
            v = i if i < used[0] else room - used[1] + i - used[0]
            if new[v] == wanted:
                order[weighed + needed] = v
                if wanted == -2:
                    weighed += 1
                else:
                    needed += 1
    kept = weighed + needed
    places = np.empty(kept, dtype=np.int64)
    for i in range(kept):
        places[i] = i if i < weighed else room - kept + i
        new[order[i]] = places[i]
    row = np.empty(kept)
    for r in range(groups.start[group], groups.start[group + 1]):
        for i in range(kept):
            row[i] = vectors.values[r, order[i]]
        for i in range(kept):
            vectors.values[r, places[i]] = row[i]
    actions, then = vectors.action[group][order[:kept]], vectors.then[group][order[:kept]]
    for i in range(kept):
        vectors.action[group, places[i]] = actions[i]
        for k in range(then.shape[1]):
            vectors.then[group, places[i], k] = then[i, k]
    used[0], used[1] = weighed, needed


@rule
def follow_up(groups, vectors, group, new):
    """Let what the vectors of a group go on with be found at its new place."""
    room = vectors.action.shape[1]
    used = vectors.used[group]
    for i in range(used[0] + used[1]):
        v = i if i < used[0] else room - used[1] + i - used[0]
        number = group * vectors.plans + vectors.action[group, v]
        begin = groups.seen_start[number]
        for k in range(begin, groups.seen_start[number + 1]):
            then = vectors.then[group, v, k - begin]
            vectors.then[group, v, k - begin] = new[groups.seen[k].to, then]
