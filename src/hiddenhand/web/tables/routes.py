"""Tables over HTTP: new ones, their records, reviews and branches."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from fastapi import APIRouter, Body, Request
from fastapi.responses import JSONResponse, Response

from hiddenhand.core.errors import UserError, one_of
from hiddenhand.core.extras import RecordFormats
from hiddenhand.core.game import Game
from hiddenhand.core.record import read_record
from hiddenhand.core.seeds import new_secret
from hiddenhand.core.session import Deal
from hiddenhand.core.text import Text
from hiddenhand.web.answers import answer, language_of
from hiddenhand.web.errors import Forbidden, NotFound, TooManyRequests
from hiddenhand.web.schemas import outgoing
from hiddenhand.web.schemas.http import BranchBody, NextDealBody, SeatBody, TableBody, chosen_game
from hiddenhand.web.schemas.socket import AgentText, TableId
from hiddenhand.web.security.middleware import address
from hiddenhand.web.tables import reviews
from hiddenhand.web.tables.live_table import LiveTable
from hiddenhand.web.tables.registry import TableRegistry
from hiddenhand.web.tables.store import AGENT, key_of
from hiddenhand.web.uploads.kinds import require_allowed

router = APIRouter(prefix="/api")


def tables_for(request: Request) -> TableRegistry:
    """The registry, for a request that makes a table; a UserError if its address makes too many."""
    if not request.app.state.creations.take(address(request.scope)):
        raise TooManyRequests(Text("too many new tables; try again in a moment"))
    found: TableRegistry = request.app.state.tables
    return found


async def game_for(request: Request, name: str, options: Mapping[str, Any] = MappingProxyType({})) -> Game:
    """The game that a client names; a UserError if it may not be opened."""
    tables: TableRegistry = request.app.state.tables
    return await tables.threads.setup.run(chosen_game, tables.resolver, name, options, address=address(request.scope))


@router.post("/tables")
async def new_table(request: Request, order: TableBody) -> Response:
    tables = tables_for(request)
    game = await game_for(request, order.game, order.options)
    if game.chance and order.seed is not None and invites(order.seats):
        raise UserError("whoever chooses the seed can work out the cards: not at a table with other people")
    deal = Deal(game, new_secret() if order.seed is None else order.seed)
    who = address(request.scope)
    made = await tables.create(deal, order.seats, address=who, open_cards=order.open, delay=order.delay)
    return created(request, *made)


@router.get("/tables/{table}")
async def one_table(request: Request, table: TableId) -> Response:
    live = await find(request, table)
    return answer(request, live.describe(), live.reader(language_of(request)))


@router.get("/tables/{table}/record")
async def record(request: Request, table: TableId, form: str = "") -> JSONResponse:
    live = await find(request, table)
    if not live.session.can_be_copied:
        raise Forbidden(Text("the record would show what is hidden; it can be read when the game is over"))
    names = [seat.agent or seat.name for seat in live.saved.seats]
    kept = live.session.record()
    formats = live.game.extra(RecordFormats, RecordFormats({})).loaded()
    if form and form not in formats:
        raise UserError(
            "{game} has no records in the form {form}; forms: {list}",
            game=live.game.name,
            form=repr(form),
            list=one_of(list(formats)) or "ours",
        )
    written = formats[form].write(kept, names) if form else kept.to_json()
    ending = f".{form}.json" if form else ".json"  # so that the two downloads of a game are told apart
    name = f"{file_name(live.game.name)}-{live.id}{ending}"
    return JSONResponse(written, headers={"content-disposition": f'attachment; filename="{name}"'})


@router.get("/tables/{table}/review")
async def review(request: Request, table: TableId, agent: AgentText | None = None) -> Response:
    """A game gone through move by move; asked for again and again until it is whole."""
    live = await find(request, table)
    if agent is not None:
        who = address(request.scope)
        agent = await live.tables.threads.setup.run(live.tables.checked, live.game, agent, address=who)
    found = reviews.review(live, agent, address(request.scope))
    return answer(request, found, live.reader(language_of(request)))


@router.post("/records")
async def new_record(request: Request, data: dict[str, Any] = Body()) -> Response:
    require_allowed("record" if "format" in data else "hanab.live", request.app.state.uploads.kinds)
    tables, who = tables_for(request), address(request.scope)
    kept = await tables.threads.setup.run(read_record, data, address=who)
    live = await tables.keep(kept, who)
    made = outgoing.RecordTableInfo(table=live.id, plies=len(live.session.steps), over=live.session.over)
    return answer(request, made)


@router.post("/tables/{table}/branch")
async def branch(request: Request, table: TableId, order: BranchBody) -> Response:
    """A new table with the first plies of another one."""
    live = await find(request, table)
    if not live.session.can_be_copied:
        raise Forbidden(Text("a branch would show what is hidden; branch when the game is over"))
    if order.ply > len(live.session.table.history):
        raise UserError("the game has {n} plies, not {other}", n=len(live.session.table.history), other=order.ply)
    if (live.game.hidden or live.game.chance) and invites(order.seats):
        raise UserError(
            "whoever plays on from a game can read what is hidden or drawn in it: not at a table with other people"
        )
    made = await tables_for(request).create(
        live.session.deal,
        order.seats,
        address=address(request.scope),
        open_cards=order.open or live.saved.open,
        delay=order.delay,
        actions=live.session.table.history[: order.ply],
    )
    return created(request, *made)


def invites(seats: Sequence[SeatBody] | None) -> bool:
    """Whether one of these seats waits for another person."""
    return any(seat.who == "open" for seat in seats or ())


def file_name(name: str) -> str:
    """The name of a game as a part of a file's name, whatever somebody called it."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)


@router.post("/tables/{table}/next")
async def next_deal(request: Request, table: TableId, order: NextDealBody) -> Response:
    """Another table for the same people and agents, whose tokens open their seats there too."""
    live = await find(request, table)
    holders = {seat.key for seat in live.saved.seats if seat.key}
    if holders and (order.token is None or key_of(order.token) not in holders):
        raise Forbidden(Text("only who has played here can deal again"))
    return created(request, await tables_for(request).play_again(live), order.token or "", [])


async def find(request: Request, table: str) -> LiveTable:
    try:
        found: LiveTable = await request.app.state.tables.find(table, address(request.scope))
        return found
    except UserError as error:
        raise NotFound(error.text) from None


def created(request: Request, live: LiveTable, token: str, invited: list[tuple[int, str]]) -> Response:
    """What whoever has made a table needs: its id, the token of the own seats, and a link for every open one."""
    seats = [seat.public(name, seat.kind == AGENT) for seat, name in zip(live.saved.seats, live.names)]
    invite = [outgoing.InvitationInfo(seat=seat, token=key, link=f"/t/{live.id}?seat={key}") for seat, key in invited]
    made = outgoing.NewTableInfo(table=live.id, token=token, seats=seats, invite=invite)
    return answer(request, made, live.reader(language_of(request)))
