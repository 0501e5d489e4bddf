"""Studies of one game each: published tables and figures made again.

hiddenhand reproduce hanabi
"""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass, replace
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.processes import Workers
from hiddenhand.core.text import Text
from hiddenhand.lab.plans import PlanParameter, WorkPlan
from hiddenhand.lab.runner import Running, run
from hiddenhand.lab.work_kinds import work

FOLDER = "reproduced"


def names() -> list[str]:
    """The games that have studies; each has a module `reproduction`."""
    return [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]


@dataclass(frozen=True)
class ReproductionPlan(WorkPlan):
    """What is reproduced, and how thoroughly; what is left out is as the study thinks right."""

    name: Annotated[str, PlanParameter(f"What to reproduce: {', '.join(names())}.", argument=True, metavar="NAME")]
    games: Annotated[int | None, PlanParameter("Games per cell.", 2, flags=("--games", "-n"))] = None
    runs: Annotated[int | None, PlanParameter("Evolutions per model, where there are some.")] = None
    generations: Annotated[int | None, PlanParameter("Of each evolution.")] = None
    part: Annotated[
        str | None, PlanParameter("The part whose title begins so, where there are parts.", metavar="TEXT")
    ] = None
    opening: int | None = None
    """How many deals the opening lead of snaps is averaged over."""


@work(
    "reproduce",
    ReproductionPlan,
    unit=Text("steps"),
    output=f"The folder to write to. [{FOLDER}]",
    output_flags=("--folder",),
)
def reproduce(plan: ReproductionPlan, running: Running, pool: Workers) -> Any:
    """Play a published table anew: ours beside theirs, the figures as pictures, and one HTML page.

    On one core some take hours. Stopped by Ctrl-C, what there is is written and kept in the store: repeat the command
    with --resume.
    """
    if plan.name not in names():
        raise UserError(
            "nothing called {name}{guess} is reproduced; there is: {names}",
            name=repr(plan.name),
            guess=did_you_mean(plan.name, names()),
            names=one_of(names()),
        )
    begin = import_module(f"{__name__}.{plan.name}.reproduction").begin
    choices = {key: value for key, value in plan.to_json().items() if key != "name" and value is not None}
    for choice in choices:
        if choice not in signature(begin).parameters:
            raise UserError("the reproduction of {name} has no {choice} to choose", name=plan.name, choice=choice)
    folder = Path(running.output or FOLDER)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError("cannot make the folder {folder}: {why}", folder=folder, why=error.strerror) from None
    inside = replace(running, output="")  # a folder is no file that could be looked at beforehand
    return run(begin(folder, inside, pool, **choices), inside)
