"""Tuning: better numbers for an agent's parameters, by Bayesian optimisation.

Every evaluation plays the same deals, so that agents are compared and not deals. The best few are played again on
other deals, since the best of many is partly luck; the winner's figure comes from deals that nothing was chosen by.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Any

from hiddenhand.core import resolver
from hiddenhand.core.agent import Agent, PolicyAgent
from hiddenhand.core.errors import UserError
from hiddenhand.core.features import Features
from hiddenhand.core.game import Game
from hiddenhand.core.policy import Policy
from hiddenhand.core.processes import Workers
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.lab.curves import Curve, CurvePoint, SoFar
from hiddenhand.lab.figures import draw_curve
from hiddenhand.lab.lab_result import LabResult
from hiddenhand.lab.match import match
from hiddenhand.lab.match_runner import DUPLICATE, FIXED
from hiddenhand.lab.plans import SEED, GamePlan, PageField, PlanParameter
from hiddenhand.lab.runner import Parts, Running, run
from hiddenhand.lab.statistics import student
from hiddenhand.lab.tables import shortened
from hiddenhand.lab.work_kinds import PageSupport, work
from hiddenhand.learning.bayesian import MODELS, BayesianSearch, Point

FINALISTS = 12
TEST = 8
"""Times the games of an evaluation are the games of the test."""
OPENING = 6
"""Moves drawn at random at the start of a game between two searches: without them all games would be the same."""


@dataclass(repr=False)
class TuningResult(LabResult):
    """The result of a search."""

    game: str
    options: dict[str, Any]
    agent: str
    evaluations: int
    games: int
    seconds: float
    before: float
    after: float
    sd: float
    text: str
    """The tuned agent as it is written for `match`."""
    output: str
    values: list[float] = field(default_factory=list)
    """The mean of every evaluation, in their order."""
    spreads: list[float | None] = field(default_factory=list)
    """The standard deviation of a game in each of them."""

    def progress_curves(self) -> list[Curve]:
        return search_curves(self.values, self.spreads, self.games)

    def headline(self) -> str:
        return Text(
            "{agent}: {before:.3f} before, {after:.3f} after",
            agent=shortened(self.agent.partition(":")[0]),
            before=self.before,
            after=self.after,
        )

    def player(self, game: Game, file: str) -> str:
        return self.text

    @property
    def half(self) -> float:
        """Half of the 95 % interval of `after`."""
        games = TEST * self.games
        return float(student(games - 1) * self.sd / games**0.5)

    def to_json(self) -> dict[str, Any]:
        return vars(self)

    def __str__(self) -> str:
        searched = Text(
            "{agent} in {game} {options}: {n} evaluations of {games} games, {seconds:.0f} s",
            agent=self.agent,
            game=self.game,
            options=str(self.options),
            n=self.evaluations,
            games=self.games,
            seconds=self.seconds,
        )
        tested = Text(
            "on {n:,} games of new deals: {before:.3f} before, {after:.3f} after "
            "(95 % interval {low:.3f} to {high:.3f})",
            n=TEST * self.games,
            before=self.before,
            after=self.after,
            low=self.after - self.half,
            high=self.after + self.half,
        )
        saved = Text(
            "saved in {file}; the course of the search in {figure}",
            file=self.output,
            figure=Path(self.output).with_suffix(".png"),
        )
        return Text.joined("\n", [searched, tested, self.text, saved])


@dataclass(frozen=True)
class TuningPlan(GamePlan):
    """Whose parameters are tuned, and by how many games."""

    agent: Annotated[
        str,
        PlanParameter(
            "The agent whose parameters are tuned.",
            argument=True,
            metavar="AGENT",
            page=PageField(Text("agent to tune"), "tunable"),
        ),
    ]
    evaluations: Annotated[
        int, PlanParameter("Points to try.", 2, page=PageField(Text("evaluations"), most=400, usual=60))
    ] = 400
    games: Annotated[
        int,
        PlanParameter(
            "Games per evaluation.",
            2,
            flags=("--games", "-n"),
            page=PageField(Text("games each"), most=2000, usual=200),
        ),
    ] = 600
    seed: Annotated[int, SEED] = 1
    model: Annotated[
        str, PlanParameter("Where to look next: parzen or gaussian.", choices=MODELS, metavar="MODEL")
    ] = MODELS[0]


def require_tunable(game: Game, order: Any) -> None:
    """Refuse an agent without parameters to tune."""
    kind = resolver.EVERYTHING.find_kind(game, order.agent).kind
    if not isinstance(kind, Policy) or not tunable(kind.settings):
        raise UserError("{agent} has no parameters that could be tuned", agent=order.agent[:100])


@work(
    "tune",
    TuningPlan,
    unit=Text("evaluations"),
    output="Where to write the result.",
    page=PageSupport(
        Text("tuning"),
        offered=lambda game: any(
            isinstance(kind, Policy) and tunable(kind.settings) for kind in resolver.agents(game).values()
        ),
        require=require_tunable,
        file="tuned.json",
    ),
)
def tune(plan: TuningPlan, running: Running, pool: Workers) -> TuningResult:
    """Tune the parameters of an agent by Bayesian optimisation, in self-play on common deals.

    Every number among its parameters that has a lowest and a highest value is tuned. A compiled agent plays with
    itself, and the payoff of seat 0 counts; a search plays against itself as it was, on duplicate deals. The search
    can be interrupted and resumed; the result is tested on new deals.
    """
    start = resolver.agent(plan.game, plan.agent)
    path = Path(running.output or f"{start.name}{plan.game.players}.json")
    result: TuningResult = run(TuningWork(plan, start, path, pool), replace(running, output=str(path)))
    return result


def tunable(settings: Mapping[str, Setting]) -> dict[str, tuple[float, float]]:
    """The lowest and the highest value of each setting that can be tuned: a number that need not be whole."""
    return {
        name: (float(setting.low), float(setting.high))
        for name, setting in settings.items()
        if isinstance(setting.default, float) and setting.low is not None and setting.high is not None
    }


class TuningWork:
    """Tuning for the runner: the evaluations, the best few again on other deals, and the test of the winner."""

    kind = "tuning"
    unit: str = Text("evaluations")
    result_type = TuningResult

    def __init__(self, plan: TuningPlan, start: Agent, path: Path, pool: Workers) -> None:
        self.pool = pool
        bounds = tunable(start.settings)
        if not bounds:
            raise UserError("{agent} has no parameters that could be tuned", agent=plan.agent)
        if not isinstance(start, PolicyAgent) and (plan.game.players != 2 or plan.game.utility != "zero-sum"):
            raise UserError(
                "{agent} is tuned against itself, in a game of two that {name} is not",
                agent=plan.agent,
                name=plan.game.name,
            )
        self.planned = plan
        self.start = start
        self.path = path
        self.search = BayesianSearch(
            bounds, {name: float(start.values[name]) for name in bounds}, plan.seed, plan.model
        )
        self.spreads: list[float | None] = []
        """The standard deviation of a game in every evaluation."""
        self.finals: list[float] = []
        """Means of the best few, on other deals."""
        self.tests: list[tuple[float, float]] = []
        """(mean, sd) of the agent as it was, and of the winner, on deals that nothing was chosen by."""

    @property
    def plan(self) -> dict[str, Any]:
        return self.planned.to_json()

    @property
    def finalists(self) -> int:
        return min(FINALISTS, self.planned.evaluations)

    @property
    def done(self) -> int:
        return self.search.done + len(self.finals) + len(self.tests)

    @property
    def wanted(self) -> int:
        return self.planned.evaluations + self.finalists + 2

    @property
    def over(self) -> bool:
        return self.done == self.wanted

    def prepare(self) -> None:
        self.play({}, 2, 0)

    def step(self) -> Any:
        plan = self.planned
        if self.search.done < plan.evaluations:
            point = self.search.propose()
            return point, *self.play(point, plan.games, plan.seed)
        if len(self.finals) < self.finalists:
            return self.play(self.search.best(FINALISTS)[len(self.finals)], 4 * plan.games, plan.seed + 1)[0]
        return self.play(self.winner() if self.tests else {}, TEST * plan.games, plan.seed + 2)

    def add(self, piece: Any) -> None:
        if self.search.done < self.planned.evaluations:
            point, mean, sd = piece
            self.search.tell(point, mean)
            self.spreads.append(sd)
        elif len(self.finals) < self.finalists:
            self.finals.append(piece)
        else:
            self.tests.append(piece)

    def snapshot(self) -> Parts:
        known = {"evaluated": self.search.evaluated, "spreads": self.spreads}
        return {"search": {**known, "finals": self.finals, "tests": self.tests}}

    def restore(self, parts: Parts) -> None:
        kept = parts["search"]
        for point, value in kept["evaluated"]:
            self.search.tell(point, value)
        self.spreads = list(kept.get("spreads", [None] * self.search.done))  # an earlier version kept none
        self.finals = list(kept["finals"])
        self.tests = [(mean, sd) for mean, sd in kept["tests"]]

    def winner(self) -> Point:
        """The best of the best few on the other deals."""
        return self.search.best(FINALISTS)[max((mean, i) for i, mean in enumerate(self.finals))[1]]

    def play(self, point: Point, games: int, seed: int) -> tuple[float, float]:
        """The function to be maximised: (mean, sd) of the payoff in this many games from a seed."""
        game, start = self.planned.game, self.start
        values = {**start.values, **point}
        if isinstance(start, PolicyAgent):
            player: Agent = PolicyAgent(game, start.policy, **values)
            seats, seating, opening = [player] * game.players, FIXED, 0
        else:
            seats, seating = [type(start)(game, **values), start], DUPLICATE
            opening = 0 if game.chance else OPENING
        played = match(game, seats, games, seed, seating=seating, opening=opening, workers=self.pool)
        payoffs = played.payoffs[:, 0]
        return float(payoffs.mean()), float(payoffs.std(ddof=1))

    def written(self, point: Point) -> str:
        """The agent with these parameters, as text."""
        if isinstance(self.start, PolicyAgent):
            return f"{self.start.name}:" + ",".join(f"{name}={value}" for name, value in point.items())
        return str(type(self.start)(self.planned.game, **{**self.start.values, **point}))

    def result(self, seconds: float) -> TuningResult | SoFar:
        if not self.over:
            curves = search_curves(self.search.values(), self.spreads, self.planned.games)
            return SoFar(Text("evaluated so far: {n} points", n=self.search.done), curves)
        plan, game, name = self.planned, self.planned.game, self.start.name
        (before, _), (after, sd) = self.tests
        rounded = {name: round(value, 4) for name, value in self.winner().items()}
        found = TuningResult(
            game=game.name,
            options=dict(game.options),
            agent=plan.agent,
            evaluations=plan.evaluations,
            games=plan.games,
            seconds=seconds,
            before=before,
            after=after,
            sd=sd,
            text=self.written(rounded),
            output=str(self.path),
            values=self.search.values(),
            spreads=self.spreads,
        )
        counted = game.extra(Features)
        features = [] if counted is None else counted.names
        weights = {parameter: value for parameter, value in rounded.items() if parameter in features}
        document = {**found.to_json(), "parameters": rounded, **({"weights": weights} if weights else {})}
        self.path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        best_so_far = list(accumulate(found.values, max))
        title = f"tuning {name}, {game.title}, {game.players} players"
        draw_curve(best_so_far, self.path.with_suffix(".png"), title, "evaluations", "best mean so far")
        return found


def search_curves(values: list[float], spreads: list[float | None], games: int) -> list[Curve]:
    """Every evaluation with its interval, and the best so far; none before the first."""
    if not values:
        return []
    tried = []
    for number, (value, sd) in enumerate(zip(values, spreads), start=1):
        half = None if sd is None else student(games - 1) * sd / games**0.5
        tried.append(CurvePoint(number, value, *(() if half is None else (value - half, value + half))))
    best = [CurvePoint(number, value) for number, value in enumerate(accumulate(values, max), start=1)]
    return [
        Curve(Text("tried"), Text("evaluations"), Text("mean"), tried),
        Curve(Text("best so far"), Text("evaluations"), Text("mean"), best),
    ]
