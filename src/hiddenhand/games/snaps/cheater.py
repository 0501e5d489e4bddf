"""The cheater: knows all cards and plays perfectly against players who know them too.

It plays the move that the solver finds best; among equally good ones a claim, then the one that leaves its side most
points ahead if everything is played out, then the cheapest card. It names the card that brings it most, alone (three
times as much) or with a partner, and doubles exactly when its side wins.
"""

import numpy as np

from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.policy import policy
from hiddenhand.core.text import Seat, Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.cards import CARDS, NONE, SEATS, VALUES, Array, bit
from hiddenhand.games.snaps.rules import legal, name_card, play
from hiddenhand.games.snaps.solver import POINTS, WIN, new_memory, solve, solve_moves
from hiddenhand.games.snaps.state import (
    CHOOSING,
    DOST,
    FINISHED,
    MARRIAGE_AND_CLAIM,
    PASS,
    STATE,
    TRICKS,
    side,
)
from hiddenhand.games.snaps.texts import action_name
from hiddenhand.kernel import allocate, assign, copy, new_records, rule, stream

CLAIM_FIRST = 1 << 20


@rule
def claims(action):
    return MARRIAGE_AND_CLAIM <= action <= DOST


@rule
def judge_moves(s, actions, values, margins):
    """Write what each action wins and by how many points, for the mover's side. Only the best have margins."""
    n = len(actions)
    memory = new_memory(s.plays)
    solve_moves(s, actions, n, WIN, memory, values)
    best = values[:n].max()
    chosen = np.empty(n, np.int64)
    places = np.empty(n, np.int64)
    tied = 0
    for i in range(n):
        margins[i] = 0
        if values[i] == best:
            chosen[tied] = actions[i]
            places[tied] = i
            tied += 1
    if tied > 1:
        found = np.empty(n, np.int64)
        solve_moves(s, chosen, tied, POINTS, memory, found)
        for i in range(tied):
            margins[places[i]] = found[i]


@rule
def judge_names(s, values, margins):
    """Write what naming each card brings the chooser and by how many points; only the best have margins."""
    memory = new_memory(0)
    named = allocate(STATE, 1)
    for card in range(CARDS):
        copy(named[0], s)
        name_card(named[0], card)
        alone = s.hands[s.chooser] & bit(card) != 0
        values[card] = solve(named[0], WIN, memory) * (SEATS - 1 if alone else 1)
    best = values[:CARDS].max()
    for card in range(CARDS):
        margins[card] = 0
        if values[card] == best:
            copy(named[0], s)
            name_card(named[0], card)
            margins[card] = solve(named[0], POINTS, memory)


@rule
def best_of(actions, values, margins, playing):
    """The place of the best action: by value, a claim that wins, margin, and the cheapest card to play."""
    best = -1
    score = 0
    for i in range(len(actions)):
        order = margins[i] * CARDS * 2
        if playing:
            if claims(actions[i]):
                order = CLAIM_FIRST if values[i] > 0 else -CLAIM_FIRST
            else:
                order -= VALUES[actions[i] % CARDS]
        order += values[i] * 4 * CLAIM_FIRST
        if best < 0 or order > score:
            best = i
            score = order
    return best


@policy(Text("knows all cards and plays perfectly with them"), cheats=True, heavy=True)
def cheater(state, seat, actions, memory, parameters, rng):
    return perfect_action(state, seat, actions)


@rule
def perfect_action(s, seat, actions):
    if len(actions) == 1:
        return actions[0]
    values = np.zeros(len(actions), np.int64)
    margins = np.zeros(len(actions), np.int64)
    if s.phase == CHOOSING:
        judge_names(s, values, margins)
        return actions[best_of(actions, values, margins, False)]
    if s.phase == TRICKS:
        judge_moves(s, actions, values, margins)
        return actions[best_of(actions, values, margins, True)]
    value = solve(s, WIN, new_memory(0))
    return actions[1] if (value > 0) == (side(s, seat) == 0) else PASS


@cheater.explains
def reasons(view: View, action: int, parameters: np.record) -> list[str] | Decision:
    s, seat = view.truth, view.seat
    if len(view.legal_actions()) == 1:
        return [Text("{move} is the only legal move.", move=view.action_name(action))]
    actions = np.array(view.legal_actions(), np.int64)
    if s.phase == CHOOSING:
        return about_name(view, s, action)
    if s.phase != TRICKS:
        return about_double(view, s, action)
    values, margins = np.zeros((2, len(actions)), np.int64)
    judge_moves(s, actions, values, margins)
    unit = stake_unit(s, seat)
    best = int(values.max())
    decision = Decision(action, view.action_name(action), float(best * unit))
    several = int((values == best).sum()) > 1
    for i, a in enumerate(view.legal_actions()):
        note = margin_text(int(margins[i])) if several and values[i] == best else ""
        decision.alternatives.append(Alternative(a, view.action_name(a), float(values[i] * unit), note))
    decision.line = expected_line(s)
    decision.reasons = [why_move(values, margins, actions, action), told_line(s, decision.line)]
    return decision


