"""Training: a learner plays with itself, game after game; it can be stopped and go on, and leaves a learning curve.

A game declares its learners, by name (`define(..., learners=...)`). A learner has

    learn(games)                    learns from so many games; where it plays with itself alone, returns their scores
    snapshot(), restore(arrays)     everything needed to go on
    save(path), player(best)        what it has learned: as a file, as an agent
    judged(mean)                    is told how well that plays, now and then
    step                            games between two looks at the clock
    opponent                        against whom it is tried out; "" in a game that is played together
    teacher, remarks()              where it has a teacher, and where it has more to say
    runner                          where it can let other processes play for it

In a game that is played together the curve is the mean score of the games learned from, and in the second half of the
training what was learned is tried out now and then. Against an opponent it is tried out from the beginning, on
duplicate deals: every deal in every seating, half of the seats for either. The curve is then its mean payoff.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.lab.executors import open_runner
from hiddenhand.lab.figures import draw_curve
from hiddenhand.lab.interrupts import Interrupted
from hiddenhand.lab.match import Progress, match
from hiddenhand.lab.statistics import Summary, summarise

STEP = 1000  # games between two looks at the clock, unless the learner says otherwise
SAVE_EVERY = 10.0  # seconds
TEST_GAMES = 2000
LAST_TEST_GAMES = 8000  # against an opponent
TRIES = 20  # in the second half


@dataclass
class Training:
    """What came of it: the curve, and a test on deals that were never learned from."""

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

    def to_json(self) -> dict[str, Any]:
        return vars(self)

    def __str__(self) -> str:
        tested = f"on {TEST_GAMES:,} new deals: mean {self.mean:.2f}, sd {self.sd:.2f}"
        if self.opponent:
            low, high = self.ci95
            tested = (
                f"against {self.opponent} on {LAST_TEST_GAMES // self.players:,} new deals in every seating: "
                f"mean payoff {self.mean:+.4f} (95 % interval {low:+.4f} to {high:+.4f})"
            )
        return "\n".join(
            [
                f"{self.learner} learned {self.game} with {self.players} players from {self.games:,} games "
                f"in {self.seconds:.0f} s",
                tested,
                *self.remarks,
                f"saved in {self.output}; the learning curve in {Path(self.output).with_suffix('.png')}",
            ]
        )


def train(
    game: str,
    learner: str,
    games: int | None = None,
    seed: int = 1,
    output: str | Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    teacher: str | None = None,
    workers: int = 1,
    **options: Any,
) -> Training:
    """Let a learner learn; what it has is saved every few seconds and on Ctrl-C."""
    chosen = resolver.game(game, **options)
    student = new_student(chosen, learner, games, seed, teacher)
    path = Path(output or f"{learner}{chosen.players}.npz")
    if workers == 1:
        return study(student, path, resume, progress)
    if not hasattr(student, "runner"):
        raise UserError(f"{learner} learns in one process")
    student.runner = open_runner(workers)
    try:
        return study(student, path, resume, progress)
    finally:
        student.runner.stop()


def study(student: Any, path: Path, resume: bool, progress: Progress | None) -> Training:
    """The whole training of a learner."""
    part = path.with_suffix(".part.npz")
    course = Course(student)
    if resume:
        course.load(part)
    student.learn(0)  # compiles
    course.start()
    try:
        while not course.over:
            course.go_on()
            if progress is not None:
                progress(student.done, student.wanted)
            if time.perf_counter() - course.saved > SAVE_EVERY:
                course.save(part)
    except KeyboardInterrupt:
        course.save(part)
        told = f"{student.done:,} of {student.wanted:,} games learned; the same command with --resume goes on"
        raise Interrupted(told, f"learned so far: {student.done:,} games") from None
    seconds = course.seconds()
    student.save(path)
    part.unlink(missing_ok=True)
    return finished(student, path, course.curve, seconds)


def new_student(game: Any, learner: str, games: int | None, seed: int, teacher: str | None) -> Any:
    """The learner of this name, before its first lesson."""
    kinds = resolver.offered(game.learners)
    if learner not in kinds:
        have = f"learners: {one_of(sorted(kinds))}" if kinds else "it has none"
        raise UserError(f"{game.name} has no learner {learner!r}{did_you_mean(learner, list(kinds))}; {have}")
    kind = kinds[learner]
    wanted = kind.games if games is None else games
    if wanted < kind.step:
        raise UserError(f"games must be at least {kind.step}, not {wanted}")
    if teacher is None:
        return kind(game, seed, wanted)
    if not hasattr(kind, "teacher"):
        raise UserError(f"{learner} learns without a teacher")
    return kind(game, seed, wanted, teacher=teacher)


class Course:
    """A training in progress: lessons, and a trial whenever one is due."""

    def __init__(self, student: Any) -> None:
        self.student = student
        self.curve: list[float] = []
        self.tried = 0
        """After how many games the latest trial was: one that is interrupted is made up for."""
        self.before = 0.0
        self.start()

    def start(self) -> None:
        self.started = self.saved = time.perf_counter()

    def seconds(self) -> float:
        return self.before + time.perf_counter() - self.started

    @property
    def trial_due(self) -> bool:
        student = self.student
        due = is_time_to_try(student.done, student.wanted, student.step, bool(student.opponent))
        return due and self.tried != student.done

    @property
    def over(self) -> bool:
        return self.student.done >= self.student.wanted and not self.trial_due

    def go_on(self) -> None:
        """One trial or one lesson."""
        student = self.student
        if self.trial_due:
            mean = play_test(student, student.player(), 500_009, TEST_GAMES).mean
            student.judged(mean)
            if student.opponent:
                self.curve.append(mean)
            self.tried = student.done
            return
        scores = student.learn(min(student.step, student.wanted - student.done))
        if not student.opponent:
            self.curve.append(float(scores.mean()))

    def save(self, part: Path) -> None:
        new = part.with_name(part.name + ".new.npz")
        course = (np.array(self.curve), np.array([self.tried]), np.array([self.seconds()]))
        np.savez(new, curve=course[0], tried=course[1], seconds=course[2], **self.student.snapshot())
        new.replace(part)
        self.saved = time.perf_counter()

    def load(self, part: Path) -> None:
        try:
            with np.load(part) as arrays:
                kept = {name: arrays[name] for name in arrays.files}
        except FileNotFoundError:
            raise UserError(f"there is nothing to resume: no file {part}") from None
        except (OSError, ValueError) as error:
            raise UserError(f"{part} cannot be read: {error}") from None
        if kept["done"].tolist()[1:] != [self.student.wanted, self.student.seed]:
            raise UserError(f"{part} is of another training: {kept['done'][1]} games, seed {kept['done'][2]}")
        self.student.restore(kept)
        self.curve = kept["curve"].tolist()
        self.tried = int(kept["tried"][0])
        self.before = float(kept["seconds"][0])


def finished(student: Any, path: Path, curve: list[float], seconds: float) -> Training:
    """Test on new deals (their seed differs from the learner's), draw the curve."""
    of, opponent = student.game, student.opponent
    tested = play_test(student, student.player(best=True), 1_000_003, LAST_TEST_GAMES if opponent else TEST_GAMES)
    title = f"{student.name}, {of.title}, {of.players} players"
    every = try_every(student.wanted, student.step) if opponent else student.step
    upwards = f"mean payoff against {opponent}" if opponent else "mean score"
    draw_curve(curve, path.with_suffix(".png"), title, "thousand games", upwards, every / 1000)
    remarks = student.remarks() if hasattr(student, "remarks") else []
    return Training(
        of.name, student.name, of.players, student.done, seconds, curve, every, opponent,
        tested.mean, tested.sd or 0.0, [tested.low or 0.0, tested.high or 0.0], str(path), remarks,
    )  # fmt: skip


def try_every(wanted: int, step: int) -> int:
    """Games between two trials: forty of them if the training were tried out from the beginning."""
    return max(1, wanted // (2 * TRIES * step)) * step


def is_time_to_try(done: int, wanted: int, step: int = STEP, always: bool = False) -> bool:
    """At the end, and twenty times in the second half; `always`: and twenty times in the first."""
    return done >= wanted or ((always or done > wanted // 2) and done % try_every(wanted, step) == 0)


def play_test(student: Any, player: Any, shift: int, games: int) -> Summary:
    """What the player gets on deals of another seed than the learner's: with itself, or in half of the seats."""
    seats, seed = student.game.players, student.seed + shift
    if not student.opponent:
        scores = match(student.game, [player] * seats, games=games, seed=seed).payoffs[:, 0]
        return summarise(scores)
    mine = seats // 2
    other = resolver.agent(student.game, student.opponent)
    tested = match(student.game, [player] * mine + [other] * (seats - mine), games, seed, duplicate=True)
    payoffs = tested.payoffs[:, :mine].mean(axis=1)
    return summarise(payoffs, tested.per_deal(payoffs))
