"""Trials: a move is played in a world, and then everybody follows a model of theirs to the end of the game."""

from typing import Any, NamedTuple

import numpy as np

from hiddenhand.kernel import CHANCE, OVER, copy, generic, pick, rule, split
from hiddenhand.kernel.contract import evaluate, legal, observe, odds, payoff, play, turn, world
from hiddenhand.kernel.loop import ask

Array = np.ndarray[Any, Any]

FOLLOWS = 0xF0110  # a key: who follows which model in a trial
NONE = -1


class RolloutTask(NamedTuple):
    """Which trials are made."""

    me: int
    candidates: Array  # int64[moves]
    live: Array  # int64[at most as many]: those that are still tried
    worlds: Array  # int64[trials]: in which each trial is made
    longest: int  # plies after which EVAL answers
    seed: Any  # uint64


class RolloutWorkspace(NamedTuple):
    """Space to work in."""

    states: Any  # record[2]: the world, and the game in it
    views: Any  # view record[1]
    memories: Array  # uint64[seats, words]: of the models that the seats follow,
    follows: Array  # int64[seats]: which are these
    actions: Array
    chances: Array
    gains: Array  # float64[seats]
    rng: Array
    fault: Array  # int64[2]: 1 and the seat whose policy gave no legal move


@generic
def follow(s, action, ply, stop, chance, task, models, room):  # noqa: PLR0913  (borrowed room)
    """Play an action, and then as the models do until seat `stop` has a choice, or to the end.

    Returns the ply at which it has one, or OVER once it is written what everybody gets.
    """
    while action != NONE:
        room.rng[0] = split(chance, 2 * ply + 1)
        play(s, action, room.rng)
        ply += 1
        seat = turn(s)
        if seat == OVER:
            payoff(s, room.gains)
            return OVER
        if ply >= task.longest:
            evaluate(s, room.gains)
            return OVER
        count = legal(s, room.actions)
        if seat == stop and count > 1:
            return ply
        action = next_action(s, seat, count, split(chance, 2 * ply), models, room)
    return OVER


@generic
def next_action(s, seat, count, seed, models, room):
    """What the model of a seat does, or chance, of the legal actions in the room; NONE if that is none of them."""
    actions, rng, view = room.actions, room.rng, room.views[0]
    rng[0] = seed
    if seat == CHANCE:
        odds(s, room.chances)
        return actions[pick(rng, room.chances, count)]
    observe(s, seat, view)
    model = seat * models.kinds + room.follows[seat]
    memory, own = room.memories[seat], models.parameters[model]
    action = ask(models.policies[model], view, seat, actions[:count], memory, own, rng)
    for i in range(count):
        if actions[i] == action:
            return action
    room.fault[0], room.fault[1] = 1, seat
    return NONE


@generic
def begin_trial(s, cases, trial, task, models, room):
    """Write the world of a trial, and draw which of its models each of the others follows in it."""
    i, chance = task.worlds[trial], split(task.seed, trial)
    copy(s, cases.now[i])
    if cases.numbers[i] >= 0:  # what nobody has seen is drawn anew
        room.rng[0] = split(chance, 0)
        world(s, task.me, cases.numbers[i], room.rng)
    room.rng[0] = split(chance, FOLLOWS)
    for seat in range(len(room.follows)):
        room.follows[seat] = 0
        if seat != task.me and models.kinds > 1:
            room.follows[seat] = pick(room.rng, cases.follows[i, seat], models.kinds)


@rule
def recall(cases, i, room):
    """The memories of the models that the seats follow, as they are in world i."""
    for seat in range(room.memories.shape[0]):
        for word in range(room.memories.shape[1]):
            room.memories[seat, word] = cases.memories[i, seat, room.follows[seat], word]


@generic
def try_moves(cases, task, models, room, first, last, payoffs):
    """Make the trials first .. last - 1 of every live move: payoffs[move, trial] is what this seat gets."""
    start, s = room.states[0], room.states[1]
    for trial in range(first, last):
        begin_trial(start, cases, trial, task, models, room)
        for move in task.live:
            copy(s, start)
            recall(cases, task.worlds[trial], room)
            follow(s, task.candidates[move], 0, OVER, split(task.seed, trial), task, models, room)
            payoffs[move, trial] = room.gains[task.me]
