"""A network that judges positions of backgammon, in the manner of TD-Gammon (G. Tesauro, 1992), and who plays by it.

It is asked about the position at the end of a turn, before the other throws, and says how likely the seat is to win
that has just moved. Its 196 inputs are Tesauro's: for each side, as it counts, four numbers a point (one checker,
two, three, and half of what is above three), those on the bar, and those borne off. The two numbers that say whose
turn it is are left out: it is always the other's. Then a layer of hidden units, and one number; both are squashed
between 0 and 1 by 1 / (1 + e^-x).

A network is one flat array: the weights from each input to all hidden units, the hidden units' own, the weights from
them to the answer, and its own.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.errors import UserError
from hiddenhand.core.files import read_arrays
from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.backgammon.rules import BAR, CHECKERS, NOBODY, OFF, PASS, STATE, legal, play, turn
from hiddenhand.kernel import CHANCE, OVER, allocate, copy, new_records, rule, stream, unowned

SIDE = 4 * 24 + 2
INPUTS = 2 * SIDE
OURS = Path(__file__).parent / "td.npz"
MOVES = 5  # of a turn, and one more
ACTIONS = 30


class Paths(NamedTuple):
    """Room for all ways to play a turn. Arrays marked * have one entry per move of it."""

    states: Any  # * records
    actions: Any  # * int64[ACTIONS]
    counts: Any  # * int64: actions of each
    tried: Any  # * int64
    places: Any  # * int64: from where the move before it was made
    worth: Any  # float64[ACTIONS]: the best chance after each first action; -1 where none was looked at
    best: Any  # records[1]: the position after the best way
    inputs: Any  # float32[INPUTS]
    hidden: Any  # float32[hidden units]
    rng: Any


def new_paths(hidden: int) -> Paths:
    return Paths(
        new_records(STATE, MOVES + 1),
        np.zeros((MOVES, ACTIONS), np.int64),
        np.zeros(MOVES, np.int64),
        np.zeros(MOVES, np.int64),
        np.zeros(MOVES, np.int64),
        np.zeros(ACTIONS),
        new_records(STATE, 1),
        np.zeros(INPUTS, np.float32),
        np.zeros(hidden, np.float32),
        stream(0),
    )


@rule
def hidden_units(network):
    """How many hidden units a network has."""
    return (len(network) - 1) // (INPUTS + 2)


@rule
def write_inputs(s, seat, out):
    """A position as the numbers that the network is asked with, from the side of a seat."""
    for side in range(2):
        who = seat if side == 0 else 1 - seat
        for point in range(1, BAR):
            count = np.int64(s.checkers[who, point])
            at = side * SIDE + 4 * (point - 1)
            out[at] = 1.0 if count >= 1 else 0.0
            out[at + 1] = 1.0 if count >= 2 else 0.0
            out[at + 2] = 1.0 if count >= 3 else 0.0
            out[at + 3] = 0.5 * (count - 3) if count > 3 else 0.0
        out[side * SIDE + SIDE - 2] = 0.5 * s.checkers[who, BAR]
        out[side * SIDE + SIDE - 1] = s.checkers[who, OFF] / CHECKERS


@rule
def squash(x):
    return 1.0 / (1.0 + np.exp(-x))


@rule
def answer(network, inputs, hidden):
    """The network's answer; writes what the hidden units say."""
    network = unowned(network)
    units = len(hidden)
    own = network[INPUTS * units : (INPUTS + 1) * units]
    for j in range(units):
        hidden[j] = own[j]
    for i in range(INPUTS):
        x = inputs[i]
        if x != 0.0:
            row = network[i * units : (i + 1) * units]
            for j in range(units):
                hidden[j] += x * row[j]
    last = network[(INPUTS + 1) * units : (INPUTS + 2) * units + 1]
    total = last[units]
    for j in range(units):
        hidden[j] = np.float32(1.0) / (np.float32(1.0) + np.exp(-hidden[j]))
        total += last[j] * hidden[j]
    return squash(np.float64(total))


@rule
def chance_of(network, s, seat, paths):
    """How likely the seat that has just moved is to win."""
    write_inputs(s, seat, paths.inputs)
    return answer(network, paths.inputs, paths.hidden)


