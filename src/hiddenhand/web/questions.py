"""Questions from the page: advice, the reasons of a past move, the tree of a small search, a look at the past.

Whether an answer may be given, and from what, is the session's to say; the answer is worked out in a lane.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hiddenhand.core.agent import Agent
from hiddenhand.core.agent_pool import agent_key
from hiddenhand.core.errors import UserError
from hiddenhand.core.hearing import WATCHER
from hiddenhand.core.session import Question
from hiddenhand.web.messages import Advice, Look, Tree, Why
from hiddenhand.web.room import Guest, Room

LARGEST_PICTURE = 400_000


async def advice(room: Room, guest: Guest, message: Advice) -> None:
    """What would a good player do now, and why?"""
    await answer(room, guest, room.session.ask_advice(guest.seats, message.agent), "advice")


async def why(room: Room, guest: Guest, message: Why) -> None:
    """Why was this played? Asked of the agent that played it, or of another."""
    await answer(room, guest, room.session.ask_why(guest.ear, message.ply, guest.seats, message.agent), "why")


async def answer(room: Room, guest: Guest, question: Question, asked_for: str) -> None:
    """Ask an agent for its reasons, and send them."""
    epoch = room.epoch
    decision = await asked(room, guest, question, lambda agent: room.session.answer(question, agent))
    if room.epoch == epoch:
        ply = room.session.ply_for(guest.ear, len(question.actions))
        reply = {"type": "decision", "table": room.id, "ply": ply, "agent": question.who, "asked": asked_for}
        guest.send({**reply, "decision": decision.to_json(), "drawn": question.drawn})


async def tree(room: Room, guest: Guest, message: Tree) -> None:
    """The tree that a small search looks at here, cut branches included."""
    question = room.session.ask_why(guest.ear, message.ply, guest.seats, message.agent, now=True)

    def draw(agent: Agent) -> dict[str, Any]:
        from hiddenhand.search import TreeSearch, trace

        if not isinstance(agent, TreeSearch):
            raise UserError(f"{agent.name} does not search a tree; try minimax, alphabeta, expectiminimax or maxn")
        found = trace(agent, room.session.view_of(question, agent))
        svg = found.svg()
        if len(svg) > LARGEST_PICTURE:
            raise UserError("this tree is too large to be drawn: ask for a smaller depth")
        return {"title": found.title, "svg": svg, "text": found.text()}

    drawn = await asked(room, guest, question, draw)
    guest.send({"type": "tree", "table": room.id, "ply": message.ply, "agent": question.who, **drawn})


async def asked(room: Room, guest: Guest, question: Question, put: Callable[[Agent], Any]) -> Any:
    """Put a question to an agent, one at a time for each guest."""
    if guest.asking:
        raise UserError("one question at a time")
    guest.asking = True
    try:
        if not room.hall.lanes.is_quick(agent_key(room.game, question.who)):
            guest.send({"type": "thinking", "table": room.id, "seat": None})
        found, _ = await room.hall.lanes.slow.run(room.timed, question.who, put, room.status_for([guest]))
        return found
    finally:
        guest.asking = False


async def look(room: Room, guest: Guest, message: Look) -> None:
    """A moment of the past, through one's own eyes; through others' when everything is revealed."""
    eyes = guest.ear if message.seat is None else message.seat
    if eyes >= room.game.players:
        raise UserError(f"there is no seat {eyes}")
    if eyes != WATCHER and eyes not in guest.seats and not room.session.revealed:
        raise UserError("other people's cards are shown when the game is over")
    ear = guest.ear if eyes == WATCHER else eyes
    guest.send(await room.frame_then(ear, eyes, message.ply, message.open))
