"""The summary: a whole policy as a small decision tree that a person can read, with what it loses stated.

    summary = summarise(world, depth=8, leaves=24)
    print(summary.text())

The tree asks for values of input variables and for probabilities of hidden ones. It is fitted to the planner's
decisions on every belief that can come about, and what it earns is reckoned exactly, not sampled.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text
from hiddenhand.planning.explain.decision_tree import MOST_THRESHOLDS, DecisionNode, GrowingTree, possible_questions
from hiddenhand.planning.explain.question import steps_text
from hiddenhand.planning.model.belief_graph import MEMORY
from hiddenhand.planning.model.world import World
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.protocol import among_best
from hiddenhand.planning.planners.reachable import Policy, Reachable, from_all_starts

MOST_LEAVES = 1000


@dataclass(frozen=True)
class DecisionRule:
    """One leaf: what to do, in order; the first legal action is taken."""

    actions: list[str]
    beliefs: int


@dataclass(frozen=True)
class Choice:
    """One question of the tree."""

    ask: str
    yes: Choice | DecisionRule
    no: Choice | DecisionRule


@dataclass(frozen=True)
class PolicySummary:
    """A policy as a tree, and what that costs."""

    world: str
    depth: int
    steps: int
    tree: Choice | DecisionRule
    leaves: int
    beliefs: int
    """How many beliefs can come about."""
    planner: float
    """The planner's total payoff in `steps` steps, on average over all starts."""
    earned: float
    """What the tree earns."""
    agreement: float
    """The share of those beliefs at which the tree does something that the planner holds best."""
    by_leaves: list[tuple[int, float]]
    """What smaller and larger trees earn."""
    policy: Policy
    """(N,) what the tree does at every reachable belief."""

    @property
    def loss(self) -> float:
        return self.planner - self.earned

    def text(self) -> Text:
        """The tree, and what it loses."""
        return Text.joined(
            "\n",
            [
                Text(
                    "{world}: the planner, {steps} ahead, as {rules}; of several actions the first legal one is "
                    "taken",
                    world=self.world,
                    steps=steps_text(self.depth),
                    rules=Text.plural("{n} rule", "{n} rules", n=self.leaves),
                ),
                "",
                *lines_of(self.tree),
                "",
                self.earned_text(),
                Text(
                    "It does what the planner holds best at {share:.1%} of the {n} beliefs that can come about.",
                    share=self.agreement,
                    n=self.beliefs,
                ),
            ],
        )

    def earned_text(self) -> Text:
        """The tree's payoff compared with the planner's."""
        return Text(
            "In {n} steps it earns {earned:.2f} on average over all starts, the planner {planner:.2f}: a loss of "
            "{loss:.2f} ({share:.1%})."
            if self.planner
            else "In {n} steps it earns {earned:.2f} on average over all starts, the planner {planner:.2f}: a loss "
            "of {loss:.2f}.",
            n=self.steps,
            earned=self.earned,
            planner=self.planner,
            loss=self.loss + 0.0,
            share=self.loss / abs(self.planner) if self.planner else 0.0,
        )

    def to_json(self) -> dict[str, Any]:
        return {
            **{name: value for name, value in vars(self).items() if name != "policy"},
            "loss": self.loss,
            "by_leaves": [{"leaves": leaves, "earned": earned} for leaves, earned in self.by_leaves],
            "tree": asdict(self.tree),
        }


