"""Training: a learner plays with itself, game after game; it can be stopped and go on, and leaves a learning curve.

In a game that is played together the curve is the mean score of the games learned from, and in the second half of the
training what was learned is tried out now and then. Against an opponent it is tried out from the beginning, on
duplicate deals: every deal in every seating, half of the seats for either. The curve is then its mean payoff.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from hiddenhand.core import resolver
from hiddenhand.core.agent import Agent
from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.extras import Learners, load
from hiddenhand.core.features import Features
from hiddenhand.core.game import Game
from hiddenhand.core.processes import Workers
from hiddenhand.core.record import Record
from hiddenhand.core.saved_games import mark_of, saved_games
from hiddenhand.core.settings import parse_pairs
from hiddenhand.core.text import Text
from hiddenhand.lab.curves import Curve, CurvePoint, SoFar
from hiddenhand.lab.figures import draw_curve
from hiddenhand.lab.lab_result import LabResult
from hiddenhand.lab.match import match
from hiddenhand.lab.plans import SEED, GamePlan, PageField, PlanParameter
from hiddenhand.lab.runner import Interrupted, Parts, Running, run
from hiddenhand.lab.statistics import Summary, summarise
from hiddenhand.lab.tables import shortened
from hiddenhand.lab.training_log import new_log, write_curves
from hiddenhand.lab.work_kinds import PageSupport, agent_with_file, work
from hiddenhand.learning.eval_weights import EVAL
from hiddenhand.learning.learner import TEST_GAMES, TRIAL_GAMES, Learner, completed
from hiddenhand.search.solving.asking import exploitability_at_once, small_form
from hiddenhand.search.solving.sequence_form import SequenceForm

STEP = Learner.step
TRIES = Learner.tries


@dataclass(frozen=True)
class TrainingPlan(GamePlan):
    """Who learns what, and from how much."""

    learner: Annotated[
        str,
        PlanParameter(
            "What learns, such as reinforced.",
            argument=True,
            metavar="LEARNER",
            page=PageField(Text("who learns"), "learner"),
        ),
    ]
    games: Annotated[
        int | None,
        PlanParameter(
            "Games to learn from. [as many as the learner thinks right]",
            flags=("--games", "-n"),
            page=PageField(Text("games to learn from"), most=500_000, usual=20_000),
        ),
    ] = None
    seed: Annotated[int, SEED] = 1
    teacher: Annotated[
        str | None,
        PlanParameter(
            "Whom it watches, if it learns from a teacher.",
            metavar="AGENT",
            page=PageField(Text("teacher"), "teacher"),
        ),
    ] = None
    settings: Annotated[
        Mapping[str, Any],
        PlanParameter(
            "How it learns, such as partners=trustful; may be repeated.", flags=("--set",), metavar="NAME=VALUE"
        ),
    ] = field(default_factory=dict)
    records: Annotated[
        Sequence[str | Path | Record],
        PlanParameter(
            "Saved games to learn from: a file or a folder; may be repeated. Then --teacher says whose moves: an "
            "agent, or person. [those of people; everybody's where no people play]",
            flags=("--from",),
            metavar="RECORDS",
        ),
    ] = ()
    steps: Annotated[int | None, PlanParameter("Moves to learn from, where moves are counted (ppo).")] = None
    seconds: Annotated[int | None, PlanParameter("How long to learn, where that is counted (ppo).", metavar="S")] = (
        None
    )
    device: Annotated[str | None, PlanParameter("Where to learn: cpu or cuda (ppo).", metavar="DEVICE")] = None
    log: Annotated[
        str | None,
        PlanParameter("Where the curves go as well: tensorboard:FOLDER or wandb:PROJECT.", metavar="WHERE"),
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        given = self.settings
        if not isinstance(given, Mapping):  # from a command line
            given = parse_pairs(",".join(given), self.learner, "setting")
        named = {"steps": self.steps, "seconds": self.seconds, "device": self.device}
        self.set(settings={**given, **{name: str(value) for name, value in named.items() if value is not None}})
        paths = [each for each in self.records if not isinstance(each, Record)]
        self.set(records=tuple(saved_games(self.game, paths)) if paths else tuple(self.records))

    @property
    def saved(self) -> list[Record]:
        """The games that it watches, if they are saved ones."""
        return [each for each in self.records if isinstance(each, Record)]

    def command(self) -> str:
        """The command that trains so, without the name of the file that it writes."""
        words = ["hiddenhand", "train", self.game.origin.spec, self.learner, "--seed", str(self.seed)]
        for name, value in self.game.options.items():
            words += ["--option", f"{name}={value}"]
        for name in ("games", "teacher"):
            if getattr(self, name) is not None:
                words += [f"--{name}", str(getattr(self, name))]
        for name, value in self.settings.items():
            words += ["--set", f"{name}={value}"]
        return shlex.join(words)

    def to_json(self) -> dict[str, Any]:
        found = super().to_json()
        for name in ("steps", "seconds", "device", "records", "log"):
            del found[name]
        return {**found, **({"records": mark_of(self.saved)} if self.records else {})}


@dataclass(repr=False)
class TrainingResult(LabResult):
    """The result of a training: the learning curve, and a test on deals that were never learned from."""

    game: str
    learner: str
    players: int
    games: int
    seconds: float
    curve: list[float]
    """Mean score of each thousand games; or the mean payoff against the opponent after every `curve_step` games."""
    curve_step: int
    opponent: str
    mean: float
    sd: float
    ci95: list[float]
    output: str
    remarks: list[str] = field(default_factory=list)
    tested_on: int = TEST_GAMES // 2
    """Deals of the test against an opponent."""
    curve_ci95: list[list[float | None]] = field(default_factory=list)
    """The 95 % interval of each value of the curve."""
    unit: str = Text("games")
    """What was counted."""
    exploitability: list[float] = field(default_factory=list)
    """After every `curve_step`, in a small game of two with hidden information."""

    def progress_curves(self) -> list[Curve]:
        measured = self.curve, self.curve_ci95, self.exploitability
        return learning_curves(*measured, self.curve_step, self.opponent, self.unit)

    def headline(self) -> str:
        known: dict[str, Any] = {"learner": self.learner, "mean": self.mean}
        if not self.opponent:
            return Text("{learner}: {mean:.3f}", **known)
        return Text("{learner}: {mean:.3f} against {opponent}", **known, opponent=shortened(self.opponent))

    def player(self, game: Game, file: str) -> str:
        return agent_with_file(game, self.learner, "file", file)

    def to_json(self) -> dict[str, Any]:
        return vars(self)

    def __str__(self) -> str:
        tested = Text("on {n:,} new deals: mean {mean:.2f}, sd {sd:.2f}", n=TRIAL_GAMES, mean=self.mean, sd=self.sd)
        if self.opponent:
            low, high = self.ci95
            tested = Text(
                "against {opponent} on {n:,} new deals in every seating: "
                "mean payoff {mean:+.4f} (95 % interval {low:+.4f} to {high:+.4f})",
                opponent=self.opponent,
                n=self.tested_on,
                mean=self.mean,
                low=low,
                high=high,
            )
        learned = Text(
            "{learner} learned {game} with {players} players for {n:,} {unit} in {seconds:.0f} s"
            if self.unit == "seconds"
            else "{learner} learned {game} with {players} players from {n:,} {unit} in {seconds:.0f} s",
            learner=self.learner,
            game=self.game,
            players=self.players,
            n=self.games,
            unit=self.unit,
            seconds=self.seconds,
        )
        saved = Text(
            "saved in {file}; the learning curve in {figure}",
            file=self.output,
            figure=Path(self.output).with_suffix(".png"),
        )
        if self.exploitability:
            gap = Text("exploitability {gap:.4g}", gap=self.exploitability[-1])
            tested = Text.joined("\n", [tested, gap])
        return Text.joined("\n", [learned, tested, *self.remarks, saved])


def require_learner(game: Game, order: Any) -> None:
    """Refuse a learner that the game does not have, or that cannot learn so."""
    find_learner(TrainingPlan(game, order.learner, order.games, order.seed, order.teacher))


@work(
    "train",
    TrainingPlan,
    output="Where to write the result.",
    page=PageSupport(
        Text("training"),
        offered=lambda game: bool(game.extra(Learners, Learners({})).declared),
        require=require_learner,
        file="trained.npz",
    ),
)
def train(plan: TrainingPlan, running: Running, pool: Workers) -> TrainingResult:
    """Let an agent learn a game, by playing it with itself, by watching a teacher, or from saved games.

    What it has learned is kept in the store every few seconds and on Ctrl-C; --resume goes on. A learning curve is
    drawn. Broken off, it leaves what was learned so far in a file beside the wanted one, its name with "-unfinished".
    """
    student = new_student(plan)
    path = Path(running.output or f"{plan.learner}{plan.game.players}{student.suffix}")
    if not pool.here:
        if not student.takes_workers:
            raise UserError("{learner} learns in one process", learner=plan.learner)
        student.workers = pool
    training = TrainingWork(plan, student, path)
    try:
        found: TrainingResult = run(training, replace(running, output=str(path)))
    except Interrupted as stopped:
        stopped.message += training.save_unfinished()
        raise
    return found


def new_student(plan: TrainingPlan) -> Learner:
    """The learner that is planned, before its first lesson."""
    kind = find_learner(plan)
    if plan.records:
        return kind.from_records(plan.game, plan.seed, plan.saved, plan.teacher)
    wanted = kind.games if plan.games is None else plan.games
    teacher = {} if plan.teacher is None else {"teacher": plan.teacher}
    return kind(plan.game, plan.seed, wanted, **teacher, **plan.settings)


def find_learner(plan: TrainingPlan) -> type[Learner]:
    """The kind of learner that is planned; refused if there is none, or if it cannot learn so."""
    game, learner = plan.game, plan.learner
    kinds = {**general_learners(game), **game.extra(Learners, Learners({})).loaded()}
    if learner not in kinds:
        have = Text("it has none")
        if kinds:
            have = Text("learners: {names}", names=one_of(sorted(kinds)))
        raise UserError(
            "{name} has no learner {learner}{guess}; {have}",
            name=game.name,
            learner=repr(learner),
            guess=did_you_mean(learner, list(kinds)),
            have=have,
        )
    kind = loaded(kinds[learner], learner)
    if plan.records and not kind.learns_from_records:
        able = [
            name
            for name, each in sorted(kinds.items())
            if not isinstance(each, str) and completed(each).learns_from_records
        ]
        raise UserError(
            Text("{learner} does not learn from saved games; {able} can", learner=learner, able=one_of(able))
            if able
            else Text("{learner} does not learn from saved games", learner=learner)
        )
    if plan.records and plan.games is not None:
        raise UserError("the saved games say how many there are: leave out the number of games")
    if plan.games is not None and plan.games < kind.step:
        raise UserError("games must be at least {least}, not {n}", least=kind.step, n=plan.games)
    if plan.teacher is not None and kind.teacher is None:
        raise UserError("{learner} learns without a teacher", learner=learner)
    if plan.settings and not kind.settings:
        raise UserError("{learner} has no settings", learner=learner)
    return kind


def general_learners(game: Game) -> dict[str, str]:
    """Those that learn any game of some kind, by name: where they are."""
    weights = {} if game.extra(Features) is None else {EVAL: "hiddenhand.learning.eval_weights:EvalLearner"}
    return {
        "dmc": "hiddenhand.learning.monte_carlo:DeepMonteCarlo",
        "mmd": "hiddenhand.learning.ppo:MMD",
        "nashpg": "hiddenhand.learning.ppo:NashPG",
        "ppo": "hiddenhand.learning.ppo:PPO",
        **weights,
    }


def loaded(kind: type | str, name: str) -> type[Learner]:
    """A kind of learner; some need more than hiddenhand itself."""
    try:
        return completed(load(kind) if isinstance(kind, str) else kind)
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise UserError('{name} needs PyTorch: pip install "hiddenhand[learn]"', name=name) from None


@dataclass
class Lesson:
    """What a lesson has made of the learner."""

    state: Mapping[str, Any]
    scores: np.ndarray[Any, Any] | None


@dataclass
class Trial:
    """How well that plays which was learned so far; the last trial of all is the test."""

    outcome: Summary
    is_test: bool = False
    exploitability: float | None = None


class TrainingWork:
    """A training for the runner: lessons, a trial whenever one is due, and a test in the end.

    A lesson changes the learner while it goes on. So what counts is `state`, what the learner was after the last
    lesson that was added: a lesson that is broken off leaves no trace there.
    """

    kind = "training"
    result_type = TrainingResult

    def __init__(self, plan: TrainingPlan, student: Learner, path: Path) -> None:
        self.planned = plan
        self.student = student
        self.unit = student.unit
        self.tries = student.tries
        self.path = path
        self.state: Mapping[str, Any] = {}
        """Before the first lesson there is nothing to keep."""
        self.done = 0
        self.curve: list[float] = []
        self.spans: list[list[float | None]] = []
        """The 95 % intervals of the curve."""
        self.exploitability: list[float] = []
        self.tried = 0
        """After how many games the latest trial was."""
        self.log = new_log(plan.log, self.plan) if plan.log else None
        self.logged: Counter[str] = Counter()
        """Points of each curve that `log` has been told."""
        self.test: Summary | None = None

    @property
    def plan(self) -> dict[str, Any]:
        return {**self.planned.to_json(), "games": self.student.wanted}

    @property
    def wanted(self) -> int:
        return int(self.student.wanted)

    @property
    def over(self) -> bool:
        return self.test is not None

    @property
    def trial_due(self) -> bool:
        due = is_time_to_try(self.done, self.wanted, self.student.step, bool(self.student.opponent), self.tries)
        return due and self.tried != self.done

    @cached_property
    def form(self) -> SequenceForm | None:
        """By which exploitability is measured, where that is quickly done."""
        return small_form(self.planned.game)

    def prepare(self) -> None:
        self.student.learn(0)  # compiles

    def step(self) -> Lesson | Trial:
        student = self.student
        if self.trial_due:
            player = student.player()
            gap = None if self.form is None else exploitability_at_once(self.form, player)
            return Trial(play_test(student, player, 500_009, student.trial_games), exploitability=gap)
        if self.done < self.wanted:
            scores = student.learn(min(student.step, self.wanted - self.done))
            return Lesson(copied(student), scores)
        games = student.test_games or (TEST_GAMES if student.opponent else TRIAL_GAMES)
        return Trial(play_test(student, student.player(best=True), 1_000_003, games), is_test=True)

    def add(self, piece: Lesson | Trial) -> None:
        student = self.student
        if isinstance(piece, Lesson):
            self.done = student.done
            if not student.opponent:
                assert piece.scores is not None
                if len(piece.scores):  # no game may have ended
                    self.extend(summarise(piece.scores))
                else:
                    self.extend(Summary(0, self.curve[-1] if self.curve else 0.0, None, None, None))
            self.state = piece.state
        elif piece.is_test:
            self.test = piece.outcome
        else:
            student.after_trial(piece.outcome.mean)
            if student.opponent:
                self.extend(piece.outcome)
            if piece.exploitability is not None:
                self.exploitability.append(piece.exploitability)
            self.tried = self.done
            self.state = copied(student)
        self.tell_log()

    def tell_log(self) -> None:
        """Tell the log of `--log` the points that are new."""
        for curve in self.curves if self.log else []:
            assert self.log is not None
            for point in curve.points[self.logged[curve.name] :]:
                self.log(str(curve.name), point.step, point.value)
            self.logged[curve.name] = len(curve.points)

    def extend(self, measured: Summary) -> None:
        """The next point of the curve."""
        self.curve.append(measured.mean)
        self.spans.append(measured.interval)

    def snapshot(self) -> Parts:
        test = None if self.test is None else vars(self.test)
        return {
            "learner": self.state,
            "course": {
                "done": self.done,
                "curve": self.curve,
                "spans": self.spans,
                "exploitability": self.exploitability,
                "tried": self.tried,
                "test": test,
            },
        }

    def restore(self, parts: Parts) -> None:
        course = parts["course"]
        self.state = parts["learner"]
        if self.state:
            self.student.restore(self.state)
        self.done, self.curve, self.tried = course["done"], course["curve"], course["tried"]
        self.spans = course.get("spans", [[None, None] for _ in self.curve])  # those of an earlier version have none
        self.exploitability = course.get("exploitability", [])
        self.test = None if course["test"] is None else Summary(**course["test"])

    def save_unfinished(self) -> str:
        """Write what was learned so far beside the wanted file; says where, or nothing if nothing was learned."""
        if not self.state or self.over:
            return ""
        self.student.restore(self.state)
        self.student.save(self.unfinished)
        return Text("; what was learned so far is in {file}", file=self.unfinished)

    @property
    def unfinished(self) -> Path:
        """The file for what was learned when the training was broken off; it goes when the training is finished."""
        return self.path.with_stem(f"{self.path.stem}-unfinished")

    @property
    def curve_step(self) -> int:
        """How many games lie between two points of the curve."""
        student = self.student
        return try_every(self.wanted, student.step, self.tries) if student.opponent else student.step

    @property
    def curves(self) -> list[Curve]:
        measured = self.curve, self.spans, self.exploitability
        return learning_curves(*measured, self.curve_step, self.student.opponent, self.unit)

    def result(self, seconds: float) -> TrainingResult | SoFar:
        student, of, test, every = self.student, self.planned.game, self.test, self.curve_step
        if test is None:
            return SoFar(Text("learned so far: {n:,} {unit}", n=self.done, unit=self.unit), self.curves)
        student.card = {
            "command": self.planned.command(),
            "tested_against": student.opponent,
            "mean": test.mean,
            "ci95": [test.low, test.high],
            **({"exploitability": self.exploitability[-1]} if self.exploitability else {}),
        }
        student.save(self.path)
        self.unfinished.unlink(missing_ok=True)
        write_curves(self.curves, self.path.with_suffix(".csv"))
        upwards = measured_against(student.opponent)
        title = f"{student.name}, {of.title}, {of.players} players"
        draw_curve(self.curve, self.path.with_suffix(".png"), title, f"thousand {self.unit}", upwards, every / 1000)
        return TrainingResult(
            game=of.name,
            learner=student.name,
            players=of.players,
            games=student.observed,
            seconds=seconds,
            curve=self.curve,
            curve_step=every,
            opponent=student.opponent,
            mean=test.mean,
            sd=test.sd or 0.0,
            ci95=[test.low or 0.0, test.high or 0.0],
            output=str(self.path),
            remarks=student.remarks(),
            tested_on=(student.test_games or TEST_GAMES) // of.players,
            curve_ci95=self.spans,
            unit=self.unit,
            exploitability=self.exploitability,
        )


def learning_curves(
    values: list[float], spans: list[list[float | None]], gaps: list[float], step: int, opponent: str, unit: str
) -> list[Curve]:
    """The curves as they are drawn; none before its first point. `gaps`: exploitability, where it is measured."""
    points = [
        CurvePoint(step * number, value, low, high)
        for number, (value, (low, high)) in enumerate(zip(values, spans), start=1)
    ]
    exploitability = [CurvePoint(step * number, gap) for number, gap in enumerate(gaps, start=1)]
    found = [
        Curve(Text("learning"), unit, measured_against(opponent), points),
        Curve(Text("exploitability"), unit, Text("exploitability"), exploitability),
    ]
    return [curve for curve in found if curve.points]


def measured_against(opponent: str) -> str:
    """What the curve measures."""
    return Text("mean payoff against {opponent}", opponent=opponent) if opponent else Text("mean score")


def copied(student: Learner) -> Mapping[str, Any]:
    """What the learner is now, whatever becomes of it."""
    return {name: np.array(value) for name, value in student.snapshot().items()}


def try_every(wanted: int, step: int, tries: int = TRIES) -> int:
    """Games between two trials: twice as many as `tries` if the training were tried out from the beginning."""
    return max(1, wanted // (2 * tries * step)) * step


def is_time_to_try(done: int, wanted: int, step: int = STEP, always: bool = False, tries: int = TRIES) -> bool:
    """At the end, and `tries` times in the second half; `always`: and as often in the first."""
    return done >= wanted or ((always or done > wanted // 2) and done % try_every(wanted, step, tries) == 0)


def play_test(student: Learner, player: Agent, shift: int, games: int) -> Summary:
    """What the player gets on deals of another seed than the learner's: with itself, or in half of the seats."""
    seats, seed = student.game.players, student.seed + shift
    if not student.opponent:
        team = student.team(player)
        return summarise(match(student.game, team, games=games, seed=seed, rotate=True).payoffs[:, 0])
    mine = seats // 2
    other = resolver.agent(student.game, student.opponent)
    players = [player] * mine + [other] * (seats - mine)
    tested = match(student.game, players, games, seed, duplicate=True, opening=student.opening)
    payoffs = tested.payoffs[:, :mine].mean(axis=1)
    return summarise(payoffs, tested.per_deal(payoffs))
