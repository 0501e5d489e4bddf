"""PIMC: perfect-information Monte Carlo, hidden information by averaging over deals (as the bridge program GIB does).

Draw worlds that agree with all the seat knows (100 by default). In each, pretend that all cards lie open and find the
value of every legal move by search. Choose the move with the best average.

The average can mislead in two ways, even about a move that is best in every world: it assumes that one will know
later which world it is (strategy fusion), and that the opponent knows now. `ismcts` has neither flaw.
"""

from typing import Any

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Alternative, Decision, ranked
from hiddenhand.core.game import Game, search_defaults, sides_of
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.kernel import derive, new_records, stream
from hiddenhand.search.alphabeta import AlphaBeta
from hiddenhand.search.expectiminimax import Expectiminimax
from hiddenhand.search.maxn import MaxN
from hiddenhand.search.tree_search import TreeSearch, searches_for

TIED = 1e-9


class PIMC(Agent):
    """Averages over deals."""

    name = "pimc"
    summary = Text("imagines deals, searches each with open cards, and takes what is best on average")
    heavy = True
    settings = {
        "worlds": Setting(100, Text("deals to imagine"), low=1, ceiling=10_000),
        "depth": Setting(0, Text("moves to look ahead in each; 0: what suits the game"), low=0),
    }

    worlds: int
    depth: int

    def __init__(self, game: Game, **values: Any) -> None:
        super().__init__(game, **values)
        self.solver: TreeSearch
        if game.utility != "zero-sum" or (sides_of(game) or game.players) > 2:
            self.solver = MaxN(game)
        elif game.chance.outcomes:
            self.solver = Expectiminimax(game, pruning="star1")
        else:
            self.solver = AlphaBeta(game, deepening=False, table=14, quiescence=0)
        self.limit = min(self.depth or search_defaults(game).depth, game.longest)

    @classmethod
    def refuses(cls, game: Game) -> str:
        if not game.hidden:
            return Text("nothing is hidden in it; use {agent}", agent=searches_for(game))
        return (
            Text("its moves draw at random, which a search with open cards would foresee; use ismcts")
            if game.chance.draws
            else ""
        )

    def values_in(self, world: np.record, me: int, actions: list[int]) -> np.ndarray[Any, Any]:
        """The value of each action in one world, all cards open."""
        after = new_records(self.game.rules.state, 1)
        values = np.zeros(len(actions))
        self.solver.forget()
        for i, action in enumerate(actions):
            after[0] = world
            self.game.rules.play(after[0], action, stream(0))
            values[i] = self.solver.value_after(after[0], me, self.limit - 1).value
        return values

    def decide(self, view: View) -> Decision:
        rng = stream(derive(view.seed, 1))
        world = new_records(self.game.rules.state, 1)[0]
        table = np.zeros((self.worlds, len(view.legal_actions())))
        for w in range(self.worlds):
            table[w] = self.values_in(view.imagine(rng, into=world), view.seat, view.legal_actions())
        means = table.mean(axis=0)
        best = int(np.argmax(means))
        alternatives = [self.alternative(view, i, table) for i in range(len(view.legal_actions()))]
        return Decision(
            view.legal_actions()[best],
            alternatives[best].text,
            float(means[best]),
            alternatives=alternatives,
            counts={"worlds": self.worlds, "depth": self.limit},
            reasons=self.reasons(alternatives, table, best),
        )

    def alternative(self, view: View, i: int, table: np.ndarray[Any, Any]) -> Alternative:
        """One move: its average, and in how many worlds it is among the best."""
        among_best = int((table[:, i] >= table.max(axis=1) - TIED).sum())
        note = Text("best in {a} of {n} worlds", a=among_best, n=len(table))
        below = int((table[:, i] < 0).sum())
        if below:
            note = Text("{note}, below zero in {n}", note=note, n=below)
        return Alternative(
            view.legal_actions()[i], view.action_name(view.legal_actions()[i]), float(table[:, i].mean()), note
        )

    def reasons(self, alternatives: list[Alternative], table: np.ndarray[Any, Any], best: int) -> list[str]:
        chosen = alternatives[best]
        reasons: list[str] = [
            Text(
                "I dealt {n} worlds that agree with all I know and searched each with open cards: "
                "{move} brings {value:+.3f} on average and is {note}.",
                n=self.worlds,
                move=chosen.text,
                value=chosen.value,
                note=chosen.note,
            )
        ]
        others = [a for a in ranked(alternatives) if a.action != chosen.action]
        if not others:
            return [Text("It is the only legal move.")]
        rival = others[0]
        column = [a.action for a in alternatives].index(rival.action)
        worse = int((table[:, best] < table[:, column] - TIED).sum())
        assert chosen.value is not None
        assert rival.value is not None
        gap = chosen.value - rival.value
        if gap < TIED:
            reasons.append(Text("{move} has the same average; I took the first.", move=rival.text))
        else:
            reasons.append(
                Text(
                    "{move} comes next, {gap:.3f} behind; it would be better in {n} worlds.",
                    move=rival.text,
                    gap=gap,
                    n=worse,
                )
            )
        return reasons
