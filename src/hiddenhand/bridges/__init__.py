"""Bridges: our games in the libraries of others, and the players of others at our tables. Each is one file.

    bots               programs in any language that speak our protocol: `bot:./my_bot`
    open_spiel         our games for OpenSpiel's algorithms
    open_spiel_games   its games at our tables: `open_spiel:hex(board_size=5)`
    chess              positions of chess for our searches, by python-chess (an extra of its own)
    pettingzoo         any game as a PettingZoo environment
    gymnasium          one seat against agents as a Gymnasium environment
    hanab_live         an agent of ours at a Hanabi table of hanab.live

Nothing here is loaded before it is asked for. OpenSpiel, PettingZoo and Gymnasium come with the extra `bridges`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import Simultaneous
from hiddenhand.core.game import Game, encoded
from hiddenhand.core.table import Table
from hiddenhand.core.view import legal_actions
from hiddenhand.kernel import assign, new_records, stream

Numbers = np.ndarray[Any, Any]


def missing(library: str) -> UserError:
    """What to say where a library is not installed."""
    return UserError("this bridge needs {library}: pip install 'hiddenhand[bridges]'", library=library)


def mask_of(game: Game, actions: Sequence[int]) -> Numbers:
    """int8[action count]: 1 for each of these actions."""
    mask = np.zeros(game.rules.action_count, np.int8)
    for action in actions:
        if action >= len(mask):
            raise UserError(
                "{name} has an action {action} but says that there are {n}: give all_actions "
                "(with the function refusal) in its definition",
                name=game.name,
                action=action,
                n=len(mask),
            )
        mask[action] = 1
    return mask


def round_of(game: Game, state: np.record) -> dict[int, list[int]]:
    """Who is to move and may do what: one seat, or all that move at the same time where the game says so."""
    found: dict[int, list[int]] = {}
    now = new_records(game.rules.state, 1)[0]
    assign(now, state)
    turn = int(game.rules.turn(now))
    while turn > max(found, default=-1):
        found[turn] = legal_actions(game, now)
        if game.extra(Simultaneous) is None:
            break
        game.rules.play(now, found[turn][0], stream(0))  # which of them does not matter to those who follow
        turn = int(game.rules.turn(now))
    return found


def seen(table: Table, seat: int) -> Numbers:
    """float32[encoded length]: what a seat sees, as numbers for learners."""
    return encoded(table.game, table.view(seat).record, seat).astype(np.float32)
