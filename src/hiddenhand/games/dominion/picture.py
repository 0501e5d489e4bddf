"""Dominion as a screen draws it: the supply, the players, what is in play, one's hand, and what is asked.

Things have these names: a pile of the supply "Smithy", a player "seat 1"; a card elsewhere "Smithy in play", "Smithy
set aside", "Smithy in the trash", and of seat 0 "Smithy in hand 0", "Smithy on deck 0", "Smithy discarded 0".
"""

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from typing_extensions import TypedDict

from hiddenhand.core.text import Text
from hiddenhand.games.dominion import steps
from hiddenhand.games.dominion.cards import (
    COPPER,
    COST,
    CURSE,
    DUCHY,
    ESTATE,
    GOLD,
    NAMES,
    PROVINCE,
    SILVER,
    TABLE,
    price,
)
from hiddenhand.games.dominion.rules import points
from hiddenhand.games.dominion.stack import CHOOSE, STOP, YES
from hiddenhand.games.dominion.state import ACTIONS_PHASE, BASIC, UNKNOWN
from hiddenhand.games.dominion.texts import (
    KINDS,
    VERBS,
    QuestionParts,
    action_name,
    card_text,
    question_parts,
)
from hiddenhand.games.dominion.texts import question as question_text

BASIC_ORDER = (PROVINCE, DUCHY, ESTATE, GOLD, SILVER, COPPER, CURSE)
ON_DECK = (
    steps.STEAL,
    steps.SURRENDER,
    steps.SENTRY_TRASH,
    steps.SENTRY_DISCARD,
    steps.SENTRY_ORDER,
    steps.ARRANGE,
)  # questions about cards on a deck
IN_HAND = {
    steps.REVEAL: "Moat",
    steps.REACT: "Diplomat",
    steps.LEND: "Copper",
    steps.SELL_ESTATE: "Estate",
}  # what is shown or given
FROM_THE_SUPPLY = (steps.GAIN, steps.NAME, steps.SWINDLE, steps.SCRAP_PILE)
SECRET = (
    steps.PUT_ON_DECK,
    steps.SENTRY_ORDER,
    steps.ARRANGE,
    steps.PASS,
)  # questions whose answers the others do not see


class DominionPile(TypedDict):
    """A pile of the supply, and what there is to know about its card."""

    name: str
    cost: int
    kinds: list[str]
    words: list[str]
    """What people call its kinds."""
    text: str
    left: int
    basic: bool
    """Whether it is in every game."""


class DominionThing(TypedDict):
    """Cards of one kind that lie together; `card` is the name of their pile, or nothing where they are not known."""

    name: str
    card: str
    count: int


class DominionPlayer(TypedDict):
    """Somebody at the table."""

    name: str
    seat: int
    points: int
    turns: int
    """Begun so far."""
    hand_size: int
    deck_size: int
    discard_size: int
    hand: list[DominionThing]
    """The cards in the hand that may be seen."""
    tops: list[DominionThing]
    """The cards on the deck that somebody knows, the topmost first."""
    discard: list[DominionThing]
    """The discard pile, where it may be seen."""
    deck: dict[str, int]
    """The rest of the deck, when nothing is hidden any more."""
    owned: dict[str, int]
    """All cards, wherever they are."""


class DominionQuestion(QuestionParts):
    """What is asked, and what it is about."""

    text: str


class DominionPicture(TypedDict):
    """The table from a seat's side."""

    piles: list[DominionPile]
    """In the order in which they are laid out."""
    players: list[DominionPlayer]
    """The seat itself first, then in the order of play."""
    current: int
    """The seat whose turn it is."""
    phase: Literal["actions", "buying"]
    actions: int
    buys: int
    coins: int
    in_play: list[DominionThing]
    aside: list[DominionThing]
    trash: list[DominionThing]
    asked: int | None
    """The seat that has a question to answer."""
    question: DominionQuestion | None
    """Which one, for that seat itself."""


PILES: list[DominionPile] = [
    {
        "name": card.name,
        "cost": card.cost,
        "kinds": card.kind.split("-"),
        "words": [KINDS[kind] for kind in card.kind.split("-")],
        "text": card_text(card),
        "left": 0,
        "basic": number < BASIC,
    }
    for number, card in enumerate(TABLE)
]


def seat_thing(seat: int) -> str:
    return f"seat {seat}"


def picture(view: np.record, seat: int) -> DominionPicture:
    drawn = public(view, seat)
    mine = drawn["players"][0]
    mine["hand"] = things(view.hand, f"in hand {seat}")
    mine["discard"] = things(view.discard, f"discarded {seat}")
    mine["tops"] = tops(view.my_tops, view.top_sizes[seat], seat)
    return drawn


def open_picture(s: np.record, seat: int) -> DominionPicture:
    """All hands, decks and discard piles."""
    drawn = public(s, seat)
    for player in drawn["players"]:
        who = player["seat"]
        player["hand"] = things(s.hands[who], f"in hand {who}")
        player["discard"] = things(s.seen[who] + s.unseen[who], f"discarded {who}")
        player["tops"] = tops(s.own_tops[who], s.top_sizes[who], who)
        player["deck"] = counted(s.decks[who, : s.deck_sizes[who]].tolist())
    return drawn


