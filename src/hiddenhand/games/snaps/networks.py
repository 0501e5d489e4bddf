"""The two agents that have learned, each a network at the table.

`self_taught` knew only the rules: its network says for every action what payoff it expects in the end (J. Barič
planned such a player in 2009 and doubted that it could be made). `imitation` has watched the games of a stronger
player: its network says how likely he would choose each action. Both take the action with the highest number, in
every phase: the card that is named, kontra, cards, marriages and claims. How they learn is in `learning`.

What can be said of their reasons is in `learning/network_reasons.py`.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from hiddenhand.core.decision import Decision
from hiddenhand.core.errors import UserError
from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.cards import CARDS, SUITS, Array
from hiddenhand.games.snaps.encoding import BLOCKS, INPUTS, OUTPUTS, STARTS, encode, slots_of
from hiddenhand.games.snaps.knowledge import best_total
from hiddenhand.games.snaps.rules import worth
from hiddenhand.games.snaps.state import DOST, ENOUGH, MARRIAGE_AND_CLAIM
from hiddenhand.kernel import rule
from hiddenhand.learning.network import new_network, probabilities, read_network, respond, sizes_of
from hiddenhand.learning.network_reasons import Listening, explain

# --- networks in files ----------------------------------------------------------------------------

LEARNED = Path(__file__).parent / "learned"


def kept(path: str | Path) -> Array:
    """The network that was written there, as float64: what a policy takes as its parameters."""
    network = read_network(path)[0].astype(np.float64)
    sizes = sizes_of(network)
    if (sizes[0], sizes[-1]) != (INPUTS, OUTPUTS):  # a compiled pass would read beyond its arrays
        raise UserError(
            "{path} is no network for snaps, with {inputs} inputs and {outputs} outputs: {sizes}",
            path=path,
            inputs=INPUTS,
            outputs=OUTPUTS,
            sizes=sizes,
        )
    return network


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
    """The action of which the network says most; the first of equals. A claim that it knows to be false is left out.

    Networks learn where the rules forbid such claims (`claim=manual`): of others they have no idea.
    """
    if len(actions) == 1:
        return actions[0]
    inputs = np.empty(INPUTS, network.dtype)
    slots = np.empty(len(actions), np.int64)
    values = np.empty(len(actions))
    encode(view, seat, inputs)
    slots_of(view, seat, actions, slots)
    read_answers(inputs, slots, network, values)
    for i in range(len(actions)):
        if MARRIAGE_AND_CLAIM <= actions[i] <= DOST:
            more = worth(view, actions[i] % CARDS) if actions[i] < DOST else 0
            if best_total(view, seat, more) < ENOUGH:
                values[i] = -np.inf
    return actions[np.argmax(values)]


# --- its reasons ----------------------------------------------------------------------------------


def block(*names: str) -> Array:
    return np.concatenate([np.arange(STARTS[name], STARTS[name] + BLOCKS[name]) for name in names])


def part_of_suits(name: str, first: int, last: int) -> Array:
    """The inputs of a block for the suits from first to last - 1; trumps are suit 0."""
    places = block(name)
    size = len(places) // SUITS
    return places[first * size : last * size]


SUIT_BLOCKS = ("hand", "held", "pairs", "masters")
GROUPS: dict[str, Array] = {
    Text("my hand"): block("first hand"),
    Text("my trumps"): np.concatenate([part_of_suits(name, 0, 1) for name in SUIT_BLOCKS]),
    Text("my cards of the other suits"): np.concatenate([part_of_suits(name, 1, 4) for name in SUIT_BLOCKS]),
    Text("the cards on the table"): block("table", "winning", "best", "beating", "stake", "place"),
    Text("the cards of earlier tricks"): block("played", "led"),
    Text("the cards that the others may still hold"): block("may hold", "unseen", "voids"),
    Text("the rank of the named card"): block("named"),
    Text("who chose the trump"): block("chooser"),
    Text("who plays with whom"): block("may be holder", "is holder", "with me", "won by us"),
    Text("the kontra"): block("kontra", "rekontra"),
    Text("the points"): block("points", "bonus", "tricks", "totals", "tens", "enough"),
}


def reasons(
    view: View,
    action: int,
    network: Array,
    meaning: Callable[[Array], Array],
    outcome_text: Callable[[float], str],
    opening: Callable[[str, str], str],
    chances: bool = False,
) -> Decision:
    """The decision for `action`, explained (see `explain`).

    meaning   turns the outputs for the legal actions into payoffs, or into `chances`
    """
    inputs, slots = np.zeros(INPUTS), np.zeros(len(view.legal_actions()), np.int64)
    encode(view.record, view.seat, inputs)
    slots_of(view.record, view.seat, np.array(view.legal_actions(), np.int64), slots)

    def answer(given: Array) -> Array:
        values = np.zeros(len(slots))
        read_answers(given, slots, network, values)
        return meaning(values)

    return explain(view, action, Listening(inputs, answer, GROUPS, outcome_text, opening, chances))


def trained_by(learner: str) -> dict[str, Setting]:
    return {
        "file": Setting(
            "", Text("what `train snaps {learner}` wrote; ours if left out", learner=learner), kind="file"
        )
    }


# --- the agents -----------------------------------------------------------------------------------


@policy(
    Text("knew only the rules and has learned by playing against itself"),
    settings=trained_by("self_taught"),
    knowledge=lambda game, file: learned("self_taught", file),
)
def self_taught(view, seat, actions, memory, parameters, rng):
    return best_answer(view, seat, actions, parameters.network)


@self_taught.explains
def expectations(view: View, action: int, parameters: np.record) -> Decision:
    def outcome_text(value: float) -> str:
        return Text("{value:+.2f}", value=value)

    def opening(move: str, value: str) -> str:
        return Text(
            'By the games I have played against myself, I expect a payoff of {value} from "{move}".',
            value=value,
            move=move,
        )

    return reasons(view, action, parameters.network, lambda outputs: outputs, outcome_text, opening)


@policy(
    Text("has learned by watching a stronger player"),
    settings=trained_by("imitation"),
    knowledge=lambda game, file: learned("imitation", file),
)
def imitation(view, seat, actions, memory, parameters, rng):
    return best_answer(view, seat, actions, parameters.network)


@imitation.explains
def resemblance(view: View, action: int, parameters: np.record) -> Decision:
    def shares(outputs: Array) -> Array:
        return probabilities(outputs, np.ones(len(outputs), np.bool_))

    def outcome_text(value: float) -> str:
        return Text("{value:.0%}", value=value)

    def opening(move: str, value: str) -> str:
        return Text(
            'By the games I have watched, my teacher would choose "{move}" here with a chance of {value}.',
            move=move,
            value=value,
        )

    return reasons(view, action, parameters.network, shares, outcome_text, opening, chances=True)
