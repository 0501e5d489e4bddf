"""Taking a move back: where nothing is hidden, or if it told nothing and nobody has moved since."""

from __future__ import annotations

from hiddenhand.core.errors import UserError
from hiddenhand.web.guest import Guest
from hiddenhand.web.room import Room
from hiddenhand.web.seats import AGENT


async def undo(room: Room, guest: Guest) -> None:
    """Back to this person's previous decision."""
    async with room.lock:
        ply = last_decision(room, guest)
        await check(room, guest, ply)
        await room.take_back(ply)
    room.wake()


def last_decision(room: Room, guest: Guest) -> int:
    """The ply at which one of this person's seats moved last."""
    movers = room.table.movers
    plies = [ply for ply, mover in enumerate(movers) if mover in guest.seats]
    if room.saved.recorded or not plies:
        raise UserError("there is nothing to take back")
    return plies[-1]


async def check(room: Room, guest: Guest, ply: int) -> None:
    """Refuse if somebody would be cheated."""
    table = room.table
    seat, since = table.movers[ply], table.movers[ply + 1 :]
    if table.over:
        raise UserError("the game is over: branch from an earlier moment instead")
    people = [mover for mover in since if mover >= 0 and room.saved.seats[mover].kind != AGENT]
    if any(mover not in guest.seats for mover in people):
        raise UserError("somebody has moved since; your move stands")
    if room.game.hidden and not room.saved.open:
        if since:
            raise UserError("somebody has moved since; your move stands")
        if await room.hall.lanes.quick.run(table.told_something, seat):
            raise UserError("that move showed you something you did not know; it stands")
