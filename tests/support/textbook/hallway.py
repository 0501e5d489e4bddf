"""Hallway and Hallway2: a robot that does not know where it is looks for a star, with poor wheels and poor eyes.

M. L. Littman, A. R. Cassandra, L. P. Kaelbling, "Learning policies for partially observable environments: scaling up"
(1995). A state is a cell and a heading. The robot senses on each of its four sides whether there is a wall: a wall is
missed with probability 0.1, one is imagined with 0.05. In Hallway a landmark is seen at four places. Reaching the
goal pays 1, after which the robot is anywhere else with equal chances.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from hiddenhand.planning.model.pomdp import Pomdp
from textbook.building import Chances, add, build

HEADINGS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # north, east, south, west, as row and column
STAY, FORWARD, RIGHT, AROUND, LEFT = range(5)
# How often the robot ends up turned by 0, 1, 2, 3 quarters to the right.
TURNS = {RIGHT: (0.1, 0.7, 0.1, 0.1), AROUND: (0.1, 0.15, 0.6, 0.15), LEFT: (0.1, 0.1, 0.1, 0.7)}
SEES_WALL, IMAGINES_WALL = 0.9, 0.05
FAIRLY_LONG = ["***********", "  * * * +  "]
TWO_RINGS = [" ***** ", "** * **", " * * * ", "** * *+", " ***** "]


def hallway() -> Pomdp:
    """60 states, 21 observations: facing south from above a side room, the robot sees a landmark of its own."""
    cells = cells_of(FAIRLY_LONG)
    landmarks = [(0, column) for column in (2, 4, 6, 8)]
    return corridors(FAIRLY_LONG, {4 * cells.index(cell) + 2: 16 + i for i, cell in enumerate(landmarks)})


def hallway2() -> Pomdp:
    """92 states, 17 observations, no landmarks."""
    return corridors(TWO_RINGS, {})


def cells_of(plan: list[str]) -> list[tuple[int, int]]:
    return [(r, c) for r, line in enumerate(plan) for c, sign in enumerate(line) if sign != " "]


def corridors(plan: list[str], landmarks: dict[int, int]) -> Pomdp:
    """The problem on this plan; landmarks: state -> the one observation made there."""
    cells = cells_of(plan)
    goal = next(i for i, (r, c) in enumerate(cells) if plan[r][c] == "+")
    goals = range(4 * goal, 4 * goal + 4)
    count = 4 * len(cells)
    elsewhere = {s: 1.0 / (count - 4) for s in range(count) if s not in goals}
    star = 16 + len(landmarks)

    def beyond(cell: int, heading: int) -> int | None:
        row, column = cells[cell]
        step = (row + HEADINGS[heading][0], column + HEADINGS[heading][1])
        return cells.index(step) if step in cells else None

    def forward(cell: int, heading: int) -> Chances:
        """Mostly straight on; sometimes to a side, facing there; sometimes back, facing either way; else no move."""
        chances: Chances = {}
        for turn, chance in enumerate((0.8, 0.05, 0.05, 0.05)):
            way = (heading + turn) % 4
            target = beyond(cell, way)
            if target is None:
                continue
            facing = [way, heading] if turn == 2 else [way]
            for new in facing:
                add(chances, 4 * target + new, chance / len(facing))
        add(chances, 4 * cell + heading, 1.0 - sum(chances.values()))
        return chances

    def move(action: int, state: int) -> Chances:
        cell, heading = divmod(state, 4)
        if cell == goal:
            return elsewhere
        if action == STAY:
            return {state: 1.0}
        if action == FORWARD:
            return forward(cell, heading)
        return {4 * cell + (heading + turn) % 4: chance for turn, chance in enumerate(TURNS[action])}

    def see(action: int, state: int) -> Chances:
        cell, heading = divmod(state, 4)
        if cell == goal:
            return {star: 1.0}
        if state in landmarks:
            return {landmarks[state]: 1.0}
        rates = [SEES_WALL if beyond(cell, (heading + side) % 4) is None else IMAGINES_WALL for side in range(4)]
        result: Chances = {}
        for walls in product((0, 1), repeat=4):
            number = 8 * walls[0] + 4 * walls[1] + 2 * walls[2] + walls[3]
            result[number] = float(np.prod([r if wall else 1.0 - r for wall, r in zip(walls, rates)]))
        return result

    def reward(action: int, state: int) -> float:
        return sum(chance for target, chance in move(action, state).items() if target in goals)

    start = np.zeros(count)
    start[list(elsewhere)] = 1.0 / len(elsewhere)
    states = [f"{r}-{c}-{'nesw'[h]}" for r, c in cells for h in range(4)]
    actions = ["stay", "forward", "right", "around", "left"]
    observations = [f"walls-{number:04b}" for number in range(16)]
    observations += [f"landmark-{i + 1}" for i in range(len(landmarks))] + ["star"]
    return build((states, actions, observations), move, see, reward, start)
