"""Self-taught: a player who knew only the rules and has learned snaps by playing against himself.

A network looks at what the player knows (see `features`) and says for every action what payoff it expects in the end;
the highest counts. Everything is decided so: the card that is named, kontra, cards, marriages and claims. How the
network has learned is in `self_play`. J. Barič (2009) planned such a player, and doubted that it could be made.
"""

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.games.snaps.features import INPUTS, OUTPUTS, encode, slots_of
from hiddenhand.games.snaps.learned import shipped
from hiddenhand.kernel import rule
from hiddenhand.learning.network import respond

SIZES = (INPUTS, 256, 128, OUTPUTS)


@rule
def answers(view, seat, actions, network, values):
    """Write what the network says of each of the actions."""
    inputs = np.empty(INPUTS, network.dtype)
    outputs = np.empty(OUTPUTS, network.dtype)
    slots = np.empty(len(actions), np.int64)
    encode(view, seat, inputs)
    slots_of(view, seat, actions, slots)
    respond(network, inputs, outputs)
    for i in range(len(actions)):
        values[i] = outputs[slots[i]]


@rule
def best_answer(view, seat, actions, network):
    """The action of which the network says most."""
    if len(actions) == 1:
        return actions[0]
    values = np.empty(len(actions))
    answers(view, seat, actions, network, values)
    return actions[np.argmax(values)]


@policy("knew only the rules and has learned by playing against itself", knowledge=lambda game: shipped("self_taught", SIZES))
def self_taught(view, seat, actions, memory, parameters, rng):
    return best_answer(view, seat, actions, parameters)
