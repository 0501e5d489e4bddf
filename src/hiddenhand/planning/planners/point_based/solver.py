"""Lower and upper bounds on what a discounted world is worth, and a plan that gets at least the lower one.

In the spirit of SARSOP (H. Kurniawati, D. Hsu, W. S. Lee, 2008) and HSVI2 (T. Smith, R. Simmons, 2005): paths are
walked from the first belief, always by the action that promises most and to the outcome about which least is certain,
and no deeper than can still matter for the first belief; on the way back every belief's bounds are improved. Vectors
that are best at no visited belief, and that no other vector goes on with, are dropped. Nothing is random: the same
number of walks gives the same result, as long as there was time enough for the first bounds.

Whoever follows the plan, or looks one step ahead at every belief, gets at least the lower bound of any belief that he
is at: the vectors are closed (see `alpha_vectors`), so that one step of thought never makes the bound worse.

    solution = solve(pomdp, precision=0.001, seconds=60)
    solution.lower, solution.upper           # of the first belief
    solution.action(belief)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from math import ceil, log

import numpy as np
from scipy.sparse import csr_array

from hiddenhand.core.errors import UserError
from hiddenhand.planning.model.pomdp import Array, Pomdp
from hiddenhand.planning.planners.point_based.alpha_vectors import (
    Bounds,
    Vectors,
    back_up,
    doubled,
    find_witnesses,
    keep_vectors,
    new_vectors,
    step,
    visit,
    weigh_all,
    worth_ahead,
)
from hiddenhand.planning.planners.point_based.belief_tree import (
    CORNERS_FELL,
    FULL,
    NODES,
    Graph,
    drop_idle_points,
    interpolate,
    lower_corners,
    new_graph,
    node_of,
)
from hiddenhand.planning.planners.point_based.compiled_model import (
    LEAST,
    CompiledModel,
    compiled_model,
    inner,
    new_outcomes,
    sparse_belief,
)
from hiddenhand.planning.planners.point_based.initial_bounds import fixed_plans, informed_bound
from hiddenhand.planning.planners.point_based.supports import MIXED, Groups, find_groups, group_at, places_of
from hiddenhand.planning.planners.protocol import Plan, plan_by_values

AIM = 0.5  # a walk tries to bring the gap down to this part of what it is
FAR = 1e100
FIRST_BOUNDS = 0.8  # seconds for each of the first bounds, where the number of walks is not what ends it
BINS = 10


@dataclass(frozen=True)
class Progress:
    """Where the work stands."""

    seconds: float
    walks: int
    lower: float
    upper: float
    beliefs: int
    vectors: int


@dataclass(frozen=True, eq=False)
class PointBasedSolution:
    """Bounds and a plan: the vectors of each group; fixed_choices, int64 (A, S), is what the fixed plans do."""

    pomdp: Pomdp
    lower: float
    upper: float
    progress: Progress
    reason: str  # why it stopped: precision, seconds, memory, walks or interrupted
    model: CompiledModel
    groups: Groups
    vectors: Vectors
    fixed_choices: Array
    graph: Graph

    def value_bounds(self, belief: Array) -> tuple[float, float]:
        """What the belief is worth, from below and from above."""
        group, worths = self.weighed(belief)
        lower = float(worths.max())
        if group == MIXED:
            lower = max([lower, *self.action_values(belief).values()])
        upper = float(interpolate(self.graph, sparse_belief(belief)))
        return lower, max(lower, upper)

    def weighed(self, belief: Array) -> tuple[int, Array]:
        """The group that the belief fits into, and what each of its vectors is worth there; if it is a mixture of
        groups, which no plan made here leads to, what each of the fixed plans is worth."""
        group = int(group_at(self.groups, sparse_belief(belief)))
        states = np.flatnonzero(belief >= LEAST)
        count = self.vectors.plans if group == MIXED else int(self.vectors.used[group, 0])
        rows = places_of(self.groups, group)[states]
        return group, inner(self.vectors.values[rows, :count].T, belief[states])

    def action(self, belief: Array, look_ahead: bool = False) -> int:
        """The action to take; with a step of look-ahead it is often better, never illegal."""
        group, worths = self.weighed(belief)
        if look_ahead or group == MIXED:
            values = self.action_values(belief)
            if not values:
                raise UserError("no action is legal with this belief")
            return max(values, key=lambda action: (values[action], -action))
        best, state = int(worths.argmax()), int(belief.argmax())
        action = int(self.vectors.action[group, best])
        if not self.pomdp.legal[action, state]:
            action = int(self.fixed_choices[best if best < self.vectors.plans else self.vectors.safest, state])
        if action < 0:
            raise UserError("no action is legal with this belief")
        return action

    def plan(self, belief: Array) -> Plan:
        """The action that is worth most at least, after a step of look-ahead."""
        values = np.full(len(self.pomdp.actions), -np.inf)
        for action, value in self.action_values(belief).items():
            values[action] = value
        if not np.isfinite(values).any():
            raise UserError("no action is legal with this belief")
        return replace(plan_by_values(values, None), bounds=self.value_bounds(belief))

    def action_values(self, belief: Array) -> dict[int, float]:
        """What each legal action is worth at least."""
        now, outcomes = sparse_belief(belief), new_outcomes(self.model)
        return {
            action: float(worth_ahead(self.model, self.groups, self.vectors, now, action, outcomes))
            for action in self.pomdp.legal_actions(belief)
        }


def solve(
    pomdp: Pomdp,
    precision: float = 0.001,
    seconds: float = 60.0,
    memory: float = 1000.0,
    walks: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> PointBasedSolution:
    """Narrow the bounds until they differ by no more than the precision, or time, memory (in megabytes) or the
    number of walks runs out. Ctrl-C ends it with what there is. Compiling does not count as time."""
    check(pomdp, precision, seconds, memory)
    rehearse()
    # more time for the whole must not mean other first bounds: they could only lead elsewhere
    first = seconds / 4 if walks is not None else min(seconds / 4, FIRST_BOUNDS)
    return PointBasedSolver(pomdp, precision, seconds, memory, first).run(walks, progress)


def check(pomdp: Pomdp, precision: float, seconds: float, memory: float) -> None:
    if not 0.0 < pomdp.discount < 1.0:
        raise UserError(
            "bounds for ever need a discount between 0 and 1, both excluded; this model has "
            "{discount:g} (give a discount, or plan for a number of steps)",
            discount=pomdp.discount,
        )
    for name, value, least in (("precision", precision, 0.0), ("seconds", seconds, 0.001), ("memory", memory, 1.0)):
        if not least <= value < float("inf"):
            raise UserError(
                "{name} must be a number of at least {least:g}, not {value}", name=name, least=least, value=value
            )


class Prediction:
    """A guess at what a belief is worth, from similar ones: SARSOP's reason for walking on (Kurniawati et al., 2008).

    Beliefs with a similar first upper bound and a similar entropy share a bin, and the mean of the lower bounds of
    those visited is the guess. Alone in its bin, a belief is worth its upper bound.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.low = float(graph.corner.min())
        self.width = max(float(graph.corner.max()) - self.low, 1e-9)
        self.widest = max(round(log(len(graph.corner)), 9), 1e-9)
        self.bin_of: dict[int, tuple[int, int]] = {}
        self.told: dict[int, float] = {}
        self.count: dict[tuple[int, int], int] = {}
        self.total: dict[tuple[int, int], float] = {}

    def value(self, number: int) -> float:
        """The guess for a node, within its bounds."""
        lower, upper = float(self.graph.nodes[number]["lower"]), float(self.graph.nodes[number]["upper"])
        key = self.bin_of.get(number)
        if key is None:
            key = self.bin_of[number] = self.find(number)
            self.count[key] = self.count.get(key, 0) + 1
            self.told[number] = 0.0
        self.total[key] = self.total.get(key, 0.0) + lower - self.told[number]
        self.told[number] = lower
        if self.count[key] == 1:
            return upper
        return min(upper, max(lower, self.total[key] / self.count[key]))

    def find(self, number: int) -> tuple[int, int]:
        node = self.graph.nodes[number]
        belief = self.graph.pool[node["start"] : node["end"]]
        chances = belief["chance"]  # none of them is zero
        first_upper = float(inner(self.graph.first_upper[:, belief["place"]], chances).max())
        entropy = round(-float(inner(chances, np.log(chances))), 9)  # logarithms differ in the last digit
        return int(BINS * (first_upper - self.low) / self.width), int(BINS * entropy / self.widest)


