"""Evolution: `evolve`."""

from __future__ import annotations

from typing import Annotated

import typer

from hiddenhand.cli.learn import Output, Seed
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

Kingdom = Annotated[
    str | None, typer.Option("--kingdom", metavar="NAME", help="Short for --option kingdom=NAME of Dominion.")
]
ModelText = Annotated[
    str, typer.Option("--model", "-m", metavar="MODEL", help="What is evolved, such as ratios, seasonal or menu.")
]
Playing = Annotated[
    str | None,
    typer.Option("--playing", metavar="CHOOSER", help="Short for the model's setting playing: random or ranks."),
]
Runs = Annotated[int, typer.Option("--runs", metavar="N", help="Independent evolutions, side by side.")]
Generations = Annotated[int, typer.Option("--generations", metavar="N", help="How many in each run.")]
Mutants = Annotated[
    int, typer.Option("--mutants", metavar="N", help="Of each of the five parents, in every generation.")
]
Opponents = Annotated[
    list[str] | None,
    typer.Option(
        "--opponent",
        metavar="AGENT",
        help="Against whom everybody is measured: bigmoney, unless named. Several: repeat it, and the mean counts.",
    ),
]
Games = Annotated[
    int, typer.Option("--games", "-n", metavar="N", help="By which fitness is measured, against each opponent.")
]
Hall = Annotated[
    int, typer.Option("--hall", metavar="N", help="The last N different winners are opponents too: a hall of fame.")
]
Polish = Annotated[
    int, typer.Option("--polish", metavar="N", help="Improve the winner step by step in the end, in N passes.")
]


def evolve(
    game: GameName,
    model: ModelText = "seasonal",
    playing: Playing = None,
    kingdom: Kingdom = None,
    runs: Runs = 1,
    generations: Generations = 100,
    mutants: Mutants = 10,
    games: Games = 100,
    opponent: Opponents = None,
    hall: Hall = 0,
    polish: Polish = 0,
    workers: Workers = 1,
    seed: Seed = 1,
    option: Options = None,
    output: Output = None,
    store: StoreUrl = None,
    no_store: NoStore = False,
    resume: Resume = False,
    json: AsJson = False,
) -> None:
    """Let strategies evolve: mutants of the best play against an opponent, generation after generation.

    The winner is written to a file that an agent reads, and the course of all runs is drawn. Ctrl-C loses nothing:
    repeat the command with --resume.
    """
    from hiddenhand.core import resolver
    from hiddenhand.lab.evolving import OPPONENT
    from hiddenhand.lab.evolving import evolve as breed

    options = read_options(option, game)
    if kingdom is not None:
        options["kingdom"] = kingdom
    if playing is not None:
        model += ("," if ":" in model else ":") + f"playing={playing}"
    chosen = resolver.game(game, options)
    with open_store(store, no_store, resume) as shelf:
        print_result(
            lambda progress: breed(
                chosen,
                model,
                runs=runs,
                generations=generations,
                mutants=mutants,
                games=games,
                opponent=opponent or OPPONENT,
                hall=hall,
                polish=polish,
                seed=seed,
                output=output,
                store=shelf,
                resume=resume,
                progress=progress,
                workers=workers,
            ),
            json,
            "generations",
        )


def register(app: typer.Typer) -> None:
    app.command()(evolve)
