"""Solving games, and measuring how far from a solution any agent is.

    >>> import hiddenhand as hh
    >>> strategy = hh.solve("leduc", method="dcfr", iterations=200)
    >>> round(hh.exploitability("leduc", strategy), 4)
    0.0021
    >>> hh.exploitability("kuhn", "random")
    Exploitability(0.4583, kuhn, random)

The result of a method that samples depends on the seed, of any other on nothing but the number of iterations.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from hiddenhand.core import resolver
from hiddenhand.core.agent import Agent
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.processes import Workers
from hiddenhand.core.text import Seat, Text
from hiddenhand.lab.curves import Curve, CurvePoint, SoFar
from hiddenhand.lab.figures import draw_curve
from hiddenhand.lab.frames import Columns
from hiddenhand.lab.lab_result import LabResult
from hiddenhand.lab.match import match
from hiddenhand.lab.parts import gather, in_parallel
from hiddenhand.lab.plans import SEED, GamePlan, PageField, PlanParameter, agents_parameter
from hiddenhand.lab.runner import Parts, Running, run
from hiddenhand.lab.statistics import student
from hiddenhand.lab.tables import first_column_left, shortened
from hiddenhand.lab.training import general_learners, loaded
from hiddenhand.lab.training_log import write_curves
from hiddenhand.lab.work_kinds import PageSupport, agent_with_file, work, working
from hiddenhand.learning.network_agent import Network
from hiddenhand.search.cfr import StrategyAgent, refusal
from hiddenhand.search.solving.asking import ASKED, AskedPolicy, answers_of, asked_from
from hiddenhand.search.solving.sequence_form import SequenceForm, evaluate
from hiddenhand.search.solving.solver import (
    METHODS,
    checkpoint_after,
    copied,
    exploitability_of,
    new_solver,
    strategy_of,
)
from hiddenhand.search.solving.strategy import Strategy, sequence_form

ITERATIONS = 1000
"""Iterations where neither they, nor seconds, nor an exploitability are given."""
EXACT, LOCAL, LEARNED = "exact", "local", "learned"
ALONE = {"entropy_coef": 0.03, "final_entropy_coef": 0.001, "magnet_coef": 0.0, "mean": 0.05, "temperature": 0.0}
"""How PPO learns where nobody else does."""
LONG_STEP = 0.25
"""Seconds after which a step ends at the latest, if an iteration does not take longer."""
MOST_PRINTED = 100
"""Information sets of a strategy that are printed."""
SOLVE_UNIT = Text("iterations")


class Solution(Strategy, LabResult):
    """The strategy that `solve` has found."""

    file = ""
    """Where it was written."""

    def headline(self) -> str:
        return Text("{method}: exploitability {gap:.3g}", method=self.method, gap=self.exploitability)

    def progress_curves(self) -> list[Curve]:
        return gap_curves(self.history)

    def player(self, game: Game, file: str) -> str:
        return agent_with_file(game, "solved", "file", file)

    def to_json(self) -> dict[str, Any]:
        return {**self.about(), "seconds": self.seconds, "information_sets": len(self.keys), "output": self.file}

    def __str__(self) -> str:
        if not self.history:
            return self.table(MOST_PRINTED)
        rows: list[Sequence[str]] = [(Text("iterations"), Text("exploitability"))]
        rows += [(f"{n:,}", f"{gap:.3g}") for n, gap in self.history[-6:]]
        lines = [
            Text(
                "{game} by {method}: {infos:,} information sets, {n:,} iterations in {seconds:.2f} s",
                game=self.game.title,
                method=self.method,
                infos=len(self.keys),
                n=self.iterations,
                seconds=self.seconds,
            ),
            *first_column_left(rows),
            Text("value for {who}: {value:+.6f}", who=Seat(0), value=self.value),
        ]
        if self.file:
            lines.append(
                Text(
                    "saved in {file}; to play it: {agent}",
                    file=self.file,
                    agent=f"solved:file={self.file}",
                )
            )
        return Text.joined("\n", lines)


def solution_of(strategy: Strategy) -> Solution:
    return Solution(**{name: getattr(strategy, name) for name in Strategy.__dataclass_fields__})


def gap_curves(history: Sequence[tuple[int, float]]) -> list[Curve]:
    points = [CurvePoint(iteration, gap) for iteration, gap in history]
    return [Curve(Text("exploitability"), Text("iterations"), Text("exploitability"), points)] if points else []


@dataclass(frozen=True)
class SolvePlan(GamePlan):
    """Which game is solved, how, and until when."""

    method: Annotated[
        str,
        PlanParameter(
            f"How: {', '.join(METHODS)}.",
            choices=METHODS,
            flags=("--method", "-m"),
            metavar="METHOD",
            page=PageField(Text("method"), "choice", choices={name: name for name in METHODS}),
        ),
    ] = "cfr+"
    iterations: Annotated[
        int | None,
        PlanParameter(
            f"So many iterations. [{ITERATIONS}, if nothing else ends it]",
            1,
            10**9,
            flags=("--iterations", "-n"),
            page=PageField(Text("iterations"), most=20_000, usual=ITERATIONS),
        ),
    ] = None
    seconds: Annotated[float | None, PlanParameter("So long at most.", 0.0, metavar="S")] = None
    exploitability: Annotated[
        float | None, PlanParameter("Until a perfect opponent wins no more than this.", 0.0, metavar="E")
    ] = None
    seed: Annotated[int, SEED] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.iterations is None and self.seconds is None and self.exploitability is None:
            self.set(iterations=ITERATIONS)


@work(
    "solve",
    SolvePlan,
    unit=SOLVE_UNIT,
    output="Where to write the strategy.",
    page=PageSupport(Text("solving"), offered=lambda game: not refusal(game) and game.hidden, file="strategy.npz"),
)
def solve(plan: SolvePlan, running: Running, pool: Workers) -> Solution:
    """Find an equilibrium of a game of two with hidden information, and say how far from it the strategy is.

    The strategy is written to a file, which the agent `solved:file=FILE` plays, and its curve beside it. The work
    can be interrupted and resumed.
    """
    solution: Solution = run(SolveWork(plan, running.output), running)
    return solution


class SolveWork:
    """Solving for the runner: a step goes on to the next point at which exploitability is measured, or for a
    second."""

    kind = "solution"
    unit: str = SOLVE_UNIT
    result_type = None

    def __init__(self, plan: SolvePlan, output: str = "") -> None:
        self.planned = plan
        self.output = output
        self.solver = new_solver(plan.game, plan.method, plan.seed)
        self.history: list[tuple[int, float]] = []
        self.seconds = 0.0
        self.pace = 0.0
        """Seconds that an iteration takes."""

    @property
    def plan(self) -> dict[str, Any]:
        return self.planned.to_json()

    @property
    def done(self) -> int:
        return self.solver.iteration

    @property
    def wanted(self) -> int:
        if self.planned.iterations is not None:
            return self.planned.iterations
        left = 0.0 if self.planned.seconds is None else self.planned.seconds - self.seconds
        return self.done + max(1, int(left / self.pace) if self.pace else 1)

    @property
    def over(self) -> bool:
        plan = self.planned
        if plan.iterations is not None and self.done >= plan.iterations:
            return True
        if plan.seconds is not None and self.seconds >= plan.seconds:
            return bool(self.history and self.history[-1][0] == self.done)
        gap = self.history[-1][1] if self.history else np.inf
        return plan.exploitability is not None and gap <= plan.exploitability

    def prepare(self) -> None:
        """Compile what the steps need."""
        copied(self.solver).run(1)

    def step(self) -> tuple[Any, float, float | None]:
        """The solver some iterations later, the seconds that they took, and the exploitability where it is
        measured."""
        solver, start = copied(self.solver), time.perf_counter()
        goal = min(checkpoint_after(solver.iteration), self.planned.iterations or checkpoint_after(solver.iteration))
        some = max(1, int(LONG_STEP / self.pace)) if self.pace else 1
        solver.run(min(goal - solver.iteration, some))
        seconds = time.perf_counter() - start
        late = self.planned.seconds is not None and self.seconds + seconds >= self.planned.seconds
        gap = exploitability_of(solver, self.planned.game) if solver.iteration == goal or late else None
        return solver, seconds, gap

    def add(self, piece: tuple[Any, float, float | None]) -> None:
        solver, seconds, gap = piece
        self.pace = seconds / (solver.iteration - self.solver.iteration)
        self.seconds += seconds
        self.solver = solver
        if gap is not None:
            self.history.append((solver.iteration, gap))

    def snapshot(self) -> Parts:
        state = {"iteration": self.solver.iteration, "seconds": self.seconds, "history": self.history}
        return {"solver": {**state, **self.solver.sums._asdict()}}

    def restore(self, parts: Parts) -> None:
        kept = dict(parts["solver"])
        self.solver.iteration = int(kept.pop("iteration"))
        self.seconds = float(kept.pop("seconds"))
        self.history = [(int(n), float(gap)) for n, gap in kept.pop("history")]
        self.solver.sums = type(self.solver.sums)(**{name: np.array(array) for name, array in kept.items()})

    def result(self, seconds: float) -> Solution | SoFar:
        if not self.history:
            return SoFar(Text("{n} iterations so far", n=self.done), [])
        plan = self.planned
        known = {"seconds": self.seconds, "history": self.history}
        found = strategy_of(self.solver, plan.game, plan.method, **known)
        solution = solution_of(found)
        if self.over and self.output:
            solution.file = self.output
            solution.save(self.output)
            curve = [gap for _, gap in self.history]
            title = f"{plan.game.title}, {plan.method}"
            write_curves(gap_curves(self.history), Path(self.output).with_suffix(".csv"))
            draw_curve(curve, Path(self.output).with_suffix(".png"), title, "measurement", "exploitability")
        return solution


# ---- how far an agent is from a solution


class Exploitability(float, LabResult):
    """What a perfect opponent wins a game from an agent, averaged over the seats: a number that knows more.

    Where the agent could only be asked what it plays, again and again, the number comes from the answers; the truth
    lies between `low` and `high`, in expectation. Where the game is too large for exact best responses, it is what
    some response wins, which is no more than what a best response would: `low` to `high` is then its 95 % interval.
    """

    game: str
    agents: list[str]
    values: list[float]
    """What every seat expects against the others as they are."""
    best: list[float]
    """What every seat expects by a best response."""
    low: float
    high: float
    by: str
    """EXACT, LOCAL or LEARNED."""
    asked: int
    """How often it was asked at each information set; 1 if it can say its probabilities. By others: games a seat."""
    information_sets: int
    seconds: float

    def __new__(cls, value: float, **known: Any) -> Exploitability:
        made = super().__new__(cls, value)
        made.__dict__.update(known)
        return made

    def __getnewargs__(self) -> tuple[float]:
        return (float(self),)

    @property
    def nash_conv(self) -> float:
        """The same, added up over the seats instead of averaged."""
        return float(self) * len(self.values)

    @property
    def exact(self) -> bool:
        return self.by == EXACT and self.asked == 1

    def __repr__(self) -> str:
        return f"Exploitability({float(self):.4g}, {self.game}, {', '.join(dict.fromkeys(self.agents))})"

    def headline(self) -> str:
        return Text("exploitability {gap:.4g}", gap=float(self))

    def columns(self) -> Columns:
        return {"seat": list(range(len(self.agents))), "agent": self.agents, "value": self.values, "best": self.best}

    def to_json(self) -> dict[str, Any]:
        return {"exploitability": float(self), "nash_conv": self.nash_conv, "exact": self.exact, **vars(self)}

    def __str__(self) -> str:
        rows: list[Sequence[str]] = [(Text("seat"), Text("agent"), Text("expects"), Text("response"), Text("gains"))]
        for seat, (agent, value, best) in enumerate(zip(self.agents, self.values, self.best)):
            rows.append((str(seat + 1), shortened(agent), f"{value:+.6f}", f"{best:+.6f}", f"{best - value:.6f}"))
        known = {"gap": float(self), "sum": self.nash_conv, "n": self.information_sets, "times": self.asked}
        known |= {"low": self.low, "high": self.high}
        if self.by != EXACT:
            told = [
                Text(
                    "exploitability at least {gap:.4f} (95 % interval {low:.4f} to {high:.4f}): what this response "
                    "gains, the mean of {times:,} games in each seat",
                    **known,
                )
            ]
        else:
            told = [
                Text(
                    "exploitability {gap:.6f} (the mean of the last column), NashConv {sum:.6f} (its sum), "
                    "in {n:,} information sets",
                    **known,
                )
            ]
        if self.by == EXACT and not self.exact:
            told.append(
                Text(
                    "Estimated by asking {times} times at each information set: the truth is expected from {low:.4f} "
                    "to {high:.4f}.",
                    **known,
                )
            )
        return Text.joined("\n", [*first_column_left(rows), *told])


@dataclass(frozen=True)
class ExploitabilityPlan(GamePlan):
    """Whose exploitability is measured."""

    agents: Annotated[Sequence[str | Agent | Strategy], agents_parameter("line_up")]
    asked: Annotated[
        int,
        PlanParameter(
            "How often an agent that draws its moves is asked at each information set.",
            2,
            10**6,
            page=PageField(Text("times asked"), most=100, usual=20),
        ),
    ] = ASKED
    seed: Annotated[int, SEED] = 0
    by: Annotated[
        str,
        PlanParameter(
            f"{EXACT}: best responses on the whole game; at least so much, by games against a response: {LOCAL}, of "
            f"any compiled agent, or {LEARNED} by PPO, of a network.",
            choices=(EXACT, LOCAL, LEARNED),
            metavar="HOW",
        ),
    ] = EXACT
    games: Annotated[
        int, PlanParameter(f"Games in each seat, by {LOCAL} or {LEARNED}.", 2, 10**7, flags=("--games", "-n"))
    ] = 1000
    moves: Annotated[int, PlanParameter(f"Moves to learn from in each seat, by {LEARNED}.", 1, 10**10)] = 1_000_000

    def __post_init__(self) -> None:
        given = self.agents
        if isinstance(given, str | Agent | Strategy):
            given = (given,)
        super().__post_init__()
        seats = self.game.players
        if len(given) not in (1, seats):
            raise UserError("one agent for all seats, or one for each of the {n} seats", n=seats)
        self.set(agents=tuple(given) * (seats if len(given) == 1 else 1))

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), "agents": [str(agent) for agent in self.agents]}


PIECE = 200
"""Information sets at which an agent is asked in one piece of work."""


@work(
    "exploitability",
    ExploitabilityPlan,
    unit=Text("information sets"),
    page=PageSupport(Text("exploitability"), offered=lambda game: not refusal(game) and game.hidden),
)
def exploitability(plan: ExploitabilityPlan, running: Running, pool: Workers) -> Exploitability:
    """How much a perfect opponent wins from an agent: exact best responses on the whole game.

    One agent sits in all seats, or one is given for each. An agent that can say its probabilities is asked once at
    every information set; any other is asked what it plays, again and again. In a game that is too large for that,
    --by local plays against a search that knows the agent and looks for one better move at a time, and --by learned
    against a network that has learned to play against it.
    """
    start = time.perf_counter()
    if plan.by != EXACT:
        return by_games(plan, running, pool)
    form = sequence_form(plan.game)
    asked = ask_all(plan, form, running, pool)
    found = evaluate(form, asked.policy)
    low, high = asked.bounds(form)
    return Exploitability(
        found.exploitability,
        game=plan.game.name,
        agents=[name_of(agent) for agent in plan.agents],
        values=found.values,
        best=found.best,
        low=low,
        high=high,
        by=EXACT,
        asked=1 if asked.halves is None else plan.asked,
        information_sets=form.infos,
        seconds=time.perf_counter() - start,
    )


def local_response(plan: ExploitabilityPlan, seat: int) -> str:
    """A search that knows how the agent plays, believes what follows from that, tries each move by games that the
    agent finishes, and takes the best: a best response that looks one decision ahead. V. Lisy and M. Bowling,
    "Equilibrium approximation quality of current no-limit poker bots" (2017)."""
    return f"search:blueprint=({name_of(plan.agents[seat])})"


def learned_response(plan: ExploitabilityPlan, seat: int) -> Agent:
    """A network that has learned, by PPO, to play in a seat against the network that plays all others."""
    others = [resolver.agent(plan.game, name_of(agent)) for place, agent in enumerate(plan.agents) if place != seat]
    if (
        not all(isinstance(other, Network) and other.values["file"] for other in others)
        or len(set(map(str, others))) > 1
    ):
        raise UserError("a response is learned to one network that plays all seats: network:file=FILE")
    kind = loaded(general_learners(plan.game)["ppo"], "ppo")
    answered = {"responds_to": others[0].values["file"], "responds_in": seat}
    learner = kind(plan.game, plan.seed, 0, steps=plan.moves, **answered, **ALONE)
    learner.learn(plan.moves)
    player: Agent = learner.player()
    return player


def by_games(plan: ExploitabilityPlan, running: Running, pool: Workers) -> Exploitability:
    """What a response gains on the agent, in each seat and on the same deals."""
    start, agents = time.perf_counter(), [name_of(agent) for agent in plan.agents]

    def payoffs_of(seats: Sequence[str | Agent]) -> Any:
        return match(
            plan.game, seats, games=plan.games, seed=plan.seed, workers=pool, progress=running.progress
        ).payoffs

    usual = payoffs_of(agents)
    values, best, gains = [], [], []
    for seat in range(len(agents)):
        response = (local_response if plan.by == LOCAL else learned_response)(plan, seat)
        payoffs = payoffs_of([*agents[:seat], response, *agents[seat + 1 :]])
        values.append(float(usual[:, seat].mean()))
        best.append(float(payoffs[:, seat].mean()))
        gains.append(payoffs[:, seat] - usual[:, seat])
    gained = np.mean(gains, axis=0)
    half = student(len(gained) - 1) * float(gained.std(ddof=1)) / len(gained) ** 0.5
    mean = float(gained.mean())
    return Exploitability(
        mean,
        game=plan.game.name,
        agents=agents,
        values=values,
        best=best,
        low=mean - half,
        high=mean + half,
        by=plan.by,
        asked=plan.games,
        information_sets=0,
        seconds=time.perf_counter() - start,
    )


def name_of(agent: str | Agent | Strategy) -> str:
    return (agent.method or "strategy") if isinstance(agent, Strategy) else str(agent)


def ask_all(plan: ExploitabilityPlan, form: SequenceForm, running: Running, pool: Workers) -> AskedPolicy:
    """The strategies of all seats; agents that are slow to ask are asked by the workers."""
    game, answers = plan.game, []
    for seat, given in enumerate(plan.agents):
        if isinstance(given, Strategy):
            answers.append(given.policy[form.own(seat)][None])
            continue
        agent = resolver.agent(game, given) if isinstance(given, str) else given
        if isinstance(agent, StrategyAgent):
            answers.append(agent.strategy.policy[form.own(seat)][None])
            continue
        first, end = (int(bound) for bound in form.arrays.bounds[seat : seat + 2])
        of = resolver.text_of_game(game), dict(game.options), given, seat, plan.asked, plan.seed
        tasks = {
            f"seat {seat}, from {start}": (ask_piece, *of, range(start, min(end, start + PIECE)))
            for start in range(first, end, PIECE)
        }
        kind = f"exploitability, seat {seat}"
        found = gather(kind, plan.to_json(), in_parallel(pool, tasks), replace(running, output=""))
        answers.append(np.concatenate([part["answers"] for part in found], axis=1))
    return asked_from(form, answers)


def ask_piece(
    text: str, options: dict[str, Any], agent: str | Agent, seat: int, asked: int, seed: int, infos: range
) -> dict[str, Any]:
    """The answers of an agent at some information sets, wherever it is asked."""
    game = resolver.game(text, options)
    player = resolver.agent(game, agent) if isinstance(agent, str) else agent
    return {"answers": answers_of(sequence_form(game), seat, player, infos, asked, seed)}


def nash_conv(game: Game | str, agents: Any, **how: Any) -> float:
    """What the seats could gain by best responses to an agent or a strategy, added up."""
    return exploitability(game, agents, **how).nash_conv


def value(game: Game | str, agents: Any, **how: Any) -> list[float]:
    """What every seat expects if these agents, or this strategy, play."""
    return exploitability(game, agents, **how).values


def best_response(game: Game | str, agents: Any, asked: int = ASKED, seed: int = 0, **options: Any) -> Solution:
    """The strategy in which every seat answers these agents, or this strategy, as well as can be."""
    plan = exploitability.planned(game, agents, asked=asked, seed=seed, **options)
    form = sequence_form(plan.game)
    with working(1) as pool:
        policy = ask_all(plan, form, Running(), pool).policy
    return solution_of(Strategy.on(form, evaluate(form, policy).responses, method="best response"))
