"""Facts that a plan may make true: a visible variable gets a value, or a hidden one becomes better known than now."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hiddenhand.planning.explain.question import PlanQuestion
from hiddenhand.planning.language.words import PURPOSE
from hiddenhand.planning.model.belief_graph import Nodes
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import World

BETTER = 1e-9


@dataclass(frozen=True)
class Fact:
    """`variable=>value`; without a value: the hidden variable is better known than now."""

    variable: str
    value: str = ""

    @property
    def name(self) -> str:
        return f"{self.variable}=>{self.value}" if self.value else self.variable


def facts_of(question: PlanQuestion) -> list[Fact]:
    """All facts that are not true now, in the order in which they are preferred.

    If the file has words for what somebody may want (`PURPOSE`), then only these, in the order of its words: its
    author knows what counts. Otherwise all visible variables, then all hidden ones; but no variable that a payoff
    asks for, which is an end and no means.
    """
    world = question.world
    seen = world.visible_values(question.visible)
    found = [Fact(axis.name, value) for axis in world.inputs for value in axis.values if seen[axis.name] != value]
    hidden = [axis.name for axis in world.hidden]
    found += [Fact(name) for name, most in zip(hidden, best_known(world, question.belief)) if most < 1.0 - BETTER]
    words = world.specification.words
    worded = {name: place for place, name in enumerate(words.names) if words.phrase("en", name, PURPOSE)}
    known = {axis.name for axis in (*world.inputs, *world.hidden)}
    if any(name.partition("=>")[0] in known for name in worded):
        return sorted((fact for fact in found if fact.name in worded), key=lambda fact: worded[fact.name])
    ends = variables_of_payoffs(world)
    return [fact for fact in found if fact.variable not in ends]


def variables_of_payoffs(world: World) -> set[str]:
    """The visible variables whose value alone can make a difference to what a visible state pays."""
    ends = set()
    sizes = [len(axis.values) for axis in world.inputs]
    payoffs = world.payoffs.reshape(sizes)
    for place, axis in enumerate(world.inputs):
        if np.ptp(payoffs, axis=place).any():
            ends.add(axis.name)
    return ends


def needed_for(world: World, payoff: int, fact: Fact) -> bool:
    """Whether no state without the fact has an action that may bring the payoff at once."""
    if not fact.value:
        return False
    pays = (world.payoff_name_of[world.visible_of] == payoff).astype(np.float64)
    may = np.zeros(len(world.states), dtype=np.bool_)
    for rows in world.transitions:
        may |= np.asarray(rows @ pays) > 0.0
    place = [axis.name for axis in world.inputs].index(fact.variable)
    return all(world.visible_states[int(v)][place] == fact.value for v in np.unique(world.visible_of[may]))


def best_known(world: World, belief: Floats) -> list[float]:
    """How likely the likeliest value of each hidden variable is."""
    most = []
    for place in range(len(world.hidden)):
        sums: dict[str, float] = {}
        for state in np.flatnonzero(belief).tolist():
            value = world.states[state][1][place]
            sums[value] = sums.get(value, 0.0) + float(belief[state])
        most.append(max(sums.values()))
    return most


def holds_at(question: PlanQuestion, fact: Fact, nodes: Nodes) -> NDArray[np.bool_]:
    """(k,) whether the fact is true at nodes of the planner's graph."""
    world, graph = question.world, question.planner.graph
    if fact.value:
        place = [axis.name for axis in world.inputs].index(fact.variable)
        visible = world.visible_of[graph.states.all[graph.starts.all[nodes]]]
        return np.array([world.visible_states[int(v)][place] == fact.value for v in visible], dtype=np.bool_)
    place = [axis.name for axis in world.hidden].index(fact.variable)
    now = best_known(world, question.belief)[place]
    return np.array([best_known(world, graph.belief(int(n)))[place] > now + BETTER for n in nodes], dtype=np.bool_)


def strength_at(question: PlanQuestion, fact: Fact, node: int) -> float:
    """How much of a fact there is at a node: whether it is true, or how well the hidden variable is known."""
    if fact.value:
        return float(holds_at(question, fact, np.array([node]))[0])
    place = [axis.name for axis in question.world.hidden].index(fact.variable)
    return best_known(question.world, question.planner.graph.belief(node))[place]
