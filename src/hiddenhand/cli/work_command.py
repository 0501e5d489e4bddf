"""The commands of long work, made of the plans of its kinds: `match`, `train`, `evolve` and the like."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from hiddenhand.cli.options import AsJson, ClusterAddress, NoStore, Options, Resume, StoreUrl, Workers, read_options
from hiddenhand.cli.output import complain, print_json, say
from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError
from hiddenhand.lab.frames import require_parquet
from hiddenhand.lab.plans import GamePlan, PlanField, PlanParameter
from hiddenhand.lab.progress import shown_progress
from hiddenhand.lab.runner import Interrupted, Running, check_output
from hiddenhand.lab.store import open_store
from hiddenhand.lab.work_kinds import WorkKind, work_kind, working

HOW = {"workers": (Workers, 1), "cluster": (ClusterAddress, None), "store": (StoreUrl, None)} | {
    "no_store": (NoStore, False),
    "resume": (Resume, False),
    "json": (AsJson, False),
}
"""How any work is carried out: options with their defaults."""


PARQUET = "parquet"
PARQUET_FILE = typer.Option("--parquet", metavar="FILE", help="Write every game played into this file too.")
SHORT = {"-p": "--players"}


class WorkCommand(TyperCommand):
    """A command on a game, of which the game's own options may be given by their names: `--players 3`."""

    def parse_args(self, context: Any, args: list[str]) -> list[str]:
        known = {flag for parameter in self.params for flag in (*parameter.opts, *parameter.secondary_opts)}
        unknown = any(word.startswith("-") and word.partition("=")[0] not in known for word in args)
        if unknown and not args[0].startswith("-") and "--option" in known:
            args = with_game_options(args, known)
        return list(super().parse_args(context, args))


def with_game_options(args: list[str], known: set[str]) -> list[str]:
    """The arguments with `--option NAME=VALUE` for each `--NAME VALUE` that is an option of the game."""
    try:
        settings = resolver.game(args[0]).settings
    except UserError:
        return args
    rest, words = [], iter(args)
    for word in words:
        flag, equals, value = SHORT.get(word, word).partition("=")
        name = flag.removeprefix("--")
        if flag.startswith("--") and flag not in known and name in settings:
            rest += ["--option", f"{name}={value if equals else next(words, '')}"]
        else:
            rest.append(word)
    return rest


def work_command(name: str) -> Any:
    """The command of a kind of work."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    kind = work_kind(name)
    app.command(name, cls=WorkCommand)(command(kind))
    return typer.main.get_command(app)


def command(kind: WorkKind[Any, Any]) -> Callable[..., None]:
    """The function that typer makes a command of."""
    parameters = [parameter for field in kind.fields for parameter in parameters_of(field)]
    if issubclass(kind.plan, GamePlan):
        parameters.append(keyword("option", Options, None))
    if kind.output:
        output = typer.Option(*kind.output_flags, metavar="PATH", help=kind.output)
        parameters.append(keyword("output", Annotated[Path | None, output], None))
    if kind.plan.has_games:
        parameters.append(keyword(PARQUET, Annotated[Path | None, PARQUET_FILE], None))
    parameters += [keyword(name, kind, default) for name, (kind, default) in HOW.items()]

    def run_command(**given: Any) -> None:
        carry_out(kind, given)

    run_command.__doc__ = kind.__doc__
    run_command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run_command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run_command


def keyword(name: str, annotation: Any, default: object) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def parameters_of(field: PlanField) -> list[inspect.Parameter]:
    """What typer is told of a field: an argument or an option, and the flags that stand for values of it."""
    told = field.parameter
    if told is None:
        return []
    flags = told.flags or (f"--{field.name.replace('_', '-')}",)
    kind: Any = list[str] if field.many else str if told.read is not None else field.simple
    parser = None if told.read is None else reading(told)
    if told.argument:
        about = typer.Argument(metavar=told.metavar, help=told.help, parser=parser)
    elif kind is bool:
        about = typer.Option(*flags, help=told.help)
    else:
        about = typer.Option(*flags, metavar=told.metavar, help=told.help, parser=parser)
    if field.required:
        return [keyword(field.name, Annotated[kind, about], inspect.Parameter.empty), *short_flags(told)]
    plain = field.default if not field.many and field.default is not None and field.default != "" else None
    return [keyword(field.name, Annotated[kind | None if plain is None else kind, about], plain), *short_flags(told)]


def short_flags(told: PlanParameter) -> list[inspect.Parameter]:
    return [
        keyword(name, Annotated[bool, typer.Option(f"--{name}", help=about)], False)
        for name, (_, about) in (told.short or {}).items()
    ]


def reading(told: PlanParameter) -> Callable[[Any], Any]:
    """Reads what was typed; what cannot be read is a wrong use of the command."""

    def read(text: object) -> Any:
        if not isinstance(text, str) or told.read is None:  # the default
            return text
        return told.read(text)

    return read


def carry_out(kind: WorkKind[Any, Any], given: dict[str, Any]) -> None:
    """Do what a command line asks for, and print what came of it; after Ctrl-C, what was finished until then."""
    how = {name: given.pop(name) for name in HOW}
    output, options = str(given.pop("output", None) or ""), given.pop("option", None)
    parquet: Path | None = given.pop(PARQUET, None)
    if parquet is not None:
        require_parquet()
        check_output(parquet)
    if "game" in given:
        given["game"] = resolver.game(given["game"], read_options(options, given["game"]))
    plan = kind.planned(**{name: value for name, value in given.items() if value is not None})
    stopped: Interrupted | None = None
    with (
        open_store(address(how), needed=how["store"] is not None or how["resume"]) as store,
        working(how["workers"], how["cluster"]) as pool,
        shown_progress(kind.unit) as progress,
    ):
        try:
            result = kind.carry_out(plan, Running(store, how["resume"], progress, output=output), pool)
        except Interrupted as stop:
            stopped, result = stop, stop.result
    if parquet is not None:
        result.to_parquet(parquet)
    if how["json"]:
        print_json(result.to_json())
    else:
        say(str(result))
    if stopped is not None:
        raise typer.Exit(complain(stopped.message, stopped.status, "stopped:"))


def address(how: dict[str, Any]) -> str | None:
    """Where the store is: the user's own one unless told otherwise."""
    if not how["no_store"]:
        return how["store"] or ""
    for name in ("store", "resume"):
        if how[name]:
            raise UserError("--no-store and {store} exclude each other", store=f"--{name}")
    return None
