"""Agents that play a strategy: `cfr` solves a small game at its first decision, `solved` reads what `solve` wrote.

agent("leduc", "cfr:iterations=1000,method=dcfr")
agent("blind_tictactoe", "solved:file=blind.npz")
"""

from __future__ import annotations

from collections import OrderedDict
from functools import cached_property
from typing import Any

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.settings import FILE, Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.kernel import new_records, pick
from hiddenhand.search.game_tree import GameTree, build_tree, reach_without
from hiddenhand.search.solving.solver import METHODS, solve
from hiddenhand.search.solving.strategy import MOST_NAMED, Strategy

SOLVED: OrderedDict[tuple[Any, ...], Strategy] = OrderedDict()
MOST_KEPT = 1 << 28
"""Bytes of strategies that are kept; those that were not asked for longest go first, the latest stays."""


def solved(game: Game, iterations: int, method: str = "cfr+") -> Strategy:
    """The strategy for a game, found once and shared by all who ask."""
    key = (game.rules.key, tuple(sorted(game.options.items())), iterations, method)
    if key not in SOLVED:
        SOLVED[key] = solve(game, iterations, method)
        while len(SOLVED) > 1 and sum(strategy.size for strategy in SOLVED.values()) > MOST_KEPT:
            SOLVED.popitem(last=False)
    SOLVED.move_to_end(key)
    return SOLVED[key]


class StrategyAgent(Agent):
    """Plays a strategy: it draws its action with the probabilities that stand there."""

    heavy = True

    @cached_property
    def strategy(self) -> Strategy:
        raise NotImplementedError

    @cached_property
    def tree(self) -> GameTree | None:
        """The tree of the game, of which beliefs are read; None where it is too large."""
        try:
            return build_tree(self.game)
        except UserError:
            return None

    @cached_property
    def gap(self) -> float | None:
        """The exploitability of the strategy, where it is known or quickly found."""
        return float(self.strategy.history[-1][1]) if self.strategy.history else None

    def probabilities(self, view: View) -> list[float]:
        strategy = self.strategy
        if not strategy.knows(view.seat, view.record):
            return [1.0 / len(view.legal_actions())] * len(view.legal_actions())
        shares = strategy.probabilities_at(strategy.number(view.seat, view.record))
        return [shares[action] for action in view.legal_actions()]

    def decide(self, view: View) -> Decision:
        shares = self.probabilities(view)
        action = view.legal_actions()[pick(view.stream(), np.array(shares), len(shares))]
        values = self.values_at(view)
        return Decision(
            action,
            view.action_name(action),
            value=None
            if values is None
            else sum(share * values[a] for a, share in zip(view.legal_actions(), shares)),
            alternatives=[
                Alternative(a, view.action_name(a), None if values is None else values[a], chance=share)
                for a, share in zip(view.legal_actions(), shares)
            ],
            reasons=self.reasons(view, action, dict(zip(view.legal_actions(), shares))),
            counts={"iterations": self.strategy.iterations, "information_sets": len(self.strategy.keys)},
        )

    def explain(self, view: View) -> Decision:
        decision = self.decide(view)
        if self.tree is not None:
            decision.belief = beliefs(self.tree, self.tree_policy, self.tree.number(view.seat, view.record))
        return decision

    def values_at(self, view: View) -> dict[int, float] | None:
        """What each action wins if all go on by the strategy; None where that is not known."""
        if len(self.strategy.keys) > MOST_NAMED:
            return None
        return self.strategy.action_values(view.seat, view.record)

    @cached_property
    def tree_policy(self) -> np.ndarray[Any, Any]:
        """The probability of every slot of the tree."""
        tree, form, policy = self.tree, self.strategy.form, self.strategy.policy
        assert tree is not None
        slots = [form.slots(form.number(int(seat), view)) for seat, view in zip(tree.owner, tree.views)]
        return np.concatenate([policy[each] for each in slots])

    def reasons(self, view: View, action: int, shares: dict[int, float]) -> list[str]:
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
        if self.gap is None:
            return [chosen]
        return [
            chosen,
            Text(
                "Nobody can win more than {n:.2g} per game against this strategy, over what the game "
                "itself gives, taking both seats in turn.",
                n=self.gap,
            ),
        ]


