"""Playing many games: `match` and `tournament`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from hiddenhand.cli.options import (
    AgentTexts,
    AsJson,
    ClusterAddress,
    GameName,
    Games,
    NoStore,
    Options,
    Records,
    Resume,
    Seed,
    StoreUrl,
    Workers,
    open_store,
    read_options,
)
from hiddenhand.cli.output import complain, print_json

Rotate = Annotated[bool, typer.Option("--rotate", help="Agents move on by one seat from game to game.")]
Duplicate = Annotated[
    bool,
    typer.Option("--duplicate", help="Every deal in every seating; N is rounded up to whole deals."),
]

Opening = Annotated[
    int, typer.Option("--opening", metavar="N", help="Draw the first N moves of every game at random.")
]


Device = Annotated[
    str, typer.Option("--device", metavar="DEVICE", help="cpu, or cuda: on a graphics card, compiled policies alone.")
]


def match(
    game: GameName,
    agents: AgentTexts,
    games: Games = 100,
    seed: Seed = 0,
    option: Options = None,
    rotate: Rotate = False,
    duplicate: Duplicate = False,
    opening: Opening = 0,
    workers: Workers = 1,
    cluster: ClusterAddress = None,
    device: Device = "cpu",
    store: StoreUrl = None,
    no_store: NoStore = False,
    resume: Resume = False,
    records: Records = 0,
    json: AsJson = False,
) -> None:
    """Play many games between agents, one per seat.

    Finished games go to the store, so Ctrl-C loses nothing: repeat the command with --resume.
    """
    from hiddenhand.core import resolver
    from hiddenhand.lab.match import match as play_match

    chosen = resolver.game(game, read_options(option, game))
    with open_store(store, no_store, resume) as shelf:
        print_result(
            lambda progress: play_match(
                chosen,
                agents,
                games=games,
                seed=seed,
                rotate=rotate,
                duplicate=duplicate,
                opening=opening,
                workers=workers,
                cluster=cluster,
                device=device,
                store=shelf,
                resume=resume,
                records=records,
                progress=progress,
            ),
            json,
        )


def tournament(
    game: GameName,
    agents: AgentTexts,
    games: Games = 100,
    seed: Seed = 0,
    option: Options = None,
    opening: Opening = 0,
    workers: Workers = 1,
    cluster: ClusterAddress = None,
    store: StoreUrl = None,
    no_store: NoStore = False,
    resume: Resume = False,
    records: Records = 0,
    json: AsJson = False,
) -> None:
    """Let every agent meet every other: cross table and ratings.

    Every pair (in games of more seats, every line-up) plays N games, every deal in every seating.
    """
    from hiddenhand.core import resolver
    from hiddenhand.lab.tournament import tournament as play_tournament

    chosen = resolver.game(game, read_options(option, game))
    with open_store(store, no_store, resume) as shelf:
        print_result(
            lambda progress: play_tournament(
                chosen,
                agents,
                games=games,
                seed=seed,
                opening=opening,
                workers=workers,
                cluster=cluster,
                store=shelf,
                resume=resume,
                records=records,
                progress=progress,
            ),
            json,
        )


def print_result(play: Callable[[Any], Any], json: bool, unit: str = "games") -> None:
    """Work, and print what came of it; after Ctrl-C, what was finished until then. `unit`: what progress counts."""
    from hiddenhand.lab.progress import shown_progress
    from hiddenhand.lab.runner import Interrupted

    stopped: Interrupted | None = None
    with shown_progress(unit) as progress:
        try:
            result = play(progress)
        except Interrupted as stop:
            stopped, result = stop, stop.result
    if json:
        print_json(result.to_json())
    else:
        print(result)
    if stopped is not None:
        raise typer.Exit(complain(stopped.message, stopped.status, "stopped:"))


def register(app: typer.Typer) -> None:
    app.command()(match)
    app.command()(tournament)
