"""Games in lockstep: a step makes one move in each of many games, and then resolves chance.

The caller chooses the moves. A game that ends is dealt again within the same step, so that every step needs a move
for every game. Place i of n plays the games i, i + n, i + 2n, ... of the match with that seed: their deals, and
everything that chance does in them, are those of the match loop (see `loop`).

The functions here work on one game: the backend that holds the states calls them for each, on all its threads.
"""

from typing import Any, NamedTuple

import numpy as np

from hiddenhand.kernel.binding import generic
from hiddenhand.kernel.contract import (
    CHANCE,
    OVER,
    deal,
    encode,
    evaluate,
    legal,
    observe,
    odds,
    payoff,
    play,
    redeal,
    relative,
    rewind,
    turn,
    world,
    worlds,
)
from hiddenhand.kernel.loop import ply_seed
from hiddenhand.kernel.records import copy, unowned
from hiddenhand.kernel.rng import game_seed, pick, split
from hiddenhand.kernel.rule import rule

# What went wrong in a game: `fault` holds one of these, and the game's number.
NOTHING, ENDLESS, EMPTY, UNNUMBERED, ILLEGAL = range(5)

DEAL, SHOW, STEP = range(3)  # what is done with a game
REWIND, COUNT_WORLDS, SET_WORLD = range(3)  # what is done with an imagined world
DEALT = -1  # instead of an action: the deal

Array = np.ndarray[Any, Any]


class BatchConfig(NamedTuple):
    """What holds for all games."""

    seed: Any  # uint64: of the match
    places: int  # games that are played at once
    longest: int  # plies after which a game counts as endless


class GameBatch(NamedTuple):
    """Arrays with a row for each game: what a learner sees of it, and what the step keeps besides its state."""

    turn: Array  # int64[n]: the seat to move
    legal: Array  # bool[n, actions]: by the numbers that the mover knows them by (see `relative`)
    meant: Array  # int16[n, actions]: and the actions that these numbers mean, where they are legal
    observation: Array  # uint8 or float32[n, observation_size]
    rewards: Array  # float32[n, seats]: payoffs of the games that ended in the last step
    gains: Array  # float32[n, seats]: by how much EVAL rose in it
    values: Array  # float64[n, seats]: EVAL now
    done: Array  # bool[n]
    numbers: Array  # int64[n]: which game of the match this is
    plies: Array  # int64[n]: played in it
    fault: Array  # int64[2]


class Told(NamedTuple):
    """What imagined worlds tell."""

    moves: Array  # int64[n, longest]: after REWIND, how they came about
    numbers: Array  # float64[n]: of these moves, or of the worlds that can be listed; or the weight of a world


def has_outcomes() -> bool:
    """Whether chance has moves of its own in this game: `yes` or `no`, so that others go without that code."""
    raise NotImplementedError


@rule
def yes():
    return True


@rule
def no():
    return False


@generic
def work_on(what, config, games, workspace, s, i, number):
    """Deal game i, or let its mover play the legal action that it knows by this number; then show it.

    (It is one function, with a loop, so that what is compiled has few copies of each rule: they are large.)
    """
    action = np.int64(games.meant[i, number]) if what == STEP else DEALT
    going = what != SHOW
    seat = OVER
    if what == SHOW:
        seat = turn(s)
        account(config, games, workspace, s, i, DEALT, seat)
    while going:
        seat = advance(config, games, workspace, s, i, action)
        account(config, games, workspace, s, i, action, seat)
        going = seat == OVER and action != DEALT
        action = DEALT
    show_game(games, workspace, s, i, max(seat, 0))


