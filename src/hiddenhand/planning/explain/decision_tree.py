"""A decision tree for a policy: what it may ask, and how it grows, always by the split that saves the most.

It asks for a value of an input variable, or how likely a hidden one has a value. What a tree earns less than the
planner is exactly the sum, over the beliefs that the tree itself leads to, of how often it comes there times what its
action is worth less there than the planner's, both followed by the planner to the end. So the next split is the one
that saves most of that; the visits are counted anew for every tree. Counts of equal actions would be simpler, but a
tree may agree at nine beliefs of ten and go round in circles because of the tenth.

A leaf ranks the actions: the first one that is legal is taken, so that no advice is ever illegal.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import World
from hiddenhand.planning.planners.reachable import Policy, Reachable

EVERYWHERE = 0.05
"""This share of the weight is spread over all beliefs, so that those off the beaten track count a little."""
MOST_THRESHOLDS = 24
"""The most thresholds tried for each probability; of more, a sample spread evenly over the beliefs is tried."""

Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Ask:
    """One yes-or-no question."""

    text: str
    answers: NDArray[np.bool_]
    """(N,) for every reachable belief."""


def possible_questions(world: World, reachable: Reachable) -> list[Ask]:
    """All questions that some beliefs answer with yes and some with no."""
    beliefs = reachable.planner.graph.rows(reachable.nodes)
    first_state = beliefs.indices[beliefs.indptr[:-1]]
    found = [*about_inputs(world, world.visible_of[first_state]), *about_hidden(world, beliefs)]
    return [ask for ask in found if 0 < ask.answers.sum() < len(reachable)]


def about_inputs(world: World, visible: NDArray[np.intp]) -> list[Ask]:
    found = []
    for place, axis in enumerate(world.inputs):
        values = np.array([names[place] for names in world.visible_states])[visible]
        found += [Ask(f"{axis.name}=>{value}", values == value) for value in asked(axis.values)]
    return found


def about_hidden(world: World, beliefs: NDArray[np.float64]) -> list[Ask]:
    found = []
    for place, axis in enumerate(world.hidden):
        for value in asked(axis.values):
            holds = np.array([float(hidden[place] == value) for _, hidden in world.states])
            chances = np.asarray(beliefs @ holds)
            for threshold in thresholds(chances):
                found.append(Ask(f"P({axis.name}=>{value}) >= {threshold:g}", chances >= threshold))
    return found


def asked(values: tuple[str, ...]) -> tuple[str, ...]:
    """Of two values only the last: no to the one is yes to the other."""
    return values[-1:] if len(values) == 2 else values


def thresholds(chances: Floats) -> list[float]:
    """Numbers with few digits that tell the probabilities apart."""
    levels = np.unique(np.round(chances, 9))
    if len(levels) > MOST_THRESHOLDS + 1:
        levels = np.unique(np.round(np.quantile(chances, np.linspace(0.0, 1.0, MOST_THRESHOLDS + 2)), 9))
    return [short_between(float(low), float(high)) for low, high in pairwise(levels)]


def short_between(low: float, high: float) -> float:
    """The number with the fewest decimals that lies above one number and not above another, near their middle."""
    middle = 0.5 * (low + high)
    for digits in range(1, 9):
        number = round(middle, digits)
        if low < number <= high:
            return number
    return middle


@dataclass(eq=False)
class DecisionNode:
    """A leaf with its beliefs; after a split, a question with two nodes below it."""

    beliefs: Places
    ranking: Places
    """(A,) the actions, the best first."""
    ask: Ask | None = None
    yes: DecisionNode | None = None
    no: DecisionNode | None = None

    def leaves(self) -> list[DecisionNode]:
        if self.yes is None or self.no is None:
            return [self]
        return self.yes.leaves() + self.no.leaves()


class GrowingTree:
    """A tree for one policy, from one leaf on."""

    def __init__(self, reachable: Reachable, policy: Policy, questions: list[Ask], horizon: int) -> None:
        self.reachable = reachable
        self.questions = questions
        self.answers = np.array([ask.answers for ask in questions], dtype=np.float64).reshape(len(questions), -1)
        self.horizon = horizon
        self.planned = policy
        self.legal = np.isfinite(reachable.rewards)
        self.losses = self.losses_of(policy)
        self.weights = self.weigh(policy)
        inside = np.flatnonzero(~reachable.ends)
        self.root = DecisionNode(inside, self.ranked(inside))

    def losses_of(self, policy: Policy) -> Floats:
        """(N, A) what each action is worth less than the policy's, if the policy goes on.

        An illegal action counts as much as a legal one on average: what is done instead is open.
        """
        values = self.reachable.action_values(self.reachable.earned(policy, self.horizon - 1))
        planned = values[np.arange(len(values)), np.maximum(policy, 0)]
        losses = np.where(self.legal, planned[:, None] - np.where(self.legal, values, 0.0), 0.0)
        average = losses.sum(axis=1) / np.maximum(self.legal.sum(axis=1), 1)
        losses = np.where(self.legal, losses, average[:, None])
        losses[self.reachable.ends] = 0.0
        return losses

    def weigh(self, policy: Policy) -> Floats:
        """(N,) how often the policy and the planner come to each belief, summing to one and a little."""
        visits = self.visits(policy) + self.visits(self.planned)
        found: Floats = visits / visits.sum() + EVERYWHERE / len(visits)
        return found

    def visits(self, policy: Policy) -> Floats:
        """(N,) how often a policy comes to each belief, from all starts alike."""
        count = len(self.reachable)
        rows = self.reachable.steps[np.arange(count) * self.reachable.actions + np.maximum(policy, 0)]
        here = np.bincount(self.reachable.starts, minlength=count) / len(self.reachable.starts)
        total = np.zeros(count)
        for _ in range(self.horizon):
            total += here
            here = rows.T @ here
        return total

    def ranked(self, beliefs: Places) -> Places:
        """The actions by what they lose together at these beliefs, the least first."""
        totals = self.weights[beliefs] @ self.losses[beliefs]
        return np.argsort(totals, kind="stable")

    def policy(self) -> Policy:
        """What the tree does at every belief."""
        chosen = np.full(len(self.reachable), -1)
        for leaf in self.root.leaves():
            legal = self.legal[leaf.beliefs][:, leaf.ranking]
            chosen[leaf.beliefs] = leaf.ranking[np.argmax(legal, axis=1)]
        return chosen

    def grow(self) -> bool:
        """Make the split that saves the most; False if none saves anything."""
        self.weights = self.weigh(self.policy())
        best: tuple[float, DecisionNode, int] | None = None
        for leaf in self.root.leaves():
            saving, number = self.best_split(leaf)
            if best is None or saving > best[0]:
                best = (saving, leaf, number)
        if best is None or best[0] <= 1e-12:
            return False
        _, leaf, number = best
        says_yes = self.questions[number].answers[leaf.beliefs]
        leaf.ask = self.questions[number]
        leaf.yes, leaf.no = (
            DecisionNode(part, leaf.ranking) for part in (leaf.beliefs[says_yes], leaf.beliefs[~says_yes])
        )
        for end in self.root.leaves():
            end.ranking = self.ranked(end.beliefs)
        return True

    def best_split(self, leaf: DecisionNode) -> tuple[float, int]:
        """What the best question to a leaf saves, and its number."""
        losses = self.weights[leaf.beliefs, None] * self.losses[leaf.beliefs]
        answers = self.answers[:, leaf.beliefs]
        if_yes = answers @ losses
        total = losses.sum(axis=0)
        saved = total.min() - if_yes.min(axis=1, initial=np.inf) - (total - if_yes).min(axis=1, initial=np.inf)
        count = answers.sum(axis=1)
        saved[(count == 0) | (count == len(leaf.beliefs))] = -np.inf
        if not len(saved):
            return -np.inf, 0
        number = int(np.argmax(saved))
        return float(saved[number]), number
