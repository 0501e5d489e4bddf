"""Work that is made of named parts: the runner computes one part after the other and saves its result.

A part is anything that takes time: a match, a tournament, an evolution, deals that are examined. What is made of them
(a page, say) is made anew from all finished parts, whether all of them are finished or not.

    parts = in_parallel(pool, {f"games from {first}": (play, text, first) for first in range(0, 1000, 100)})
    found = gather("census", plan.to_json(), parts, running)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from hiddenhand.core.processes import Workers
from hiddenhand.core.text import Text
from hiddenhand.lab.executors import losses_reported
from hiddenhand.lab.runner import Parts, Running, run

Found = Mapping[str, Any]
"""The result of a part: arrays, and values that JSON can hold."""


@dataclass(frozen=True)
class WorkPart:
    """A part of an experiment that can be computed on its own."""

    name: str
    make: Callable[[Running], Found]
    """Computes it. It passes this `Running` on to whatever it runs, so that it can be interrupted and resumed."""
    size: int = 1
    """Its weight in the progress of the whole experiment."""


@dataclass
class PartsWork:
    """The pieces that there are, and what is made of them."""

    kind: str
    planned: dict[str, Any]
    """All that determines the result."""
    pieces: list[WorkPart]
    show: Callable[[dict[str, Found], float], Any]
    """show(pieces, seconds) writes what is to be written, and returns what is printed."""
    running: Running
    unit: str = Text("steps")
    result_type: None = None  # it is kept piece by piece
    found: dict[str, Found] = field(default_factory=dict)
    unkept: list[str] = field(default_factory=list)

    @property
    def plan(self) -> dict[str, Any]:
        return self.planned

    @property
    def done(self) -> int:
        return sum(piece.size for piece in self.pieces if piece.name in self.found)

    @property
    def wanted(self) -> int:
        return sum(piece.size for piece in self.pieces)

    @property
    def over(self) -> bool:
        return len(self.found) == len(self.pieces)

    def prepare(self) -> None:
        """Every piece prepares itself."""

    def step(self) -> tuple[str, Found]:
        piece = next(piece for piece in self.pieces if piece.name not in self.found)
        start = time.perf_counter()
        found = piece.make(replace(self.running, progress=self.progress_of(piece), output=""))
        return piece.name, {**found, "seconds": time.perf_counter() - start}

    def progress_of(self, piece: WorkPart) -> Callable[[int, int], None] | None:
        """Progress of a piece as progress of everything."""
        tell, before = self.running.progress, self.done
        if tell is None:
            return None
        return lambda done, wanted: tell(before + piece.size * done // max(wanted, 1), self.wanted)

    def add(self, piece: tuple[str, Found]) -> None:
        name, found = piece
        self.found[name] = found
        self.unkept.append(name)

    def snapshot(self) -> Parts:
        names, self.unkept = self.unkept, []
        return {name: self.found[name] for name in names}

    def restore(self, parts: Parts) -> None:
        self.found = {piece.name: parts[piece.name] for piece in self.pieces if piece.name in parts}

    def result(self, seconds: float) -> Any:
        return self.show(self.found, seconds)


@dataclass
class Gathered:
    """Pieces that are only kept."""

    pieces: list[Found]

    def to_json(self) -> dict[str, Any]:
        return {"pieces": len(self.pieces)}


Call = tuple[Any, ...]
"""A function, and what it is given; both can travel to another process."""


def in_parallel(pool: Workers, calls: Mapping[str, Call]) -> list[WorkPart]:
    """Parts that are computed by workers, as many at once as they can take."""
    names, under_way = list(calls), dict[str, Future[Found]]()

    def make(name: str, running: Running) -> Found:
        first = names.index(name)
        with losses_reported():
            for each in names[first : first + pool.capacity]:
                if each not in under_way:
                    under_way[each] = pool.submit(*calls[each])
            return under_way.pop(name).result()

    return [WorkPart(name, partial(make, name)) for name in names]


def gather(kind: str, plan: dict[str, Any], pieces: list[WorkPart], running: Running) -> list[Found]:
    """The results of all parts, in their order."""
    work = PartsWork(kind, plan, pieces, lambda found, seconds: Gathered(list(found.values())), running)
    gathered: Gathered = run(work, running)
    return gathered.pieces