def summarise(
    world: World, depth: int = 8, leaves: int = 24, steps: int = 50, memory: float = MEMORY
) -> PolicySummary:
    """The tree of at most `leaves` leaves that earns the most among those that grow on the way there.

    `memory`: the megabytes that beliefs may take, and as many that the questions about them may.
    """
    for what, value, most in (("depth", depth, steps), ("leaves", leaves, MOST_LEAVES), ("steps", steps, 10_000)):
        if not 1 <= value <= most:
            raise UserError(
                "{what} must be a whole number from 1 to {most}, not {value}", what=what, most=most, value=value
            )
    planner = ExactPlanner(world, memory=memory)
    reachable = from_all_starts(planner, world)
    planned = reachable.replanning(depth)
    asked = sum(len(axis.values) for axis in (*world.inputs, *world.hidden)) * MOST_THRESHOLDS * len(reachable)
    if asked > memory * 1e6:
        raise UserError(
            "{n:,} beliefs can come about; the questions about them take up to {needed:.0f} megabytes, {memory:g} "
            "are allowed (memory)",
            n=len(reachable),
            needed=asked / 1e6,
            memory=memory,
        )
    growth = GrowingTree(reachable, planned, possible_questions(world, reachable), steps)
    best_root, best_policy, best_earned = deepcopy_of(growth.root), growth.policy(), mean(reachable, growth, steps)
    by_leaves = [(1, best_earned)]
    while len(growth.root.leaves()) < leaves and growth.grow():
        earned = mean(reachable, growth, steps)
        by_leaves.append((len(growth.root.leaves()), earned))
        if earned > best_earned + 1e-9:
            best_root, best_policy, best_earned = deepcopy_of(growth.root), growth.policy(), earned
    tree = simplified(written(world, growth, best_root))
    inside = np.flatnonzero(~reachable.ends)
    among = among_best(reachable.action_values(reachable.values(depth - 1))[inside])
    return PolicySummary(
        world=world.name,
        depth=depth,
        steps=steps,
        tree=tree,
        leaves=leaves_of(tree),
        beliefs=len(inside),
        planner=float(reachable.earned(planned, steps)[reachable.starts].mean()),
        earned=best_earned,
        agreement=float(among[np.arange(len(inside)), best_policy[inside]].mean()),
        by_leaves=by_leaves,
        policy=best_policy,
    )


def mean(reachable: Reachable, growth: GrowingTree, steps: int) -> float:
    return float(reachable.earned(growth.policy(), steps)[reachable.starts].mean())


def deepcopy_of(node: DecisionNode) -> DecisionNode:
    """The tree as it is now; questions are shared."""
    shared = {id(ask): ask for ask in asks_of(node)}
    return deepcopy(node, dict(shared))


def asks_of(node: DecisionNode) -> list[Any]:
    if node.yes is None or node.no is None:
        return []
    return [node.ask, *asks_of(node.yes), *asks_of(node.no)]


# --- the tree in words ---


def written(world: World, growth: GrowingTree, node: DecisionNode) -> Choice | DecisionRule:
    if node.ask is not None and node.yes is not None and node.no is not None:
        return Choice(node.ask.text, written(world, growth, node.yes), written(world, growth, node.no))
    legal = growth.legal[node.beliefs][:, node.ranking]
    used = np.unique(np.argmax(legal, axis=1))
    return DecisionRule([" ".join(world.actions[node.ranking[place]]) for place in used], len(node.beliefs))


def simplified(tree: Choice | DecisionRule) -> Choice | DecisionRule:
    """Without questions whose answer changes nothing."""
    if isinstance(tree, DecisionRule):
        return tree
    yes, no = simplified(tree.yes), simplified(tree.no)
    if isinstance(yes, DecisionRule) and isinstance(no, DecisionRule) and yes.actions == no.actions:
        return DecisionRule(yes.actions, yes.beliefs + no.beliefs)
    return Choice(tree.ask, yes, no)


def leaves_of(tree: Choice | DecisionRule) -> int:
    return 1 if isinstance(tree, DecisionRule) else leaves_of(tree.yes) + leaves_of(tree.no)


def lines_of(tree: Choice | DecisionRule, indent: str = "") -> list[Text]:
    if isinstance(tree, DecisionRule):
        first, *others = [Text(action) for action in tree.actions]
        actions = Text.joined("", [first, *(Text(", else {action}", action=other) for other in others)])
        return [Text("{indent}{actions}", indent=indent, actions=actions)]
    return [
        Text("{indent}if {question}:", indent=indent, question=tree.ask),
        *lines_of(tree.yes, indent + "    "),
        Text("{indent}else:", indent=indent),
        *lines_of(tree.no, indent + "    "),
    ]
