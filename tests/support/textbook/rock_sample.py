"""RockSample: a rover among rocks of unknown worth, with a sensor that is better near by.

T. Smith, R. Simmons, "Heuristic search value iteration for POMDPs" (2004). Sampling a good rock pays 10 (it is then
bad), a bad one costs 10, leaving the grid to the east pays 10 and ends it. The sensor is right with probability
(1 + 2 ** (-distance / 20)) / 2. The map of 7 is the one commonly used; those of 4 and 5 are ours.
"""

from __future__ import annotations

import numpy as np

from hiddenhand.planning.model.pomdp import Pomdp
from textbook.building import Chances, build

HALF_DISTANCE = 20.0
STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))  # north, south, east, west, as x and y
SAMPLE, FIRST_LOOK = 4, 5
NOTHING, GOOD, BAD = range(3)
MAPS: dict[int, tuple[tuple[int, int], list[tuple[int, int]]]] = {
    4: ((0, 2), [(3, 1), (2, 1), (1, 3), (1, 0)]),
    5: ((0, 2), [(2, 4), (0, 4), (3, 3), (2, 2), (4, 1)]),
    7: ((0, 3), [(2, 0), (0, 1), (3, 1), (6, 3), (2, 4), (3, 4), (5, 5), (1, 6)]),
}


def rock_sample(size: int) -> Pomdp:
    """The problem on a square of 4, 5 or 7 cells a side."""
    first, rocks = MAPS[size]
    worlds = 1 << len(rocks)
    over = size * size * worlds

    def parts(state: int) -> tuple[int, int, int]:
        place, good = divmod(state, worlds)
        return place % size, place // size, good

    def state_of(x: int, y: int, good: int) -> int:
        return (y * size + x) * worlds + good

    def move(action: int, state: int) -> Chances:
        if state == over:
            return {over: 1.0}
        x, y, good = parts(state)
        if action < SAMPLE:
            x, y = x + STEPS[action][0], y + STEPS[action][1]
            if x == size:
                return {over: 1.0}
            return {state_of(max(x, 0), min(max(y, 0), size - 1), good): 1.0}
        if action == SAMPLE and (x, y) in rocks:
            return {state_of(x, y, good & ~(1 << rocks.index((x, y)))): 1.0}
        return {state: 1.0}

    def see(action: int, state: int) -> Chances:
        if state == over or action < FIRST_LOOK:
            return {NOTHING: 1.0}
        x, y, good = parts(state)
        rock = action - FIRST_LOOK
        distance = float(np.hypot(x - rocks[rock][0], y - rocks[rock][1]))
        right = 0.5 * (1.0 + 2.0 ** (-distance / HALF_DISTANCE))
        says, denies = (GOOD, BAD) if good >> rock & 1 else (BAD, GOOD)
        return {says: right, denies: 1.0 - right}

    def reward(action: int, state: int) -> float:
        if state == over:
            return 0.0
        x, y, good = parts(state)
        if action == SAMPLE:
            if (x, y) not in rocks:
                return -100.0
            return 10.0 if good >> rocks.index((x, y)) & 1 else -10.0
        return 10.0 if action == 2 and x == size - 1 else 0.0

    start = np.zeros(over + 1)
    start[[state_of(*first, good) for good in range(worlds)]] = 1.0 / worlds
    states = [f"{x}-{y}-{good:0{len(rocks)}b}" for y in range(size) for x in range(size) for good in range(worlds)]
    looks = [f"look-{rock + 1}" for rock in range(len(rocks))]
    actions = ["north", "south", "east", "west", "sample", *looks]
    names = ([*states, "over"], actions, ["nothing", "good", "bad"])
    return build(names, move, see, reward, start)