def stake_unit(s: np.record, seat: int) -> int:
    """What a stake of 1 means to a seat: doubled by kontra and rekontra, threefold for a chooser alone."""
    unit = (2 if s.doubled_by != NONE else 1) * (2 if s.redoubled_by != NONE else 1)
    return unit * (SEATS - 1 if seat == s.chooser == s.holder else 1)


def margin_text(margin: int) -> str:
    """Points for or against, if all tricks are played."""
    if margin == 0:
        return Text("level on points")
    return Text(
        "{n} points ahead if all is played out" if margin > 0 else "{n} points behind if all is played out",
        n=abs(margin),
    )


def why_move(values: Array, margins: Array, actions: Array, action: int) -> str:
    best, same = int(values.max()), int((values == values.max()).sum())
    if same > 1:
        which = Text("every move wins alike") if best > 0 else Text("every move loses alike")
        if same < len(values):
            which = Text("{n} moves are best", n=same)
        return Text("With all cards known, {which}; {why}.", which=which, why=tie_break(margins, actions, action))
    if best < 0:
        return Text("With all cards known, no other move loses as little.")
    if (values > 0).sum() > 1:
        return Text("With all cards known, no other move wins as much.")
    return Text("With all cards known, no other move wins.")


def tie_break(margins: Array, actions: Array, action: int) -> str:
    if claims(action):
        return Text("to claim ends the deal at once")
    margin = int(margins[actions.tolist().index(action)])
    return Text("this one leaves its side {margin}", margin=margin_text(margin))


def expected_line(s: np.record) -> list[str]:
    """How the deal goes on if all four play like this, as text."""
    after = new_records(STATE, 1)[0]
    assign(after, s)
    out = np.zeros(2 * CARDS, np.int64)
    line: list[str] = []
    while after.phase != FINISHED:
        action = perfect_action(after, after.mover, out[: legal(after, out)])
        line.append(Text("{seat}:{move}", seat=int(after.mover), move=action_name(after, int(action))))
        play(after, action, stream(0))
    line.append(Text("the chooser's side wins" if after.winner == 0 else "the chooser's opponents win"))
    return line


def told_line(s: np.record, line: list[str]) -> str:
    moves = Text.joined(", ", line[:-1])
    return Text("If all four play perfectly: {moves}; {end}.", moves=moves, end=line[-1])


def about_name(view: View, s: np.record, action: int) -> Decision:
    """What every card would bring if it were named."""
    values, margins = np.zeros((2, CARDS), np.int64)
    judge_names(s, values, margins)
    decision = Decision(action, view.action_name(action), float(values[action]))
    for card in range(CARDS):
        holder = next(seat for seat in range(SEATS) if s.hands[seat] & bit(card))
        note = Text("alone against three") if holder == s.chooser else Text("with {who}", who=Seat(holder))
        decision.alternatives.append(Alternative(card, view.action_name(card), float(values[card]), note))
    best = int(values.max())
    same = int((values == best).sum())
    decision.reasons = [
        Text(
            "With all cards known, naming it brings {value:+d}: it plays {how}.",
            value=best,
            how=decision.alternatives[action].note,
        ),
        Text(
            "{n} more would bring as much; this one leaves its side {margin}.",
            n=same - 1,
            margin=margin_text(int(margins[action])),
        )
        if same > 1
        else Text("No other card brings as much."),
    ]
    return decision


def about_double(view: View, s: np.record, action: int) -> Decision:
    """Whether its side wins."""
    value = int(solve(s, WIN, new_memory(0)))
    mine = value * stake_unit(s, view.seat) * (1 if side(s, view.seat) == 0 else -1)
    decision = Decision(action, view.action_name(action), float(mine if action == PASS else 2 * mine))
    decision.alternatives = [
        Alternative(a, view.action_name(a), float(mine if a == PASS else 2 * mine)) for a in view.legal_actions()
    ]
    decision.reasons = [
        Text("With all cards known, its side wins, so it doubles.")
        if mine > 0
        else Text("With all cards known, its side loses, so it passes.")
    ]
    return decision
