"""Hanabi as a screen draws it: fireworks, tokens, hands with what their owners know, and the arrows of late hints.

Things have these names: a card in a hand is "1 card 3", a player "seat 1", a firework "red", a rank "rank 3".
"""

from functools import lru_cache
from typing import Literal

import numpy as np
from typing_extensions import TypedDict

from hiddenhand.core.text import Text
from hiddenhand.games.hanabi.deduction import by_hints, critical_cards, playable_cards, unseen_by, useless_cards
from hiddenhand.games.hanabi.rules import (
    CARDS,
    DISCARD,
    HINT,
    MOST_HINTS,
    MOST_LIVES,
    NONE,
    PERFECT,
    RANKS,
    SLOTS,
    held,
    hint_parts,
    points,
    reachable,
    touches,
)
from hiddenhand.games.hanabi.texts import COLOUR_NAMES, hint_name

Mark = Literal["critical", "useless", "playable", ""]


class HanabiFace(TypedDict):
    """What a card is."""

    name: str
    """The same in all languages."""
    words: str
    """What people call it."""
    colour: str
    rank: int


class HanabiCard(TypedDict):
    """A card in a hand."""

    name: str
    number: int
    """Its place in the hand, from 1 for the oldest."""
    face: HanabiFace | None
    """None where it is neither seen nor certain."""
    known: bool
    """Whether its owner can tell what it is."""
    mark: Mark
    """The last copy that is needed, or never needed any more, or next on its firework."""
    colours: list[str]
    """What it can be for its owner: by the hints, and in one's own hand by counting too."""
    ranks: list[int]
    hinted: bool
    arrow: str
    """What a hint of the last round named it: a colour, a rank, or nothing."""


class HanabiHand(TypedDict):
    """The cards of a player, the oldest first."""

    name: str
    seat: int
    cards: list[HanabiCard]


class HanabiFirework(TypedDict):
    """The pile of a colour, which is its name."""

    name: str
    height: int
    top: str
    """The name of the card on top, or nothing."""
    last: bool
    """Whether the last move built it."""


class HanabiRank(TypedDict):
    name: str
    rank: int


class HanabiDiscard(TypedDict):
    """A card that is out of the game."""

    name: str
    face: HanabiFace
    needed: bool
    """Whether another copy of it is still of use."""
    last: bool
    """Whether the last move brought it here."""


class HanabiPicture(TypedDict):
    """The table from a seat's side."""

    fireworks: list[HanabiFirework]
    ranks: list[HanabiRank]
    score: int
    reachable: int
    """The highest score that is still possible."""
    perfect: int
    hints: int
    most_hints: int
    lives: int
    most_lives: int
    deck: int
    turns_left: int | None
    """None until the last card is drawn."""
    discarded: list[HanabiDiscard]
    hands: list[HanabiHand]
    """The seat's own first, then in the order of play."""
    playable: list[str]
    """The faces that can be played now."""


FACES: list[HanabiFace] = [
    {
        "name": f"{colour} {rank}",
        "words": Text("{colour} {rank}", colour=colour, rank=rank),
        "colour": str(colour),
        "rank": rank,
    }
    for colour in COLOUR_NAMES
    for rank in range(1, RANKS + 1)
]
RANK_THINGS: list[HanabiRank] = [{"name": f"rank {rank}", "rank": rank} for rank in range(1, RANKS + 1)]


def card_thing(seat: int, slot: int) -> str:
    return f"{seat} card {slot + 1}"


def seat_thing(seat: int) -> str:
    return f"seat {seat}"


def open_picture(s: np.record, seat: int) -> HanabiPicture:
    """A state has what a view has, and one's own cards."""
    return picture(s, seat)


def picture(view: np.record, seat: int) -> HanabiPicture:
    marks, arrows, players = marks_of(view), latest_arrows(view), int(view.players)
    order = [(seat + i) % players for i in range(players)]
    can_play = int(playable_cards(view))
    return {
        "fireworks": fireworks(view),
        "ranks": RANK_THINGS,
        "score": int(points(view)),
        "reachable": int(reachable(view)),
        "perfect": PERFECT,
        "hints": int(view.hints),
        "most_hints": MOST_HINTS,
        "lives": int(view.lives),
        "most_lives": MOST_LIVES,
        "deck": int(view.deck_left),
        "turns_left": None if view.turns_left == NONE else int(view.turns_left),
        "discarded": discards(view, marks),
        "hands": [hand(view, who, seat, marks, arrows[who]) for who in order],
        "playable": [FACES[card]["name"] for card in range(CARDS) if can_play >> card & 1],
    }


