"""Why PIMC plays what it plays: the worlds that each move wins, a deal in which the choice loses, and beliefs."""

import numpy as np

from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.games.snaps.beliefs.drawing import KINDS, draw_worlds
from hiddenhand.games.snaps.beliefs.telling import belief_of, holder_beliefs
from hiddenhand.games.snaps.cards import CARDS, SEATS
from hiddenhand.games.snaps.pimc.choice import candidates, doubt_at
from hiddenhand.games.snaps.pimc.settings import BELIEF, DOUBT, MODEL, NOISE, WORLDS
from hiddenhand.games.snaps.pimc.worlds import judge
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.screen import codes


def explain(view, action, parameters):
    """The decision with all that led to it: the same worlds are imagined again."""
    if len(view.actions) == 1:
        return [f"{view.text(action)} is the only legal move."]
    actions = np.array(view.actions, np.int64)
    found = np.empty(CARDS, np.int64)
    found = found[: candidates(view.record, view.seat, actions, found)]
    hands = np.empty((int(parameters.numbers[WORLDS]), SEATS), np.int64)
    rng = view.stream()
    draw_worlds(int(parameters.numbers[BELIEF]), view.record, view.seat, parameters.numbers[MODEL:], rng, hands)
    judged = np.empty((len(hands), len(found)))
    judge(view.record, view.seat, found, hands, rng, judged)
    usual = int(rule_action(view.record, view.seat, actions, len(actions)))
    return told(view, action, usual, found.tolist(), judged, hands, parameters)


def told(view, action, usual, found, judged, hands, parameters):
    """The worlds won by each move, a world in which the choice loses, and who is believed to hold what."""
    means, won = judged.mean(axis=0), (judged > 0).sum(axis=0)
    chosen = found.index(action)
    belief = belief_of(
        view, KINDS[int(parameters.numbers[BELIEF])], int(parameters.numbers[MODEL]), float(parameters.numbers[NOISE])
    )
    return Decision(
        action,
        view.text(action),
        float(means[chosen]),
        [alternative(view, a, found, means, won, len(hands)) for a in view.actions],
        belief=holder_beliefs(view.record, belief.holders()),
        reasons=[
            compared(view, chosen, found, means, won, len(hands)),
            against_rules(view, action, usual, found, judged, doubt_at(view.record, parameters.numbers[DOUBT])),
            *losing_world(view, chosen, found, judged, hands),
            *(sentence(words) for words in belief.words()),
        ],
        counts={"worlds": len(hands)},
    )


def sentence(words):
    """With a capital letter and a full stop."""
    return words[0].upper() + words[1:] + ("" if words.endswith(".") else ".")


def alternative(view, action, found, means, won, worlds):
    """One legal action with what the worlds say of it."""
    if action not in found:
        return Alternative(action, view.text(action), None, "not considered")
    i = found.index(action)
    return Alternative(action, view.text(action), float(means[i]), f"wins {won[i]} of {worlds} imagined deals")


def compared(view, chosen, found, means, won, worlds):
    """The choice against the best of the others."""
    second = max((i for i in range(len(found)) if i != chosen), key=lambda i: means[i])
    return (
        f"{view.text(found[chosen])} wins {won[chosen]} of {worlds} imagined deals ({means[chosen]:+.2f}); "
        f"of the others {view.text(found[second])} does best: {won[second]} ({means[second]:+.2f})."
    )


def against_rules(view, action, usual, found, judged, doubt):
    """Whether the rules would have played something else, and how sure the difference is."""
    if action == usual:
        return "The rules would play it too, and no other move is clearly better."
    gains = judged[:, found.index(action)] - judged[:, found.index(usual)]
    error = gains.std() / np.sqrt(len(gains))
    return (
        f"The rules would play {view.text(usual)}; in the same deals my choice gains {gains.mean():+.2f} on that, "
        f"with a standard error of {error:.2f} (I ask for {doubt:g})."
    )


def losing_world(view, chosen, found, judged, hands):
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
