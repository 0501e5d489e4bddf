"""Perfect-information Monte Carlo for snaps: sample deals, value every move in each, play what wins most often.

The setting `belief` says where the deals come from: `exact` (every deal that agrees with all that was seen is equally
likely), `table` (the knowledge base of the thesis), `weighted` (a deal counts more if the rule agent would have
played in it as the others did) or `statistics` (the same, with counted habits as the model of the others). If no more
deals are possible than may be sampled, all of them are taken, each with its probability.

Every move is valued in two ways, and the mean of both counts. In one, all cards lie open and the deal is solved. In
the other, the rule agent finishes the deal in all four seats, and each seat sees only its own cards. The first is
right about tactics, but does not know what the players cannot know; with the second it is the other way round. The
move of the rule agent is played unless another is clearly better. Values are payoffs to the seat, for all decisions
from the card that is named to the last trick.
"""

import numpy as np

from hiddenhand.core.decision import Decision
from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.beliefs.kinds import belief_of, imagine
from hiddenhand.games.snaps.beliefs.statistics import statistics_of
from hiddenhand.games.snaps.beliefs.weighted import KINDS, Model
from hiddenhand.games.snaps.cards import CARDS, NONE, RANKS, SEATS, SUITS, bit, count, suit_mask
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.rules import legal, payoff, play
from hiddenhand.games.snaps.sampling_reasons import SampledDeals, decision_by_samples
from hiddenhand.games.snaps.solver import WIN, new_memory, solve_moves
from hiddenhand.games.snaps.state import (
    CHOOSING,
    DOST,
    FINISHED,
    MARRIAGE,
    MARRIAGE_AND_CLAIM,
    STATE,
    TRICKS,
    side,
    total_with,
)
from hiddenhand.kernel import allocate, copy, rule

SETTINGS = {
    "worlds": Setting(100, Text("deals to imagine"), low=1, high=100_000, ceiling=10_000),
    "belief": Setting("exact", Text("what the imagined deals agree with"), choices=KINDS),
    "doubt": Setting(
        1.0, Text("standard errors by which a move must beat what the rules would play"), low=0.0, high=10.0
    ),
    "particles": Setting(
        1000, Text("deals that are weighed, where the others' play counts"), low=10, high=100_000, ceiling=10_000
    ),
    "noise": Setting(0.1, Text("share of moves that the model of the others does not foresee"), low=0.0, high=1.0),
    "file": Setting(
        "", Text("what `train snaps statistics` wrote, for belief=statistics; ours if left out"), kind="file"
    ),
}


# --- which action to take -------------------------------------------------------------------------

LONG = 2  # trumps without which nobody plays alone
CLOSE = 1e-3  # differences of which none is made; points alone make smaller ones
POINT = 1e-6  # what a point is worth where wins are equal


@rule
def place_of(actions, action):
    for i in range(len(actions)):
        if actions[i] == action:
            return i
    return 0


@rule
def doubt_at(view, doubt):
    """Before the play the stakes differ from action to action, and chance with them: more certainty is asked for."""
    return doubt if view.phase == TRICKS else 3.0 * doubt


@rule
def choose(actions, action_values, shares, usual, doubt):
    """The place of the action to take; action_values float64[worlds, actions], shares float64[worlds] add up to 1.

    `usual` is the place of the rule agent's action. The best action must beat it by more than `doubt` standard
    errors of their difference, world by world. A claim that wins in every world is made.
    """
    best, most = usual, CLOSE
    for i in range(len(actions)):
        mean, error = gain_on(action_values, shares, i, usual)
        if mean > most and mean > doubt * error:
            best, most = i, mean
    for i in range(len(actions)):
        claims = actions[i] == DOST or MARRIAGE_AND_CLAIM <= actions[i] < DOST
        if claims and action_values[:, i].min() > 0.0:
            return i
    return best


@rule
def gain_on(action_values, shares, i, usual):
    """(what action i gains on the usual one, the standard error of that)."""
    mean, squares = 0.0, 0.0
    for w in range(len(shares)):
        mean += shares[w] * (action_values[w, i] - action_values[w, usual])
    for w in range(len(shares)):
        apart = shares[w] * (action_values[w, i] - action_values[w, usual] - mean)
        squares += apart * apart
    return mean, np.sqrt(squares)


@rule
def candidates(view, seat, actions, found):
    """List the actions worth judging in found int64[24]; returns how many. The rule agent's is always among them.

    Of the cards to name: in each suit the highest that is missing, and one's own highest (to play alone) in suits
    that are not too short.
    """
    usual = rule_action(view, seat, actions, len(actions))
    if view.phase != CHOOSING:
        for i in range(len(actions)):
            found[i] = actions[i]
        return len(actions)
    hand = np.int64(view.hands[seat])
    worth = bit(usual)
    for suit in range(SUITS):
        for held in range(2):
            if held == 1 and count(hand & suit_mask(suit)) < LONG:
                continue
            for card in range(suit * RANKS + RANKS - 1, suit * RANKS - 1, -1):
                if hand >> card & 1 == held:
                    worth |= bit(card)
                    break
    n = 0
    for card in range(MARRIAGE):
        if worth >> card & 1:
            found[n] = card
            n += 1
    return n


