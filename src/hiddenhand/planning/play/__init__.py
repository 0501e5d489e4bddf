"""Worlds and models as games, the planner that plays them, and the commands of a specification."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hiddenhand.core.errors import UserError

if TYPE_CHECKING:
    from hiddenhand.core.game import Game


def game_from_file(path: str | Path) -> Game:
    """The game of a `.svarog`, a `.pomdp` or a `.pomdpx` file.

    Its compiled code is found again by its contents, not its place.
    """
    from hiddenhand.planning.play import pomdp_game, world_game

    model = pomdp_game.game_from_file
    makers = {".svarog": world_game.game_from_file, ".pomdp": model, ".pomdpx": model}
    file = Path(path).expanduser()
    if file.suffix not in makers:
        raise UserError("{path} is no .svarog, no .pomdp and no .pomdpx file", path=path)
    return makers[file.suffix](file)
