"""The event log: what each seat is told of a ply.

Where things are hidden, a seat may not even notice that something happened (an umpire refuses the other's move, for
example). Then it is told nothing, and its own count of plies does not go up, because the number itself would give the
event away. A viewer is a seat, or WATCHER: somebody who only looks on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.core.view import seen_by
from hiddenhand.kernel import CHANCE

if TYPE_CHECKING:
    from hiddenhand.core.game import Game
    from hiddenhand.core.table import Table

WATCHER = -1
"""A viewer without a seat, who is told what everybody may know."""


class LogEntry(NamedTuple):
    """One line of a viewer's log."""

    ply: int
    """Its number as this viewer counts."""
    seat: int
    text: str
    news: list[str]
    verb: str = ""
    objects: tuple[str, ...] = ()
    """Names of the things in the picture that the move was about."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One ply, and who knows what of it.

    `heard`, `news` and `parts` have an entry for each seat, and then one for WATCHER.
    """

    mover: int
    text: str
    heard: list[str]
    news: list[list[str]]
    parts: list[tuple[str, tuple[str, ...]]]
    """Verb and objects."""
    noticed: int
    """Bit i if seat i noticed it."""

    def noticed_by(self, viewer: int) -> bool:
        """Whether a viewer noticed it; WATCHER does if all seats did."""
        mask = (1 << len(self.heard) - 1) - 1 if viewer == WATCHER else 1 << viewer
        return self.noticed & mask == mask

    def noticed_by_others(self) -> bool:
        """Whether anybody but the mover noticed it, WATCHER included."""
        viewers = (*range(len(self.heard) - 1), WATCHER)
        return any(self.noticed_by(viewer) for viewer in viewers if viewer != self.mover)

    def entry(self, ply: int, viewer: int, revealed: bool) -> LogEntry:
        """What a viewer's log says of it; `revealed`: nothing needs to be hidden any more."""
        text = self.told_openly() if revealed else self.heard[viewer]
        verb, objects = self.parts_for(viewer, revealed)
        return LogEntry(ply, self.mover, text, self.news[viewer], verb, objects)

    def parts_for(self, viewer: int, revealed: bool) -> tuple[str, tuple[str, ...]]:
        """Verb and objects, by the names that things have in this viewer's picture; all of them when revealed."""
        (verb, objects), openly = self.parts[viewer], self.parts[self.mover if self.mover >= 0 else viewer]
        complete = (verb, len(objects)) == (openly[0], len(openly[1]))
        return openly if revealed and not complete else (verb, objects)

    def told_openly(self) -> str:
        """The ply in words when nothing needs to be kept secret: what the mover hears, who hears most."""
        if self.mover >= 0:
            return self.heard[self.mover] or self.text
        return self.heard[0] if len(set(self.heard)) == 1 and self.heard[0] else self.text


def take_step(table: Table, action: int | None) -> Ply:
    """Play one ply (None: let chance move) and say who noticed what."""
    game, seats = table.game, range(table.game.players)
    mover, before = table.turn, table.state.copy()
    if mover == CHANCE and action is None:
        action = table.roll()
    else:
        assert action is not None
        table.play(action)
    parts = [parts_of(game, before, action, seat) for seat in (*seats, WATCHER)]
    heard = [hear(game, before, mover, action, seat) for seat in (*seats, WATCHER)]
    news = [news_for(game, before, table.state, seat) for seat in (*seats, WATCHER)]
    noticed, turned = 0, table.turn != mover
    for seat in seats:
        obvious = not game.hidden or turned or seat == mover or heard[seat] or news[seat]
        if obvious or seen_by(game, table.state, seat) != seen_by(game, before, seat):
            noticed |= 1 << seat
    return Ply(mover, table.history_names[-1], heard, news, parts, noticed)


def hear(game: Game, before: np.record, mover: int, action: int, seat: int) -> str:
    """What a seat is told of an action played in the state `before`: its text, or less where it is hidden."""
    if game.people.heard is not None:
        return game.people.heard(before, action, seat)
    return Text("has moved") if game.hidden and mover != seat else game.people.action_name(before, action)


def parts_of(game: Game, before: np.record, action: int, seat: int) -> tuple[str, tuple[str, ...]]:
    """The verb and the objects of an action, as far as a seat may know them."""
    if game.people.verb_and_objects is None:
        return "", ()
    verb, objects = game.people.verb_and_objects(before, action, seat)
    return verb, tuple(objects)


def news_for(game: Game, before: np.record, after: np.record, seat: int) -> list[str]:
    """What a seat may know of what a move did, beyond its name."""
    return [] if game.people.news is None else list(game.people.news(before, after, seat))
