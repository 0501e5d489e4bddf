"""Snaps as a screen draws it: the pack, the players round the table, the trick, and who may be whose partner.

Things have these names: a card is "ace of hearts", a player "seat 2".
"""

from typing import Literal

import numpy as np
from typing_extensions import TypedDict

from hiddenhand.core.text import Text
from hiddenhand.games.snaps.cards import CARDS, KING, NONE, OVER_KNAVE, RANKS, SEATS, VALUES, mate, trick_winner
from hiddenhand.games.snaps.knowledge import hand_size, holders_by_counting
from hiddenhand.games.snaps.rules import worth
from hiddenhand.games.snaps.state import (
    CHOOSING,
    ENOUGH,
    FINISHED,
    MARRIAGE,
    MARRIAGE_AND_CLAIM,
    side_with,
    total_with,
)
from hiddenhand.games.snaps.texts import (
    RANK_LETTERS,
    RANK_NAMES,
    SUIT_NAMES,
    WORDS,
    card_code,
    card_name,
    cards_of,
)

Phase = Literal["naming", "kontra", "rekontra", "tricks", "over"]
Role = Literal["chooser", "alone", "maybe alone", "partner", "maybe partner", "kontra", "rekontra"]
PHASES: tuple[Phase, ...] = ("naming", "kontra", "rekontra", "tricks", "over")
PLACES: tuple[Literal["south", "west", "north", "east"], ...] = ("south", "west", "north", "east")
PACK = cards_of((1 << CARDS) - 1)


class SnapsCard(TypedDict):
    """A card of the pack."""

    name: str
    """The thing: the same in all languages."""
    words: str
    """What people call it."""
    code: str
    """How people write it: hA."""
    suit: str
    rank: str
    sign: str
    """What is printed on it: A."""
    points: int
    trump: bool
    marriage: int
    """What it brings to announce a marriage with this card; 0 if it has none."""


class SnapsPlayer(TypedDict):
    """Somebody at the table."""

    name: str
    seat: int
    place: Literal["south", "west", "north", "east"]
    cards: int
    """How many are in the hand."""
    hand: list[str]
    """Those of them that may be seen."""
    points: int
    bonus: int
    """Announced; it counts once the side has a trick."""
    tricks: int
    roles: list[Role]


class SnapsPlayed(TypedDict):
    """A card in a trick."""

    card: str
    seat: int
    announced: int
    """20 or 40 where a marriage was announced with it."""
    wins: bool
    """Whether it takes the trick by the cards that lie there now."""


class SnapsTrick(TypedDict):
    cards: list[SnapsPlayed]
    done: bool


class SnapsSide(TypedDict):
    """Those who play together, the chooser's side first."""

    seats: list[int]
    points: int


class SnapsPicture(TypedDict):
    """The table from a seat's side."""

    phase: Phase
    pack: list[SnapsCard]
    """Suit by suit, the highest first."""
    chooser: int
    named: str | None
    holders: list[int]
    """The seats that may have been dealt the named card."""
    players: list[SnapsPlayer]
    """The seat itself first, then in the order of play."""
    trick: SnapsTrick
    """The one in progress; the one before it until a card is led."""
    before: list[SnapsTrick]
    """The finished tricks before that one."""
    sides: list[SnapsSide]
    """Empty until it is certain who plays with whom."""
    enough: int
    """Points that win with a claim."""


def seat_thing(seat: int) -> str:
    return f"seat {seat}"


def card_thing(card: int) -> str:
    """The name of a card as a thing in the picture, the same in all languages."""
    return str(card_name(card))


def picture(view: np.record, seat: int) -> SnapsPicture:
    holders = int(holders_by_counting(view, seat))
    return drawn(view, seat, [other for other in range(SEATS) if holders >> other & 1])


def open_picture(s: np.record, seat: int) -> SnapsPicture:
    """All hands are seen, and who has the named card."""
    return drawn(s, seat, [] if s.named == NONE else [int(s.holder)])


