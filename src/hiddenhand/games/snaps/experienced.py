"""The agent `experienced`: samples deals as `pimc` does, and weights them by what it knows of each player.

Everybody knows who sits where. For each opponent there is a table of how this opponent plays, from the file of
experience; a player of whom nothing is known is expected to play as was counted over all players. A deal counts more
if the moves of the others would have been usual for them (Bayes' rule; see `beliefs.weighted`).
"""

from typing import Any

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.game import Game
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Seat, Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.beliefs.kinds import BELIEF, DealBelief, imagine
from hiddenhand.games.snaps.beliefs.statistics import chances_of, learned_statistics
from hiddenhand.games.snaps.beliefs.weighted import STATISTICS, Model
from hiddenhand.games.snaps.cards import CARDS, SEATS, Array
from hiddenhand.games.snaps.experience import Experience
from hiddenhand.games.snaps.pimc import candidates, choose, doubt_at, judge, place_of
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.sampling_reasons import SampledDeals, decision_by_samples
from hiddenhand.kernel import derive, rule


@rule
def judge_worlds(view, seat, found, worlds, model, rng):
    """(hands int64[n, 4], shares float64[n], payoffs float64[n, actions]): worlds, each with every action judged."""
    hands, shares = imagine(model, view, seat, worlds, rng)
    action_values = np.empty((len(hands), len(found)))
    judge(view, seat, found, hands, rng, action_values)
    return hands, shares, action_values


class Experienced(Agent):
    """Weighs imagined deals by what it has seen of those at the table."""

    name = "experienced"
    summary = Text("imagines deals and weighs them by what it has seen of each opponent, game by game")
    heavy = True
    settings = {
        "worlds": Setting(100, Text("deals to imagine"), low=1, high=100_000, ceiling=10_000),
        "doubt": Setting(
            1.0, Text("standard errors by which a move must beat what the rules would play"), low=0.0, high=10.0
        ),
        "particles": Setting(
            1000, Text("deals that are weighed, where the others' play counts"), low=10, high=100_000, ceiling=10_000
        ),
        "noise": Setting(
            0.1, Text("share of moves that the model of the others does not foresee"), low=0.0, high=1.0
        ),
        "file": Setting("", Text("what was gathered of opponents; nothing if left out"), kind="file"),
    }

    def __init__(self, game: Game, **values: Any) -> None:
        super().__init__(game, **values)
        file = self.values["file"]
        self.experience = Experience.open(game, file) if file else Experience(game)
        self.tables: dict[str, Array] = {}

    def table_of(self, name: str) -> Array:
        """The table of how somebody plays; of an unknown player, the usual one."""
        if name not in self.tables:
            seen = self.experience.seen_of(name)
            self.tables[name] = learned_statistics() if seen is None else chances_of(seen.moves)
        return self.tables[name]

    def model(self, view: View) -> Model:
        """How those at the table play."""
        names = list(view.company) or [""] * SEATS
        tables = np.stack([self.table_of(name) for name in names])
        return Model(STATISTICS, float(self.values["particles"]), float(self.values["noise"]), tables)

    def weighed(self, view: View) -> tuple[SampledDeals, int]:
        """The worlds with what each action is worth in them, and what the rules would play."""
        actions = np.array(view.legal_actions(), np.int64)
        found = np.empty(CARDS, np.int64)
        found = found[: candidates(view.record, view.seat, actions, found)]
        worlds = int(self.values["worlds"])
        hands, shares, action_values = judge_worlds(
            view.record, view.seat, found, worlds, self.model(view), view.stream()
        )
        samples = SampledDeals(found.tolist(), action_values, hands, shares)
        return samples, int(rule_action(view.record, view.seat, actions, len(actions)))

    def doubt_about(self, view: View) -> float:
        return float(doubt_at(view.record, float(self.values["doubt"])))

    def choice(self, view: View, samples: SampledDeals, usual: int) -> int:
        actions = np.array(samples.actions, np.int64)
        place = choose(
            actions, samples.action_values, samples.shares, place_of(actions, usual), self.doubt_about(view)
        )
        return int(samples.actions[place])

    def decide(self, view: View) -> Decision:
        if len(view.legal_actions()) == 1:
            return Decision(view.legal_actions()[0])
        return Decision(self.choice(view, *self.weighed(view)))

    def explain(self, view: View) -> Decision:
        if len(view.legal_actions()) == 1:
            only = view.action_name(view.legal_actions()[0])
            alternatives = [Alternative(view.legal_actions()[0], only)]
            return Decision(
                view.legal_actions()[0],
                only,
                None,
                alternatives,
                reasons=[Text("{move} is the only legal move.", move=only)],
            )
        samples, usual = self.weighed(view)
        action = self.choice(view, samples, usual)
        decision = decision_by_samples(view, action, usual, samples, self.belief(view), self.doubt_about(view))
        decision.reasons += self.acquaintance(view)
        return decision

    def acquaintance(self, view: View) -> list[str]:
        """How well it knows each of the others."""
        sentences = []
        for seat, name in enumerate(view.company):
            seen = self.experience.seen_of(name)
            if seat != view.seat:
                known = Text("I know how {who} plays from {n:,} games.", who=Seat(seat), n=seen.games) if seen else ""
                sentences.append(
                    known or Text("I have never seen {who} play: I expect what is usual.", who=Seat(seat))
                )
        return sentences

    def belief(self, view: View) -> DealBelief:
        return DealBelief(view.record, view.seat, "statistics", self.model(view), derive(view.seed, BELIEF))

    def beliefs(self, view: View) -> tuple[Array, Array]:
        """How likely each seat holds each card, float64[4, 24], and was dealt the named one, float64[4]."""
        belief = self.belief(view)
        return belief.chances(), belief.holders()
