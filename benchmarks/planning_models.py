"""Plans in models with hidden states, measured: what they promise and earn, beside SARSOP, planning by trying out,
and large worlds.

    python benchmarks/planning_models.py beside --models FOLDER --seconds 60 --workers 4
    python benchmarks/planning_models.py promises --seconds 20 --episodes 1000 --workers 8
    python benchmarks/planning_models.py rocks --episodes 200 --simulations 10000 --workers 8
    python benchmarks/planning_models.py large

`promises`: the lower bound of the point-based solver at the first belief, and what its plan earns in simulated
episodes. `beside`: the bounds on the textbook problems, and on all models in a folder, after so many seconds of one
processor, with those of SARSOP where we have them. `rocks`: POMCP on RockSample(11,11) and (15,15), the second of
which is never written down state by state. `large`: time and memory of worlds with many states. Every command prints
a table.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

WORLDS = ("tiger", "ferryman", "dorban")


def models() -> list[str]:
    from textbook import PROBLEMS

    return [*PROBLEMS, *(f"{name}.svarog" for name in WORLDS)]


def promise(job: tuple[str, float, int]) -> tuple[Any, ...]:
    from hiddenhand.planning import read_world
    from hiddenhand.planning.planners.point_based.policy_evaluation import follow_plan
    from hiddenhand.planning.planners.point_based.solver import solve
    from textbook import problem

    name, seconds, episodes = job
    world = name.endswith(".svarog")
    model = read_world(name.removesuffix(".svarog")).pomdp().with_discount(0.95) if world else problem(name)
    solution = solve(model, seconds=seconds, memory=4000.0)
    earned = follow_plan(solution, episodes, seed=1)
    counts = solution.progress.vectors, round(solution.progress.seconds, 1)
    return name, solution.lower, solution.upper, earned.mean, earned.error, earned.rest, *counts


def promises(options: argparse.Namespace) -> None:
    jobs = [(name, options.seconds, options.episodes) for name in models()]
    print("| model | promised | upper bound | earned | vectors | seconds |\n|---|---|---|---|---|---|")
    with ProcessPoolExecutor(options.workers) as pool:
        for name, lower, upper, mean, error, rest, vectors, seconds in pool.map(promise, jobs):
            kept = "" if mean + 2.5 * error + rest >= lower else " (less!)"
            print(f"| {name} | {lower:.4g} | {upper:.4g} | {mean:.4g} ± {error:.2g}{kept} | {vectors} | {seconds} |")


SARSOP = {
    "hallway": (0.990, 1.213),
    "hallway2": (0.360, 0.904),
    "tag": (-6.201, -1.831),
    "tag, seen first": (-5.959, -2.687),
    "rock_sample_7_8": (21.11, 24.58),
    "machine": (551, 646),
    "iff": (9.01, 9.92),
    "aloha.30": (1177, 1253),
    "tiger": (19.3711, 19.3721),
}
"""Its bounds after 60 s of one processor, built from source; where it has two files of a model, from the better."""
SEEN_FIRST = ", seen first"


def seen_first(model: Any) -> Any:
    """The same model for somebody who sees before the first action what the last action would show. SARSOP reads
    factored files so: what is seen is seen before the first action too."""
    from dataclasses import replace

    return replace(model, seen_first=model.observing[-1].toarray().argmax(axis=1))


def bounds_of(job: tuple[str, float]) -> tuple[Any, ...]:
    """Reading and solving one model, in seconds of this processor; or why it is refused."""
    from hiddenhand.core.errors import UserError
    from hiddenhand.planning import read_model
    from hiddenhand.planning.planners.point_based import solver
    from textbook import PROBLEMS, problem

    solver.rehearse()
    time.perf_counter = time.process_time  # the solver's clock: others may be using the machine
    name, seconds = job
    began = time.process_time()
    bare = name.removesuffix(SEEN_FIRST)
    title = Path(name).stem if bare not in PROBLEMS else name
    try:
        model = problem(bare) if bare in PROBLEMS else read_model(bare)
        solver.check(model, 1e-4, seconds, 4000.0)
    except UserError as refusal:
        return title, str(refusal).removeprefix(f"{name}, ")
    read = time.process_time() - began
    if name.endswith(SEEN_FIRST):
        model = seen_first(model)
    first: list[Any] = []

    def note(progress: Any) -> None:
        if not first:
            first.append(progress)

    found = solver.solve(model, precision=1e-4, seconds=seconds, memory=4000.0, progress=note)
    begun = first[0] if first else found.progress
    both = [(p.lower, p.upper, p.seconds) for p in (begun, found.progress)]
    return title, len(model.states), read, *both


def beside(options: argparse.Namespace) -> None:
    from textbook import PROBLEMS

    folder = Path(options.models) if options.models else None
    files = sorted(str(path) for path in folder.iterdir() if "pomdp" in path.suffix.lower()) if folder else []
    jobs = [(name, options.seconds) for name in (*PROBLEMS, "tag" + SEEN_FIRST, *files)]
    print("| model | states | read, s | first bounds | after, s | bounds | after, s | SARSOP, 60 s |")
    print("|---|---|---|---|---|---|---|---|")
    with ProcessPoolExecutor(options.workers, max_tasks_per_child=1) as pool:
        for name, *found in pool.map(bounds_of, jobs):
            if len(found) == 1:
                print(f"| {name} | refused: {found[0]} | | | | | | |", flush=True)
                continue
            states, read, first, last = found
            begun, ended = (f"[{low:.5g}, {high:.5g}] | {after:.2f}" for low, high, after in (first, last))
            known = "[{:.5g}, {:.5g}]".format(*SARSOP[name]) if name in SARSOP else ""
            print(f"| {name} | {states} | {read:.2f} | {begun} | {ended} | {known} |", flush=True)


def some_rocks(job: tuple[int, int, int, int]) -> tuple[int, list[float]]:
    from hiddenhand.planning.language.pomdpx_reading import parse_factored
    from hiddenhand.planning.planners.pomcp import EpisodeSettings, play_episodes
    from textbook.rock_sample_file import rock_sample_file

    size, episodes, simulations, seed = job
    model = parse_factored(rock_sample_file(size).encode(), f"rocks {size}")
    played = play_episodes(model, episodes, EpisodeSettings(simulations=simulations, depth=90, steps=100, seed=seed))
    return size, played.totals.tolist()


def rocks(options: argparse.Namespace) -> None:
    share = max(2, options.episodes // options.workers)
    seeds = range(options.seed, options.seed + options.workers)
    jobs = [(size, share, options.simulations, seed) for size in options.sizes for seed in seeds]
    totals: dict[int, list[float]] = {}
    with ProcessPoolExecutor(options.workers) as pool:
        for size, some in pool.map(some_rocks, jobs):
            totals.setdefault(size, []).extend(some)
    print("| rocks | episodes | simulations | earned |\n|---|---|---|---|")
    for size, values in totals.items():
        error = 1.96 * np.std(values, ddof=1) / len(values) ** 0.5
        print(f"| {size} | {len(values)} | {options.simulations} | {np.mean(values):.4g} ± {error:.2g} |")


def world_text(seen: int, hidden: int, dense: bool) -> str:
    """A world of `seen` and `hidden` yes-or-no variables: everything changes at random, or one variable at a time."""
    names = [f"v{i}" for i in range(seen)] + [f"h{i}" for i in range(hidden)]
    kinds = ["input"] * seen + ["hidden"] * hidden
    declared = "\n".join(f"{kind} variable {name}:{{no, yes}};" for kind, name in zip(kinds, names))
    deeds = [f"deed{i}" for i in range(2 if dense else 4)]
    cases = []
    for i, deed in enumerate(deeds):
        if dense:
            body = f'probability "anything":{0.5 ** len(names):.12f} {{ }}'
        else:
            kept = [f"requires terminal value {n} == initial value {n};" for j, n in enumerate(names) if j != i]
            one = f"terminal value {names[i]} == yes;"
            body = f'probability "set":1.0 {{ requires {one} {" ".join(kept)} }}'
        cases.append(f'action {{deed=>{deed}}}:{{ case "all" {{ {body} }} }}')
    return (
        f"values {{ value no, yes, {', '.join(deeds)}; }}\nvariables {{ {declared}\n"
        f"output variable deed:{{{', '.join(deeds)}}}; }}\n"
        f'knowledge {{ payoff "on":1.0 {{ requires initial value v0 == yes; }}\n' + "\n".join(cases) + "\n}\n"
    )


def large(options: argparse.Namespace) -> None:
    print("| world | states | command | seconds | megabytes | what it said |\n|---|---|---|---|---|---|")
    shapes = {"dense": (3, 8, True), "sparse": (4, 12, False), "sparse and seen": (14, 2, False)}
    with tempfile.TemporaryDirectory() as folder:
        for name, shape in shapes.items():
            path = Path(folder) / f"{name.replace(' ', '_')}.svarog"
            path.write_text(world_text(*shape))
            for command in (["check"], ["summary", "--depth", "4"], ["solve", "--seconds", "10"]):
                began = time.perf_counter()
                line = [sys.executable, "-m", "hiddenhand", "svarog", command[0], str(path), *command[1:]]
                measured = [sys.executable, __file__, "measured", *line]
                done = subprocess.run(measured, capture_output=True, text=True)
                said = (done.stdout or done.stderr).strip().splitlines() or [""]
                used = done.stderr.strip().splitlines()[-1]
                print(
                    f"| {name} | {2 ** sum(shape[:2]):,} | {' '.join(command)} | {time.perf_counter() - began:.1f} | "
                    f"{used} | {said[-1 if done.returncode == 0 else 0][:110]} |"
                )


def measured(line: list[str]) -> None:
    """Run a command, and say on the last line of standard error how many megabytes it took."""
    status = subprocess.run(line).returncode
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, file=sys.stderr)
    sys.exit(status)


def main() -> None:
    if sys.argv[1:2] == ["measured"]:
        measured(sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("promises", "beside", "rocks", "large"))
    parser.add_argument("--models", metavar="FOLDER")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--episodes", type=int, default=200)
    parser.add_argument("--simulations", type=int, default=10_000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[11, 15])
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    {"promises": promises, "beside": beside, "rocks": rocks, "large": large}[options.what](options)


if __name__ == "__main__":
    main()
