"""Tables of endgames: made backwards from the end, part by part, resumable.

A game says what makes its tables (`EndgameTables("module:name")`): a class that is made with the game and a number of
pieces, a `TableMaker`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Annotated, Any, Protocol

import numpy as np

from hiddenhand.core import resolver
from hiddenhand.core.endgames import write_endgames
from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import EndgameTables, load
from hiddenhand.core.game import Game
from hiddenhand.core.processes import Workers
from hiddenhand.core.text import Text
from hiddenhand.lab.curves import SoFar
from hiddenhand.lab.executors import losses_reported
from hiddenhand.lab.frames import Columns, columns_of
from hiddenhand.lab.lab_result import LabResult
from hiddenhand.lab.plans import GamePlan, PlanParameter
from hiddenhand.lab.runner import Parts, Running, run
from hiddenhand.lab.tables import first_column_left
from hiddenhand.lab.work_kinds import work


class TableMaker(Protocol):
    """What makes the table of the positions with at most some pieces."""

    pieces: int
    pairs: Sequence[Any]
    """The parts, in the order in which they can be solved."""
    codes: np.ndarray[Any, np.dtype[np.uint8]]
    """The table, once `begin` was called."""
    size: int
    """Bytes of the table,"""
    need: int
    """and at most while it is made."""

    def begin(self) -> None: ...

    def compile(self) -> None: ...

    def solve(self, pair: int) -> None:
        """Solve a part in place."""

    def places(self, pair: int) -> list[slice]:
        """Where a part lies in the table."""

    def independent(self, pair: int) -> list[int]:
        """This part and those after it that can be solved side by side with it."""

    def needed(self, pair: int) -> list[slice]:
        """The places in the table that solving a part reads."""

    def counts(self) -> list[dict[str, int]]:
        """For each number of pieces: positions, wins, draws, losses, and the longest win."""

    def longest_win(self) -> tuple[str, list[str]]:
        """A position in which winning takes longest, as text, and the moves of both."""


MEGABYTE = 1_000_000
MEMORY = 200
"""The default limit for the memory of a table, in megabytes."""


@dataclass(repr=False)
class EndgamesResult(LabResult):
    """The table, counted."""

    game: str
    pieces: int
    counts: list[dict[str, int]]
    seconds: float
    memory: int
    """Bytes of the table in memory."""
    output: str
    bytes: int
    """Of the file."""
    position: str
    """One of those in which winning takes longest."""
    line: list[str] = field(default_factory=list)
    """And how it is won, with the best play of both."""

    def columns(self) -> Columns:
        return columns_of(self.counts)

    def to_json(self) -> dict[str, Any]:
        return vars(self)

    def __str__(self) -> str:
        head = ["pieces", "positions", "won", "drawn", "lost", "longest win"]
        rows = [
            [f"{row[name]:,}" for name in ("pieces", "positions", "wins", "draws", "losses", "longest")]
            for row in self.counts
        ]
        return Text.joined(
            "\n",
            [
                Text(
                    "endgames of {game} with up to {pieces} pieces, {seconds:.0f} s: "
                    "{memory:,} bytes in memory, {bytes:,} in {file}",
                    game=self.game,
                    pieces=self.pieces,
                    seconds=self.seconds,
                    memory=self.memory,
                    bytes=self.bytes,
                    file=self.output,
                ),
                *first_column_left([head, *rows]),
                Text("won, drawn, lost: for whoever moves; moves of both sides are counted"),
                Text("a longest win: {position}", position=self.position),
                " ".join(self.line),
            ],
        )


@dataclass(frozen=True)
class EndgamesPlan(GamePlan):
    """Of which positions a table is made."""

    pieces: Annotated[int | None, PlanParameter("Positions with up to N pieces. [as many as fit]")] = None
    memory: Annotated[int, PlanParameter("Megabytes that may be used.", metavar="MB")] = MEMORY


@work("endgames", EndgamesPlan, unit=Text("positions"), output="Where the table is written.")
def endgames(plan: EndgamesPlan, running: Running, pool: Workers) -> EndgamesResult:
    """Find the value of every position with few pieces, backwards from the end of the game.

    A search reads the file: alphabeta:endgames=FILE. Ctrl-C loses nothing: repeat the command with --resume.
    """
    game = plan.game
    if game.extra(EndgameTables) is None:
        raise UserError("{name} has no tables of endgames", name=game.name)
    path = Path(running.output or f"{game.name}_endgames.npz")
    making = EndgamesWork(game, chosen_maker(game, plan.pieces, plan.memory), path, pool)
    result: EndgamesResult = run(making, replace(running, output=str(path)))
    return result


def chosen_maker(game: Game, pieces: int | None, memory: int) -> TableMaker:
    """Who makes the table; refused if it needs more memory than allowed."""
    kind = load(game.extra(EndgameTables, EndgameTables("")).maker)
    if pieces is not None:
        maker: TableMaker = kind(game, pieces)
        if maker.need > memory * MEGABYTE:
            needed = -(-maker.need // MEGABYTE)
            raise UserError(
                "endgames of {pieces} pieces need {needed:,} MB; --memory {needed} allows it",
                pieces=pieces,
                needed=needed,
            )
        return maker
    fitting = [each for each in range(kind.fewest, kind.most + 1) if kind(game, each).need <= memory * MEGABYTE]
    if not fitting:
        raise UserError("{memory} MB are not enough for any endgames of {name}", memory=memory, name=game.name)
    largest: TableMaker = kind(game, fitting[-1])
    return largest


Codes = list[np.ndarray[Any, np.dtype[np.uint8]]]


def solve_elsewhere(game: str, pieces: int, pair: int, given: Codes) -> Codes:
    """The codes of a part, solved in another process; `given`: those that it needs."""
    maker = maker_of(game, pieces)
    for place, codes in zip(maker.needed(pair), given, strict=True):
        maker.codes[place] = codes
    maker.solve(pair)
    return [maker.codes[place].copy() for place in maker.places(pair)]


def get_ready(game: str, pieces: int) -> None:
    """Make a process ready to solve parts; what it makes stays there."""
    maker_of(game, pieces)


@lru_cache(maxsize=1)
def maker_of(game: str, pieces: int) -> TableMaker:
    of = resolver.game(game)
    maker: TableMaker = load(of.extra(EndgameTables, EndgameTables("")).maker)(of, pieces)
    maker.begin()
    return maker


class EndgamesWork:
    """A table for the runner; a step is a part of it, or several side by side that do not need each other."""

    kind = "endgames"
    unit: str = Text("positions")
    result_type = EndgamesResult

    def __init__(self, game: Game, maker: TableMaker, path: Path, pool: Workers) -> None:
        self.game = game
        self.pool = pool
        self.maker = maker
        self.path = path
        self.solved = 0
        self.kept = 0
        """How many parts the store has already."""

    @property
    def plan(self) -> dict[str, Any]:
        return {"game": self.game.origin.spec, "rules": self.game.rules.key, "pieces": self.maker.pieces}

    @property
    def done(self) -> int:
        return sum(place.stop - place.start for part in range(self.solved) for place in self.maker.places(part))

    @property
    def wanted(self) -> int:
        return self.maker.size

    @property
    def over(self) -> bool:
        return self.solved == len(self.maker.pairs)

    def prepare(self) -> None:
        self.maker.begin()
        self.maker.compile()
        if not self.pool.here:
            self.pool.prepare(partial(get_ready, self.game.origin.spec, self.maker.pieces))

    def step(self) -> list[Codes | None]:
        """The next parts: solved in the table itself, or elsewhere, from where their codes come."""
        maker = self.maker
        if self.pool.here:
            maker.solve(self.solved)
            return [None]
        game = self.game.origin.spec
        with losses_reported():
            tasks = [
                self.pool.submit(
                    solve_elsewhere, game, maker.pieces, pair, [maker.codes[place] for place in maker.needed(pair)]
                )
                for pair in maker.independent(self.solved)
            ]
            return [task.result() for task in tasks]

    def add(self, piece: list[Codes | None]) -> None:
        for codes in piece:
            for place, found in zip(self.maker.places(self.solved), codes or ()):
                self.maker.codes[place] = found
            self.solved += 1

    def snapshot(self) -> Parts:
        parts = {
            f"part {part}": {f"codes {i}": self.maker.codes[place] for i, place in enumerate(self.maker.places(part))}
            for part in range(self.kept, self.solved)
        }
        self.kept = self.solved
        return parts

    def restore(self, parts: Parts) -> None:
        self.maker.begin()
        self.solved = self.kept = len(parts)
        for part in range(self.solved):
            for i, place in enumerate(self.maker.places(part)):
                self.maker.codes[place] = parts[f"part {part}"][f"codes {i}"]

    def result(self, seconds: float) -> EndgamesResult | SoFar:
        if not self.over:
            return SoFar(Text("solved so far: {done:,} of {wanted:,} positions", done=self.done, wanted=self.wanted))
        maker = self.maker
        write_endgames(self.path, self.game, maker.codes)
        position, line = maker.longest_win()
        return EndgamesResult(
            game=self.game.name,
            pieces=maker.pieces,
            counts=maker.counts(),
            seconds=seconds,
            memory=maker.size,
            output=str(self.path),
            bytes=self.path.stat().st_size,
            position=position,
            line=line,
        )