@rule
def best_turn(s, network, paths, every_order):
    """Try all ways to play the dice: the best chance. Writes what each first action is worth, and the best end.

    every_order   also those that differ in the order of equal dice, which lead to the same positions
    """
    me, equal = np.int64(s.mover), s.dice[0] == s.dice[1]
    copy(paths.states[0], s)
    paths.counts[0] = legal(paths.states[0], paths.actions[0])
    paths.tried[0] = 0
    paths.places[0] = PASS
    for i in range(paths.counts[0]):
        paths.worth[i] = -1.0
    best, d = -1.0, 0
    while d >= 0:
        if paths.tried[d] == paths.counts[d]:
            d -= 1
            continue
        action = paths.actions[d, paths.tried[d]]
        paths.tried[d] += 1
        place = action // 6
        if equal and not every_order and place > paths.places[d]:
            continue
        after = paths.states[d + 1]
        copy(after, paths.states[d])
        play(after, action, paths.rng)
        next_turn = turn(after)
        if next_turn == me:
            d += 1
            paths.counts[d] = legal(after, paths.actions[d])
            paths.tried[d] = 0
            paths.places[d] = place
            continue
        chance = 1.0 if next_turn == OVER else chance_of(network, after, me, paths)
        first = paths.tried[0] - 1
        paths.worth[first] = max(paths.worth[first], chance)
        if chance > best:
            best = chance
            copy(paths.best[0], after)
    return best


@rule
def judge(s, network, out):
    """EVAL by a network: in the middle of a turn, as if it ended there."""
    out[0] = 0.0
    out[1] = 0.0
    if s.mover == NOBODY:
        return
    seat = np.int64(s.mover) if turn(s) != CHANCE else 1 - np.int64(s.mover)
    inputs, hidden = np.empty(INPUTS, np.float32), np.empty(hidden_units(network), np.float32)
    write_inputs(s, seat, inputs)
    out[seat] = 2.0 * answer(network, inputs, hidden) - 1.0
    out[1 - seat] = -out[seat]


# ---- files, and the agent


def read_network(path: str | Path) -> np.ndarray[Any, Any]:
    """The network in a file; without a name, the one that comes with the game."""
    network = read_arrays(path or OURS, "network")["network"]
    if (
        network.ndim != 1
        or len(network) < INPUTS + 3
        or (len(network) - 1) % (INPUTS + 2)
        or network.dtype.kind != "f"
    ):
        raise UserError("{file} is no network for backgammon, as `train backgammon td` writes them", file=path)
    found: np.ndarray[Any, Any] = network.astype(np.float32)
    return found


@policy(
    Text("judges by a network that learned from games with itself, and plays its dice as one move"),
    settings={"file": Setting("", Text("what `train backgammon td` wrote; ours if left out"), kind="file")},
    knowledge=lambda game, file: {"network": read_network(file)},
)
def td(view, seat, actions, memory, parameters, rng):
    network = unowned(parameters.network)
    paths = Paths(
        allocate(STATE, MOVES + 1),
        np.empty((MOVES, ACTIONS), np.int64),
        np.empty(MOVES, np.int64),
        np.empty(MOVES, np.int64),
        np.empty(MOVES, np.int64),
        np.empty(ACTIONS),
        allocate(STATE, 1),
        np.empty(INPUTS, np.float32),
        np.empty(hidden_units(network), np.float32),
        rng,
    )
    best_turn(view, network, paths, False)
    chosen = 0
    for i in range(1, len(actions)):
        if paths.worth[i] > paths.worth[chosen]:
            chosen = i
    return actions[chosen]


@td.explains
def reasons(view: View, action: int, parameters: np.record) -> Decision:
    """Every first action by the best that can follow, as payoffs."""
    network = np.ascontiguousarray(parameters.network)
    paths = new_paths(int(hidden_units(network)))
    best_turn(view.record, network, paths, True)
    worth = {each: 2.0 * float(paths.worth[i]) - 1.0 for i, each in enumerate(view.legal_actions())}
    value = max(worth.values())
    text = view.action_name(action)
    headline = Text(
        "{move} is part of the best way to play these dice: I then win {share:.1%} of the games.",
        move=text,
        share=(value + 1) / 2,
    )
    others = sorted((w, each) for each, w in worth.items() if w < value - 1e-9)
    sentences: list[str] = [headline]
    if others:
        next_best, other = others[-1]
        sentences.append(
            Text("With {move} I would win {share:.1%}.", move=view.action_name(other), share=(next_best + 1) / 2)
        )
    elif len(worth) > 1:
        sentences.append(Text("Every move is part of a way to the same position."))
    sentences.append(
        Text("The chances are those that my network sees after the whole turn; it learned them by playing itself.")
    )
    return Decision(
        action=action,
        text=text,
        value=value,
        alternatives=[Alternative(each, view.action_name(each), w) for each, w in worth.items()],
        reasons=sentences,
    )
