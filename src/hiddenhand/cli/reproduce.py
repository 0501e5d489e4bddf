"""Published tables and figures, made again: `reproduce`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hiddenhand.cli.matches import print_result
from hiddenhand.cli.options import AsJson, NoStore, Resume, StoreUrl, Workers, open_store
from hiddenhand.core.text import Text


def reproduce(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to reproduce: dominion, hanabi or snaps.")],
    games: Annotated[int | None, typer.Option("--games", "-n", metavar="N", help="Games per cell.")] = None,
    runs: Annotated[int | None, typer.Option("--runs", metavar="N", help="Evolutions per model (dominion).")] = None,
    generations: Annotated[
        int | None, typer.Option("--generations", metavar="N", help="Of each evolution (dominion).")
    ] = None,
    part: Annotated[
        str | None,
        typer.Option("--part", metavar="TEXT", help="The part whose title begins so (hanabi, snaps)."),
    ] = None,
    workers: Workers = 1,
    folder: Annotated[Path, typer.Option("--folder", metavar="FOLDER", help="Where it is written.")] = Path(
        "reproduced"
    ),
    store: StoreUrl = None,
    no_store: NoStore = False,
    resume: Resume = False,
    json: AsJson = False,
) -> None:
    """Play a published table anew: ours beside theirs, the figures as pictures, and one HTML page.

    On one core snaps takes an hour and dominion three. Stopped by Ctrl-C, what there is is written and kept in the
    store: repeat the command with --resume.
    """
    from hiddenhand.core.errors import UserError
    from hiddenhand.lab.runner import Running
    from hiddenhand.studies import reproduce as make

    if games is not None and games < 2:
        raise UserError(Text("games must be at least 2, not {games}", games=games))
    choices = {"games": games, "runs": runs, "generations": generations, "part": part}
    given = {word: choice for word, choice in choices.items() if choice is not None}
    with open_store(store, no_store, resume) as shelf:
        print_result(
            lambda progress: make(name, folder, Running(shelf, resume, progress), workers, **given), json, "steps"
        )


def register(app: typer.Typer) -> None:
    app.command()(reproduce)