class PointBasedSolver:
    """Bounds that are being narrowed. The first nodes are the first beliefs: one, or one for each thing that may be
    seen before the first action; the bounds are the means of theirs."""

    def __init__(self, pomdp: Pomdp, precision: float, seconds: float, memory: float, first: float) -> None:
        """`first`: the seconds that each of the first bounds may take."""
        self.pomdp, self.precision = pomdp, precision
        self.began = time.perf_counter()
        self.deadline = self.began + seconds
        model = compiled_model(pomdp)
        fine = 1e-6 * (1.0 - pomdp.discount)
        plans, self.fixed_choices = fixed_plans(model, fine, time.perf_counter() + first)
        informed = informed_bound(model, fine, time.perf_counter() + first)
        self.graph = new_graph(model, informed, int(memory * 0.4e6))
        beginnings = pomdp.beginnings()
        self.chances = np.array([chance for chance, _ in beginnings])
        beliefs = [sparse_belief(belief) for _, belief in beginnings]
        self.groups = find_groups(model, *(belief["place"] for belief in beliefs))
        vectors, self.doublings = new_vectors(self.groups, plans, model.observations, int(memory * 0.6e6))
        self.bounds = Bounds(model, self.groups, self.graph, vectors, new_outcomes(model))
        self.lowers = np.zeros(model.observations)
        for (_, first_belief), belief in zip(beginnings, beliefs):
            group = self.groups.first if len(beliefs) == 1 else int(self.groups.of[belief["place"][0]])
            node_of(model, self.graph, belief, group, float(inner(plans, first_belief).max()))
        self.prediction = Prediction(self.graph)
        self.witnesses = np.zeros(len(self.graph.nodes), dtype=np.int64)
        self.worth = np.zeros(len(self.graph.nodes))
        self.weighed, self.witnessed = np.zeros(len(self.vectors.used), dtype=np.int64), 0
        self.walks = 0
        self.full = False
        self.vectors_due, self.points_due, self.points_took = 200, 500, 0.0
        spread = max(self.upper - self.lower, precision, 1e-9)
        self.deepest = int(np.clip(ceil(log(max(precision, 1e-9) / 10 / spread) / log(pomdp.discount)), 10, 2000))

    @property
    def vectors(self) -> Vectors:
        return self.bounds.vectors

    @property
    def lower(self) -> float:
        return float(inner(self.chances, self.graph.nodes["lower"][: len(self.chances)]))

    @property
    def upper(self) -> float:
        return float(inner(self.chances, self.graph.nodes["upper"][: len(self.chances)]))

    def run(self, walks: int | None, progress: Callable[[Progress], None] | None) -> PointBasedSolution:
        reason = ""
        try:
            while not (reason := self.ended(walks)):
                self.improve(self.walk())
                self.tidy()
                self.walks += 1
                if progress is not None:
                    progress(self.report())
        except KeyboardInterrupt:
            reason = "interrupted"
        return self.solution(reason)

    def ended(self, walks: int | None) -> str:
        """Why to stop, or nothing."""
        if self.upper - self.lower <= self.precision:
            return "precision"
        if self.full:
            return "memory"
        if walks is not None and self.walks >= walks:
            return "walks"
        return "seconds" if self.late() else ""

    def late(self) -> bool:
        return time.perf_counter() >= self.deadline

    def walk(self) -> list[int]:
        """The nodes of a path from the first belief, of several the one about which least is certain.

        low: what this belief must be worth to raise the first one's lower bound; high: the upper bound it must come
        down to for the first one's to reach the aim; slack: the gap that does not matter so deep down.
        """
        discount = self.pomdp.discount
        first = self.graph.nodes[: len(self.chances)]
        number = int((self.chances * (first["upper"] - first["lower"])).argmax())
        lower, upper = float(first["lower"][number]), float(first["upper"][number])
        slack = max(AIM * (upper - lower), self.precision / 2)
        low, high = lower, lower + slack
        path: list[int] = []
        while True:
            action = int(visit(self.bounds, number, self.lowers))
            path.append(number)
            if action < 0:
                self.full |= action == FULL
                return path
            node = self.graph.nodes[number]
            lower, upper = float(node["lower"]), float(node["upper"])
            # hope alone leads nowhere new from a belief that was on the path before
            hopeful = self.prediction.value(number) > low and number not in path[:-1]
            settled = not hopeful and upper <= max(high, lower + slack)
            if settled or len(path) == self.deepest or self.late():
                return path
            low, high = max(low, lower), max(high, lower + slack)
            choice = self.graph.choices[number, action]
            followings = self.graph.followings[choice["start"] : choice["end"]]
            chances, uppers = followings["chance"], followings["upper"]
            lowers = self.lowers[: len(chances)]
            slack /= discount
            place = int((chances * (uppers - lowers - slack)).argmax())
            # what is asked of the whole is asked of this part, if the others stay as they are
            share = float(discount * chances[place])
            reward = float(choice["reward"])
            low = bounded((low - reward - discount * float(inner(chances, lowers))) / share + float(lowers[place]))
            high = bounded((high - reward - discount * float(inner(chances, uppers))) / share + float(uppers[place]))
            number = int(step(self.bounds, number, action, place))
            if number == FULL:
                self.full = True
                return path

    def improve(self, path: list[int]) -> None:
        """Improve the bounds along the path, the deepest belief first."""
        for number in reversed(path):
            if not back_up(self.bounds, number):
                self.drop_vectors()
                self.make_room()
            if self.late():
                return

    def make_room(self) -> None:
        """More room for vectors, where there are too many to go on without."""
        filled = self.vectors.used.sum(axis=1).max() / len(self.vectors.sums)
        if self.doublings and filled > 0.6:
            self.bounds = self.bounds._replace(vectors=doubled(self.groups, self.vectors))
            self.doublings -= 1
        else:
            self.full |= bool(filled > 0.95)

    def tidy(self) -> None:
        """Let go of what no longer helps."""
        if self.graph.used[CORNERS_FELL]:
            lower_corners(self.graph)
        if self.vectors.used[:, 0].sum() > self.vectors_due:
            self.drop_vectors()
            self.make_room()
        began = time.perf_counter()
        # it takes longer the more beliefs there are, and must not outlast the deadline
        if self.graph.used[NODES] > self.points_due and 4.0 * self.points_took < self.deadline - began:
            drop_idle_points(self.graph)
            self.points_took = time.perf_counter() - began
            self.points_due = int(1.5 * self.graph.used[NODES])

    def drop_vectors(self) -> None:
        """Drop the vectors that are best at no visited belief and that no other goes on with."""
        count = int(self.graph.used[NODES])
        # the old beliefs are weighed against the new vectors only
        known = self.witnessed, self.weighed
        find_witnesses(self.groups, self.graph, self.vectors, *known, self.witnesses, self.worth)
        keep_vectors(self.groups, self.vectors, self.graph, self.witnesses)
        self.weighed, self.witnessed = self.vectors.used[:, 0].copy(), count
        self.vectors_due = int(1.3 * self.weighed.sum()) + 200

    def report(self) -> Progress:
        took = time.perf_counter() - self.began
        counts = int(self.graph.used[NODES]), int(self.vectors.used.sum())
        return Progress(took, self.walks, self.lower, max(self.lower, self.upper), *counts)

    def solution(self, reason: str) -> PointBasedSolution:
        report = self.report()
        weigh_all(self.groups, self.vectors)
        return PointBasedSolution(
            pomdp=self.pomdp,
            lower=report.lower,
            upper=report.upper,
            progress=report,
            reason=reason,
            model=self.bounds.model,
            groups=self.groups,
            vectors=self.vectors,
            fixed_choices=self.fixed_choices,
            graph=self.graph,
        )


def bounded(value: float) -> float:
    """The value, limited to ±FAR so that it can be used in sums."""
    return min(max(value, -FAR), FAR)


@cache
def rehearse() -> None:
    """Solve a world of two states, so that compiling never counts as time."""
    half = csr_array(np.full((2, 2), 0.5))
    table = csr_array(np.array([[0.8, 0.2], [0.2, 0.8]]))
    start = np.array([0.5, 0.5])
    world = Pomdp(
        states=("0", "1"),
        actions=("0", "1"),
        observations=("0", "1"),
        transitions=(table, half),
        observing=(table, half),
        rewards=np.array([[0.0, -1.0], [-1.0, 1.0]]),
        legal=np.ones((2, 2), dtype=bool),
        start=start,
        discount=0.5,
    )
    solver = PointBasedSolver(world, 0.0, 600.0, 1.0, 100.0)
    for _ in range(3):
        solver.improve(solver.walk())
    solver.drop_vectors()
    drop_idle_points(solver.graph)
    lower_corners(solver.graph)
    solution = solver.solution("")
    solution.value_bounds(start)
    solution.action_values(start)
