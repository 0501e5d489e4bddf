"""`watch`: a search step by step, as pictures. `orders`: how many nodes alpha-beta visits in good and bad orders."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hiddenhand.cli.options import AsJson, GameName, Moves, Options, Position, begun_at, read_options
from hiddenhand.cli.output import print_json, print_table, write_file
from hiddenhand.core.errors import UserError, one_of

if TYPE_CHECKING:
    from hiddenhand.core.table import Table
    from hiddenhand.core.view import View
    from hiddenhand.search.stepwise import Order, Watched

Method = Annotated[
    str,
    typer.Argument(
        metavar="AGENT", help="minimax, alphabeta, maxn, expectiminimax, uct, pimc or cfr, with its settings."
    ),
]
Breadth = Annotated[
    int, typer.Option("--breadth", "-b", metavar="N", min=0, help="Moves and outcomes kept at a node. [all]")
]
OrderName = Annotated[
    str, typer.Option("--order", metavar="ORDER", help="Of the moves: legal, game, best, worst or random.")
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="PLACE", help="One animated picture (file.svg), or a folder for a picture a step."),
]
StepNumber = Annotated[
    int | None, typer.Option("--step", metavar="N", help="With file.svg: this step alone; -1: the last.")
]
Seed = Annotated[int, typer.Option("--seed", "-s", metavar="S", help="Determines the deal.")]
Boards = Annotated[bool | None, typer.Option("--boards/--no-boards", help="Boards in the nodes. [small ones]")]


def watch(
    game: GameName,
    agent: Method,
    option: Options = None,
    position: Position = None,
    moves: Moves = "",
    breadth: Breadth = 0,
    order: OrderName = "legal",
    boards: Boards = None,
    seed: Seed = 0,
    step: StepNumber = None,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Watch a search: every step in words, as pictures in a folder, or as one animated picture."""
    from hiddenhand.core import resolver
    from hiddenhand.search.stepwise import watch as look_on

    with in_plain_python(agent):
        table, view = at_the_table(game, begun_at(read_options(option, game), position), moves, seed)
        found = look_on(resolver.agent(table.game, agent), view, breadth, known_order(order), boards, seed)
    if out is not None:
        where = write_pictures(found, out, step)
        if not json:
            print(f"{found.title}. {found.result} {where}")
    elif not json:
        print("\n".join([found.title, *lines(found)]))
    if json:
        print_json(found.to_json())


@contextmanager
def in_plain_python(agent: str) -> Iterator[None]:
    """A few hundred positions are not worth compiling; deals that are searched to the end are."""
    from hiddenhand.kernel.rule import Mode, Rule, in_mode

    with in_mode(Rule.mode if agent.startswith("pimc") else Mode.PLAIN):
        yield


def at_the_table(game: str, options: dict[str, Any], moves: str, seed: int) -> tuple[Table, View]:
    """A game with some moves played, as the mover sees it.

    In a tree chance waits like everybody else, and MAX is always the first player.
    """
    from hiddenhand.core import resolver
    from hiddenhand.games import tree

    chosen = resolver.game(game, options)
    is_tree = chosen.rules is tree.GAME.rules
    table = chosen.deal(seed, rolls=not is_tree)
    table.play_all(moves)
    if table.over:
        raise UserError("the game is over after these moves")
    return table, table.view(0 if is_tree else table.turn)


def known_order(order: str) -> Order:
    from hiddenhand.search.stepwise import ORDERS

    for known in ORDERS:
        if order == known:
            return known
    raise UserError("{order} is no order of moves; try {orders}", order=repr(order), orders=one_of(list(ORDERS)))


def lines(found: Watched) -> list[str]:
    """Every step in words, with the counts."""
    width = len(str(len(found.steps)))
    return [f"{number:{width}}  {step['says']}" for number, step in enumerate(found.steps, 1)]


def write_pictures(found: Watched, out: Path, step: int | None) -> str:
    """Write what was asked for; where it lies."""
    from hiddenhand.search.tree_drawing import animated_svg, drawing_of, frame_svg

    total = len(found.steps)
    if step is not None and not -1 <= step <= total:
        raise UserError("there is no step {step}: the search has {total}", step=step, total=total)
    step = total if step == -1 else step
    if out.suffix == ".svg":
        write_file(out, animated_svg(found) if step is None else frame_svg(found, step))
        return f"Drawn in {out}."
    if out.suffix or step is not None:
        raise UserError(
            "{out}: pictures are written into a file that ends in .svg, or one a step into a folder", out=out
        )
    drawing = drawing_of(found)
    try:
        out.expanduser().mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError("cannot write {out}: {error}", out=out, error=error.strerror or error) from None
    for number in range(total + 1):
        write_file(out / f"{number:0{len(str(total))}}.svg", frame_svg(found, number, drawing))
    return f"{total + 1} pictures in {out}."


def orders(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game. [random trees]")] = "",
    option: Options = None,
    position: Position = None,
    moves: Moves = "",
    breadth: Annotated[int, typer.Option("--breadth", "-b", min=1, metavar="B", help="Moves of a position.")] = 3,
    depth: Annotated[int, typer.Option("--depth", "-d", min=1, metavar="M", help="Moves to look ahead.")] = 4,
    trees: Annotated[int, typer.Option("--trees", min=1, metavar="N", help="Random trees, or random orders.")] = 20,
    seed: Seed = 0,
    json: AsJson = False,
) -> None:
    """Count the nodes that alpha-beta visits in the best, a random and the worst order, beside the formulas."""
    from hiddenhand.search.stepwise.orders import counted_in_game, counted_in_random_trees, formulas

    if game:
        with in_plain_python(game):
            options = begun_at(read_options(option, game), position)
            found = counted_in_game(at_the_table(game, options, moves, seed)[1], breadth, depth, trees, seed)
    else:
        found = counted_in_random_trees(breadth, depth, trees, seed)
    if json:
        print_json({"breadth": breadth, "depth": depth, **found, "formulas": formulas(breadth, depth)})
        return
    print(f"{game or 'random trees'}, {breadth} moves, {depth} moves ahead")
    rows = [("order", "nodes visited", "leaves visited"), *((name, *texts) for name, texts in found_rows(found))]
    print_table(rows, "<>>")
    print()
    print_table(
        [("formula", "leaves"), *((name, f"{value:,.0f}") for name, value in formulas(breadth, depth).items())], "<>"
    )


def found_rows(found: dict[str, dict[str, float]]) -> list[tuple[str, tuple[str, str]]]:
    return [(name, (f"{count['nodes']:,.1f}", f"{count['leaves']:,.1f}")) for name, count in found.items()]


def register(app: typer.Typer) -> None:
    app.command()(watch)
    app.command()(orders)
