"""Stopping and going on: what there is of the runs, in a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hiddenhand.core.errors import UserError
from hiddenhand.lab.evolving.plan import Plan
from hiddenhand.lab.evolving.run import Run


def save(path: Path, plan: Plan, runs: list[Run], seconds: float) -> None:
    """Write everything needed to go on."""
    kept = {**plan.specification, "seconds": seconds, "state": [state_of(run, plan) for run in runs]}
    new = path.with_name(path.name + ".new")
    new.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    new.replace(path)


def state_of(run: Run, plan: Plan) -> dict[str, Any]:
    def write(genome: Any) -> str:
        return plan.model.text(genome, exact=True)

    return {
        "generation": run.evolution.generation,
        "parents": list(map(write, run.evolution.parents)),
        "fitness": run.evolution.fitness,
        "hall": list(map(write, run.hall)),
        "curve": run.curve,
        "best": None if run.best is None else write(run.best),
        "best_wins": run.best_wins,
    }


def load(path: Path, plan: Plan, runs: list[Run]) -> float:
    """Bring the runs to where they were saved, and say how many seconds they had taken."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        for name, value in plan.specification.items():
            if kept[name] != value:
                raise UserError(f"{path} is of another evolution: {name} was {kept[name]}, not {value}")
        for run, state in zip(runs, kept["state"], strict=True):
            restore(run, state, plan)
        return float(kept["seconds"])
    except FileNotFoundError:
        raise UserError(f"there is nothing to resume: no file {path}") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} cannot be read: {error}") from None


def restore(run: Run, state: dict[str, Any], plan: Plan) -> None:
    read = plan.model.read
    run.evolution.generation = int(state["generation"])
    run.evolution.parents = list(map(read, state["parents"]))
    run.evolution.fitness = [tuple(fitness) for fitness in state["fitness"]]
    run.hall = list(map(read, state["hall"]))
    run.curve = [float(value) for value in state["curve"]]
    run.best = None if state["best"] is None else read(state["best"])
    run.best_wins = float(state["best_wins"])
