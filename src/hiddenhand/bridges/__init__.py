"""Bridges: our games in the libraries of others, and the players of others at our tables. Each is one file.

    bots               programs in any language that speak our protocol: `bot:./my_bot`
    open_spiel         our games for OpenSpiel's algorithms
    open_spiel_games   its games at our tables: `open_spiel:hex(board_size=5)`
    pettingzoo         any game as a PettingZoo environment
    gymnasium          one seat against agents as a Gymnasium environment

Nothing here is loaded before it is asked for. All but bots need what `pip install 'hiddenhand[bridges]'` installs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.table import Table

Numbers = np.ndarray[Any, Any]


def missing(library: str) -> UserError:
    """What to say where a library is not installed."""
    return UserError(f"this bridge needs {library}: pip install 'hiddenhand[bridges]'")


def distinct_actions(game: Game) -> int:
    """How many actions there are: they are numbered from 0 up to this."""
    return game.all_actions or game.most_actions


def mask_of(game: Game, actions: Sequence[int]) -> Numbers:
    """int8[distinct actions]: 1 for each of these actions."""
    mask = np.zeros(distinct_actions(game), np.int8)
    for action in actions:
        if action >= len(mask):
            raise UserError(
                f"{game.name} has an action {action} but says that there are {len(mask)}: "
                "give all_actions (with the function refusal) in its definition"
            )
        mask[action] = 1
    return mask


def seen(table: Table, seat: int) -> Numbers:
    """float32[encoded length]: what a seat sees, as numbers for learners."""
    return table.game.encoded(table.view(seat).record, seat).astype(np.float32)
