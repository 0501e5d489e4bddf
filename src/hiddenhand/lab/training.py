"""Training: a learner plays with itself, game after game; it can be stopped and go on, and leaves a learning curve.

A game offers learners in a module `learning` of its package: `LEARNERS`, by name. A learner has `learn(games)`, which
returns the scores of the games it played, `snapshot()` and `restore(arrays)`, `save(path)` and `player()`. In the
second half of the training what it has learned is tried out now and then, and it is told how well that went
(`judged`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core import registry
from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.lab.figures import draw_curve
from hiddenhand.lab.interrupts import Interrupted
from hiddenhand.lab.match import Progress, match
from hiddenhand.lab.result import MatchResult

STEP = 1000  # games between two looks at the clock
SAVE_EVERY = 10.0  # seconds
TEST_GAMES = 2000
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
    """Mean score of each thousand games."""
    mean: float
    sd: float
    output: str

    def to_json(self) -> dict[str, Any]:
        return vars(self)

    def __str__(self) -> str:
        return (
            f"{self.learner} learned {self.game} with {self.players} players from {self.games:,} games "
            f"in {self.seconds:.0f} s\n"
            f"on {TEST_GAMES:,} new deals: mean {self.mean:.2f}, sd {self.sd:.2f}\n"
            f"saved in {self.output}; the learning curve in {Path(self.output).with_suffix('.png')}"
        )


def learners(game: str) -> dict[str, Any]:
    """The learners that a game offers."""
    module = f"{registry.GAMES}.{game}.learning"
    try:
        known = find_spec(module) is not None
    except ModuleNotFoundError:
        known = False
    return dict(import_module(module).LEARNERS) if known else {}


def train(
    game: str,
    learner: str,
    games: int | None = None,
    seed: int = 1,
    output: str | Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> Training:
    """Let a learner learn; what it has is saved every few seconds and on Ctrl-C."""
    chosen = registry.game(game, **options)
    kinds = learners(chosen.name)
    if learner not in kinds:
        have = f"learners: {one_of(sorted(kinds))}" if kinds else "it has none"
        raise UserError(f"{game} has no learner {learner!r}{did_you_mean(learner, list(kinds))}; {have}")
    wanted = kinds[learner].games if games is None else games
    if wanted < STEP:
        raise UserError(f"games must be at least {STEP}, not {wanted}")
    path = Path(output or f"{learner}{chosen.players}.npz")
    student = kinds[learner](chosen, seed, wanted)
    part = path.with_suffix(".part.npz")
    curve: list[float] = []
    seconds = 0.0
    if resume:
        curve, seconds = load(student, part)
    student.learn(0)  # compiles
    start = saved = time.perf_counter()
    try:
        while student.done < student.wanted:
            curve.append(float(student.learn(min(STEP, student.wanted - student.done)).mean()))
            if progress is not None:
                progress(student.done, student.wanted)
            if is_time_to_try(student.done, student.wanted):
                student.judged(mean_score(student, student.player(), 500_009))
            if time.perf_counter() - saved > SAVE_EVERY:
                save(student, part, curve, seconds + time.perf_counter() - start)
                saved = time.perf_counter()
    except KeyboardInterrupt:
        save(student, part, curve, seconds + time.perf_counter() - start)
        told = f"{student.done:,} of {student.wanted:,} games learned; the same command with --resume goes on"
        raise Interrupted(told, f"learned so far: {student.done:,} games") from None
    seconds += time.perf_counter() - start
    student.save(path)
    part.unlink(missing_ok=True)
    return finished(student, path, curve, seconds)


def finished(student: Any, path: Path, curve: list[float], seconds: float) -> Training:
    """Test on new deals (their seed differs from the learner's), draw the curve."""
    of = student.game
    tested = play_test(student, student.player(best=True), 1_000_003)
    title = f"{student.name}, {of.title}, {of.players} players"
    draw_curve(curve, path.with_suffix(".png"), title, "thousand games", "mean score")
    scores = tested.payoffs[:, 0]
    return Training(
        of.name, student.name, of.players, student.done, seconds, curve,
        float(scores.mean()), float(scores.std(ddof=1)), str(path),
    )  # fmt: skip


def is_time_to_try(done: int, wanted: int) -> bool:
    """At the end, and twenty times in the second half."""
    every = max(1, wanted // (2 * TRIES * STEP)) * STEP
    return done >= wanted or (done > wanted // 2 and done % every == 0)


def play_test(student: Any, player: Any, shift: int) -> MatchResult:
    """Games on deals of another seed than the learner's."""
    return match(student.game, [player] * student.game.players, games=TEST_GAMES, seed=student.seed + shift)


def mean_score(student: Any, player: Any, shift: int) -> float:
    return float(play_test(student, player, shift).payoffs[:, 0].mean())


def save(student: Any, part: Path, curve: list[float], seconds: float) -> None:
    new = part.with_name(part.name + ".new.npz")
    np.savez(new, curve=np.array(curve), seconds=np.array([seconds]), **student.snapshot())
    new.replace(part)


def load(student: Any, part: Path) -> tuple[list[float], float]:
    try:
        with np.load(part) as arrays:
            kept = {name: arrays[name] for name in arrays.files}
    except FileNotFoundError:
        raise UserError(f"there is nothing to resume: no file {part}") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{part} cannot be read: {error}") from None
    if kept["done"].tolist()[1:] != [student.wanted, student.seed]:
        raise UserError(f"{part} is of another training: {kept['done'][1]} games, seed {kept['done'][2]}")
    student.restore(kept)
    return kept["curve"].tolist(), float(kept["seconds"][0])
