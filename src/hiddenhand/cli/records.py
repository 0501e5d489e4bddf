"""What the store has: `records`."""

from __future__ import annotations

from typing import Annotated

import typer

from hiddenhand.cli.options import AsJson, StoreUrl
from hiddenhand.cli.output import print_json, print_table
from hiddenhand.core.text import Text

RecordId = Annotated[str | None, typer.Argument(metavar="[ID]", help="The record to print, such as 1f0c77a2b3d4/0.")]


def records(record: RecordId = None, store: StoreUrl = None, json: AsJson = False) -> None:
    """List the matches in the store, or print one record."""
    from hiddenhand.lab.store import Store

    with Store(store) as shelf:
        if record is not None:
            print_json(shelf.record(record))
            return
        matches = shelf.matches()
    if json:
        print_json(matches)
        return
    if not matches:
        print(f"no matches in {shelf.url}")
        return
    rows = [("match", "when", "games", "game", "agents", "records")]
    for match in matches:
        done = (
            f"{match['done']:,}"
            if match["finished"]
            else Text("{ply:,} of {last:,}", ply=match["done"], last=match["games"])
        )
        when = match["created"][:16].replace("T", " ")
        agents = " ".join(match["agents"])
        rows.append((match["id"], when, done, match["game"], agents, listed(match["records"])))
    print_table(rows, "<<><<<")


def listed(ids: list[str]) -> str:
    """The ids of some records, shortened."""
    return (
        ids[0]
        if len(ids) == 1
        else Text("{low} to {high}", low=ids[0], high=ids[-1].partition("/")[2])
        if ids
        else "-"
    )


def register(app: typer.Typer) -> None:
    app.command()(records)
