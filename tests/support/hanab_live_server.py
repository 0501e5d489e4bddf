"""A stand-in for the server of hanab.live: one table, at which guests of ours play a whole game over websockets."""

import asyncio
import json

from websockets.asyncio.server import serve

import hiddenhand as hh
from hiddenhand.bridges.hanab_live import LobbyClient, visit
from hiddenhand.core.table import Table
from hiddenhand.core.view import same
from hiddenhand.games.hanabi.hanab_live import Hands, read_action, written_deck

STRICT = {"bomb": "zero", "empty_hints": False, "discard_at_8": False}
NAMES = ["Ann", "Bob"]
NUMBER = 7
OPTIONS = {"numPlayers": 2, "startingPlayer": 0, "variantName": "No Variant", "emptyClues": False}


class StandIn:
    """The server: it knows the deck, and tells everybody what they may see."""

    def __init__(self, seed):
        self.table = Table(hh.game("hanabi", players=2, **STRICT), seed)
        self.deck = written_deck(self.table)
        self.hands = Hands(2)
        self.lines = []
        self.ready = 0

    async def meet(self, line):
        """One guest, from its welcome on; the first is asked to join by the one who sits there already."""
        seat = len(self.lines)
        self.lines.append(line)
        await self.say(seat, "welcome", {"username": NAMES[seat]})
        await self.say(seat, "tableList", [{"id": NUMBER, "players": ["Host"], "running": False}])
        await self.say(seat, "chat", {"who": "Host", "recipient": NAMES[seat], "msg": "/join"})
        async for message in line:
            word, _, data = message.partition(" ")
            await getattr(self, word)(seat, json.loads(data))

    async def say(self, seat, word, data):
        await self.lines[seat].send(f"{word} {json.dumps(data)}")

    async def tableJoin(self, seat, data):
        assert data == {"tableID": NUMBER}
        self.ready += 1
        if self.ready == 2:
            for each in range(2):
                await self.say(each, "tableStart", data)

    async def getGameInfo1(self, seat, data):
        game = {**data, "playerNames": NAMES, "ourPlayerIndex": seat, "options": OPTIONS}
        await self.say(seat, "init", game)

    async def getGameInfo2(self, seat, data):
        hands = [self.drawn(seat, owner, order) for owner in range(2) for order in self.hands.held[owner]]
        await self.say(seat, "gameActionList", {**data, "list": [*hands, self.turn()]})

    async def loaded(self, seat, data):
        assert data == {"tableID": NUMBER}

    async def action(self, seat, data):
        """A move: played at the true table, and told to both as far as they may know."""
        table, hands = self.table, self.hands
        assert seat == table.turn
        happened = self.told(seat, data)
        before = hands.next
        table.play(read_action(data["type"], data["target"], data.get("value", 0), hands, seat))
        for each in range(2):
            events = [happened] + ([self.drawn(each, seat, before)] if hands.next > before else [])
            for event in [*events, self.turn()]:
                await self.say(each, "gameAction", {"tableID": NUMBER, "action": event})
            if table.over:
                await self.say(each, "databaseID", {"tableID": NUMBER, "databaseID": 1})

    async def tableUnattend(self, seat, data):
        await self.lines[seat].close()

    def told(self, seat, data):
        kind, target = data["type"], data["target"]
        if kind < 2:
            card, piles = self.deck[target], self.table.state.piles
            failed = kind == 0 and piles[card["suitIndex"]] != card["rank"] - 1
            word = "discard" if kind == 1 or failed else "play"
            return {"type": word, "playerIndex": seat, "order": target, "failed": bool(failed), **card}
        name = "suitIndex" if kind == 2 else "rank"
        touched = [order for order in self.hands.held[target] if self.deck[order][name] == data["value"]]
        clue = {"type": kind - 2, "value": data["value"]}
        return {"type": "clue", "giver": seat, "target": target, "clue": clue, "list": touched}

    def drawn(self, to, owner, order):
        card = self.deck[order] if to != owner else {"suitIndex": -1, "rank": -1}
        return {"type": "draw", "playerIndex": owner, "order": order, **card}

    def turn(self):
        return {"type": "turn", "num": len(self.table.history), "currentPlayerIndex": self.table.turn}


class Watched(LobbyClient):
    """A guest that must see exactly what its seat sees at the true table, whenever it decides."""

    def __init__(self, agent, server):
        super().__init__(agent)
        self.server = server
        self.compared = 0

    def decided(self, table):
        seat = self.seats[table]
        if seat.mover == seat.seat:
            imagined = seat.session(self.agents, self.agent).table
            assert same(imagined.view(seat.seat).record, self.server.table.view(seat.seat).record)
            self.compared += 1
        return super().decided(table)


async def game(seed, agent):
    """The table after a game over websockets, and how often a view was compared."""
    server = StandIn(seed)
    guests = [Watched(agent, server) for _ in NAMES]
    async with serve(server.meet, "127.0.0.1", 0) as listening:
        address = f"ws://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        await asyncio.gather(*(visit(guest, address) for guest in guests))
    return server.table, sum(guest.compared for guest in guests)
