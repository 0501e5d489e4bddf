"""The beliefs that a point-based solver has visited, with a lower and an upper bound on the value of each.

Upper bounds. The value of a belief is a convex function, so known bounds at some beliefs bound it in between: the
"sawtooth" (Hauskrecht, 2000) takes the plane through the corners (certainty of one state) and lets every visited
belief pull it down. A belief's own bound is the best action's: its payoff, and the bounds of what may follow.
Actions are looked at only when the bound they have would make them the best.

Beliefs that are equal are one node, however they were reached. All room is taken at once: the operating system gives
it only as it is used. Where it is full the functions say so by returning FULL, and nothing is lost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hiddenhand.kernel import mix, record_type, rule
from hiddenhand.planning.model.pomdp import Array
from hiddenhand.planning.planners.point_based.compiled_model import CHANCE_OF, CompiledModel, look_ahead, records
from hiddenhand.planning.planners.point_based.supports import states_after

FULL, OVER = -1, -2  # no room is left; no action is legal
NONE, IDLE = -1, -2
SAME = 1e-10  # beliefs that differ by less are one
GAIN = 1e-11  # a smaller gain is rounding

NODE = record_type(
    [
        ("start", "i8"),  # where its belief lies in the pool
        ("end", "i8"),
        ("group", "i8"),  # that its belief fits into
        ("lower", "f8"),
        ("upper", "f8"),
        ("plane", "f8"),  # the value of the plane through the corners
        ("peak", "f8"),  # the greatest chance
        ("next", "i8"),  # nodes with the same likeliest state are chained; IDLE: left out of the chain
    ]
)
CHOICE = record_type(  # an action in a node
    [
        ("upper", "f8"),
        ("reward", "f8"),  # what it pays on average
        ("start", "i8"),  # where its followings lie; NONE: it was never looked at
        ("end", "i8"),
    ]
)
FOLLOWING = record_type(  # what may be seen after an action
    [
        ("number", "i8"),  # where it lies in `Groups.seen`
        ("what", "i8"),  # the observation
        ("chance", "f8"),
        ("upper", "f8"),  # of the belief that follows
        ("child", "i8"),  # the node of that belief; NONE: there is none yet
    ]
)

NODES, POOLED, FOLLOWINGS, CORNERS_FELL = range(4)


class Graph(NamedTuple):
    """N nodes; S states and A actions. Every action looked at in a node has a run of followings: what may be seen."""

    used: Array  # int64 (4,): NODES, POOLED and FOLLOWINGS that there are; CORNERS_FELL: whether corners fell
    nodes: Array  # NODE (N,)
    choices: Array  # CHOICE (N, A)
    followings: Array  # FOLLOWING
    pool: Array  # CHANCE_OF: the beliefs, one after the other
    chains: Array  # int64 (S,): the first node whose likeliest state this is
    slots: Array  # int32: nodes, counted from 1, by the hash of their belief; 0 where there is none
    corner: Array  # (S,): upper bound with certainty of a state
    first_upper: Array  # (A, S): the fast informed bound
    query: Array  # (S,): the belief that is asked about; zero between calls


def new_graph(model: CompiledModel, first_upper: Array, budget: int) -> Graph:
    """An empty graph that never takes more than `budget` bytes, but for the least that is of any use."""
    actions, states = model.legal.shape
    per_node = NODE.itemsize + actions * CHOICE.itemsize + 8
    nodes = int(np.clip(budget * 0.3 / per_node, 16, 2_000_000))
    pool = int(max(budget * 0.4 / CHANCE_OF.itemsize, 2 * states))
    followings = int(max(budget * 0.3 / FOLLOWING.itemsize, 2 * actions * model.observations))
    corner = first_upper.max(axis=0)
    corner[corner == -np.inf] = 0.0  # no action is legal: it is over
    return Graph(
        used=np.zeros(4, dtype=np.int64),
        nodes=records(NODE, nodes),
        choices=records(CHOICE, nodes, actions),
        followings=records(FOLLOWING, followings),
        pool=records(CHANCE_OF, pool),
        chains=np.full(states, NONE, dtype=np.int64),
        slots=np.zeros(2 * nodes + 1, dtype=np.int32),
        corner=corner,
        first_upper=np.ascontiguousarray(first_upper),
        query=np.zeros(states),
    )


@rule
def belief_of(graph, node):
    return graph.pool[graph.nodes[node].start : graph.nodes[node].end]


@rule
def interpolate(graph, belief):
    """The upper bound that the corners and the visited beliefs give; for joint chances, times their sum."""
    query = graph.query
    total = 0.0
    for i in range(len(belief)):
        query[belief[i].place] = belief[i].chance
        total += belief[i].chance * graph.corner[belief[i].place]
    deepest = 0.0
    for i in range(len(belief)):
        node = graph.chains[belief[i].place]
        while node != NONE:
            depth = graph.nodes[node].upper - graph.nodes[node].plane
            share = belief[i].chance / graph.nodes[node].peak
            if share * depth < deepest:
                # the share of this node's belief that the belief contains
                for k in range(graph.nodes[node].start, graph.nodes[node].end):
                    chance = query[graph.pool[k].place]
                    if chance < share * graph.pool[k].chance:
                        share = chance / graph.pool[k].chance
                        if share * depth >= deepest:
                            break
                deepest = min(deepest, share * depth)
            node = graph.nodes[node].next
    for i in range(len(belief)):
        query[belief[i].place] = 0.0
    return total + deepest


@rule
def slot_of(graph, belief):
    """Where this belief is, or would be, among the slots."""
    key = mix(np.uint64(len(belief)))
    for i in range(len(belief)):
        key = mix(key ^ np.uint64(belief[i].place))
        key = mix(key ^ np.uint64(np.int64(belief[i].chance * 1e6 + 0.5)))
    place = np.int64(key % np.uint64(len(graph.slots)))
    while graph.slots[place] != 0:
        node = graph.slots[place] - 1
        start = graph.nodes[node].start
        same = graph.nodes[node].end - start == len(belief)
        for i in range(len(belief)):
            if not same:
                break
            known = graph.pool[start + i]
            same = known.place == belief[i].place and abs(known.chance - belief[i].chance) < SAME
        if same:
            break
        place += 1
        if place == len(graph.slots):
            place = 0
    return place


@rule
def node_of(model, graph, belief, group, lower):
    """The node with this belief, made if it is new (with this lower bound); FULL if there is no room for it."""
    used = graph.used
    slot = slot_of(graph, belief)
    if graph.slots[slot] != 0:
        return np.int64(graph.slots[slot] - 1)
    number = used[NODES]
    if number == len(graph.nodes) or used[POOLED] + len(belief) > len(graph.pool):
        return np.int64(FULL)
    graph.slots[slot] = number + 1
    node = graph.nodes[number]
    node.start = used[POOLED]
    node.end = used[POOLED] + len(belief)
    node.group = group
    node.lower = lower
    node.upper = interpolate(graph, belief)
    plane = 0.0
    for i in range(len(belief)):
        graph.pool[node.start + i].place = belief[i].place
        graph.pool[node.start + i].chance = belief[i].chance
        plane += belief[i].chance * graph.corner[belief[i].place]
    node.plane = plane
    for action in range(model.legal.shape[0]):
        choice = graph.choices[number, action]
        choice.start = NONE
        choice.end = NONE
        choice.upper = -np.inf
        choice.reward = 0.0
        if model.legal[action, belief[0].place]:
            upper, reward = 0.0, 0.0
            for i in range(len(belief)):
                upper += belief[i].chance * graph.first_upper[action, belief[i].place]
                reward += belief[i].chance * model.rewards[action, belief[i].place]
            choice.upper = upper
            choice.reward = reward
    used[POOLED] += len(belief)
    used[NODES] += 1
    chain(graph, number)
    return number


@rule
def chain(graph, number):
    """Let a node pull other beliefs down."""
    node = graph.nodes[number]
    likeliest = node.start
    for k in range(node.start, node.end):
        if graph.pool[k].chance > graph.pool[likeliest].chance:
            likeliest = k
    node.peak = graph.pool[likeliest].chance
    node.next = graph.chains[graph.pool[likeliest].place]
    graph.chains[graph.pool[likeliest].place] = number


@rule
def look_from(model, groups, graph, number, action, outcomes):
    """Fill the outcomes of an action at a node's belief."""
    after = states_after(groups, graph.nodes[number].group, model.legal.shape[0], action)
    look_ahead(model, belief_of(graph, number), action, after, outcomes)


