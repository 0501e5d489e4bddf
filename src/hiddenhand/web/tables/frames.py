"""What a table shows: its moments, its moves and what its players are called, as schemas that are sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hiddenhand.core.event_log import WATCHER, LogEntry
from hiddenhand.core.table import Table
from hiddenhand.core.text import Text
from hiddenhand.core.view import own_view
from hiddenhand.web.schemas import outgoing
from hiddenhand.web.schemas.base import words_of
from hiddenhand.web.tables.store import SavedSeat

if TYPE_CHECKING:
    from hiddenhand.core.game import Move

UNNAMED: dict[str, str] = {
    str(name): name
    for number in range(1, 65)
    for name in (Text("Player {n}", n=number), Text("Friend {n}", n=number))
}
"""What people are called who have given no name, by how it lies in the store."""


def frame(table: Table, viewer: int, last: outgoing.EntryInfo | None, revealed: bool, moves: bool) -> dict[str, Any]:
    """What a viewer sees of a table: it can be computed from what the viewer may know.

    moves   whether the viewer is told the legal moves if it is his turn

    Watchers see nothing until everything is revealed; then they see
    everything, as all do when the game is over.
    """
    game, over = table.game, table.over
    seen: dict[str, Any] = {"picture": None, "actions": []}
    if viewer != WATCHER or revealed:
        view = own_view(game, table.state, max(viewer, 0))
        openly = revealed and (over or viewer == WATCHER)
        picture = game.people.open_picture(table.state, max(viewer, 0)) if openly else view.picture()
        seen = {
            "words": dict(words_of(picture)),
            "picture": picture,
            "actions": [move_sent(move) for move in view.legal_moves()] if moves and viewer == table.turn else [],
        }
    return {
        "seat": None if viewer == WATCHER else viewer,
        "turn": table.turn,
        **seen,
        "over": over,
        "payoffs": table.payoffs() if over else None,
        "last": last,
    }


def entry_sent(entry: LogEntry) -> outgoing.EntryInfo:
    return outgoing.EntryInfo(
        ply=entry.ply,
        seat=entry.seat,
        text=entry.text,
        news=list(entry.news),
        verb=str(entry.verb),
        words=in_words(entry.text, entry.verb, entry.objects),
        objects=[str(name) for name in entry.objects],
    )


def in_words(text: str, verb: str, objects: Sequence[str]) -> str:
    """A move told with what is done, where its text is a bare name or made for programs; else empty."""
    if verb and list(objects) == [text]:
        return Text.joined(" ", [verb, text])
    made_for_programs = "_" in text and not isinstance(text, Text)
    return Text.joined(" ", [verb, *objects]) if verb and made_for_programs else ""


def name_of(seat: SavedSeat, known: Mapping[str, str]) -> str:
    """What a player is called, as far as the seat alone says."""
    name = seat.name or seat.agent.partition(":")[0]
    return known.get(seat.agent, "") or UNNAMED.get(name, name)


def numbered(names: list[str]) -> list[str]:
    """The same names; those that several players have are numbered."""
    count = [names[: seat + 1].count(name) for seat, name in enumerate(names)]
    return [
        Text("{name} {number}", name=name, number=number) if names.count(name) > 1 else name
        for name, number in zip(names, count)
    ]


def move_sent(move: Move) -> outgoing.MoveInfo:
    return outgoing.MoveInfo(
        action=move.action,
        text=move.text,
        verb=str(move.verb),
        verb_words=move.verb,
        words=in_words(move.text, move.verb, move.objects),
        objects=[str(name) for name in move.objects],
    )
