"""Tag: a robot looks for a person who runs away, and sees them only when they stand in the same cell.

J. Pineau, G. Gordon, S. Thrun, "Point-based value iteration: an anytime algorithm for POMDPs" (2003). 29 cells, two
rows of ten with a block of three by three on top. Each move costs 1, catching pays 10, and 10 is lost for trying
to catch somebody who is not there. The person steps away from where the robot stood four times in five (north or
south and east or west with equal chances) and else stays.
"""

from __future__ import annotations

import numpy as np

from hiddenhand.planning.model.pomdp import Pomdp
from textbook.building import Chances, add, build

STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))  # north, south, east, west, as x and y
CATCH = 4
CELLS = [(x, y) for y in range(2) for x in range(10)] + [(x, y) for y in range(2, 5) for x in range(5, 8)]
CAUGHT = len(CELLS)
TOGETHER = len(CELLS)


def tag() -> Pomdp:
    """870 states, 5 actions, 30 observations."""
    names = (
        [f"robot-{robot}-{'caught' if person == CAUGHT else person}" for robot, person in positions()],
        ["north", "south", "east", "west", "catch"],
        [f"robot-{robot}" for robot in range(len(CELLS))] + ["together"],
    )
    return build(
        names,
        move,
        see,
        reward,
        np.array([0.0 if person == CAUGHT else 1.0 / len(CELLS) ** 2 for _, person in positions()]),
    )


def positions() -> list[tuple[int, int]]:
    return [(robot, person) for robot in range(len(CELLS)) for person in range(len(CELLS) + 1)]


def state_of(robot: int, person: int) -> int:
    return robot * (len(CELLS) + 1) + person


def stepped(cell: int, step: tuple[int, int]) -> int:
    """The next cell, or the same where there is a wall."""
    target = (CELLS[cell][0] + step[0], CELLS[cell][1] + step[1])
    return CELLS.index(target) if target in CELLS else cell


def flight(robot: int, person: int) -> Chances:
    """Where the person is next."""
    chances: Chances = {}
    for axis, ways in ((0, STEPS[2:]), (1, STEPS[:2])):
        away = CELLS[person][axis] - CELLS[robot][axis]
        for step in ways:
            chance = 0.2 if away == 0 else 0.4 * (away * step[axis] > 0)
            add(chances, stepped(person, step), chance)
    add(chances, person, 0.2)
    return chances


def move(action: int, state: int) -> Chances:
    robot, person = divmod(state, len(CELLS) + 1)
    if person == CAUGHT:
        return {state: 1.0}
    if action == CATCH:
        return {state_of(robot, CAUGHT if robot == person else person): 1.0}
    moved = stepped(robot, STEPS[action])
    return {state_of(moved, target): chance for target, chance in flight(robot, person).items()}


def see(action: int, state: int) -> Chances:
    robot, person = divmod(state, len(CELLS) + 1)
    return {TOGETHER if robot == person and action != CATCH else robot: 1.0}


def reward(action: int, state: int) -> float:
    robot, person = divmod(state, len(CELLS) + 1)
    if action != CATCH:
        return -1.0
    if person == CAUGHT:
        return 0.0
    return 10.0 if robot == person else -10.0
