"""Tables over HTTP: new ones, their records, reviews and branches."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from fastapi import APIRouter, Body, Request
from fastapi.responses import JSONResponse

from hiddenhand.core.errors import UserError, one_of
from hiddenhand.core.game import Game
from hiddenhand.core.record import read_record
from hiddenhand.core.resolver import offered
from hiddenhand.core.seeds import new_secret
from hiddenhand.core.session import Deal
from hiddenhand.web.errors import Forbidden, NotFound, TooManyRequests
from hiddenhand.web.schemas import outgoing as wire
from hiddenhand.web.schemas.http import BranchBody, NextDealBody, SeatBody, TableBody, chosen_game
from hiddenhand.web.schemas.socket import AgentText, TableId
from hiddenhand.web.security.middleware import address
from hiddenhand.web.tables import reviews
from hiddenhand.web.tables.live_table import LiveTable
from hiddenhand.web.tables.registry import TableRegistry
from hiddenhand.web.tables.store import AGENT, key_of
from hiddenhand.web.uploads.kinds import require_allowed

router = APIRouter(prefix="/api")


def hall_of(request: Request) -> TableRegistry:
    """The hall, for a request that makes a table: no more of them than an address may."""
    if not request.app.state.creations.take(address(request.scope)):
        raise TooManyRequests("too many new tables; try again in a moment")
    return request.app.state.hall


async def game_for(request: Request, name: str, options: Mapping[str, Any] = MappingProxyType({})) -> Game:
    """A game that somebody asks for."""
    hall: TableRegistry = request.app.state.hall
    return await hall.lanes.setup.run(chosen_game, hall.resolver, name, options, address=address(request.scope))


@router.post("/tables")
async def new_table(request: Request, order: TableBody) -> wire.NewTableInfo:
    hall = hall_of(request)
    game = await game_for(request, order.game, order.options)
    if game.chance and order.seed is not None and invites(order.seats):
        raise UserError("whoever chooses the seed can work out the cards: not at a table with other people")
    deal = Deal(game, new_secret() if order.seed is None else order.seed)
    who = address(request.scope)
    made = await hall.create(deal, order.seats, address=who, open_cards=order.open, delay=order.delay)
    return created(*made)


@router.get("/tables/{table}")
async def one_table(request: Request, table: TableId) -> wire.TableInfo:
    return (await find(request, table)).describe()


@router.get("/tables/{table}/record")
async def record(request: Request, table: TableId, form: str = "") -> JSONResponse:
    room = await find(request, table)
    if not room.session.can_be_copied:
        raise Forbidden("the record would show what is hidden; it can be read when the game is over")
    names = [seat.agent or seat.name for seat in room.saved.seats]
    kept = room.session.record()
    formats = offered(room.game.formats)
    if form and form not in formats:
        raise UserError(
            f"{room.game.name} has no records in the form {form!r}; forms: {one_of(list(formats)) or 'ours'}"
        )
    written = formats[form].write(kept, names) if form else kept.to_json()
    ending = f".{form}.json" if form else ".json"  # so that the two downloads of a game are told apart
    name = f"{file_name(room.game.name)}-{room.id}{ending}"
    return JSONResponse(written, headers={"content-disposition": f'attachment; filename="{name}"'})


@router.get("/tables/{table}/review")
async def review(request: Request, table: TableId, agent: AgentText | None = None) -> wire.ReviewInfo:
    """A game gone through move by move; asked for again and again until it is whole."""
    room = await find(request, table)
    if agent is not None:
        who = address(request.scope)
        agent = await room.hall.lanes.setup.run(room.hall.checked, room.game, agent, address=who)
    return reviews.review(room, agent, address(request.scope))


@router.post("/records")
async def new_record(request: Request, data: dict[str, Any] = Body()) -> wire.RecordTableInfo:
    require_allowed("record" if "format" in data else "hanab.live", request.app.state.own.kinds)
    hall, who = hall_of(request), address(request.scope)
    kept = await hall.lanes.setup.run(read_record, data, address=who)
    room = await hall.keep(kept, who)
    return wire.RecordTableInfo(table=room.id, plies=len(room.session.steps), over=room.session.over)


@router.post("/tables/{table}/branch")
async def branch(request: Request, table: TableId, order: BranchBody) -> wire.NewTableInfo:
    """A new table with the first plies of another one."""
    room = await find(request, table)
    if not room.session.can_be_copied:
        raise Forbidden("a branch would show what is hidden; branch when the game is over")
    if order.ply > len(room.session.table.actions):
        raise UserError(f"the game has {len(room.session.table.actions)} plies, not {order.ply}")
    if (room.game.hidden or room.game.chance) and invites(order.seats):
        raise UserError(
            "whoever plays on from a game can read what is hidden or drawn in it: not at a table with other people"
        )
    made = await hall_of(request).create(
        room.session.deal,
        order.seats,
        address=address(request.scope),
        open_cards=order.open or room.saved.open,
        delay=order.delay,
        actions=room.session.table.actions[: order.ply],
    )
    return created(*made)


def invites(seats: Sequence[SeatBody] | None) -> bool:
    """Whether one of these seats is for somebody else."""
    return any(seat.who == "open" for seat in seats or ())


def file_name(name: str) -> str:
    """The name of a game as a part of a file's name, whatever somebody called it."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)


@router.post("/tables/{table}/next")
async def next_deal(request: Request, table: TableId, order: NextDealBody) -> wire.NewTableInfo:
    """Another table for the same people and agents, whose tokens open their seats there too."""
    room = await find(request, table)
    holders = {seat.key for seat in room.saved.seats if seat.key}
    if holders and (order.token is None or key_of(order.token) not in holders):
        raise Forbidden("only who has played here can deal again")
    return created(await hall_of(request).play_again(room), order.token or "", [])


async def find(request: Request, table: str) -> LiveTable:
    try:
        return await request.app.state.hall.room(table, address(request.scope))
    except UserError as error:
        raise NotFound(str(error)) from None


def created(room: LiveTable, token: str, invited: list[tuple[int, str]]) -> wire.NewTableInfo:
    seats = [seat.public(name, seat.kind == AGENT) for seat, name in zip(room.saved.seats, room.names)]
    invite = [wire.InvitationInfo(seat=seat, token=key, link=f"/t/{room.id}?seat={key}") for seat, key in invited]
    return wire.NewTableInfo(table=room.id, token=token, seats=seats, invite=invite)
