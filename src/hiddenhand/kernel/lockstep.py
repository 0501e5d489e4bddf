"""Games in lockstep: a step is one move in each of many games, chosen by somebody outside, and chance resolved.

A game that ends is dealt anew within the same step, so that every step asks for a move in every game. Place i of n
plays the games i, i + n, i + 2n, ... of the match with that seed: their deals, and whatever chance does in them, are
those of the match loop (see `loop`).

What is here is written for one game: whoever holds the states calls it for each, on as many threads as there are.
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
    relative,
    turn,
)
from hiddenhand.kernel.records import borrow, copy
from hiddenhand.kernel.rng import game_seed, pick, split
from hiddenhand.kernel.rule import rule

# What went wrong in a game: `fault` holds one of these, and the game's number.
NOTHING, ENDLESS, EMPTY, UNNUMBERED = range(4)

Array = np.ndarray[Any, Any]


class Terms(NamedTuple):
    """What holds for all games."""

    seed: Any  # uint64: of the match
    places: int  # games that are played at once
    longest: int  # plies after which a game counts as endless


class Games(NamedTuple):
    """The games side by side, one row each: what is shown of them, and what is kept beside their states."""

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


@generic
def deal_game(terms, games, room, s, i):
    """Deal game numbers[i]."""
    rng, worth = borrow(room.rng), borrow(room.gains)
    copy(s, room.blank[0])
    rng[0] = split(game_seed(terms.seed, games.numbers[i]), 0)
    deal(s, rng)
    games.plies[i] = 0
    seat = roll(terms, games, room, s, i)
    if seat == OVER:
        games.fault[0], games.fault[1] = EMPTY, games.numbers[i]
        seat = 0
    evaluate(s, worth)
    for each in range(len(worth)):
        games.values[i, each] = worth[each]
    show_game(games, room, s, i, seat)


@generic
def roll(terms, games, room, s, i):
    """What chance does, until somebody is to move or the game is over: the seat, or OVER."""
    actions, chances, rng = borrow(room.actions), borrow(room.chances), borrow(room.rng)
    seat = turn(s)
    while seat == CHANCE and games.plies[i] < terms.longest:
        games.plies[i] += 1
        count = legal(s, actions)
        odds(s, chances)
        rng[0] = split(game_seed(terms.seed, games.numbers[i]), games.plies[i])
        play(s, actions[pick(rng, chances, count)], rng)
        seat = turn(s)
    if seat != OVER and games.plies[i] >= terms.longest:
        games.fault[0], games.fault[1] = ENDLESS, games.numbers[i]
        seat = OVER
    return seat


@generic
def show_game(games, room, s, i, seat):
    """Write what is shown of a game in which this seat is to move."""
    actions, view = borrow(room.actions), room.views[0]
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
    encode(view, seat, borrow(games.observation)[i])


@generic
def step_game(terms, games, room, s, i, number):
    """The mover of game i plays the legal action that it knows by this number."""
    rng, worth = borrow(room.rng), borrow(room.gains)
    games.plies[i] += 1
    rng[0] = split(game_seed(terms.seed, games.numbers[i]), games.plies[i])
    play(s, np.int64(games.meant[i, number]), rng)
    seat = roll(terms, games, room, s, i)
    evaluate(s, worth)
    for each in range(len(worth)):
        games.gains[i, each] = worth[each] - games.values[i, each]
        games.values[i, each] = worth[each]
        games.rewards[i, each] = 0.0
        worth[each] = 0.0
    games.done[i] = seat == OVER
    if seat != OVER:
        show_game(games, room, s, i, seat)
        return
    payoff(s, worth)
    for each in range(len(worth)):
        games.rewards[i, each] = worth[each]
    games.numbers[i] += terms.places
    deal_game(terms, games, room, s, i)


# --- stretches of games, their states in an array of records: what a thread does --------------------


@generic
def deal_games(terms, games, room, states, first, end):
    for i in range(first, end):
        deal_game(terms, games, room, states[i], i)


@generic
def show_games(games, room, states, first, end):
    for i in range(first, end):
        show_game(games, room, states[i], i, games.turn[i])


@generic
def step_games(terms, games, room, states, choices, first, end):
    for i in range(first, end):
        step_game(terms, games, room, states[i], i, choices[i])


@rule
def first_illegal(legal, choices):
    """The first game in which no legal action has the number that was chosen; -1 if there is none."""
    every = legal.shape[1]
    for i in range(len(choices)):
        if not 0 <= choices[i] < every or not legal[i, choices[i]]:
            return i
    return -1
