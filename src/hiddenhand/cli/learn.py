"""Learning: `train` and `tune`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hiddenhand.cli.matches import print_result
from hiddenhand.cli.options import (
    AsJson,
    GameName,
    NoStore,
    Options,
    Resume,
    StoreUrl,
    Workers,
    open_store,
    read_options,
)

if TYPE_CHECKING:
    from hiddenhand.core.game import Game

Players = Annotated[int | None, typer.Option("--players", "-p", metavar="N", help="How many play.")]
Output = Annotated[Path | None, typer.Option("--output", "--out", metavar="FILE", help="Where to write the result.")]
Seed = Annotated[int, typer.Option("--seed", "-s", metavar="S", help="Determines everything.")]


def chosen_game(option: list[str] | None, game: str, players: int | None) -> Game:
    """The game with its options, the number of players among them."""
    from hiddenhand.core import resolver

    options = read_options(option, game)
    return resolver.game(game, options if players is None else {**options, "players": players})


def train(
    game: GameName,
    learner: Annotated[str, typer.Argument(metavar="LEARNER", help="What learns, such as reinforced.")],
    players: Players = None,
    games: Annotated[int | None, typer.Option("--games", "-n", metavar="N", help="Games to learn from.")] = None,
    teacher: Annotated[
        str | None, typer.Option("--teacher", metavar="AGENT", help="Whom it watches, if it learns from a teacher.")
    ] = None,
    from_records: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            metavar="RECORDS",
            help="Saved games to learn from: a file or a folder; may be repeated. Then --teacher says whose moves: "
            "an agent, or person. [those of people; everybody's where no people play]",
        ),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="How it learns, such as partners=trustful; may be repeated."
        ),
    ] = None,
    steps: Annotated[
        int | None, typer.Option("--steps", metavar="N", help="Moves to learn from, where moves are counted (ppo).")
    ] = None,
    seconds: Annotated[
        int | None, typer.Option("--seconds", metavar="S", help="How long to learn, where that is counted (ppo).")
    ] = None,
    device: Annotated[
        str | None, typer.Option("--device", metavar="DEVICE", help="Where to learn: cpu or cuda (ppo).")
    ] = None,
    workers: Workers = 1,
    seed: Seed = 1,
    option: Options = None,
    output: Output = None,
    store: StoreUrl = None,
    no_store: NoStore = False,
    resume: Resume = False,
    json: AsJson = False,
) -> None:
    """Let an agent learn a game, by playing it with itself, by watching a teacher, or from saved games.

    What it has learned is kept in the store every few seconds and on Ctrl-C; --resume goes on. A learning curve is
    drawn.
    """
    from hiddenhand.core.settings import parse_pairs
    from hiddenhand.lab.training import train as learn

    chosen = chosen_game(option, game, players)
    settings = parse_pairs(",".join(setting or []), learner, "setting")
    named = {"steps": steps, "seconds": seconds, "device": device}
    settings |= {name: str(value) for name, value in named.items() if value is not None}
    with open_store(store, no_store, resume) as shelf:
        print_result(
            lambda progress: learn(
                chosen,
                learner,
                games=games,
                seed=seed,
                output=output,
                store=shelf,
                resume=resume,
                progress=progress,
                teacher=teacher,
                workers=workers,
                records=from_records or [],
                settings=settings,
            ),
            json,
        )


def tune(
    game: GameName,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="The agent whose parameters are tuned.")],
    players: Players = None,
    evaluations: Annotated[int, typer.Option("--evaluations", metavar="N", help="Points to try.")] = 400,
    games: Annotated[int, typer.Option("--games", "-n", metavar="N", help="Games per evaluation.")] = 600,
    model: Annotated[str, typer.Option("--model", help="Where to look next: parzen or gaussian.")] = "parzen",
    seed: Seed = 1,
    option: Options = None,
    output: Output = None,
    store: StoreUrl = None,
    no_store: NoStore = False,
    resume: Resume = False,
    json: AsJson = False,
) -> None:
    """Tune the parameters of an agent by Bayesian optimisation, in self-play on common deals.

    The search can be interrupted and resumed; the result is tested on new deals.
    """
    from hiddenhand.lab.tuning import tune as search

    chosen = chosen_game(option, game, players)
    with open_store(store, no_store, resume) as shelf:
        print_result(
            lambda progress: search(
                chosen,
                agent,
                evaluations=evaluations,
                games=games,
                seed=seed,
                model=model,
                output=output,
                store=shelf,
                resume=resume,
                progress=progress,
            ),
            json,
            "evaluations",
        )


def register(app: typer.Typer) -> None:
    app.command()(train)
    app.command()(tune)
