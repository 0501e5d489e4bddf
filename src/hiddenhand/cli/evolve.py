"""Evolution: `evolve`."""

from __future__ import annotations

from pathlib import Path
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
from hiddenhand.core.text import Text

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
Population = Annotated[int, typer.Option("--population", metavar="N", help="Parents of every generation.")]
Mutants = Annotated[int, typer.Option("--mutants", metavar="N", help="Of each parent, in every generation.")]
Selection = Annotated[
    str,
    typer.Option("--selection", metavar="HOW", help="plus: parents compete with their mutants; comma: they do not."),
]
Recombined = Annotated[
    float, typer.Option("--recombined", metavar="SHARE", help="Of the mutants so many have two parents, 0 to 1.")
]
Beginners = Annotated[
    int,
    typer.Option("--beginners", metavar="N", help="Genomes drawn at random that compete in the first generation."),
]
Parents = Annotated[
    str,
    typer.Option("--parents", metavar="WHICH", help="The first: those of the model, or (start) of --start alone."),
]
Start = Annotated[
    list[str] | None,
    typer.Option("--start", metavar="GENOME", help="Competes in the first generation: a text, or @FILE. May repeat."),
]
Rounds = Annotated[
    int,
    typer.Option("--rounds", metavar="N", help="After each round the better half plays four times as many games."),
]
Goal = Annotated[
    str, typer.Option("--goal", metavar="WHAT", help="What counts as won: shared victories too, or those alone.")
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
PastWinners = Annotated[
    int, typer.Option("--hall", metavar="N", help="The last N different winners are opponents too: a hall of fame.")
]
League = Annotated[
    int,
    typer.Option(
        "--league",
        metavar="N",
        help="Breed in N rounds against a league: the references that the model knows, and the best answer to every "
        "champion.",
    ),
]
Floor = Annotated[
    float,
    typer.Option(
        "--floor",
        metavar="SHARE",
        help="With a league: the share of games to be won against those named by --opponent.",
    ),
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
    population: Population = 5,
    mutants: Mutants = 10,
    selection: Selection = "plus",
    recombined: Recombined = 0.0,
    beginners: Beginners = 0,
    parents: Parents = "model",
    start: Start = None,
    games: Games = 100,
    rounds: Rounds = 1,
    goal: Goal = "shared",
    opponent: Opponents = None,
    hall: PastWinners = 0,
    league: League = 0,
    floor: Floor = 0.5,
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
    from hiddenhand.lab.evolution import OPPONENT
    from hiddenhand.lab.evolution import evolve as breed

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
                population=population,
                mutants=mutants,
                selection=selection,
                recombined=recombined,
                beginners=beginners,
                parents=parents,
                start=[text_of(genome) for genome in start or ()],
                games=games,
                rounds=rounds,
                goal=goal,
                opponent=opponent or OPPONENT,
                hall=hall,
                league=league,
                floor=floor,
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


def text_of(genome: str) -> str:
    """A genome as it was typed, or what is in its file."""
    if not genome.startswith("@"):
        return genome
    from hiddenhand.core.errors import UserError

    try:
        lines = Path(genome[1:]).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(Text("{path} cannot be read: {why}", path=genome[1:], why=error)) from None
    return "\n".join(line for line in lines if not line.lstrip().startswith("#"))


def register(app: typer.Typer) -> None:
    app.command()(evolve)
