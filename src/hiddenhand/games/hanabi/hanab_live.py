"""Games in the form that hanab.live reads and writes.

    {"players": ["Ann", "Bob"], "deck": [{"suitIndex": 0, "rank": 1}, ...],
     "actions": [{"type": 0, "target": 3}, {"type": 2, "target": 1, "value": 4}, ...],
     "options": {"startingPlayer": 1, ...}, "notes": [["", "play?", ...], ...]}

The deck is in the order in which it is drawn; the first player draws a whole hand first. An action plays (type 0) or
discards (1) the card with number `target` in the deck, or names a colour (2) or a rank (3) `value` to the player
`target`; type 4 ends the game early. Their fifth suit is purple, ours is white. Seat 0 of ours is whoever begins: the
starting player, if the options name one, and the first otherwise; so players, cards and notes are put in that order.

Their rules are stricter than ours may be: nobody discards with all tokens there, a third bomb costs all points, and a
hint touches a card unless the game has the option `emptyClues`. A game of ours that keeps to them comes back as it
was, card by card and point by point, whatever its options say; one that does not is refused.
"""

from __future__ import annotations

from typing import Any

from hiddenhand.core.errors import RecordError, UserError
from hiddenhand.core.record import Record, RecordFormat
from hiddenhand.core.table import Table
from hiddenhand.core.text import Seat, Text
from hiddenhand.games.hanabi.rules import (
    COLOUR,
    COLOURS,
    DECK_SIZE,
    DISCARD,
    HAND_SIZES,
    HINT,
    MOST_HINTS,
    RANKS,
    SLOTS,
    hint_action,
    hint_parts,
)

PLAYS, DISCARDS, NAMES_COLOUR, NAMES_RANK, ENDS = range(5)
PLAIN = ("", "No Variant")
STARTS = "startingPlayer"
DECK_PLAYS = "deckPlays"
OTHER_RULES = ("cardCycle", "oneExtraCard", "oneLessCard", "allOrNothing", "detrimentalCharacters")


class Hands:
    """Who holds which cards, by their numbers in the deck, the oldest first."""

    def __init__(self, players: int) -> None:
        size = HAND_SIZES[players]
        self.next = players * size
        self.held = [list(range(seat * size, seat * size + size)) for seat in range(players)]

    def lose(self, seat: int, slot: int) -> int:
        """A card leaves a hand and another is drawn, while there are any; the number of the one that left."""
        card = self.held[seat].pop(slot)
        if self.next < DECK_SIZE:
            self.held[seat].append(self.next)
            self.next += 1
        return card


def to_hanab_live(record: Record, names: list[str]) -> dict[str, Any]:
    """A record of ours in their form; refused if their rules do not allow what was played."""
    table = record.replay(0)
    hands, deck, empty_clues = Hands(table.game.players), written_deck(table), bool(table.state.empty_hints)
    actions = []
    for number, action in enumerate(record.actions, start=1):
        seat = table.turn
        if DISCARD <= action < HINT and table.state.hints == MOST_HINTS:
            raise UserError(
                "hanab.live forbids move {n}, a discard with all {all} hint tokens there", n=number, all=MOST_HINTS
            )
        table.play(action)
        if action < HINT:
            kind = PLAYS if action < DISCARD else DISCARDS
            actions.append({"type": kind, "target": hands.lose(seat, action % SLOTS), "value": 0})
        else:
            target, kind, value = (int(part) for part in hint_parts(action))
            sort = NAMES_COLOUR if kind == COLOUR else NAMES_RANK
            actions.append({"type": sort, "target": target, "value": value + (kind != COLOUR)})
    if table.over and table.state.bombed and any(table.payoffs()):
        raise UserError("hanab.live gives no points after the third bomb, and by this game's rules the piles count")
    options = {"variant": "No Variant", "emptyClues": empty_clues}
    notes = {} if record.notes is None else {"notes": record.notes}
    return {"players": names, "deck": deck, "actions": actions, "options": options, **notes}


