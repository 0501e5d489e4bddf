"""What is done with each message of a page: one function for each kind of request, and the table `HANDLERS` of them.

Whether a question may be answered, and from what, is the session's to say; the answer is worked out in another
process. When the client that asked is gone, the work on its answer is stopped.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from hiddenhand.belief.marginals import facts_of
from hiddenhand.core.errors import UserError
from hiddenhand.core.event_log import WATCHER
from hiddenhand.core.session import Question
from hiddenhand.core.text import Seat
from hiddenhand.web.schemas import outgoing
from hiddenhand.web.schemas.http import clean_name
from hiddenhand.web.schemas.socket import (
    AdviceRequest,
    BeliefRequest,
    JoinRequest,
    LeaveRequest,
    LookRequest,
    PingRequest,
    PlayRequest,
    PressRequest,
    RenameRequest,
    RetryRequest,
    SocketRequest,
    TreeRequest,
    UndoRequest,
    WhyRequest,
    WriteRequest,
)
from hiddenhand.web.tables.live_table import Client, LiveTable
from hiddenhand.web.workers.process import DRAW, EXPLAIN

if TYPE_CHECKING:
    from hiddenhand.web.tables.connection import Connection


# ---- the connection itself


async def join(connection: Connection, message: JoinRequest) -> None:
    await connection.join(message.table, message.token)


async def leave(connection: Connection, message: LeaveRequest) -> None:
    connection.leave(message.table)


async def ping(connection: Connection, message: PingRequest) -> None:
    connection.send(outgoing.PongMessage())


# ---- what changes a table


async def play(connection: Connection, message: PlayRequest) -> None:
    live, client = connection.at(message.table)
    await live.carry_out(live.play(client, message.ply, message.action))


async def write(connection: Connection, message: WriteRequest) -> None:
    live, client = connection.at(message.table)
    await live.carry_out(live.play(client, message.ply, message.text))


async def press(connection: Connection, message: PressRequest) -> None:
    live, client = connection.at(message.table)
    await live.why_not(client, message.thing)


async def undo(connection: Connection, message: UndoRequest) -> None:
    live, client = connection.at(message.table)
    await live.carry_out(live.undo(client))


async def rename(connection: Connection, message: RenameRequest) -> None:
    live, client = connection.at(message.table)
    await live.carry_out(live.rename(client, clean_name(message.name)))


async def retry(connection: Connection, message: RetryRequest) -> None:
    live, client = connection.at(message.table)
    live.ask_again(client)


# ---- questions


async def advice(connection: Connection, message: AdviceRequest) -> None:
    """What would a good player do now, and why?"""
    live, client = connection.at(message.table)
    await answer(live, client, live.session.ask_advice(client.seats, message.agent), "advice")


async def why(connection: Connection, message: WhyRequest) -> None:
    """Why was this played? Asked of the agent that played it, or of another."""
    live, client = connection.at(message.table)
    question = live.session.ask_why(client.viewer, message.ply, client.seats, message.agent)
    await answer(live, client, question, "why")


async def answer(live: LiveTable, client: Client, question: Question, asked_for: Literal["advice", "why"]) -> None:
    """Ask an agent for its reasons, and send them, unless moves have been taken back meanwhile."""
    epoch = live.epoch
    decision = await asked(live, client, question, EXPLAIN)
    if live.epoch == epoch:
        ply = live.session.ply_for(client.viewer, len(question.actions))
        live.send(
            client,
            outgoing.DecisionMessage(
                table=live.id, ply=ply, agent=question.who, asked=asked_for, decision=decision, drawn=question.drawn
            ),
        )


async def tree(connection: Connection, message: TreeRequest) -> None:
    """The tree that a small search looks at here, cut branches included."""
    live, client = connection.at(message.table)
    question = live.session.ask_why(client.viewer, message.ply, client.seats, message.agent, now=True)
    drawn = await asked(live, client, question, DRAW)
    live.send(client, outgoing.TreeMessage(table=live.id, ply=message.ply, agent=question.who, **drawn))


async def asked(live: LiveTable, client: Client, question: Question, what: str) -> Any:
    """An agent's answer to a question; each client may wait for one answer at a time."""
    if client.asking:
        raise UserError("one question at a time")
    client.asking = True
    try:
        scheduler = live.tables.scheduler
        if not scheduler.timings(live.game, question.who).quick:
            live.send(client, outgoing.ThinkingMessage(table=live.id, seat=None))
        tell = live.status_for([client])
        return await scheduler.answer(live.session, what, question, client.requester(live.id), tell)
    finally:
        client.asking = False


async def believe(connection: Connection, message: BeliefRequest) -> None:
    """What each hidden thing may be, in shares of the worlds that fit what a seat knows."""
    live, client = connection.at(message.table)
    viewer = viewer_for(live, client, message.seat)
    session = live.session
    if viewer == WATCHER:
        raise UserError("a watcher knows what everybody knows; take a seat's eyes")
    facts_of(live.game)
    true = session.true_ply(client.viewer, message.ply)
    shares, worlds = await live.tables.scheduler.shares(session, true, viewer, client.requester(live.id))
    things = [
        outgoing.ThingInfo(
            name=name,
            chances=[outgoing.ChanceInfo(what=str(what), words=what, chance=chance) for what, chance in likely],
        )
        for name, likely in shares.items()
    ]
    live.send(client, outgoing.BeliefMessage(table=live.id, ply=message.ply, worlds=worlds, things=things))


async def look(connection: Connection, message: LookRequest) -> None:
    """A moment of the past, as one's own seat saw it; as any seat saw it when everything is revealed."""
    live, client = connection.at(message.table)
    viewer = viewer_for(live, client, message.seat)
    listener = client.viewer if viewer == WATCHER else viewer
    live.send(client, await live.frame_then(listener, viewer, message.ply, client.requester(live.id), message.open))


def viewer_for(live: LiveTable, client: Client, wanted: int | None) -> int:
    """The seat as which a client may look: its own; any when everything is revealed."""
    viewer = client.viewer if wanted is None else wanted
    if viewer >= live.game.players:
        raise UserError("there is no {who}", who=Seat(viewer))
    if viewer != WATCHER and viewer not in client.seats and not live.session.revealed:
        raise UserError("other people's cards are shown when the game is over")
    return viewer


# ---- the table of handlers


@dataclass(frozen=True)
class Handler:
    """How requests of one kind are handled."""

    handle: Callable[[Connection, Any], Awaitable[None]]
    takes_time: bool = False
    """The connection reads on while it is handled."""


HANDLERS: dict[type[SocketRequest], Handler] = {
    JoinRequest: Handler(join),
    LeaveRequest: Handler(leave),
    PingRequest: Handler(ping),
    PlayRequest: Handler(play),
    WriteRequest: Handler(write),
    PressRequest: Handler(press),
    UndoRequest: Handler(undo),
    RenameRequest: Handler(rename),
    RetryRequest: Handler(retry),
    AdviceRequest: Handler(advice, takes_time=True),
    WhyRequest: Handler(why, takes_time=True),
    TreeRequest: Handler(tree, takes_time=True),
    BeliefRequest: Handler(believe, takes_time=True),
    LookRequest: Handler(look, takes_time=True),
}
