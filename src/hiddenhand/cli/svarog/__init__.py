"""The Svarog language on the command line: `hiddenhand svarog ...`."""

from __future__ import annotations

import typer

from hiddenhand.cli.svarog.knowledge import estimate, merge
from hiddenhand.cli.svarog.models import export, grid, online, policy_map, solve, summary
from hiddenhand.cli.svarog.specifications import check, print_text, run
from hiddenhand.cli.work import add_command


def register(app: typer.Typer) -> None:
    family = typer.Typer(help="Worlds in the Svarog language, and plans for them.", rich_markup_mode=None)
    for command in (run, check, export, estimate, merge, solve, online, summary, grid):
        family.command()(command)
    add_command(family, "precalculate")
    family.command("print")(print_text)
    family.command("map")(policy_map)
    app.add_typer(family, name="svarog")
