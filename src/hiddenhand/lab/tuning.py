"""Tuning: better numbers for an agent's parameters, by Bayesian optimisation.

Every evaluation plays the same deals, so that agents are compared and not deals. The best few are played again on
other deals, since the best of many is partly luck; the winner's figure comes from deals that nothing was chosen by.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from hiddenhand.core import resolver
from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.lab.figures import draw_curve
from hiddenhand.lab.interrupts import Interrupted
from hiddenhand.lab.match import Progress, match
from hiddenhand.learning.bayesian import Point, Search

FINALISTS = 12


@dataclass
class Tuning:
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

    def to_json(self) -> dict[str, Any]:
        return vars(self)

    def __str__(self) -> str:
        return (
            f"{self.agent} in {self.game} {self.options}: {self.evaluations} evaluations of {self.games} games, "
            f"{self.seconds:.0f} s\n"
            f"on new deals: {self.before:.2f} before, {self.after:.2f} after (sd of a game {self.sd:.2f})\n"
            f"{self.text}\n"
            f"saved in {self.output}; the course of the search in {Path(self.output).with_suffix('.png')}"
        )


def tune(
    game: str,
    agent: str,
    evaluations: int = 400,
    games: int = 600,
    seed: int = 1,
    output: str | Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> Tuning:
    """Tune every parameter of a compiled agent that has a lowest and a highest value; self-play, payoff of seat 0."""
    chosen = resolver.game(game, **options)
    start = resolver.agent(chosen, agent)
    bounds = {
        name: (float(setting.low), float(setting.high))
        for name, setting in start.settings.items()
        if setting.low is not None and setting.high is not None
    }
    if not isinstance(start, PolicyAgent) or not bounds:
        raise UserError(f"{agent} has no parameters that could be tuned")
    if evaluations < 2 or games < 2:
        raise UserError("tuning needs at least 2 evaluations of at least 2 games")
    path = Path(output or f"{start.name}{chosen.players}.json")
    journal = path.with_suffix(".journal")
    if not resume:
        journal.unlink(missing_ok=True)
    elif not journal.exists():
        raise UserError(f"there is nothing to resume: no file {journal}")
    mean = playing(chosen, start)
    search = Search(bounds, {name: float(start.values[name]) for name in bounds}, journal, seed)
    begin = time.perf_counter()
    try:
        search.run(
            lambda point: mean(point, games, seed)[0],
            evaluations,
            None if progress is None else lambda done, value: progress(done, evaluations),
        )
        finals = [(mean(point, 4 * games, seed + 1)[0], i) for i, point in enumerate(search.best(FINALISTS))]
    except KeyboardInterrupt:
        told = f"{search.done} of {evaluations} evaluations done; the same command with --resume goes on"
        raise Interrupted(told, f"evaluated so far: {search.done} points") from None
    best = search.best(FINALISTS)[max(finals)[1]]
    before = mean({}, 8 * games, seed + 2)[0]
    after, sd = mean(best, 8 * games, seed + 2)
    seconds = time.perf_counter() - begin
    rounded = {name: round(value, 4) for name, value in best.items()}
    text = f"{start.name}:" + ",".join(f"{name}={value}" for name, value in rounded.items())
    found = Tuning(
        chosen.name, dict(chosen.options), agent, evaluations, games, seconds, before, after, sd, text, str(path)
    )
    path.write_text(json.dumps({**found.to_json(), "parameters": rounded}, indent=1) + "\n", encoding="utf-8")
    title = f"tuning {start.name}, {chosen.title}, {chosen.players} players"
    course = list(accumulate(search.values(), max))
    draw_curve(course, path.with_suffix(".png"), title, "evaluations", "best mean so far")
    return found


def playing(game: Game, start: PolicyAgent) -> Callable[[Point, int, int], tuple[float, float]]:
    """The function to be made large: (mean, sd) of the payoff in so many games of self-play from a seed."""

    def mean(point: Point, games: int, seed: int) -> tuple[float, float]:
        player = PolicyAgent(game, start.policy, **{**start.values, **point})
        payoffs = match(game, [player] * game.players, games=games, seed=seed).payoffs[:, 0]
        return float(payoffs.mean()), float(payoffs.std(ddof=1))

    return mean