def marks_of(v: np.record) -> list[Mark]:
    """The mark of each of the 25 cards; a card that is both critical and playable is marked as critical."""
    critical, useless, can_play = int(critical_cards(v)), int(useless_cards(v)), int(playable_cards(v))
    named: list[tuple[Mark, int]] = [("critical", critical), ("useless", useless), ("playable", can_play)]
    return [next((mark for mark, cards in named if cards >> card & 1), "") for card in range(CARDS)]


def fireworks(v: np.record) -> list[HanabiFirework]:
    card, success = last_card(v)
    built = card // RANKS if success else NONE
    return [
        {
            "name": str(COLOUR_NAMES[colour]),
            "height": height,
            "top": FACES[RANKS * colour + height - 1]["name"] if height > 0 else "",
            "last": colour == built,
        }
        for colour, height in enumerate(v.piles.tolist())
    ]


def discards(v: np.record, marks: list[Mark]) -> list[HanabiDiscard]:
    card, success = last_card(v)
    lost = NONE if success else card
    return [
        {
            "name": f"{FACES[gone]['name']} discarded {copy + 1}",
            "face": FACES[gone],
            "needed": marks[gone] != "useless",
            "last": gone == lost and copy == count - 1,
        }
        for gone, count in enumerate(v.discarded.tolist())
        for copy in range(count)
    ]


def last_card(v: np.record) -> tuple[int, bool]:
    """The card that the last move played or discarded (NONE for a hint), and whether it went on its firework."""
    if v.moves_made == 0:
        return NONE, False
    move = int(v.moves_made) - 1
    return int(v.log_card[move]), bool(v.log_success[move])


def hand(v: np.record, owner: int, seat: int, marks: list[Mark], arrows: list[str]) -> HanabiHand:
    left = int(unseen_by(v, seat, seat)) if owner == seat else (1 << CARDS) - 1
    seen, touched = v.hands[owner].tolist(), v.touched[owner].tolist()
    cards: list[HanabiCard] = []
    for slot in range(held(v, owner)):
        only, colours, ranks = ways_to_be(int(by_hints(v, owner, slot)) & left)
        card = seen[slot] if seen[slot] != NONE else only
        cards.append(
            {
                "name": card_thing(owner, slot),
                "number": slot + 1,
                "face": None if card == NONE else FACES[card],
                "known": only != NONE,
                "mark": "" if card == NONE else marks[card],
                "colours": colours,
                "ranks": ranks,
                "hinted": touched[slot] > 0,
                "arrow": arrows[slot],
            }
        )
    return {"name": seat_thing(owner), "seat": owner, "cards": cards}


@lru_cache(maxsize=4096)
def ways_to_be(possible: int) -> tuple[int, list[str], list[int]]:
    """Of a set of cards the only one (or NONE), the colours and the ranks in it."""
    cards = [card for card in range(CARDS) if possible >> card & 1]
    colours, ranks = {card // RANKS for card in cards}, {card % RANKS for card in cards}
    return (
        cards[0] if len(cards) == 1 else NONE,
        [str(COLOUR_NAMES[colour]) for colour in sorted(colours)],
        [rank + 1 for rank in sorted(ranks)],
    )


def latest_arrows(v: np.record) -> list[list[str]]:
    """What the hints of the last round named each card of each seat, followed as cards move up."""
    players, made = int(v.players), int(v.moves_made)
    arrows = [[""] * SLOTS for _ in range(players)]
    for move in range(max(0, made - players), made):
        actor, action, touched = int(v.log_actor[move]), int(v.log_action[move]), int(v.log_touched[move])
        if action < HINT:
            del arrows[actor][action % SLOTS]
            arrows[actor].append("")
            continue
        target, kind, value = hint_parts(action)
        for slot in range(SLOTS):
            if touched >> slot & 1:
                arrows[target][slot] = str(hint_name(kind, value))
    return arrows


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    """Play or discard a card; hint a player something about the cards that it touches. All of it is public."""
    if action < HINT:
        return Text("play") if action < DISCARD else Text("discard"), [card_thing(int(s.mover), action % SLOTS)]
    target, kind, value = (int(part) for part in hint_parts(action))
    touched = int(touches(s, target, kind, value))
    cards = [card_thing(target, slot) for slot in range(SLOTS) if touched >> slot & 1]
    return Text("hint"), [seat_thing(target), str(hint_name(kind, value)), *cards]


def facts(s: np.record, seat: int) -> dict[str, str]:
    """What one's own cards are."""
    return {card_thing(seat, slot): FACES[int(s.hands[seat, slot])]["name"] for slot in range(held(s, seat))}
