"""An agent of ours at a Hanabi table of hanab.live, or of any server that speaks as it does.

    HANABI_PASSWORD=... python -m hiddenhand.bridges.hanab_live NAME --agent trustful --server http://localhost

The agent logs in under this name and waits; whoever writes `/join` to it in a private message gets it at the table
that they sit at. It plays games by the usual rules, without a variant, in which the first player begins.

Messages go over a websocket, each a word and a JSON object: `tableJoin {"tableID": 3}`. A game begins with
`tableStart`; we ask for it (`getGameInfo1`, which is answered by `init`, and `getGameInfo2`, answered by
`gameActionList`), say that we are there (`loaded`), hear of everything that happens (`gameAction`) and, when it is
our turn, send an `action`. This is how the server's own example of a bot speaks (Hanabi-Live/hanabi-live-bot); it has
been tried with a stand-in for that server, not with the server itself.

An agent decides from a view. The view is that of a table of ours with the same past, whose hidden cards are any that
fit what was seen and told: what a seat sees does not depend on which.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from hiddenhand.core import resolver
from hiddenhand.core.agent_pool import AgentPool
from hiddenhand.core.errors import UserError
from hiddenhand.core.session import PERSON, Deal, Session
from hiddenhand.core.text import Seat
from hiddenhand.games.hanabi.hanab_live import (
    DECK_PLAYS,
    DISCARDS,
    NAMES_COLOUR,
    NAMES_RANK,
    OTHER_RULES,
    PLAIN,
    PLAYS,
    STARTS,
    Hands,
    from_hanab_live,
)
from hiddenhand.games.hanabi.rules import COLOUR, COPIES, DECK_SIZE, DISCARD, HINT, RANKS, SLOTS, hint_parts

Message = tuple[str, dict[str, Any]]
Hint = tuple[int, int, bool]
"""What a hint says of a card: NAMES_COLOUR or NAMES_RANK, the value, and whether it touched the card."""


class LiveSeat:
    """Our seat in one game: all that we have seen of it."""

    def __init__(self, players: Sequence[str], seat: int, options: dict[str, Any]) -> None:
        self.players = list(players)
        self.seat = seat
        self.options = options
        self.cards: dict[int, int] = {}
        """By their numbers in the deck, those that we have seen."""
        self.hints: dict[int, list[Hint]] = {}
        """The hints that we have received about cards in our own hand."""
        self.actions: list[dict[str, int]] = []
        self.hands = Hands(len(self.players))
        self.turn, self.mover, self.answered = 0, 0, -1

    def notice(self, told: dict[str, Any]) -> None:
        """Something has happened at the table."""
        kind = told["type"]
        if kind == "draw":
            self.see(told)
        elif kind in ("play", "discard"):
            self.see(told)
            played = kind == "play" or told.get("failed", False)
            held = self.hands.held[told["playerIndex"]]
            self.hands.lose(told["playerIndex"], held.index(told["order"]))
            self.actions.append({"type": PLAYS if played else DISCARDS, "target": told["order"]})
        elif kind == "clue":
            sort, value = NAMES_COLOUR + told["clue"]["type"], told["clue"]["value"]
            self.actions.append({"type": sort, "target": told["target"], "value": value})
            if told["target"] == self.seat:
                for order in self.hands.held[self.seat]:
                    self.hints.setdefault(order, []).append((sort, value, order in told["list"]))
        elif kind == "turn":
            self.turn, self.mover = told["num"], told["currentPlayerIndex"]

    def see(self, told: dict[str, Any]) -> None:
        if told.get("suitIndex", -1) >= 0 and told.get("rank", -1) >= 1:
            self.cards[told["order"]] = told["suitIndex"] * RANKS + told["rank"] - 1

    def deck(self) -> list[int]:
        """A deck that agrees with all that we know."""
        left = Counter({card: int(copies) for card, copies in enumerate(COPIES)})
        left.subtract(self.cards.values())
        unseen = [order for order in self.hands.held[self.seat] if order not in self.cards]
        mine = fitting(unseen, self.hints, left)
        if mine is None:
            raise UserError("no cards fit what we have been told")
        known = {**self.cards, **mine}
        left.subtract(mine.values())
        others = iter(left.elements())
        return [known[order] if order in known else next(others) for order in range(DECK_SIZE)]

    def session(self, agents: AgentPool, who: str) -> Session:
        """The same game at a table of ours, with an agent in our seat; hidden cards are any that fit."""
        deck = [{"suitIndex": card // RANKS, "rank": card % RANKS + 1} for card in self.deck()]
        game = {"players": self.players, "deck": deck, "actions": self.actions, "options": self.options}
        record = from_hanab_live(game)
        seats = [who if seat == self.seat else PERSON for seat in range(len(self.players))]
        found = resolver.game_of_record(record)
        return Session(Deal(found, record.seed, record.dealt), seats, agents=agents, actions=record.actions)

    def action(self, agents: AgentPool, who: str) -> dict[str, int]:
        """What an agent does now, as they write it."""
        session = self.session(agents, who)
        if session.table.turn != self.seat:
            raise UserError(
                "the server says that it is our turn; by the rules it is {who}'s", who=Seat(session.table.turn)
            )
        with agents.lend(session.game, who) as agent:
            chosen = session.table.ask(agent).action
        if chosen >= HINT:
            target, kind, value = (int(part) for part in hint_parts(chosen))
            sort = NAMES_COLOUR if kind == COLOUR else NAMES_RANK
            return {"type": sort, "target": target, "value": value + (kind != COLOUR)}
        order = self.hands.held[self.seat][chosen % SLOTS]
        return {"type": PLAYS if chosen < DISCARD else DISCARDS, "target": order}


def fitting(orders: list[int], hints: dict[int, list[Hint]], left: Counter[int]) -> dict[int, int] | None:
    """A card for each of these places, of those that are left, as the hints say; None if there are none."""
    if not orders:
        return {}
    first, *others = orders
    for card in [card for card, copies in left.items() if copies > 0]:
        if all(touches(card, sort, value) == touched for sort, value, touched in hints.get(first, [])):
            left[card] -= 1
            rest = fitting(others, hints, left)
            left[card] += 1
            if rest is not None:
                return {first: card, **rest}
    return None


def touches(card: int, sort: int, value: int) -> bool:
    return card // RANKS == value if sort == NAMES_COLOUR else card % RANKS + 1 == value


class LobbyClient:
    """A client of their server, in the lobby and at tables: it receives messages and answers them."""

    def __init__(self, agent: str) -> None:
        self.agent = agent
        self.agents = AgentPool()
        self.name = ""
        self.tables: dict[int, dict[str, Any]] = {}
        self.seats: dict[int, LiveSeat] = {}

    def told(self, command: str, data: dict[str, Any] | list[dict[str, Any]]) -> list[Message]:
        """What to say to a message."""
        answer = getattr(self, f"on_{command}", None)
        return [] if answer is None else answer(data)

    def on_welcome(self, data: dict[str, Any]) -> list[Message]:
        self.name = data["username"]
        return []

    def on_tableList(self, data: list[dict[str, Any]]) -> list[Message]:
        for table in data:
            self.on_table(table)
        return []

    def on_table(self, data: dict[str, Any]) -> list[Message]:
        self.tables[data["id"]] = data
        return []

    def on_tableGone(self, data: dict[str, Any]) -> list[Message]:
        self.tables.pop(data["tableID"], None)
        return []

    def on_chat(self, data: dict[str, Any]) -> list[Message]:
        """Somebody wants us at their table."""
        if data.get("recipient") != self.name or not data.get("msg", "").startswith("/join"):
            return []
        for table in self.tables.values():
            if data["who"] in table["players"] and not table["running"]:
                return [("tableJoin", {"tableID": table["id"]})]
        told = "I join a table at which you sit and where no game has begun; there is none."
        return [("chatPM", {"msg": told, "recipient": data["who"], "room": "lobby"})]

    def on_tableStart(self, data: dict[str, Any]) -> list[Message]:
        return [("getGameInfo1", {"tableID": data["tableID"]})]

    def on_init(self, data: dict[str, Any]) -> list[Message]:
        table, options = data["tableID"], data["options"]
        if options.get("variantName", "") not in PLAIN or any(
            options.get(name) for name in (*OTHER_RULES, DECK_PLAYS, STARTS)
        ):
            return [("tableUnattend", {"tableID": table})]
        self.seats[table] = LiveSeat(data["playerNames"], data["ourPlayerIndex"], options)
        return [("getGameInfo2", {"tableID": table})]

    def on_gameActionList(self, data: dict[str, Any]) -> list[Message]:
        for action in data["list"]:
            self.seats[data["tableID"]].notice(action)
        return [("loaded", {"tableID": data["tableID"]}), *self.decided(data["tableID"])]

    def on_gameAction(self, data: dict[str, Any]) -> list[Message]:
        self.seats[data["tableID"]].notice(data["action"])
        return self.decided(data["tableID"]) if data["action"]["type"] == "turn" else []

    def decided(self, table: int) -> list[Message]:
        """Our action, if it is our turn and we have not decided it yet."""
        seat = self.seats[table]
        if seat.mover != seat.seat or seat.answered == seat.turn:
            return []
        seat.answered = seat.turn
        return [("action", {"tableID": table, **seat.action(self.agents, self.agent)})]

    def on_databaseID(self, data: dict[str, Any]) -> list[Message]:
        """The game is over and kept."""
        self.seats.pop(data["tableID"], None)
        return [("tableUnattend", {"tableID": data["tableID"]})]


async def visit(guest: LobbyClient, address: str, cookie: str = "") -> None:
    """Listen and answer until the server hangs up."""
    from websockets.asyncio.client import connect

    async with connect(address, additional_headers={"Cookie": cookie} if cookie else None) as line:
        async for message in line:
            command, _, data = str(message).partition(" ")
            for word, answer in guest.told(command, json.loads(data or "{}")):
                await line.send(f"{word} {json.dumps(answer)}")


def log_in(server: str, name: str, password: str) -> str:
    """The cookie by which the server knows us."""
    form = urlencode({"username": name, "password": password, "version": "bot"}).encode()
    try:
        with urlopen(Request(f"{server}/login", form)) as answer:
            return str(answer.headers.get("Set-Cookie", "")).partition(";")[0]
    except (URLError, ValueError) as error:
        raise UserError("{server} does not let {name} in: {error}", server=server, name=name, error=error) from None


def main(words: Sequence[str] | None = None) -> int:
    about = "An agent of ours at a Hanabi table of hanab.live, or of any server that speaks as it does."
    reader = argparse.ArgumentParser(prog="python -m hiddenhand.bridges.hanab_live", description=about)
    reader.add_argument("name", help="the name of the account; its password is in HANABI_PASSWORD")
    reader.add_argument("--agent", default="trustful", help="who plays")
    reader.add_argument("--server", default="https://hanab.live", help="where")
    given = reader.parse_args(words)
    try:
        resolver.EVERYTHING.character(resolver.game("hanabi"), given.agent)
        password = os.environ.get("HANABI_PASSWORD", "")
        if not password:
            raise UserError("the password is expected in HANABI_PASSWORD")
        server = given.server.rstrip("/")
        cookie = log_in(server, given.name, password)
        asyncio.run(visit(LobbyClient(given.agent), server.replace("http", "ws", 1) + "/ws", cookie))
    except (UserError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
