"""Training: a learner plays with itself, game after game; it can be stopped and go on, and leaves a learning curve.

A game declares its learners, by name (`define(..., learners=...)`). A learner has

    learn(games)                    learns from so many games; where it plays with itself alone, returns their scores
    snapshot(), restore(arrays)     everything needed to go on, copied
    save(path), player(best)        what it has learned: as a file, as an agent
    after_trial(mean)               is told how well that plays, now and then
    step                            games in a lesson
    opponent                        against whom it is tried out; "" in a game that is played together
    teacher, remarks()              where it has a teacher, and where it has more to say
    from_records(game, seed, records, teacher)   where it can learn from saved games: the learner that does
    observed                        how many games these are
    workers                         where it can let other processes play for it
    suffix, opening, trial_games, test_games    where its file, the moves drawn at random at the start of a tried
                                    game, or the games of a trial and of the test are not the usual ones
    settings                        where some numbers of its learning can be chosen: given to it by name
    unit, tries                     where it counts something else than games (moves, seconds), or is tried less often
    team(player)                    where it does not learn with itself: who sits where when it is tried out

In a game that is played together the curve is the mean score of the games learned from, and in the second half of the
training what was learned is tried out now and then. Against an opponent it is tried out from the beginning, on
duplicate deals: every deal in every seating, half of the seats for either. The curve is then its mean payoff.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.extras import Learners, load
from hiddenhand.core.features import Features
from hiddenhand.core.game import Game
from hiddenhand.core.record import Record
from hiddenhand.core.text import Text
from hiddenhand.lab.curves import Curve, CurvePoint, SoFar
from hiddenhand.lab.executors import open_workers
from hiddenhand.lab.figures import draw_curve
from hiddenhand.lab.match import match, open_store
from hiddenhand.lab.runner import Interrupted, Parts, Progress, Running, run
from hiddenhand.lab.saved_games import mark_of, saved_games
from hiddenhand.lab.statistics import Summary, summarise
from hiddenhand.learning.eval_weights import EVAL

if TYPE_CHECKING:
    from hiddenhand.lab.store import Store

STEP = 1000  # games in a lesson, unless the learner says otherwise
TEST_GAMES = 2000
LAST_TEST_GAMES = 8000  # against an opponent
TRIES = 20  # in the second half


@dataclass(frozen=True)
class TrainingPlan:
    """Who learns what, and from how much."""

    game: Game
    learner: str
    games: int | None = None
    """As many as the learner thinks right, if None."""
    seed: int = 1
    teacher: str | None = None
    """Whom it watches, if it learns from a teacher."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """How it learns, where the learner has such settings."""
    records: tuple[Record, ...] = ()
    """The games that it watches, if they are saved ones."""


@dataclass
class TrainingResult:
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
    tested_on: int = LAST_TEST_GAMES // 2
    """Deals of the test against an opponent."""
    curve_ci95: list[list[float | None]] = field(default_factory=list)
    """The 95 % interval of each value of the curve."""
    unit: str = Text("games")
    """What was counted."""

    def progress_curves(self) -> list[Curve]:
        return learning_curve(self.curve, self.curve_ci95, self.curve_step, self.opponent, self.unit)

    def to_json(self) -> dict[str, Any]:
        return vars(self)

    def __str__(self) -> str:
        tested = Text("on {n:,} new deals: mean {mean:.2f}, sd {sd:.2f}", n=TEST_GAMES, mean=self.mean, sd=self.sd)
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
        return Text.joined("\n", [learned, tested, *self.remarks, saved])


def train(  # noqa: PLR0913  (what a user may say; inside it is a plan)
    game: Game | str,
    learner: str,
    games: int | None = None,
    seed: int = 1,
    output: str | Path | None = None,
    store: Store | str | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    teacher: str | None = None,
    workers: int = 1,
    watch: Callable[[SoFar], None] | None = None,
    settings: Mapping[str, Any] | None = None,
    records: Sequence[str | Path] = (),
    **options: Any,
) -> TrainingResult:
    """Let a learner learn; what it has is kept in the store every few seconds and on Ctrl-C.

    Broken off, it leaves what was learned so far in a file beside the wanted one, its name with "-unfinished".

    records   files and folders of saved games to learn from, instead of games that are played for it
    """
    of = resolver.game(game, options)
    saved = tuple(saved_games(of, records)) if records else ()
    plan = TrainingPlan(of, learner, games, seed, teacher, settings or {}, saved)
    student = new_student(plan)
    path = Path(output or f"{learner}{plan.game.players}{getattr(student, 'suffix', '.npz')}")
    with open_store(store) as opened:
        running = Running(opened, resume, progress, watch, str(path))
        if workers > 1:
            if not hasattr(student, "workers"):
                raise UserError(Text("{learner} learns in one process", learner=learner))
            student.workers = open_workers(workers)
        work = TrainingWork(plan, student, path)
        try:
            found: TrainingResult = run(work, running)
            return found
        except Interrupted as stopped:
            stopped.message += work.save_unfinished()
            raise
        finally:
            if workers > 1:
                student.workers.stop()


def new_student(plan: TrainingPlan) -> Any:
    """The learner that is planned, before its first lesson."""
    kind = find_learner(plan)
    if plan.records:
        return kind.from_records(plan.game, plan.seed, plan.records, plan.teacher)
    wanted = kind.games if plan.games is None else plan.games
    teacher = {} if plan.teacher is None else {"teacher": plan.teacher}
    return kind(plan.game, plan.seed, wanted, **teacher, **plan.settings)


def find_learner(plan: TrainingPlan) -> Any:
    """The kind of learner that is planned; refused if there is none, or if it cannot learn so."""
    game, learner = plan.game, plan.learner
    kinds = {**general_learners(game), **game.extra(Learners, Learners({})).loaded()}
    if learner not in kinds:
        have = Text("it has none")
        if kinds:
            have = Text("learners: {names}", names=one_of(sorted(kinds)))
        raise UserError(
            Text(
                "{name} has no learner {learner}{guess}; {have}",
                name=game.name,
                learner=repr(learner),
                guess=did_you_mean(learner, list(kinds)),
                have=have,
            )
        )
    kind = loaded(kinds[learner], learner)
    if plan.records and not hasattr(kind, "from_records"):
        able = [name for name, each in sorted(kinds.items()) if hasattr(each, "from_records")]
        raise UserError(
            Text("{learner} does not learn from saved games; {able} can", learner=learner, able=one_of(able))
            if able
            else Text("{learner} does not learn from saved games", learner=learner)
        )
    if plan.records and plan.games is not None:
        raise UserError(Text("the saved games say how many there are: leave out the number of games"))
    if plan.games is not None and plan.games < kind.step:
        raise UserError(Text("games must be at least {least}, not {n}", least=kind.step, n=plan.games))
    if plan.teacher is not None and not hasattr(kind, "teacher"):
        raise UserError(Text("{learner} learns without a teacher", learner=learner))
    if plan.settings and not hasattr(kind, "settings"):
        raise UserError(Text("{learner} has no settings", learner=learner))
    return kind


def general_learners(game: Game) -> dict[str, str]:
    """Those that learn any game of some kind, by name: where they are."""
    weights = {} if game.extra(Features) is None else {EVAL: "hiddenhand.learning.eval_weights:EvalLearner"}
    return {"ppo": "hiddenhand.learning.ppo:PPO", **weights}


def loaded(kind: Any, name: str) -> Any:
    """A kind of learner; some need more than hiddenhand itself."""
    try:
        return load(kind) if isinstance(kind, str) else kind
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise UserError(Text('{name} needs PyTorch: pip install "hiddenhand[learn]"', name=name)) from None


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


class TrainingWork:
    """A training for the runner: lessons, a trial whenever one is due, and a test in the end.

    A lesson changes the learner while it goes on. So what counts is `state`, what the learner was after the last
    lesson that was added: a lesson that is broken off leaves no trace there.
    """

    kind = "training"
    result_type = TrainingResult

    def __init__(self, plan: TrainingPlan, student: Any, path: Path) -> None:
        self.planned = plan
        self.student = student
        self.unit = getattr(student, "unit", Text("games"))
        self.tries = getattr(student, "tries", TRIES)
        self.path = path
        self.state: Mapping[str, Any] = {}
        """Before the first lesson there is nothing to keep."""
        self.done = 0
        self.curve: list[float] = []
        self.spans: list[list[float | None]] = []
        """The 95 % intervals of the curve."""
        self.tried = 0
        """After how many games the latest trial was."""
        self.test: Summary | None = None

    @property
    def plan(self) -> dict[str, Any]:
        game = self.planned.game
        return {
            "game": game.origin.spec,
            "rules": game.rules.key,
            "version": game.version,
            "options": dict(game.options),
            "learner": self.planned.learner,
            "games": self.student.wanted,
            "seed": self.planned.seed,
            "teacher": self.planned.teacher,
            "settings": dict(self.planned.settings),
            **({"records": mark_of(self.planned.records)} if self.planned.records else {}),
        }

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

    def prepare(self) -> None:
        self.student.learn(0)  # compiles

    def step(self) -> Lesson | Trial:
        student = self.student
        if self.trial_due:
            return Trial(play_test(student, student.player(), 500_009, getattr(student, "trial_games", TEST_GAMES)))
        if self.done < self.wanted:
            scores = student.learn(min(student.step, self.wanted - self.done))
            return Lesson(copied(student), scores)
        games = getattr(student, "test_games", LAST_TEST_GAMES if student.opponent else TEST_GAMES)
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
            self.tried = self.done
            self.state = copied(student)

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

    def result(self, seconds: float) -> TrainingResult | SoFar:
        student, of, test = self.student, self.planned.game, self.test
        every = try_every(self.wanted, student.step, self.tries) if student.opponent else student.step
        if test is None:
            curves = learning_curve(self.curve, self.spans, every, student.opponent, self.unit)
            return SoFar(Text("learned so far: {n:,} {unit}", n=self.done, unit=self.unit), curves)
        student.save(self.path)
        self.unfinished.unlink(missing_ok=True)
        upwards = measured_against(student.opponent)
        title = f"{student.name}, {of.title}, {of.players} players"
        draw_curve(self.curve, self.path.with_suffix(".png"), title, f"thousand {self.unit}", upwards, every / 1000)
        return TrainingResult(
            game=of.name,
            learner=student.name,
            players=of.players,
            games=getattr(student, "observed", self.done),
            seconds=seconds,
            curve=self.curve,
            curve_step=every,
            opponent=student.opponent,
            mean=test.mean,
            sd=test.sd or 0.0,
            ci95=[test.low or 0.0, test.high or 0.0],
            output=str(self.path),
            remarks=student.remarks() if hasattr(student, "remarks") else [],
            tested_on=getattr(student, "test_games", LAST_TEST_GAMES) // of.players,
            curve_ci95=self.spans,
            unit=self.unit,
        )


def learning_curve(
    values: list[float], spans: list[list[float | None]], step: int, opponent: str, unit: str
) -> list[Curve]:
    """The curve as it is drawn; none before its first point."""
    points = [
        CurvePoint(step * number, value, low, high)
        for number, (value, (low, high)) in enumerate(zip(values, spans), start=1)
    ]
    return [Curve(Text("learning"), unit, measured_against(opponent), points)] if points else []


def measured_against(opponent: str) -> str:
    """What the curve measures."""
    return Text("mean payoff against {opponent}", opponent=opponent) if opponent else Text("mean score")


def copied(student: Any) -> Mapping[str, Any]:
    """What the learner is now, whatever becomes of it."""
    return {name: np.array(value) for name, value in student.snapshot().items()}


def try_every(wanted: int, step: int, tries: int = TRIES) -> int:
    """Games between two trials: twice as many as `tries` if the training were tried out from the beginning."""
    return max(1, wanted // (2 * tries * step)) * step


def is_time_to_try(done: int, wanted: int, step: int = STEP, always: bool = False, tries: int = TRIES) -> bool:
    """At the end, and `tries` times in the second half; `always`: and as often in the first."""
    return done >= wanted or ((always or done > wanted // 2) and done % try_every(wanted, step, tries) == 0)


def play_test(student: Any, player: Any, shift: int, games: int) -> Summary:
    """What the player gets on deals of another seed than the learner's: with itself, or in half of the seats."""
    seats, seed = student.game.players, student.seed + shift
    if not student.opponent:
        team = student.team(player) if hasattr(student, "team") else [player] * seats
        return summarise(match(student.game, team, games=games, seed=seed, rotate=True).payoffs[:, 0])
    mine = seats // 2
    other = resolver.agent(student.game, student.opponent)
    opening = getattr(student, "opening", 0)
    players = [player] * mine + [other] * (seats - mine)
    tested = match(student.game, players, games, seed, duplicate=True, opening=opening)
    payoffs = tested.payoffs[:, :mine].mean(axis=1)
    return summarise(payoffs, tested.per_deal(payoffs))
