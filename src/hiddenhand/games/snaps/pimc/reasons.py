"""Why PIMC plays what it plays: the share of worlds that each move wins, a deal in which the choice loses, beliefs."""

import numpy as np

from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.games.snaps.beliefs.drawing import KINDS, draw_worlds
from hiddenhand.games.snaps.beliefs.telling import belief_of
from hiddenhand.games.snaps.cards import SEATS
from hiddenhand.games.snaps.pimc.naming import MOST_CANDIDATES, compare_names
from hiddenhand.games.snaps.pimc.settings import BELIEF, MARGIN, MODEL, NOISE, WORLDS
from hiddenhand.games.snaps.pimc.worlds import judge_moves, judge_play
from hiddenhand.games.snaps.rules import CHOOSING, KONTRA_ROUND, TRICKS
from hiddenhand.games.snaps.screen import card_name, codes


def explain(view, action, parameters):
    """The decision with all that led to it: the same worlds are imagined again."""
    if len(view.actions) == 1:
        return [f"{view.text(action)} is the only legal move."]
    if view.record.phase == CHOOSING:
        return explain_name(view, action, parameters)
    hands = np.empty((int(parameters[WORLDS]), SEATS), np.int64)
    draw_worlds(int(parameters[BELIEF]), view.record, view.seat, parameters[MODEL:], view.stream(), hands)
    if view.record.phase != TRICKS:
        return explain_double(view, action, parameters, hands)
    return explain_move(view, action, parameters, hands)


def explain_name(view, action, parameters):
    """Which candidates were compared, in how many deals, and what they were worth."""
    cards, looks = np.empty(MOST_CANDIDATES, np.int64), np.empty(MOST_CANDIDATES, np.int64)
    totals = np.empty(MOST_CANDIDATES)
    n = compare_names(view.record, view.seat, int(parameters[WORLDS]), view.stream(), cards, totals, looks)
    held = int(view.record.hands[view.seat])
    alternatives = []
    for i in range(n):
        card = int(cards[i])
        note = f"in {looks[i]} deals" + (", alone against three" if held >> card & 1 else "")
        alternatives.append(Alternative(card, view.text(card), float(totals[i] / looks[i]), note))
    best = alternatives[0]
    reasons = [f"Naming the {card_name(action)} is worth {best.value:+.2f} on average in {looks[0]} imagined deals."]
    if n > 1:
        second = alternatives[1]
        reasons.append(f"The next best, {second.text}, is worth {second.value:+.2f}.")
    if n > 2:
        reasons.append(f"The {n - 2} others were dropped after {looks[n - 1]} deals.")
    return Decision(action, view.text(action), best.value, alternatives, reasons=reasons, counts={"worlds": int(looks[0])})


def explain_double(view, action, parameters, hands):
    """How often the side that could double wins, and the margin that it asks for."""
    values = np.empty(len(hands))
    judge_play(view.record, hands, values)
    gain = float(-values.mean() if view.record.phase == KONTRA_ROUND else values.mean())
    won = int((values < 0).sum() if view.record.phase == KONTRA_ROUND else (values > 0).sum())
    word = "at least" if gain >= parameters[MARGIN] else "less than"
    reasons = [
        f"With open cards my side wins {won} of {len(hands)} imagined deals, {gain:+.2f} on average.",
        f"That is {word} the margin of {parameters[MARGIN]:+.2f} from which on I double.",
    ]
    decision = Decision(action, view.text(action), gain, counts={"worlds": len(hands)})
    decision.alternatives = [
        Alternative(a, view.text(a), gain * (1 if i == 0 else 2)) for i, a in enumerate(view.actions)
    ]
    decision.reasons = reasons + beliefs(view, parameters).words()
    decision.belief = holder_beliefs(view, parameters)
    return decision


def explain_move(view, action, parameters, hands):
    """The worlds won by each move, and a world in which the choice loses."""
    actions = np.array(view.actions, np.int64)
    judged = np.empty((len(hands), len(actions)))
    judge_moves(view.record, actions, hands, judged)
    means, won = judged.mean(axis=0), (judged > 0).sum(axis=0)
    chosen = view.actions.index(action)
    decision = Decision(action, view.text(action), float(means[chosen]), counts={"worlds": len(hands)})
    decision.alternatives = [
        Alternative(a, view.text(a), float(means[i]), f"wins {won[i]} of {len(hands)} imagined deals")
        for i, a in enumerate(view.actions)
    ]
    decision.reasons = [
        compared(view, chosen, means, won, len(hands)),
        *losing_world(view, chosen, judged, hands),
        *beliefs(view, parameters).words(),
    ]
    decision.belief = holder_beliefs(view, parameters)
    return decision


def compared(view, chosen, means, won, worlds):
    """The choice against the best of the others."""
    text = f"{view.text(view.actions[chosen])} wins {won[chosen]} of {worlds} imagined deals"
    others = [i for i in range(len(means)) if i != chosen]
    second = max(others, key=lambda i: means[i])
    name = view.text(view.actions[second])
    if means[second] >= means[chosen] - 1e-9:
        return f"{text}, and so does {name}; among equals a claim comes first, then what the rules would play."
    return f"{text}; the next best, {name}, wins {won[second]}."


def losing_world(view, chosen, judged, hands):
    """A typical deal in which the choice loses: preferably one that another move would win."""
    lost = np.flatnonzero(judged[:, chosen] < 0)
    if not len(lost):
        return ["It loses in none of them."]
    better = [w for w in lost if judged[w].max() > 0]
    world = int(better[0] if better else lost[0])
    seats = ", ".join(
        f"seat {seat} {codes(hands[world, seat])}" for seat in range(SEATS) if seat != view.seat and hands[world, seat]
    )
    if better:
        saviour = view.text(view.actions[int(judged[world].argmax())])
        return [f"It loses, for example, if the others hold: {seats}; then {saviour} would win."]
    return [f"It loses, for example, if the others hold: {seats}; then every move loses."]


def beliefs(view, parameters):
    return belief_of(view, KINDS[int(parameters[BELIEF])], int(parameters[MODEL]), float(parameters[NOISE]))


def holder_beliefs(view, parameters):
    """Who holds the named card, as the decision's belief."""
    chooser = int(view.record.chooser)
    chances = beliefs(view, parameters).holders()
    words = [f"seat {seat} is the partner" if seat != chooser else "the chooser plays alone" for seat in range(SEATS)]
    return [(words[seat], float(chances[seat])) for seat in range(SEATS) if chances[seat] > 0.0]
