"""Solving a game: one of the methods, carried on until it is good enough.

strategy = solve(game("leduc"), 1000, "cfr+")
"""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import copy
from typing import Any, Protocol

import numpy as np

from hiddenhand.core.errors import UserError, did_you_mean
from hiddenhand.core.game import Game
from hiddenhand.search.solving.fictitious_play import FictitiousPlay
from hiddenhand.search.solving.mirror_descent import MirrorDescent
from hiddenhand.search.solving.monte_carlo import MonteCarlo
from hiddenhand.search.solving.regret_minimisation import VARIANTS, RegretMinimiser
from hiddenhand.search.solving.sequence_form import Floats, SequenceForm, evaluate
from hiddenhand.search.solving.strategy import Strategy, sequence_form

Progress = Callable[[int, float], None]
SAMPLING = ("mccfr-external", "mccfr-outcome")
METHODS = (*VARIANTS, "mmd", "fictitious-play", *SAMPLING)


class Solver(Protocol):
    """A method in progress."""

    iteration: int
    sums: Any
    """A named tuple of all arrays that it changes."""

    def run(self, iterations: int) -> None: ...


class SolverOnForm(Solver, Protocol):
    """A method that works on the sequence form."""

    form: SequenceForm

    def strategy(self) -> Floats:
        """The probability of every sequence."""


def new_solver(game: Game, method: str, seed: int = 0) -> Solver:
    """A method at its beginning."""
    if method not in METHODS:
        raise UserError(
            "there is no method called {name}{guess}; there are {list}",
            name=repr(method),
            guess=did_you_mean(method, list(METHODS)),
            list=", ".join(METHODS),
        )
    if game.players != 2 or game.utility != "zero-sum":
        raise UserError(
            "{name} is not a zero-sum game of two players: no method here finds an equilibrium of it", name=game.name
        )
    if not game.hidden:
        raise UserError("nothing is hidden in {name}: a search such as alphabeta is enough", name=game.name)
    if method in SAMPLING:
        return MonteCarlo(game, method, seed)
    form = sequence_form(game)
    if not form.zero_sum:
        raise UserError("{name} is not zero-sum: the payoffs of a finished game do not add up to 0", name=game.name)
    if method == "mmd":
        return MirrorDescent(form)
    return FictitiousPlay(form) if method == "fictitious-play" else RegretMinimiser(form, method)


def copied(solver: Solver) -> Solver:
    """A solver that goes on from here on its own."""
    again = copy(solver)
    again.sums = type(solver.sums)(*(array.copy() for array in solver.sums))
    return again


def strategy_of(solver: Solver, game: Game, method: str, **known: Any) -> Strategy:
    """What a solver has found so far."""
    known = {"method": method, "iterations": solver.iteration, **known}
    if isinstance(solver, MonteCarlo):
        keys, owner, counts, actions, shares = solver.table()
        start = np.concatenate([[0], np.cumsum(counts)])
        return Strategy(game, keys, owner, start, actions, shares, **known)
    on: Any = solver
    return Strategy.on(on.form, on.strategy(), **known)


def exploitability_of(solver: Solver, game: Game) -> float:
    """How good its strategy is by now."""
    if isinstance(solver, MonteCarlo):
        return strategy_of(solver, game, "").exploitability
    on: Any = solver
    return evaluate(on.form, on.strategy()).exploitability


def checkpoint_after(iteration: int) -> int:
    """The next iteration at which exploitability is measured: ever more rarely."""
    power = 1
    while True:
        for n in (1, 2, 3, 5, 7):
            if n * power > iteration:
                return n * power
        power *= 10


def solve(
    game: Game,
    iterations: int = 1000,
    method: str = "cfr+",
    exploitability: float = 0.0,
    seed: int = 0,
    progress: Progress | None = None,
) -> Strategy:
    """Solve a game: so many iterations, or fewer if that exploitability is reached. `progress` is called now and then
    with the iteration and the exploitability."""
    if iterations < 1:
        raise UserError("{method} needs at least one iteration, not {n}", method=method, n=iterations)
    solver = new_solver(game, method, seed)
    history: list[tuple[int, float]] = []
    start = time.perf_counter()
    while solver.iteration < iterations:
        solver.run(min(checkpoint_after(solver.iteration), iterations) - solver.iteration)
        history.append((solver.iteration, exploitability_of(solver, game)))
        if progress is not None:
            progress(solver.iteration, history[-1][1])
        if history[-1][1] <= exploitability:
            break
    return strategy_of(solver, game, method, seconds=time.perf_counter() - start, history=history)
