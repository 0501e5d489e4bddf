"""Search on a blueprint: play as a given agent would, unless another move is better by more than chance.

Everybody is assumed to follow one policy, the blueprint: any compiled agent. From what the others did under it
follows a posterior over possible worlds (`belief/particle_filter.py`). In worlds drawn from it every legal move is
rolled out: it is played, and then everybody, this seat included, follows the blueprint to the end of the game, with
the memories that they would have. All moves are tried in the same worlds with the same random numbers, so that what
is compared is the difference to the blueprint's own move, world by world. Each round drops the moves that are surely
worse and the lower half of the rest (sequential halving). The best is played instead of the blueprint's own only if
it is ahead by more than `bound` standard errors, and more again the more moves were tried (Bonferroni): so the search
is rarely worse than the blueprint, and better wherever it finds something.

With `steps` it does not follow the blueprint at once: at its own next decisions it is imagined to try moves again
(`multi_step.py`). With `others` everybody else follows one of two agents, and their moves tell who follows which.

The method is that of Lerer, Hu, Foerster and Brown, "Improving policies via search in cooperative partially
observable games" (2020), for any game and any number of sides.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from hiddenhand.belief.marginals import shares_of_belief
from hiddenhand.belief.particle_filter import ParticleFilter, Posterior
from hiddenhand.core import resolver
from hiddenhand.core.agent import Agent, PolicyAgent
from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import Opponents
from hiddenhand.core.game import Game, search_defaults
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Seat, Text
from hiddenhand.core.view import View
from hiddenhand.kernel import derive, new_records, stream
from hiddenhand.kernel.binding import Generic
from hiddenhand.kernel.loop import record_in
from hiddenhand.kernel.rule import Rule
from hiddenhand.search.clock import SLICE, Clock, rehearse
from hiddenhand.search.multi_step import ALIKE, TIED, LookAheadConfig, look_ahead, new_tree
from hiddenhand.search.policy_improvement_reasons import likeliest, reasons
from hiddenhand.search.rollouts import RolloutTask, RolloutWorkspace, evaluate_moves, judge

Array = np.ndarray[Any, Any]

TRIALS = 0x7E57  # a key: the seed of the trials is split from that of the view
GOLDEN = 0.6180339887498949  # steps of this length spread points evenly, however many there are
FEWEST = 8  # trials of a move before it may be dropped
FINALS = 4  # times that the last round is repeated at most, while nothing is decided
AT_ONCE = 8  # trials of each move between two looks at the clock
JUDGED = 8  # moves after which the blueprint judges a rollout, if it can
SUITABLE = -1
MOST_STEPS = 6  # of its own decisions it looks ahead at most, where all worlds are known


@dataclass
class RolloutComparison:
    """What the trials of a decision came to."""

    belief: Posterior
    own: int
    """The blueprint's own move: its place among the legal ones."""
    best: int
    """The move that is played: likewise."""
    bound: float
    """By how many standard errors a move had to be ahead."""
    payoffs: Array
    """float64[moves, trials]: what this seat got."""
    trials: Array
    """int64[moves]: how many were made with each."""
    worlds: Array
    """int64[trials]: in which world each was made."""
    shares: Array | None = None
    """float64[trials]: what each counts, where every world is tried once; otherwise all the same."""
    caution: float = 0.0
    """How far it is an error that worlds differ of which all are known: more than 0 where the judge may be wrong."""
    deeper: RolloutComparison | None = None
    """The same of the moves that were left, looking further ahead."""

    def of(self, move: int) -> RolloutComparison:
        """The comparison in which a move was looked at last."""
        return self.deeper if self.deeper is not None and self.deeper.trials[move] > 0 else self

    def ahead(self, move: int) -> tuple[float, float]:
        """(How far a move is ahead of the blueprint's, the standard error of that), over its own trials.

        Worlds that were drawn may be few different ones: those that look the same to the others count together. If
        all worlds are known, that they differ is no error: only what differs between trials of one world is.
        """
        if self.of(move) is not self:
            return self.of(move).ahead(move)
        n = int(self.trials[move])
        if n < 2:
            return 0.0, float("inf")
        gaps = self.payoffs[move, :n] - self.payoffs[self.own, :n]
        if self.shares is not None:
            mean = float(self.shares @ gaps)
            return mean, self.caution * float(np.sqrt(((self.shares * (gaps - mean)) ** 2).sum()))
        mean = float(gaps.mean())
        where = self.worlds[:n]
        if self.belief.exact:
            squares = squares_within(gaps, where)
        else:
            squares = ((gaps - mean) ** 2).sum()
            squares = max(squares, (np.bincount(self.belief.observation_classes[where], gaps - mean) ** 2).sum())
        return mean, float((squares / (n * (n - 1))) ** 0.5)

    @property
    def certain(self) -> bool:
        """Whether all worlds are known, each was tried, and chance has no part in what comes of it."""
        got = self.payoffs[self.own, : self.trials[self.own]]
        return self.shares is not None or (
            self.belief.exact and len(got) > len(self.belief) and squares_within(got, self.worlds[: len(got)]) < TIED
        )

    def mean(self, move: int) -> float:
        of = self.of(move)
        return float(np.average(of.payoffs[move, : of.trials[move]], weights=of.shares))