@generic
def advance(config, games, workspace, s, i, action):
    """Play an action, or deal, and let chance do what it does then: the seat to move, or OVER."""
    actions, chances, rng = workspace.actions, workspace.chances, workspace.rng
    table_seed = game_seed(config.seed, games.numbers[i])
    ply = games.plies[i]
    seed = ply_seed(table_seed, ply + 1)
    seat = CHANCE
    while seat == CHANCE:
        if action == DEALT:
            ply = 0
            copy(s, workspace.blank[0])
            rng[0] = split(table_seed, 0)
            deal(s, rng)
        else:
            ply += 1
            rng[0] = seed
            play(s, action, rng)
        seat = turn(s)
        if seat != OVER and ply >= config.longest:
            games.fault[0], games.fault[1] = ENDLESS, games.numbers[i]
            seat = OVER
        if has_outcomes() and seat == CHANCE:
            count = legal(s, actions)
            odds(s, chances)
            seed = ply_seed(table_seed, ply + 1)
            rng[0] = seed
            action = actions[pick(rng, chances, count)]
    games.plies[i] = ply
    return seat


@generic
def account(config, games, workspace, s, i, action, seat):
    """Write by how much EVAL rose with an action, and what was paid if the game is over; a deal only sets EVAL."""
    worth = workspace.gains
    evaluate(s, worth)
    for each in range(len(worth)):
        if action != DEALT:
            games.gains[i, each] = worth[each] - games.values[i, each]
            games.rewards[i, each] = 0.0
        games.values[i, each] = worth[each]
        worth[each] = 0.0
    if action == DEALT:
        if seat == OVER:
            games.fault[0], games.fault[1] = EMPTY, games.numbers[i]
        return
    games.done[i] = seat == OVER
    if seat == OVER:
        payoff(s, worth)
        for each in range(len(worth)):
            games.rewards[i, each] = worth[each]
        games.numbers[i] += config.places


@generic
def show_game(games, workspace, s, i, seat):
    """Write what is shown of a game in which this seat is to move."""
    actions, view = workspace.actions, workspace.views[0]
    games.turn[i] = seat
    every = games.legal.shape[1]
    for number in range(every):
        games.legal[i, number] = False
    observe(s, seat, view)
    for k in range(legal(s, actions)):
        number = relative(view, actions[k], seat)
        if 0 <= number < every:
            games.legal[i, number] = True
            games.meant[i, number] = actions[k]
        else:
            games.fault[0], games.fault[1] = UNNUMBERED, games.numbers[i]
    encode(view, seat, games.observation[i])


@generic
def work_on_games(what, config, games, workspace, states, choices, stretch):
    """The games from stretch[0] up to stretch[1], whose states are an array of records: what a thread does."""
    shown, desk, records = unowned(games), unowned(workspace), unowned(states)
    for i in range(stretch[0], stretch[1]):
        work_on(what, config, shown, desk, records[i], i, choices[i])


@generic
def imagine(what, s, first, moves, seat, number, rng):
    """Put the state after the deal in the place of a state, or world `number` of the seat's list; -1: any, redealt.

    What is told: the number of moves or worlds, or the weight of the world."""
    if what == COUNT_WORLDS:
        return np.float64(worlds(s, seat))
    if what == REWIND:
        count = rewind(s, first, moves)
        copy(s, first)
        return np.float64(count)
    if number >= 0:
        return np.float64(world(s, seat, number, rng))
    redeal(s, seat, rng)
    return 1.0


@generic
def imagine_games(what, states, first, seats, numbers, seeds, told):
    """`imagine` for all these games."""
    records, before, moves, rng = unowned(states), unowned(first), unowned(told.moves), np.zeros(1, np.uint64)
    for i in range(len(seats)):
        rng[0] = seeds[i]
        told.numbers[i] = imagine(what, records[i], before[0], moves[i], seats[i], numbers[i], rng)


@rule
def first_illegal(legal, choices):
    """The first game in which no legal action has the number that was chosen; -1 if there is none."""
    every = legal.shape[1]
    for i in range(len(choices)):
        if not 0 <= choices[i] < every or not legal[i, choices[i]]:
            return i
    return -1
