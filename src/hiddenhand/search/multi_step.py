"""Multi-step policy improvement: the value of moves if this seat also improves on its next decisions.

After the move that is evaluated, everybody follows the models until this seat has a choice again. The rollouts that
this seat cannot tell apart by then form one information set and get one action: the one that does best on average
over them, or the blueprint's where none is better by more than chance. So the search never uses what the seat will
not know, as a search with open cards would. Where an information set holds few rollouts, and at the depth limit, the
blueprint decides for this seat as well.

An action that was selected by some rollouts looks better in them than it is. So they are halved: the action for one
half is selected by the other. Only if the rollouts cover all worlds, and chance has no part, are all of them used to
select; if the search then reaches the end of the game, it finds a best response to the models.
"""

from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.game import Game
from hiddenhand.kernel import OVER, copy, digest, generic, new_records, rule, split
from hiddenhand.kernel.contract import legal, observe
from hiddenhand.search.rollouts import NONE, begin_rollout, next_action, restore_memories, roll_out, second_opinion

Array = np.ndarray[Any, Any]

ALIKE = 8  # the fewest rollouts of an information set for which an action is selected, unless they are all
TIED = 1e-12


class LookAheadConfig(NamedTuple):
    """How many decisions are improved, and which rollouts select their actions."""

    steps: int  # decisions of this seat, the one at hand included
    alike: int  # the fewest rollouts of an information set for which an action is selected
    bound: float  # standard errors by which a move must be ahead of the blueprint's
    shares: Array  # float64[trials]: what each counts
    halves: Array  # int64[trials]: 0 or 1, or all 2: the others choose, or everybody


class LookAheadTree(NamedTuple):
    """Level 0 is the decision at hand, level k the k-th of this seat after it; of each level, and of each trial:"""

    states: Any  # record[(levels + 1) * trials]: level k of trial t is states[k * trials + t]
    memories: Array  # uint64[levels + 1, trials, seats, words]
    plies: Array  # int64[levels + 1, trials]
    model_choices: Array  # int64[trials, seats]: which models the seats follow
    actions: Array  # int64[levels, most], the first counts[level] of them
    counts: Array  # int64[levels]
    at: Array  # int64[levels]: the place of the action that is being tried
    own: Array  # int64[levels]: the place of the blueprint's
    members: Array  # int64[levels, trials]: those that look the same at this decision, the first sizes[level] of them
    sizes: Array  # int64[levels]
    waiting: Array  # int64[levels, trials]: those in which the seat has a choice after the action that is tried,
    left: Array  # int64[levels]: how many of them there are; -1 before the action is played
    keys: Array  # uint64[levels, trials]: what it sees by then
    values: Array  # float64[levels, trials, most]: what each action is worth


def new_tree(game: Game, words: int, plan: LookAheadConfig) -> LookAheadTree:
    levels, trials, most = plan.steps, len(plan.shares), game.most_actions
    return LookAheadTree(
        states=new_records(game.rules.state, (levels + 1) * trials),
        memories=np.zeros((levels + 1, trials, game.players, words), np.uint64),
        plies=np.zeros((levels + 1, trials), np.int64),
        model_choices=np.zeros((trials, game.players), np.int64),
        actions=np.zeros((levels, most), np.int64),
        counts=np.zeros(levels, np.int64),
        at=np.zeros(levels, np.int64),
        own=np.zeros(levels, np.int64),
        members=np.zeros((levels, trials), np.int64),
        sizes=np.zeros(levels, np.int64),
        waiting=np.zeros((levels, trials), np.int64),
        left=np.full(levels, -1, np.int64),
        keys=np.zeros((levels, trials), np.uint64),
        values=np.zeros((levels, trials, most)),
    )


@generic
def look_ahead(particles, task, workspace, tree, plan, payoffs):
    """payoffs[move, trial] is what this seat gets with every live move, in the trials 0 .. len(plan.shares) - 1."""
    plant(particles, task, workspace, tree, plan)
    level = 0
    while level > 0 or tree.at[0] < tree.counts[0]:
        if tree.at[level] == tree.counts[level]:
            choose_best(tree, level, plan)
            level -= 1
        elif tree.left[level] < 0:
            try_action(task, workspace, tree, plan, level)
        elif tree.left[level] == 0:
            tree.at[level] += 1
            tree.left[level] = -1
        else:
            gather(tree, level)
            level += 1
            if tree.sizes[level] < plan.alike:
                finish(task, workspace, tree, level)
                level -= 1
            else:
                open_decision(task, workspace, tree, level)
    for place in range(len(task.live)):
        for trial in range(len(plan.shares)):
            payoffs[task.live[place], trial] = tree.values[0, trial, place]
    for trial in range(len(plan.shares)):
        second_opinion(tree.states[trial], trial, task, workspace, payoffs)


@generic
def plant(particles, task, workspace, tree, plan):
    """The decision at hand, in all trials."""
    for trial in range(len(plan.shares)):
        begin_rollout(tree.states[trial], particles, trial, task, workspace)
        restore_memories(particles, task.worlds[trial], workspace)
        keep_memories(tree, 0, trial, workspace)
        for seat in range(len(workspace.model_choices)):
            tree.model_choices[trial, seat] = workspace.model_choices[seat]
        tree.members[0, trial] = trial
    tree.sizes[0] = len(plan.shares)
    tree.counts[0] = len(task.live)
    for place in range(len(task.live)):
        tree.actions[0, place] = task.candidates[task.live[place]]


