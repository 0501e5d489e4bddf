"""Frames: what a seat is sent to draw. Everything in one can be computed from what the seat may know."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np

from hiddenhand.core.game import Game
from hiddenhand.core.table import Table
from hiddenhand.core.view import View, record_to_json
from hiddenhand.web.hearing import WATCHER, what_is_seen

Memory = dict[tuple[int, str], "np.ndarray[Any, Any]"]


def own_view(game: Game, state: Any, seat: int, memory: Memory | None = None) -> View:
    """A seat's view whose randomness comes from the view itself, and not from the seed of the table.

    So whatever an adviser says, the seat could have worked it out alone.
    """
    digest = blake2b(what_is_seen(game, state, seat) + bytes([seat]), digest_size=8).digest()
    return View(game, state, seat, int.from_bytes(digest), {} if memory is None else memory)


def frame(
    table: Table,
    name: str,
    ply: int,
    ear: int,
    last: dict[str, Any] | None,
    revealed: bool,
    moves: bool,
    past: bool = False,
) -> dict[str, Any]:
    """The frame for one pair of ears. `moves`: they may move if it is their turn; `past`: a moment gone by.

    Watchers have no eyes until everything is revealed; then they look over the shoulder of seat 0.
    """
    game, over = table.game, table.over
    seen: dict[str, Any] = {"view": None, "screen": "", "actions": []}
    if ear != WATCHER or revealed:
        view = own_view(game, table.state, max(ear, 0))
        texts = [{"action": action, "text": view.text(action)} for action in view.actions]
        seen = {
            "view": record_to_json(view.record),
            "screen": view.screen(),
            "actions": texts if moves and ear == table.turn else [],
        }
    return {
        "type": "frame",
        "table": name,
        "ply": ply,
        "seat": None if ear == WATCHER else ear,
        "turn": table.turn,
        **seen,
        "over": over,
        "payoffs": table.payoffs() if over else None,
        "last": None if last is None else {"seat": last["seat"], "text": last["text"], "news": last["news"]},
        "past": past,
    }
