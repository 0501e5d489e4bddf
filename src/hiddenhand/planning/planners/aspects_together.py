"""What the plans for the aspects of a model are worth together, learned by following them.

Before the first step the plans are followed a few thousand times, from where some steps at random led. What that
earned above the greatest promise is then explained by the others: least squares, with weights from 0 to 1.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import lsq_linear

from hiddenhand.kernel import below, rule, stream
from hiddenhand.planning.model.pomdp import Array
from hiddenhand.planning.model.simulator import Simulator, move
from hiddenhand.planning.planners.aspects import Aspects, believe, evened, most_promised, situation, worth_together

EPISODES = 2000
LONGEST = 100
"""Steps of an episode."""
ASTRAY = 10
"""Steps at random, at most, before the plans are followed."""
STIFFNESS = 1.0
"""How much the weights are drawn to 0: as by an example for each promise, in which it was worth nothing."""


COUNTED_ON = 0.7
"""The part of the weights that is counted on: whoever expects too much of a place stays there."""


def with_worth_together(aspects: Aspects, simulator: Simulator, starts: Array) -> Aspects:
    """The same aspects with what further promises add; `starts` (n, slots): first states."""
    count = len(aspects.size)
    told, earned = np.zeros((EPISODES * LONGEST, count)), np.zeros((EPISODES * LONGEST, 2))
    used = int(follow_all(simulator, aspects, starts, told, earned, stream(1)))
    above = told[:used, 1:] - earned[:used, 1:]
    more = earned[:used, 0] - told[:used, 0]
    pulled = np.concatenate((above, STIFFNESS * np.eye(count - 1)))
    weights = lsq_linear(pulled, np.concatenate((more, np.zeros(count - 1))), bounds=(0.0, 1.0)).x
    return aspects._replace(further=COUNTED_ON * np.concatenate(([0.0], weights)))


@rule
def follow_all(simulator, aspects, starts, told, earned, rng):
    """Write what was promised at each step (n, F), what was earned from there on and the least that there is (n, 2);
    returns how many."""
    belief, row = aspects.start.copy(), 0
    for episode in range(EPISODES):
        s = starts[episode % len(starts)].copy()
        for k in range(len(belief)):
            belief[k] = aspects.start[k]
        first, astray = row, below(rng, ASTRAY + 1)
        for step in range(LONGEST):
            g = situation(aspects, s)
            if aspects.over[g]:
                break
            if step < astray:
                action = below(rng, simulator.actions)
            else:
                action, _ = most_promised(aspects, g, belief)
                worth_together(aspects, g, belief, told[row])
                earned[row, 0] = evened(aspects, belief, action, g, s)
                earned[row, 1] = aspects.least[g]
            _, paid = move(simulator, s, action, rng)
            believe(aspects, belief, action, g, s)
            if step >= astray:
                earned[row, 0] += paid
                row += 1
        for k in range(row - 2, first - 1, -1):
            earned[k, 0] += simulator.discount * earned[k + 1, 0]
    return row
