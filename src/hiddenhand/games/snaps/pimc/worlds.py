"""Actions judged in imagined deals, in two ways that take turns from world to world.

In every other world the cards lie open and the play is solved; in the ones between, the rule agent finishes the deal
in all four seats, each seat seeing only its own cards. Open cards are right about tactics and blind to what players
do not know; the rule agent is the other way round. Together they are better judges than either.
"""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS, SEATS, bit
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.rules import legal, play
from hiddenhand.games.snaps.solver import WIN, new_memory, new_state, solve_moves
from hiddenhand.games.snaps.stakes import payoff
from hiddenhand.games.snaps.state import CHOOSING, FINISHED, TRICKS
from hiddenhand.kernel import copy, rule


@rule
def set_world(world, view, hands):
    """Make `world` the state in which the view's seat sits, with these four hands (masks)."""
    copy(world, view)
    for seat in range(SEATS):
        world.hands[seat] = hands[seat]
        if view.named >= 0 and hands[seat] & bit(view.named):
            world.holder = seat
    for i in range(view.plays):
        if view.played[i] == view.named:
            world.holder = view.played_by[i]
    if view.phase == CHOOSING:
        world.seen_first = view.hands[view.chooser]


@rule
def judge(view, seat, actions, hands, rng, values):
    """Write values[w, i]: the payoff of actions[i] to the seat, in stakes, in the world hands[w] (int64[worlds, 4]).

    Card play takes both judges in turn; a card to name and kontra are judged by playing out alone, since open cards
    flatter a side whose partners do not know each other.
    """
    world = new_state()
    memory = new_memory(view.plays)
    for w in range(hands.shape[0]):
        set_world(world[0], view, hands[w])
        if view.phase == TRICKS and w % 2 == 0:
            solve_moves(world[0], actions, len(actions), WIN, memory, values[w])
        else:
            play_out_all(world[0], seat, actions, rng, values[w])


@rule
def play_out_all(world, seat, actions, rng, values):
    """Write values[i]: the payoff of actions[i] if the rule agent plays in every seat after it.

    During play kontra is a fact that changes nothing: values are in stakes, as those of the solver are.
    """
    trial = new_state()
    room = np.empty(CARDS, np.int64)
    gains = np.empty(SEATS)
    for i in range(len(actions)):
        copy(trial[0], world)
        if world.phase == TRICKS:
            trial[0].doubled_by, trial[0].redoubled_by = -1, -1
        play(trial[0], actions[i], rng)
        finish_by_rules(trial[0], room, rng)
        payoff(trial[0], gains)
        values[i] = gains[seat]
        if world.phase == TRICKS and trial[0].holder == seat == trial[0].chooser:
            values[i] /= SEATS - 1


@rule
def finish_by_rules(s, room, rng):
    """Let the rule agent finish the deal in every seat; room int64[24] for the actions."""
    while s.phase != FINISHED:
        n = legal(s, room)
        play(s, rule_action(s, np.int64(s.mover), room[:n], n), rng)
