"""`svarog precalculate`, `estimate` and `merge`: what is reckoned once and kept in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hiddenhand.cli.options import AsJson
from hiddenhand.cli.output import write_file
from hiddenhand.cli.svarog.sources import FileName, Output, read, report
from hiddenhand.core.errors import UserError

Depth = Annotated[int, typer.Option("--depth", "-d", metavar="N", help="How many steps to plan ahead.")]
Granularity = Annotated[
    int, typer.Option("--granularity", "-g", metavar="N", help="How fine the grid of beliefs is; 2 or more.")
]


def precalculate(
    file: FileName,
    output: Output,
    depth: Depth = 4,
    granularity: Granularity = 2,
    compact: Annotated[bool, typer.Option("--compact", help="A small file instead of the original's text.")] = False,
    workers: Annotated[int, typer.Option("--workers", "-w", metavar="N", help="Processes.")] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what OUT holds already.")] = False,
    json: AsJson = False,
) -> None:
    """Reckon the best action for a grid of beliefs in every visible state, and write it to a file."""
    check_grid(depth, granularity)
    from hiddenhand.planning.precalculation import precalculate_file

    specification = read(file)
    document = precalculate_file(
        specification, output, depth, granularity, compact=compact, workers=workers, resume=resume
    )
    text = f"{output}: {document['beliefs']} beliefs in {document['visible_states']} visible states"
    report(document, text, json)


def estimate(file: FileName, depth: Depth = 4, granularity: Granularity = 2, json: AsJson = False) -> None:
    """Print what precalculation would have to do: the visible states and how many beliefs each has."""
    check_grid(depth, granularity)
    from hiddenhand.planning.building import build_world
    from hiddenhand.planning.language.printing import knowledge
    from hiddenhand.planning.precalculation import estimate as reckon

    found = reckon(build_world(read(file)), depth, granularity)
    states = [
        {
            "visible": state.query.as_dict(),
            "possible_states": int(state.amount_of_possible_states),
            "beliefs": state.max_amount_of_beliefs,
            "too_complex": state.too_complex,
        }
        for state in found.states
    ]
    document = {"file": file, "depth": depth, "granularity": granularity, "visible_states": states}
    report(document, "\n".join(knowledge(found, digits=6)), json)


def check_grid(depth: int, granularity: int) -> None:
    for what, value, least in (("depth", depth, 1), ("granularity", granularity, 2)):
        if value < least:
            raise UserError(f"{what} must be a whole number of at least {least}, not {value}")


def merge(
    first: Annotated[str, typer.Argument(metavar="A", help="A file with precalculated knowledge.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another one, of the same world.")],
    output: Annotated[Path | None, typer.Option("--output", metavar="OUT", help="[standard output]")] = None,
    json: AsJson = False,
) -> None:
    """Add to A the precalculated visible states of B that it does not have, if depth and granularity agree."""
    from hiddenhand.planning.knowledge_file import merge as put_together
    from hiddenhand.planning.language import to_text

    text = to_text(put_together(read(first), read(second)), digits=6)
    if output is not None:
        write_file(output, text)
    document = {"files": [first, second], **({"text": text} if output is None else {"output": str(output)})}
    report(document, text.rstrip("\n") if output is None else f"{output}: {first} and {second} merged", json)