def public(v: np.record, seat: int) -> DominionPicture:
    """What everybody may see, of a view or of a state."""
    players, supply = int(v.players), v.supply.tolist()
    asked = int(v.step_seats[v.steps - 1]) if v.steps > 0 and not v.over else None
    return {
        "piles": [{**PILES[card], "left": supply[card], "cost": int(price(v, card))} for card in laid_out(v)],
        "players": [player(v, (seat + i) % players) for i in range(players)],
        "current": int(v.current),
        "phase": "actions" if v.phase == ACTIONS_PHASE else "buying",
        "actions": int(v.actions),
        "buys": int(v.buys),
        "coins": int(v.coins),
        "in_play": things(v.in_play, "in play"),
        "aside": things(v.aside, "set aside"),
        "trash": things(v.trash, "in the trash"),
        "asked": asked,
        "question": question(v) if asked == seat else None,
    }


def laid_out(v: np.record) -> list[int]:
    """The piles: the basic ones, then the kingdom by cost."""
    kingdom = [card for card in v.piles.tolist() if card >= BASIC]
    return [*BASIC_ORDER, *sorted(kingdom, key=lambda card: (COST[card], card))]


def player(v: np.record, who: int) -> DominionPlayer:
    """A player as everybody sees him."""
    return {
        "name": seat_thing(who),
        "seat": who,
        "points": int(points(v, who)),
        "turns": int(v.turns[who]),
        "hand_size": int(v.hand_sizes[who]),
        "deck_size": int(v.deck_sizes[who] + v.top_sizes[who]),
        "discard_size": int(v.discard_sizes[who]),
        "hand": things(v.shown[who], f"in hand {who}"),
        "tops": tops(in_their_places(v, who), v.top_sizes[who], who),
        "discard": [],
        "deck": {},
        "owned": {NAMES[card]: count for card, count in enumerate(v.owned[who].tolist()) if count > 0},
    }


def in_their_places(v: np.record, who: int) -> Any:
    """The cards on a deck that everybody knows, without those of which only their owner knows the order."""
    cards = v.tops[who].copy()
    low = int(v.mixed_from[who])
    cards[low : low + int(v.mixed_size[who])] = UNKNOWN
    return cards


def things(counts: np.ndarray[Any, Any], where: str) -> list[DominionThing]:
    """The cards of a place, by their counts."""
    return [
        {"name": f"{NAMES[card]} {where}", "card": NAMES[card], "count": count}
        for card, count in enumerate(counts.tolist())
        if count > 0
    ]


def tops(cards: Any, size: int, owner: int) -> list[DominionThing]:
    """The known cards on a deck, the topmost first."""
    return [
        {"name": "", "card": "", "count": 1}
        if card < 0
        else {"name": f"{NAMES[card]} on deck {owner}", "card": NAMES[card], "count": 1}
        for card in reversed(cards[:size].tolist())
    ]


def counted(cards: Iterable[int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for card in sorted(cards):
        found[NAMES[card]] = found.get(NAMES[card], 0) + 1
    return found


def question(v: np.record) -> DominionQuestion:
    return {"text": question_text(v), **question_parts(v)}


# ---- moves


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    """What an action does; of what is put on a deck unseen, and of a Moat that is not shown, others hear nothing."""
    if s.steps > 0:
        return answer_parts(s, action, seat)
    if action == STOP:
        return action_name(s, action), []
    card = NAMES[action - CHOOSE]
    if s.phase == ACTIONS_PHASE:
        return Text("play"), [f"{card} in hand {int(s.current)}"]
    return Text("buy"), [card]


def answer_parts(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    """The answer to the topmost question."""
    step = s.steps - 1
    kind, mover, target = int(s.step_kinds[step]), int(s.step_seats[step]), int(s.step_targets[step])
    if kind <= steps.YES_OR_NO:
        if kind in (steps.REVEAL, steps.REACT) and action != YES and seat != mover:
            return "", []
        if kind == steps.SET_ASIDE and action != YES and seat != mover:
            return action_name(s, action), []  # what a Library keeps nobody else sees
        return action_name(s, action), subject(s, kind, action, mover, target)
    if action == STOP or kind == steps.CHOICE:
        return action_name(s, action), []
    if kind in SECRET and seat != mover:
        return VERBS[kind], []
    return VERBS[kind], [chosen_thing(kind, NAMES[action - CHOOSE], mover, target)]


def subject(s: np.record, kind: int, action: int, mover: int, target: int) -> list[str]:
    """What a question is about that is answered by yes or no."""
    if kind in (steps.FLIP, steps.SCRAP, steps.SELL_TWO) or (
        kind in (steps.REVEAL, steps.REACT, steps.LEND, steps.SELL_ESTATE) and action != YES
    ):
        return []
    if kind == steps.JUDGE:
        return [f"{NAMES[s.tops[target, s.top_sizes[target] - 1]]} on deck {target}"]
    if kind in (steps.REVEAL, steps.REACT, steps.LEND, steps.SELL_ESTATE):
        return [f"{IN_HAND[kind]} in hand {mover}"]
    card = NAMES[s.drawn - 1 if kind == steps.SET_ASIDE else s.step_cards[s.steps - 1]]
    return [f"{card} discarded {mover}" if kind == steps.PLAY_TOP else f"{card} in hand {mover}"]


def chosen_thing(kind: int, card: str, mover: int, target: int) -> str:
    """What is chosen where a question is answered by a card."""
    if kind in FROM_THE_SUPPLY:
        return card
    if kind == steps.RECALL:
        return f"{card} discarded {mover}"
    if kind in (steps.KEEP, steps.SALVAGE):
        return f"{card} in the trash"
    return f"{card} on deck {target}" if kind in ON_DECK else f"{card} in hand {mover}"
