"""The two agents that have learned, each a network at the table.

`self_taught` knew only the rules: its network says for every action what payoff it expects in the end (J. Barič
planned such a player in 2009 and doubted that it could be made). `imitation` has watched the games of a stronger
player: its network says how likely he would choose each action. Both take the action with the highest number, in
every phase: the card that is named, kontra, cards, marriages and claims. How they learn is in `learning`.

A network has no reasons in words. What can be said honestly: the number it gives to every action; and for each group
of inputs, how far the chosen action stays ahead of the others when the group is blotted out (set to 0).
"""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.errors import UserError
from hiddenhand.core.files import read_arrays
from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.core.view import View
from hiddenhand.games.snaps.cards import SUITS, Array
from hiddenhand.games.snaps.encoding import BLOCKS, INPUTS, OUTPUTS, STARTS, encode, slots_of
from hiddenhand.kernel import rule
from hiddenhand.learning.network import new_network, probabilities, respond, sizes_of

# --- networks in files ----------------------------------------------------------------------------

LEARNED = Path(__file__).parent / "learned"


def keep(path: Path, network: Array) -> None:
    """Write a network."""
    sizes = sizes_of(network)
    np.savez_compressed(path, sizes=np.array(sizes), weights=network[1 + len(sizes) :].astype(np.float16))


def kept(path: str | Path) -> Array:
    """The network that was written there, as float64: what a policy takes as its parameters."""
    arrays = read_arrays(path, "sizes", "weights")
    sizes, weights = arrays["sizes"].tolist(), arrays["weights"].astype(np.float64)
    fits = len(sizes) > 1 and len(weights) == sum((a + 1) * b for a, b in pairwise(sizes))
    if not fits or (sizes[0], sizes[-1]) != (INPUTS, OUTPUTS):  # a compiled pass would read beyond its arrays
        raise UserError(f"{path} is no network for snaps, with {INPUTS} inputs and {OUTPUTS} outputs: {sizes}")
    return np.concatenate([np.array([len(sizes), *sizes], np.float64), weights])


def learned(name: str, file: str) -> dict[str, Array]:
    """The network of a file; without one, that which comes with hiddenhand, or one that has learned nothing."""
    path = file or LEARNED / f"{name}.npz"
    there = bool(file) or Path(path).is_file()
    return {"network": kept(path) if there else new_network(SIZES, 0).astype(np.float64)}


# --- a network at the table -----------------------------------------------------------------------

SIZES = (INPUTS, 256, 128, OUTPUTS)


@rule
def read_answers(inputs, slots, network, values):
    """Write the outputs of the network at these slots."""
    outputs = np.empty(OUTPUTS, network.dtype)
    respond(network, inputs, outputs)
    for i in range(len(slots)):
        values[i] = outputs[slots[i]]


@rule
def best_answer(view, seat, actions, network):
    """The action of which the network says most; the first of equals."""
    if len(actions) == 1:
        return actions[0]
    inputs = np.empty(INPUTS, network.dtype)
    slots = np.empty(len(actions), np.int64)
    values = np.empty(len(actions))
    encode(view, seat, inputs)
    slots_of(view, seat, actions, slots)
    read_answers(inputs, slots, network, values)
    return actions[np.argmax(values)]


# --- its reasons ----------------------------------------------------------------------------------

MOST_TOLD = 3
CLEAR = 0.01  # a smaller change is not worth telling


def block(*names: str) -> Array:
    return np.concatenate([np.arange(STARTS[name], STARTS[name] + BLOCKS[name]) for name in names])


def part_of_suits(name: str, first: int, last: int) -> Array:
    """The inputs of a block for the suits from first to last - 1; trumps are suit 0."""
    places = block(name)
    size = len(places) // SUITS
    return places[first * size : last * size]


SUIT_BLOCKS = ("hand", "held", "pairs", "masters")
GROUPS = {
    "my hand": block("first hand"),
    "my trumps": np.concatenate([part_of_suits(name, 0, 1) for name in SUIT_BLOCKS]),
    "my cards of the other suits": np.concatenate([part_of_suits(name, 1, 4) for name in SUIT_BLOCKS]),
    "the cards on the table": block("table", "winning", "best", "beating", "stake", "place"),
    "the cards of earlier tricks": block("played", "led"),
    "the cards that the others may still hold": block("may hold", "unseen", "voids"),
    "the rank of the named card": block("named"),
    "who chose the trump": block("chooser"),
    "who plays with whom": block("may be holder", "is holder", "with me", "won by us"),
    "the kontra": block("kontra", "rekontra"),
    "the points": block("points", "bonus", "tricks", "totals", "tens", "enough"),
}


