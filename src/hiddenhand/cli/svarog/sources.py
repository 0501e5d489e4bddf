"""What the commands of this family share: where a specification comes from, and how a result is printed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hiddenhand.cli.output import print_json
from hiddenhand.core.errors import UserError

if TYPE_CHECKING:
    from hiddenhand.planning.language import Specification

FileName = Annotated[str, typer.Argument(metavar="FILE", help="A .svarog file, or a world of ours such as dorban.")]
Output = Annotated[Path, typer.Option("--output", metavar="OUT", help="The file to write.")]
Compat = Annotated[
    str, typer.Option("--compat", metavar="RULES", help="Where they differ: the rules of the document, or of svarog.")
]


def check_compat(compat: str) -> None:
    from hiddenhand.planning.planners.knowledge import limit

    limit(compat)


def read(name: str) -> Specification:
    """The specification of a file, or of a world of ours."""
    if name.lower().endswith((".pomdp", ".pomdpx")):
        raise UserError(
            "{name} is a model, and no world of the Svarog language: `svarog solve` says what it "
            "is worth, `svarog online` plays it, and `explain` says what to do",
            name=name,
        )
    from hiddenhand.planning.language import read_file
    from hiddenhand.planning.worlds import world_file

    return read_file(world_file(name))


def report(document: dict[str, Any], text: str, json: bool) -> None:
    if json:
        print_json(document)
    else:
        print(text)
