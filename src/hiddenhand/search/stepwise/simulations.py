"""UCT, step by step: simulations that grow a tree.

It draws the random numbers that the compiled agent draws, and in the same order: on a tree without transpositions it
visits what `search/uct.py` visits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.kernel import CHANCE, OVER, assign, below, derive, new_records, pick, stream
from hiddenhand.search.stepwise.positions import Growing, TreePosition
from hiddenhand.search.stepwise.shapes import Naming, Numbered
from hiddenhand.search.stepwise.steps import Recorder, Watched, number_text
from hiddenhand.search.uct import UCT

MOST_SIMULATIONS = 60


def watch_uct(agent: UCT, view: View, naming: Naming) -> Watched:
    """The first simulations of UCT; a node shows the mean payoff of MAX, and how often it was visited."""
    if agent.finisher is not None:
        raise UserError("watch shows uct with games finished at random; write uct:policy=likely")
    if agent.game.chance.draws:
        raise UserError(
            "the moves of {name} draw at random, which a picture of its tree cannot show", name=agent.game.name
        )
    running = UctRun(agent, view)
    for _ in range(min(agent.simulations, MOST_SIMULATIONS)):
        running.simulate()
    steps = Telling(view.seat, numbered_paths(running, naming))
    for simulation in running.done:
        steps.tell(simulation)
    visits = running.known[id(running.root)].visits
    best = running.root.children[visits.index(max(visits))]
    result = Text(
        "Visited most: {node}, in {count} of {total} simulations.",
        node=best.label,
        count=max(visits),
        total=len(running.done),
    )
    steps.record.step("done", 0, result, [0, steps.numbered.of(best)])
    return Watched(
        Text("{game}, {agent}", game=agent.game.title, agent=agent), steps.record.nodes, steps.record.steps, result
    )


@dataclass
class Simulation:
    """One game played in the head: the path through the tree, and what the game paid to each seat."""

    path: list[TreePosition]
    values: list[float]


@dataclass
class MoveStatistics:
    """What simulations have found out about the moves of a node."""

    visits: list[int]
    totals: list[float]
    """Payoffs of the mover."""


class UctRun:
    """UCT in progress. `known` has the nodes that the tree has grown."""

    def __init__(self, agent: UCT, view: View) -> None:
        self.agent, self.growing = agent, Growing(agent.game)
        self.root = self.growing.root(view.imagine())
        self.rng = stream(derive(view.seed, 1))
        self.known: dict[int, MoveStatistics] = {}
        self.done: list[Simulation] = []

    def simulate(self) -> None:
        """Down the tree to the first new node, on to the end of the game, and the payoffs along the path."""
        position, path, taken = self.root, [self.root], list[tuple[TreePosition, int]]()
        while position.mover != OVER:
            self.growing.expand(position)
            if position.mover == CHANCE:
                chances = np.array([child.probability for child in position.children])
                position = position.children[pick(self.rng, chances, len(chances))]
                path.append(position)
                continue
            new = id(position) not in self.known
            if new:
                count = len(position.children)
                self.known[id(position)] = MoveStatistics([0] * count, [0.0] * count)
            number = self.choose(self.known[id(position)])
            taken.append((position, number))
            position = position.children[number]
            path.append(position)
            if new:
                break
        values = self.finish(position.state)
        for each, number in taken:
            self.known[id(each)].visits[number] += 1
            self.known[id(each)].totals[number] += values[each.mover]
        self.done.append(Simulation(path, values))

    def choose(self, tried: MoveStatistics) -> int:
        """A move never tried, drawn at random; or the best by the formula."""
        untried = [number for number, visits in enumerate(tried.visits) if visits == 0]
        if untried:
            return untried[int(below(self.rng, len(untried)))]
        low, high = self.agent.game.payoffs
        scale, logarithm = self.agent.exploration * (high - low) / 2, log(sum(tried.visits))
        scores = [
            total / visits + scale * sqrt(logarithm / visits) for visits, total in zip(tried.visits, tried.totals)
        ]
        return scores.index(max(scores))

    def finish(self, position: np.record) -> list[float]:
        """Likely moves to the end of the game, or to where EVAL is asked: the payoffs."""
        game, rules = self.agent.game, self.agent.game.rules
        state = new_records(game.rules.state, 1)[0]
        assign(state, position)
        actions, chances = np.zeros(game.most_actions, np.int64), np.zeros(game.most_actions)
        values, left = np.zeros(game.players), self.agent.rollout
        while (seat := int(rules.turn(state))) != OVER and left != 0:
            left -= 1
            count = int(rules.legal(state, actions))
            if seat == CHANCE:
                rules.odds(state, chances)
                action = actions[pick(self.rng, chances, count)]
            else:
                action = rules.likely(state, seat, actions, count, self.rng)
            rules.play(state, action, self.rng)
        (rules.payoff if seat == OVER else rules.evaluate)(state, values)
        return [float(value) for value in values]


def numbered_paths(running: UctRun, naming: Naming) -> Numbered:
    """The nodes that some simulation has passed."""
    passed = {id(position) for simulation in running.done for position in simulation.path}
    numbered = Numbered(naming)
    for position in running.root.walk():
        if id(position) in passed:
            numbered.add(position)
    return numbered


@dataclass
class Telling:
    """The steps. `sums`: for each node, how often it was passed, and what seat `me` got in all."""

    me: int
    numbered: Numbered
    record: Recorder = field(init=False)
    sums: dict[int, tuple[int, float]] = field(default_factory=dict)
    count: int = 0

    def __post_init__(self) -> None:
        self.record = Recorder(self.numbered.nodes)

    def tell(self, simulation: Simulation) -> None:
        """Two steps: the way down, and the payoff on the way up."""
        self.count += 1
        numbers = [self.numbered.of(position) for position in simulation.path]
        for number in numbers:
            self.record.show(number, "open")
        self.record.visited += sum(number not in self.sums for number in numbers)
        moves = " ".join(position.label for position in simulation.path[1:])
        self.record.step(
            "simulate",
            numbers[-1],
            Text("Simulation {count} follows {moves}.", count=self.count, moves=moves),
            numbers,
        )
        paid = simulation.values[self.me]
        for number in numbers:
            visits, total = self.sums.get(number, (0, 0.0))
            visits, total = self.sums[number] = visits + 1, total + paid
            self.record.show(number, "done", number_text(total / visits), note=f"n={visits}")
        says = Text(
            "The game, finished at random, pays {value}: the means along the path follow.", value=number_text(paid)
        )
        self.record.step("back", numbers[-1], says, numbers)
