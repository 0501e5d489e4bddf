"""Rollouts: a move is played in a world, and then every seat follows its model to the end of the game.

What a rollout comes to is judged by the payoff, or by EVAL where it is cut short. A second judge can be plugged in at
`second_opinion`: it is shown a world and the moves that were rolled out there, and may change what they are worth.
"""

from typing import Any, NamedTuple

import numpy as np

from hiddenhand.belief.particle_filter import Models
from hiddenhand.kernel import CHANCE, OVER, copy, generic, pick, rule, split
from hiddenhand.kernel.contract import evaluate, legal, observe, odds, payoff, play, turn, world
from hiddenhand.kernel.loop import ask

Array = np.ndarray[Any, Any]

MODEL_CHOICE = 0xF0110  # a key: which model each seat follows in a rollout
NONE = -1


class RolloutTask(NamedTuple):
    """Which rollouts are made."""

    me: int
    candidates: Array  # int64[moves]
    live: Array  # int64[at most as many]: those that are still compared
    models: Models  # by which policies the seats act
    worlds: Array  # int64[trials]: in which each rollout is made
    longest: int  # plies after which EVAL answers
    seed: Any  # uint64


class RolloutWorkspace(NamedTuple):
    """Scratch arrays."""

    states: Any  # record[2]: the world, and the game in it
    views: Any  # view record[1]
    memories: Array  # uint64[seats, words]: of the models that the seats follow,
    model_choices: Array  # int64[seats]: which are these
    actions: Array
    chances: Array
    gains: Array  # float64[seats]
    rng: Array
    error: Array  # int64[2]: 1 and the seat whose policy gave no legal move
    judge: Any  # whatever a second judge needs


@generic
def roll_out(s, action, ply, stop, chance, task, workspace):
    """Play an action, and then as the models do until seat `stop` has a choice, or to the end.

    Returns the ply at which it has one, or OVER once it is written what everybody gets.
    """
    while action != NONE:
        workspace.rng[0] = split(chance, 2 * ply + 1)
        play(s, action, workspace.rng)
        ply += 1
        seat = turn(s)
        if seat == OVER:
            payoff(s, workspace.gains)
            return OVER
        if ply >= task.longest:
            judge(s, seat, task.models, workspace)
            return OVER
        count = legal(s, workspace.actions)
        if seat == stop and count > 1:
            return ply
        action = next_action(s, seat, count, split(chance, 2 * ply), task.models, workspace)
    return OVER


@generic
def judge(s, seat, models, workspace):
    """What everybody will get from here on, where a rollout is broken off; the plug-in point for another judge."""
    evaluate(s, workspace.gains)


@generic
def next_action(s, seat, count, seed, models, workspace):
    """The action of a seat's model, or of chance; NONE if it is not among the legal ones in the workspace."""
    actions, rng, view = workspace.actions, workspace.rng, workspace.views[0]
    rng[0] = seed
    if seat == CHANCE:
        odds(s, workspace.chances)
        return actions[pick(rng, workspace.chances, count)]
    observe(s, seat, view)
    model = seat * models.kinds + workspace.model_choices[seat]
    memory, own = workspace.memories[seat], models.parameters[model]
    action = ask(models.policies[model], view, seat, actions[:count], memory, own, rng)
    for i in range(count):
        if actions[i] == action:
            return action
    workspace.error[0], workspace.error[1] = 1, seat
    return NONE


@generic
def begin_rollout(s, particles, trial, task, workspace):
    """Set up the world of a rollout, and sample which of its models each of the other seats follows in it."""
    i, chance = task.worlds[trial], split(task.seed, trial)
    copy(s, particles.now[i])
    if particles.numbers[i] >= 0:  # what no seat has seen is sampled again
        workspace.rng[0] = split(chance, 0)
        world(s, task.me, particles.numbers[i], workspace.rng)
    workspace.rng[0] = split(chance, MODEL_CHOICE)
    for seat in range(len(workspace.model_choices)):
        workspace.model_choices[seat] = 0
        if seat != task.me and task.models.kinds > 1:
            workspace.model_choices[seat] = pick(workspace.rng, particles.model_probs[i, seat], task.models.kinds)


@rule
def restore_memories(particles, i, workspace):
    """Set the memories of the models that the seats follow to what they are in world i."""
    for seat in range(workspace.memories.shape[0]):
        for word in range(workspace.memories.shape[1]):
            workspace.memories[seat, word] = particles.memories[i, seat, workspace.model_choices[seat], word]


@generic
def second_opinion(world, trial, task, workspace, payoffs):
    """The plug-in point: payoffs[move, trial] may be changed for every live move. Here it is not."""


@generic
def evaluate_moves(particles, task, workspace, first, last, payoffs):
    """Make the rollouts first .. last - 1 of every live move: payoffs[move, trial] is what this seat gets."""
    start, s = workspace.states[0], workspace.states[1]
    for trial in range(first, last):
        begin_rollout(start, particles, trial, task, workspace)
        for move in task.live:
            copy(s, start)
            restore_memories(particles, task.worlds[trial], workspace)
            roll_out(s, task.candidates[move], 0, OVER, split(task.seed, trial), task, workspace)
            payoffs[move, trial] = workspace.gains[task.me]
        second_opinion(start, trial, task, workspace, payoffs)
