"""Hearing: one ply at a table, and what each seat gets to know of it.

Where things are hidden, a seat may not even notice that something happened (an umpire refuses the other's move, say).
Then it is told nothing, and its own count of plies does not go up: the number itself would give it away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from hiddenhand.core.text import Text
from hiddenhand.core.view import seen_by
from hiddenhand.kernel import CHANCE

if TYPE_CHECKING:
    from hiddenhand.core.game import Game
    from hiddenhand.core.table import Table

WATCHER = -1
"""Somebody at no seat, who hears what everybody may hear."""


class Entry(NamedTuple):
    """One line of a log."""

    ply: int
    """As the reader of this log counts."""
    seat: int
    text: str
    news: list[str]
    verb: str = ""
    objects: tuple[str, ...] = ()
    """Names of the things in the picture that it was about."""


@dataclass(frozen=True, slots=True)
class Step:
    """One ply. `heard`, `news` and `parts` have an entry for each seat, and one for watchers at the end."""

    mover: int
    text: str
    heard: list[str]
    news: list[list[str]]
    parts: list[tuple[str, tuple[str, ...]]]
    """Verb and objects."""
    noticed: int
    """Bit i if seat i noticed it."""

    def noticed_by(self, ear: int) -> bool:
        """Whether a seat noticed it; a watcher does if everybody did."""
        mask = (1 << len(self.heard) - 1) - 1 if ear == WATCHER else 1 << ear
        return self.noticed & mask == mask

    def noticed_by_others(self) -> bool:
        """Whether anybody but the mover noticed it, be it somebody who watches."""
        ears = (*range(len(self.heard) - 1), WATCHER)
        return any(self.noticed_by(ear) for ear in ears if ear != self.mover)

    def entry(self, ply: int, ear: int, revealed: bool) -> Entry:
        """What the log says of it to one pair of ears."""
        text = self.told_openly() if revealed else self.heard[ear]
        verb, objects = self.parts_for(ear, revealed)
        return Entry(ply, self.mover, text, self.news[ear], verb, objects)

    def parts_for(self, ear: int, revealed: bool) -> tuple[str, tuple[str, ...]]:
        """Verb and objects by the names that things have in this ear's picture; more of them when all is revealed."""
        (verb, objects), openly = self.parts[ear], self.parts[self.mover if self.mover >= 0 else ear]
        told_all = (verb, len(objects)) == (openly[0], len(openly[1]))
        return openly if revealed and not told_all else (verb, objects)

    def told_openly(self) -> str:
        """The ply in words when nothing needs to be kept secret: what the mover hears, who hears most."""
        if self.mover >= 0:
            return self.heard[self.mover] or self.text
        return self.heard[0] if len(set(self.heard)) == 1 and self.heard[0] else self.text


def take_step(table: Table, action: int | None) -> Step:
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
    return Step(mover, table.moves[-1], heard, news, parts, noticed)


def hear(game: Game, before: Any, mover: int, action: int, seat: int) -> str:
    """What a seat is told of an action played in the state `before`: its text, or less where it is hidden."""
    if game.heard is not None:
        return game.heard(before, action, seat)
    return Text("has moved") if game.hidden and mover != seat else game.text(before, action)


def parts_of(game: Game, before: Any, action: int, seat: int) -> tuple[str, tuple[str, ...]]:
    """The verb and the objects of an action, as far as a seat may know them."""
    if game.verb_and_objects is None:
        return "", ()
    verb, objects = game.verb_and_objects(before, action, seat)
    return verb, tuple(objects)


def news_for(game: Game, before: Any, after: Any, seat: int) -> list[str]:
    """What a seat may know of what a move did, beyond its name."""
    return [] if game.news is None else list(game.news(before, after, seat))
