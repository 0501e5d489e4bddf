"""CFR+: solves small two-player zero-sum games with hidden information by playing them against itself.

Counterfactual regret minimisation asks, at every information set and after every iteration: how much better
would each action have been than what I did? It then plays in proportion to those regrets. The average of all
strategies played approaches an equilibrium: a strategy from which nobody can win, in the long run, more than
the game itself gives. CFR+ forgets negative regrets at once, updates the seats in turn, and gives iteration t
the weight t in the average: O. Tammelin, "Solving large imperfect information games using CFR+" (2014).

    solution = solve(game("kuhn"), 1000)
    solution.value                            # of the game, for seat 0: near -1/18
    print(strategy_table(solution))
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.kernel import new_records, pick, rule
from hiddenhand.search.best_responses import (
    exploitability,
    node_values,
    reach_without,
    strategy_value,
    uniform_strategy,
)
from hiddenhand.search.game_tree import GameTree, build_tree

Progress = Callable[[int, float], None]


class Sums(NamedTuple):
    """What CFR+ adds up. reach, own and values are of the present strategy, one number per node."""

    regrets: np.ndarray[Any, Any]  # per slot
    average: np.ndarray[Any, Any]  # per slot: the strategies so far, each with its weight
    reach: np.ndarray[Any, Any]  # the probability that chance and the other seat let the game come here
    own: np.ndarray[Any, Any]  # that the seat itself does
    values: np.ndarray[Any, Any]  # seat 0's expected payoff from here on


@rule
def match_regrets(me, tree, regrets, strategy):
    """Play in proportion to regret; without any, uniformly. `tree`: its arrays."""
    start = tree.start
    for i in range(len(tree.owner)):
        if tree.owner[i] == me:
            total = 0.0
            for slot in range(start[i], start[i + 1]):
                total += regrets[slot]
            for slot in range(start[i], start[i + 1]):
                strategy[slot] = regrets[slot] / total if total > 0.0 else 1.0 / (start[i + 1] - start[i])


@rule
def update(me, weight, tree, strategy, sums):
    """One pass over the tree for one seat: new regrets, and this strategy's share in the average."""
    sign = 1.0 if me == 0 else -1.0
    seat, parent, edge, own = tree.seat, tree.parent, tree.edge, sums.own
    own[0] = 1.0
    for node in range(1, len(seat)):
        mine = seat[parent[node]] == me
        own[node] = own[parent[node]] * strategy[edge[node]] if mine else own[parent[node]]
    for node in range(len(seat)):
        if seat[node] == me:
            for child in range(tree.first[node], tree.first[node] + tree.children[node]):
                slot = edge[child]
                sums.regrets[slot] += sign * sums.reach[node] * (sums.values[child] - sums.values[node])
                sums.average[slot] += weight * own[node] * strategy[slot]
    for slot in range(len(sums.regrets)):
        sums.regrets[slot] = max(sums.regrets[slot], 0.0)


@rule
def learn(me, weight, tree, strategy, sums):
    """One seat learns from the present strategy of the other."""
    node_values(tree, strategy, sums.values)
    reach_without(me, tree, strategy, sums.reach)
    update(me, weight, tree, strategy, sums)
    match_regrets(me, tree, sums.regrets, strategy)


@rule
def normalise(start, average, strategy):
    """The average as probabilities; uniform where the seat itself never went."""
    for i in range(len(start) - 1):
        total = 0.0
        for slot in range(start[i], start[i + 1]):
            total += average[slot]
        for slot in range(start[i], start[i + 1]):
            strategy[slot] = average[slot] / total if total > 0.0 else 1.0 / (start[i + 1] - start[i])


class Solver:
    """CFR+ in progress: regrets and the sum of strategies, one number per slot of the tree."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.arrays = tree.arrays
        self.iteration = 0
        self.strategy = uniform_strategy(tree)
        self.sums = Sums(*np.zeros((2, tree.slots)), *np.zeros((3, tree.nodes)))

    def step(self) -> None:
        """One iteration: each seat in turn learns from the other's present strategy."""
        self.iteration += 1
        for me in range(2):
            learn(me, float(self.iteration), self.arrays, self.strategy, self.sums)

    def average(self) -> np.ndarray[Any, Any]:
        """The average strategy so far: this, not the last one, approaches the equilibrium."""
        strategy = np.empty(self.tree.slots)
        normalise(self.tree.start, self.sums.average, strategy)
        return strategy


