"""The two agents that have learned.

`self_taught` knew only the rules: its network says for every action what payoff it expects in the end (J. Barič
planned such a player in 2009 and doubted that it could be made). `imitation` has watched the games of a stronger
player: its network says how likely he would choose each action. Both take the action with the highest number, in
every phase: the card that is named, kontra, cards, marriages and claims.
"""

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.games.snaps.networks.player import SIZES, best_answer
from hiddenhand.games.snaps.networks.reasons import explain
from hiddenhand.games.snaps.networks.shipped import shipped
from hiddenhand.learning.network import probabilities


@policy(
    "knew only the rules and has learned by playing against itself",
    knowledge=lambda game: {"network": shipped("self_taught", SIZES)},
)
def self_taught(view, seat, actions, memory, parameters, rng):
    return best_answer(view, seat, actions, parameters.network)


@self_taught.explains
def expectations(view, action, parameters):
    def told(value):
        return f"{value:+.2f}"

    opening = 'By the games I have played against myself, I expect a payoff of {value} from "{action}".'
    return explain(view, action, parameters.network, lambda outputs: outputs, told, opening)


@policy("has learned by watching a stronger player", knowledge=lambda game: {"network": shipped("imitation", SIZES)})
def imitation(view, seat, actions, memory, parameters, rng):
    return best_answer(view, seat, actions, parameters.network)


@imitation.explains
def resemblance(view, action, parameters):
    def chances(outputs):
        return probabilities(outputs, np.ones(len(outputs), np.bool_))

    def told(value):
        return f"{value:.0%}"

    opening = 'By the games I have watched, my teacher would choose "{action}" here with a chance of {value}.'
    return explain(view, action, parameters.network, chances, told, opening)
