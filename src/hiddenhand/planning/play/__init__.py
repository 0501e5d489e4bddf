"""Worlds and models as games, the planner that plays them, and the commands of a specification."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hiddenhand.core.errors import UserError

if TYPE_CHECKING:
    from hiddenhand.core.game import Game


def game_from_file(path: str | Path) -> Game:
    """The game of a `.svarog` or a `.pomdp` file. Its compiled code is found again by its contents, not its place."""
    from hiddenhand.planning.play import pomdp_game, world_game

    makers = {".svarog": world_game.game_from_file, ".pomdp": pomdp_game.game_from_file}
    file = Path(path).expanduser()
    if file.suffix not in makers:
        raise UserError(f"{path} is no .svarog and no .pomdp file")
    return makers[file.suffix](file)