def drawn(v: np.record, seat: int, holders: list[int]) -> SnapsPicture:
    """Of a view, or of a state; the hands in it are shown."""
    tricks = [trick(v, first) for first in range(0, int(v.plays), 4)]
    return {
        "phase": PHASES[v.phase],
        "pack": [pack_card(v, card) for card in PACK],
        "chooser": int(v.chooser),
        "named": None if v.named == NONE else card_thing(int(v.named)),
        "holders": holders,
        "players": [player(v, seat, i, holders) for i in range(SEATS)],
        "trick": tricks[-1] if tricks else {"cards": [], "done": False},
        "before": tricks[:-1],
        "sides": sides(v, holders[0]) if len(holders) == 1 else [],
        "enough": ENOUGH,
    }


def pack_card(v: np.record, card: int) -> SnapsCard:
    suit, rank = divmod(card, RANKS)
    marries = v.named != NONE and rank in (KING, OVER_KNAVE)
    return {
        "name": card_thing(card),
        "words": card_name(card),
        "code": card_code(card),
        "suit": str(SUIT_NAMES[suit]),
        "rank": str(RANK_NAMES[rank]),
        "sign": RANK_LETTERS[rank],
        "points": int(VALUES[card]),
        "trump": bool(v.named != NONE and suit == v.named // RANKS),
        "marriage": int(worth(v, card)) if marries else 0,
    }


def player(v: np.record, seat: int, steps: int, holders: list[int]) -> SnapsPlayer:
    """The player who sits this many steps after the seat, in the order of play."""
    who = (seat + steps * int(v.direction)) % SEATS
    return {
        "name": seat_thing(who),
        "seat": who,
        "place": PLACES[steps],
        "cards": int(hand_size(v, who)),
        "hand": [card_thing(card) for card in cards_of(v.hands[who])],
        "points": int(v.points[who]),
        "bonus": int(v.bonus[who]),
        "tricks": int(v.tricks[who]),
        "roles": roles(v, who, holders),
    }


def roles(v: np.record, who: int, holders: list[int]) -> list[Role]:
    """The roles of a player, by what is known of the named card."""
    chooser, certain = who == v.chooser, len(holders) == 1
    found: list[Role] = ["chooser"] if chooser else []
    if who in holders:
        if chooser:
            found.append("alone" if certain else "maybe alone")
        else:
            found.append("partner" if certain else "maybe partner")
    if who == v.doubled_by:
        found.append("kontra")
    if who == v.redoubled_by:
        found.append("rekontra")
    return found


def trick(v: np.record, first: int) -> SnapsTrick:
    """The trick that began with the card played at `first`."""
    count = min(4, int(v.plays) - first)
    winner = int(trick_winner(v.played, first, v.named // RANKS))  # places that are still empty win nothing
    cards: list[SnapsPlayed] = [
        {
            "card": card_thing(int(v.played[first + i])),
            "seat": int(v.played_by[first + i]),
            "announced": int(v.announced[first // 4]) if i == 0 else 0,
            "wins": i == winner,
        }
        for i in range(count)
    ]
    return {"cards": cards, "done": count == 4}


def sides(v: np.record, holder: int) -> list[SnapsSide]:
    return [
        {
            "seats": [seat for seat in range(SEATS) if side_with(v, seat, holder) == which],
            "points": int(total_with(v, which, holder, 0)),
        }
        for which in range(2)
    ]


# ---- moves, and what is hidden


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    """Everything said and played is public. A marriage is about both its cards, the one that is led first."""
    if action in WORDS:
        return WORDS[action], []
    card = action % CARDS
    if s.phase == CHOOSING:
        return Text("name"), [card_thing(card)]
    if action < MARRIAGE:
        return Text("play"), [card_thing(card)]
    verb = Text("announce") if action < MARRIAGE_AND_CLAIM else Text("announce and dost")
    return verb, [card_thing(card), card_thing(int(mate(card)))]


def facts(s: np.record, seat: int) -> dict[str, str]:
    """Who holds each card that the seat does not see, and who was dealt the named one."""
    if s.phase == FINISHED:
        return {}
    seen = int(s.seen_first if s.phase == CHOOSING and seat == s.chooser else s.hands[seat])
    found = {
        card_thing(card): seat_thing(who) for who in range(SEATS) for card in cards_of(int(s.hands[who]) & ~seen)
    }
    return found if s.named == NONE else {**found, "partner": seat_thing(int(s.holder))}
