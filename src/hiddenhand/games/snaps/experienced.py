"""The agent `experienced`: samples deals as `pimc` does, and weights them by what it knows of each player.

Everybody knows who sits where. For each opponent there is a table of how this opponent plays, from the file of
experience; a player of whom nothing is known is expected to play as was counted over all players. A deal counts more
if the moves of the others would have been usual for them (Bayes' rule; see `beliefs.weighted`).
"""

from collections import namedtuple
from typing import Any

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.game import Game
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Seat, Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.beliefs.deals import HANDS, numbered_deal
from hiddenhand.games.snaps.beliefs.exact import draw_exact, holders_from, lay_out, open_chances
from hiddenhand.games.snaps.beliefs.kinds import BELIEF, holder_beliefs
from hiddenhand.games.snaps.beliefs.statistics import chances_of, learned_statistics
from hiddenhand.games.snaps.beliefs.weighted import (
    MOST_DECISIONS,
    STATISTICS,
    Model,
    Past,
    level,
    past_decisions,
    weigh_seat,
)
from hiddenhand.games.snaps.cards import CARDS, SEATS, Array
from hiddenhand.games.snaps.experience import Experience
from hiddenhand.games.snaps.knowledge import other_seat, possible_deals
from hiddenhand.games.snaps.pimc import candidates, choose, doubt_at, judge, place_of
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.sampling_reasons import (
    SampledDeals,
    against_rules,
    alternative,
    compared,
    losing_world,
    plays_alone,
)
from hiddenhand.games.snaps.state import CHOOSING, FINISHED, STATE
from hiddenhand.kernel import allocate, derive, rule, stream, uniform

# --- the belief -----------------------------------------------------------------------------------

# tables      float64[4, ENTRIES]: how each seat plays
# noise       the share of moves that they do not foresee
# particles   how many deals are weighed
Company = namedtuple("Company", "tables noise particles")


@rule
def weigh_company(view, seat, company, hands, weights):
    """Write weights float64[m]: how likely the moves of the others were in each world of hands int64[m, 4]."""
    past = allocate(STATE, MOST_DECISIONS + 1)
    actions = np.empty(MOST_DECISIONS, np.int64)
    moves = past_decisions(view, hands[0], np.zeros(1, np.uint64), past, actions)
    for i in range(len(hands)):
        weights[i] = 1.0
    for hand in range(HANDS):
        other = other_seat(seat, hand)
        model = Model(np.int64(STATISTICS), 0.0, company.noise, company.tables[other])
        weigh_seat(view, other, hands, model, Past(past, actions, moves), weights)


@rule
def worlds_of_company(view, seat, company, rng):
    """(hands int64[m, 4], weights float64[m]): one world from each of m equal parts of all; weights add up to 1."""
    deals = possible_deals(view, seat)
    total = deals.total
    owners = np.empty(CARDS, np.int64)
    m = np.int64(min(total, company.particles))
    hands = np.empty((m, SEATS), np.int64)
    weights = np.empty(m)
    for i in range(m):
        number = np.float64(i)
        if total > m:
            number = min(np.floor((i + uniform(rng)) * (total / m)), total - 1.0)
        numbered_deal(deals.weights, deals.slots, deals.ways, number, owners)
        lay_out(view, seat, deals, owners, hands[i])
    weigh_company(view, seat, company, hands, weights)
    level(weights)
    return hands, weights


@rule
def draw_by_company(view, seat, company, rng, hands):
    """Fill hands int64[n, 4] by systematic resampling: each world as often as its weight says."""
    if view.phase == CHOOSING or view.phase == FINISHED:
        draw_exact(view, seat, rng, hands)
        return
    found, weights = worlds_of_company(view, seat, company, rng)
    step = 1.0 / len(hands)
    point = uniform(rng) * step
    passed = weights[0]
    i = 0
    for world in range(len(hands)):
        while point >= passed and i < len(weights) - 1:
            i += 1
            passed += weights[i]
        for other in range(SEATS):
            hands[world, other] = found[i, other]
        point += step


@rule
def company_chances(view, seat, company, rng, chances):
    """Write chances float64[4, 24]: the weighted share of worlds in which a seat holds a card now."""
    if open_chances(view, seat, chances):
        return
    found, weights = worlds_of_company(view, seat, company, rng)
    for other in range(SEATS):
        if other != seat:
            for i in range(len(weights)):
                for card in range(CARDS):
                    if found[i, other] >> card & 1:
                        chances[other, card] += weights[i]


# --- the agent ------------------------------------------------------------------------------------


@rule
def judge_worlds(view, seat, found, hands, company, rng):
    """Draw the worlds and judge every action in each: float64[worlds, actions]."""
    draw_by_company(view, seat, company, rng, hands)
    action_values = np.empty((len(hands), len(found)))
    judge(view, seat, found, hands, rng, action_values)
    return action_values


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

    def company(self, view: View) -> Company:
        """How those at the table play."""
        names = list(view.company) or [""] * SEATS
        tables = np.stack([self.table_of(name) for name in names])
        return Company(tables, float(self.values["noise"]), float(self.values["particles"]))

    def weighed(self, view: View) -> tuple[SampledDeals, int]:
        """The worlds with what each action is worth in them, and what the rules would play."""
        actions = np.array(view.actions, np.int64)
        found = np.empty(CARDS, np.int64)
        found = found[: candidates(view.record, view.seat, actions, found)]
        worlds = int(self.values["worlds"])
        hands = np.empty((worlds, SEATS), np.int64)
        action_values = judge_worlds(view.record, view.seat, found, hands, self.company(view), view.stream())
        samples = SampledDeals(found.tolist(), action_values, hands, np.full(worlds, 1.0 / worlds))
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
        if len(view.actions) == 1:
            return Decision(view.actions[0])
        return Decision(self.choice(view, *self.weighed(view)))

    def explain(self, view: View) -> Decision:
        if len(view.actions) == 1:
            only = view.text(view.actions[0])
            alternatives = [Alternative(view.actions[0], only)]
            return Decision(
                view.actions[0], only, None, alternatives, reasons=[Text("{move} is the only legal move.", move=only)]
            )
        samples, usual = self.weighed(view)
        action = self.choice(view, samples, usual)
        chosen = samples.actions.index(action)
        return Decision(
            action,
            view.text(action),
            float(samples.means[chosen]),
            [alternative(view, a, samples) for a in view.actions],
            belief=holder_beliefs(view.record, self.beliefs(view)[1]),
            reasons=[
                compared(view, chosen, samples),
                *plays_alone(view, action),
                against_rules(view, action, usual, samples, self.doubt_about(view)),
                *losing_world(view, chosen, samples),
                *self.acquaintance(view),
            ],
            counts={"worlds": len(samples.hands)},
        )

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

    def beliefs(self, view: View) -> tuple[Array, Array]:
        """How likely each seat holds each card, float64[4, 24], and was dealt the named one, float64[4]."""
        chances, holders = np.zeros((SEATS, CARDS)), np.zeros(SEATS)
        rng = stream(derive(view.seed, BELIEF))
        company_chances(view.record, view.seat, self.company(view), rng, chances)
        holders_from(view.record, chances, holders)
        return chances, holders
