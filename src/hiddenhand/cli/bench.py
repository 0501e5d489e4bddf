"""How fast: `bench`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hiddenhand.cli.options import AsJson
from hiddenhand.cli.output import print_json

if TYPE_CHECKING:
    from hiddenhand.lab.speed import Row


def bench(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Which table: search, env, gpu, hanabi, dominion or snaps.")
    ] = "search",
    json: AsJson = False,
) -> None:
    """Measure speed, ours beside the peers', in one run on one core."""
    from hiddenhand.lab.speed import measure

    rows, measured = [], measure(name)
    if not json:
        print(f"{'job':38}{'ours':>14}{'theirs':>14}  {'unit':14}{'ratio':>8}{'wanted':>8}  peer")
    for row in measured:
        rows.append(row)
        if not json:
            print(line(row), flush=True)
    missing = {row.peer for row in rows if row.theirs is None and row.peer != "-"}
    if json:
        print_json([row.to_json() for row in rows])
    elif missing:
        print(f"not installed: {'; '.join(sorted(missing))}")
        print("pip install 'hiddenhand[bench]' (OpenSpiel, pyminion) or pip install pgx jaxmarl measures them too")


def line(row: Row) -> str:
    theirs = "-" if row.theirs is None else rate(row.theirs)
    ratio = "-" if row.ratio is None else f"{row.ratio:.1f}x"
    wanted = "" if row.wanted is None else f"{row.wanted:g}x"
    return f"{row.job:38}{rate(row.ours):>14}{theirs:>14}  {row.unit:14}{ratio:>8}{wanted:>8}  {row.peer}"


def rate(number: float) -> str:
    """Whole numbers for large rates, three digits for small ones."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def register(app: typer.Typer) -> None:
    app.command()(bench)
