"""Max^n: minimax for many players. Every node has a vector of values, one per seat, and the mover takes the vector in
which its own number is largest (the first of several); at chance, the mean vector.

For two players and payoffs of opposite sign this is minimax.
"""

from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.game import Game
from hiddenhand.core.text import Text
from hiddenhand.kernel import CHANCE, generic
from hiddenhand.kernel.contract import odds
from hiddenhand.search import driver
from hiddenhand.search.driver import AVERAGES, INFINITY, MAXIMISES
from hiddenhand.search.minimax import improve
from hiddenhand.search.tree_search import TreeSearch, searches_for


class MaxNWorkspace(NamedTuple):
    """What max^n needs besides the stack."""

    vectors: np.ndarray[Any, Any]  # float64[levels, seats]: the best vector so far; at chance, the sum so far


@generic
def enter(search, workspace, d):
    """Every mover maximises; frame.best is its own number."""
    frame = search.frames[d]
    frame.kind = MAXIMISES
    frame.best = -INFINITY
    if frame.seat == CHANCE:
        frame.kind = AVERAGES
        odds(search.states[d], search.chances[d])
        for seat in range(len(search.values)):
            workspace.vectors[d, seat] = 0.0


@generic
def combine(search, workspace, d, value, how):
    """The vector that the mover likes best, or the mean; the vector of the move is in search.values."""
    frame, values, vectors = search.frames[d], search.values, workspace.vectors
    number = frame.tried - 1
    if frame.kind == AVERAGES:
        for seat in range(len(values)):
            vectors[d, seat] += search.chances[d, number] * values[seat]
        return False
    if not improve(frame, search.actions[d, number], values[frame.seat]):
        return False
    for seat in range(len(values)):
        vectors[d, seat] = values[seat]
    return True


@generic
def close(search, workspace, d):
    """The vector of this level goes up."""
    for seat in range(len(search.values)):
        search.values[seat] = workspace.vectors[d, seat]
    return search.values[search.me]


class MaxN(TreeSearch):
    """Every player for itself."""

    name = "maxn"
    summary = Text("looks ahead, each player after its own payoff (max^n): for several players and any payoffs")
    plugs = {driver.enter: enter, driver.combine: combine, driver.close: close}
    vector = True

    @classmethod
    def refuses(cls, game: Game) -> str:
        if game.hidden:
            return Text("it has hidden information; use {agent}", agent=searches_for(game))
        return (
            Text("its moves draw at random, which a search of its tree would foresee; use uct")
            if game.chance.draws
            else ""
        )

    def workspace(self, levels: int) -> MaxNWorkspace:
        return MaxNWorkspace(np.zeros((levels, self.game.players)))
