"""Questions: advice for the seat to move, the reasons of a past move, the tree of a small search.

Before the end of a game with hidden information an answer may use what the asking seat knows and nothing else: the
adviser then gets a view whose randomness comes from the view itself, and the memory it would have had in that seat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Decision
from hiddenhand.core.errors import UserError
from hiddenhand.web.bench import key_of
from hiddenhand.web.frames import Memory, own_view
from hiddenhand.web.guest import Guest
from hiddenhand.web.past import keeps_memory, replay
from hiddenhand.web.room import Room

LARGEST_PICTURE = 400_000


async def advice(room: Room, guest: Guest, text: str | None) -> None:
    """What would a good player do now, and why?"""
    turn = room.table.turn
    if room.table.over:
        raise UserError("the game is over")
    if turn not in guest.seats and not room.revealed:
        raise UserError("ask when it is your turn")
    who = text or room.hall.resolver.champion(room.game)
    await answer(room, guest, len(room.table.actions), who, "advice", in_secret=turn in guest.seats)


async def why(room: Room, guest: Guest, ply: int, text: str | None) -> None:
    """Why was this played? Asked of the agent that played it, or of another."""
    true, seat = decision_at(room, guest, ply)
    if not room.revealed and seat not in guest.seats:
        raise UserError("that would show what you may not see; ask when the game is over")
    sat = room.saved.seats[seat]
    who = text or sat.agent or room.hall.resolver.champion(room.game)
    await answer(room, guest, true, who, "why", in_secret=not room.revealed)


async def tree(room: Room, guest: Guest, ply: int, text: str | None) -> None:
    """The tree that a small search looks at here, cut branches included."""
    true, seat = decision_at(room, guest, ply, now=True)
    if not room.revealed and seat not in guest.seats:
        raise UserError("that would show what you may not see; ask when the game is over")
    who = text or room.saved.seats[seat].agent or room.hall.resolver.champion(room.game)
    actions = list(room.table.actions[:true])

    def draw(agent: Agent) -> dict[str, Any]:
        from hiddenhand.search import TreeSearch, trace

        if not isinstance(agent, TreeSearch):
            raise UserError(f"{agent.name} does not search a tree; try minimax, alphabeta, expectiminimax or maxn")
        table = replay(room.deal, actions)
        found = trace(agent, own_view(room.game, table.state, seat))
        svg = found.svg()
        if len(svg) > LARGEST_PICTURE:
            raise UserError("this tree is too large to be drawn: ask for a smaller depth")
        return {"title": found.title, "svg": svg, "text": found.text()}

    drawn = await asked(room, guest, who, draw)
    guest.send({"type": "tree", "table": room.id, "ply": ply, "agent": who, **drawn})


def decision_at(room: Room, guest: Guest, ply: int, now: bool = False) -> tuple[int, int]:
    """The true ply and who decided there; `now`: who is to decide counts too."""
    true, movers = room.true_ply(guest.ear, ply), room.table.movers
    if true < len(movers):
        seat = movers[true]
    else:
        seat = room.table.turn if now else -1
    if seat < 0:
        raise UserError(f"there is no decision at ply {ply}")
    return true, seat


async def answer(room: Room, guest: Guest, true: int, who: str, asked_for: str, in_secret: bool) -> None:
    """Ask an agent for its reasons at a ply, and send them."""
    actions, epoch = list(room.table.actions[:true]), room.epoch

    def explain(agent: Agent) -> Decision:
        if not in_secret:
            table = replay(room.deal, actions, {seat_at(room, actions): agent})
            return table.ask(agent, explain=True)
        if agent.cheats and room.game.hidden and not room.saved.open:
            raise UserError(f"{agent.name} looks at hidden cards; ask it when the game is over")
        return secret_explanation(room, actions, agent)

    decision = await asked(room, guest, who, explain)
    if room.epoch == epoch:
        ply = room.ply_for(guest.ear, true)
        reply = {"type": "decision", "table": room.id, "ply": ply, "agent": who, "asked": asked_for}
        guest.send({**reply, "decision": decision.to_json(), "drawn": drawn(room, true)})


async def asked(room: Room, guest: Guest, who: str, question: Callable[[Agent], Any]) -> Any:
    """Put a question to an agent, one at a time for each guest."""
    if guest.asking:
        raise UserError("one question at a time")
    guest.asking = True
    try:
        if not room.hall.lanes.is_quick(key_of(room.game, who)):
            guest.send({"type": "thinking", "table": room.id, "seat": None})
        found, _ = await room.hall.lanes.slow.run(room.hall.bench.ask, room.game, who, question)
        return found
    finally:
        guest.asking = False


def drawn(room: Room, ply: int) -> bool:
    """Whether this move was not chosen but drawn at random, as part of the opening."""
    return sum(mover >= 0 for mover in room.table.movers[:ply]) < room.saved.opening


def seat_at(room: Room, actions: list[int]) -> int:
    movers = room.table.movers
    return movers[len(actions)] if len(actions) < len(movers) else room.table.turn


def secret_explanation(room: Room, actions: list[int], agent: Agent) -> Decision:
    """The agent in the place of the seat to move, knowing what that seat knows and has seen."""
    seat, table = seat_at(room, actions), room.deal.table()
    memory: Memory = {}
    for action in actions:
        if table.turn == seat and keeps_memory(agent):
            agent.decide(own_view(room.game, table.state, seat, memory))
        table.play(action)
    return agent.explain(own_view(room.game, table.state, seat, memory))
