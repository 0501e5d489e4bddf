"""The policy over all beliefs of two or three states: which action is advised where, and where it changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError, one_of
from hiddenhand.core.text import Text
from hiddenhand.planning.explain.question import steps_text
from hiddenhand.planning.language.words import ENGLISH, NAME
from hiddenhand.planning.model.belief_graph import Nodes
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import World
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.protocol import plan_by_values

ON_A_LINE = 200
ON_A_TRIANGLE = 48
"""How many steps from certainty to certainty are tried."""
CLOSE = 1e-6
"""Where the advice changes is found to this share of the way."""


@dataclass(frozen=True)
class BeliefInterval:
    """Part of a line of beliefs on which one action is advised."""

    low: float
    high: float
    """The probability of the second state, from and to."""
    action: int


@dataclass(frozen=True, eq=False)
class PolicyMap:
    """What the planner does with beliefs over two or three states that look alike."""

    title: str
    states: list[str]
    """The hidden states, in words."""
    depth: int
    beliefs: Floats
    """(n, 2) or (n, 3)"""
    actions: Nodes
    """(n,) what is advised."""
    values: dict[int, Floats]
    """What each legal action is worth at the beliefs, (n,)."""
    intervals: list[BeliefInterval]
    """With two states: where which action is advised."""
    names: list[str]
    """Of all actions."""
    fineness: int

    @property
    def best(self) -> Floats:
        """(n,) what the advised action is worth."""
        found: Floats = np.max(np.array(list(self.values.values())), axis=0)
        return found

    @property
    def named(self) -> list[int]:
        """The actions that are advised anywhere, then the other legal ones."""
        advised = sorted(set(self.actions.tolist()))
        return [*advised, *(action for action in self.values if action not in advised)]

    def to_json(self) -> dict[str, Any]:
        return {
            "states": self.states,
            "depth": self.depth,
            "stretches": [{"from": s.low, "to": s.high, "action": self.names[s.action]} for s in self.intervals],
            "beliefs": [
                {"belief": belief, "action": self.names[int(action)], "value": float(value)}
                for belief, action, value in zip(self.beliefs.tolist(), self.actions, self.best)
            ],
        }


def policy_map(world: World, visible: int, depth: int, among: Sequence[Sequence[str]] = ()) -> PolicyMap:
    """The policy over the possible states of a visible state, or over those two or three of them that are named."""
    possible = list(world.states_of(visible))
    if not possible:
        raise UserError(
            "the visible state {visible} is impossible in {name}",
            visible=world.visible_text(visible),
            name=world.name,
        )
    if not world.legal[visible].any():
        raise UserError("no action is legal in the visible state {visible}", visible=world.visible_text(visible))
    states = [world.state(visible, hidden) for hidden in among] or possible
    if len(states) not in (2, 3) or len(set(states)) < len(states):
        names = one_of([repr(" ".join(world.states[state][1])) for state in possible], 4)
        raise UserError(
            "a map has 2 or 3 different hidden states, not {n}; name them with --among, out of: {names}",
            n=len(states),
            names=names,
        )
    planner = ExactPlanner(world)
    fineness = ON_A_LINE if len(states) == 2 else ON_A_TRIANGLE
    beliefs = simplex(len(states), fineness)
    rows = values_at(planner, world, states, beliefs, depth)
    actions = np.array([plan_by_values(row, depth).action for row in rows])
    legal = np.flatnonzero(world.legal[visible]).tolist()
    intervals = intervals_of(planner, world, states, actions, depth) if len(states) == 2 else []
    words = world.specification.words
    plain = [" ".join(action) for action in world.actions]
    return PolicyMap(
        title=Text(
            "{world}, {steps} ahead: what to do by what is believed", world=world.name, steps=steps_text(depth)
        ),
        states=names_of(world, states),
        depth=depth,
        beliefs=beliefs,
        actions=actions,
        values={action: rows[:, action] for action in legal},
        intervals=intervals,
        names=[words.phrase(ENGLISH, name, NAME) or name for name in plain],
        fineness=fineness,
    )


def names_of(world: World, states: list[int]) -> list[str]:
    """The hidden states in words: the variables in which they differ."""
    hidden = [world.states[state][1] for state in states]
    differ = [place for place in range(len(world.hidden)) if len({values[place] for values in hidden}) > 1]
    return ["; ".join(f"{world.hidden[place].name}=>{values[place]}" for place in differ) for values in hidden]


def simplex(states: int, fineness: int) -> Floats:
    """(n, k) beliefs at equal distances: a line or a triangle."""
    if states == 2:
        second = np.linspace(0.0, 1.0, fineness + 1)
        return np.column_stack((1.0 - second, second))
    counts = [(i, j, fineness - i - j) for i in range(fineness + 1) for j in range(fineness + 1 - i)]
    return np.array(counts) / fineness


def values_at(planner: ExactPlanner, world: World, states: list[int], beliefs: Floats, depth: int) -> Floats:
    """(n, A) what every action is worth."""
    whole = np.zeros((len(beliefs), len(world.states)))
    whole[:, states] = beliefs
    return np.array([plan.values for plan in planner.plan_all(whole, depth)])


def intervals_of(
    planner: ExactPlanner, world: World, states: list[int], actions: Nodes, depth: int
) -> list[BeliefInterval]:
    """Where the advice changes along the line, each change found by halving."""
    found: list[BeliefInterval] = []
    low = 0.0
    steps = len(actions) - 1
    for place in range(steps):
        if actions[place] == actions[place + 1]:
            continue
        before, after = place / steps, (place + 1) / steps
        while after - before > CLOSE:
            middle = (before + after) / 2.0
            values = values_at(planner, world, states, np.array([[1.0 - middle, middle]]), depth)[0]
            if plan_by_values(values, depth).action == actions[place]:
                before = middle
            else:
                after = middle
        found.append(BeliefInterval(low, (before + after) / 2.0, int(actions[place])))
        low = (before + after) / 2.0
    return [*found, BeliefInterval(low, 1.0, int(actions[-1]))]
