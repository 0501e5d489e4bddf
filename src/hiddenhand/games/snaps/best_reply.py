"""Best reply: what does best against players who play like the rule agent, whatever cards they may hold.

It samples deals, weighted by the moves of the others (belief `weighted`: a deal counts more if the rule agent would
have played in it as they did), or takes all of them if few are left. In each deal it tries every action, lets the
rule agent play the other seats, and looks ahead to its own next decisions. Deals that look alike to it at such a
decision are one group and get one answer. So it never counts on knowing what it cannot know, which is the fault of a
search with open cards (strategy fusion).

If a group holds too few deals, or if it has looked ahead as far as it should, the rule agent finishes for its own
seat as well. If all possible deals are in the sample, it looks ahead to the end. A part of the value comes from
solving with open cards, because not everybody plays like the rule agent. As in `pimc`, the action of the rule agent
is taken unless another is clearly better.
"""

from collections import namedtuple

import numpy as np

from hiddenhand.core.decision import Decision
from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.beliefs.exact import count_worlds
from hiddenhand.games.snaps.beliefs.kinds import belief_of, imagine
from hiddenhand.games.snaps.beliefs.weighted import WEIGHTED, Model
from hiddenhand.games.snaps.cards import CARDS, SEATS
from hiddenhand.games.snaps.pimc import (
    candidates,
    choose,
    finish_by_rules,
    place_of,
    play_out_all,
    result,
    set_world,
    stake_of,
)
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.rules import legal, play
from hiddenhand.games.snaps.sampling_reasons import SampledDeals, decision_by_samples
from hiddenhand.games.snaps.solver import WIN, new_memory, solve_moves
from hiddenhand.games.snaps.state import FINISHED, STATE, TRICK_COUNT, TRICKS
from hiddenhand.kernel import allocate, copy, mix, rule

SETTINGS = {
    "worlds": Setting(500, Text("deals to imagine"), low=1, high=100_000, ceiling=10_000),
    "particles": Setting(
        5000, Text("deals that are weighed, where the others' play counts"), low=10, high=100_000, ceiling=10_000
    ),
    "noise": Setting(0.1, Text("share of moves that the model of the others does not foresee"), low=0.0, high=1.0),
    "doubt": Setting(
        1.0, Text("standard errors by which a move must beat what the rules would play"), low=0.0, high=10.0
    ),
    "before": Setting(3.0, Text("the same before the first trick, where stakes differ"), low=0.0, high=10.0),
    "ahead": Setting(1, Text("how many of its own later decisions it looks ahead"), low=0, high=TRICK_COUNT),
    "group": Setting(8.0, Text("deals that must look alike for a later decision to be made anew"), low=1.0, high=1e6),
    "open": Setting(0.5, Text("the share of the judgement that open cards have"), low=0.0, high=1.0),
}

# --- looking ahead --------------------------------------------------------------------------------

MOST = CARDS  # actions of one decision
LEVELS = TRICK_COUNT + 2

# Level 0 is the decision to be made; level k the k-th decision of the seat after it. Of each level:
# states    records: level k of world w is states[k * worlds + w]
# actions   int64[levels, 24], the first counts[level] of them
# at        int64[levels]: the place of the action that is being tried
# usual     int64[levels]: the place of the rule agent's action
# members   int64[levels, worlds]: the worlds that look alike at this decision, the first sizes[level] of them
# waiting   int64[levels, worlds]: the worlds in which the seat decides again after the action that is being tried and
#           whose turn has not come, the first left[level] of them; left is -1 before the action is played
# keys      uint64[levels, worlds]: what was seen from this decision to the next, as one number
# values    float64[levels, worlds, 24]: what each action is worth in each world
Tree = namedtuple("Tree", "states actions counts at usual members sizes waiting left keys values")


@rule
def new_tree(view, actions, hands):
    worlds = len(hands)
    tree = Tree(
        allocate(STATE, LEVELS * worlds),
        np.zeros((LEVELS, MOST), np.int64),
        np.zeros(LEVELS, np.int64),
        np.zeros(LEVELS, np.int64),
        np.zeros(LEVELS, np.int64),
        np.zeros((LEVELS, worlds), np.int64),
        np.zeros(LEVELS, np.int64),
        np.zeros((LEVELS, worlds), np.int64),
        np.full(LEVELS, -1),
        np.zeros((LEVELS, worlds), np.uint64),
        np.zeros((LEVELS, worlds, MOST)),
    )
    for w in range(worlds):
        set_world(tree.states[w], view, hands[w])
        tree.members[0, w] = w
    tree.sizes[0] = worlds
    tree.counts[0] = len(actions)
    for i in range(len(actions)):
        tree.actions[0, i] = actions[i]
    return tree


