"""`svarog estimate` and `merge`: what precalculation would have to do, and what it has written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hiddenhand.cli.options import AsJson
from hiddenhand.cli.output import print_json
from hiddenhand.cli.svarog.sources import Compat, FileName, Output, read, report
from hiddenhand.core.errors import UserError

if TYPE_CHECKING:
    from hiddenhand.planning.language import Specification
    from hiddenhand.planning.planners.knowledge import Knowledge

Depth = Annotated[int, typer.Option("--depth", "-d", metavar="N", help="How many steps to plan ahead.")]
Granularity = Annotated[
    int, typer.Option("--granularity", "-g", metavar="N", help="How fine the grid of beliefs is; 2 or more.")
]
TimeToo = Annotated[bool, typer.Option("--time", help="Also how long it would take; some beliefs are timed for it.")]
Compact = Annotated[bool, typer.Option("--compact", help="Write a small file instead of the original's text.")]


def estimate(
    file: FileName,
    depth: Depth = 4,
    granularity: Granularity = 2,
    compat: Compat = "document",
    time: TimeToo = False,
    json: AsJson = False,
) -> None:
    """Print what precalculation would have to do: the visible states, and how many beliefs each of them has."""
    from hiddenhand.planning.model.world_building import build_world
    from hiddenhand.planning.planners.forecast import forecast
    from hiddenhand.planning.planners.knowledge import estimate as reckon
    from hiddenhand.planning.planners.knowledge import limit
    from hiddenhand.planning.planners.protocol import checked_depth
    from hiddenhand.planning.play import listing

    world = build_world(read(file))
    units = reckon(world, granularity, limit(compat))
    expected = forecast(world, checked_depth(depth), granularity, limit(compat)) if time else None
    if not json:
        print(listing.estimate(world, checked_depth(depth), granularity, limit(compat)), end="")
        print("".join(f"# {line}\n" for line in (expected.lines() if expected is not None else [])), end="")
        return
    states = [
        {
            "visible": world.visible_text(unit.visible),
            "possible_states": unit.possible_states,
            "grid": unit.grid_size,
            "too_complex": unit.too_complex,
            "stored": unit.stored,
        }
        for unit in units
    ]
    stored = sum(unit.stored for unit in units)
    document = {"file": file, "depth": depth, "granularity": granularity, "stored": stored, "visible_states": states}
    print_json({**document, **({} if expected is None else {"forecast": expected.to_json()})})


def merge(
    first: Annotated[str, typer.Argument(metavar="A", help="A file with precalculated knowledge.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another one, of the same world.")],
    output: Output,
    world: Annotated[
        str | None, typer.Option("--world", metavar="FILE", help="The world, if A does not hold it: a compact file.")
    ] = None,
    compact: Compact = False,
    json: AsJson = False,
) -> None:
    """Add to A the precalculated visible states of B that it does not have; depth and granularity must agree."""
    from hiddenhand.planning.model.world_building import build_world
    from hiddenhand.planning.planners.knowledge import merge as together
    from hiddenhand.planning.planners.knowledge_files import read as sections
    from hiddenhand.planning.planners.knowledge_files import write
    from hiddenhand.planning.worlds import world_file

    of = build_world(read(world) if world is not None else read_whole(first))
    merged = together(*fitting(*(known(name, sections(world_file(name), of)) for name in (first, second))))
    write(output, of, merged, compact)
    document = {"output": str(output), "visible_states": len(merged.blocks), "beliefs": len(merged)}
    report(document, f"{output}: {len(merged)} beliefs of {len(merged.blocks)} visible states", json)


def read_whole(name: str) -> Specification:
    """The specification that a file of knowledge holds."""
    try:
        return read(name)
    except UserError as error:
        raise UserError("{error} (if it holds knowledge alone, name its world with --world)", error=error) from None


def known(name: str, sections: list[Knowledge]) -> list[Knowledge]:
    if not sections:
        raise UserError("{name} holds no precalculated knowledge", name=name)
    return sections


def fitting(mine: list[Knowledge], theirs: list[Knowledge]) -> tuple[Knowledge, Knowledge]:
    """The first two sections of equal depth and granularity; if there are none, two that show it."""
    for one in mine:
        for other in theirs:
            if (one.depth, one.granularity) == (other.depth, other.granularity):
                return one, other
    return mine[0], theirs[0]
