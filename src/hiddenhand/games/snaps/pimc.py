"""Perfect-information Monte Carlo for snaps: imagine deals, judge every move in each, play what wins most often.

Where the deals come from is a matter of belief: `exact` (every deal that agrees with all that was seen is equally
likely), `table` (the knowledge base of the thesis), `weighted` (deals count more in which the rule agent would have
played as the others did) or `statistics` (the same with counted habits for a model).

Actions are judged in two ways that take turns from world to world. In every other world the cards lie open and the
play is solved; in the ones between, the rule agent finishes the deal in all four seats, each seat seeing only its own
cards. Open cards are right about tactics and blind to what players do not know; the rule agent is the other way
round. Together they are better judges than either. The rule agent's action is taken unless another is clearly better.
"""

from typing import Any

import numpy as np

from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.core.view import View
from hiddenhand.games.snaps.beliefs.kinds import belief_of, draw_worlds, holder_beliefs
from hiddenhand.games.snaps.beliefs.statistics import statistics_of
from hiddenhand.games.snaps.beliefs.weighted import KINDS, Model
from hiddenhand.games.snaps.cards import CARDS, RANKS, SEATS, SUITS, Array, bit, count, suit_mask
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.rules import legal, payoff, play
from hiddenhand.games.snaps.screen import codes
from hiddenhand.games.snaps.solver import WIN, new_memory, solve_moves
from hiddenhand.games.snaps.state import CHOOSING, DOST, FINISHED, MARRIAGE, MARRIAGE_AND_CLAIM, STATE, TRICKS
from hiddenhand.kernel import copy, room, rule

SETTINGS = {
    "worlds": Setting(100, "deals to imagine", low=1, high=100_000, ceiling=10_000),
    "belief": Setting("exact", "what the imagined deals agree with", choices=KINDS),
    "doubt": Setting(1.0, "standard errors by which a move must beat what the rules would play", low=0.0, high=10.0),
    "particles": Setting(
        1000, "deals that are weighed, where the others' play counts", low=10, high=100_000, ceiling=10_000
    ),
    "noise": Setting(0.1, "share of moves that the model of the others does not foresee", low=0.0, high=1.0),
    "file": Setting("", "what `train snaps statistics` wrote, for belief=statistics; ours if left out", kind="file"),
}


# --- which action to take -------------------------------------------------------------------------

LONG = 2  # trumps without which nobody plays alone
CLOSE = 1e-9


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
def choose(actions, judged, usual, doubt):
    """The place of the action to take; judged float64[worlds, actions], `usual` the place of the rule agent's action.

    A claim that no action beats is made. Otherwise the best action must beat the usual one by more than `doubt`
    standard errors of their difference, world by world.
    """
    n = judged.shape[0]
    best, most = usual, 0.0
    for i in range(len(actions)):
        total, squares = 0.0, 0.0
        for w in range(n):
            gain = judged[w, i] - judged[w, usual]
            total += gain
            squares += gain * gain
        mean = total / n
        error = np.sqrt(max(squares / n - mean * mean, 0.0) / n)
        if mean > most + CLOSE and mean > doubt * error:
            best, most = i, mean
    return surest(actions, judged, best)


@rule
def surest(actions, judged, best):
    """A claim that is worth as much as the best action, if there is one; otherwise that action."""
    for i in range(len(actions) - 1, -1, -1):
        claims = actions[i] == DOST or MARRIAGE_AND_CLAIM <= actions[i] < DOST
        if claims and judged[:, i].sum() >= judged[:, best].sum() - CLOSE:
            return i
    return best


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
    """Write values[w, i]: the payoff of actions[i] to the seat, in stakes, in the world hands[w] (int64[worlds, 4]).

    Card play takes both judges in turn; a card to name and kontra are judged by playing out alone, since open cards
    flatter a side whose partners do not know each other.
    """
    world = room(STATE, 1)
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
    trial = room(STATE, 1)
    offered = np.empty(CARDS, np.int64)
    gains = np.empty(SEATS)
    for i in range(len(actions)):
        copy(trial[0], world)
        if world.phase == TRICKS:
            trial[0].doubled_by, trial[0].redoubled_by = -1, -1
        play(trial[0], actions[i], rng)
        finish_by_rules(trial[0], offered, rng)
        payoff(trial[0], gains)
        values[i] = gains[seat]
        if world.phase == TRICKS and trial[0].holder == seat == trial[0].chooser:
            values[i] /= SEATS - 1


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
    "imagines deals, judges every move in each, and plays what wins most often",
    settings=SETTINGS,
    knowledge=statistics_of,
    heavy=True,
)
def pimc(view, seat, actions, memory, parameters, rng):
    if len(actions) == 1:
        return actions[0]
    found = np.empty(CARDS, np.int64)
    found = found[: candidates(view, seat, actions, found)]
    hands = np.empty((np.int64(parameters.worlds), SEATS), np.int64)
    draw_worlds(model_from(parameters), view, seat, rng, hands)
    judged = np.empty((len(hands), len(found)))
    judge(view, seat, found, hands, rng, judged)
    usual = place_of(found, rule_action(view, seat, actions, len(actions)))
    return found[choose(found, judged, usual, doubt_at(view, parameters.doubt))]


