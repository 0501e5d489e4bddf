"""`svarog run`, `check` and `print`: what can be done with any specification."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from hiddenhand.cli.options import AsJson
from hiddenhand.cli.output import complain, print_json, rendered
from hiddenhand.cli.svarog.sources import Compat, FileName, check_compat, read
from hiddenhand.core.errors import UserError

if TYPE_CHECKING:
    from hiddenhand.planning.model.world import World

Constant = Annotated[
    float,
    typer.Option("--constant", metavar="C", help="What is added to a distance where stored beliefs vote by it."),
]


class LineReader:
    """Where the commands of a file read and print. With `quiet` only what is wrong is printed."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.refused = 0

    def ask(self, prompt: str) -> str | None:
        try:
            return input("" if self.quiet else prompt)
        except EOFError:
            if not self.quiet:
                print()
            return None
        except UnicodeDecodeError:
            raise UserError("the input is not text (UTF-8)") from None

    def say(self, text: str) -> None:
        if not self.quiet:
            print(rendered(text), end="")

    def refuse(self, message: str) -> None:
        self.refused += 1
        complain(message, 0)

    def forgive(self) -> None:
        self.refused -= 1


def run(file: FileName, compat: Compat = "document", constant: Constant = 0.001, json: AsJson = False) -> None:
    """Execute the commands of a file.

    A loop reads one line for each step: the values of the input variables, or one of the commands that its `help`
    lists. A line that makes no sense is refused, the belief is kept and the loop goes on; from a script such a line
    means exit status 2 in the end. What `check` calls an error is one here too: nothing is planned, and the exit
    status is 2 as well.
    """
    from hiddenhand.planning.model.world_building import build_world
    from hiddenhand.planning.planners.lookup import checked_constant
    from hiddenhand.planning.play.commands import SpecificationRun

    check_compat(compat)
    world = build_world(read(file))
    terminal = LineReader(quiet=json)
    commands = SpecificationRun(world, terminal, compat, json, checked_constant(constant)).commands()
    if json:
        print_json({"file": world.specification.file, "commands": commands})
    elif not commands:
        print(f"{world.specification.file} has no commands")
    if terminal.refused and not sys.stdin.isatty():
        raise typer.Exit(2)
    if complained(world):
        raise typer.Exit(2)


def complained(world: World) -> bool:
    """Whether plans in this world would be meaningless; if so, it is said."""
    try:
        world.require_sound()
    except UserError as error:
        complain(error.text, 0)
        return True
    return False


def check(file: FileName, json: AsJson = False) -> None:
    """Report what is questionable in a file; exit status 1 if plans would be meaningless.

    Rows of probabilities that do not sum to one, steps into impossible states, unreachable cases, actions that are
    never legal, payoffs that never apply.
    """
    from hiddenhand.planning.language.checking import check as find
    from hiddenhand.planning.model.world_building import build_world

    specification = read(file)
    world = build_world(specification)
    findings = find(specification, world)
    errors = sum(finding.severity == "error" for finding in findings)
    counts = {
        "visible_states": len(world.visible_states),
        "possible_visible_states": int(world.possible.sum()),
        "possible_states": len(world.states),
        "actions": len(world.actions),
        "legal_pairs": int(world.legal[world.possible].sum()),
    }
    if json:
        named = [
            {
                "severity": finding.severity,
                "kind": finding.kind,
                "line": finding.place.line,
                "column": finding.place.column,
                "message": finding.message,
            }
            for finding in findings
        ]
        warnings = len(findings) - errors
        print_json({"file": specification.file, **counts, "errors": errors, "warnings": warnings, "findings": named})
    else:
        for finding in findings:
            print(finding)
        print(summary(world.name, counts, errors, len(findings) - errors))
    if errors:
        raise typer.Exit(1)


def summary(name: str, counts: dict[str, int], errors: int, warnings: int) -> str:
    found = (
        f"{counted(errors, 'error')}, {counted(warnings, 'warning')}" if errors + warnings else "nothing to report"
    )
    return (
        f"{name}: {counts['visible_states']} visible states, {counts['possible_visible_states']} of them possible; "
        f"{counts['possible_states']} possible states; {counted(counts['actions'], 'action')}, "
        f"{counts['legal_pairs']} legal pairs of a visible state and an action; {found}"
    )


def counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def print_text(file: FileName, json: AsJson = False) -> None:
    """Print a file in one tidy form. What it means stays the same; comments are left out."""
    from hiddenhand.planning.language import to_text

    specification = read(file)
    text = to_text(specification)
    if json:
        print_json({"file": specification.file, "text": text})
    else:
        print(text, end="")