class BlueprintSearch(Agent):
    """Tries every move in likely worlds, everybody following one policy."""

    name = "search"
    summary = Text(
        "plays like another agent, the blueprint, unless trying the moves in likely worlds shows a better one"
    )
    heavy = True
    settings = {
        "blueprint": Setting(
            "", Text("the agent that everybody is thought to follow; left out: one that suits the game"), kind="agent"
        ),
        "others": Setting(
            "", Text("another agent that the others may follow; their moves tell who follows which"), kind="agent"
        ),
        "steps": Setting(
            1, Text("how many of its own decisions, this one first, it makes by trying moves"), low=1, high=MOST_STEPS
        ),
        "playouts": Setting(1000, Text("games to play out for a decision"), low=1, ceiling=100_000),
        "time": Setting(0.0, Text("seconds for a decision instead; 0: count games"), low=0.0, ceiling=10.0),
        "worlds": Setting(300, Text("worlds to draw where they cannot be listed"), low=1, ceiling=2_000),
        "exact": Setting(10_000, Text("list all worlds where there are no more than this"), low=0, ceiling=10_000),
        "mistakes": Setting(0.001, Text("the share of the others' moves that are just any"), low=0.0, high=1.0),
        "bound": Setting(1.0, Text("standard errors by which a move must be ahead, were there only one"), low=0.0),
        "least": Setting(0.0, Text("by how much payoff a move must be ahead as well"), low=0.0),
        "cut": Setting(
            SUITABLE,
            Text(
                "moves after which a game played out is judged, by the blueprint if it can, or else by an estimate; "
                "0: never; -1: {n} if the blueprint can, or else never",
                n=JUDGED,
            ),
            low=SUITABLE,
        ),
        "workers": Setting(1, Text("threads that play games out; they do not change the decision"), low=1, ceiling=1),
    }
    blueprint: str
    others: str
    steps: int
    playouts: int
    time: float
    worlds: int
    exact: int
    mistakes: float
    bound: float
    least: float
    cut: int
    workers: int

    def __init__(self, game: Game, **values: Any) -> None:
        super().__init__(game, **values)
        self.policy = self.find_policy(self.blueprint)
        self.models = [self.policy, *([self.find_policy(self.others)] if self.others else [])]
        if self.time > 0:
            rehearse(self)

    @classmethod
    def refuses(cls, game: Game) -> str:
        if game.rules.uncompiled:
            return Text("its rules are run by Python alone, too slowly for games by the thousand")
        return "" if game.hidden else Text("nothing is hidden in it; use uct")

    def find_policy(self, name: str) -> PolicyAgent:
        """The agent named; or, without a name, the first policy of those that suit the game. It is asked thousands of
        times for one decision, so one who thinks long must be named."""
        game = self.game
        named = game.extra(Opponents, Opponents())
        levels = [each.agent for each in reversed(named.levels)]
        suitable = [named.champion, search_defaults(game).rollout_policy, *levels, "random"]
        for each in [name] if name else filter(None, suitable):
            character = resolver.EVERYTHING.character(game, each)
            if character.policy and (name or not character.heavy):
                found = resolver.agent(game, each)
                if isinstance(found, PolicyAgent) and not found.cheats:
                    return found
        raise UserError(
            "the blueprint of search must be a compiled agent that does not cheat; {each} is none", each=each
        )

    @property
    def horizon(self) -> int:
        """Moves after which a rollout is judged; 0: never."""
        return self.cut if self.cut != SUITABLE else JUDGED if self.policy.judge else 0

    def kernel(self, algorithm: Generic) -> Rule:
        """A part of the engine of rollouts for this game, judged as these are."""
        own = self.policy.judge if self.horizon else None
        return self.game.rules.bind(algorithm, {**self.plugs, **({judge: own} if own else {})})

    @cached_property
    def particle_filter(self) -> ParticleFilter:
        return ParticleFilter(self.game, [self.models], self.worlds, self.exact, self.mistakes)

    @cached_property
    def workspaces(self) -> list[RolloutWorkspace]:
        """One for each thread."""
        game = self.game
        return [
            RolloutWorkspace(
                states=new_records(game.rules.state, 2),
                views=new_records(game.rules.view, 1),
                memories=np.zeros((game.players, self.particle_filter.words), np.uint64),
                model_choices=np.zeros(game.players, np.int64),
                actions=np.zeros(game.most_actions, np.int64),
                chances=np.zeros(game.most_actions),
                gains=np.zeros(game.players),
                rng=stream(0),
                error=np.zeros(2, np.int64),
                judge=self.new_judge(),
            )
            for _ in range(self.workers)
        ]

    # ---- what a search of one game may do in its own way

    plugs: ClassVar[Mapping[Any, Any]] = {}
    """A second judge of the rollouts: {second_opinion: ...}."""
    determined = False
    """Whether chance has no part in what comes of a world, nor have the models: then none is tried twice."""
    caution = 0.0
    """See `RolloutComparison`."""
    alike = ALIKE
    """The fewest rollouts of an information set for which a later action is selected, unless they are all."""
    finals = FINALS
    """How often the last round is repeated at most, while nothing is decided."""

    def new_judge(self) -> object:
        """What that judge needs, for one thread."""
        return ()

    def compared_moves(self, view: View, own: int) -> Array:
        """The places of the moves that are tried; the blueprint's, `own`, is among them."""
        return np.arange(len(view.legal_actions()))

    def trials_of_round(self, rounds: int, moves: int) -> int:
        """How many rollouts each of the moves that are left gets in one of the rounds."""
        return max(FEWEST, self.playouts // (rounds * moves))

    def bound_at(self, view: View, rivals: int = 1) -> float:
        """By how many standard errors one of so many rivals of the blueprint's move must be ahead."""
        return spread_over(self.bound, rivals)

    @cached_property
    def pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.workers)

    # ---- deciding

    def decide(self, view: View) -> Decision:
        if len(view.legal_actions()) == 1:  # worlds would tell nothing
            return Decision(view.legal_actions()[0], view.action_name(view.legal_actions()[0]))
        return self.decision_from(view, self.compare(view))

    def explain(self, view: View) -> Decision:
        result = self.compare(view)
        decision = self.decision_from(view, result)
        decision.reasons = reasons(self, view, result)
        decision.belief = likeliest(shares_of_belief(self.game, view.seat, result.belief), view.seat)
        return decision

    def decision_from(self, view: View, result: RolloutComparison) -> Decision:
        """What was found, in short."""
        alternatives = []
        for i, action in enumerate(view.legal_actions()):
            if result.trials[i] == 0:
                alternatives.append(Alternative(action, view.action_name(action)))
                continue
            gap, error = result.ahead(i)
            note = Text("{n} games", n=result.of(i).trials[i])
            if i != result.own:
                note = Text(
                    "{note}, {gap:+.3f} ± {error:.3f} against the blueprint's move",
                    note=note,
                    gap=gap,
                    error=1.96 * error,
                )
            alternatives.append(Alternative(action, view.action_name(action), result.mean(i), note))
        best = alternatives[result.best]
        return Decision(
            best.action,
            best.text,
            best.value,
            alternatives=alternatives,
            counts={
                "worlds": len(result.belief),
                "playouts": int(result.trials.sum()),
                "changed": int(result.best != result.own),
            },
        )

    def compare(self, view: View) -> RolloutComparison:
        """Make the trials."""
        clock, moves = Clock(self.time if self.steps == 1 else self.time / 2), len(view.legal_actions())
        belief = self.particle_filter.belief(view)
        own = self.own_move(view, belief)
        result = RolloutComparison(
            belief, own, own, 0.0, np.zeros((moves, 0)), np.zeros(moves, np.int64), np.zeros(0, np.int64)
        )
        if moves == 1:
            return result
        started, live = time.perf_counter(), self.compared_moves(view, own)
        rounds = int(np.ceil(np.log2(len(live))))
        result.bound = self.bound_at(view, len(live) - 1)
        if self.determined and belief.exact and len(belief) <= rounds * self.trials_of_round(rounds, 2):
            self.try_all_worlds(view, result, live)
            rounds = 0
        for number in range(rounds):
            trials = self.trials_of_round(rounds, len(live))
            part = Clock(max(clock.left() / (rounds - number), SLICE)) if self.time > 0 else None
            self.roll_out_more(view, result, live, trials, part)
            live = self.survivors(view, result, live)
            if len(live) == 1:
                break
        if self.steps > 1 and (len(live) > 1 or belief.exact):
            speed = result.trials.sum() / (time.perf_counter() - started)
            result.deeper = self.look_deeper(
                view, result, live, speed * self.time / 2 if self.time > 0 else self.playouts
            )
            if result.deeper is not None:
                live = np.flatnonzero(result.deeper.trials)
        for _ in range(self.finals):
            decided = len(live) == 1 or self.surely_better(result, live) is not None
            if decided or self.time > 0 or result.deeper is not None or rounds == 0:
                break
            self.roll_out_more(view, result, live, trials, None)
            live = self.survivors(view, result, live)
        better = self.surely_better(result, live)
        result.best = own if better is None else better
        return result

    def surely_better(self, result: RolloutComparison, live: Array) -> int | None:
        """The move that is ahead of the blueprint's by more than chance, if there is one."""
        rivals = [int(move) for move in live if move != result.own]
        if not rivals:
            return None
        best = max(rivals, key=lambda move: result.ahead(move)[0])
        gap, error = result.ahead(best)
        return best if gap > max(TIED, self.least, result.bound * error) else None

    def own_move(self, view: View, belief: Posterior) -> int:
        """The place of the blueprint's move; what it remembers of having been asked is remembered in every world."""
        policy, seat, words = self.policy, view.seat, belief.particles.memories[: len(belief), view.seat, 0]
        memory = words[0].copy()
        record = record_in(memory, policy.policy.memory)
        actions = np.array(view.legal_actions(), np.int64)
        action = int(policy.policy.rule(view.record, seat, actions, record, policy.parameters, view.stream()))
        words[:] = memory
        return view.legal_actions().index(action)

    def roll_out_more(
        self, view: View, result: RolloutComparison, live: Array, trials: int, clock: Clock | None
    ) -> None:
        """Make further rollouts of the live moves: `trials` of each, or as many as the clock allows."""
        seed = derive(view.seed, TRIALS)
        shares = np.cumsum(result.belief.weights)
        done = int(result.trials[result.own])
        while trials > 0:
            count = trials if clock is None else AT_ONCE
            points = (derive(seed, -1) / 2**64 + GOLDEN * np.arange(done + count)) % 1.0
            result.worlds = np.minimum(np.searchsorted(shares, points, side="right"), len(shares) - 1)
            if result.payoffs.shape[1] < done + count:
                more = np.zeros((len(result.trials), max(count, done)))
                result.payoffs = np.concatenate([result.payoffs, more], axis=1)
            self.run_rollouts(result, self.task(view, result, live), done, done + count)
            done += count
            result.trials[live] = done
            if clock is None or clock.expired():
                return

    def try_all_worlds(self, view: View, result: RolloutComparison, live: Array) -> None:
        """One rollout of every live move in each world; what it tells counts by the weight of the world."""
        n = len(result.belief)
        result.worlds, result.shares, result.caution = np.arange(n), result.belief.weights, self.caution
        result.payoffs = np.zeros((len(result.trials), n))
        self.run_rollouts(result, self.task(view, result, live), 0, n)
        result.trials[live] = n

    def task(self, view: View, result: RolloutComparison, live: Array) -> RolloutTask:
        return RolloutTask(
            view.seat,
            np.array(view.legal_actions(), np.int64),
            live.astype(np.int64),
            self.particle_filter.models(derive(view.seed, TRIALS)),
            result.worlds.astype(np.int64),
            self.horizon or 2 * self.game.longest,
            np.uint64(derive(view.seed, TRIALS)),
        )

    def run_rollouts(self, result: RolloutComparison, task: RolloutTask, first: int, last: int) -> None:
        """Make the trials first .. last - 1, a part in each thread."""
        kernel = self.kernel(evaluate_moves)
        edges = [first + (last - first) * part // self.workers for part in range(self.workers + 1)]
        self.run_in_threads(
            [
                partial(
                    kernel, result.belief.particles, task, workspace, edges[part], edges[part + 1], result.payoffs
                )
                for part, workspace in enumerate(self.workspaces)
            ]
        )

    def look_deeper(
        self, view: View, result: RolloutComparison, live: Array, games: float
    ) -> RolloutComparison | None:
        """The live moves compared again, looking ahead to this seat's next decisions; None if the games are too few.

        Where that is certain, it looks at all moves and as far ahead as the games allow.
        """
        belief, moves, steps = result.belief, len(view.legal_actions()), self.steps
        found = replace(result, trials=np.zeros(moves, np.int64))
        certain = result.certain and len(belief) * moves**2 <= games
        if certain:
            live, found.worlds, found.shares = np.arange(moves), np.arange(len(belief)), belief.weights
            steps = max(step for step in range(2, MOST_STEPS + 1) if step == 2 or len(belief) * moves**step <= games)
            plan = LookAheadConfig(steps, 1, 0.0, belief.weights, np.full(len(belief), 2))
        elif result.shares is not None:
            return None
        else:
            trials = min(int(result.trials[result.own]), int(games / (len(live) * moves ** (steps - 1))))
            halves = np.arange(trials) & 1 if belief.exact else belief.observation_classes[result.worlds[:trials]] & 1
            plan = LookAheadConfig(steps, self.alike, self.bound_at(view), np.ones(trials), halves.astype(np.int64))
        if len(live) == 1 or len(plan.shares) < plan.alike:
            return None
        found.trials[live] = len(plan.shares)
        found.payoffs = np.zeros((moves, len(plan.shares)))
        kernel = self.kernel(look_ahead)
        parts = [live[part :: self.workers] for part in range(self.workers) if part < len(live)]
        self.run_in_threads(
            [
                partial(
                    kernel,
                    belief.particles,
                    self.task(view, found, part),
                    workspace,
                    new_tree(self.game, self.particle_filter.words, plan),
                    plan,
                    found.payoffs,
                )
                for part, workspace in zip(parts, self.workspaces, strict=False)
            ]
        )
        return found

    def run_in_threads(self, calls: Sequence[Callable[[], object]]) -> None:
        """A call in each thread."""
        if self.workers == 1:
            calls[0]()
        else:
            for under_way in [self.pool.submit(call) for call in calls]:
                under_way.result()
        for workspace in self.workspaces:
            if workspace.error[0]:
                raise UserError("a model of search played an illegal move in {who}", who=Seat(workspace.error[1]))

    def survivors(self, view: View, result: RolloutComparison, live: Array) -> Array:
        """The blueprint's move and the better half of the others, without those that are surely worse."""
        others, bound = [], self.bound_at(view)
        for move in live:
            gap, error = result.ahead(int(move))
            if move != result.own and gap + bound * error > 0.0:
                others.append((-gap, int(move)))
        kept = [move for _, move in sorted(others)[: len(live) // 2]]
        return np.array(sorted([result.own, *kept]), np.int64)


def squares_within(values: Array, worlds: Array) -> float:
    """The squares of what differs between trials of one world; a world with one trial counts with all."""
    times, sums = np.bincount(worlds)[worlds], np.bincount(worlds, values)[worlds]
    alone = times == 1
    differs = values - np.where(alone, values.mean(), sums / times)
    return float((differs**2 * np.where(alone, 1.0, times / np.maximum(times - 1.0, 1.0))).sum())


def spread_over(bound: float, rivals: int) -> float:
    """The bound for each of `rivals` comparisons such that their joint error rate is that of one at `bound`."""
    from scipy.special import ndtr, ndtri

    return float(-ndtri(ndtr(-bound) / rivals))
