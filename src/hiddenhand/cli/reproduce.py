"""Published tables and figures, made again: `reproduce`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hiddenhand.cli.matches import print_result
from hiddenhand.cli.options import AsJson


def reproduce(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to reproduce: dominion, hanabi or snaps.")],
    games: Annotated[int | None, typer.Option("--games", "-n", metavar="N", help="Games per cell.")] = None,
    runs: Annotated[int | None, typer.Option("--runs", metavar="N", help="Evolutions per model (dominion).")] = None,
    generations: Annotated[
        int | None, typer.Option("--generations", metavar="N", help="Of each evolution (dominion).")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", "-w", metavar="N", help="Processes.")] = 1,
    folder: Annotated[Path, typer.Option("--folder", metavar="FOLDER", help="Where it is written.")] = Path(
        "reproduced"
    ),
    json: AsJson = False,
) -> None:
    """Play a published table anew: ours beside theirs, the figures as pictures, and one HTML page.

    On one core snaps takes an hour and dominion an hour and a half. Stopped by Ctrl-C, both write what there is. The
    same command then goes on: dominion with the next generation, snaps with its last part.
    """
    from hiddenhand.core.errors import UserError
    from hiddenhand.lab.reproduce import reproduce as make

    if games is not None and games < 2:
        raise UserError(f"games must be at least 2, not {games}")
    numbers = {"games": games, "runs": runs, "generations": generations}
    given = {word: number for word, number in numbers.items() if number is not None}
    print_result(lambda progress: make(name, folder, workers=workers, progress=progress, **given), json)


def register(app: typer.Typer) -> None:
    app.command()(reproduce)