@rule
def keep_memories(tree, level, trial, workspace):
    for seat in range(workspace.memories.shape[0]):
        for word in range(workspace.memories.shape[1]):
            tree.memories[level, trial, seat, word] = workspace.memories[seat, word]


@rule
def fetch_memories(tree, level, trial, workspace):
    for seat in range(workspace.memories.shape[0]):
        workspace.model_choices[seat] = tree.model_choices[trial, seat]
        for word in range(workspace.memories.shape[1]):
            workspace.memories[seat, word] = tree.memories[level, trial, seat, word]


@generic
def try_action(task, workspace, tree, plan, level):
    """Play the action in all trials of the decision, and on until this seat has a choice again."""
    trials, at = tree.keys.shape[1], tree.at[level]
    stop = task.me if level + 1 < plan.steps else OVER
    tree.left[level] = 0
    for k in range(tree.sizes[level]):
        t = tree.members[level, k]
        after = tree.states[(level + 1) * trials + t]
        copy(after, tree.states[level * trials + t])
        fetch_memories(tree, level, t, workspace)
        chance = split(task.seed, t)
        ply = roll_out(after, tree.actions[level, at], tree.plies[level, t], stop, chance, task, workspace)
        if ply == OVER:
            tree.values[level, t, at] = workspace.gains[task.me]
            continue
        observe(after, task.me, workspace.views[0])
        tree.keys[level, t] = digest(workspace.views[0], task.me)
        tree.plies[level + 1, t] = ply
        keep_memories(tree, level + 1, t, workspace)
        tree.waiting[level, tree.left[level]] = t
        tree.left[level] += 1


@rule
def gather(tree, level):
    """Take the next trials that look the same off the waiting ones, as members of the next level."""
    key = tree.keys[level, tree.waiting[level, 0]]
    size, left = 0, 0
    for k in range(tree.left[level]):
        t = tree.waiting[level, k]
        if tree.keys[level, t] == key:
            tree.members[level + 1, size] = t
            size += 1
        else:
            tree.waiting[level, left] = t
            left += 1
    tree.left[level] = left
    tree.sizes[level + 1] = size


@generic
def finish(task, workspace, tree, level):
    """The models play to the end, in all trials of the decision."""
    trials = tree.keys.shape[1]
    for k in range(tree.sizes[level]):
        t = tree.members[level, k]
        s, ply, chance = tree.states[level * trials + t], tree.plies[level, t], split(task.seed, t)
        fetch_memories(tree, level, t, workspace)
        count = legal(s, workspace.actions)
        action = next_action(s, task.me, count, split(chance, 2 * ply), task.models, workspace)
        roll_out(s, action, ply, OVER, chance, task, workspace)
        tree.values[level - 1, t, tree.at[level - 1]] = workspace.gains[task.me]


@generic
def open_decision(task, workspace, tree, level):
    """What can be tried at a decision, and what the blueprint would do."""
    first = tree.members[level, 0]
    s, ply = tree.states[level * tree.keys.shape[1] + first], tree.plies[level, first]
    fetch_memories(tree, level, first, workspace)
    count = legal(s, workspace.actions)
    own = next_action(s, task.me, count, split(split(task.seed, first), 2 * ply), task.models, workspace)
    tree.counts[level] = count
    tree.at[level] = 0
    tree.own[level] = 0
    tree.left[level] = -1
    for place in range(count):
        tree.actions[level, place] = workspace.actions[place]
        if workspace.actions[place] == own:
            tree.own[level] = place
    for k in range(tree.sizes[level]):  # this seat remembers the same in all of them
        for word in range(workspace.memories.shape[1]):
            tree.memories[level, tree.members[level, k], task.me, word] = workspace.memories[task.me, word]


@rule
def choose_best(tree, level, plan):
    """All actions of a later decision are tried: what the best gives is what the action before it is worth."""
    before = tree.at[level - 1]
    for half in range(3):
        best = NONE
        for k in range(tree.sizes[level]):
            t = tree.members[level, k]
            if plan.halves[t] == half:
                if best == NONE:
                    best = choose(tree, level, plan, half)
                tree.values[level - 1, t, before] = tree.values[level, t, best]


@rule
def choose(tree, level, plan, half):
    """The place of the action that does best in the trials which choose for this half."""
    own, values = tree.own[level], tree.values[level]
    best, most = own, TIED
    for place in range(tree.counts[level]):
        n, share, total, squares = 0, 0.0, 0.0, 0.0
        for k in range(tree.sizes[level]):
            t = tree.members[level, k]
            if plan.halves[t] != half or half == 2:
                gap = values[t, place] - values[t, own]
                n += 1
                share += plan.shares[t]
                total += plan.shares[t] * gap
                squares += plan.shares[t] * gap * gap
        if share > 0.0 and total / share > most:
            spread = max(0.0, squares / share - (total / share) ** 2)
            if total / share > plan.bound * np.sqrt(spread / max(n - 1, 1)):
                best, most = place, total / share
    return best
