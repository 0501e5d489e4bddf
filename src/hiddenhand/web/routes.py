"""What is asked for over HTTP: games, tables, records, branches."""

from __future__ import annotations

import re
from typing import Any

from fastapi import APIRouter, Body, Request
from fastapi.responses import JSONResponse

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError, one_of
from hiddenhand.core.record import read_record
from hiddenhand.web.catalogue import describe
from hiddenhand.web.choosing import chosen_game
from hiddenhand.web.errors import Forbidden, Missing, TooMany
from hiddenhand.web.guard import address
from hiddenhand.web.hall import Hall
from hiddenhand.web.messages import TableId
from hiddenhand.web.orders import BranchOrder, TableOrder
from hiddenhand.web.room import Room
from hiddenhand.web.seats import AGENT

router = APIRouter(prefix="/api")


def hall_of(request: Request) -> Hall:
    """The hall, for a request that makes a table: no more of them than an address may."""
    if not request.app.state.creations.take(address(request.scope)):
        raise TooMany("too many new tables; try again in a moment")
    return request.app.state.hall


@router.get("/games")
async def games(request: Request) -> JSONResponse:
    return JSONResponse(await request.app.state.catalogue())


@router.get("/games/{name}")
async def one_game(request: Request, name: str) -> dict[str, Any]:
    """A game with other options than the usual ones (`?players=4`): who can play it may depend on them."""
    hall: Hall = request.app.state.hall
    options = dict(request.query_params)
    return await hall.lanes.setup.run(lambda: describe(hall.resolver, chosen_game(hall.resolver, name, options)))


@router.get("/games/{name}/words/{word}")
async def meaning(request: Request, name: str, word: str) -> dict[str, str]:
    """What a word of a game means, such as the text of a card."""
    game = chosen_game(request.app.state.hall.resolver, name, {})
    found = game.meaning(word[:100]) if game.meaning is not None else ""
    if not found:
        raise Missing(f"nothing is known about {word[:100]!r}")
    return {"word": word, "meaning": found}


@router.post("/tables")
async def new_table(request: Request, order: TableOrder) -> dict[str, Any]:
    hall = hall_of(request)
    game = await hall.lanes.setup.run(chosen_game, hall.resolver, order.game, order.options)
    seed = fresh_seed() if order.seed is None else order.seed
    made = await hall.create(game, seed, order.seats, open_cards=order.open, delay=order.delay)
    return created(*made)


@router.get("/tables/{table}")
async def one_table(request: Request, table: TableId) -> dict[str, Any]:
    return (await find(request, table)).describe()


@router.get("/tables/{table}/record")
async def record(request: Request, table: TableId, form: str = "") -> JSONResponse:
    room = await find(request, table)
    if not room.can_be_copied:
        raise Forbidden("the record would show what is hidden; it can be read when the game is over")
    names = [seat.agent or seat.name for seat in room.saved.seats]
    kept = room.table.record([seat.agent or "person" for seat in room.saved.seats])
    kept.opening = room.saved.opening
    formats = resolver.offered(room.game.formats)
    if form and form not in formats:
        raise UserError(
            f"{room.game.name} has no records in the form {form!r}; forms: {one_of(list(formats)) or 'ours'}"
        )
    written = formats[form].write(kept, names) if form else kept.to_json()
    headers = {"content-disposition": f'attachment; filename="{file_name(room.game.name)}-{room.id}.json"'}
    return JSONResponse(written, headers=headers)


@router.post("/records")
async def new_record(request: Request, data: dict[str, Any] = Body()) -> dict[str, Any]:
    hall = hall_of(request)
    kept = await hall.lanes.setup.run(read_record, data)
    room = await hall.keep(kept)
    return {"table": room.id, "plies": len(room.table.actions), "over": room.table.over}


@router.post("/tables/{table}/branch")
async def branch(request: Request, table: TableId, order: BranchOrder) -> dict[str, Any]:
    """A new table with the first plies of another one."""
    room = await find(request, table)
    if not room.can_be_copied:
        raise Forbidden("a branch would show what is hidden; branch when the game is over")
    if order.ply > len(room.table.actions):
        raise UserError(f"the game has {len(room.table.actions)} plies, not {order.ply}")
    made = await hall_of(request).create(
        room.game,
        room.saved.seed,
        order.seats,
        open_cards=order.open or room.saved.open,
        delay=order.delay,
        dealt=room.saved.dealt,
        actions=room.table.actions[: order.ply],
    )
    return created(*made)


def file_name(name: str) -> str:
    """The name of a game as a part of a file's name, whatever somebody called it."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)


async def find(request: Request, table: str) -> Room:
    try:
        return await request.app.state.hall.room(table)
    except UserError as error:
        raise Missing(str(error)) from None


def created(room: Room, token: str, invited: list[tuple[int, str]]) -> dict[str, Any]:
    seats = [seat.public(seat.kind == AGENT) for seat in room.saved.seats]
    invite = [{"seat": seat, "token": key, "link": f"/t/{room.id}?seat={key}"} for seat, key in invited]
    return {"table": room.id, "token": token, "seats": seats, "invite": invite}


def fresh_seed() -> int:
    from secrets import randbits

    return randbits(32)
