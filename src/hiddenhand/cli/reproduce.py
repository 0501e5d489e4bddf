"""Published tables and figures, made again: `reproduce`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hiddenhand.cli.matches import print_result
from hiddenhand.cli.options import AsJson

Folder = Annotated[Path, typer.Option("--folder", metavar="FOLDER", help="Where it is written.")]


def reproduce(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to reproduce: hanabi or snaps.")],
    games: Annotated[int | None, typer.Option("--games", "-n", metavar="N", help="Games per cell.")] = None,
    workers: Annotated[int, typer.Option("--workers", "-w", metavar="N", help="Processes.")] = 1,
    folder: Annotated[Path, typer.Option("--folder", metavar="FOLDER", help="Where it is written.")] = Path(
        "reproduced"
    ),
    json: AsJson = False,
) -> None:
    """Play a published table anew: ours beside theirs, the figures as pictures, and one HTML page."""
    from hiddenhand.core.errors import UserError
    from hiddenhand.lab.reproduce import reproduce as make

    if games is not None and games < 2:
        raise UserError(f"games must be at least 2, not {games}")
    given = {} if games is None else {"games": games}
    print_result(lambda progress: make(name, folder, workers=workers, progress=progress, **given), json)


def register(app: typer.Typer) -> None:
    app.command()(reproduce)
