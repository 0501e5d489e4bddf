"""Precalculating the knowledge of a world: here, in several processes or on a cluster, and resumable.

Every visible state is a piece of work of its own, whoever does it: the result is the same with 1 or 8 workers. What
there is is saved beside the output every few seconds and on Ctrl-C.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from hiddenhand.lab.executors import Runner, open_runner
from hiddenhand.lab.interrupts import Interrupted, Interrupts
from hiddenhand.lab.match import Progress
from hiddenhand.planning.language import read_text, syntax
from hiddenhand.planning.language.printing import to_text
from hiddenhand.planning.model.world import World
from hiddenhand.planning.model.world_building import build_world, read_world
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.knowledge import (
    Block,
    Knowledge,
    begun,
    is_too_complex,
    limit,
    precalculate_block,
    units,
    with_blocks,
)
from hiddenhand.planning.planners.knowledge_files import read, write
from hiddenhand.planning.worlds import world_file

SAVE_EVERY = 5.0  # seconds
SHARES = 4
"""Pieces of work that each lane gets: more than one, because they are not of equal size."""


@dataclass
class Precalculated:
    """What came of it."""

    world: str
    depth: int
    granularity: int
    visible_states: int
    too_complex: int
    beliefs: int
    seconds: float
    output: str
    bytes: int

    def to_json(self) -> dict[str, Any]:
        return vars(self)

    def __str__(self) -> str:
        return (
            f"{self.world}, depth {self.depth}, granularity {self.granularity}: {self.beliefs} beliefs of "
            f"{self.visible_states} visible states ({self.too_complex} too complex for a grid) in "
            f"{self.seconds:.2f} s, {self.bytes} bytes in {self.output}"
        )


def precalculate(
    world: str,
    depth: int,
    granularity: int,
    output: str | Path,
    compact: bool = False,
    compat: str = "document",
    workers: int = 1,
    cluster: str | None = None,
    resume: bool = False,
    progress: Progress | None = None,
) -> Precalculated:
    """Precalculate a world of ours or of a file, and write the knowledge to the output."""
    started = time.perf_counter()
    found = read_world(world_file(world))
    found.require_sound()
    output = Path(output)
    work = Work(found, begun(depth, granularity), limit(compat), output)
    if resume:
        work.load()
    runner = open_runner(workers, cluster)
    try:
        work.finish(runner, progress)
    finally:
        runner.stop()
    knowledge = work.knowledge
    write(output, found, knowledge, compact)
    work.part.unlink(missing_ok=True)
    complex_ones = sum(block.too_complex for block in knowledge)
    seconds = time.perf_counter() - started
    size = output.expanduser().stat().st_size
    return Precalculated(
        found.name,
        depth,
        granularity,
        len(knowledge.blocks),
        complex_ones,
        len(knowledge),
        seconds,
        str(output),
        size,
    )


class Work:
    """The knowledge, as far as it has come."""

    def __init__(self, world: World, knowledge: Knowledge, most: int, output: Path) -> None:
        self.world = world
        self.knowledge = knowledge
        self.most = most
        self.part = output.with_name(output.name + ".part")
        self.wanted = units(world)
        self.saved = time.perf_counter()

    def load(self) -> None:
        """Go on from what was saved, if anything was."""
        if self.part.exists():
            (known,) = read(self.part, self.world)
            depth, granularity = self.knowledge.depth, self.knowledge.granularity
            known = begun(depth, granularity, known)
            fitting = {  # another `compat` may have had another limit
                block.visible: block
                for block in known
                if block.too_complex == is_too_complex(block.size, granularity, self.most)
            }
            self.knowledge = Knowledge(depth, granularity, fitting)

    def save(self) -> None:
        if self.knowledge.blocks:
            write(self.part, self.world, self.knowledge, compact=True)
        self.saved = time.perf_counter()

    def finish(self, runner: Runner, progress: Progress | None) -> None:
        """Everything that is still to be done."""
        with Interrupts() as interrupts:
            try:
                for blocks in self.done(runner, interrupts):
                    self.knowledge = with_blocks(self.knowledge, {block.visible: block for block in blocks})
                    if progress is not None:
                        progress(len(self.knowledge.blocks), len(self.wanted))
                    if time.perf_counter() - self.saved > SAVE_EVERY:
                        self.save()
            except KeyboardInterrupt:
                self.save()
                told = (
                    f"{len(self.knowledge.blocks)} of {len(self.wanted)} visible states done; "
                    f"the same command with --resume goes on"
                )
                raise Interrupted(told, self.knowledge) from None

    def done(self, runner: Runner, interrupts: Interrupts) -> Iterator[list[Block]]:
        """The blocks that are missing, in the order in which they are finished."""
        missing = [visible for visible in self.wanted if visible not in self.knowledge.blocks]
        size = max(1, math.ceil(len(missing) / (SHARES * runner.lanes)))
        waiting = [missing[i : i + size] for i in range(0, len(missing), size)]
        text = bare_text(self.world)
        depth, granularity = self.knowledge.depth, self.knowledge.granularity
        under_way: set[Future[list[Block]]] = set()
        while waiting or under_way:
            with interrupts.welcome():
                while waiting and len(under_way) < runner.lanes:
                    share = waiting.pop(0)
                    under_way.add(runner.submit(blocks_of, text, share, depth, granularity, self.most))
                finished, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for future in finished:
                yield future.result()


def bare_text(world: World) -> str:
    """The specification as it travels: without what was precalculated before."""
    kept = tuple(item for item in world.specification.knowledge if not isinstance(item, syntax.Precalculated))
    return to_text(replace(world.specification, knowledge=kept, commands=()))


def blocks_of(text: str, visible_states: list[int], depth: int, granularity: int, most: int) -> list[Block]:
    """A piece of work, wherever it is done."""
    planner, world = planner_of(text)
    return [precalculate_block(planner, world, visible, depth, granularity, most) for visible in visible_states]


@lru_cache(maxsize=1)
def planner_of(text: str) -> tuple[ExactPlanner, World]:
    """A process reads the world once."""
    world = build_world(read_text(text))
    return ExactPlanner(world), world
