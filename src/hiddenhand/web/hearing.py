"""Hearing: one ply at a table, and what each seat gets to know of it.

Where things are hidden, a seat may not even notice that something happened (an umpire refuses the other's move, say).
Then it is told nothing, and its own count of plies does not go up: the number itself would give it away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hiddenhand.core.game import Game
from hiddenhand.core.table import Table
from hiddenhand.kernel import CHANCE, new_records

WATCHER = -1
"""Somebody at no seat, who hears what everybody may hear."""


@dataclass
class Step:
    """One ply. `heard` and `news` have an entry for each seat, and one for watchers at the end."""

    mover: int
    text: str
    heard: list[str]
    news: list[list[str]]
    noticed: int
    """Bit i if seat i noticed it."""

    def entry(self, ply: int, ear: int, revealed: bool) -> dict[str, Any]:
        """What the log says of it to one pair of ears."""
        text = self.told_openly() if revealed else self.heard[ear]
        return {"ply": ply, "seat": self.mover, "text": text, "news": self.news[ear]}

    def told_openly(self) -> str:
        """The ply in words when nothing needs to be kept secret: what the mover hears, who hears most."""
        if self.mover >= 0:
            return self.heard[self.mover] or self.text
        return self.heard[0] if len(set(self.heard)) == 1 and self.heard[0] else self.text


def take_step(table: Table, action: int | None) -> Step:
    """Play one ply (None: let chance move) and say who noticed what."""
    game, seats = table.game, range(table.game.players)
    mover, before = table.turn, table.state.copy()
    seen = [what_is_seen(game, before, seat) for seat in seats] if game.hidden else []
    if mover == CHANCE and action is None:
        action = table.roll()
    else:
        assert action is not None
        table.play(action)
    heard = [hear(game, before, mover, action, seat) for seat in (*seats, WATCHER)]
    news = [told(game, before, table.state, seat) for seat in (*seats, WATCHER)]
    noticed, turned = 0, table.turn != mover
    for seat in seats:
        obvious = not game.hidden or turned or seat == mover or heard[seat] or news[seat]
        if obvious or what_is_seen(game, table.state, seat) != seen[seat]:
            noticed |= 1 << seat
    return Step(mover, table.moves[-1], heard, news, noticed)


def hear(game: Game, before: Any, mover: int, action: int, seat: int) -> str:
    """What a seat is told of an action; as `Table.hear`, of a moment that has passed."""
    if game.heard is not None:
        return game.heard(before, action, seat)
    return "has moved" if game.hidden and mover != seat else game.text(before, action)


def told(game: Game, before: Any, after: Any, seat: int) -> list[str]:
    return [] if game.news is None else list(game.news(before, after, seat))


def what_is_seen(game: Game, state: Any, seat: int) -> bytes:
    """The view of a seat, as bytes."""
    view = new_records(game.view, 1)[0]
    game.rules.observe(state, seat, view)
    return view.tobytes()


class Ledger:
    """Who noticed which plies: turns true plies into those that one pair of ears can count, and back."""

    def __init__(self, players: int, steps: Sequence[int] = ()) -> None:
        self.everybody = (1 << players) - 1
        self.noticed = bytearray(steps)

    def mask(self, ear: int) -> int:
        return self.everybody if ear == WATCHER else 1 << ear

    def counted(self, ear: int, plies: int) -> int:
        """How many of the first plies these ears noticed."""
        mask = self.mask(ear)
        return sum(noticed & mask == mask for noticed in self.noticed[:plies])

    def true_ply(self, ear: int, counted: int) -> int | None:
        """How many plies had been played when these ears had noticed so many; None if they have not yet."""
        mask = self.mask(ear)
        for ply, noticed in enumerate(self.noticed):
            if counted == 0:
                return ply
            counted -= noticed & mask == mask
        return len(self.noticed) if counted == 0 else None
