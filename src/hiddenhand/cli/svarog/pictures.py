"""`svarog grid` and `svarog map`: beliefs, and what to do with them, as pictures."""

from __future__ import annotations

from typing import Annotated

import typer

from hiddenhand.cli.options import AsJson
from hiddenhand.cli.output import write_file
from hiddenhand.cli.svarog.sources import FileName, Output, read, report

States = Annotated[int, typer.Option("--states", metavar="K", help="How many hidden states: 2 or 3.")]
Granularity = Annotated[
    int, typer.Option("--granularity", "-g", metavar="N", help="How fine the grid is; 2 or more.")
]
Basis = Annotated[bool, typer.Option("--basis", help="Only the certainties, as where a grid would be too large.")]
Start = Annotated[
    str | None, typer.Option("--start", metavar="VALUES", help="What is visible. [the first possible state]")
]
Depth = Annotated[int, typer.Option("--depth", "-d", metavar="N", help="How many steps to plan ahead.")]
Among = Annotated[
    list[str] | None,
    typer.Option("--among", metavar="VALUES", help="A hidden state; name two or three. [all that are possible]"),
]


def grid(
    output: Output, states: States = 3, granularity: Granularity = 2, basis: Basis = False, json: AsJson = False
) -> None:
    """Draw the beliefs that are precalculated for two or three hidden states (SVG)."""
    from hiddenhand.planning.explain.belief_drawing import grid_picture

    write_file(output, grid_picture(states, granularity, basis))
    document = {"output": str(output), "states": states, "granularity": granularity, "basis": basis}
    report(document, f"drawn in {output}", json)


def policy_map(
    file: FileName,
    output: Output,
    start: Start = None,
    depth: Depth = 4,
    among: Among = None,
    json: AsJson = False,
) -> None:
    """Draw what to do by what is believed: a line for two hidden states, a triangle for three (SVG)."""
    import numpy as np

    from hiddenhand.planning.explain.belief_drawing import map_picture
    from hiddenhand.planning.explain.policy_map import policy_map as reckon
    from hiddenhand.planning.model.world_building import build_world

    world = build_world(read(file))
    visible = int(np.argmax(world.possible)) if start is None else world.visible(words(start))
    found = reckon(world, visible, depth, [words(text) for text in among or []])
    write_file(output, map_picture(found))
    lines = [f"{100.0 * s.low:.4g} to {100.0 * s.high:.4g} %: {found.names[s.action]}" for s in found.intervals]
    if lines:
        lines.insert(0, f"by the probability of {found.states[1]}:")
    report({"output": str(output), **found.to_json()}, "\n".join([found.title, *lines, f"drawn in {output}"]), json)


def words(text: str) -> list[str]:
    return text.replace(",", " ").split()
