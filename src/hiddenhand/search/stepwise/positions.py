"""The tree of positions that a watched search goes through: real states, as far as depth and breadth allow.

Breadth keeps the first moves by the game's own order and the likeliest outcomes of chance, whose probabilities are
made to add up to 1 again. What is left out is counted, so that a picture can say so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.text import Text
from hiddenhand.core.view import legal_actions
from hiddenhand.kernel import CHANCE, OVER, assign, new_records, stream
from hiddenhand.search.tree_search import TreeSearch

MOST = 600
"""Nodes that can be watched."""
Order = Literal["legal", "game", "best", "worst", "random"]
ORDERS: tuple[Order, ...] = ("legal", "game", "best", "worst", "random")


@dataclass(eq=False)
class TreePosition:
    """One node: a state, how it was reached, and what is known of it before any search."""

    state: Any
    mover: int
    """A seat, CHANCE or OVER."""
    parent: TreePosition | None = None
    action: int = -1
    label: str = ""
    """The move, or the outcome of chance, that led here."""
    probability: float | None = None
    plies: int = 0
    """Decisions above: chance does not count."""
    values: list[float] = field(default_factory=list)
    """Of a leaf, one number per seat: payoffs, or EVAL's opinion."""
    estimated: bool = False
    """The leaf lies at the depth limit, and its values are EVAL's."""
    children: list[TreePosition] = field(default_factory=list)
    left_out: int = 0
    """Moves or outcomes beyond the breadth."""

    @property
    def leaf(self) -> bool:
        return bool(self.values)

    @property
    def name(self) -> str:
        """How sentences call it; a mere number stands behind the name of its parent."""
        if self.parent is None:
            return Text("the root")
        numbered = self.label.isdigit() and self.parent.parent is not None
        return f"{self.parent.name}.{self.label}" if numbered else self.label

    def walk(self) -> Iterator[TreePosition]:
        """This node and all below it, a parent before its children."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass
class Growing:
    """How a tree of positions is made.

    estimate    writes EVAL's opinion; without it nothing is cut off
    limit       decisions to look ahead
    breadth     moves of a position and outcomes of chance that are kept; 0: all
    """

    game: Game
    estimate: TreeSearch | None = None
    limit: int = 1 << 30
    breadth: int = 0
    order: Order = "legal"

    def root(self, state: np.record) -> TreePosition:
        return self.settled(TreePosition(state, int(self.game.rules.turn(state))))

    def settled(self, position: TreePosition) -> TreePosition:
        """With its values, if it is a leaf."""
        if position.mover == OVER or (self.estimate is not None and position.plies >= self.limit):
            values = np.zeros(self.game.players)
            if position.mover == OVER:
                self.game.rules.payoff(position.state, values)
            elif self.estimate is not None:
                self.estimate.estimate(position.state, values)
                position.estimated = True
            position.values = values.tolist()
        return position

    def expand(self, position: TreePosition) -> None:
        """Give a position its children."""
        if position.children or position.leaf:
            return
        legal = legal_actions(self.game, position.state)
        chance = position.mover == CHANCE
        chances = self.chances(position.state) if chance else np.ones(len(legal))
        kept = self.kept(position.state, legal, chances, chance)
        position.left_out = len(legal) - len(kept)
        total = sum(chances[number] for number in kept)
        for number in kept:
            state = after(self.game, position.state, legal[number])
            child = TreePosition(
                state,
                int(self.game.rules.turn(state)),
                position,
                legal[number],
                self.game.people.action_name(position.state, legal[number]),
                float(chances[number] / total) if chance else None,
                position.plies + (not chance),
            )
            position.children.append(self.settled(child))

    def chances(self, state: np.record) -> np.ndarray[Any, Any]:
        odds = np.zeros(self.game.most_actions)
        self.game.rules.odds(state, odds)
        return odds

    def kept(self, state: np.record, legal: list[int], chances: np.ndarray[Any, Any], chance: bool) -> list[int]:
        """Which of the actions, by their numbers, in the order in which they are looked at."""
        if chance:
            likely = sorted(range(len(legal)), key=lambda number: -chances[number])
            return sorted(likely[: self.breadth or None])
        actions = np.array(legal, np.int64)
        self.game.rules.order(state, actions, len(legal))
        promising = [legal.index(int(action)) for action in actions][: self.breadth or None]
        return promising if self.order == "game" else sorted(promising)

    def whole(self, state: np.record, most: int = MOST) -> TreePosition:
        """The tree down to the leaves; refused if it is too large to be looked at."""
        root = self.root(state)
        waiting, nodes = [root], 1
        while waiting:
            position = waiting.pop()
            self.expand(position)
            nodes += len(position.children)
            if nodes > most:
                raise UserError(
                    "the tree has more than {total} nodes; ask for a smaller depth or breadth", total=most
                )
            waiting.extend(position.children)
        return root


def after(game: Game, state: np.record, action: int) -> np.record:
    """The state after an action."""
    following: np.record = new_records(game.rules.state, 1)[0]
    assign(following, state)
    game.rules.play(following, action, stream(0))
    return following
