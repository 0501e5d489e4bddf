"""Questions from the page: advice, the reasons of a past move, the tree of a small search, a look at the past.

Whether an answer may be given, and from what, is the session's to say; it is worked out in another process. When
whoever asked is gone, nobody thinks about it any more.
"""

from __future__ import annotations

from typing import Any, Literal

from hiddenhand.belief.shares import facts_of
from hiddenhand.core.errors import UserError
from hiddenhand.core.hearing import WATCHER
from hiddenhand.core.naming import with_names
from hiddenhand.core.session import Question
from hiddenhand.web.schemas import outgoing as wire
from hiddenhand.web.schemas.socket import AdviceRequest, BeliefRequest, LookRequest, TreeRequest, WhyRequest
from hiddenhand.web.tables.live_table import Client, LiveTable
from hiddenhand.web.workers.process import DRAW, EXPLAIN


async def advice(room: LiveTable, guest: Client, message: AdviceRequest) -> None:
    """What would a good player do now, and why?"""
    await answer(room, guest, room.session.ask_advice(guest.seats, message.agent), "advice")


async def why(room: LiveTable, guest: Client, message: WhyRequest) -> None:
    """Why was this played? Asked of the agent that played it, or of another."""
    await answer(room, guest, room.session.ask_why(guest.ear, message.ply, guest.seats, message.agent), "why")


async def answer(room: LiveTable, guest: Client, question: Question, asked_for: Literal["advice", "why"]) -> None:
    """Ask an agent for its reasons, and send them."""
    epoch = room.epoch
    decision = await asked(room, guest, question, EXPLAIN)
    if room.epoch == epoch:
        ply = room.session.ply_for(guest.ear, len(question.actions))
        decision = with_names_in(decision, room.names)
        guest.send(
            wire.DecisionMessage(
                table=room.id, ply=ply, agent=question.who, asked=asked_for, decision=decision, drawn=question.drawn
            )
        )


async def tree(room: LiveTable, guest: Client, message: TreeRequest) -> None:
    """The tree that a small search looks at here, cut branches included."""
    question = room.session.ask_why(guest.ear, message.ply, guest.seats, message.agent, now=True)
    drawn = await asked(room, guest, question, DRAW)
    guest.send(wire.TreeMessage(table=room.id, ply=message.ply, agent=question.who, **drawn))


async def asked(room: LiveTable, guest: Client, question: Question, what: str) -> Any:
    """Put a question to an agent, one at a time for each guest."""
    if guest.asking:
        raise UserError("one question at a time")
    guest.asking = True
    try:
        thinking = room.hall.thinking
        if not thinking.known(room.game, question.who).quick:
            guest.send(wire.ThinkingMessage(table=room.id, seat=None))
        return await thinking.answer(room.session, what, question, guest.whose(room.id), room.status_for([guest]))
    finally:
        guest.asking = False


async def believe(room: LiveTable, guest: Client, message: BeliefRequest) -> None:
    """What each hidden thing may be, in shares of the worlds that fit what a seat knows."""
    eyes = eyes_for(room, guest, message.seat)
    session = room.session
    if eyes == WATCHER:
        raise UserError("a watcher knows what everybody knows; take a seat's eyes")
    facts_of(room.game)
    true = session.true_ply(guest.ear, message.ply)
    shares, worlds = await room.hall.thinking.shares(session, true, eyes, guest.whose(room.id))
    things = [
        wire.ThingInfo(name=name, chances=[{"what": what, "chance": chance} for what, chance in likely])
        for name, likely in shares.items()
    ]
    guest.send(wire.BeliefMessage(table=room.id, ply=message.ply, worlds=worlds, things=things))


async def look(room: LiveTable, guest: Client, message: LookRequest) -> None:
    """A moment of the past, through one's own eyes; through others' when everything is revealed."""
    eyes = eyes_for(room, guest, message.seat)
    ear = guest.ear if eyes == WATCHER else eyes
    guest.send(await room.frame_then(ear, eyes, message.ply, guest.whose(room.id), message.open))


def eyes_for(room: LiveTable, guest: Client, wanted: int | None) -> int:
    """Through whose eyes a guest may look: one's own; anybody's when everything is revealed."""
    eyes = guest.ear if wanted is None else wanted
    if eyes >= room.game.players:
        raise UserError(f"there is no seat {eyes}")
    if eyes != WATCHER and eyes not in guest.seats and not room.session.revealed:
        raise UserError("other people's cards are shown when the game is over")
    return eyes


def with_names_in(told: Any, names: list[str]) -> Any:
    """Names instead of seats in all texts of a decision."""
    if isinstance(told, str):
        return with_names(told, names)
    if isinstance(told, dict):
        return {key: with_names_in(value, names) for key, value in told.items()}
    return [with_names_in(value, names) for value in told] if isinstance(told, list) else told
