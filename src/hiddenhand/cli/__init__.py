"""The command line. Each module of this package holds a family of commands and adds them in `register(app)`.

A command that only one game has is declared by that game (`Commands`), and known once the game is named.

Commands import what they need when they run, so that `hiddenhand --help` is quick.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Annotated, Any, cast

import typer

from hiddenhand.cli.output import begin, complain, speak
from hiddenhand.core.errors import UserError
from hiddenhand.core.own_faults import tells_own_faults
from hiddenhand.core.text import Text

FAMILIES = {
    "listing": ("games", "agents", "version"),
    "play": ("play",),
    "serve": ("serve",),
    "work": ("match", "tournament", "train", "tune", "evolve", "solve", "exploitability", "endgames", "reproduce"),
    "explain": ("explain", "review", "trace"),
    "step_search": ("watch", "orders"),
    "svarog": ("svarog",),
    "perft": ("perft",),
    "audit": ("audit",),
    "records": ("records",),
    "bench": ("bench",),
}
"""The commands of each family; only the family of the command that is given is imported."""

LANGUAGE = "--language"
WRONG_USAGE = 2
INTERRUPTED = 130

UsageError = cast(type[Exception], typer.BadParameter.__bases__[0])
"""What typer raises for a command line that it cannot read."""


def make_app(command: str = "", game: str = "") -> typer.Typer:
    """The application: the family of this command, or all families and the game's own commands if it is in none."""
    app = typer.Typer(
        help="A laboratory for decision-making under hidden information.",
        epilog="Commands that only one game has stand on the page of that game: hiddenhand COMMAND GAME ...",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback(invoke_without_command=True)(nothing)
    wanted = [family for family, commands in FAMILIES.items() if command in commands]
    for family in wanted or FAMILIES:
        import_module(f"hiddenhand.cli.{family}").register(app)
    if command and not wanted:
        for name, function in commands_of_game(game).items():
            app.command(name)(function)
    return app


def commands_of_game(game: str) -> dict[str, Any]:
    """The commands that only this game has, by name; none if there is no such game."""
    from hiddenhand.core import resolver
    from hiddenhand.core.extras import Commands

    with suppress(UserError):
        return resolver.game(game).extra(Commands, Commands({})).loaded()
    return {}


def nothing(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    language: Annotated[
        str,
        typer.Option(
            LANGUAGE,
            metavar="CODE",
            help="With any command: the language of what is said, such as pl. [$HIDDENHAND_LANGUAGE, or English]",
        ),
    ] = "",
) -> None:
    """A laboratory for decision-making under hidden information: games, agents, and fair comparisons."""
    if version:
        from hiddenhand.cli.listing import version as print_version

        print_version()
        raise typer.Exit


def in_language(given: list[str]) -> list[str]:
    """The arguments without `--language CODE`, which may stand anywhere; from now on that language is spoken."""
    rest, waiting = [], iter(given)
    for word in waiting:
        name, equals, code = word.partition("=")
        if name != LANGUAGE:
            rest.append(word)
        elif not speak(code if equals else next(waiting, "")):
            raise UserError("{option} needs a language, such as pl", option=LANGUAGE)
    return rest


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status. What is wrong with the input is said in one line, status 2."""
    given = sys.argv[1:] if arguments is None else arguments
    begin()
    try:
        given = in_language(given)
        app = tells_own_faults(make_app(*given[:2]))
        status = app(args=given or ["--help"], prog_name="hiddenhand", standalone_mode=False)
        sys.stdout.flush()
    except UserError as error:
        return complain(error.text, WRONG_USAGE)
    except UsageError as error:
        return complain(usage(error), WRONG_USAGE)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:  # the reader has gone, as after `| head`
        give_up_output()
        return 1
    except UnicodeError as error:
        return complain(Text("this text cannot be read or written here: {error}", error=error), WRONG_USAGE)
    except OSError as error:  # a full disk, a folder that cannot be written, too many open files
        give_up_output()
        where = f"{error.filename}: " if error.filename else ""
        return complain(Text("{where}{error}", where=where, error=error.strerror or error), WRONG_USAGE)
    return status if isinstance(status, int) else 0


def give_up_output() -> None:
    """What is still to be written would fail again when Python ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def usage(error: Exception) -> str:
    """A usage error as one line that says where to read on."""
    message = getattr(error, "format_message", error.__str__)()
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "hiddenhand"
    return f"{message.rstrip('.')}; see {command} --help"