def refusal(game: Game) -> str:
    """Why no strategy of `solve` plays a game; empty if one may."""
    if game.players != 2:
        return Text("it is for two players, not {n}", n=game.players)
    if game.utility != "zero-sum":
        return Text("it is for zero-sum games")
    if game.chance.draws:
        return Text("its moves draw at random, and its tree needs every draw as a move of chance")
    return ""


class CFR(StrategyAgent):
    """Solves the game at its first decision and then plays the strategy that it has found."""

    name = "cfr"
    summary = Text("mixes its moves so that nobody can gain on it, as found by CFR+: for small games of two")
    settings = {
        "iterations": Setting(
            1000,
            Text("how often it goes through the whole game before the first move"),
            low=1,
            high=1_000_000,
            ceiling=10_000,
        ),
        "method": Setting("cfr+", Text("how it solves the game"), choices=METHODS),
    }
    iterations: int
    method: str

    @classmethod
    def refuses(cls, game: Game) -> str:
        return refusal(game) or ("" if game.hidden else Text("nothing is hidden in it, a plain search will do"))

    @cached_property
    def strategy(self) -> Strategy:
        return solved(self.game, self.iterations, self.method)


class Solved(StrategyAgent):
    """Plays a strategy from a file."""

    name = "solved"
    summary = Text("plays a strategy that `solve` found")
    needs_file = True
    settings = {"file": Setting("", Text("what `solve GAME --output FILE` wrote"), kind=FILE)}
    file: str

    @classmethod
    def refuses(cls, game: Game) -> str:
        return refusal(game)

    @cached_property
    def strategy(self) -> Strategy:
        if not self.file:
            raise UserError("solved needs a file: solved:file=FILE, which `hiddenhand solve` writes")
        return Strategy.load(self.file, self.game)


# ---- what the other may hold, if it has followed the strategy so far


def beliefs(tree: GameTree, policy: np.ndarray[Any, Any], info: int) -> list[tuple[str, float]]:
    """What the other seat may hold or see at an information set of the tree, and how likely.

    Told by the game's `facts`; in a game that tells none, by the lines of the other's screen, without those that are
    on the seat's own screen and on the other's in every world."""
    me = int(tree.owner[info])
    nodes = np.flatnonzero(tree.info == info)
    reach = np.empty(tree.nodes)
    reach_without(me, tree.arrays, policy, reach)
    chances = reach[nodes]
    if chances.sum() <= 0.0:
        return []
    told = [facts_at(tree, node, me) for node in nodes.tolist()]
    if not all(told):
        told = other_screens(tree, nodes, me)
    weights: dict[str, float] = {}
    for what, chance in zip(told, (chances / chances.sum()).tolist()):
        weights[what] = weights.get(what, 0.0) + chance
    return sorted(weights.items(), key=lambda item: -item[1])


def facts_at(tree: GameTree, node: int, me: int) -> str:
    """What the hidden things of a seat's picture are at a node; empty where the game does not say."""
    game = tree.game
    facts = {} if game.people.facts is None else game.people.facts(tree.state(node), me)
    return Text.joined(
        ", ",
        [
            Text("the other holds {what}", what=fact)
            if name == "other"
            else Text("{thing}: {what}", thing=name, what=fact)
            for name, fact in facts.items()
        ],
    )


def other_screens(tree: GameTree, nodes: np.ndarray[Any, Any], me: int) -> list[str]:
    """What the other seat's screen says at each of these nodes, which all look alike to the seat."""
    game = tree.game
    view = new_records(game.rules.view, 1)[0]
    screens = []
    for node in nodes.tolist():
        game.rules.observe(tree.state(node), 1 - me, view)
        screens.append(game.people.show(view, 1 - me).splitlines())
    mine = game.people.show(tree.views[tree.info[nodes[0]]], me).splitlines()
    known = set(mine).intersection(*screens)
    lines = [Text.joined(", ", [line for line in screen if line not in known]) for screen in screens]
    return [
        Text("the other reads: “{what}”", what=line) if line else Text("the other reads the same as I do")
        for line in lines
    ]