def written_deck(start: Table) -> list[dict[str, int]]:
    """All cards of a game that has just been dealt, in the order of drawing."""
    s, players = start.state, start.game.players
    cards = [int(s.hands[seat, slot]) for seat in range(players) for slot in range(HAND_SIZES[players])]
    cards += [int(card) for card in s.deck[: s.deck_left][::-1]]
    return [{"suitIndex": card // RANKS, "rank": card % RANKS + 1} for card in cards]


def from_hanab_live(data: Any) -> Record:
    """One of their games as a record of ours; every number in it is checked."""
    players, options = part(data, "players", list), data.get("options") or {}
    if not 2 <= len(players) < len(HAND_SIZES):
        raise RecordError("a Hanabi game has 2 to 5 players, not {n}", n=len(players))
    if not isinstance(options, dict) or options.get("variant", "") not in PLAIN:
        raise RecordError("only games of hanab.live without a variant can be read")
    if any(options.get(name) for name in OTHER_RULES):
        raise RecordError("games of hanab.live with these rules cannot be read: {list}", list=", ".join(OTHER_RULES))
    chosen = {
        "players": len(players),
        "bomb": "zero",
        "empty_hints": bool(options.get("emptyClues")),
        "discard_at_8": False,
    }
    deck = [read_card(card) for card in part(data, "deck", list)]
    begins = options.get(STARTS) or 0
    if isinstance(begins, bool) or not isinstance(begins, int) or not 0 <= begins < len(players):
        raise RecordError(
            "{name} must be the number of one of the players, not {value}", name=STARTS, value=repr(begins)
        )
    order = HanabLiveOrder(len(players), begins)
    record = Record("hanabi", 1, chosen, 0, [], dealt=order.of_cards(deck) if len(deck) == DECK_SIZE else deck)
    record = with_actions(record, [order.of_action(action) for action in part(data, "actions", list)])
    record.names = [str(name) for name in order.of_seats(players)]
    record.notes = order.of_notes(data.get("notes"))
    return record


class HanabLiveOrder:
    """Their players and cards in the order of our seats: whoever begins sits in seat 0 and has the first hand."""

    def __init__(self, players: int, begins: int) -> None:
        size = HAND_SIZES[players]
        self.players = [(begins + seat) % players for seat in range(players)]
        """By our seats, their players."""
        hands = [card for player in self.players for card in range(player * size, player * size + size)]
        self.cards = [*hands, *range(len(hands), DECK_SIZE)]
        """By our places in the deck, theirs."""

    def of_seats(self, given: list[Any]) -> list[Any]:
        return [given[player] for player in self.players]

    def of_cards(self, given: list[Any]) -> list[Any]:
        return [given[card] for card in self.cards]

    def of_action(self, action: Any) -> Any:
        """The same action; numbers that mean nothing stay as they are, and are refused later."""
        kind, target = part(action, "type", int), part(action, "target", int)
        places = self.cards if kind in (PLAYS, DISCARDS) else self.players if kind < ENDS else []
        return {**action, "target": places.index(target)} if target in places else action

    def of_notes(self, notes: Any) -> list[list[str]] | None:
        """What each seat noted of each card; None if there is nothing, or nothing that could be read."""
        if (
            not isinstance(notes, list)
            or len(notes) != len(self.players)
            or not all(isinstance(n, list) for n in notes)
        ):
            return None
        full = [[*map(str, each[:DECK_SIZE]), *[""] * (DECK_SIZE - len(each))] for each in self.of_seats(notes)]
        return [self.of_cards(each) for each in full] if any(map(any, full)) else None


def with_actions(record: Record, actions: list[Any]) -> Record:
    """Play their actions from the deal of the record on."""
    from hiddenhand.core import resolver

    record.version = resolver.definition(record.game).version
    try:
        table = record.replay()
    except UserError as error:
        raise RecordError(str(error)) from None
    hands = Hands(table.game.players)
    for number, action in enumerate(actions, start=1):
        kind = part(action, "type", int)
        if kind >= ENDS or table.over:
            break
        try:
            table.play(read_action(kind, part(action, "target", int), action.get("value", 0), hands, table.turn))
        except (UserError, ValueError, TypeError) as error:
            raise RecordError("move {n} of the game breaks the rules: {why}", n=number, why=error) from None
    return table.record()


def read_card(card: Any) -> int:
    suit, rank = part(card, "suitIndex", int), part(card, "rank", int)
    if not (0 <= suit < COLOURS and 1 <= rank <= RANKS):
        raise RecordError("there is no card of suit {suit} and rank {rank}", suit=suit, rank=rank)
    return int(suit * RANKS + rank - 1)


def read_action(kind: int, target: int, value: Any, hands: Hands, seat: int) -> int:
    if kind in (PLAYS, DISCARDS):
        if target not in hands.held[seat]:
            missing = Text("{who} does not hold card {n}", who=Seat(seat), n=target)
            if target != hands.next:
                raise ValueError(missing)
            raise ValueError(
                Text(
                    "{missing}; games in which somebody plays from the deck ({option}) cannot be read",
                    missing=missing,
                    option=DECK_PLAYS,
                )
            )
        slot = hands.held[seat].index(target)
        hands.lose(seat, slot)
        return slot if kind == PLAYS else DISCARD + slot
    if not 0 <= target < len(hands.held) or not isinstance(value, int):
        raise ValueError(Text("a hint to player {n} about {value}", n=target, value=repr(value)))
    named = value if kind == NAMES_COLOUR else value - 1
    if not 0 <= named < COLOURS:
        raise ValueError(Text("a hint about {value}", value=value))
    return int(hint_action(target, int(kind == NAMES_RANK), named))


def part(data: Any, name: str, kind: type) -> Any:
    """A field of the right kind."""
    value = data.get(name) if isinstance(data, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise RecordError(
            "this is no game of hanab.live: {name} is missing or not of the right kind", name=repr(name)
        )
    return value


def recognises(data: Any) -> bool:
    """Whether this can only be one of their games."""
    return isinstance(data, dict) and "deck" in data


HANAB_LIVE = RecordFormat(recognises, from_hanab_live, to_hanab_live)
