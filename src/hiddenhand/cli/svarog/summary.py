"""`svarog summary`: what the planner does in a whole world, as a small decision tree."""

from __future__ import annotations

from typing import Annotated

import typer

from hiddenhand.cli.options import AsJson
from hiddenhand.cli.svarog.sources import FileName, read, report

Depth = Annotated[int, typer.Option("--depth", "-d", metavar="N", help="How many steps the planner plans ahead.")]
Leaves = Annotated[int, typer.Option("--leaves", metavar="N", help="The most rules that the tree may have.")]
Steps = Annotated[int, typer.Option("--steps", metavar="N", help="How many steps an episode has.")]


def summary(file: FileName, depth: Depth = 8, leaves: Leaves = 24, steps: Steps = 50, json: AsJson = False) -> None:
    """Print a small decision tree that does nearly what the planner does, and what it loses."""
    from hiddenhand.planning.explain.summary import summarise
    from hiddenhand.planning.model.world_building import build_world

    found = summarise(build_world(read(file)), depth, leaves, steps)
    report(found.to_json(), found.text(), json)