@rule
def look_at(model, groups, graph, number, action, outcomes, again):
    """Bound an action by its successors. `again`: interpolate unvisited ones again. False if memory is full."""
    used = graph.used
    choice = graph.choices[number, action]
    if choice.start == NONE or again:
        look_from(model, groups, graph, number, action, outcomes)
    if choice.start == NONE:
        place = graph.nodes[number].group * model.legal.shape[0] + action
        first, last = groups.seen_start[place], groups.seen_start[place + 1]
        if used[FOLLOWINGS] + last - first > len(graph.followings):
            return False
        choice.start = used[FOLLOWINGS]
        for i in range(first, last):
            z = groups.seen[i].what
            chance = 0.0
            for k in range(outcomes.start[z], outcomes.start[z + 1]):
                chance += outcomes.joint[k].chance
            if chance > 0.0:
                following = graph.followings[used[FOLLOWINGS]]
                following.number = i
                following.what = z
                following.chance = chance
                following.upper = np.inf
                following.child = NONE
                used[FOLLOWINGS] += 1
        choice.end = used[FOLLOWINGS]
    total = 0.0
    for k in range(choice.start, choice.end):
        following = graph.followings[k]
        if following.child != NONE:
            following.upper = min(following.upper, graph.nodes[following.child].upper)
        elif again or following.upper == np.inf:
            joint = outcomes.joint[outcomes.start[following.what] : outcomes.start[following.what + 1]]
            following.upper = min(following.upper, interpolate(graph, joint) / following.chance)
        total += following.chance * following.upper
    choice.upper = min(choice.upper, choice.reward + model.discount * total)
    return True


