"""Precalculating the knowledge of a world: here, in several processes or on a cluster, and resumable.

Every visible state is a piece of work of its own, whoever does it: the result is the same with 1 or 8 workers.
"""

from __future__ import annotations

import math
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from hiddenhand.core.text import Text
from hiddenhand.lab.curves import Curve, CurvePoint, SoFar
from hiddenhand.lab.executors import Workers, losses_reported, open_workers
from hiddenhand.lab.runner import Parts, Running, run
from hiddenhand.planning.language import read_file, read_text, syntax
from hiddenhand.planning.language.printing import to_text
from hiddenhand.planning.model.world import World
from hiddenhand.planning.model.world_building import build_world
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.knowledge import (
    Block,
    begun,
    limit,
    precalculate_block,
    units,
    with_blocks,
)
from hiddenhand.planning.planners.knowledge_files import write
from hiddenhand.planning.worlds import world_file

SHARES = 4
"""Pieces of work that each lane gets at least: more than one, because they are not of equal size."""
MOST_AT_ONCE = 8
"""Visible states in a piece."""


@dataclass(frozen=True)
class PrecalculationPlan:
    """What is precalculated, and how it is written."""

    world: str
    """A world of ours, or the path of one."""
    depth: int
    granularity: int
    compact: bool = False
    """Write a small file instead of the original's text."""
    compat: str = "document"
    """Whose limit makes a grid too complex: the `document`'s or the program's (`svarog`)."""


@dataclass
class PrecalculationResult:
    """The result of a precalculation."""

    world: str
    depth: int
    granularity: int
    visible_states: int
    too_complex: int
    beliefs: int
    seconds: float
    output: str
    bytes: int
    sizes: list[int] = field(default_factory=list)
    """How many beliefs each visible state has, in their order."""

    def progress_curves(self) -> list[Curve]:
        return beliefs_curve(self.sizes)

    def to_json(self) -> dict[str, Any]:
        return vars(self)

    def __str__(self) -> str:
        return Text(
            "{world}, depth {depth}, granularity {granularity}: {beliefs} beliefs of {states} visible states "
            "({complex} too complex for a grid) in {seconds:.2f} s, {bytes} bytes in {file}",
            world=self.world,
            depth=self.depth,
            granularity=self.granularity,
            beliefs=self.beliefs,
            states=self.visible_states,
            complex=self.too_complex,
            seconds=self.seconds,
            bytes=self.bytes,
            file=self.output,
        )


def precalculate(
    plan: PrecalculationPlan, running: Running, workers: int = 1, cluster: str | None = None
) -> PrecalculationResult:
    """Precalculate a world of ours or of a file, and write the knowledge to `running.output`."""
    world = build_world(read_file(world_file(plan.world), old=True))
    world.require_sound()
    pool = open_workers(workers, cluster)
    try:
        result: PrecalculationResult = run(PrecalculationWork(plan, world, Path(running.output), pool), running)
    finally:
        pool.stop()
    return result


class PrecalculationWork:
    """The precalculation of a world as work for the runner."""

    kind = "precalculation"
    unit: str = Text("visible states")
    result_type = PrecalculationResult

    def __init__(self, plan: PrecalculationPlan, world: World, path: Path, workers: Workers) -> None:
        self.planned = plan
        self.world = world
        self.path = path
        self.workers = workers
        self.nothing = begun(plan.depth, plan.granularity)
        self.most = limit(plan.compat)
        self.all = units(world)
        self.blocks: dict[int, Block] = {}
        self.unkept: list[Block] = []
        """What no snapshot has had yet."""
        self.waiting: list[list[int]] = []
        self.under_way: set[Future[list[Block]]] = set()

    @property
    def plan(self) -> dict[str, Any]:
        return {**vars(self.planned), "world": bare_text(self.world)}

    @property
    def done(self) -> int:
        return len(self.blocks)

    @property
    def wanted(self) -> int:
        return len(self.all)

    @property
    def over(self) -> bool:
        return self.done == self.wanted

    def prepare(self) -> None:
        missing = [visible for visible in self.all if visible not in self.blocks]
        size = min(max(1, math.ceil(len(missing) / (SHARES * self.workers.capacity))), MOST_AT_ONCE)
        self.waiting = [missing[i : i + size] for i in range(0, len(missing), size)]

    def step(self) -> list[Block]:
        """The blocks that are finished next."""
        text, plan = bare_text(self.world), self.planned
        with losses_reported():
            while self.waiting and len(self.under_way) < self.workers.capacity:
                share = self.waiting.pop(0)
                task = self.workers.submit(blocks_of, text, share, plan.depth, plan.granularity, self.most)
                self.under_way.add(task)
            finished, self.under_way = wait(self.under_way, return_when=FIRST_COMPLETED)
            return [block for future in finished for block in future.result()]

    def add(self, piece: list[Block]) -> None:
        self.blocks |= {block.visible: block for block in piece}
        self.unkept += piece

    def snapshot(self) -> Parts:
        kept, self.unkept = self.unkept, []
        return {
            f"visible state {block.visible}": {
                "too_complex": block.too_complex,
                "beliefs": block.beliefs,
                "actions": block.actions,
                "values": block.values,
            }
            for block in kept
        }

    def restore(self, parts: Parts) -> None:
        for name, part in parts.items():
            visible = int(name.split()[-1])
            self.blocks[visible] = Block(visible, **part)

    def result(self, seconds: float) -> PrecalculationResult | SoFar:
        sizes = [len(self.blocks[visible]) for visible in sorted(self.blocks)]
        if not self.over:
            text = Text("precalculated so far: {done} of {wanted} visible states", done=self.done, wanted=self.wanted)
            return SoFar(text, beliefs_curve(sizes))
        plan = self.planned
        knowledge = with_blocks(self.nothing, self.blocks)
        write(self.path, self.world, knowledge, plan.compact)
        return PrecalculationResult(
            world=self.world.name,
            depth=plan.depth,
            granularity=plan.granularity,
            visible_states=len(knowledge.blocks),
            too_complex=sum(block.too_complex for block in knowledge),
            beliefs=len(knowledge),
            seconds=seconds,
            output=str(self.path),
            bytes=self.path.expanduser().stat().st_size,
            sizes=sizes,
        )


def beliefs_curve(sizes: list[int]) -> list[Curve]:
    """How many beliefs are known after each visible state."""
    points = [CurvePoint(number, total) for number, total in enumerate(accumulate(sizes), start=1)]
    return [Curve(Text("beliefs"), Text("visible states"), Text("beliefs known"), points)] if points else []


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