@rule
def look_ahead(tree, seat, shares, plan, rng):
    """Fill tree.values[0]. plan: (levels to look ahead, deals that a group needs, doubt)."""
    ahead, group, doubt = plan
    level = 0
    while True:
        if tree.at[level] == tree.counts[level]:
            if level == 0:
                return
            answer(tree, level, shares, doubt)
            level -= 1
        elif tree.left[level] < 0:
            try_action(tree, level, seat, rng)
        elif tree.left[level] == 0:
            tree.at[level] += 1
            tree.left[level] = -1
        else:
            size = next_group(tree, level, shares)
            if level >= ahead or size < group:
                finish_group(tree, level, seat, rng)
            else:
                level += 1
                open_decision(tree, level, seat)


@rule
def try_action(tree, level, seat, rng):
    """Play the action in every world of the decision, and let the others play on until this seat decides again."""
    worlds = tree.keys.shape[1]
    offered = np.empty(MOST, np.int64)
    gains = np.empty(SEATS)
    at = tree.at[level]
    tree.left[level] = 0
    for k in range(tree.sizes[level]):
        w = tree.members[level, k]
        before = tree.states[level * worlds + w]
        after = tree.states[(level + 1) * worlds + w]
        copy(after, before)
        play(after, tree.actions[level, at], rng)
        while after.phase != FINISHED and after.mover != seat:
            n = legal(after, offered)
            play(after, rule_action(after, np.int64(after.mover), offered[:n], n), rng)
        if after.phase == FINISHED:
            tree.values[level, w, at] = result(after, seat, gains)
        else:
            tree.keys[level, w] = seen_since(after, np.int64(before.plays))
            tree.waiting[level, tree.left[level]] = w
            tree.left[level] += 1


@rule
def seen_since(s, plays):
    """What was played and announced after the first `plays` cards, as one number: worlds with the same number look
    alike."""
    key = np.uint64(s.plays)
    for i in range(plays, s.plays):
        key = mix(key ^ np.uint64(s.played[i]))
        if i & 3 == 0:
            key = mix(key ^ np.uint64(CARDS + s.announced[i >> 2]))
    return key


@rule
def next_group(tree, level, shares):
    """Take the next worlds that look alike off the waiting ones, as members of the level below.

    Returns how many equally likely worlds would say as much.
    """
    key = tree.keys[level, tree.waiting[level, 0]]
    size, left = 0, 0
    total, squares = 0.0, 0.0
    for k in range(tree.left[level]):
        w = tree.waiting[level, k]
        if tree.keys[level, w] == key:
            tree.members[level + 1, size] = w
            size += 1
            total += shares[w]
            squares += shares[w] * shares[w]
        else:
            tree.waiting[level, left] = w
            left += 1
    tree.left[level] = left
    tree.sizes[level + 1] = size
    return total * total / squares if squares > 0.0 else 0.0


@rule
def finish_group(tree, level, seat, rng):
    """Let the rule agent finish the deal in all seats, in the worlds that were taken last."""
    worlds = tree.keys.shape[1]
    offered = np.empty(MOST, np.int64)
    gains = np.empty(SEATS)
    for k in range(tree.sizes[level + 1]):
        w = tree.members[level + 1, k]
        finish_by_rules(tree.states[(level + 1) * worlds + w], offered, rng)
        tree.values[level, w, tree.at[level]] = result(tree.states[(level + 1) * worlds + w], seat, gains)


@rule
def open_decision(tree, level, seat):
    """The seat has to decide in the worlds that were taken last, which look alike to it."""
    s = tree.states[level * tree.keys.shape[1] + tree.members[level, 0]]
    n = legal(s, tree.actions[level])
    tree.counts[level] = n
    tree.at[level] = 0
    tree.left[level] = -1
    tree.usual[level] = place_of(tree.actions[level, :n], rule_action(s, seat, tree.actions[level, :n], n))