@rule
def most_promising(model, groups, graph, number, outcomes, again):
    """The action with the highest upper bound, which is then the node's own. FULL: no room to look; OVER: none."""
    choices = graph.choices[number]
    looked = np.zeros(len(choices), dtype=np.bool_)
    while True:
        best = 0
        for action in range(1, len(choices)):
            if choices[action].upper > choices[best].upper:
                best = action
        if choices[best].upper == -np.inf:
            graph.nodes[number].upper = min(graph.nodes[number].upper, 0.0)
            return np.int64(OVER)
        if looked[best]:
            break
        looked[best] = True
        if not look_at(model, groups, graph, number, best, outcomes, again):
            return np.int64(FULL)
    node = graph.nodes[number]
    if choices[best].upper < node.upper - GAIN:
        node.upper = choices[best].upper
        if node.next == IDLE:
            chain(graph, number)
    if node.end - node.start == 1 and node.upper < graph.corner[graph.pool[node.start].place] - GAIN:
        graph.used[CORNERS_FELL] = 1
    return np.int64(best)


@rule
def lower_corners(graph):
    """Let certain beliefs that were visited pull down the corners, and with them the plane."""
    for number in range(graph.used[NODES]):
        node = graph.nodes[number]
        if node.end - node.start == 1:
            state = graph.pool[node.start].place
            graph.corner[state] = min(graph.corner[state], node.upper)
    for number in range(graph.used[NODES]):
        node = graph.nodes[number]
        plane = 0.0
        for k in range(node.start, node.end):
            plane += graph.pool[k].chance * graph.corner[graph.pool[k].place]
        node.plane = plane
        node.upper = min(node.upper, plane)
    graph.used[CORNERS_FELL] = 0


@rule
def drop_idle_points(graph):
    """Unchain nodes that pull no other belief down: those that the others already bound as low."""
    for state in range(len(graph.chains)):
        before = NONE
        number = graph.chains[state]
        while number != NONE:
            node = graph.nodes[number]
            following = node.next
            upper = node.upper
            node.upper = node.plane
            others = interpolate(graph, belief_of(graph, number))
            node.upper = upper
            if others <= upper + GAIN:
                if before == NONE:
                    graph.chains[state] = following
                else:
                    graph.nodes[before].next = following
                node.next = IDLE
            else:
                before = number
            number = following
