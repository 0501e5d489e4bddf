"""Kinds of work: matches, trainings, evolutions and the like, each defined once.

A kind of work is a function of its plan. `work` makes the rest: the Python function, whose arguments are the fields
of the plan and how the work is carried out; the command, the page's form and the schema of what the page sends are
derived from the same plan (`cli.work`, `web.lab`).

    @work("tune", TuningPlan, unit=Text("evaluations"))
    def tune(plan: TuningPlan, running: Running, pool: Workers) -> TuningResult: ...

    >>> tune("hanabi", "trustful", games=500, players=3, workers=2)

All of them are listed in `lab.work_names`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError, did_you_mean
from hiddenhand.core.extras import load
from hiddenhand.core.game import Game
from hiddenhand.core.own_faults import tells_own_faults
from hiddenhand.core.processes import Workers
from hiddenhand.core.text import Text
from hiddenhand.lab.executors import open_workers
from hiddenhand.lab.plans import GamePlan, PlanField, WorkPlan, plan_fields
from hiddenhand.lab.runner import Running
from hiddenhand.lab.store import Store, open_store
from hiddenhand.lab.work_names import work_names

P = TypeVar("P", bound=WorkPlan)
R = TypeVar("R")


@dataclass(frozen=True)
class PageSupport:
    """What the page's laboratory needs to know of a kind of work."""

    title: str
    """What the work is called there ("training")."""
    offered: Callable[[Game], bool] = lambda game: True
    """Whether it can be done with a game."""
    require: Callable[[Game, Any], None] = lambda game, order: None
    """Refuses an order that cannot be carried out, before it waits for its turn."""
    file: str = ""
    """The file that it writes."""


@dataclass(frozen=True, eq=False)
class WorkKind(Generic[P, R]):
    """A kind of work; calling it does some."""

    name: str
    """Of the command."""
    plan: type[P]
    carry_out: Callable[[P, Running, Workers], R]
    unit: str
    """What progress counts."""
    output: str
    """What the command says of the file or folder that is written; empty if there is none."""
    output_flags: Sequence[str]
    """What the command calls the option for it."""
    former: Mapping[str, str]
    """Other names of the plan's fields that are understood in Python."""
    page: PageSupport | None
    """Given if the page's laboratory offers it."""

    @property
    def fields(self) -> tuple[PlanField, ...]:
        return plan_fields(self.plan)

    def __call__(
        self,
        *given: Any,
        store: Store | str | None = None,
        resume: bool = False,
        workers: int | Workers = 1,
        cluster: str | None = None,
        progress: Callable[[int, int], None] | None = None,
        watch: Callable[[Any], None] | None = None,
        **named: Any,
    ) -> R:
        output = str(named.pop("output", None) or "") if self.output else ""
        plan = self.planned(*given, **named)
        with open_store(store) as opened:
            return self.run(plan, Running(opened, resume, progress, watch, output), workers, cluster)

    def __repr__(self) -> str:
        return f"<{self.name}{inspect.signature(self)}>"

    def run(self, plan: P, running: Running, workers: int | Workers = 1, cluster: str | None = None) -> R:
        """Do what a plan says."""
        with working(workers, cluster) as pool:
            return self.carry_out(plan, running, pool)

    def planned(self, *given: Any, **named: Any) -> P:
        """The plan of these arguments: its fields, and the options of the game."""
        names = [field.name for field in self.fields]
        if len(given) > len(names):
            raise TypeError(f"{self.name} takes {len(names)} positional arguments, not {len(given)}")
        values = dict(zip(names, given))
        for name in [name for name in named if name in self.former]:
            named[self.former[name]] = named.pop(name)
        for field in self.fields:
            chosen = [name for name in (field.parameter and field.parameter.short) or () if named.pop(name, False)]
            if len(chosen) > 1:
                raise UserError("{one} and {other} exclude each other", one=chosen[0], other=chosen[1])
            if chosen and field.parameter and field.parameter.short:
                named[field.name] = field.parameter.short[chosen[0]][0]
            if field.name in named:
                if field.name in values:
                    raise TypeError(f"{self.name} was given {field.name} twice")
                values[field.name] = named.pop(field.name)
        if issubclass(self.plan, GamePlan) and "game" in values:
            values["game"] = resolver.game(values["game"], named)
        elif named:
            raise TypeError(f"{self.name} has no argument {next(iter(named))}")
        return self.plan(**values)


def work(
    name: str,
    plan: type[P],
    unit: str = Text("games"),
    output: str = "",
    output_flags: Sequence[str] = ("--output", "--out"),
    former: Mapping[str, str] | None = None,
    page: PageSupport | None = None,
) -> Callable[[Callable[[P, Running, Workers], R]], WorkKind[P, R]]:
    """Make a kind of work of the function that carries out a plan; see the fields of `WorkKind`."""

    def made(carry_out: Callable[[P, Running, Workers], R]) -> WorkKind[P, R]:
        kind = WorkKind(name, plan, tells_own_faults(carry_out), unit, output, output_flags, former or {}, page)
        kind.__dict__.update(
            __doc__=carry_out.__doc__,
            __module__=carry_out.__module__,
            __name__=carry_out.__name__,
            __wrapped__=carry_out,
            __signature__=signature_of(kind),
        )
        return kind

    return made


@contextmanager
def working(workers: int | Workers, cluster: str | None = None) -> Iterator[Workers]:
    """Those who work: opened here, or those of the work that this is a part of."""
    if not isinstance(workers, int):
        yield workers
        return
    pool = open_workers(workers, cluster)
    try:
        yield pool
    finally:
        pool.stop()


def signature_of(kind: WorkKind[Any, Any]) -> inspect.Signature:
    """What `help` shows: the fields of the plan, and how the work is carried out."""
    of_plan = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if field.required else field.default,
            annotation=field.type,
        )
        for field in kind.fields
    ]
    how = [
        parameter
        for parameter in inspect.signature(WorkKind.__call__).parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    if kind.output:
        how.append(inspect.Parameter("output", inspect.Parameter.KEYWORD_ONLY, default=None))
    return inspect.Signature([*of_plan, *how])


def agent_with_file(game: Game, name: str, setting: str, file: str) -> str:
    """The agent of this name with a file for one of its settings; empty if the game has none that takes one."""
    kinds = resolver.agents(game)
    takes = name in kinds and setting in kinds[name].settings_for(game)
    return f"{name}:{setting}={file}" if takes else ""


@cache
def work_kind(name: str) -> WorkKind[Any, Any]:
    """A kind of work by name."""
    names = work_names()
    if name not in names:
        raise UserError(
            "there is no work called {name}{guess}", name=repr(name), guess=did_you_mean(name, list(names))
        )
    found: WorkKind[Any, Any] = load(names[name].place)
    return found


def work_kinds() -> Sequence[WorkKind[Any, Any]]:
    """All kinds of work."""
    return [work_kind(name) for name in work_names()]
