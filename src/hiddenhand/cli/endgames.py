"""Tables of endgames: `endgames`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hiddenhand.cli.matches import print_result
from hiddenhand.cli.options import AsJson, GameName, NoStore, Resume, StoreUrl, open_store

Pieces = Annotated[
    int | None, typer.Option("--pieces", metavar="N", help="Positions with up to N pieces. [as many as fit]")
]
Memory = Annotated[int, typer.Option("--memory", metavar="MB", help="Megabytes that may be used.")]
Output = Annotated[Path | None, typer.Option("--output", metavar="FILE", help="Where the table is written.")]


def endgames(
    game: GameName,
    pieces: Pieces = None,
    memory: Memory = 200,
    output: Output = None,
    store: StoreUrl = None,
    no_store: NoStore = False,
    resume: Resume = False,
    json: AsJson = False,
) -> None:
    """Find the value of every position with few pieces, backwards from the end of the game.

    A search reads the file: alphabeta:endgames=FILE. Ctrl-C loses nothing: repeat the command with --resume.
    """
    from hiddenhand.core import resolver
    from hiddenhand.lab.endgames import make_endgames
    from hiddenhand.lab.runner import Running

    chosen = resolver.game(game)
    path = output or Path(f"{chosen.name}_endgames.npz")
    with open_store(store, no_store, resume) as shelf:
        print_result(
            lambda progress: make_endgames(
                chosen, pieces, memory, Running(shelf, resume, progress, output=str(path))
            ),
            json,
            "positions",
        )


def register(app: typer.Typer) -> None:
    app.command()(endgames)