# --- its reasons ----------------------------------------------------------------------------------


@pimc.explains
def explain(view: View, action: int, parameters: Any) -> list[str] | Decision:
    """The decision with all that led to it: the same worlds are imagined again."""
    if len(view.actions) == 1:
        return [f"{view.text(action)} is the only legal move."]
    actions = np.array(view.actions, np.int64)
    found = np.empty(CARDS, np.int64)
    found = found[: candidates(view.record, view.seat, actions, found)]
    hands = np.empty((int(parameters.worlds), SEATS), np.int64)
    rng = view.stream()
    draw_worlds(model_from(parameters), view.record, view.seat, rng, hands)
    judged = np.empty((len(hands), len(found)))
    judge(view.record, view.seat, found, hands, rng, judged)
    usual = int(rule_action(view.record, view.seat, actions, len(actions)))
    return told(view, action, usual, found.tolist(), judged, hands, parameters)


def told(
    view: View, action: int, usual: int, found: list[int], judged: Array, hands: Array, parameters: Any
) -> Decision:
    """The worlds won by each move, a world in which the choice loses, and who is believed to hold what."""
    means, won = judged.mean(axis=0), (judged > 0).sum(axis=0)
    chosen = found.index(action)
    belief = belief_of(view, KINDS[int(parameters.belief)], int(parameters.particles), float(parameters.noise))
    return Decision(
        action,
        view.text(action),
        float(means[chosen]),
        [alternative(view, a, found, means, won, len(hands)) for a in view.actions],
        belief=holder_beliefs(view.record, belief.holders()),
        reasons=[
            compared(view, chosen, found, means, won, len(hands)),
            against_rules(view, action, usual, found, judged, doubt_at(view.record, parameters.doubt)),
            *losing_world(view, chosen, found, judged, hands),
            *(sentence(words) for words in belief.words()),
        ],
        counts={"worlds": len(hands)},
    )


def sentence(words: str) -> str:
    """With a capital letter and a full stop."""
    return words[0].upper() + words[1:] + ("" if words.endswith(".") else ".")


def alternative(view: View, action: int, found: list[int], means: Array, won: Array, worlds: int) -> Alternative:
    """One legal action with what the worlds say of it."""
    if action not in found:
        return Alternative(action, view.text(action), None, "not considered")
    i = found.index(action)
    return Alternative(action, view.text(action), float(means[i]), f"wins {won[i]} of {worlds} imagined deals")


def compared(view: View, chosen: int, found: list[int], means: Array, won: Array, worlds: int) -> str:
    """The choice against the best of the others."""
    second = max((i for i in range(len(found)) if i != chosen), key=lambda i: means[i])
    return (
        f"{view.text(found[chosen])} wins {won[chosen]} of {worlds} imagined deals ({means[chosen]:+.2f}); "
        f"of the others {view.text(found[second])} does best: {won[second]} ({means[second]:+.2f})."
    )


def against_rules(view: View, action: int, usual: int, found: list[int], judged: Array, doubt: float) -> str:
    """Whether the rules would have played something else, and how sure the difference is."""
    if action == usual:
        return "The rules would play it too, and no other move is clearly better."
    gains = judged[:, found.index(action)] - judged[:, found.index(usual)]
    error = gains.std() / np.sqrt(len(gains))
    return (
        f"By the rules the move would be {view.text(usual)}; in the same deals my choice gains {gains.mean():+.2f} "
        f"on that, with a standard error of {error:.2f} (I ask for {doubt:g})."
    )


def losing_world(view: View, chosen: int, found: list[int], judged: Array, hands: Array) -> list[str]:
    """A typical deal in which the choice loses: preferably one that another move would win."""
    lost = np.flatnonzero(judged[:, chosen] < 0)
    if not len(lost):
        return ["It loses in none of them."]
    better = [w for w in lost if judged[w].max() > 0]
    world = int(better[0] if better else lost[0])
    seats = [seat for seat in range(SEATS) if seat != view.seat and hands[world, seat]]
    held = ", ".join(f"seat {seat} {codes(hands[world, seat])}" for seat in seats)
    if not better:
        return [f"It loses, for example, if the others hold: {held}; then every move loses."]
    saviour = view.text(found[int(judged[world].argmax())])
    return [f"It loses, for example, if the others hold: {held}; then {saviour} would win."]
