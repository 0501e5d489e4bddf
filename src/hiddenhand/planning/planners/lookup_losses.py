"""What the look-up rules lose: each one's advice valued by the exact planner.

The loss at a belief is V(b, n) - Q(b, the advised action, n), with n the depth of the knowledge. It is measured on
the beliefs that can come about in play and on random ones (uniform over all beliefs of a visible state), by how many
states are possible; and for the former there is also what the rule earns in a whole game.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import World
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.knowledge import Knowledge, units
from hiddenhand.planning.planners.lookup import PAIRS, RULES, LookupPlanner
from hiddenhand.planning.planners.protocol import TIE, Planner
from hiddenhand.planning.planners.reachable import Reachable, from_all_starts

REACHABLE, RANDOM = "reachable", "random"


@dataclass(frozen=True)
class Loss:
    """One rule on one kind of beliefs."""

    rule: str
    where: str
    """`reachable` or `random`."""
    states: int
    """How many states are possible."""
    beliefs: int
    mean: float
    worst: float
    wrong: float
    """The share of beliefs at which something is lost."""


@dataclass(frozen=True)
class Comparison:
    losses: list[Loss]
    earned: dict[str, float]
    """What each rule earns on average from all starts, and what the exact planner of that depth does (`exact`)."""
    horizon: int

    def table(self) -> str:
        """The comparison as a table in Markdown: mean loss (largest loss)."""
        kinds = sorted(
            {(loss.where, loss.states) for loss in self.losses}, key=lambda kind: (kind[0] == RANDOM, kind[1])
        )
        heads = [f"{where}, {states} states" for where, states in kinds]
        rows = [["rule", *heads, f"payoff in {self.horizon} steps"]]
        for rule, payoff in self.earned.items():
            cells = {(loss.where, loss.states): loss for loss in self.losses if loss.rule == rule}
            shown = [
                Text("{what:.3f} ({n:.1f})", what=cells[kind].mean, n=cells[kind].worst) if kind in cells else "0"
                for kind in kinds
            ]
            rows.append([rule, *shown, f"{payoff:.1f}"])
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def compare_rules(
    world: World, knowledge: Knowledge, random_beliefs: int = 50, seed: int = 1, horizon: int = 50
) -> Comparison:
    """Every rule on the reachable beliefs and on `random_beliefs` of each visible state."""
    planner = ExactPlanner(world)
    reachable = from_all_starts(planner, world)
    met = [reachable.belief(place) for place in range(len(reachable))]
    samples = {
        REACHABLE: [b for b, end in zip(met, reachable.ends) if not end and np.count_nonzero(b) > 1],
        RANDOM: some_beliefs(world, random_beliefs, seed),
    }
    losses = []
    earned = {"exact": mean_payoff(reachable, reachable.replanning(knowledge.depth), horizon)}
    for rule in (*PAIRS, *RULES):
        lookup = LookupPlanner(world, [knowledge], rule)
        for where, beliefs in samples.items():
            measured = losses_of(lookup, planner, knowledge.depth, beliefs)
            losses += [Loss(rule, where, *loss) for loss in by_states(world, beliefs, measured)]
        policy = np.array(
            [-1 if end else lookup.plan(belief, knowledge.depth).action for belief, end in zip(met, reachable.ends)]
        )
        earned[rule] = mean_payoff(reachable, policy, horizon)
    return Comparison(losses, earned, horizon)


def losses_of(planner: Planner, exact: ExactPlanner, depth: int, beliefs: list[Floats]) -> Floats:
    """(n,) what a planner loses at each of the beliefs against the exact plan of this depth."""
    if not beliefs:
        return np.zeros(0)
    values = exact.action_values(exact.graph.nodes_of(beliefs), depth)
    chosen = np.array([planner.plan(belief, depth).action for belief in beliefs])
    best = values.max(axis=1)
    lost = np.maximum(best - values[np.arange(len(beliefs)), chosen], 0.0)
    lost[lost <= TIE * np.maximum(1.0, np.abs(best))] = 0.0
    found: Floats = lost
    return found


def by_states(world: World, beliefs: list[Floats], lost: Floats) -> list[tuple[int, int, float, float, float]]:
    """For each number of possible states: it, how many beliefs have it, mean and worst loss, the share that loses."""
    if not beliefs:
        return []
    sizes = np.diff(world.first)[world.visible_of[np.argmax(beliefs, axis=1)]]
    return [
        (
            int(size),
            int((sizes == size).sum()),
            float(lost[sizes == size].mean()),
            float(lost[sizes == size].max()),
            float((lost[sizes == size] > 0.0).mean()),
        )
        for size in np.unique(sizes)
    ]


def some_beliefs(world: World, count: int, seed: int) -> list[Floats]:
    """`count` random beliefs, uniform over all beliefs, for each visible state in which anything is hidden."""
    rng = np.random.default_rng(seed)
    beliefs = []
    for visible in units(world):
        inside = world.states_of(visible)
        if len(inside) == 1:
            continue
        for weights in rng.dirichlet(np.ones(len(inside)), count):
            belief = np.zeros(len(world.states))
            belief[inside.start : inside.stop] = weights
            beliefs.append(belief)
    return beliefs


def mean_payoff(reachable: Reachable, policy: np.ndarray[tuple[int], np.dtype[np.intp]], horizon: int) -> float:
    """What a policy earns on average over the starts."""
    return float(reachable.earned(policy, horizon)[reachable.starts].mean())