@rule
def answer(tree, level, shares, doubt):
    """All actions of a later decision are tried: what the best gives is what the action before it is worth."""
    size, n = tree.sizes[level], tree.counts[level]
    action_values, weights = np.empty((size, n)), np.empty(size)
    for k in range(size):
        w = tree.members[level, k]
        weights[k] = shares[w]
        for i in range(n):
            action_values[k, i] = tree.values[level, w, i]
    total = weights.sum()
    for k in range(size):
        weights[k] = weights[k] / total if total > 0.0 else 1.0 / size
    best = choose(tree.actions[level, :n], action_values, weights, tree.usual[level], doubt)
    for k in range(size):
        tree.values[level - 1, tree.members[level, k], tree.at[level - 1]] = action_values[k, best]


# --- the agent ------------------------------------------------------------------------------------


@rule
def plan_of(view, seat, parameters):
    """How far to look ahead: (levels, deals that a group needs, doubt)."""
    few = count_worlds(view, seat) <= min(np.float64(parameters.worlds), np.float64(parameters.particles))
    if few and parameters.ahead > 0:
        return np.int64(TRICK_COUNT), 0.0, parameters.doubt
    return np.int64(parameters.ahead), np.float64(parameters.group), parameters.doubt


@rule
def judge_replies(view, seat, actions, worlds, parameters, rng):
    """float64[worlds, actions]: payoffs to the seat; worlds: (hands int64[n, 4], shares float64[n])."""
    hands, shares = worlds
    action_values = np.empty((len(hands), len(actions)))
    world = allocate(STATE, 1)
    if view.phase != TRICKS:
        for w in range(len(hands)):
            set_world(world[0], view, hands[w])
            play_out_all(world[0], seat, actions, rng, action_values[w])
        return action_values
    tree = new_tree(view, actions, hands)
    look_ahead(tree, seat, shares, plan_of(view, seat, parameters), rng)
    solved = np.zeros(len(actions))
    memory = new_memory(view.plays)
    for w in range(len(hands)):
        set_world(world[0], view, hands[w])
        unit = stake_of(world[0], seat) * parameters.open
        if unit > 0.0:
            solve_moves(world[0], actions, len(actions), WIN, memory, solved)
        for i in range(len(actions)):
            action_values[w, i] = (1.0 - parameters.open) * tree.values[0, w, i] + unit * solved[i]
    return action_values


@rule
def model_of_rules(parameters):
    """The model of the others: they play like the rule agent, except for a share of random moves."""
    return Model(np.int64(WEIGHTED), np.float64(parameters.particles), parameters.noise, np.zeros(0))


@rule
def reply_doubt(view, parameters):
    return parameters.doubt if view.phase == TRICKS else parameters.before


@policy(
    Text("imagines deals by what the others did, and plays what does best if they play like the rules"),
    settings=SETTINGS,
    heavy=True,
)
def best_reply(view, seat, actions, memory, parameters, rng):
    if len(actions) == 1:
        return actions[0]
    found = np.empty(MOST, np.int64)
    found = found[: candidates(view, seat, actions, found)]
    worlds = imagine(model_of_rules(parameters), view, seat, np.int64(parameters.worlds), rng)
    action_values = judge_replies(view, seat, found, worlds, parameters, rng)
    usual = place_of(found, rule_action(view, seat, actions, len(actions)))
    return found[choose(found, action_values, worlds[1], usual, reply_doubt(view, parameters))]


@best_reply.explains
def explain(view: View, action: int, parameters: np.record) -> list[str] | Decision:
    """The decision with all that led to it: the same worlds are imagined again."""
    if len(view.actions) == 1:
        return [Text("{move} is the only legal move.", move=view.text(action))]
    actions = np.array(view.actions, np.int64)
    found = np.empty(MOST, np.int64)
    found = found[: candidates(view.record, view.seat, actions, found)]
    rng = view.stream()
    worlds = imagine(model_of_rules(parameters), view.record, view.seat, int(parameters.worlds), rng)
    action_values = judge_replies(view.record, view.seat, found, worlds, parameters, rng)
    usual = int(rule_action(view.record, view.seat, actions, len(actions)))
    belief = belief_of(view, "weighted", int(parameters.particles), float(parameters.noise))
    doubt = float(reply_doubt(view.record, parameters))
    return decision_by_samples(
        view, action, usual, SampledDeals(found.tolist(), action_values, *worlds), belief, doubt
    )
