"""UCT and PIMC, step by step: simulations that grow a tree, and deals that are searched with open cards.

Both draw the random numbers that the compiled agents draw, and in the same order: on a tree without transpositions
UCT visits what `search/uct.py` visits, and PIMC imagines the same deals.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.view import View
from hiddenhand.kernel import CHANCE, OVER, below, derive, new_records, pick, stream
from hiddenhand.search.pimc import PIMC
from hiddenhand.search.uct import UCT
from hiddenhand.search.watching.positions import Growing, Position
from hiddenhand.search.watching.shapes import Naming, Numbered
from hiddenhand.search.watching.steps import Recorder, Shape, Watched, number_text

MOST_SIMULATIONS = 60
MOST_WORLDS = 12
MOST_MOVES = 40
"""That are shown below a deal."""
LONGEST = 24
"""Letters that tell a deal from others."""


@dataclass
class Tried:
    """What simulations have found out about the moves of a node."""

    visits: list[int]
    totals: list[float]
    """Payoffs of the mover."""


@dataclass
class Simulations:
    """UCT in progress. `known` has the nodes that the tree has grown."""

    agent: UCT
    view: View
    growing: Growing
    root: Position
    rng: np.ndarray[Any, Any]
    known: dict[int, Tried] = field(default_factory=dict)
    paths: list[tuple[list[Position], list[float]]] = field(default_factory=list)

    def run(self) -> None:
        """One simulation: down the tree to the first new node, then to the end of the game; both are kept."""
        position, path, taken = self.root, [self.root], list[tuple[Position, int]]()
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
                self.known[id(position)] = Tried([0] * count, [0.0] * count)
            number = self.choose(self.known[id(position)])
            taken.append((position, number))
            position = position.children[number]
            path.append(position)
            if new:
                break
        values = self.finish(position)
        for each, number in taken:
            self.known[id(each)].visits[number] += 1
            self.known[id(each)].totals[number] += values[each.mover]
        self.paths.append((path, values))

    def choose(self, tried: Tried) -> int:
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

    def finish(self, position: Position) -> list[float]:
        """Likely moves to the end of the game, or to where EVAL is asked: the payoffs."""
        game, rules = self.agent.game, self.agent.game.rules
        state = new_records(game.state, 1)[0]
        for name in game.state.names or ():
            state[name] = position.state[name]
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


def watch_uct(agent: UCT, view: View, naming: Naming) -> Watched:
    """The first simulations of UCT; a node shows the mean payoff of MAX, and how often it was visited."""
    if agent.finisher is not None:
        raise UserError("watch shows uct with games finished at random; write uct:policy=likely")
    growing = Growing(agent.game)
    root = growing.root(view.imagine())
    running = Simulations(agent, view, growing, root, stream(derive(view.seed, 1)))
    for _ in range(min(agent.simulations, MOST_SIMULATIONS)):
        running.run()
    numbered = Numbered(naming)
    seen = dict.fromkeys(id(position) for path, _ in running.paths for position in path)
    for position in root.walk():
        if id(position) in seen:
            numbered.add(position)
    record = Recorder(numbered.nodes)
    sums: dict[int, tuple[int, float]] = {}
    for count, (path, values) in enumerate(running.paths, 1):
        tell_simulation(record, numbered, count, path, values, sums, view.seat)
    chosen = max(range(len(root.children)), key=lambda number: running.known[id(root)].visits[number])
    best = root.children[chosen]
    visits = running.known[id(root)].visits[chosen]
    result = f"Visited most: {best.label}, in {visits} of {len(running.paths)} simulations."
    record.step("done", 0, result, [0, numbered.of(best)])
    return Watched(f"{agent.game.title}, {agent}", numbered.nodes, record.steps, result)


def tell_simulation(
    record: Recorder,
    numbered: Numbered,
    count: int,
    path: list[Position],
    values: list[float],
    sums: dict[int, tuple[int, float]],
    me: int,
) -> None:
    """Two steps: the way down, and the payoff on the way up."""
    numbers = [numbered.of(position) for position in path]
    for number in numbers:
        record.show(number, "open")
    record.visited += sum(number not in sums for number in numbers)
    moves = " ".join(position.label for position in path[1:]) or "nothing"
    record.step("simulate", numbers[-1], f"Simulation {count} follows {moves}.", numbers)
    for number in numbers:
        visits, total = sums.get(number, (0, 0.0))
        sums[number] = visits + 1, total + values[me]
        mean = number_text(round(sums[number][1] / sums[number][0], 3))
        record.show(number, "done", mean, note=f"n={sums[number][0]}")
    paid = number_text(values[me])
    record.step(
        "back", numbers[-1], f"The game, finished at random, pays {paid}: the means along the path follow.", numbers
    )


# ---- PIMC


def watch_pimc(agent: PIMC, view: View, naming: Naming) -> Watched:
    """The first deals of PIMC: a big die at the start of the game, and below each deal the values of the moves."""
    rng = stream(derive(view.seed, 1))
    world = new_records(agent.game.state, 1)[0]
    actions = view.actions[:MOST_MOVES]
    texts = [view.text(action) for action in actions]
    worlds = min(agent.worlds, MOST_WORLDS)
    nodes, found = [bare(-1, -1, "", "DEALS")], list[list[float]]()
    for number in range(worlds):
        view.imagine(rng, into=world)
        found.append([float(value) for value in agent.values_in(world, view.seat, actions)])
        nodes.append(bare(0, number, f"{1 / worlds:.3g} {told_apart(agent, view, world)}".strip(), "MAX"))
    for number in range(worlds):
        nodes += [bare(number + 1, action, text, "") for action, text in zip(actions, texts)]
    record = Recorder(nodes)
    record.visited = 1
    record.show(0, "open")
    record.step("enter", 0, f"What is hidden is drawn anew: {worlds} deals that agree with all that is known.")
    means = np.zeros(len(actions))
    for number, values in enumerate(found):
        means += np.array(values) / worlds
        tell_world(record, number, texts, values, 1 + worlds + number * len(actions))
    best = int(np.argmax(means))
    averages = ", ".join(f"{text} {number_text(float(mean))}" for text, mean in zip(texts, means))
    result = f"The best on average over the deals: {texts[best]}, {number_text(float(means[best]))}."
    record.show(0, "done", number_text(float(means[best])), note=averages)
    line = [0, *(1 + worlds + number * len(actions) + best for number in range(worlds))]
    record.step("done", 0, result, line)
    return Watched(f"{agent.game.title}, {agent}", nodes, record.steps, result)


def tell_world(record: Recorder, number: int, texts: list[str], values: list[float], first: int) -> None:
    """One deal: searched with open cards, each move with its value."""
    at, best = number + 1, int(np.argmax(values))
    record.visited += 1 + len(values)
    record.show(at, "done", number_text(values[best]))
    for offset, value in enumerate(values):
        record.show(first + offset, "done", number_text(value))
    says = f"Deal {at}: with open cards {texts[best]} is best, {number_text(values[best])}."
    record.step("world", at, says, [0, at, first + best])


def told_apart(agent: PIMC, view: View, world: Any) -> str:
    """What another seat sees in this deal and the searcher does not: the first such line of its screen."""
    game = agent.game
    record = new_records(game.view, 1)[0]
    mine = game.screen(view.record, view.seat).splitlines()
    for seat in range(game.players):
        if seat != view.seat:
            game.rules.observe(world, seat, record)
            other = [line for line in game.screen(record, seat).splitlines() if line not in mine]
            if other:
                return other[0].strip()[:LONGEST]
    return ""


def bare(parent: int, action: int, label: str, who: str) -> Shape:
    return {
        "parent": parent,
        "action": action,
        "label": label,
        "who": who,
        "estimated": False,
        "value": "",
        "board": [],
        "columns": 0,
    }