# --- actions judged in imagined deals -------------------------------------------------------------


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
    """Write values[w, i]: the payoff of actions[i] to the seat in the world hands[w] (int64[worlds, 4]).

    Card play takes the mean of both judges; a card to name and kontra are judged by playing out alone, since open
    cards flatter a side whose partners do not know each other.
    """
    world = allocate(STATE, 1)
    memory = new_memory(view.plays)
    solved = np.empty(len(actions))
    for w in range(hands.shape[0]):
        set_world(world[0], view, hands[w])
        play_out_all(world[0], seat, actions, rng, values[w])
        if view.phase == TRICKS:
            solve_moves(world[0], actions, len(actions), WIN, memory, solved)
            unit = stake_of(world[0], seat)
            for i in range(len(actions)):
                values[w, i] = 0.5 * values[w, i] + 0.5 * unit * solved[i]


@rule
def play_out_all(world, seat, actions, rng, values):
    """Write values[i]: the payoff of actions[i] if the rule agent plays in every seat after it."""
    trial = allocate(STATE, 1)
    offered = np.empty(CARDS, np.int64)
    gains = np.empty(SEATS)
    for i in range(len(actions)):
        copy(trial[0], world)
        play(trial[0], actions[i], rng)
        finish_by_rules(trial[0], offered, rng)
        values[i] = result(trial[0], seat, gains)


@rule
def result(s, seat, gains):
    """The payoff of a finished deal to the seat, and next to nothing for its points; gains float64[4]: room."""
    payoff(s, gains)
    mine = side(s, seat)
    return gains[seat] + POINT * (total_with(s, mine, s.holder, 0) - total_with(s, 1 - mine, s.holder, 0))


@rule
def stake_of(s, seat):
    """What one stake is to the seat: doubled by kontra and rekontra, threefold for a chooser alone."""
    stake = 1
    if s.doubled_by != NONE:
        stake *= 2
    if s.redoubled_by != NONE:
        stake *= 2
    return stake * (SEATS - 1) if s.holder == seat == s.chooser else stake


@rule
def finish_by_rules(s, offered, rng):
    """Let the rule agent finish the deal in every seat; offered int64[24]: room for the actions."""
    while s.phase != FINISHED:
        n = legal(s, offered)
        play(s, rule_action(s, np.int64(s.mover), offered[:n], n), rng)


# --- the agent ------------------------------------------------------------------------------------


@rule
def model_from(parameters):
    """The belief that the settings ask for."""
    kind, particles, noise = np.int64(parameters.belief), np.float64(parameters.particles), parameters.noise
    return Model(kind, particles, noise, parameters.statistics)


@policy(
    Text("imagines deals, judges every move in each, and plays what wins most often"),
    settings=SETTINGS,
    knowledge=statistics_of,
    heavy=True,
)
def pimc(view, seat, actions, memory, parameters, rng):
    if len(actions) == 1:
        return actions[0]
    found = np.empty(CARDS, np.int64)
    found = found[: candidates(view, seat, actions, found)]
    hands, shares = imagine(model_from(parameters), view, seat, np.int64(parameters.worlds), rng)
    action_values = np.empty((len(hands), len(found)))
    judge(view, seat, found, hands, rng, action_values)
    usual = place_of(found, rule_action(view, seat, actions, len(actions)))
    return found[choose(found, action_values, shares, usual, doubt_at(view, parameters.doubt))]


@pimc.explains
def explain(view: View, action: int, parameters: np.record) -> list[str] | Decision:
    """The decision with all that led to it: the same worlds are imagined again."""
    if len(view.legal_actions()) == 1:
        return [Text("{move} is the only legal move.", move=view.action_name(action))]
    actions = np.array(view.legal_actions(), np.int64)
    found = np.empty(CARDS, np.int64)
    found = found[: candidates(view.record, view.seat, actions, found)]
    rng = view.stream()
    hands, shares = imagine(model_from(parameters), view.record, view.seat, int(parameters.worlds), rng)
    action_values = np.empty((len(hands), len(found)))
    judge(view.record, view.seat, found, hands, rng, action_values)
    usual = int(rule_action(view.record, view.seat, actions, len(actions)))
    belief = belief_of(view, KINDS[int(parameters.belief)], int(parameters.particles), float(parameters.noise))
    doubt = float(doubt_at(view.record, parameters.doubt))
    return decision_by_samples(
        view, action, usual, SampledDeals(found.tolist(), action_values, hands, shares), belief, doubt
    )
