"""How fast: `bench` runs the measurements of `benchmarks/speed`, which are in the sources and not installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from hiddenhand.cli.options import AsJson

MEASUREMENTS = Path(__file__).parents[3] / "benchmarks" / "speed"


def bench(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Which table.")] = "search", json: AsJson = False
) -> None:
    """Measure speed, ours beside the peers', in one run on one core (in a checkout of the sources)."""
    from hiddenhand.core.errors import UserError, one_of

    if not MEASUREMENTS.is_dir():
        raise UserError("the measurements of speed come with the sources: run this in a checkout of them")
    tables = sorted(file.stem for file in MEASUREMENTS.glob("*.py") if "def rows()" in file.read_text())
    if name not in tables:
        raise UserError("unknown benchmark {name}; benchmarks: {known}", name=repr(name), known=one_of(tables))
    command = [sys.executable, str(MEASUREMENTS), name, *(["--json"] if json else [])]
    raise typer.Exit(subprocess.run(command, check=False).returncode)


def register(app: typer.Typer) -> None:
    app.command()(bench)
