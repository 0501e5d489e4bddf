"""Moves judged in imagined deals: each world is solved as if all cards lay open."""

import numpy as np

from hiddenhand.games.snaps.cards import SEATS, bit
from hiddenhand.games.snaps.knowledge import redeal
from hiddenhand.games.snaps.rules import STATE, name_card
from hiddenhand.games.snaps.solver import WIN, new_memory, solve, solve_moves
from hiddenhand.kernel import copy, rule


@rule
def set_world(world, view, hands):
    """Make `world` the state in which the view's seat sits, with these four hands (masks)."""
    copy(world, view)
    for seat in range(SEATS):
        world.hands[seat] = hands[seat]
        if hands[seat] & bit(view.named):
            world.holder = seat
    for i in range(view.plays):
        if view.played[i] == view.named:
            world.holder = view.played_by[i]


@rule
def judge_moves(view, actions, hands, values):
    """Write values[w, i]: what actions[i] is worth to the mover's side in world w. hands int64[worlds, 4]."""
    world = np.empty(1, STATE)
    memory = new_memory(view.plays)
    for w in range(hands.shape[0]):
        set_world(world[0], view, hands[w])
        solve_moves(world[0], actions, len(actions), WIN, memory, values[w])


@rule
def judge_play(view, hands, values):
    """Write values[w]: what the play to come is worth to the chooser's side in world w."""
    world = np.empty(1, STATE)
    memory = new_memory(view.plays)
    for w in range(hands.shape[0]):
        set_world(world[0], view, hands[w])
        values[w] = solve(world[0], WIN, memory)


@rule
def judge_names(view, seat, cards, worlds, rng, totals):
    """Add to totals[i] what it is worth to name cards[i], over so many deals. Alone, the stake is threefold."""
    world, named = np.empty(1, STATE), np.empty(1, STATE)
    memory = new_memory(0)
    for _ in range(worlds):
        copy(world[0], view)
        redeal(world[0], seat, rng)
        for i in range(len(cards)):
            copy(named[0], world[0])
            name_card(named[0], cards[i])
            alone = named[0].holder == seat
            totals[i] += solve(named[0], WIN, memory) * (SEATS - 1 if alone else 1)
