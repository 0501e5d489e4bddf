"""Best reply: what does best against players who play like the rule agent, whatever cards they may hold.

It is the search on a blueprint (`search/policy_improvement.py`) with the rule agent as the blueprint and a second
judge. Deals are weighted by what the others did, if they play like the rules (the belief `weighted`); in each the
moves are tried, and the rule agent finishes the deal in all seats. Open cards are asked as well, because not
everybody plays like the rule agent, and the mean of both counts. The action of the rule agent is taken unless another
is clearly better.
"""

from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from hiddenhand.belief.particle_filter import ParticleFilter, Posterior
from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Decision
from hiddenhand.core.game import Game
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.beliefs.exact import count_worlds
from hiddenhand.games.snaps.beliefs.kinds import belief_of, imagine, model_of
from hiddenhand.games.snaps.cards import CARDS, Array
from hiddenhand.games.snaps.pimc import candidates, set_world, stake_of
from hiddenhand.games.snaps.sampling_reasons import SampledDeals, decision_by_samples
from hiddenhand.games.snaps.solver import WIN, fit_table, new_memory, solve_moves, table_size
from hiddenhand.games.snaps.state import TRICK_COUNT, TRICKS
from hiddenhand.kernel import generic, rule
from hiddenhand.search.policy_improvement import FEWEST, BlueprintSearch, RolloutComparison
from hiddenhand.search.rollouts import second_opinion


class OpenCards(NamedTuple):
    """What the judge who sees all cards needs."""

    share: float  # of the judgement
    memory: Array  # record[1]: the solver's
    actions: Array  # int64[24]
    values: Array  # float64[24]


@generic
def solve_world(world, trial, task, workspace, payoffs):
    """The second judge: what the live moves are worth if all cards lie open, in the place of a share of the rollouts.

    A card to name and kontra are left to the rollouts: open cards flatter a side whose partners do not know each
    other.
    """
    judge = workspace.judge
    if world.phase != TRICKS or judge.share == 0.0:
        return
    memory, n = judge.memory[0], len(task.live)
    if memory.entries != table_size(world.plays):
        fit_table(memory, world.plays)
    for i in range(n):
        judge.actions[i] = task.candidates[task.live[i]]
    solve_moves(world, judge.actions, n, WIN, judge.memory, judge.values)
    unit = judge.share * stake_of(world, task.me)
    for i in range(n):
        move = task.live[i]
        payoffs[move, trial] = (1.0 - judge.share) * payoffs[move, trial] + unit * judge.values[i]


@rule
def lay_out_worlds(view, hands, states):
    for w in range(len(hands)):
        set_world(states[w], view, hands[w])


class WeighedDeals(ParticleFilter):
    """The posterior of the belief `weighted`.

    The rules of snaps see nothing of the other hands and remember nothing, so each hand is judged by itself and once:
    thousands of deals are weighed in the time that the filter takes to replay a few hundred.
    """

    def __init__(self, agent: "BestReply") -> None:
        super().__init__(agent.game, [agent.policy], worlds=agent.worlds, exact=0, mistakes=agent.noise)
        self.model = model_of("weighted", agent.particles, agent.noise)

    def belief(self, view: View) -> Posterior:
        hands, shares = imagine(self.model, view.record, view.seat, self.samples, view.stream())
        n, states = len(hands), self.particles.now
        lay_out_worlds(view.record, hands, states)
        self.particles.numbers[:n] = -1
        exact = count_worlds(view.record, view.seat) <= n
        nothing = np.zeros(0)
        return Posterior(states[:n], shares, exact, nothing, nothing, np.arange(n), self.particles)


class BestReply(BlueprintSearch):
    """Tries every move in likely deals, everybody playing by the rules, and asks open cards as well."""

    name = "best_reply"
    summary = Text("imagines deals by what the others did, and plays what does best if they play like the rules")
    settings = {
        "worlds": Setting(500, Text("deals to imagine"), low=1, high=100_000, ceiling=10_000),
        "particles": Setting(
            5000, Text("deals that are weighed, where the others' play counts"), low=10, high=100_000, ceiling=10_000
        ),
        "noise": Setting(
            0.1, Text("share of moves that the model of the others does not foresee"), low=0.0, high=1.0
        ),
        "doubt": Setting(
            1.0, Text("standard errors by which a move must beat what the rules would play"), low=0.0, high=10.0
        ),
        "before": Setting(3.0, Text("the same before the first trick, where stakes differ"), low=0.0, high=10.0),
        "ahead": Setting(0, Text("how many of its own later decisions it looks ahead"), low=0, high=TRICK_COUNT),
        "group": Setting(
            8.0, Text("deals that must look alike for a later decision to be made anew"), low=1.0, high=1e6
        ),
        "open": Setting(0.5, Text("the share of the judgement that open cards have"), low=0.0, high=1.0),
    }
    particles: int
    noise: float
    doubt: float
    before: float
    ahead: int
    group: float
    open: float
    # what a search on a blueprint has as settings, and this one has not
    blueprint, others, time, least, cut, workers = "rules", "", 0.0, 0.0, 0, 1
    determined, caution, finals = True, 1.0, 0
    plugs: ClassVar = {second_opinion: solve_world}

    def __init__(self, game: Game, **values: int | float) -> None:
        Agent.__init__(self, game, **values)
        self.policy = self.find_policy(self.blueprint)
        self.models = [self.policy]
        self.steps, self.alike, self.mistakes = 1 + self.ahead, int(self.group), self.noise
        self.playouts = self.worlds * game.most_actions

    @cached_property
    def particle_filter(self) -> ParticleFilter:
        return WeighedDeals(self)

    def new_judge(self) -> OpenCards:
        return OpenCards(self.open, new_memory(0), np.zeros(CARDS, np.int64), np.zeros(CARDS))

    def compared_moves(self, view: View, own: int) -> Array:
        found = np.zeros(CARDS, np.int64)
        n = candidates(view.record, view.seat, np.array(view.legal_actions(), np.int64), found)
        return np.flatnonzero(np.isin(view.legal_actions(), found[:n]))

    def trials_of_round(self, rounds: int, moves: int) -> int:
        return max(FEWEST, self.worlds // rounds)

    def bound_at(self, view: View, rivals: int = 1) -> float:
        return self.doubt if view.record.phase == TRICKS else self.before

    def decide(self, view: View) -> Decision:
        return Decision(view.legal_actions()[self.compare(view).best if len(view.legal_actions()) > 1 else 0])

    def explain(self, view: View) -> Decision:
        """The decision with all that led to it: the same worlds are imagined again."""
        result = self.compare(view)
        decision = self.decision_from(view, result)
        if len(view.legal_actions()) == 1:
            decision.reasons = [Text("{move} is the only legal move.", move=decision.text)]
            return decision
        belief = belief_of(view, "weighted", self.particles, self.noise)
        usual, samples = view.legal_actions()[result.own], sampled_deals(view, result)
        return decision_by_samples(view, decision.action, usual, samples, belief, result.bound)


def sampled_deals(view: View, result: RolloutComparison) -> SampledDeals:
    """The deals of the last comparison, with what the moves that were tried are worth in them."""
    last = result.deeper or result
    n, tried = len(last.worlds), np.flatnonzero(last.trials)
    values = np.where(np.arange(n) < last.trials[:, None], last.payoffs[:, :n], -np.inf)
    hands = last.belief.states["hands"][last.worlds].astype(np.int64)
    shares = np.full(n, 1.0 / n) if last.shares is None else last.shares
    return SampledDeals([view.legal_actions()[i] for i in tried], values[tried].T, hands, shares)
