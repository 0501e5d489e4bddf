"""A network at the table: what it says of every legal action, and the action of which it says most."""

import numpy as np

from hiddenhand.games.snaps.encoding import encode
from hiddenhand.games.snaps.features import INPUTS, OUTPUTS, slots_of
from hiddenhand.kernel import rule
from hiddenhand.learning.network import respond

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
