"""What tree searches have in common on the Python side: room for the stack, clock, deepening, and reasons.

The driver (see `driver`) is called in slices of about a millisecond (see `clock`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Alternative, Decision, ranked
from hiddenhand.core.endgames import UNKNOWN, read_endgames, told, value_of_code
from hiddenhand.core.extras import EndgameTables, load
from hiddenhand.core.features import Features, read_weights, squashed
from hiddenhand.core.game import Game, search_defaults, sides_of
from hiddenhand.core.settings import FILE, Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.kernel import OVER, assign, new_records, stream
from hiddenhand.search.clock import Clock, rehearse
from hiddenhand.search.driver import (
    FRAME,
    LINE,
    NODE,
    WORK,
    Search,
    estimate,
    estimate_by_features,
    estimate_by_network,
    probe,
    probe_endgames,
    walk,
)

TIED = 1e-9
OURS = "ours"
"""Instead of a file: the network that comes with the game."""


@dataclass
class SearchResult:
    """What a search found out about one position."""

    value: float
    action: int
    line: list[int]
    nodes: int
    estimates: int
    depth: int
    """How many decisions it was allowed to look ahead."""
    reached: int = 0
    """How many it did look ahead, at most: fewer where every game ends before."""
    trace: Any = field(default=None, repr=False)

    @property
    def complete(self) -> bool:
        """Whether every line was followed to the end of the game: the value is then exact."""
        return self.estimates == 0


def searches_for(game: Game) -> str:
    """The searches that can play a game, for the advice to users who chose one that cannot."""
    if game.hidden:
        return "ismcts" if game.chance.draws else Text("pimc or ismcts")
    if game.chance.draws:
        return "uct"
    if game.utility != "zero-sum" or (sides_of(game) or game.players) > 2:
        return "maxn"
    return "expectiminimax" if game.chance.outcomes else "alphabeta"


class TreeSearch(Agent):
    """An agent that searches the tree of a game of perfect information with the compiled driver."""

    plugs: Mapping[Any, Any] = {}
    """What this algorithm puts into the driver's plug-in points."""
    vector = False
    """Whether the value of a node is one number per seat."""
    deepening = False
    heavy = True
    settings = {
        "depth": Setting(
            0, Text("moves to look ahead; 0: what suits the game, or unlimited with a time limit"), low=0
        ),
        "time": Setting(0.0, Text("seconds for a decision; 0: no limit"), low=0.0, ceiling=10.0),
    }
    depth: int
    time: float
    stack: Mapping[str, Any] = {}
    """The arrays of the driver's stack, kept from search to search."""

    def __init__(self, game: Game, **values: Any) -> None:
        super().__init__(game, **values)
        self.features = features = game.extra(Features)
        self.scale = 1.0 if features is None else features.scale
        self.weights = np.zeros(0) if features is None else self.chosen_weights(features)
        self.network = str(self.values.get("network", ""))
        if self.network:
            self.weights = load(search_defaults(game).network)("" if self.network == OURS else self.network)
        table = self.values.get("endgames", "")
        self.codes = read_endgames(table, game) if table else np.zeros(0, np.uint8)
        """A table of endgames; empty without one."""
        if self.time > 0:
            rehearse(self)

    @classmethod
    def settings_for(cls, game: Game) -> Mapping[str, Setting]:
        """Of a game with features, their weights too; of one with endgames, a table of them."""
        settings = dict(cls.settings)
        if game.extra(EndgameTables) is not None:
            settings["endgames"] = Setting("", Text("a table of endgames, made by `hiddenhand endgames`"), kind=FILE)
        if search_defaults(game).network:
            help_text = Text(
                "EVAL by a network: {ours}, or a file that `train` wrote; without one, by features", ours=OURS
            )
            settings["network"] = Setting("", help_text, kind=FILE, choices=(OURS,))
        features = game.extra(Features)
        if features is None:
            return settings
        most = features.most
        weights = {
            each.name: Setting(
                each.weight, Text("weight in EVAL: {meaning}", meaning=each.meaning), low=-most, high=most
            )
            for each in features.each
        }
        file = Setting(
            "", Text("a file with the weights of EVAL, learned or tuned; those given beside it hold"), kind=FILE
        )
        return {**settings, "weights": file, **weights}

    def chosen_weights(self, features: Features) -> np.ndarray[Any, Any]:
        """The weights by the settings: those given by name, those of the file, and the game's own for the rest."""
        learned = read_weights(self.values["weights"], self.game) if self.values["weights"] else {}
        given = {each.name: float(self.values[each.name]) for each in features.each}
        return np.array(
            [
                given[each.name] if given[each.name] != each.weight else learned.get(each.name, each.weight)
                for each in features.each
            ]
        )

    @classmethod
    def refuses(cls, game: Game) -> str:
        use = searches_for(game)
        if game.hidden:
            return Text("it has hidden information; use {agent}", agent=use)
        if game.chance.draws:
            return Text("its moves draw at random, which a search of its tree would foresee; use {agent}", agent=use)
        if game.utility != "zero-sum":
            return Text("its payoffs are not zero-sum; use {agent}", agent=use)
        if (sides_of(game) or game.players) > 2:
            return Text("it has more than two sides; use {agent}", agent=use)
        return ""

    # ---- one search

    def workspace(self, levels: int) -> tuple[Any, ...]:
        """What this algorithm needs besides a stack of `levels` levels: a named tuple."""
        return ()

    def forget(self) -> None:
        """Called at the start of each decision."""

    def levels(self, limit: int) -> int:
        """How deep the stack must be for this depth limit."""
        plies = min(limit, self.game.longest) + int(self.values.get("quiescence", 0))
        return min(2 * plies + 4 if self.game.chance.outcomes else plies + 1, self.game.longest) + 1

    def prepare(self, state: np.record, me: int, limit: int, trace: int) -> Search:
        """A search that has not begun, on a stack that is deep enough."""
        levels = self.levels(limit)
        if not self.stack or levels > len(self.stack["frames"]):
            most = self.game.most_actions
            self.stack = {
                "states": new_records(self.game.rules.state, levels),
                "actions": np.zeros((levels, most), np.int64),
                "chances": np.zeros((levels, most)),
                "frames": new_records(FRAME, levels),
                "lines": np.zeros((levels, LINE), np.int64),
                "values": np.zeros(self.game.players),
            }
        assign(self.stack["states"][0], state)
        return Search(
            me,
            limit,
            work=new_records(WORK, 1),
            log=new_records(NODE, trace),
            found=np.zeros(0 if self.features is None else len(self.features.each)),
            weights=self.weights,
            scale=self.scale,
            endgames=self.codes,
            rng=stream(0),
            **self.stack,
        )

    def search(
        self, state: np.record, me: int, limit: int, clock: Clock | None = None, trace: int = 0
    ) -> SearchResult | None:
        """Search a position to a depth; None if the clock expired first. `trace`: how many nodes to write down."""
        clock = clock or Clock()
        search = self.prepare(state, me, limit, trace)
        workspace = self.workspace(self.levels(limit))
        plugs = dict(self.plugs)
        if self.network:
            plugs[estimate] = estimate_by_network
        elif self.features is not None:
            plugs[estimate] = estimate_by_features
        if len(self.codes):
            plugs[probe] = probe_endgames
        driver = self.game.rules.bind(walk, plugs=plugs)
        while not clock.run(lambda nodes: driver(search, workspace, nodes)):
            if clock.expired():
                return None
        root, work = search.frames[0], search.work[0]
        return SearchResult(
            value=float(root.best),
            action=int(root.action),
            line=search.lines[0, : root.length].tolist(),
            nodes=int(work.nodes),
            estimates=int(work.estimates),
            depth=limit,
            reached=int(work.deepest),
            trace=search.log[: work.nodes] if trace else None,
        )

    # ---- a decision

    def limit(self) -> int:
        """The depth that the settings ask for."""
        if self.depth > 0:
            return min(self.depth, self.game.longest)
        return self.game.longest if self.time > 0 else search_defaults(self.game).depth

    def best(self, state: np.record, me: int) -> SearchResult:
        """The best move, by iterative deepening where there is a time limit or the agent wants it."""
        clock = Clock(self.time)
        self.forget()
        limit = self.limit()
        if self.time == 0 and not self.deepening:
            found = self.search(state, me, limit)
            assert found is not None
            return found
        best, nodes = self.search(state, me, 1), 0
        assert best is not None
        for depth in range(1, limit + 1):
            deeper = self.search(state, me, depth, clock)
            if deeper is None:
                break
            best, nodes = deeper, nodes + deeper.nodes
            if deeper.complete:
                break
        best.nodes = nodes
        return best

    def decide(self, view: View) -> Decision:
        outcome = self.best(view.imagine(), view.seat)
        return Decision(
            action=outcome.action,
            text=view.action_name(outcome.action),
            value=outcome.value,
            line=self.name_line(view.imagine(), outcome.line),
            counts={"nodes": outcome.nodes, "depth": min(outcome.depth, outcome.reached)},
            reasons=[self.how_far(outcome)],
        )

    def name_line(self, state: np.record, line: list[int]) -> list[str]:
        """A line of actions as text."""
        names = []
        for action in line:
            names.append(self.game.people.action_name(state, action))
            self.game.rules.play(state, action, stream(0))
        return names

    # ---- reasons

    def explain(self, view: View) -> Decision:
        outcome = self.best(view.imagine(), view.seat)
        alternatives, complete = self.compare(view, outcome)
        decision = Decision(
            action=outcome.action,
            text=view.action_name(outcome.action),
            value=outcome.value,
            alternatives=alternatives,
            line=self.name_line(view.imagine(), outcome.line),
            counts={"nodes": outcome.nodes, "depth": min(outcome.depth, outcome.reached)},
        )
        decision.reasons = [
            self.how_far(outcome),
            *self.what_the_table_says(view.imagine()),
            *self.what_it_means(decision, complete),
            *self.against_the_others(decision),
        ]
        return decision

    def compare(self, view: View, outcome: SearchResult) -> tuple[list[Alternative], bool]:
        """Every legal move with its exact value at the depth of the decision; whether all reached the end."""
        alternatives, complete = [], True
        for action in view.legal_actions():
            state = view.imagine()
            self.game.rules.play(state, action, stream(0))
            self.forget()
            found = self.value_after(state, view.seat, outcome.depth - 1)
            complete = complete and found.complete
            line = self.name_line(view.imagine(), [action, *found.line])
            if action == outcome.action:  # the line that the decision names, and no other of the same value
                line = self.name_line(view.imagine(), outcome.line)
            alternatives.append(Alternative(action, view.action_name(action), found.value, line=line))
        return alternatives, complete

    def value_after(self, state: np.record, me: int, limit: int) -> SearchResult:
        """The value of a position that may be the end, or beyond the depth limit."""
        values = np.zeros(self.game.players)
        if self.game.rules.turn(state) == OVER:
            self.game.rules.payoff(state, values)
            return SearchResult(float(values[me]), -1, [], 1, 0, 0)
        code, settled = self.code_of(state)
        if code != UNKNOWN:
            value = float(value_of_code(code, settled))
            return SearchResult(
                value if self.game.rules.turn(state) == me else -value, -1, [], 1, int(not settled), 0
            )
        if limit <= 0 and (not self.values.get("quiescence") or self.game.rules.quiet(state)):
            self.estimate(state, values)
            return SearchResult(float(values[me]), -1, [], 1, 1, 0)
        found = self.search(state, me, limit)
        assert found is not None
        return found

    def code_of(self, state: np.record) -> tuple[int, bool]:
        """What the table of endgames says of a position."""
        return self.game.rules.endgame(state, self.codes) if len(self.codes) else (UNKNOWN, False)

    def estimate(self, state: np.record, values: np.ndarray[Any, Any]) -> None:
        """Write the payoffs that EVAL expects."""
        if self.network:
            self.game.rules.judge(state, self.weights, values)
        elif self.features is None:
            self.game.rules.evaluate(state, values)
        else:
            found = np.zeros(len(self.weights))
            self.game.rules.features(state, found)
            squashed(found, self.weights, self.scale, values)

    def how_far(self, outcome: SearchResult) -> str:
        if outcome.complete:
            return Text(
                "I searched every line to the end of the game or to a position of the table of endgames: {n:,} "
                "positions."
                if len(self.codes)
                else "I searched every line to the end of the game: {n:,} positions.",
                n=outcome.nodes,
            )
        return Text(
            "I looked {moves} ahead, {n:,} positions, and estimated what lies beyond.",
            moves=Text.plural("{n} move", "{n} moves", n=outcome.depth),
            n=outcome.nodes,
        )

    def what_the_table_says(self, state: np.record) -> list[str]:
        """What is known of the position itself."""
        code, settled = self.code_of(state)
        if code == UNKNOWN:
            return []
        return [
            Text(
                "The table of endgames knows this position: {what}."
                if settled
                else "The table of endgames knows this position: {what}, unless the game is drawn before.",
                what=told(code),
            )
        ]

    def what_it_means(self, decision: Decision, complete: bool) -> list[str]:
        """The value in words, and the line of play expected."""
        value = decision.value or 0.0
        line = Text.joined(" ", decision.line[:8])
        expected = [Text("I expect {line}.", line=line)] if len(decision.line) > 1 else []
        return [Text.joined(" ", [self.meaning_of(decision.text, value, complete), *expected])]

    def meaning_of(self, move: str, value: float, complete: bool) -> Text:
        """What the value of the best move means."""
        if self.game.payoffs == (-1.0, 1.0):
            if value >= 1.0 - TIED:
                return Text("{move} wins against any defence.", move=move)
            if value <= -1.0 + TIED:
                return Text("Every move loses against best play; {move} is as good as any.", move=move)
            if complete and abs(value) < TIED and not self.game.chance.outcomes:
                return Text("With best play on both sides {move} leads to a draw.", move=move)
        return Text("{move} is worth {value:+.3f} to me.", move=move, value=value)

    def against_the_others(self, decision: Decision) -> list[str]:
        """The gap to the runner-up, ties, and the moves that lose outright."""
        value, lowest = decision.value or 0.0, self.game.payoffs[0]
        others = [a for a in ranked(decision.alternatives) if a.action != decision.action]
        if not others:
            return [Text("It is the only legal move.")]
        ties = [a.text for a in others if a.value is not None and abs(a.value - value) < TIED]
        reasons: list[str] = []
        if ties and len(ties) == len(others):
            reasons.append(Text("All moves are worth the same; I took the first."))
        elif ties:
            reasons.append(
                Text("Just as good: {list}. I took the one I looked at first.", list=Text.joined(", ", ties))
            )
        else:
            best = others[0]
            reasons.append(
                Text(
                    "The next best, {move}, is worth {less:.3f} less.",
                    move=best.text,
                    less=value - (best.value or 0.0),
                )
            )
        for other in others:
            if other.value is not None and other.value <= lowest + TIED < value and self.game.payoffs == (-1.0, 1.0):
                other.note = Text("loses: {line}", line=Text.joined(" ", other.line[:6]))
        return reasons
