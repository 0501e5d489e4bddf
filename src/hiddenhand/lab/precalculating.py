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
from typing import Annotated, Any

from hiddenhand.core import resolver
from hiddenhand.core.game import Game
from hiddenhand.core.processes import Workers
from hiddenhand.core.text import Text
from hiddenhand.lab.curves import Curve, CurvePoint, SoFar
from hiddenhand.lab.executors import losses_reported
from hiddenhand.lab.lab_result import LabResult
from hiddenhand.lab.plans import PageField, PlanParameter, WorkPlan
from hiddenhand.lab.runner import Parts, Running, run
from hiddenhand.lab.work_kinds import PageSupport, agent_with_file, work
from hiddenhand.planning.language import read_file, read_text, syntax
from hiddenhand.planning.language.printing import to_text
from hiddenhand.planning.model.world import World
from hiddenhand.planning.model.world_building import build_world
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.knowledge import Block, begun, limit, precalculate_block, units, with_blocks
from hiddenhand.planning.planners.knowledge_files import write
from hiddenhand.planning.play.world_rules import WORLDS, world_of
from hiddenhand.planning.worlds import world_file

SHARES = 4
"""Pieces of work that each lane gets at least: more than one, because they are not of equal size."""
MOST_AT_ONCE = 8
"""Visible states in a piece."""


@dataclass(frozen=True)
class PrecalculationPlan(WorkPlan):
    """What is precalculated, and how it is written."""

    world: Annotated[
        str, PlanParameter("A .svarog file, or the name of a world of ours.", argument=True, metavar="FILE")
    ]
    depth: Annotated[
        int,
        PlanParameter(
            "How many steps to plan ahead.", flags=("--depth", "-d"), page=PageField(Text("steps ahead"), most=12)
        ),
    ] = 4
    granularity: Annotated[
        int,
        PlanParameter(
            "How fine the grid of beliefs is; 2 or more.",
            flags=("--granularity", "-g"),
            page=PageField(Text("granularity"), most=10),
        ),
    ] = 2
    compact: Annotated[bool, PlanParameter("Write a small file instead of the original's text.")] = False
    compat: Annotated[
        str,
        PlanParameter(
            "Whose limit makes a grid too complex: the document's or the program's (svarog).",
            choices=("document", "svarog"),
            metavar="WHOSE",
        ),
    ] = "document"

    @classmethod
    def of_order(cls, game: Game, **numbers: Any) -> PrecalculationPlan:
        """The plan of what a page has asked for."""
        origin = game.origin
        return cls(str(resolver.EVERYTHING.files.find(origin.spec)) if origin.outside else game.name, **numbers)


@dataclass(repr=False)
class PrecalculationResult(LabResult):
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

    def headline(self) -> str:
        states = Text.plural("{n} visible state", "{n} visible states", n=self.visible_states)
        return Text.plural("{n} belief of {states}", "{n} beliefs of {states}", n=self.beliefs, states=states)

    def player(self, game: Game, file: str) -> str:
        return agent_with_file(game, "planner", "knowledge", file)

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


@work(
    "precalculate",
    PrecalculationPlan,
    unit=Text("visible states"),
    output="The file to write. [NAME_knowledge.svarog]",
    page=PageSupport(
        Text("precalculation"),
        offered=lambda game: game.rules in WORLDS,
        require=lambda game, order: world_of(game).require_sound(),
        file="knowledge.svarog",
    ),
)
def precalculate(plan: PrecalculationPlan, running: Running, pool: Workers) -> PrecalculationResult:
    """Precalculate the best action for a grid of beliefs in every visible state, and write it to a file.

    What is finished is kept in the store, so Ctrl-C loses nothing: repeat the command with --resume.
    """
    world = build_world(read_file(world_file(plan.world), old=True))
    world.require_sound()
    path = Path(running.output or f"{world.name}_knowledge.svarog")
    reckoning = PrecalculationWork(plan, world, path, pool)
    result: PrecalculationResult = run(reckoning, replace(running, output=str(path)))
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
