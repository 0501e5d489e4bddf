"""Counting move paths: `perft`."""

from __future__ import annotations

import signal
from typing import Annotated

import typer

from hiddenhand.cli.options import AsJson, GameName, Options, read_options
from hiddenhand.cli.output import print_json
from hiddenhand.core.errors import UserError

Depth = Annotated[int, typer.Option("--depth", "-d", metavar="N", help="Count paths of 1 to N moves.")]


def perft(game: GameName, depth: Depth, option: Options = None, json: AsJson = False) -> None:
    """Count the paths of 1, 2, ... moves from the start.

    This is the standard test of a move generator. Games with chance or hidden information are refused:
    they have no single start.
    """
    from hiddenhand.core import resolver
    from hiddenhand.search import perft as count

    chosen = resolver.game(game, read_options(option, game))
    if chosen.chance or chosen.hidden:
        raise UserError("perft needs a game without chance and hidden information; {name} has some", name=chosen.name)
    if not 1 <= depth <= chosen.longest:
        raise UserError(
            "depth must be a whole number from 1 to {longest}, not {depth}", longest=chosen.longest, depth=depth
        )
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends the compiled count at once; nothing is lost
    try:
        paths = []
        if not json:
            print(f"{'depth':>5}  {'paths':>16}", flush=True)
        for moves in range(1, depth + 1):
            paths.append({"depth": moves, "paths": count(chosen, moves)})
            if not json:
                print(f"{moves:>5}  {paths[-1]['paths']:>16,}", flush=True)
    finally:
        signal.signal(signal.SIGINT, before)
    if json:
        print_json(
            {"game": chosen.origin.spec, "version": chosen.version, "options": dict(chosen.options), "perft": paths}
        )


def register(app: typer.Typer) -> None:
    app.command()(perft)
