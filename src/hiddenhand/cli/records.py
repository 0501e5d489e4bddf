"""What the store has: `records`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from hiddenhand.cli.options import AsJson, StoreUrl
from hiddenhand.cli.output import print_json, print_table
from hiddenhand.core.text import Text

RecordId = Annotated[
    str | None,
    typer.Argument(metavar="[ID]", help="What to print: a record, such as 1f0c77a2b3d4/0, or a tournament or match."),
]


def records(record: RecordId = None, store: StoreUrl = None, json: AsJson = False) -> None:
    """List the matches and tournaments in the store, or print one of them or one record."""
    from hiddenhand.lab.store import Store
    from hiddenhand.lab.tables import names_of

    with Store(store) as shelf:
        entries = shelf.listing()
        if record is not None:
            print_json(next((entry for entry in entries if entry["id"] == record), None) or shelf.record(record))
            return
    if json:
        print_json(entries)
        return
    if not entries:
        print(f"no matches in {shelf.url}")
        return
    rows = [("match", "when", "games", "game", "agents", "records")]
    for entry in entries:
        done = (
            f"{entry['done']:,}"
            if entry["finished"]
            else Text("{ply:,} of {last:,}", ply=entry["done"], last=entry["wanted"])
        )
        when = entry["created"][:16].replace("T", " ")
        agents = " ".join(names_of(entry["agents"]))
        rows.append((entry["id"], when, done, entry["game"], agents, inside(entry)))
    print_table(rows, "<<><<<")


def inside(entry: dict[str, Any]) -> str:
    """The records of a match, or the matches of a tournament."""
    if entry["kind"] == "match":
        return listed(entry["records"])
    return Text.plural("tournament of {n} match", "tournament of {n} matches", n=len(entry["matches"]))


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
