"""Tables of endgames: made backwards from the end, part by part, resumable.

A game says what makes its tables (`define(endgames="module:name")`): a class that is given the game and a number of
pieces and has

    size, need              bytes of the table, and at most while it is made
    codes                   the table, once `begin` was called; `compile` gets ready
    pairs                   the parts, in the order in which they are solved
    solve(i), places(i)     solves a part; where it lies in the table
    counts()                for each number of pieces: positions, wins, draws, losses, and the longest win
    longest_win()           a position in which winning takes longest, as text, and the moves of both
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hiddenhand.core.endgames import write_endgames
from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import EndgameTables, load
from hiddenhand.core.game import Game
from hiddenhand.core.text import Text
from hiddenhand.lab.curves import Curve, SoFar
from hiddenhand.lab.runner import Parts, Running, run
from hiddenhand.lab.tables import first_column_left

MEGABYTE = 1_000_000
MEMORY = 200
"""The default limit for the memory of a table, in megabytes."""


@dataclass
class EndgamesResult:
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

    def progress_curves(self) -> list[Curve]:
        return []

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


def make_endgames(game: Game, pieces: int | None, memory: int, running: Running) -> EndgamesResult:
    """Make the table of all positions with at most this many pieces, and write it to `running.output`.

    pieces   the most pieces; None: as many as the memory allows
    memory   the limit in megabytes
    """
    if game.extra(EndgameTables) is None:
        raise UserError(Text("{name} has no tables of endgames", name=game.name))
    maker = chosen_maker(game, pieces, memory)
    result: EndgamesResult = run(EndgamesWork(game, maker, Path(running.output)), running)
    return result


def chosen_maker(game: Game, pieces: int | None, memory: int) -> Any:
    """Who makes the table; refused if it needs more memory than allowed."""
    kind = load(game.extra(EndgameTables, EndgameTables("")).maker)
    if pieces is not None:
        maker = kind(game, pieces)
        if maker.need > memory * MEGABYTE:
            needed = -(-maker.need // MEGABYTE)
            raise UserError(
                Text(
                    "endgames of {pieces} pieces need {needed:,} MB; --memory {needed} allows it",
                    pieces=pieces,
                    needed=needed,
                )
            )
        return maker
    fitting = [each for each in range(kind.fewest, kind.most + 1) if kind(game, each).need <= memory * MEGABYTE]
    if not fitting:
        raise UserError(Text("{memory} MB are not enough for any endgames of {name}", memory=memory, name=game.name))
    return kind(game, fitting[-1])


class EndgamesWork:
    """A table for the runner; a step is a part of it."""

    kind = "endgames"
    unit: str = Text("positions")
    result_type = EndgamesResult

    def __init__(self, game: Game, maker: Any, path: Path) -> None:
        self.game = game
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
        return int(self.maker.size)

    @property
    def over(self) -> bool:
        return self.solved == len(self.maker.pairs)

    def prepare(self) -> None:
        self.maker.begin()
        self.maker.compile()

    def step(self) -> None:
        self.maker.solve(self.solved)

    def add(self, piece: None) -> None:
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