@dataclass
class Solution:
    """An average strategy with what is known about it."""

    tree: GameTree
    iterations: int
    strategy: np.ndarray[Any, Any]
    """A probability per slot of the tree."""
    value: float
    """Seat 0's expected payoff if both seats follow the strategy."""
    exploitability: float
    """What a perfect opponent wins per game against it, averaged over the seats (see `best_responses`)."""
    history: list[tuple[int, float]]
    """(iteration, exploitability) along the way."""

    def __post_init__(self) -> None:
        tree = self.tree.arrays
        self._values = np.empty(self.tree.nodes)
        node_values(tree, self.strategy, self._values)
        self._reach = np.empty((2, self.tree.nodes))
        for me in range(2):
            reach_without(me, tree, self.strategy, self._reach[me])

    @property
    def size(self) -> int:
        """Bytes of memory, about."""
        arrays = [*vars(self).values(), *vars(self.tree).values()]
        views = sum(len(view) for _, view in self.tree.numbers)
        return views + sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))

    def probabilities(self, info: int) -> dict[int, float]:
        """Each action of an information set and how often it is played."""
        slots = slice(self.tree.start[info], self.tree.start[info + 1])
        return dict(zip(self.tree.choice[slots].tolist(), self.strategy[slots].tolist()))

    def action_values(self, info: int) -> dict[int, float] | None:
        """What each action wins for its seat if both go on by the strategy; None where the other never
        leads."""
        t, me = self.tree, int(self.tree.owner[info])
        nodes = np.flatnonzero(t.info == info)
        reach = self._reach[me, nodes]
        if reach.sum() <= 0.0:
            return None
        sign = 1.0 if me == 0 else -1.0
        actions = t.choice[t.start[info] : t.start[info + 1]].tolist()
        return {
            a: float(sign * reach @ self._values[t.first[nodes] + k] / reach.sum()) for k, a in enumerate(actions)
        }

    def beliefs(self, info: int) -> list[tuple[str, float]]:
        """What the other seat may hold or see, and how likely, if it has followed the strategy so far.

        Told by the game's `facts`; in a game that tells none, by the lines of the other's screen, without those that
        are on the seat's own screen and on the other's in every world.
        """
        t, me = self.tree, int(self.tree.owner[info])
        nodes = np.flatnonzero(t.info == info)
        chances = self._reach[me, nodes]
        if chances.sum() <= 0.0:
            return []
        told = [self.facts_at(node, me) for node in nodes.tolist()]
        if not all(told):
            told = self.other_screens(nodes, me)
        weights: dict[str, float] = {}
        for what, chance in zip(told, (chances / chances.sum()).tolist()):
            weights[what] = weights.get(what, 0.0) + chance
        return sorted(weights.items(), key=lambda item: -item[1])

    def facts_at(self, node: int, me: int) -> str:
        """What the hidden things of a seat's picture are at a node; empty where the game does not say."""
        game = self.tree.game
        facts = {} if game.people.facts is None else game.people.facts(self.tree.state(node), me)
        return Text.joined(
            ", ",
            [
                Text("the other holds {what}", what=fact)
                if name == "other"
                else Text("{thing}: {what}", thing=name, what=fact)
                for name, fact in facts.items()
            ],
        )

    def other_screens(self, nodes: np.ndarray[Any, Any], me: int) -> list[str]:
        """What the other seat's screen says at each of these nodes, which all look alike to the seat."""
        t, game = self.tree, self.tree.game
        view = new_records(game.rules.view, 1)[0]
        screens = []
        for node in nodes.tolist():
            game.rules.observe(t.state(node), 1 - me, view)
            screens.append(game.people.show(view, 1 - me).splitlines())
        mine = game.people.show(t.views[t.info[nodes[0]]], me).splitlines()
        known = set(mine).intersection(*screens)
        lines = [Text.joined(", ", [line for line in screen if line not in known]) for screen in screens]
        return [
            Text("the other reads: “{what}”", what=line) if line else Text("the other reads the same as I do")
            for line in lines
        ]


def checkpoints(iterations: int) -> set[int]:
    """When exploitability is measured: ever more rarely, and at the end."""
    return {n * 10**k for k in range(9) for n in (1, 2, 3, 5, 7) if n * 10**k < iterations} | {iterations}


def solve(game: Game, iterations: int = 1000, progress: Progress | None = None) -> Solution:
    """Solve a game. `progress` is called now and then with the iteration and the exploitability reached."""
    if iterations < 1:
        raise UserError("cfr needs at least one iteration, not {iterations}", iterations=iterations)
    tree = build_tree(game)
    solver = Solver(tree)
    history = []
    measured = checkpoints(iterations)
    for iteration in range(1, iterations + 1):
        solver.step()
        if iteration in measured:
            history.append((iteration, exploitability(tree, solver.average())))
            if progress is not None:
                progress(*history[-1])
    strategy = solver.average()
    return Solution(tree, iterations, strategy, strategy_value(tree, strategy), history[-1][1], history)


