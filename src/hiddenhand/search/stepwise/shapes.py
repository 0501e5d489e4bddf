"""Positions as nodes of a picture: numbers, names of the movers, and boards where they are small."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hiddenhand.core.game import Game
from hiddenhand.kernel import CHANCE, OVER
from hiddenhand.search.stepwise.positions import TreePosition
from hiddenhand.search.stepwise.steps import MORE, Shape, number_text

SMALL_BOARD = 16
LARGEST_BOARD = 64
"""Cells of a board inside a node: unless told otherwise, and at most."""
PLAYERS = "ABCDEF"


@dataclass
class Naming:
    """How nodes are called: for the side of seat `me` and against it, or by players if each is for itself."""

    game: Game
    me: int
    vector: bool = False
    boards: bool | None = None
    """Boards in the nodes; None: where they are small."""

    def who(self, position: TreePosition) -> str:
        if position.leaf or position.mover == OVER:
            return ""
        if position.mover == CHANCE:
            return self.game.chance.name.upper()
        if self.vector:
            return PLAYERS[position.mover]
        side = self.game.rules.side
        ours = side(position.state, position.mover) == side(position.state, self.me)
        return "MAX" if ours else "MIN"

    def shape(self, position: TreePosition, parent: int) -> Shape:
        chance = "" if position.probability is None else f"{position.probability:.3g} "
        cells, columns = self.board(position.state)
        values = position.values if self.vector else position.values[self.me : self.me + 1]
        return {
            "parent": parent,
            "action": position.action,
            "label": f"{chance}{position.label}".strip(),
            "who": self.who(position),
            "estimated": position.estimated,
            "value": value_text(values, self.vector) if position.leaf else "",
            "board": cells,
            "columns": columns,
        }

    def board(self, state: np.record) -> tuple[list[str], int]:
        """The marks of the board that the game's picture has, if it has one of a fitting size."""
        if self.boards is False or self.game.people.picture is None:
            return [], 0
        picture = self.game.people.open_picture(state, self.me)
        boards = [block for block in picture.values() if isinstance(block, dict) and block.get("kind") == "board"]
        if len(boards) != 1 or len(boards[0]["cells"]) > (LARGEST_BOARD if self.boards else SMALL_BOARD):
            self.boards = False  # a game without one at the root has none further down
            return [], 0
        return [board_mark(cell) for cell in boards[0]["cells"]], int(boards[0]["columns"])


def value_text(values: list[float], vector: bool) -> str:
    """One number, or all of them in brackets."""
    texts = " ".join(number_text(value) for value in values)
    return f"({texts})" if vector else texts


def board_mark(cell: Mapping[str, Any]) -> str:
    """x, o, or a disc of the first or second player; the letters of other marks."""
    mark = str(cell["mark"])
    if mark in ("cross", "nought"):
        return "x" if mark == "cross" else "o"
    if mark in ("disc", "stone", "king"):
        return "first" if cell["owner"] == 0 else "second"
    return mark[:2]


@dataclass
class Numbered:
    """The positions of a whole tree with their numbers and shapes; signs for what is left out come last."""

    naming: Naming
    nodes: list[Shape] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)

    def add(self, position: TreePosition) -> int:
        """Give a position its number; its parent has one."""
        parent = -1 if position.parent is None else self.of(position.parent)
        self.numbers[id(position)] = len(self.nodes)
        self.nodes.append(self.naming.shape(position, parent))
        return len(self.nodes) - 1

    def add_tree(self, root: TreePosition) -> None:
        positions = list(root.walk())
        for position in positions:
            self.add(position)
        for position in positions:
            if position.left_out and position.children:
                self.nodes.append(sign(self.of(position), position.left_out))

    def of(self, position: TreePosition) -> int:
        return self.numbers[id(position)]


def sign(parent: int, more: int) -> Shape:
    """A mark beside the children of a node that has more children than are shown."""
    return {
        "parent": parent,
        "action": -1,
        "label": "",
        "who": MORE,
        "estimated": False,
        "value": f"+{more}",
        "board": [],
        "columns": 0,
    }
