"""Looking ahead: what moves are worth if this seat goes on trying moves at its next decisions.

After the move that is tried everybody follows the models until this seat has a choice again. The trials that look the
same to it by then are one decision and get one answer: the move that does best on average over them, or the
blueprint's where none is better by more than chance. So nothing is counted on that the seat will not know, as open
cards do. Where few trials look the same, and once it has looked as far ahead as it should, the blueprint decides for
this seat as well.

An answer that was chosen by some trials looks better in them than it is. So they are halved: what is done in one half
is what does best in the other. Only if they are all worlds there are, and chance has no part, all of them choose;
once it looks ahead to the end then, what is found is the best answer to the models.
"""

from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.game import Game
from hiddenhand.kernel import OVER, copy, digest, generic, new_records, rule, split
from hiddenhand.kernel.contract import legal, observe
from hiddenhand.search.rollouts import NONE, begin_trial, follow, next_action, recall

Array = np.ndarray[Any, Any]

ALIKE = 8  # so many trials must look the same for a decision to be made, unless they are all there are
TIED = 1e-12


class LookAheadConfig(NamedTuple):
    """How far to look ahead, and who chooses."""

    steps: int  # decisions of this seat, the one at hand included
    alike: int  # so many trials must look the same for a decision to be made
    bound: float  # standard errors by which a move must be ahead of the blueprint's
    shares: Array  # float64[trials]: what each counts
    halves: Array  # int64[trials]: 0 or 1, or all 2: the others choose, or everybody


class LookAheadTree(NamedTuple):
    """Level 0 is the decision at hand, level k the k-th of this seat after it; of each level, and of each trial:"""

    states: Any  # record[(levels + 1) * trials]: level k of trial t is states[k * trials + t]
    memories: Array  # uint64[levels + 1, trials, seats, words]
    plies: Array  # int64[levels + 1, trials]
    follows: Array  # int64[trials, seats]: which models the seats follow
    actions: Array  # int64[levels, most], the first counts[level] of them
    counts: Array  # int64[levels]
    at: Array  # int64[levels]: the place of the action that is being tried
    own: Array  # int64[levels]: the place of the blueprint's
    members: Array  # int64[levels, trials]: those that look the same at this decision, the first sizes[level] of them
    sizes: Array  # int64[levels]
    waiting: Array  # int64[levels, trials]: those in which the seat has a choice after the action that is tried,
    left: Array  # int64[levels]: the first so many of them; -1 before the action is played
    keys: Array  # uint64[levels, trials]: what it sees by then
    values: Array  # float64[levels, trials, most]: what each action is worth


def new_tree(game: Game, words: int, plan: LookAheadConfig) -> LookAheadTree:
    levels, trials, most = plan.steps, len(plan.shares), game.most_actions
    return LookAheadTree(
        states=new_records(game.state, (levels + 1) * trials),
        memories=np.zeros((levels + 1, trials, game.players, words), np.uint64),
        plies=np.zeros((levels + 1, trials), np.int64),
        follows=np.zeros((trials, game.players), np.int64),
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
def look_ahead(cases, task, models, room, tree, plan, payoffs):
    """payoffs[move, trial] is what this seat gets with every live move, in the trials 0 .. len(plan.shares) - 1."""
    plant(cases, task, models, room, tree, plan)
    level = 0
    while level > 0 or tree.at[0] < tree.counts[0]:
        if tree.at[level] == tree.counts[level]:
            answer(tree, level, plan)
            level -= 1
        elif tree.left[level] < 0:
            try_action(task, models, room, tree, plan, level)
        elif tree.left[level] == 0:
            tree.at[level] += 1
            tree.left[level] = -1
        else:
            gather(tree, level)
            level += 1
            if tree.sizes[level] < plan.alike:
                finish(task, models, room, tree, level)
                level -= 1
            else:
                open_decision(task, models, room, tree, level)
    for place in range(len(task.live)):
        for trial in range(len(plan.shares)):
            payoffs[task.live[place], trial] = tree.values[0, trial, place]


@generic
def plant(cases, task, models, room, tree, plan):
    """The decision at hand, in all trials."""
    for trial in range(len(plan.shares)):
        begin_trial(tree.states[trial], cases, trial, task, models, room)
        recall(cases, task.worlds[trial], room)
        keep_memories(tree, 0, trial, room)
        for seat in range(len(room.follows)):
            tree.follows[trial, seat] = room.follows[seat]
        tree.members[0, trial] = trial
    tree.sizes[0] = len(plan.shares)
    tree.counts[0] = len(task.live)
    for place in range(len(task.live)):
        tree.actions[0, place] = task.candidates[task.live[place]]


@rule
def keep_memories(tree, level, trial, room):
    for seat in range(room.memories.shape[0]):
        for word in range(room.memories.shape[1]):
            tree.memories[level, trial, seat, word] = room.memories[seat, word]


@rule
def fetch_memories(tree, level, trial, room):
    for seat in range(room.memories.shape[0]):
        room.follows[seat] = tree.follows[trial, seat]
        for word in range(room.memories.shape[1]):
            room.memories[seat, word] = tree.memories[level, trial, seat, word]


@generic
def try_action(task, models, room, tree, plan, level):
    """Play the action in all trials of the decision, and on until this seat has a choice again."""
    trials, at = tree.keys.shape[1], tree.at[level]
    stop = task.me if level + 1 < plan.steps else OVER
    tree.left[level] = 0
    for k in range(tree.sizes[level]):
        t = tree.members[level, k]
        after = tree.states[(level + 1) * trials + t]
        copy(after, tree.states[level * trials + t])
        fetch_memories(tree, level, t, room)
        chance = split(task.seed, t)
        ply = follow(after, tree.actions[level, at], tree.plies[level, t], stop, chance, task, models, room)
        if ply == OVER:
            tree.values[level, t, at] = room.gains[task.me]
            continue
        observe(after, task.me, room.views[0])
        tree.keys[level, t] = digest(room.views[0], task.me)
        tree.plies[level + 1, t] = ply
        keep_memories(tree, level + 1, t, room)
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
def finish(task, models, room, tree, level):
    """The models play to the end, in all trials of the decision."""
    trials = tree.keys.shape[1]
    for k in range(tree.sizes[level]):
        t = tree.members[level, k]
        s, ply, chance = tree.states[level * trials + t], tree.plies[level, t], split(task.seed, t)
        fetch_memories(tree, level, t, room)
        count = legal(s, room.actions)
        action = next_action(s, task.me, count, split(chance, 2 * ply), models, room)
        follow(s, action, ply, OVER, chance, task, models, room)
        tree.values[level - 1, t, tree.at[level - 1]] = room.gains[task.me]


@generic
def open_decision(task, models, room, tree, level):
    """What can be tried at a decision, and what the blueprint would do."""
    first = tree.members[level, 0]
    s, ply = tree.states[level * tree.keys.shape[1] + first], tree.plies[level, first]
    fetch_memories(tree, level, first, room)
    count = legal(s, room.actions)
    own = next_action(s, task.me, count, split(split(task.seed, first), 2 * ply), models, room)
    tree.counts[level] = count
    tree.at[level] = 0
    tree.own[level] = 0
    tree.left[level] = -1
    for place in range(count):
        tree.actions[level, place] = room.actions[place]
        if room.actions[place] == own:
            tree.own[level] = place
    for k in range(tree.sizes[level]):  # this seat remembers the same in all of them
        for word in range(room.memories.shape[1]):
            tree.memories[level, tree.members[level, k], task.me, word] = room.memories[task.me, word]


@rule
def answer(tree, level, plan):
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
