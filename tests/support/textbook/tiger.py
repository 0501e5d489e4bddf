"""The tiger problem: a tiger behind one of two doors, and ears that are right 85 times in a hundred.

L. P. Kaelbling, M. L. Littman, A. R. Cassandra, "Planning and acting in partially observable stochastic domains"
(1998). Opening the tiger's door costs 100, the other one pays 10, listening costs 1; after a door is opened the tiger
is put behind one of them anew. From no knowledge the optimal value is 19.371 at discount 0.95.
"""

from __future__ import annotations

import numpy as np

from hiddenhand.planning.model.pomdp import Pomdp
from textbook.building import Chances, build

LISTEN, LEFT, RIGHT = range(3)


def tiger(discount: float = 0.95, hearing: float = 0.85) -> Pomdp:
    def move(action: int, state: int) -> Chances:
        return {state: 1.0} if action == LISTEN else {0: 0.5, 1: 0.5}

    def see(action: int, state: int) -> Chances:
        return {state: hearing, 1 - state: 1.0 - hearing} if action == LISTEN else {0: 0.5, 1: 0.5}

    def reward(action: int, state: int) -> float:
        if action == LISTEN:
            return -1.0
        return -100.0 if action - LEFT == state else 10.0

    sides = ["tiger-left", "tiger-right"]
    actions = ["listen", "open-left", "open-right"]
    return build((sides, actions, sides), move, see, reward, np.array([0.5, 0.5]), discount)
