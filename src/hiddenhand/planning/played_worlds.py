"""Which world a game was made of, and what its records say of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.planning.world import World

WORLDS: dict[str, World] = {}
"""The worlds that games were made of, by the keys of the games' rules."""


def world_of(game: Game) -> World:
    """The world that a game was made of."""
    if game.rules.key not in WORLDS:
        raise UserError(f"{game.name} is no world of the Svarog language")
    return WORLDS[game.rules.key]


def belief_in(world: World, record: Any) -> NDArray[np.float64]:
    """(S,) the belief that a state or a view of the world's game holds."""
    belief = np.zeros(len(world.states))
    inside = world.states_of(int(record.visible))
    belief[inside.start : inside.stop] = record.belief[: len(inside)]
    return belief