class Listener:
    """Hears what a network says of the legal actions of a view, with all inputs or without some."""

    def __init__(self, view: View, network: Array, meaning: Callable[[Array], Array]) -> None:
        self.network = network
        self.meaning = meaning
        self.inputs = np.zeros(INPUTS)
        self.slots = np.zeros(len(view.actions), np.int64)
        encode(view.record, view.seat, self.inputs)
        slots_of(view.record, view.seat, np.array(view.actions, np.int64), self.slots)

    def hear(self, without: Any = ()) -> Array:
        inputs = self.inputs.copy()
        inputs[list(without)] = 0.0
        values = np.zeros(len(self.slots))
        read_answers(inputs, self.slots, self.network, values)
        return self.meaning(values)


def explain(
    view: View,
    action: int,
    network: Array,
    meaning: Callable[[Array], Array],
    told: Callable[[float], str],
    opening: str,
) -> Decision:
    """The decision for `action`, explained.

    meaning   turns the outputs for the legal actions into their values; told writes one of these
    opening   the first sentence, with {action} and {value}
    """
    decision = Decision(action, view.text(action))
    if len(view.actions) == 1:
        decision.alternatives = [Alternative(action, view.text(action))]
        decision.reasons = ["It is the only legal action."]
        return decision
    listener = Listener(view, network, meaning)
    values = listener.hear()
    chosen = view.actions.index(action)
    decision.value = float(values[chosen])
    decision.alternatives = [Alternative(a, view.text(a), float(v)) for a, v in zip(view.actions, values)]
    second = view.actions[best_but(values, chosen)]
    decision.reasons = [
        opening.format(action=view.text(action), value=told(values[chosen])),
        f'Next comes "{view.text(second)}" with {told(values[best_but(values, chosen)])}.',
        *what_mattered(view, listener, values, chosen),
        "These are the estimates of a network: it has learned them and cannot say more about where they come from.",
    ]
    return decision


def best_but(values: Array, chosen: int) -> int:
    """The index of the best of the others."""
    others = np.array(values, float)
    others[chosen] = -np.inf
    return int(np.argmax(others))


def lead(values: Array, chosen: int) -> float:
    """How far the chosen one is ahead of the best of the others."""
    return float(values[chosen] - values[best_but(values, chosen)])


def what_mattered(view: View, listener: Listener, values: Array, chosen: int) -> list[str]:
    """The groups of inputs without which the choice would be less clear, the weightiest first."""
    full = lead(values, chosen)
    changes = []
    for name, places in GROUPS.items():
        if np.any(listener.inputs[places] != 0.0):
            without = listener.hear(places)
            changes.append((full - lead(without, chosen), name, without))
    changes.sort(key=lambda change: -change[0])
    told = [what_without(view, chosen, full, *change) for change in changes[:MOST_TOLD] if change[0] > CLEAR]
    return told or ["No single thing that I look at decides it: without any of them I would do the same."]


def what_without(view: View, chosen: int, full: float, change: float, name: str, values: Array) -> str:
    best = int(np.argmax(values))
    if best != chosen:
        return f'It hangs on {name}: with that blotted out, I would prefer "{view.text(view.actions[best])}".'
    return f"It rests on {name}: with that blotted out, its lead falls from {full:.2f} to {full - change:.2f}."


def trained_by(learner: str) -> dict[str, Setting]:
    return {"file": Setting("", f"what `train snaps {learner}` wrote; ours if left out", kind="file")}


# --- the agents -----------------------------------------------------------------------------------


@policy(
    "knew only the rules and has learned by playing against itself",
    settings=trained_by("self_taught"),
    knowledge=lambda game, file: learned("self_taught", file),
)
def self_taught(view, seat, actions, memory, parameters, rng):
    return best_answer(view, seat, actions, parameters.network)


@self_taught.explains
def expectations(view: View, action: int, parameters: Any) -> Decision:
    def told(value: float) -> str:
        return f"{value:+.2f}"

    opening = 'By the games I have played against myself, I expect a payoff of {value} from "{action}".'
    return explain(view, action, parameters.network, lambda outputs: outputs, told, opening)


@policy(
    "has learned by watching a stronger player",
    settings=trained_by("imitation"),
    knowledge=lambda game, file: learned("imitation", file),
)
def imitation(view, seat, actions, memory, parameters, rng):
    return best_answer(view, seat, actions, parameters.network)


@imitation.explains
def resemblance(view: View, action: int, parameters: Any) -> Decision:
    def chances(outputs: Array) -> Array:
        return probabilities(outputs, np.ones(len(outputs), np.bool_))

    def told(value: float) -> str:
        return f"{value:.0%}"

    opening = 'By the games I have watched, my teacher would choose "{action}" here with a chance of {value}.'
    return explain(view, action, parameters.network, chances, told, opening)