def strategy_table(solution: Solution) -> str:
    """The average strategy in words: a line for every information set."""
    tree, game = solution.tree, solution.tree.game
    rows = []
    for info in sorted(range(tree.infos), key=lambda i: int(tree.owner[i])):
        seat, state = int(tree.owner[info]), tree.state(int(tree.example[info]))
        words = ", ".join(game.people.show(tree.views[info], seat).splitlines())
        shares = [f"{game.people.action_name(state, a)} {p:6.1%}" for a, p in solution.probabilities(info).items()]
        rows.append((f"seat {seat}", words, "  ".join(shares)))
    width = max(len(words) for _, words, _ in rows)
    return "\n".join(f"{seat}  {words:<{width}}  {shares}" for seat, words, shares in rows)


SOLVED: OrderedDict[tuple[Any, ...], Solution] = OrderedDict()
MOST_KEPT = 1 << 28
"""Bytes of solutions that are kept; those that were not asked for longest go first, the latest stays."""


def solved(game: Game, iterations: int) -> Solution:
    """The solution of a game, found once and shared by all who ask."""
    key = (game.rules.key, tuple(sorted(game.options.items())), iterations)
    if key not in SOLVED:
        SOLVED[key] = solve(game, iterations)
        while len(SOLVED) > 1 and sum(solution.size for solution in SOLVED.values()) > MOST_KEPT:
            SOLVED.popitem(last=False)
    SOLVED.move_to_end(key)
    return SOLVED[key]


class CFR(Agent):
    """Solves the game at its first decision and then plays the average strategy."""

    name = "cfr"
    summary = Text("mixes its moves so that nobody can gain on it, as found by CFR+: for small games of two")
    heavy = True
    settings = {
        "iterations": Setting(
            1000,
            Text("how often it goes through the whole game before the first move"),
            low=1,
            high=1_000_000,
            ceiling=10_000,
        )
    }
    iterations: int

    @classmethod
    def refuses(cls, game: Game) -> str:
        if game.players != 2:
            return Text("it is for two players, not {n}", n=game.players)
        if game.utility != "zero-sum":
            return Text("it is for zero-sum games")
        if not game.hidden:
            return Text("nothing is hidden in it, a plain search will do")
        if game.chance.draws:
            return Text("its moves draw at random, and its tree needs every draw as a move of chance")
        return ""

    @property
    def solution(self) -> Solution:
        return solved(self.game, self.iterations)

    def decide(self, view: View) -> Decision:
        info, shares = self._look_up(view)
        action = view.legal_actions()[
            pick(view.stream(), np.array([shares[a] for a in view.legal_actions()]), len(view.legal_actions()))
        ]
        values = self.solution.action_values(info)
        return Decision(
            action,
            view.action_name(action),
            value=None if values is None else sum(shares[a] * values[a] for a in view.legal_actions()),
            alternatives=[
                Alternative(a, view.action_name(a), None if values is None else values[a], chance=shares[a])
                for a in view.legal_actions()
            ],
            reasons=self._reasons(view, action, shares),
            counts={"iterations": self.iterations, "nodes": self.solution.tree.nodes},
        )

    def explain(self, view: View) -> Decision:
        decision = self.decide(view)
        decision.belief = self.solution.beliefs(self._look_up(view)[0])
        return decision

    def _look_up(self, view: View) -> tuple[int, dict[int, float]]:
        info = self.solution.tree.number(view.seat, view.record)
        return info, self.solution.probabilities(info)

    def _reasons(self, view: View, action: int, shares: dict[int, float]) -> list[str]:
        likely = sorted((a for a in view.legal_actions() if shares[a] >= 0.0005), key=lambda a: -shares[a])
        mix = Text.joined(
            ", ",
            [Text("{move} {share:.1%}", move=view.action_name(action), share=shares[action]) for action in likely],
        )
        if len(likely) == 1:
            chosen = Text(
                "The solution of the game (as good as) always chooses {move} here.", move=view.action_name(action)
            )
        else:
            chosen = Text(
                "The solution of the game mixes its moves here: {mix}. {move} was drawn.",
                mix=mix,
                move=view.action_name(action),
            )
        gain = self.solution.exploitability
        return [
            chosen,
            Text(
                "Nobody can win more than {n:.2g} per game against this strategy, over what the game "
                "itself gives, taking both seats in turn.",
                n=gain,
            ),
        ]
