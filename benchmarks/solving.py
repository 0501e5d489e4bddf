"""How fast the methods of `solve` come near an equilibrium, and exact values of large games.

python benchmarks/solving.py methods [--seconds 10] [--figure solving.svg]
python benchmarks/solving.py large blind_tictactoe [--goal 0.001] [--method dcfr] [--option abrupt=yes]

`methods`: exploitability against processor seconds, in five games, for every method, on one core. `large`: builds
the sequence form, evaluates the uniform strategy, and solves the game until a perfect opponent wins no more than the
goal.
"""

from __future__ import annotations

import argparse
import resource
import time
from typing import Any

from hiddenhand.cli.options import read_options
from hiddenhand.core.game import Game
from hiddenhand.core.resolver import game
from hiddenhand.search import METHODS, RegretMinimiser, evaluate, sequence_form
from hiddenhand.search.solving.solver import checkpoint_after, exploitability_of, new_solver

GAMES = {
    "Kuhn poker": ("kuhn", {}),
    "Leduc hold'em": ("leduc", {}),
    "liar's dice, 4 faces": ("liars_dice", {"faces": 4}),
    "liar's dice, 6 faces": ("liars_dice", {"faces": 6}),
    "Goofspiel, 5 cards": ("goofspiel", {"cards": 5}),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("methods", "large"))
    parser.add_argument("game", nargs="?", default="blind_tictactoe")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--goal", type=float, default=0.001)
    parser.add_argument("--method", default="dcfr")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--memory", type=float, help="gigabytes that may be used")
    parser.add_argument("--figure", default="")
    given = parser.parse_args()
    if given.what == "methods":
        methods(given.seconds, given.figure)
    else:
        of = game(given.game, read_options(given.option, given.game))
        large(of, given.method, given.goal, None if given.memory is None else int(given.memory * 1e9))


def methods(seconds: float, figure: str) -> None:
    """Exploitability after some processor seconds, measured at the checkpoints of `solve`."""
    courses: dict[str, dict[str, list[tuple[float, float]]]] = {}
    print(f"exploitability after {seconds:g} processor seconds (iterations)")
    for title, (name, options) in GAMES.items():
        of = game(name, options)
        courses[title] = {method: course(of, method, seconds) for method in METHODS}
        for method, points in courses[title].items():
            print(f"{title:22} {method:16} {points[-1][1]:.2e}", flush=True)
    if figure:
        draw(courses, figure)


def course(of: Game, method: str, seconds: float) -> list[tuple[float, float]]:
    """(processor seconds, exploitability) along the way; compiling is left out."""
    new_solver(of, method).run(2)
    solver, spent, points = new_solver(of, method), 0.0, []
    while spent < seconds:
        some = checkpoint_after(solver.iteration) - solver.iteration
        if spent:  # no further than the time goes
            some = max(1, min(some, int(solver.iteration * (seconds - spent) / spent) + 1))
        start = time.process_time()
        solver.run(some)
        spent += time.process_time() - start
        points.append((spent, exploitability_of(solver, of)))
    return points


def draw(courses: dict[str, dict[str, list[tuple[float, float]]]], path: str) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 7.5), layout="constrained")
    for place, (title, of_game) in enumerate(courses.items()):
        axes: Any = figure.add_subplot(2, 3, place + 1)
        for number, (method, points) in enumerate(of_game.items()):
            marks: Any = {"linestyle": "-" if number < 7 else "--", "color": f"C{number % 10}", "linewidth": 1.4}
            axes.loglog(*zip(*points), label=method, **marks)
        axes.set(title=title, xlabel="processor seconds", ylabel="exploitability", ylim=(1e-9, None))
        axes.grid(alpha=0.3)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower right", ncols=4, frameon=False)
    figure.savefig(path)


def large(of: Game, method: str, goal: float, memory: int | None) -> None:
    start = time.process_time()
    form = sequence_form(of, memory)
    told(f"{form}: built", start)
    start = time.process_time()
    found = evaluate(form, form.uniform())
    told(f"uniform: value {found.values[0]:.6f}, best responses {found.best[0]:.6f} and {found.best[1]:.6f}", start)
    solver = RegretMinimiser(form, method)
    spent, gap = 0.0, 1.0
    while gap > goal:
        start = time.process_time()
        solver.run(checkpoint_after(solver.iteration) - solver.iteration)
        spent += time.process_time() - start
        found = evaluate(form, solver.strategy())
        gap = found.exploitability
        told(
            f"{method}, {solver.iteration:4} iterations: value {found.values[0]:.6f}, exploitability {gap:.6f}", start
        )
    print(f"{spent:.1f} s of iterations")


def told(what: str, start: float) -> None:
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{what}; {time.process_time() - start:.2f} s of one core, {memory:.1f} GB at most so far", flush=True)


if __name__ == "__main__":
    main()
