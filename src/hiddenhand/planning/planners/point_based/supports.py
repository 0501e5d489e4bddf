"""Groups of states that one belief may hold possible together.

Much of a world is often seen as it is: the robot knows where it is, and only the rocks are hidden. Then no belief
mixes two places, and what is known of one place need never be weighed at another. Such groups are found, not
declared: two states share a group if some action and observation may lead from one group to either of them (the
least such division). A model in which nothing tells states apart for certain is one group.

The first belief may mix groups: nobody has looked yet. Its states are then one group more, which serves every belief
that holds nothing but some of them possible. Where there are several first beliefs, since something is seen before
the first action, the states of each share a group. (The idea is that of models of mixed observability: S. C. W. Ong,
S. W. Png, D. Hsu, W. S. Lee, 2010.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hiddenhand.kernel import record_type, rule
from hiddenhand.planning.model.pomdp import Array
from hiddenhand.planning.planners.point_based.compiled_model import CompiledModel, records

MIXED = -1  # a belief that fits into no group
SEEN = record_type([("what", "i8"), ("to", "i8")])  # an observation that may follow, and the group it leads to


class Groups(NamedTuple):
    """G groups over S states, that of a mixed first belief last; what may follow action a in group g is number
    g * A + a."""

    of: Array  # int64 (S,): the group of each state
    start: Array  # int64 (G + 1,): where the members of a group lie
    members: Array  # int64: states, ascending within a group
    place: Array  # int64 (2, S): where a state lies among the members, of its own group and of the first belief's
    proper: int  # how many groups there are without a mixed first belief's
    after_start: Array  # int64 (G * A + 1,): the rows of `after`
    after: Array  # int64: the states that an action may lead to, ascending
    seen_start: Array  # int64 (G * A + 1,): the rows of `seen`
    seen: Array  # SEEN: the observations that an action may lead to
    everywhere: Array  # int64 (S,): all states
    first: int  # the group of the first belief


def find_groups(model: CompiledModel, *firsts: Array) -> Groups:
    """The groups of a model whose first belief, or each of them, holds these states, int64 (n,), possible."""
    states = model.legal.shape[1]
    leader = np.arange(states)
    if len(firsts) > 1:
        for some in firsts:
            tie(leader, some)
    first = firsts[0]
    begun = followings_of(model, first)
    for _, sights in begun:
        for _, left in sights:
            if not np.isin(left, first).all():
                tie(leader, left)
    while True:
        settle(leader)
        if not join(model, np.argsort(leader, kind="stable"), leader):
            break
    _, of = np.unique(leader, return_inverse=True)
    return listed(model, of.astype(np.int64), first, begun)


@rule
def leader_of(leader, state):
    while leader[state] != state:
        leader[state] = leader[leader[state]]
        state = leader[state]
    return state


@rule
def settle(leader):
    """Let every state name the leader of its group itself."""
    for state in range(len(leader)):
        leader[state] = leader_of(leader, state)


@rule
def tie(leader, some):
    """Let some states share a group."""
    tied = False
    for i in range(1, len(some)):
        one, other = leader_of(leader, some[0]), leader_of(leader, some[i])
        if one != other:
            leader[max(one, other)] = min(one, other)
            tied = True
    return tied


@rule
def join(model, order, leader):
    """Join states that one group may lead to with one observation; whether there were any. `order`: by group."""
    states = len(order)
    reached = np.full(states, -1, dtype=np.int64)
    seen = np.full(model.observations, -1, dtype=np.int64)
    where = np.zeros(model.observations, dtype=np.int64)
    pair = np.zeros(2, dtype=np.int64)
    group = leader.copy()
    joined, turn = False, 0
    for action in range(model.legal.shape[0]):
        for i in range(states):
            s = order[i]
            if i == 0 or group[s] != group[order[i - 1]]:
                turn += 1
            if not model.legal[action, s]:
                continue
            for k in range(model.move_start[action, s], model.move_start[action, s + 1]):
                to = model.moves[k].place
                if reached[to] == turn:
                    continue
                reached[to] = turn
                for j in range(model.see_start[action, to], model.see_start[action, to + 1]):
                    z = model.sights[j].place
                    if seen[z] != turn:
                        seen[z] = turn
                        where[z] = to
                    else:
                        pair[0], pair[1] = where[z], to
                        joined |= tie(leader, pair)
    return joined


Followings = list[tuple[Array, list[tuple[int, Array]]]]


def followings_of(model: CompiledModel, members: Array) -> Followings:
    """Per action the states that a set may lead to, and for each observation those that it leaves possible."""
    found = []
    for action in range(len(model.legal)):
        legal = members[model.legal[action, members]]
        after = np.unique(entries_of(model.moves["place"], model.move_start[action], legal)[1])
        states, sights = entries_of(model.sights["place"], model.see_start[action], after)
        order = np.lexsort((states, sights))
        what, starts = np.unique(sights[order], return_index=True)
        found.append((after, list(zip(what.tolist(), np.split(states[order], starts[1:])))))
    return found


def entries_of(entries: Array, start: Array, rows: Array) -> tuple[Array, Array]:
    """The entries of some rows one after the other, with the row of each before them."""
    lengths = start[rows + 1] - start[rows]
    before = np.cumsum(lengths) - lengths
    places = np.repeat(start[rows] - before, lengths) + np.arange(int(lengths.sum()))
    return np.repeat(rows, lengths), entries[places]


def listed(model: CompiledModel, of: Array, first: Array, begun: Followings) -> Groups:
    """The groups with all that may follow in them; `begun`: what may follow the first belief."""
    states, proper = len(of), int(of.max()) + 1
    mixed = len(np.unique(of[first])) > 1
    order = np.argsort(of, kind="stable")
    members = np.concatenate((order, first)) if mixed else order
    start = np.concatenate(([0], np.cumsum(np.bincount(of)))).astype(np.int64)
    place = np.full((2, states), -1, dtype=np.int64)
    place[0, order] = np.arange(states)
    counts = np.zeros((proper * len(model.legal), 2), dtype=np.int64)
    follow_all(model, of, start, members, counts, np.zeros(0, dtype=np.int64), records(SEEN, 0))
    after, seen = np.zeros(counts[:, 0].sum(), dtype=np.int64), records(SEEN, int(counts[:, 1].sum()))
    follow_all(model, of, start, members, counts, after, seen)
    after = after[np.lexsort((after, np.repeat(np.arange(len(counts)), counts[:, 0])))]
    if mixed:
        start = np.append(start, len(members))
        place[1, first] = np.arange(states, len(members))
        counts = np.concatenate((counts, [(len(reached), len(sights)) for reached, sights in begun]))
        after = np.concatenate([after, *(reached for reached, _ in begun)])
        more = records(SEEN, sum(len(sights) for _, sights in begun))
        for number, (z, left) in enumerate(sight for _, sights in begun for sight in sights):
            more[number] = (z, of[left[0]] if len(np.unique(of[left])) == 1 else proper)
        seen = np.concatenate((seen, more)).view(np.recarray)
    return Groups(
        of=of,
        start=start,
        members=members.astype(np.int64),
        place=place,
        proper=proper,
        after_start=np.concatenate(([0], np.cumsum(counts[:, 0]))),
        after=after,
        seen_start=np.concatenate(([0], np.cumsum(counts[:, 1]))),
        seen=seen,
        everywhere=np.arange(states),
        first=proper if mixed else int(of[first[0]]),
    )


@rule
def follow_all(model, of, start, members, counts, after, seen):
    """Count what may follow each action in each proper group or, where there is room for it, write it down."""
    actions = model.legal.shape[0]
    reached = np.full(len(of), -1, dtype=np.int64)
    noticed = np.full(model.observations, -1, dtype=np.int64)
    write = len(after) > 0
    states, sights = 0, 0
    for number in range(len(counts)):
        group, action = number // actions, number % actions
        first = states
        first_sight = sights
        for i in range(start[group], start[group + 1]):
            s = members[i]
            if not model.legal[action, s]:
                continue
            for k in range(model.move_start[action, s], model.move_start[action, s + 1]):
                to = model.moves[k].place
                if reached[to] == number:
                    continue
                reached[to] = number
                if write:
                    after[states] = to
                states += 1
                for j in range(model.see_start[action, to], model.see_start[action, to + 1]):
                    z = model.sights[j].place
                    if noticed[z] == number:
                        continue
                    noticed[z] = number
                    if write:
                        seen[sights].what = z
                        seen[sights].to = of[to]
                    sights += 1
        counts[number, 0] = states - first
        counts[number, 1] = sights - first_sight


@rule
def group_at(groups, belief):
    """The group that a belief fits into, or MIXED."""
    group = groups.of[belief[0].place]
    for i in range(1, len(belief)):
        if groups.of[belief[i].place] != group:
            group = np.int64(MIXED)
            break
    if group >= 0 or groups.first < groups.proper:
        return group
    for i in range(len(belief)):
        if groups.place[1, belief[i].place] < 0:
            return group
    return np.int64(groups.proper)


@rule
def states_after(groups, group, actions, action):
    """The states to which any of the actions may lead from this group; from a mixed belief, all states."""
    if group < 0:
        return groups.everywhere
    number = group * actions + action
    return groups.after[groups.after_start[number] : groups.after_start[number + 1]]


@rule
def places_of(groups, group):
    """(S,) where the values of a state lie for this group."""
    return groups.place[1 if group == groups.proper else 0]
